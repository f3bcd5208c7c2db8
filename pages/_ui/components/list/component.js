// Every table of the application: groups of rows under columns that the data describe. A cell is
// text, a number, a run or several runs; RUNS draws each kind. Needs shared/dom.js.

const STEP = 100; // rows drawn at once; the next ones when the last of them comes near
const LEFT = new Map(); // by key of a list: what was searched, sorted and opened when it was left

const ICONS = {
  rename: 'M2.5 13.5l.8-3 7.7-7.7 2.2 2.2-7.7 7.7zM9.5 4.3l2.2 2.2',
  duplicate: 'M5.5 5.5h8v8h-8zM2.5 10.5v-8h8',
  copy: 'M8 2v8M4.8 7L8 10.2 11.2 7M2.5 11v2.5h11V11',
  drop: 'M4 4l8 8M12 4l-8 8',
  delete: 'M2.5 4.5h11M6 4V2.5h4V4M4 4.5l.7 9h6.6l.7-9',
  search: 'M7 11.5a4.5 4.5 0 100-9 4.5 4.5 0 000 9zM10.5 10.5L14 14',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
};

const icon = (name) => {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
};

/** Give an element its role, its name and what else it has. */
const give = (node, role, label, more = {}) => {
  if (role) node.setAttribute('role', role);
  if (label) node.setAttribute('aria-label', label);
  return Object.assign(node, more);
};

const press = (className, label, onclick, ...children) => give(make('button', className, ...children), '', label, {
  type: 'button',
  onclick: (event) => {
    event.stopPropagation();
    onclick(event);
  },
});

/** A name breaks at its spaces; a word that is wider than its column is shortened in the middle. */
const nameOf = (text) => make('span', 'words',
  ...text.split(' ').flatMap((word, at) => [at ? ' ' : '', nameNode(word, text)]));

/** Each takes (run, list, row, column): how a run of that kind is drawn. */
const RUNS = {
  text({text, style, whole, lang}) {
    const node = give(make('span', style, String(text)), '', '', {title: whole ?? ''});
    if (lang) node.lang = lang;
    return node;
  },
  name: ({text}) => make('span', 'named', nameOf(text)),
  link: ({text, href}) => give(make('a', 'link', text), '', '', {href, target: '_self'}),
  tag: ({text, style}) => text && make('span', `tag ${style ?? ''}`, text),
  button({act, text, style = 'link', said}, list, row, column) {
    if (column.said) said = `${column.said} ${text}`;
    const node = press(`do ${style} ${act}`, said, () => list.ask(act, row), text);
    node.dataset.act = act;
    return node;
  },
  /** A text that a click turns into a field. */
  field({text, style = '', title, said}, list, row, column) {
    const node = press(`do dotted ${style}`, said, () => list.edit(column.name, column, row, node.closest('tr')), text);
    node.dataset.act = column.name;
    node.title = title;
    return node;
  },
  tick({on, text}, list, row, column) {
    const box = give(make('input'), '', text, {type: 'checkbox', checked: on});
    box.dataset.act = column.name;
    box.onchange = () => list.ask(column.name, row, {on: box.checked});
    return give(make('label', 'tick', box), '', '', {onclick: (event) => event.stopPropagation()});
  },
  mark({state, said, figure}) {
    const node = mark(state, said);
    node.append(figure ?? '');
    return node;
  },
  /** Parts of a whole as [kind, number]. */
  bar({parts, whole, said, text}) {
    const line = give(make('span', 'tones'), said ? 'img' : '', said, {title: said ?? ''});
    if (!said) line.setAttribute('aria-hidden', 'true');
    const rest = whole - parts.reduce((sum, [, n]) => sum + n, 0);
    for (const [kind, n] of [...parts, ['rest', rest]]) {
      const part = make('i', kind);
      part.style.flexGrow = n;
      if (n > 0) line.append(part);
    }
    return make('span', 'bar', line, make('span', 'unit', text));
  },
  tones({text, ...units}, list, row, column) {
    const {two, few, many, whole} = units;
    if (!whole) return make('span', 'dim', text);
    const said = column.said.replace(/{(\w+)}/g, (_, name) => list.count(units[name]));
    return RUNS.bar({parts: [['hold-2', two], ['hold-few', few], ['hold-many', many]], whole, said, text});
  },
  /** One tick a text, in the order of the class list. */
  strip({held, text}) {
    const ticks = [...held].map((one) => make('i', one === '1' ? 'held' : ''));
    return give(make('span', held.length > 60 ? 'strip fine' : 'strip', ...ticks), 'img', text);
  },
};

