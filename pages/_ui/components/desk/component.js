// The review desk: a queue of cases, the two texts of one, and the decision. Needs shared/dom.js.
// What the reader does goes to Python as events, {type, at, ...}; what is shown comes from there.

const STATES = ['confirmed', 'no_problem', 'later', 'undecided'];
const VERDICTS = {c: 'confirmed', n: 'no_problem', l: 'later'};

export default function ({parentElement, data, setTriggerValue}) {
  const root = parentElement.querySelector('.desk');
  root.desk ??= new Desk(root);
  root.desk.trigger = (events) => setTriggerValue('act', {events});
  root.desk.show(data);
}

class Desk {
  constructor(root) {
    this.root = root;
    this.whole = false; // the next decision is for the whole cluster
    this.sent = []; // events that Python has not answered: a second one must not replace the first
    root.tabIndex = -1;
    root.addEventListener('keydown', (event) => this.key(event));
    this.progress = make('div', 'prog');
    this.queue = make('aside', 'queue');
    this.head = make('div', 'ch');
    this.witnesses = make('div', 'two h');
    this.text = make('div', 'read');
    this.text.tabIndex = 0;
    this.legend = make('div', 'legend');
    this.decision = make('div', 'dec');
    this.case = make('main', 'case', this.head, this.witnesses, this.text, this.legend, this.decision);
    root.append(this.progress, this.queue, this.case);
  }

  show(data) {
    const old = this.data;
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
      this.drawDecision(moved);
    }
    fitNames(this.root);
    const inside = this.root.getRootNode().activeElement;
    if (!old || (moved && !inside?.matches('input, textarea'))) this.root.focus({preventScroll: true});
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
    const undo = push('btn', '↶', () => this.send({type: 'undo'}));
    undo.prepend(kbd('U'));
    undo.setAttribute('aria-label', words.undo);
    undo.title = words.undo;
    undo.disabled = !this.data.undo;
    const reasons = Object.entries(words.reasons).map(([reason, label], at) => {
      const button = push('why', label, () => this.decide('no_problem', reason));
      button.prepend(kbd(String(at + 1)));
      button.setAttribute('aria-pressed', String(one.reason === reason));
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
    this.decision.replaceChildren(
      make('div', 'bt', ...buttons, undo),
      make('div', 'whys', make('span', '', words.because), ...reasons),
      make('label', 'field note', note, kbd('M')),
      this.cluster,
      ...(this.data.unsaved ? [make('p', 'unsaved', this.data.unsaved)] : []),
    );
    this.note = note;
    if (draft) note.focus();
  }

  decide(verdict, reason) {
    const one = this.data.case;
    const again = (event) => event.type === 'decide' && event.row === one.row && event.verdict === verdict && !reason;
    if (this.sent.some(again)) return; // a key held down
    this.send({type: 'decide', row: one.row, verdict, reason: reason ?? '', whole: this.whole});
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
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const field = event.target.matches('input:not([type=checkbox])');
    if (field) {
      if (event.key === 'Escape' || (event.key === 'Enter' && event.target === this.note)) {
        event.target.blur();
        this.root.focus({preventScroll: true});
      }
      event.stopPropagation();
      return;
    }
    const key = event.key.toLowerCase();
    const reasons = Object.keys(this.data.words.reasons);
    const acts = {
      u: () => this.data.undo && this.send({type: 'undo'}),
      j: () => this.step(1),
      k: () => this.step(-1),
      '[': () => this.passage(-1),
      ']': () => this.passage(1),
      g: () => this.toggleWhole(),
      b: () => this.send({type: 'blind'}),
      m: () => this.note?.focus(),
      '/': () => this.search.focus(),
    };
    if (this.data.case) {
      for (const [letter, verdict] of Object.entries(VERDICTS)) acts[letter] = () => this.decide(verdict);
      reasons.forEach((reason, at) => (acts[String(at + 1)] = () => this.decide('no_problem', reason)));
    }
    if (!acts[key]) return;
    event.preventDefault();
    event.stopPropagation();
    acts[key]();
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
