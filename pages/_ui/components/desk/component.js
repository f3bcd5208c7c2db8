// The review desk: what is left, the open case, its answer, and what follows from it.
// Needs shared/dom.js and pair/pair.js. What the reader does goes to Python as events, {type, at, ...};
// what is shown comes from there by desk_now, the list and the texts of a pair only where they are not held.

const VERDICTS = {c: 'confirmed', n: 'no_problem', l: 'later'};
const STATES = {c: 'confirmed', n: 'no_problem', l: 'later', u: 'undecided', a: 'automatic'};
const TYPES_TEXT = 'input:not([type=checkbox], [type=radio], [type=range], [type=button]), textarea, select, [contenteditable]';
const IN_FRONT = '[role=dialog], [role=menu], [role=listbox], dialog[open], [data-testid=stPopoverBody]';
const MOST_SQUARES = 60; // cases up to which each has a square in the bar
const HELD = 8; // pairs whose texts are held

export default function ({parentElement, data}) {
  const root = parentElement.querySelector('.desk');
  root.desk ??= new Desk(root);
  const now = (window.leitongDesk ??= {}); // desk_now puts there what is shown
  now.show = () => {
    if (now.latest?.data.visit !== data.visit) return; // of a desk that is gone
    root.desk.trigger = now.latest.trigger;
    root.desk.show(now.latest.data);
  };
  now.show();
  return root.desk.listen();
}

class Desk {
  constructor(root) {
    this.root = root;
    this.sent = []; // events that Python has not answered: a second one must not replace the first
    this.sheets = new Map(); // texts of pairs by their digest, the latest last
    root.tabIndex = -1;
    root.setAttribute('role', 'group');
    this.bar = make('header', 'bar');
    this.queue = make('nav', 'queue');
    this.head = make('div', 'ch');
    this.passage = make('div', 'passage');
    this.pair = new Pair(make('div'));
    this.foot = make('div', 'foot');
    this.answer = make('div', 'dec');
    this.last = make('div', 'last');
    this.case = make('section', 'case', this.head, this.passage, this.pair.root, this.foot, this.answer);
    this.told = unseen('');
    this.told.setAttribute('role', 'status');
    this.frame = make('div', 'frame', this.bar, this.queue, this.case, this.last);
    root.append(this.frame, this.told);
  }

  show(data) {
    const old = this.data;
    const focused = this.root.getRootNode().activeElement;
    this.data = data;
    this.sent = this.sent.filter((event) => event.at > data.answered);
    if (data.list) this.list = {...data.list, rows: data.list.groups.flatMap(({rows, n}) => unpack(rows, n))};
    if (this.list?.digest !== data.listed) return this.send({type: 'ask'}); // drawn anew by the page
    this.words = this.list.words;
    const one = data.case;
    if (one?.sheet) this.hold(one);
    if (one?.digest && !this.sheets.has(one.digest)) return this.send({type: 'ask'});
    const moved = old?.case?.number !== one?.number;
    if (moved) this.asking = false;
    this.root.lang = data.lang;
    this.root.setAttribute('aria-label', this.words.label);
    this.frame.classList.toggle('ended', !one);
    this.case.hidden = !one;
    this.last.hidden = !data.end;
    this.drawBar();
    this.drawQueue(moved);
    if (one) this.drawCase(one, moved);
    else if (data.end) this.drawEnd(data.end);
    fitNames(this.root);
    const lost = focused && !this.root.getRootNode().activeElement;
    if (lost) (moved && one ? this.title : this.root).focus({preventScroll: true});
    this.tellNews(one, data.end);
  }

  hold(one) {
    this.sheets.set(one.digest, one.sheet);
    while (this.sheets.size > HELD) this.sheets.delete(this.sheets.keys().next().value);
  }

  /** Say what was done and which case is open, each once. */
  tellNews(one, end) {
    const {said} = this.data;
    const open = one ? `${one.case}, ${one.title}, ${this.words.marks[one.state]}` : end?.headline ?? '';
    const news = [said !== this.saidDone && said, open !== this.saidCase && open].filter(Boolean);
    [this.saidDone, this.saidCase] = [said, open];
    if (news.length) this.told.replaceChildren(make('p', '', news.join('. ')));
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
    const has = event.type === 'ask' ? [] : [this.list?.digest, ...this.sheets.keys()];
    this.sent.push({...event, has, at: Math.max(Date.now(), last + 1)});
    this.trigger(this.sent);
  }

  /** The mark of a case; of an answered passage the figure of its answer. */
  mark(place, labelled) {
    const tick = this.data.ticks[place];
    const names = Object.keys(this.words.answers);
    const state = STATES[tick] ?? 'answered';
    const name = this.words.marks[STATES[tick] ?? names[tick - 1]];
    const node = mark(state, labelled ? name : undefined);
    if (state === 'answered') node.append(tick);
    if (state === 'automatic') node.append(names.indexOf('template') + 1);
    return node;
  }

