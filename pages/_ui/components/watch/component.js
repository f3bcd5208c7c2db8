// Streamlit writes these parts of the page itself; nothing of a document stands in them.
const OWN = [
  'stFileUploader', 'stMainMenu', 'stMainMenuPopover', 'InputInstructions', 'stTooltipIcon',
  'stSidebarCollapseButton', 'stExpandSidebarButton', 'stSelectboxVirtualDropdown',
  'stNumberInputStepUp', 'stNumberInputStepDown', 'stElementToolbar', 'stSkipToContent', 'stSidebarHeader',
].map((id) => `[data-testid="${id}"]`).concat('[data-testid="stDialog"] > div > button', '[role="dialog"] > button',
  'button kbd', '[data-testid="stSelectbox"] button', '.modebar').join();
// here only the names of the element itself are Streamlit's: a document can stand inside
const NAMED = '[data-testid="stSidebar"], [data-testid="stSidebarNav"], [data-testid="stSelectbox"] input';
const NAMES = ['aria-label', 'title', 'placeholder', 'alt', 'data-title'];
const WATCHED = [...NAMES, 'data-lt-lang', 'data-lt-page', 'data-lt-check', 'data-lt-says'];
const ZONE = '[data-testid="stFileUploaderDropzone"]';
const YEAR = 31536000; // seconds
const LISTING = 15000; // ms: a box that lists no file by then has taken none
const PHONE = 768; // px: below, the sidebar lies over the page

// Streamlit loads this module anew with every mount: what is remembered belongs to the page, and
// only the first module looks at it
const first = !window.leitongPage;
const shared = window.leitongPage ??= {
  words: {}, // language -> rules
  waiting: false,
  texts: new WeakMap(), // text node -> {original, shown}
  names: new WeakMap(), // element -> {attribute: {original, shown}}
  full: [], // boxes whose files the server reads: {way, box, input, since, shown}
  carried: [], // files that wait for a box: {way, files}
};

// the page says which language it is in: a component is not always told when its data change
const language = () => document.querySelector('[data-lt-lang]')?.dataset.ltLang || '';

// replaced, not pushed: going back leads to the page before, not to the same page without its check
const writeAddress = () => {
  const spot = document.querySelector('[data-lt-check]');
  if (!spot) return;
  const url = new URL(location.href);
  const before = url.href;
  if (spot.dataset.ltCheck) url.searchParams.set('check', spot.dataset.ltCheck);
  else url.searchParams.delete('check');
  if (url.href !== before) history.replaceState(history.state, '', url);
};

