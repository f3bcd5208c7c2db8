// One passage with many witnesses, as a critical edition shows it. Needs shared/dom.js.

const SVG = 'http://www.w3.org/2000/svg';
const VERDICTS = {g: 'no_problem', c: 'confirmed', l: 'later'};

export default function ({parentElement, data, setTriggerValue}) {
  const root = parentElement.querySelector('.ed');
  root.edition ??= new Edition(root);
  root.edition.send = (event) => setTriggerValue('act', event);
  root.edition.show(data);
}

class Edition {
  constructor(root) {
    this.root = root;
    this.place = 0; // number of the place that is marked, 0: none
    this.column = -1;
    root.tabIndex = -1;
    root.addEventListener('keydown', (event) => this.key(event));
  }

  show(data) {
    const fresh = !this.data || this.data.group !== data.group;
    this.data = data;
    if (fresh) {
      this.place = 0;
      this.column = -1;
    }
    this.root.lang = data.lang;
    const sections = [make('div', 'cols', this.left(), this.right()), this.decision()];
    if (data.sheet.table.rows.length) sections.push(this.table());
    sections.push(this.witnesses());
    this.root.replaceChildren(...sections);
    this.mark();
    fitNames(this.root);
    this.numberLines();
    this.watch ??= new ResizeObserver(() => this.numberLines());
    this.watch.observe(this.base);
  }

  head(title, note) {
    return make('div', 'fig', make('h2', '', title), note ? make('span', 'n', note) : undefined);
  }

  // ---- base text and apparatus ------------------------------------------------------------------

  left() {
    const {words, sheet} = this.data;
    this.base = make('div', 'base', ...sheet.base.map((runs) => {
      const paragraph = make('p', '', ...runs.map((run) => this.run(run)));
      return paragraph;
    }));
    this.base.lang = sheet.text_lang;
    this.lines = make('div', 'ln');
    this.lines.setAttribute('aria-hidden', 'true');
    const section = make('section', '', this.head(words.base, words.base_note), make('div', 'edition', this.lines, this.base));
    if (sheet.agree) section.append(make('p', 'all', sheet.agree));
    else section.append(make('div', 'sep'), this.apparatus());
    return section;
  }

  run([text, place, lacking]) {
    if (!place) return document.createTextNode(text);
    const span = make('button', lacking ? 'v om' : 'v', text, make('sup', '', String(place)));
    span.type = 'button';
    span.dataset.p = place;
    span.onclick = () => this.choose(place);
    return span;
  }

  apparatus() {
    const {words, sheet} = this.data;
    const list = make('ol', 'appar', ...sheet.apparatus.map((entry, at) => {
      const item = make('li', '', make('span', 'no', String(at + 1)), make('span', 'lem', entry.lemma), ' ');
      entry.readings.forEach((reading, n) => {
        if (n) item.append(words.between);
        item.append(reading.text ? make('span', 'rd', reading.text) : make('span', 'none', words.absent), ' ');
        if (reading.groups) item.append(make('span', 'gr', reading.groups), ' ');
        item.append(make('span', 'sg', reading.sigla));
      });
      item.dataset.p = at + 1;
      item.onclick = () => this.choose(at + 1);
      return item;
    }));
    list.lang = sheet.text_lang;
    return list;
  }

  // every fifth line of the base text is numbered
  numberLines() {
    if (!this.base?.isConnected) return;
    const top = this.base.getBoundingClientRect().top;
    const tops = [];
    const range = document.createRange();
    for (const paragraph of this.base.children) {
      range.selectNodeContents(paragraph);
      for (const box of range.getClientRects()) {
        const y = Math.round(box.bottom - top);
        if (!tops.some((other) => Math.abs(other - y) < 16)) tops.push(y);
      }
    }
    tops.sort((a, b) => a - b);
    this.lines.replaceChildren(...tops.flatMap((y, at) => {
      if ((at + 1) % 5) return [];
      const label = make('span', '', String(at + 1));
      label.style.top = `${y - 24}px`;
      return [label];
    }));
  }

  // ---- who agrees, where it came from -------------------------------------------------------------

  right() {
    const {words, sheet} = this.data;
    const side = make('aside', 'side');
    if (sheet.tree) side.append(this.head(words.tree), this.tree(sheet.tree), make('p', 'note', words.tree_note));
    side.append(this.head(words.origin));
    for (const clue of sheet.clues) side.append(make('p', 'clue', clue.text));
    side.append(make('p', 'note', words.origin_note));
    return side;
  }

  tree({lines, labels, width, height}) {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    svg.setAttribute('class', 'stem');
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', this.data.words.tree_label);
    for (const [x1, y1, x2, y2, dashed] of lines) {
      const line = document.createElementNS(SVG, 'path');
      line.setAttribute('d', `M${x1} ${y1} ${x2} ${y2}`);
      if (dashed) line.setAttribute('class', 'd');
      svg.append(line);
    }
    for (const [x, y, text, kind] of labels) {
      const label = document.createElementNS(SVG, 'text');
      label.setAttribute('x', x);
      label.setAttribute('y', y);
      label.setAttribute('class', kind);
      label.textContent = text;
      svg.append(label);
    }
    return svg;
  }

  // ---- decision -----------------------------------------------------------------------------------