  // ---- bar ------------------------------------------------------------------------------------

  drawBar() {
    const {name, count, ticks, now, can_undo: can, blind, questions} = this.data;
    const {words} = this;
    const back = push('back', `‹ ${words.results}`, () => this.send({type: 'leave', page: 'results'}));
    const strip = make('span', 'squares');
    strip.setAttribute('aria-hidden', 'true'); // the list says each, the count all
    if (ticks.length <= MOST_SQUARES) {
      [...ticks].forEach((_, place) => {
        const square = this.mark(place);
        square.classList.toggle('now', place === now);
        square.classList.toggle('gap', place === questions && place > 0);
        strip.append(square);
      });
    } else {
      const fill = make('b');
      fill.style.width = `${(100 * [...ticks].filter((tick) => !'ul'.includes(tick)).length) / ticks.length}%`;
      strip.classList.add('plain');
      strip.append(fill);
    }
    const undo = push('btn undo', '', () => this.send({type: 'undo'}));
    undo.append('↶ ', make('span', 'wide', words.undo), kbd('U'));
    undo.setAttribute('aria-label', words.undo);
    undo.ariaKeyShortcuts = 'U';
    undo.disabled = !can;
    const hide = push('btn hide', words.hide, () => this.send({type: 'blind'}));
    hide.setAttribute('aria-pressed', String(blind));
    this.bar.replaceChildren(back, make('h1', '', name), make('span', 'count', count), strip, undo, hide);
  }

  // ---- list -----------------------------------------------------------------------------------

  drawQueue(moved) {
    const {list, words} = this;
    this.queue.setAttribute('aria-label', words.cases);
    const rows = list.rows.map((row, place) => this.row(row, place));
    const [questions, pairs] = list.groups;
    const groups = [[questions.title, rows.slice(0, questions.n)], [pairs.title, rows.slice(questions.n)]];
    const more = (label, first) => (first < 0 ? [] : [push('more', label, () => this.send({type: 'list', first}))]);
    const at = this.queue.scrollTop;
    this.queue.replaceChildren(...more(words.earlier, list.before),
      ...groups.flatMap(([label, items]) => (items.length ? [make('h2', '', label), make('ul', 'rows', ...items)] : [])),
      ...more(words.further, list.after));
    this.queue.scrollTop = at;
    if (moved) this.queue.querySelector('.row.on')?.scrollIntoView({block: 'nearest'});
  }

  row(row, place) {
    const {words} = this;
    const pair = row.a !== undefined;
    const text = pair
      ? make('span', 'nm', make('span', 'who', row.a), make('span', 'who', make('i', '', `${words.and} `), row.b))
      : make('span', 'nm q', row.words);
    if (row.lang && !pair) text.lang = row.lang;
    const line = push('row', undefined, () => this.open(row.number));
    line.append(this.mark(this.list.first + place), make('span', 'no', String(row.number)), text, make('span', 'ev', row.facts));
    const on = row.number === this.data.case?.number;
    line.classList.toggle('on', on);
    line.classList.toggle('wide', !pair);
    if (on) line.setAttribute('aria-current', 'true');
    const state = this.mark(this.list.first + place, true).getAttribute('aria-label');
    line.setAttribute('aria-label', `${this.label(row)}, ${state}`);
    return make('li', '', line);
  }

  /** What a row is called. */
  label(row) {
    const said = row.a === undefined ? this.words.row_passage : this.words.row;
    return said.replace(/{(\w+)}/g, (_, name) => row[name]);
  }

  open(number) {
    this.send({type: 'open', number});
  }

  // ---- case -----------------------------------------------------------------------------------

  drawCase(one, moved) {
    const title = make('h2', '', make('span', 'dim', one.case), one.title);
    title.tabIndex = -1;
    this.title = title;
    const notices = [one.caution, one.again].filter(Boolean).map((text) => make('p', 'caution', text));
    this.head.replaceChildren(title, make('span', 'facts', one.facts.join(' · ')), ...notices);
    this.pair.root.hidden = one.kind !== 'pair';
    this.passage.hidden = one.kind !== 'passage';
    if (one.kind === 'pair') {
      const sheet = this.sheets.get(one.digest);
      this.sheets.delete(one.digest);
      this.sheets.set(one.digest, sheet); // looked at again: the last to go
      this.pair.show(sheet, this.words.reader, {fold: true, diff: true, strike: true});
      this.foot.replaceChildren(...kindsLegend(sheet.kinds), make('span', 'keys', this.words.parts, kbd('['), kbd(']')));
    } else {
      this.drawPassage(one);
      this.foot.replaceChildren();
    }
    this.drawAnswer(one, moved);
  }