const remember = (name, value) => {
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR}; SameSite=Strict`;
};

const askBeforeClosing = (event) => {
  if (document.querySelector('[data-lt-warns="1"]')) event.preventDefault();
};

const translated = (original) => {
  const rule = (shared.words[language()] || []).find(([pattern]) => pattern.test(original.trim()));
  return rule ? original.trim().replace(rule[0], rule[1]) : original;
};

// what Streamlit wrote last is stored: another language starts from it, not from our translation
const replaced = (now, before) => {
  const original = before && before.shown === now ? before.original : now;
  return { original, shown: translated(original) };
};

// one region that stays, outside of what Streamlit draws anew: a screen reader reads what changes in it.
// Each sentence has a line of its own, so that one that changes does not say the others again.
const announce = () => {
  if (!shared.region?.isConnected) {
    shared.region = Object.assign(document.createElement('div'), { className: 'lt-unseen' });
    shared.region.setAttribute('role', 'status');
    shared.region.setAttribute('aria-atomic', 'false');
    document.body.append(shared.region);
  }
  const { region } = shared;
  const say = (text) => region.append(Object.assign(document.createElement('p'), { textContent: text }));
  // the browser says the title of the page that it loads; of another page, which Streamlit draws in its place, only we do
  const page = document.querySelector('[data-lt-page]')?.dataset.ltPage;
  const arrived = page && shared.page && page !== shared.page;
  if (page) shared.page = page;
  const says = [...document.querySelectorAll('[data-lt-says]')].map((node) => node.dataset.ltSays).filter(Boolean);
  const wanted = new Set([shared.page, ...says]);
  for (const line of [...region.children]) if (!wanted.delete(line.textContent)) line.remove();
  if (!arrived) wanted.delete(shared.page);
  for (const text of wanted) say(text);
};

// the button of a box says what the box is for
const nameButtons = () => {
  for (const box of document.querySelectorAll(`[class*="-way "] ${ZONE}`)) {
    const says = box.querySelector('button p');
    const name = box.getAttribute('aria-label');
    if (says && name && says.textContent !== name) says.textContent = name;
  }
};

// the field of files is reached by its button; on its own it would be read as a second one, and with the name of another box
const hideFields = () => {
  for (const field of document.querySelectorAll('[data-testid="stFileUploaderDropzoneInput"]:not([aria-hidden])')) {
    field.setAttribute('aria-hidden', 'true');
  }
};

// a box over the page stands at its end: who has no mouse is led into it, and back where it closes
const enterBox = () => {
  const box = [...document.querySelectorAll('[data-testid="stPopoverBody"]')].find((one) => one.checkVisibility());
  const nowhere = document.activeElement === document.body;
  if (box && (box !== shared.box || nowhere)) { // also where what had the focus in it was drawn anew
    shared.opener = document.querySelector('[data-testid="stPopover"] button[aria-expanded="true"]');
    box.setAttribute('role', 'dialog');
    box.setAttribute('aria-label', shared.opener?.querySelector('p')?.textContent ?? '');
    box.tabIndex = -1;
    box.style.outline = '0';
    if (!box.contains(document.activeElement)) box.focus({ preventScroll: true });
  } else if (!box && shared.box && nowhere) shared.opener?.focus({ preventScroll: true });
  shared.box = box;
};

const rename = (element) => {
  const attributes = shared.names.get(element) || {};
  for (const name of NAMES) {
    const now = element.getAttribute(name);
    if (now === null) continue;
    attributes[name] = replaced(now, attributes[name]);
    if (attributes[name].shown !== now) element.setAttribute(name, attributes[name].shown);
  }
  shared.names.set(element, attributes);
};

// an unknown address has a page of ours: the box that says so in English says nothing more
const closeOwnBox = () => {
  for (const box of document.querySelectorAll('[role="dialog"]')) {
    if (box.textContent.trim().startsWith('Page not found')) box.querySelector('button')?.click();
  }
};

const sweep = () => {
  shared.waiting = false;
  const spoken = language();
  if (spoken && document.documentElement.lang !== spoken) document.documentElement.lang = spoken;
  writeAddress();
  nameButtons();
  deliver();
  closeOwnBox();
  hideFields();
  enterBox();
  for (const part of document.querySelectorAll(OWN)) {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const next = replaced(node.nodeValue, shared.texts.get(node));
      shared.texts.set(node, next);
      if (next.shown !== node.nodeValue) node.nodeValue = next.shown;
    }
    for (const element of [part, ...part.querySelectorAll(NAMES.map((name) => `[${name}]`).join())]) rename(element);
  }
  for (const element of document.querySelectorAll(NAMED)) rename(element);
  announce();
};

const soon = () => {
  if (!shared.waiting) requestAnimationFrame(sweep);
  shared.waiting = true;
};

// a button or a list that has the focus keeps Enter to itself: a check is started all the same
const startAnywhere = (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  const start = document.querySelector('.st-key-start button:enabled');
  if (!start || event.target.closest('input, textarea, [role="dialog"]')) return; // Streamlit looks at these
  event.preventDefault();
  event.stopPropagation();
  start.click();
};

const closeSidebar = (event) => {
  if (innerWidth > PHONE || !event.target.closest('[data-testid="stSidebarNavLink"]')) return;
  document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
};

// What is let go anywhere on Check goes into its box, two files into that of two texts; on a page without any box it is taken there.
// Where a box of another kind stands nothing happens, where a browser would show the file. Streamlit takes the names of folders from files that were
// chosen, not from those that were let go: so they are handed to it as chosen ones.
// Some boxes are emptied once the server has read what is in them: another one is drawn in their place, and what is
// still on its way into the old one would be lost. It waits for the new one.
const carriesFiles = (event) => event.isTrusted && event.dataTransfer?.types.includes('Files');
const dragged = (event) => {
  if (carriesFiles(event)) event.preventDefault();
};
const listed = async (folder) => {
  const reader = folder.createReader();
  const entries = [];
  for (;;) { // a hundred at a time
    const some = await new Promise((done, failed) => { reader.readEntries(done, failed); });
    if (!some.length) return (await Promise.all(entries.map(filesOf))).flat();
    entries.push(...some);
  }
};
const filesOf = async (entry) => {
  if (entry.isDirectory) return listed(entry);
  const file = await new Promise((done, failed) => { entry.file(done, failed); });
  Object.defineProperty(file, 'webkitRelativePath', { value: entry.fullPath.slice(1) });
  return [file];
};
const NO_TEXT = /\.(zip|tar|gz|7z|rar|csv|tsv|xlsx|xls|ods|leitong)$/i; // an archive, a list, a check
const TOGETHER = '.st-key-doors, .st-key-drop-ways'; // boxes that are emptied together
const EMPTIED = { files: TOGETHER, folder: TOGETHER, two: TOGETHER, drafts: TOGETHER, sheets: '.st-key-sheets-way' };
const inputOf = (way) => document.querySelector(`.st-key-${way}-way input[type="file"]`);
const wayOf = (element) => Object.keys(EMPTIED).find((way) => element?.closest(`.st-key-${way}-way`));
const chipsOf = (input) => [...input.closest(ZONE).querySelectorAll('[data-testid="stFileChip"]')];
const boxOf = (input) => [...input.closest('[class*="st-key-"]').classList].find((name) => name.startsWith('st-key-'));
const fieldOf = (box) => document.querySelector(`.${box} input[type="file"]`);
// Streamlit can draw a box a second time, without its files, before it draws the empty one: only another key is another box
const lookAtFull = () => {
  shared.full = shared.full.filter(({ box }) => fieldOf(box));
  for (const one of shared.full) {
    const input = fieldOf(one.box);
    if (input !== one.input) Object.assign(one, { input, since: Date.now(), shown: false });
    one.shown ||= chipsOf(input).length > 0;
  }
};
const isBusy = ({ input, since, shown }) => {
  const chips = chipsOf(input);
  if (!chips.length) return !shown && Date.now() - since < LISTING; // or taken out again
  return !chips.every((chip) => chip.querySelector('[data-testid="stFileChipIconError"]'));
};
const isFull = (way) => {
  lookAtFull();
  return shared.full.some((one) => EMPTIED[one.way] === EMPTIED[way] && isBusy(one));
};
const fill = (way, input) => shared.full.push({ way, box: boxOf(input), input, since: Date.now(), shown: false });
const carry = (way, files) => {
  const before = shared.carried.find((one) => one.way === way);
  if (before) before.files.push(...files);
  else shared.carried.push({ way, files });
  setTimeout(deliver, LISTING);
  deliver();
};
const deliver = () => {
  lookAtFull();
  shared.carried = shared.carried.filter(({ way, files }) => {
    const input = inputOf(way); // none while a check runs
    if (!input || isFull(way)) return true;
    fill(way, input);
    Object.defineProperty(input, 'files', { value: files, configurable: true });
    input.dispatchEvent(new Event('change', { bubbles: true }));
    delete input.files;
    return false;
  });
};
const dropped = async (event) => {
  if (!carriesFiles(event)) return;
  const zone = event.target.closest?.(ZONE);
  const under = wayOf(zone);
  if (zone && !under) return;
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  const folders = entries.some((entry) => entry.isDirectory);
  const pair = entries.length === 2 && !entries.some((entry) => NO_TEXT.test(entry.name)) && inputOf('two');
  const way = folders && under !== 'sheets' ? 'folder' : under || (pair ? 'two' : 'files');
  if (under === way && way !== 'folder' && !isFull(way)) { fill(way, zone.querySelector('input')); return; }
  event.preventDefault();
  event.stopPropagation();
  const here = inputOf(way);
  if (!here && document.querySelector(ZONE)) return;
  const files = (await Promise.all(entries.map(filesOf))).flat();
  if (!here) document.querySelector('[data-testid="stSidebarNavLink"]')?.click(); // the first page is Check
  if (files.length) carry(way, files);
};
const chosen = (event) => {
  const way = wayOf(event.target);
  if (!way || !event.target.files?.length || Object.hasOwn(event.target, 'files')) return; // as `deliver` hands them over
  if (!isFull(way)) { fill(way, event.target); return; }
  event.stopPropagation();
  carry(way, [...event.target.files]);
  event.target.value = '';
};

if (first) {
  new MutationObserver(soon).observe(document.body, {
    subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: WATCHED,
  });
  document.addEventListener('click', closeSidebar);
  document.addEventListener('keydown', startAnywhere, true);
  document.addEventListener('dragover', dragged);
  document.addEventListener('drop', dropped, true); // before the box under it
  document.addEventListener('change', chosen, true);
  addEventListener('beforeunload', askBeforeClosing);
}

export default function ({ parentElement, setStateValue, data }) {
  const mark = parentElement.querySelector('i');
  for (const [spoken, rules] of Object.entries(data.words)) {
    shared.words[spoken] = rules.map(([pattern, sentence]) => [new RegExp(pattern), sentence]);
  }
  if (data.chosen) remember('leitong_language', data.chosen);
  sweep();
  mark.ontransitionend = () => setStateValue('scheme', getComputedStyle(mark).color);
  return () => { mark.ontransitionend = null; };
}