  decision() {
    const {words, decision} = this.data;
    const button = (letter, note) => {
      const verdict = VERDICTS[letter];
      const push = make('button', 'btn', kbd(letter.toUpperCase()), words[verdict]);
      push.type = 'button';
      push.setAttribute('aria-pressed', String(decision.verdict === verdict));
      push.onclick = () => this.send({type: 'decide', verdict});
      return make('div', '', push, note ? make('span', '', note) : undefined);
    };
    const undo = make('button', 'btn undo', kbd('U'), '↶');
    undo.type = 'button';
    undo.title = words.undo;
    undo.setAttribute('aria-label', words.undo);
    undo.disabled = !decision.verdict;
    undo.onclick = () => this.send({type: 'undo'});
    return make('div', 'decb', make('b', '', words.is), button('g', decision.given), button('c', decision.copied),
      button('l'), make('div', 'end', undo));
  }

  // ---- table --------------------------------------------------------------------------------------

  table() {
    const {words, sheet} = this.data;
    const {rows, columns, groups, same, wide, folded} = sheet.table;
    const table = make('table', 'grid');
    table.lang = sheet.text_lang;
    const families = make('tr', 'fam', make('th'));
    for (const [label, span] of groups) {
      const head = make('th', '', label ? make('span', '', label) : undefined);
      head.colSpan = span;
      families.append(head);
    }
    const heads = make('tr', '', make('th'));
    columns.forEach((siglum, at) => {
      const read = make('button', '', siglum);
      read.type = 'button';
      read.title = sheet.witnesses[at].name;
      read.onclick = () => this.send({type: 'read', row: sheet.witnesses[at].row});
      const head = make('th', '', read);
      head.scope = 'col';
      head.dataset.c = at;
      heads.append(head);
    });
    const starts = new Set();
    groups.reduce((at, [, span]) => (starts.add(at), at + span), 0);
    const body = make('tbody', '', ...rows.map((row, place) => {
      const head = make('th', 'p', make('i', '', String(place + 1)), row.lemma);
      head.scope = 'row';
      const line = make('tr', '', head, ...row.cells.map((cell, at) => {
        const box = make('td', starts.has(at) ? 'f' : '', sign(cell, words));
        box.dataset.c = at;
        return box;
      }));
      line.dataset.p = place + 1;
      line.onclick = () => this.choose(place + 1);
      return line;
    }));
    const foot = make('tr', 'nm', make('th', '', words.same), ...same.map((n) => make('th', '', n)));
    table.append(make('thead', '', families, heads), body, make('tfoot', '', foot));
    const keys = make('div', 'gk', make('span', '', sign('=', words), words.as_base), make('span', '', sign('a', words), words.first),
      make('span', '', sign('b', words), words.second), make('span', '', sign('-', words), words.lacks));
    const scroll = make('div', wide ? 'sc wide' : 'sc', table);
    const section = make('section', 'coll', this.head(words.table, words.table_note));
    if (!folded) section.append(scroll, keys);
    else section.append(make('details', '', make('summary', '', words.unfold), scroll, keys));
    return section;
  }

  witnesses() {
    const {sheet} = this.data;
    const list = make('div', 'wit', ...sheet.witnesses.map(({siglum, name, row}) => {
      const button = make('button', '', make('span', 'sg', siglum), nameNode(name));
      button.type = 'button';
      button.onclick = () => this.send({type: 'read', row});
      return button;
    }));
    list.lang = sheet.text_lang;
    return make('section', 'people', list, sheet.apart ? make('p', 'note', sheet.apart) : undefined);
  }

  // ---- moving -------------------------------------------------------------------------------------

  choose(place) {
    this.place = this.place === place ? 0 : place;
    this.mark();
  }

  mark() {
    for (const node of this.root.querySelectorAll('[data-p], [data-c]')) {
      const on = +node.dataset.p === this.place || +node.dataset.c === this.column;
      node.classList.toggle('on', on);
    }
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const {apparatus, witnesses} = this.data.sheet;
    const key = event.key.toLowerCase();
    const turn = (at, n) => (n ? (at + n) % n : 0);
    const acts = {
      arrowright: () => (this.place = turn(this.place, apparatus.length) + 1),
      arrowleft: () => (this.place = turn(this.place - 2, apparatus.length) + 1),
      arrowdown: () => (this.column = turn(this.column + 1, witnesses.length)),
      arrowup: () => (this.column = turn(this.column - 1, witnesses.length)),
      u: () => this.data.decision.verdict && this.send({type: 'undo'}),
    };
    for (const [letter, verdict] of Object.entries(VERDICTS)) acts[letter] = () => this.send({type: 'decide', verdict});
    if (this.column >= 0 && !event.target.matches('button'))
      acts.enter = () => this.send({type: 'read', row: witnesses[this.column].row});
    if (!acts[key]) return;
    event.preventDefault();
    event.stopPropagation();
    acts[key]();
    this.mark();
  }
}

function sign(cell, words) {
  const labels = {'=': words.as_base, '-': words.lacks, '': words.outside};
  const shape = {'=': 'q b', '-': 'q o', '': 'q'}[cell];
  const node = make('i', shape ?? (cell === 'a' ? 'rv' : 'rv b2'), shape === undefined ? cell : undefined);
  node.setAttribute('aria-label', labels[cell] ?? cell);
  node.setAttribute('role', 'img');
  return node;
}

function kbd(letter) {
  const key = make('kbd', '', letter);
  key.setAttribute('aria-hidden', 'true');
  return key;
}