  drawPassage(one) {
    const {words} = this;
    const quote = make('blockquote', '', one.words);
    quote.lang = one.lang;
    const groups = one.uses.filter(({n}) => n).flatMap(({title, rows: shown, n}) => {
      const rows = shown.map(([name, before, inside, after]) => {
        const line = make('li', 'use', nameNode(name), make('span', 'before', before), make('span', 'm k-identical t2', inside), make('span', 'after', after));
        line.lang = one.lang;
        return line;
      });
      const more = n > shown.length ? [push('link', words.more_uses.replace('{n}', n - shown.length),
        () => this.send({type: 'uses', number: one.number}))] : [];
      return [make('h4', '', title), make('ul', 'rows', ...rows), ...more];
    });
    const ticks = make('div', 'holders', ...[...one.holders].map((holds) => make('i', holds === '1' ? 'on' : '')));
    ticks.setAttribute('role', 'img');
    ticks.setAttribute('aria-label', one.held);
    const strip = one.holders ? ticks : make('p', '', one.held);
    this.passage.replaceChildren(quote,
      make('div', 'uses', make('h3', '', words.uses), ...groups),
      make('aside', '', make('h3', '', words.guess), ...one.why.map((line) => make('p', '', line)), make('h3', '', words.class), strip));
  }

  // ---- answer ---------------------------------------------------------------------------------

  drawAnswer(one, moved) {
    const {words} = this;
    const choices = one.kind === 'passage'
      ? Object.entries(words.answers).map(([name, label], at) => [String(at + 1), name, label]).concat([['l', 'later', words.later]])
      : Object.entries(VERDICTS).map(([key, name]) => [key, name, words[name]]);
    const buttons = choices.map(([key, name, label]) => {
      const button = push('btn', undefined, () => this.decide(name));
      button.append(kbd(key.toUpperCase()), label);
      button.ariaKeyShortcuts = key.toUpperCase();
      button.setAttribute('aria-pressed', String(one.state === name));
      button.classList.toggle('guess', name === one.guess && one.state === 'undecided');
      return button;
    });
    const decided = one.state !== 'undecided' && one.state !== 'automatic';
    const next = push('btn primary next', undefined, () => this.send({type: 'next'}));
    next.append(words[this.data.more ? 'next' : 'summary'], kbd('Enter'));
    next.ariaKeyShortcuts = 'Enter';
    next.classList.toggle('idle', !decided);
    const lead = one.kind === 'passage' ? [make('span', 'lead', words.this_passage)] : [];
    const first = make('div', 'bt', ...lead, ...buttons, next);
    const focus = this.note && this.root.getRootNode().activeElement === this.note && !moved;
    const draft = focus ? this.note.value : undefined;
    this.note = undefined;
    this.answer.replaceChildren(first, this.follow(one, decided));
    if (focus && this.note) {
      this.note.value = draft;
      this.note.focus();
    } else if (this.wanted === one.number) this.note?.focus();
    if (this.wanted === one.number) this.wanted = undefined;
  }

  /** What follows from the answer, on the same case: a reason, a note, the rest of a group. */
  follow(one, decided) {
    const {words, data: {said, unsaved}} = this;
    const row = make('div', 'follow');
    row.classList.toggle('empty', !decided);
    if (this.asking) {
      row.append(words.ask_alike, push('btn', words.asked, () => this.decide('confirmed', '', true)), push('btn', words.not_asked, () => this.decide('later')));
      row.setAttribute('role', 'alert');
      return row;
    }
    row.append(...(said ? [make('span', 'said', said)] : []), ...(unsaved ? [make('span', 'unsaved', unsaved)] : []));
    if (one.kind === 'passage' && !said) row.append(make('span', 'said', one.effects));
    if (!decided && !one.note && this.wanted !== one.number) return row;
    if (one.kind === 'pair' && one.state === 'no_problem') {
      row.append(make('span', 'whys', ...Object.entries(words.reasons).map(([reason, label], at) => {
        const button = push('why', undefined, () => this.decide('no_problem', one.reason === reason ? '' : reason));
        button.append(kbd(String(at + 1)), label);
        button.setAttribute('aria-pressed', String(one.reason === reason));
        return button;
      })));
    }
    const note = make('input');
    note.placeholder = words.note;
    note.value = one.note;
    note.maxLength = 20000;
    note.setAttribute('aria-label', `${words.note}, ${one.case}`);
    note.ariaKeyShortcuts = 'M';
    note.onchange = () => this.send({type: 'note', number: one.number, note: note.value});
    this.note = note;
    row.append(make('label', 'field', note, kbd('M')));
    if (one.rest) {
      const rest = push('btn rest', undefined, () => this.send({type: 'rest', number: one.number}));
      rest.append(one.rest, kbd('G'));
      row.append(rest);
    }
    return row;
  }

