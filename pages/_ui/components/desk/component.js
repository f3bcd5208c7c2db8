// The review desk: a queue of cases, the two texts of one, and the decision. Needs shared/dom.js.
// What the reader does goes to Python as events, {type, at, ...}; what is shown comes from there.

const STATES = ['confirmed', 'no_problem', 'later', 'undecided'];
const VERDICTS = {c: 'confirmed', n: 'no_problem', l: 'later'};
const TYPES_TEXT = 'input:not([type=checkbox], [type=radio], [type=range], [type=button]), textarea, select, [contenteditable]';
const SPOKEN = 160; // letters of a passage that are said at once; the text holds the others
const TYPING_PAUSE = 120; // ms after which what is typed into the search is looked for
const IN_FRONT = '[role=dialog], [role=menu], [role=listbox], dialog[open], [data-testid=stPopoverBody]';

export default function ({parentElement, data, setTriggerValue}) {
  const root = parentElement.querySelector('.desk');
  root.desk ??= new Desk(root);
  root.desk.trigger = (events) => setTriggerValue('act', {events});
  root.desk.show(data);
  return root.desk.listen();
}

class Desk {
  constructor(root) {
    this.root = root;
    this.whole = false; // the next decision is for the whole cluster
    this.sent = []; // events that Python has not answered: a second one must not replace the first
    root.tabIndex = -1;
    this.progress = make('div', 'prog');
    this.queue = make('section', 'queue');
    this.search = this.searchField();
    this.head = make('div', 'ch');
    this.witnesses = make('div', 'two h');
    this.text = make('div', 'read');
    this.text.tabIndex = 0;
    this.legend = make('div', 'legend');
    this.decision = make('div', 'dec');
    this.strip = make('div', 'strip');
    this.told = unseen();
    this.told.setAttribute('role', 'status');
    this.many = make('div', 'pane');
    this.last = make('div', 'pane');
    this.ticks = new Map(); // of many cases: those whose tick was changed
    this.reading = [this.head, this.witnesses, this.text, this.legend];
    this.case = make('section', 'case', ...this.reading, this.many, this.last, this.decision);
    root.append(this.progress, this.queue, this.case, this.told);
    this.settled = true; // the reader has scrolled: the text stays where it is
    for (const kind of ['wheel', 'touchmove', 'pointerdown'])
      this.text.addEventListener(kind, () => (this.settled = true), {passive: true});
    new ResizeObserver(() => this.centre()).observe(this.text);
    document.fonts?.ready.then(() => this.centre());
  }

  show(data) {
    const old = this.data;
    const focused = this.root.getRootNode().activeElement;
    this.data = data;
    const {words} = data;
    this.sent = this.sent.filter((event) => event.at > data.answered);
    this.root.lang = data.lang;
    this.root.setAttribute('role', 'group');
    this.root.setAttribute('aria-label', words.label);
    this.queue.setAttribute('aria-label', words.cases);
    this.root.classList.toggle('alone', data.queue.n === 1 && data.queue.all === 1);
    const moved = !old || old.case?.key !== data.case?.key;
    if (moved) this.whole = this.asking = false;
    this.drawProgress();
    this.drawQueue(old);
    this.case.hidden = !data.case && !data.bulk && !data.end;
    for (const node of this.reading) node.hidden = !data.case;
    this.many.hidden = !data.bulk;
    this.last.hidden = !data.end;
    this.drawStrip();
    if (data.case) {
      this.drawHead();
      if (this.textOf !== data.case.digest) this.drawText();
      this.drawDecision(moved);
    } else if (data.bulk) this.drawMany(old);
    else if (data.end) this.drawEnd();
    // a low window shows the text, not the head of the page
    if (moved && matchMedia('(max-height: 620px)').matches) this.case.scrollIntoView({block: 'start'});
    if (data.case && this.wanted === data.case.row) this.note.focus();
    if (data.case) this.wanted = undefined;
    fitNames(this.root);
    // what had the focus was drawn anew: Tab, and who listens, go on at the new case, not at the top of the page
    const lost = focused && !this.root.getRootNode().activeElement;
    if (lost) (moved && data.case ? this.title : this.root).focus({preventScroll: true});
    this.tellNews();
  }