const textOf = (cell) => [cell ?? ''].flat().map((run) => run.text ?? (typeof run === 'object' ? '' : run)).join(' ');

class List {
  constructor(wrap) {
    this.wrap = wrap;
    this.hear = (event) => this.onKey(event);
    this.unfold = () => this.groups.forEach((group) => this.draw(group, Infinity));
    this.near = new IntersectionObserver((seen) => seen.forEach(({isIntersecting, target}) => {
      if (isIntersecting) this.draw(target.group, target.group.limit + STEP);
    }), {rootMargin: '600px'});
  }

  show(data, send) {
    this.send = send;
    document.addEventListener('keydown', this.hear);
    window.addEventListener('beforeprint', this.unfold);
    this.fetched = false;
    const drawn = JSON.stringify(data);
    if (this.drawn === drawn) return; // a page that looks again and again keeps the focus
    this.drawn = drawn;
    this.data = data;
    const shape = JSON.stringify([data.caption, data.search, data.filters, data.groups.map(({columns}) => columns)]);
    if (this.shape !== shape) this.build(shape);
    this.wrap.lastChild.replaceWith(this.buildKey());
    data.groups.forEach(({rows, sent, total, title, note, unsent}, at) => {
      const group = this.groups[at];
      group.rows = unpack(rows, sent).map((row) => ({...row, json: JSON.stringify(row)}));
      Object.assign(group, {total, unsent});
      [group.title.textContent, group.note.textContent] = [title || data.caption, note];
      this.draw(group);
    });
    if (this.state.q || this.state.filter || Object.values(this.state.sort).some(({turn}) => turn)) this.fetch();
    this.comeBack();
  }

  /** The number as a reader expects it. */
  count(n) {
    return n.toLocaleString('en').replaceAll(',', this.data.separator);
  }

  /** Ask, once, for the rows that were not sent. */
  fetch() {
    if (this.fetched || !this.groups.some((group) => group.total > group.rows.length)) return;
    this.fetched = true;
    this.ask('fetch', {});
  }

  leave() {
    document.removeEventListener('keydown', this.hear);
    window.removeEventListener('beforeprint', this.unfold);
  }

  // ------------------------------------------------------------------ what stays while rows change

  build(shape) {
    const {key, caption, search, groups, filters} = this.data;
    this.shape = shape;
    this.editing = undefined;
    if (!LEFT.has(key)) LEFT.set(key, {q: '', filter: '', sort: {}});
    this.state = LEFT.get(key);
    const asked = new URL(location).searchParams;
    if (search) for (const name of ['q', 'filter']) this.state[name] = asked.get(name) ?? this.state[name];
    if (!filters.some(([name]) => name === this.state.filter)) this.state.filter = '';
    this.near.disconnect();
    this.groups = groups.map((group, at) => this.buildGroup(group, at));
    this.field = undefined;
    this.wrap.replaceChildren(...(search ? [this.buildTools()] : []), ...this.groups.map(({node}) => node), make('div'));
    this.wrap.setAttribute('aria-label', caption);
    fitNames(this.wrap);
  }

  buildTools() {
    const {search, filters, filter, everything} = this.data;
    this.field = give(make('input'), '', search, {type: 'search', placeholder: search, value: this.state.q});
    this.field.oninput = () => this.choose('q', this.field.value);
    this.field.onfocus = () => this.fetch();
    this.field.onkeydown = ({key}) => {
      if (key === 'Escape') this.choose('q', this.field.value = '');
      if (key === 'ArrowDown') this.wrap.querySelector('tr.opens')?.focus();
    };
    this.found = give(make('span', 'dim'), 'status');
    const tools = make('div', 'tools', this.found, make('label', 'field', icon('search'), this.field));
    if (!filters.length) return tools;
    const options = [['', everything], ...filters].map(([value, text]) => Object.assign(make('option', '', text), {value}));
    const menu = give(make('select', '', ...options), '', filter, {value: this.state.filter});
    menu.onchange = () => this.choose('filter', menu.value);
    tools.append(menu);
    return tools;
  }

