// Streamlit writes these parts of the page itself; nothing of a document stands in them.
const OWN = [
  'stFileUploader', 'stMainMenu', 'stMainMenuPopover', 'InputInstructions', 'stTooltipIcon',
  'stSidebarCollapseButton', 'stExpandSidebarButton', 'stSelectboxVirtualDropdown',
  'stNumberInputStepUp', 'stNumberInputStepDown', 'stElementToolbar',
].map((id) => `[data-testid="${id}"]`).concat('[data-testid="stDialog"] > div > button', '[role="dialog"] > button').join();
const NAMES = ['aria-label', 'title', 'placeholder'];
const PHONE = 768; // px: below, the sidebar lies over the page

let words = [];
let waiting = false;
const texts = new WeakMap(); // text node -> {original, shown}
const names = new WeakMap(); // element -> {attribute: {original, shown}}

const translated = (original) => {
  const rule = words.find(([pattern]) => pattern.test(original.trim()));
  return rule ? original.trim().replace(rule[0], rule[1]) : original;
};

// what Streamlit wrote last is stored: another language starts from it, not from our translation
const replaced = (now, before) => {
  const original = before && before.shown === now ? before.original : now;
  return { original, shown: translated(original) };
};

// an unknown address has a page of ours: the box that says so in English says nothing more
const closeOwnBox = () => {
  for (const box of document.querySelectorAll('[role="dialog"]')) {
    if (box.textContent.trim().startsWith('Page not found')) box.querySelector('button')?.click();
  }
};

const sweep = () => {
  waiting = false;
  closeOwnBox();
  for (const part of document.querySelectorAll(OWN)) {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const next = replaced(node.nodeValue, texts.get(node));
      texts.set(node, next);
      if (next.shown !== node.nodeValue) node.nodeValue = next.shown;
    }
    for (const element of [part, ...part.querySelectorAll('[aria-label], [title], [placeholder]')]) {
      const attributes = names.get(element) || {};
      for (const name of NAMES) {
        const now = element.getAttribute(name);
        if (now === null) continue;
        attributes[name] = replaced(now, attributes[name]);
        if (attributes[name].shown !== now) element.setAttribute(name, attributes[name].shown);
      }
      names.set(element, attributes);
    }
  }
};

const soon = () => {
  if (!waiting) requestAnimationFrame(sweep);
  waiting = true;
};

new MutationObserver(soon).observe(document.body, {
  subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: NAMES,
});

document.addEventListener('click', (event) => {
  if (innerWidth > PHONE || !event.target.closest('[data-testid="stSidebarNavLink"]')) return;
  document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
});

export default function ({ parentElement, setStateValue, data }) {
  const mark = parentElement.querySelector('i');
  document.documentElement.lang = data.lang;
  words = data.words.map(([pattern, sentence]) => [new RegExp(pattern), sentence]);
  sweep();
  mark.ontransitionend = () => setStateValue('scheme', getComputedStyle(mark).color);
  return () => { mark.ontransitionend = null; };
}