  /** Say what was done and which case is open, each once. */
  tellNews() {
    const {text, idle} = this.data.strip;
    const done = idle || text === this.saidDone ? [] : [`${text} `];
    this.saidDone = idle ? '' : text;
    const {case: one, bulk, end} = this.data;
    const said = one?.said ?? (bulk ? `${bulk.title} ${bulk.query}` : end ? `${end.title} ${end.headline}` : '');
    const open = said === this.saidCase ? [] : [said.replace('{state}', one?.state_label)];
    this.saidCase = said;
    if (done.length || open.length) this.tell(...done, ...open);
  }

  /** Have a screen reader say something, after what it says now. */
  tell(...parts) {
    this.told.replaceChildren(make('p', '', ...parts));
  }

  /** Hear keys wherever the focus is, before the page does, which has keys of its own. */
  listen() {
    const hear = (event) => this.key(event);
    this.deaf?.(); // one listener, whether or not the one before was taken away
    this.deaf = () => document.removeEventListener('keydown', hear, true);
    document.addEventListener('keydown', hear, true);
    return this.deaf;
  }

  send(event) {
    const last = this.sent.at(-1)?.at ?? this.data.answered;
    this.sent.push({...event, at: Math.max(Date.now(), last + 1)});
    this.trigger(this.sent);
  }

  // ---- progress -------------------------------------------------------------------------------

  drawProgress() {
    const {progress, words} = this.data;
    const big = make('span', 'big', progress.done, make('small', '', words.of));
    const ruler = make('div', 'ruler');
    ruler.setAttribute('role', 'img');
    ruler.setAttribute('aria-label', words.progress);
    if (progress.ticks) {
      [...progress.ticks].forEach((state, at) => {
        const tick = make('i', state);
        tick.classList.toggle('now', at === progress.now);
        ruler.append(tick);
      });
    } else {
      const fill = make('b');
      fill.style.width = `${100 * progress.share}%`;
      ruler.classList.add('plain');
      ruler.append(fill);
    }
    const keys = make('div', 'keys', ...STATES.map((state) =>
      make('span', '', mark(state), progress.counts[state])));
    if (progress.pace) keys.append(make('span', 'r', progress.pace));
    if (progress.over && this.data.case) keys.append(push('r link', words.end, () => this.send({type: 'end'})));
    this.progress.replaceChildren(big, ruler, keys);
  }

  // ---- queue ----------------------------------------------------------------------------------

  drawQueue(old) {
    const {queue, words} = this.data;
    const top = make('div', 'fig', make('h2', '', words.cases), make('span', 'n', queue.count));
    const field = this.search;
    const focus = this.root.getRootNode().activeElement;
    if (focus !== field) field.value = this.asked = queue.query;
    field.placeholder = words.search_example;
    field.setAttribute('aria-label', words.search);
    const filters = make('div', 'flt');
    for (const filter of queue.filters) {
      const button = push('', filter.label, () => this.send({type: 'search', query: filter.query}));
      button.setAttribute('aria-pressed', String(filter.query === queue.query));
      filters.append(button);
    }
    const titles = make('div', 'qh', make('span'), make('span', '', words.shares), make('span', '', words.longest));
    titles.setAttribute('aria-hidden', 'true'); // each row says them
    const list = make('ul', 'rows');
    list.setAttribute('aria-label', queue.count);
    if (queue.before) list.append(make('li', '', push('more', words.earlier, () => this.send({type: 'page', at: queue.before - 1}))));
    for (const row of queue.rows) {
      if (row.head) list.append(this.group(row));
      list.append(this.row(row));
    }
    if (queue.after) list.append(make('li', '', push('more', words.further, () => this.send({type: 'page', at: queue.after - 1}))));
    const scroll = old?.queue.query === queue.query ? this.list?.scrollTop ?? 0 : 0;
    const error = queue.error ? [make('p', 'error', queue.error)] : [];
    const empty = queue.rows.length || queue.error ? [] : [make('p', 'empty', words.none)];
    for (const node of [...this.queue.children]) if (node !== this.label) node.remove(); // it keeps the focus
    this.label.before(top);
    this.label.after(filters, ...error, titles, list, ...empty, this.phone());
    this.list = list;
    list.scrollTop = scroll;
    const on = list.querySelector('.row.on');
    if (on) {
      const [above, below] = [on.offsetTop - list.offsetTop, on.offsetTop - list.offsetTop + on.offsetHeight];
      if (above < list.scrollTop) list.scrollTop = above - 40;
      if (below > list.scrollTop + list.clientHeight) list.scrollTop = below - list.clientHeight + 40;
    }
  }