  buildGroup({title, name, columns, first}, at) {
    const group = {columns, at, first: first || STEP, limit: first || STEP, drawn: new Map(), rows: [], end: make('i')};
    [group.title, group.note] = [make('b'), make('span', 'unit')];
    group.body = give(make('tbody'), 'rowgroup');
    group.head = give(make('tr', '', ...columns.map((column) => this.buildHead(group, column))), 'row');
    const widths = columns.map(({width, wide}) => {
      const col = make('col', wide ? 'wide' : '');
      col.style.width = width;
      return col;
    });
    const table = give(make('table', name, make('caption', title ? '' : 'unseen', group.title, group.note), make('colgroup', '', ...widths),
      give(make('thead', '', group.head), 'rowgroup'), group.body), this.data.opens ? 'grid' : 'table');
    group.end.group = group;
    group.more = press('do link rest', '', () => this.draw(group, STEP));
    group.node = make('section', '', table, group.more, group.end);
    return group;
  }

  buildHead(group, column) {
    const head = column.sort ? press('do', '', () => this.sort(group, column), column.head)
      : make('span', column.unseen ? 'unseen' : '', column.head);
    const cell = make(column.head ? 'th' : 'td', this.classOf(column), head);
    return give(cell, column.head ? 'columnheader' : this.data.opens ? 'gridcell' : 'cell');
  }

  buildKey() {
    const kinds = this.data.kinds.map(([kind, word]) => make('span', '',
      make('span', 'tones', make('i', kind)), word));
    const rest = this.data.rest.map((run) => this.run(run, {}, {}));
    return make('div', 'key', ...kinds, rest.length ? make('span', 'last', ...rest) : '');
  }

  classOf({name, kind, card, wide}) {
    return `f-${name} k-${kind} c-${card} ${wide ? 'wide' : ''}`;
  }

  // ------------------------------------------------------------------ which rows, in which order

  choose(name, value) {
    this.state[name] = value;
    this.fetch();
    this.groups.forEach((group) => this.draw(group, group.first));
    const url = new URL(location);
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
    history.replaceState(history.state, '', url);
  }

  /** First from the great to the small, or from A to Z; then the other way; then as it was. */
  sort(group, {name, kind}) {
    const before = this.state.sort[group.at];
    const first = kind === 'num' ? -1 : 1;
    const turn = before?.name !== name ? first : before.turn === first ? -first : 0;
    this.state.sort[group.at] = {name, turn};
    this.fetch();
    this.draw(group, group.first);
  }

  matching(group) {
    const {q, filter, sort: {[group.at]: {name, turn} = {}}} = this.state;
    const words = q.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const rows = group.rows.filter((row) => {
      row.said ??= group.columns.map((column) => textOf(row[column.name])).join(' ').toLocaleLowerCase();
      return words.every((word) => row.said.includes(word)) && (!filter || row.filters?.split(' ').includes(filter));
    });
    if (!turn) return rows;
    const {compare} = new Intl.Collator(document.documentElement.lang || undefined, {numeric: true});
    return rows.sort((one, other) => turn * compare(textOf(one[name]), textOf(other[name])));
  }

