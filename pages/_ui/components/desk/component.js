// The review desk: a queue of cases, the two texts of one, and the decision. Needs shared/dom.js.
// What the reader does goes to Python as events, {type, at, ...}; what is shown comes from there.

const STATES = ['confirmed', 'no_problem', 'later', 'undecided'];
const VERDICTS = {c: 'confirmed', n: 'no_problem', l: 'later'};
const TYPES_TEXT = 'input:not([type=checkbox], [type=radio], [type=range], [type=button]), textarea, select, [contenteditable]';
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
    this.queue = make('aside', 'queue');
    this.head = make('div', 'ch');
    this.witnesses = make('div', 'two h');
    this.text = make('div', 'read');
    this.text.tabIndex = 0;
    this.legend = make('div', 'legend');
    this.decision = make('div', 'dec');
    this.strip = make('div', 'strip');
    this.said = make('span');
    this.said.setAttribute('role', 'status');
    this.case = make('main', 'case', this.head, this.witnesses, this.text, this.legend, this.decision);
    root.append(this.progress, this.queue, this.case);
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
    this.root.classList.toggle('alone', data.queue.n === 1 && data.queue.all === 1);
    const moved = !old || old.case?.key !== data.case?.key;
    if (moved) this.whole = false;
    this.drawProgress();
    this.drawQueue(old);
    this.case.hidden = !data.case;
    if (data.case) {
      this.drawHead();
      if (!old?.case || old.case.digest !== data.case.digest) this.drawText();
      this.drawStrip();
      this.drawDecision(moved);
    }
    fitNames(this.root);
    // what had the focus was drawn anew: Tab goes on from here, not from the top of the page
    if (focused && !this.root.getRootNode().activeElement) this.root.focus({preventScroll: true});
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
    this.progress.replaceChildren(big, ruler, keys);
  }

  // ---- queue ----------------------------------------------------------------------------------

  drawQueue(old) {
    const {queue, words} = this.data;
    const top = make('div', 'fig', make('h2', '', words.cases), make('span', 'n', queue.count));
    const search = make('label', 'field');
    const input = make('input');
    input.type = 'search';
    input.value = queue.query;
    input.placeholder = words.search_example;
    input.setAttribute('aria-label', words.search);
    input.onchange = () => this.send({type: 'search', query: input.value});
    this.search = input;
    search.append(input, make('kbd', '', '/'));
    const filters = make('div', 'flt');
    for (const filter of queue.filters) {
      const button = push('', filter.label, () => this.send({type: 'search', query: filter.query}));
      button.setAttribute('aria-pressed', String(filter.query === queue.query));
      filters.append(button);
    }
    const titles = make('div', 'qh', make('span'), make('span', '', words.shares), make('span', '', words.longest));
    const list = make('div', 'rows');
    list.setAttribute('role', 'list');
    if (queue.before) list.append(push('more', words.earlier, () => this.send({type: 'page', at: queue.before - 1})));
    for (const row of queue.rows) {
      if (row.head) list.append(this.group(row));
      list.append(this.row(row));
    }
    if (queue.after) list.append(push('more', words.further, () => this.send({type: 'page', at: queue.after - 1})));
    const scroll = old?.queue.query === queue.query ? this.list?.scrollTop ?? 0 : 0;
    const error = queue.error ? [make('p', 'error', queue.error)] : [];
    const empty = queue.rows.length || queue.error ? [] : [make('p', 'empty', words.none)];
    const typing = this.root.getRootNode().activeElement === this.was;
    this.queue.replaceChildren(top, search, filters, ...error, titles, list, ...empty, this.phone());
    this.was = input;
    if (typing) input.focus();
    this.list = list;
    list.scrollTop = scroll;
    const on = list.querySelector('.row.on');
    if (on) {
      const [above, below] = [on.offsetTop - list.offsetTop, on.offsetTop - list.offsetTop + on.offsetHeight];
      if (above < list.scrollTop) list.scrollTop = above - 40;
      if (below > list.scrollTop + list.clientHeight) list.scrollTop = below - list.clientHeight + 40;
    }
  }

  group(row) {
    const line = make('div', 'grp', make('b', '', row.head.label), make('span', 'dim', row.head.facts));
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
      make('span', 'no', row.number), twin(row), make('span', 'ev', row.longest));
    line.tabIndex = 0;
    line.setAttribute('role', 'listitem');
    line.classList.toggle('done', row.state !== 'undecided');
    line.classList.toggle('on', row.on);
    line.classList.toggle('in', row.inside);
    if (row.on) line.setAttribute('aria-current', 'true');
    line.onclick = () => this.open(row);
    line.onkeydown = (event) => event.key === 'Enter' && this.open(row);
    return line;
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
    if (one.place) title.append(make('span', 'dim', one.place));
    const bars = twin(one);
    bars.classList.add('large');
    const facts = one.facts.map(([label, value]) => make('span', 'f', label + ' ', make('b', '', value)));
    this.head.replaceChildren(title, bars, ...facts, ...(one.again ? [make('p', 'again', one.again)] : []));
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
    const {sides, lines, nothing} = this.data.case;
    this.text.setAttribute('aria-label', this.data.case.title);
    this.at = -1;
    if (nothing) return this.text.replaceChildren(make('p', 'empty', nothing));
    this.text.replaceChildren(...lines.map((line) => {
      if (line.gap) return make('p', 'gap', line.gap);
      const columns = [0, 1].map((side) => make('div', '', ...line.sides[side].map((runs) => {
        const paragraph = make('p', '', ...runs.map((run) => this.run(run)));
        paragraph.lang = sides[side].lang;
        paragraph.dataset.w = sides[side].letter;
        return paragraph;
      })));
      const gutter = make('span', 'gut', ...line.numbers.map(([text, kind]) => make('i', `k-${kind}`, text)));
      gutter.setAttribute('aria-hidden', 'true');
      return make('div', 'two', columns[0], gutter, columns[1]);
    }));
    this.text.scrollTop = 0;
    this.numbers = [...new Set([...this.text.querySelectorAll('.chip')].map((chip) => chip.textContent))];
  }

  run([text, passage = '', kind = '', changed = 0, out = 0, opens = 0]) {
    if (!passage && !out) return document.createTextNode(text);
    const span = make(changed ? 'b' : 'span', passage ? `m k-${kind}` : '', text);
    if (out) span.classList.add('out');
    if (passage) span.dataset.m = passage;
    if (!opens) return span;
    // a number never ends a line: it stands with the first letters of its passage
    const chip = make('span', `chip k-${kind}`, passage);
    span.textContent = text.slice(1);
    const first = make('span', '', text.slice(0, 1));
    if (passage) first.className = span.className;
    first.dataset.m = passage;
    const both = document.createDocumentFragment();
    both.append(make('span', 'nb', chip, first), span);
    return both;
  }

  passage(way) {
    if (!this.numbers?.length) return;
    this.at = (this.at + way + this.numbers.length) % this.numbers.length;
    const wanted = this.numbers[this.at];
    for (const node of this.text.querySelectorAll('.m.on')) node.classList.remove('on');
    const nodes = [...this.text.querySelectorAll('.m')].filter((node) => node.dataset.m === wanted);
    for (const node of nodes) node.classList.add('on');
    const box = this.text.getBoundingClientRect();
    this.text.scrollTop += nodes[0].getBoundingClientRect().top - box.top - box.height * 0.3;
  }

  // ---- decision -------------------------------------------------------------------------------

  drawDecision(moved) {
    const {words} = this.data;
    const one = this.data.case;
    const buttons = Object.entries(VERDICTS).map(([letter, verdict]) => {
      const button = push('btn', words[verdict], () => this.decide(verdict));
      button.prepend(kbd(letter.toUpperCase()));
      button.setAttribute('aria-pressed', String(one.verdict === verdict));
      return button;
    });
    const {can, asked} = this.data.strip;
    const reasons = Object.entries(words.reasons).map(([reason, label], at) => {
      const button = push('why', label, () => this.decide('no_problem', reason));
      button.prepend(kbd(String(at + 1)));
      button.setAttribute('aria-pressed', String(!asked && one.reason === reason));
      return button;
    });
    const note = make('input');
    note.placeholder = words.note;
    note.value = one.note;
    note.maxLength = 20000;
    note.setAttribute('aria-label', words.note);
    note.onchange = () => this.send({type: 'note', row: one.row, note: note.value});
    const draft = !moved && this.note && this.root.getRootNode().activeElement === this.note;
    if (draft) note.value = this.note.value;
    this.cluster = make('label', 'clu');
    if (one.cluster?.rest) {
      const box = make('input');
      box.type = 'checkbox';
      box.checked = this.whole;
      box.onchange = () => this.toggleWhole();
      this.cluster.append(box, one.cluster.sentence, kbd('G'));
    }
    const whys = make('div', 'whys', make('span', '', asked ? asked.lead : words.because), ...reasons);
    whys.classList.toggle('asked', Boolean(asked));
    const unnote = this.back('↶', '', words.undo_note_tip, can.note, {type: 'undo', note: true});
    this.decision.replaceChildren(
      make('div', 'bt', ...buttons),
      make('div', 'field note', make('label', '', note, kbd('M')), unnote),
      whys,
      this.cluster,
      ...(this.data.unsaved ? [make('p', 'unsaved', this.data.unsaved)] : []),
      this.strip,
    );
    this.note = note;
    if (draft) note.focus();
  }

  /** A button that takes something back, or does it again. */
  back(label, key, tip, can, event) {
    const button = push('back', label, () => this.send(event));
    if (key) button.append(kbd(key));
    button.title = tip;
    button.setAttribute('aria-label', tip);
    button.disabled = !can;
    return button;
  }

  /** What was done last, in a node that stays: a screen reader reads what changes in it. */
  drawStrip() {
    const {words, strip: {text, idle, can, noted}} = this.data;
    if (this.said.textContent !== text) this.said.textContent = text;
    this.strip.classList.toggle('idle', idle);
    this.strip.replaceChildren(
      this.said,
      ...(noted ? [this.back(words.undo_note, '⇧M', words.undo_note_tip, can.note, {type: 'undo', note: true})] : []),
      this.back(words.undo, 'U', words.undo_tip, can.verdict, {type: 'undo'}),
      this.back(words.redo, '⇧U', words.redo_tip, can.undo, {type: 'redo'}),
    );
  }

  /** Decide the open case; a reason that is asked for belongs to the case before. */
  decide(verdict, reason) {
    const {asked} = this.data.strip;
    const row = asked && reason ? asked.row : this.data.case.row;
    const decided = this.sent.some((event) => event.type === 'decide' && event.row === row);
    if (decided && !reason) return; // meant for the next case, which nobody has seen yet
    this.send({type: 'decide', row, verdict, reason: reason ?? '', whole: this.whole});
  }

  toggleWhole() {
    if (!this.data.case?.cluster?.rest) return;
    this.whole = !this.whole;
    this.drawDecision(false);
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
    if (event.key === 'Escape' || (event.key === 'Enter' && field === this.note)) field.blur();
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
    if (!this.data.case) return acts;
    for (const [letter, verdict] of Object.entries(VERDICTS)) acts[letter] = () => this.decide(verdict);
    Object.keys(this.data.words.reasons).forEach((reason, at) =>
      (acts[String(at + 1)] = () => this.decide('no_problem', reason)));
    return acts;
  }
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