  /** The search acts while one types. */
  searchField() {
    const input = make('input');
    input.type = 'search';
    input.ariaKeyShortcuts = '/';
    const look = () => {
      clearTimeout(this.pause);
      if (input.isConnected && input.value !== this.asked) this.send({type: 'search', query: (this.asked = input.value)});
    };
    input.oninput = (event) => {
      clearTimeout(this.pause);
      if (!event.isComposing) this.pause = setTimeout(look, TYPING_PAUSE);
    };
    input.addEventListener('compositionend', () => (this.pause = setTimeout(look, TYPING_PAUSE)));
    input.onchange = look;
    this.label = make('label', 'field', input, kbd('/'));
    this.queue.append(this.label);
    return input;
  }

  group(row) {
    const line = make('li', 'grp', make('b', '', row.head.label), make('span', 'dim', row.head.facts));
    if (row.head.rest) {
      const together = push('', this.data.words.together, () => this.together(row));
      line.append(together);
    }
    return line;
  }

  together(row) {
    if (row.on || row.cluster === this.data.case?.cluster?.index) this.toggleWhole();
    else this.send({type: 'open', row: row.row});
  }

  row(row) {
    const {words} = this.data;
    const line = make('div', 'row', mark(row.state, row.state_label),
      make('span', 'nm', nameNode(row.a, row.a_whole), make('i', '', words.and), nameNode(row.b, row.b_whole)),
      make('span', 'no', row.number), row.alike ? alikeMark(row.alike) : twin(row), make('span', 'ev', row.longest));
    line.tabIndex = 0;
    line.setAttribute('role', 'button');
    line.setAttribute('aria-label', row.label.replace('{state}', row.state_label));
    line.classList.toggle('done', row.state !== 'undecided');
    line.classList.toggle('on', row.on);
    line.classList.toggle('in', row.inside);
    if (row.on) line.setAttribute('aria-current', 'true');
    line.onclick = () => this.open(row);
    line.onkeydown = (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault(); // a space would move the page
      this.open(row);
    };
    return make('li', '', line);
  }

  open(row) {
    this.root.classList.remove('listing');
    this.send({type: 'open', row: row.row});
  }

  phone() {
    const {queue, words} = this.data;
    const list = push('', words.cases, () => this.root.classList.toggle('listing'));
    const back = push('', '‹', () => this.step(-1));
    const on = push('', '›', () => this.step(1));
    back.setAttribute('aria-label', words.previous);
    on.setAttribute('aria-label', words.next);
    return make('div', 'mob', back, make('span', 'c', queue.place), list, on);
  }

  // ---- case -----------------------------------------------------------------------------------

  drawHead() {
    const {words} = this.data;
    const one = this.data.case;
    const title = make('h2', '', one.title);
    title.append(unseen(` ${one.sides.map((side) => side.title).join(` ${words.and} `)} `));
    if (one.place) title.append(make('span', 'dim', one.place));
    title.tabIndex = -1;
    this.title = title;
    const bars = one.alike ? alikeMark(one.alike.mark) : twin(one);
    if (!one.alike) {
      bars.setAttribute('role', 'img');
      bars.setAttribute('aria-label', words.overlap_said.replace('{a}', one.text_a).replace('{b}', one.text_b));
    }
    bars.classList.add('large');
    const facts = one.facts.map(([label, value]) => make('span', 'f', label + ' ', make('b', '', value)));
    this.head.replaceChildren(title, bars, ...facts, ...(one.alike ? [make('p', 'caution', make('b', '', one.alike.lead), one.alike.caution)] : []),
      ...(one.again ? [make('p', 'again', one.again)] : []));
    this.witnesses.replaceChildren(...one.sides.flatMap((side, at) => {
      const name = make('b', '', side.title);
      name.lang = side.lang;
      const titles = make('span', 'titles', name, make('span', 's', side.sub));
      const whole = make('div', 'wt', make('span', 'ring', side.letter), titles);
      return at ? [make('span'), whole] : [whole];
    }));
    const legend = one.legend.map((entry) =>
      make('span', '', make('span', `m k-${entry.kind}`, entry.label), ' ' + entry.total));
    const keys = make('span', 'r', words.passage_keys + ' ', kbd('['), kbd(']'), '  ' + words.case_keys + ' ', kbd('k'), kbd('j'));
    this.legend.replaceChildren(...legend, keys);
  }