  /** Draw the rows that are asked for; those that are the same stay, and a field that is open. */
  draw(group, limit = group.limit) {
    const rows = this.matching(group);
    const searched = Boolean(this.state.q.trim() || this.state.filter);
    group.limit = searched ? Math.max(limit, STEP) : limit;
    const made = [];
    const drawn = new Map(rows.slice(0, group.limit).map((row) => {
      const held = group.drawn.get(row.id);
      if (held && (held.json === row.json || this.editing === row.id)) return [row.id, held];
      const node = this.row(group, row);
      made.push(node);
      return [row.id, {json: row.json, node}];
    }));
    const {activeElement} = this.wrap.getRootNode();
    const [focused] = [...group.drawn].find(([, {node}]) => node.contains(activeElement)) ?? [];
    this.settle(group.body, [...drawn.values()].map(({node}) => node));
    group.drawn = drawn;
    if (focused !== undefined) this.focus(group, focused, activeElement.dataset.act);
    const {name, turn} = this.state.sort[group.at] ?? {};
    group.columns.forEach((column, at) => column.sort && group.head.cells[at].setAttribute('aria-sort',
      turn && column.name === name ? (turn > 0 ? 'ascending' : 'descending') : 'none'));
    const rest = rows.length > group.limit;
    if (group.limit > group.rows.length - STEP && group.limit > group.first) this.fetch();
    const cut = limit === Infinity && group.total > group.rows.length; // on paper
    group.more.textContent = cut ? group.unsent : this.data.groups[group.at].more;
    group.more.hidden = !cut && (!rest || group.limit !== this.data.groups[group.at].first);
    this.near.unobserve(group.end); // seen anew: what was drawn may not fill the window
    if (rest && group.more.hidden) this.near.observe(group.end);
    group.node.hidden = !rows.length && this.groups.length > 1;
    [group.found, group.body.parentNode.ariaRowCount] = [rows.length, (searched ? rows.length : group.total) + 1];
    const stops = [...group.body.querySelectorAll('tr.opens')];
    if (stops.length && !stops.some((tr) => tr.tabIndex === 0)) stops[0].tabIndex = 0;
    if (this.field) this.say(searched);
    shorten(made.flatMap((tr) => [...tr.querySelectorAll('.name')]));
  }

  say(searched) {
    const found = this.groups.reduce((sum, group) => sum + (group.found ?? 0), 0);
    const all = this.groups.reduce((sum, {total}) => sum + total, 0);
    this.found.textContent = !searched ? '' : found ? `${found} / ${all}` : this.data.none;
  }

  settle(body, wanted) {
    const kept = new Set(wanted);
    wanted.forEach((tr, at) => {
      const there = body.rows[at];
      if (there === tr) return;
      if (there && !kept.has(there)) there.replaceWith(tr);
      else body.insertBefore(tr, there ?? null);
    });
    while (body.rows.length > wanted.length) body.lastChild.remove();
  }

  // ------------------------------------------------------------------ a row

  row(group, row) {
    const tr = give(make('tr', row.kind), 'row');
    for (const column of group.columns) {
      const runs = column.acts.length ? this.acts(column, row, group) : [row[column.name] ?? ''].flat().map((run) => this.run(run, row, column));
      const inner = make('div', '', ...runs.flatMap((run, at) => [at ? ' ' : '', run]));
      const role = column.card === 'title' ? 'rowheader' : this.data.opens ? 'gridcell' : 'cell';
      const td = give(make('td', `${this.classOf(column)} ${column.style}`, inner), role);
      inner.dataset.head = column.head;
      tr.append(td);
    }
    if (!this.data.opens) return tr;
    tr.classList.add('opens');
    tr.onclick = () => { if (!getSelection()?.toString()) this.ask('open', row); };
    tr.onfocus = () => group.body.querySelectorAll('tr.opens').forEach((one) => { one.tabIndex = one === tr ? 0 : -1; });
    tr.onkeydown = (event) => this.onRowKey(event, row, tr);
    return give(tr, '', '', {tabIndex: -1});
  }

  run(run, row, column) {
    if (typeof run === 'object') return RUNS[run.as || column.draws || 'text'](run, this, row, column);
    if (typeof run === 'number') return this.count(run);
    return column.kind === 'names' ? nameOf(run) : run;
  }

  /** What can be done to a row: buttons with a word or an icon, and others behind three dots. */
  acts(column, row, group) {
    const title = textOf(row[group.columns.find(({card}) => card === 'title').name]);
    const buttonOf = ({act, text, style, edits}) => {
      const drawn = style === 'icon' ? [icon(act), make('span', 'unseen', text)] : [text];
      const node = press(`do ${style} ${act}`, `${text}: ${title}`, () => (edits
        ? this.edit(act, group.columns.find(({name}) => name === edits), row, node.closest('tr')) : this.ask(act, row)), ...drawn);
      [node.dataset.act, node.title] = [act, text];
      return node;
    };
    const offered = column.acts.filter(({act}) => !row.acts || row.acts.includes(act));
    const folded = offered.filter(({style}) => style === 'menu');
    const open = offered.filter((one) => !folded.includes(one)).map(buttonOf);
    if (!folded.length) return open;
    const summary = give(make('summary', 'do', icon('more')), '', `${column.head}: ${title}`);
    const menu = make('details', '', summary, make('div', '', ...folded.map(buttonOf)));
    menu.onclick = (event) => event.stopPropagation();
    menu.onkeydown = ({key}) => {
      if (key !== 'Escape') return;
      menu.open = false;
      summary.focus();
    };
    menu.addEventListener('focusout', ({relatedTarget}) => { menu.open &&= menu.contains(relatedTarget); });
    return [...open, menu];
  }