  /** Decide the open case; one of the same meaning alone is asked about once. */
  decide(verdict, reason = '', talked = this.asking) {
    const one = this.data.case;
    if (!one) return;
    if (verdict === 'confirmed' && one.caution && one.state !== 'confirmed' && !talked) {
      this.asking = true;
      this.drawAnswer(one);
      this.answer.querySelector('.follow button').focus();
      return;
    }
    this.asking = false;
    const seen = this.sent.length ? undefined : one.state; // what was typed ahead follows the reader's own keys
    this.send({type: 'decide', number: one.number, verdict, reason, seen});
  }

  // ---- end ------------------------------------------------------------------------------------

  drawEnd(end) {
    const squares = this.list.rows.map((row, place) => {
      const square = push('sq', undefined, () => this.open(row.number));
      square.append(this.mark(this.list.first + place), make('small', '', String(row.number)));
      square.title = this.label(row);
      square.setAttribute('aria-label', `${square.title}, ${this.mark(this.list.first + place, true).getAttribute('aria-label')}`);
      return make('li', '', square);
    });
    const left = end.left ? [make('p', 'left', end.left.text, push('btn', end.left.button, () => this.open(end.left.number)), make('span', 'dim', end.left.or))] : [];
    const headline = make('h2', 'headline', ...end.headline.map(([text, strong]) => make(strong ? 'b' : 'span', '', text)));
    headline.tabIndex = -1;
    this.title = headline;
    this.last.replaceChildren(headline, make('ul', 'squares large', ...squares), ...left);
  }

  // ---- keys -----------------------------------------------------------------------------------

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !this.root.isConnected || !this.words) return;
    const target = event.composedPath()[0];
    if (target.matches?.(TYPES_TEXT)) {
      if (target.getRootNode() === this.root.getRootNode()) this.typed(event, target);
      return;
    }
    if ([...document.querySelectorAll(IN_FRONT)].some((box) => box.checkVisibility?.() ?? true)) return;
    const act = this.acts()[event.key.toLowerCase()];
    if (!act || (event.key === 'Enter' && target.closest?.('button, a, summary, [role=button]'))) return;
    event.preventDefault();
    event.stopPropagation();
    // a click beside the desk gives the whole page the focus; a key would draw a frame around it
    if (document.activeElement?.matches('[data-testid=stMain]')) document.activeElement.blur();
    if (!event.repeat || 'jk[]'.includes(event.key)) act();
  }

  /** A key in a field of the desk: the page, which does not see into it, must not take it. */
  typed(event, field) {
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'Enter') field.blur();
  }

  acts() {
    const acts = {
      u: () => this.send({type: 'undo'}),
      j: () => this.send({type: 'step', way: 1}),
      k: () => this.send({type: 'step', way: -1}),
      b: () => this.send({type: 'blind'}),
    };
    const one = this.data.case;
    if (!one) return acts;
    acts.enter = () => this.send({type: 'next'});
    acts.l = () => this.decide('later');
    acts.m = () => {
      this.wanted = one.number;
      this.drawAnswer(one);
    };
    if (one.kind === 'passage') {
      Object.keys(this.words.answers).forEach((name, at) => (acts[at + 1] = () => this.decide(name)));
      return acts;
    }
    for (const [letter, verdict] of Object.entries(VERDICTS)) acts[letter] = () => this.decide(verdict);
    for (const [letter, way] of [['[', -1], [']', 1]]) acts[letter] = () => this.walk(way);
    if (one.rest) acts.g = () => this.send({type: 'rest', number: one.number});
    Object.keys(this.words.reasons).forEach((reason, at) => (acts[at + 1] = () => this.decide('no_problem', reason)));
    if (this.asking) acts.escape = () => {
      this.asking = false;
      this.drawAnswer(one);
      this.root.focus({preventScroll: true});
    };
    return acts;
  }

  /** Go to the next part, and say it as both sides have it. */
  walk(way) {
    this.pair.step(way);
    const {active, sheet, words} = this.pair;
    if (active < 0) return;
    const at = words.part.replace('{at}', active + 1).replace('{n}', sheet.matches.length);
    this.told.replaceChildren(make('p', '', `${at}, ${sheet.matches[active].label}`, ...this.pair.said(active)));
  }
}

/** Text that only a screen reader says; it is not copied. */
function unseen(text) {
  return make('span', 'unseen', text);
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