  drawText() {
    const {sides, lines, nothing, longest, digest} = this.data.case;
    this.textOf = digest;
    this.text.setAttribute('aria-label', this.data.case.title);
    if (nothing) return this.text.replaceChildren(make('p', 'empty', nothing));
    this.text.replaceChildren(...lines.flatMap((line) => {
      if (line.gap) return [make('p', 'gap', line.gap)];
      if (line.fold) return this.fold(line.fold);
      const gutter = make('span', 'gut', ...line.numbers.map(([text, kind]) => make('i', `k-${kind}`, text)));
      gutter.setAttribute('aria-hidden', 'true');
      return [this.two(line.sides, sides, gutter)];
    }));
    this.closePassages();
    this.numbers = [...new Set([...this.text.querySelectorAll('.chip')].map((chip) => chip.textContent))];
    this.at = this.numbers.indexOf(longest);
    this.text.scrollTop = 0;
    this.settled = this.at < 0;
    this.light();
    this.centre();
  }

  two(paragraphs, sides, gutter) {
    const columns = [0, 1].map((side) => make('div', '', ...(paragraphs[side].length ? [make('div', 'unseen', sides[side].letter)] : []),
      ...paragraphs[side].map((runs) => {
        const paragraph = make('p', '', ...runs.map((run) => this.run(run)));
        paragraph.lang = sides[side].lang;
        paragraph.dataset.w = sides[side].letter;
        return paragraph;
      })));
    return make('div', 'two', columns[0], gutter, columns[1]);
  }

  /** Text that needs no reading: one line for both sides, and what it stands for. */
  fold(parts) {
    const cells = parts.map((part) => make('span', 'cell', ...(part
      ? [make('span', '', part.label), ...(part.tag ? [make('i', 'tag', part.tag)] : [])] : [])));
    const button = push('two fold', undefined, () => {
      this.settled = true;
      under.hidden = !under.hidden;
      button.setAttribute('aria-expanded', String(!under.hidden));
    });
    button.append(cells[0], make('span'), cells[1]);
    button.setAttribute('aria-expanded', 'false');
    const letters = this.data.case.sides.map((side) => side.letter);
    button.setAttribute('aria-label', parts.flatMap((part, at) =>
      part ? [[letters[at], part.label, part.tag].filter(Boolean).join(' ')] : []).join(', '));
    const under = this.two(parts.map((part) => part?.paragraphs ?? []), this.data.case.sides, make('span'));
    under.classList.add('under');
    under.hidden = true;
    return [button, under];
  }

  run([text, passage = '', kind = '', changed = 0, out = 0, opens = 0]) {
    if (!passage && !out) return document.createTextNode(text);
    const span = make(changed ? 'b' : 'span', passage ? `m k-${kind}` : '', text);
    if (out) span.classList.add('out');
    if (typeof out === 'string') span.append(make('i', 'tag', out));
    if (passage) span.dataset.m = passage;
    if (!opens) return span;
    // a number never ends a line: it stands with the first letters of its passage
    const chip = make('span', `chip k-${kind}`, passage);
    chip.setAttribute('role', 'img');
    chip.setAttribute('aria-label', this.named(passage, kind));
    span.textContent = text.slice(1);
    const first = make('span', '', text.slice(0, 1));
    if (passage) first.className = span.className;
    first.dataset.m = passage;
    const both = document.createDocumentFragment();
    both.append(make('span', 'nb', chip, first), span);
    return both;
  }

  /** What a passage is called: its kind and its number. */
  named(passage, kind) {
    return `${this.data.case.legend.find((entry) => entry.kind === kind)?.label ?? ''} ${passage}`;
  }

  /** Say on each side where a passage ends; its mark says where it begins. */
  closePassages() {
    const last = new Map();
    for (const node of this.text.querySelectorAll('.two:not(.under) p .m')) last.set(`${node.closest('p').dataset.w} ${node.dataset.m}`, node);
    for (const node of last.values()) {
      const end = unseen(` ${this.data.words.passage_ends.replace('{name}', this.named(node.dataset.m, kindOf(node)))} `);
      end.lang = this.data.lang;
      node.after(end);
    }
  }

  passage(way) {
    if (!this.numbers?.length) return;
    this.at = (this.at + way + this.numbers.length) % this.numbers.length;
    this.settled = false;
    this.light();
    this.centre();
    this.settled = true;
    this.tellPassage();
  }