  ask(action, row, more = {}) {
    if (action === 'open') this.state.opened = row.id;
    this.send({action, row: row.id ?? '', ...more});
  }

  /** Turn a cell into a field: Enter sends what was typed, Escape leaves it as it was. */
  edit(act, {name, hint}, row, tr) {
    const cell = tr.querySelector(`.f-${name}`);
    const held = [...cell.childNodes];
    const value = row.value ?? textOf(row[name]);
    const said = tr.querySelector(`[data-act="${act}"]`).ariaLabel;
    const input = give(make('input', 'edit'), '', said, {value, maxLength: 80, placeholder: hint});
    this.editing = row.id;
    const close = (back) => {
      if (this.editing === row.id) this.editing = undefined;
      cell.replaceChildren(...held);
      this.groups.forEach((group) => this.draw(group));
      if (back) this.groups.forEach((group) => this.focus(group, row.id, act));
    };
    input.onclick = (event) => event.stopPropagation();
    input.onkeydown = (event) => {
      event.stopPropagation();
      if (event.isComposing) return; // Enter chooses a character there
      const typed = input.value.trim();
      if (event.key === 'Enter' && typed !== value) this.ask(act, row, {value: typed});
      if (event.key !== 'Enter' && event.key !== 'Escape') return;
      event.preventDefault(); // or Enter would press what is focused now
      close(true);
    };
    input.onblur = () => cell.contains(input) && input.value.trim() === value && close(false);
    cell.replaceChildren(input);
    input.focus();
    input.select();
  }

  // ------------------------------------------------------------------ keys and focus

  onRowKey(event, row, tr) {
    if (event.target !== tr) return;
    const rows = [...this.wrap.querySelectorAll('section:not([hidden]) tr.opens')];
    const at = rows.indexOf(tr);
    const next = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1}[event.key];
    if (event.key === 'Enter') this.ask('open', row);
    if (event.key === 'Escape') this.field?.focus();
    if (next === undefined) return;
    event.preventDefault();
    rows[next]?.focus();
  }

  onKey(event) {
    const inside = event.composedPath()[0];
    const held = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat;
    const typing = inside.matches?.('input:not([type=checkbox]), textarea, select, [contenteditable=true]');
    if (held || typing || document.querySelector('[role=dialog]')) return;
    const undo = this.data.undo && event.key === 'u';
    if (!undo && !(event.key === '/' && this.field)) return;
    event.preventDefault();
    if (undo) this.ask('undo', {});
    else this.field.focus();
  }

  /** Focus what a row has open: its field, the button of an act or the menu around it, or itself. */
  focus({drawn}, id, act) {
    const tr = drawn.get(id)?.node;
    const button = tr?.querySelector('input.edit') ?? (act ? tr?.querySelector(`[data-act="${act}"]`) : tr);
    const found = button?.closest('details')?.querySelector('summary') ?? button;
    if (found && this.wrap.getRootNode().activeElement !== found) found.focus();
  }

  /** After a reader was closed: to the row that had been opened. */
  comeBack() {
    const {opened} = this.state;
    if (this.returned || opened === undefined) return;
    [this.returned, this.state.opened] = [true, undefined];
    for (const group of this.groups) {
      const at = this.matching(group).findIndex(({id}) => id === opened);
      if (at >= group.limit) this.draw(group, at + STEP);
      this.focus(group, opened);
    }
  }
}

export default function ({ parentElement, data, setTriggerValue }) {
  const wrap = parentElement.querySelector('.wrap');
  wrap.list ??= new List(wrap);
  wrap.list.show(data, (act) => setTriggerValue('act', act));
  return () => wrap.list.leave();
}