  /** Say the passage that the reader is at, as both sides have it. */
  tellPassage() {
    const nodes = this.here();
    if (!nodes.length) return;
    const {words, case: {sides}} = this.data;
    const name = this.named(this.numbers[this.at], kindOf(nodes[0]));
    const counted = words.passage_said.replace('{name}', name)
      .replace('{at}', this.at + 1).replace('{n}', this.numbers.length);
    const texts = sides.map(({letter}) => nodes.filter((node) => node.closest('p')?.dataset.w === letter)
      .map((node) => node.textContent).join(''));
    const same = texts[0] === texts[1];
    this.tell(counted, ...sides.flatMap(({letter, lang}, at) => {
      const text = texts[at];
      if (!text || (same && at)) return [];
      const said = make('span', '', text.length > SPOKEN ? `${text.slice(0, SPOKEN)}…` : text);
      said.lang = lang;
      return [same ? ` ${sides[0].letter} = ${sides[1].letter} ` : ` ${letter} `, said];
    }));
  }

  /** Emphasise the passage that the reader is at. */
  light() {
    for (const node of this.text.querySelectorAll('.m.on')) node.classList.remove('on');
    for (const node of this.here()) node.classList.add('on');
  }

  here() {
    const wanted = this.numbers?.[this.at];
    return [...this.text.querySelectorAll('.m')].filter((node) => node.dataset.m === wanted);
  }

  /** Put the passage into the middle of the column, unless the reader has gone elsewhere. */
  centre() {
    const nodes = this.settled ? [] : this.here();
    const box = this.text.getBoundingClientRect();
    if (!nodes.length || !box.height) return;
    const left = nodes.filter((node) => node.closest('.two').firstChild.contains(node));
    const rects = (left.length ? left : nodes).map((node) => node.getBoundingClientRect());
    const [top, bottom] = [Math.min(...rects.map((one) => one.top)), Math.max(...rects.map((one) => one.bottom))];
    this.text.scrollTop += top - box.top - Math.max((box.height - (bottom - top)) / 2, 12);
  }

  // ---- many cases at once ---------------------------------------------------------------------

  drawMany(old) {
    const {bulk, words} = this.data;
    if (old?.bulk?.query !== bulk.query || old.bulk.at !== bulk.at) {
      this.ticks.clear();
      this.sure = false;
    }
    const head = make('div', 'ch', make('h2', '', bulk.title), make('span', 'f', bulk.query), make('span', 'f', bulk.note));
    const rows = bulk.rows.map((row) => {
      const box = make('input');
      box.type = 'checkbox';
      box.checked = this.ticked(row);
      box.setAttribute('aria-label', row.label);
      box.onchange = () => {
        this.ticks.set(row.row, box.checked);
        this.drawDecision(false);
      };
      const [before, inside, after] = row.texts;
      const text = make('span', 'ex', make('span', 'dim0', before), make('span', `m k-${row.kind}`, inside), make('span', 'dim0', after));
      text.lang = row.lang;
      return make('li', 'one', box, mark(row.state, row.state_label),
        make('span', 'nm', nameNode(row.a), make('i', '', words.and), nameNode(row.b)),
        row.none ? make('span', 'ex none', row.none) : text, make('span', 'ev', row.longest),
        push('link', words.open, () => this.open(row)));
    });
    const list = make('ul', 'many', ...rows);
    const pages = bulk.pages < 2 ? [] : [make('div', 'pages', bulk.place,
      ...[-1, 1].map((way) => {
        const go = push('link', way < 0 ? '‹' : '›', () => this.send({type: 'bulk', at: bulk.at + way}));
        go.setAttribute('aria-label', way < 0 ? words.earlier : words.further);
        go.disabled = bulk.at + way < 0 || bulk.at + way >= bulk.pages;
        return go;
      }))];
    const hint = bulk.hint ? [make('p', 'hint', bulk.hint)] : [make('p', 'empty', words.none)];
    this.many.replaceChildren(head, list, ...pages, ...hint);
    this.drawDecision(false);
  }

  ticked(row) {
    return this.ticks.get(row.row) ?? row.state === 'undecided';
  }

  chosen() {
    return this.data.bulk.rows.filter((row) => this.ticked(row)).map((row) => row.row);
  }

  /** Decide all that are ticked; confirming them unread is asked once. */
  decideAll(verdict, sure = false) {
    const rows = this.chosen();
    if (!rows.length || this.sent.some((event) => event.type === 'decide_all')) return;
    this.sure = verdict === 'confirmed' && !sure;
    if (this.sure) {
      this.drawDecision(false);
      this.decision.querySelector('.sure button').focus();
      return;
    }
    this.ticks.clear();
    this.send({type: 'decide_all', rows, verdict, reason: ''});
  }

  cancel() {
    this.sure = false;
    this.drawDecision(false);
    this.root.focus({preventScroll: true});
  }

  // ---- the end --------------------------------------------------------------------------------

  drawEnd() {
    const {end} = this.data;
    const later = end.later ? [make('div', 'left', make('p', '', end.later.text),
      push('btn primary', end.later.button, () => this.open(end.later)))] : [];
    const squares = end.squares.map((one) => {
      const square = push('sq', undefined, () => this.open(one));
      square.append(mark(one.state), make('small', '', one.number));
      square.setAttribute('aria-label', one.label);
      square.title = one.label;
      return make('li', '', square);
    });
    const make_ = push(end.later ? 'btn' : 'btn primary', end.make, () => {
      const menu = document.querySelector('.st-key-export button');
      menu?.scrollIntoView({block: 'nearest'});
      menu?.click();
    });
    const cautions = end.cautions.map((one) => make('li', '', ...(one.lead ? [make('b', '', one.lead)] : []), make('span', '', one.text),
      ...(one.act ? [push('link', one.act, () => this.follow(one))] : [])));
    const before = cautions.length ? [make('h2', 'rule', end.before), make('ul', 'cautions', ...cautions)] : [];
    this.last.replaceChildren(
      make('div', 'ch', make('h2', '', end.title)), ...later, make('p', 'headline', end.headline), make('p', 'dim0', end.note),
      make('ul', 'squares', ...squares), make('h2', 'rule', end.report),
      make('div', 'making', make_, make('span', 'dim0', end.formats)), ...before);
    this.drawDecision(false);
  }

  follow(one) {
    if (one.row === undefined) return this.send({type: 'leave'});
    if (one.note) this.wanted = one.row; // the field of its note gets the focus
    this.open(one);
  }

  // ---- decision -------------------------------------------------------------------------------

  drawDecision(moved) {
    const one = this.data.case;
    const parts = one ? [this.verdicts(one), this.noteField(moved), this.clusterBox(one)]
      : this.data.bulk ? [this.verdictsOfAll()] : this.data.strip.writes ? [this.noteField(moved)] : [];
    const unsaved = this.data.unsaved ? [make('p', 'unsaved', this.data.unsaved)] : [];
    const sure = this.sure && this.data.bulk ? [this.question()] : this.asking && one ? [this.askAlike()] : [];
    const draft = this.draft;
    this.decision.replaceChildren(...parts, ...unsaved, ...sure, this.strip);
    this.draft = false;
    if (draft) this.note.focus();
  }

  verdicts(one) {
    const {words} = this.data;
    const {can} = this.data.strip;
    const buttons = Object.entries(VERDICTS).map(([letter, verdict]) => {
      const pressed = one.verdict === verdict;
      const reason = pressed && one.reason ? ` · ${words.reasons[one.reason]}` : '';
      const label = words[one.alike && verdict === 'confirmed' ? 'confirmed_alike' : verdict];
      const button = push('btn', label + reason, () => this.decide(verdict));
      button.prepend(kbd(letter.toUpperCase()));
      button.ariaKeyShortcuts = letter.toUpperCase();
      button.setAttribute('aria-pressed', String(pressed));
      return button;
    });
    const undo = this.back('↶', 'U', words.undo_tip, can.verdict, {type: 'undo'});
    undo.classList.add('btn');
    return make('div', 'bt', ...buttons, undo);
  }

  verdictsOfAll() {
    const {words} = this.data;
    const n = String(this.chosen().length);
    const buttons = Object.entries(VERDICTS).map(([letter, verdict]) => {
      const button = push('btn', words[`all_${verdict}`].replace('{n}', n), () => this.decideAll(verdict));
      button.prepend(kbd(letter.toUpperCase()));
      button.disabled = n === '0';
      return button;
    });
    const keys = make('span', 'keysay', kbd('↵'), words.first_of_all, kbd('Esc'), words.no_filter);
    return make('div', 'bt', ...buttons, keys);
  }

  question() {
    const {words, bulk} = this.data;
    const chosen = this.chosen();
    const alike = bulk.rows.filter((row) => row.kind === 'meaning' && chosen.includes(row.row)).length;
    const sure = make('p', 'sure', words.sure.replace('{n}', String(chosen.length)),
      ...(alike ? [make('span', '', words.sure_alike.replace('{n}', String(alike)))] : []),
      push('btn', words.do, () => this.decideAll('confirmed', true)), push('btn', words.cancel, () => this.cancel()));
    sure.setAttribute('role', 'alert');
    return sure;
  }

  /** Confirming on the same meaning alone is asked once. */
  askAlike() {
    const {words} = this.data;
    const ask = make('p', 'sure', words.ask_alike,
      push('btn', words.asked, () => this.decide('confirmed', '', true)), push('btn', words.not_asked, () => this.decide('later')));
    ask.setAttribute('role', 'alert');
    return ask;
  }

  /** The field of a note, of the open case or, until something else is done, of the one just decided. */
  noteField(moved) {
    const {words, strip: {writes}} = this.data;
    const note = make('input');
    note.placeholder = writes.label;
    note.value = writes.note;
    note.maxLength = 20000;
    note.setAttribute('aria-label', writes.label);
    note.ariaKeyShortcuts = 'M';
    note.onchange = () => this.send({type: 'note', row: writes.row, note: note.value});
    this.draft = !moved && this.noteRow === writes.row && this.note && this.root.getRootNode().activeElement === this.note;
    if (this.draft) note.value = this.note.value;
    this.note = note;
    this.noteRow = writes.row;
    const unnote = this.back('↶', '', words.undo_note_tip, this.data.strip.can.note, {type: 'undo', note: true});
    unnote.ariaKeyShortcuts = 'Shift+M';
    return make('div', 'field note', make('label', '', note, kbd('M')), unnote);
  }

  clusterBox(one) {
    const label = make('label', 'clu');
    if (!one.cluster?.rest) return label;
    const box = make('input');
    box.type = 'checkbox';
    box.checked = this.whole;
    box.onchange = () => this.toggleWhole();
    label.append(box, one.cluster.sentence, kbd('G'));
    return label;
  }

  /** A button that takes something back, or does it again. */
  back(label, key, tip, can, event) {
    const button = push('back', label, () => this.send(event));
    if (key) button.append(kbd(key));
    if (key) button.ariaKeyShortcuts = key.replace('⇧', 'Shift+');
    button.title = tip;
    button.setAttribute('aria-label', tip.replace('⇧', 'Shift+'));
    button.disabled = !can;
    return button;
  }

  /** What was done last; `tellNews` says it. */
  drawStrip() {
    const {words, strip: {text, idle, can, noted, asked, mark: given}} = this.data;
    const said = make('span', 'said', text);
    if (idle) said.setAttribute('aria-hidden', 'true'); // each button names its own key
    this.strip.classList.toggle('idle', idle);
    const reasons = Object.entries(words.reasons).map(([reason, label], at) => {
      const button = push('why', label, () => this.decide('no_problem', reason));
      button.prepend(kbd(String(at + 1)));
      return button;
    });
    this.strip.replaceChildren(
      ...(given ? [mark(given)] : []),
      said,
      ...(asked ? [make('div', 'whys asked', make('span', '', asked.lead), ...reasons)] : []),
      ...(noted ? [this.back(words.undo_note, '⇧M', words.undo_note_tip, can.note, {type: 'undo', note: true})] : []),
      this.back(words.undo, 'U', words.undo_tip, can.verdict, {type: 'undo'}),
      this.back(words.redo, '⇧U', words.redo_tip, can.undo, {type: 'redo'}),
    );
  }

  /** Decide the open case; a reason that is asked for belongs to the case before. */
  decide(verdict, reason, talked = this.asking) {
    const {asked} = this.data.strip;
    const row = asked && reason ? asked.row : this.data.case?.row;
    if (row === undefined) return;
    const one = this.data.case;
    if (verdict === 'confirmed' && one?.alike && one.verdict !== 'confirmed' && !talked) {
      this.asking = true;
      this.drawDecision(false);
      this.decision.querySelector('.sure button').focus();
      return;
    }
    this.asking = false;
    const decided = this.sent.some((event) => event.type === 'decide' && event.row === row);
    if (decided && !reason) return; // meant for the next case, which nobody has seen yet
    this.send({type: 'decide', row, verdict, reason: reason ?? '', whole: this.whole});
  }

  toggleWhole() {
    if (!this.data.case?.cluster?.rest) return;
    this.whole = !this.whole;
    this.drawDecision(false);
    const {words, case: {cluster}} = this.data;
    this.tell(words[this.whole ? 'whole_on' : 'whole_off'].replace('{what}', cluster.sentence));
  }

  step(way) {
    this.send({type: 'step', way});
  }

  // ---- keys -----------------------------------------------------------------------------------

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !this.root.isConnected) return;
    const target = event.composedPath()[0];
    if (target.matches?.(TYPES_TEXT)) {
      if (target.getRootNode() === this.root.getRootNode()) this.typed(event, target);
      return;
    }
    if ([...document.querySelectorAll(IN_FRONT)].some((box) => box.checkVisibility?.() ?? true)) return;
    if (event.key === 'Enter' && this.data.bulk?.rows.length && !target.closest?.('button, input, [role=button], a')) {
      event.preventDefault();
      return this.open(this.data.bulk.rows[0]);
    }
    const act = this.acts()[`${event.shiftKey && /^[a-z]$/i.test(event.key) ? '⇧' : ''}${event.key.toLowerCase()}`];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    // a click beside the desk gives the whole page the focus; a key would draw a frame around it
    if (document.activeElement?.matches('[data-testid=stMain]')) document.activeElement.blur();
    if (!event.repeat || 'jk[]'.includes(event.key)) act();
  }

  /** A key in a field of the desk: the page, which does not see into it, must not take it. */
  typed(event, field) {
    event.stopPropagation();
    if (field === this.search && event.key === 'Escape' && field.value) this.unfilter();
    if (event.key === 'Escape' || (event.key === 'Enter' && !event.isComposing)) field.blur();
  }

  acts() {
    const acts = {
      u: () => this.send({type: 'undo'}),
      '⇧u': () => this.send({type: 'redo'}),
      '⇧m': () => this.send({type: 'undo', note: true}),
      j: () => this.step(1),
      k: () => this.step(-1),
      '[': () => this.passage(-1),
      ']': () => this.passage(1),
      g: () => this.toggleWhole(),
      b: () => this.send({type: 'blind'}),
      m: () => this.note?.focus(),
      '/': () => this.search.focus(),
    };
    const {bulk} = this.data;
    if (bulk) {
      for (const [letter, verdict] of Object.entries(VERDICTS)) acts[letter] = () => this.decideAll(verdict);
      acts.escape = () => (this.sure ? this.cancel() : this.unfilter());
    }
    if (this.data.strip.asked || this.data.case)
      Object.keys(this.data.words.reasons).forEach((reason, at) =>
        (acts[String(at + 1)] = () => this.decide('no_problem', reason)));
    if (this.asking) acts.escape = () => {
      this.asking = false;
      this.drawDecision(false);
      this.root.focus({preventScroll: true});
    };
    if (!this.data.case) return acts;
    for (const [letter, verdict] of Object.entries(VERDICTS)) acts[letter] = () => this.decide(verdict);
    return acts;
  }

  unfilter() {
    this.search.value = this.asked = '';
    this.send({type: 'search', query: ''});
  }
}

/** Text that only a screen reader says; it is not copied. */
function unseen(text) {
  return make('span', 'unseen', text);
}

/** The kind of passage that a run of text belongs to. */
function kindOf(node) {
  return [...node.classList].find((name) => name.startsWith('k-'))?.slice(2) ?? '';
}

/** What stands in place of the bars where no words are shared. */
function alikeMark(text) {
  return make('span', 'sw', make('i', 'k-meaning'), make('span', '', text));
}

function twin(row) {
  const side = (share) => {
    const fill = make('b');
    fill.style.width = `${100 * Math.min(1, share)}%`;
    if (!(share > 0)) fill.style.border = '0';
    return make('span', 's', fill);
  };
  return make('span', 'tw', make('span', '', row.text_a), side(row.share_a), make('span', 'ax'), side(row.share_b),
    make('span', '', row.text_b));
}

function push(className, label, act) {
  const button = make('button', className, label);
  button.type = 'button';
  button.onclick = (event) => {
    event.stopPropagation();
    act();
  };
  return button;
}

function kbd(letter) {
  const key = make('kbd', '', letter);
  key.setAttribute('aria-hidden', 'true');
  return key;
}
