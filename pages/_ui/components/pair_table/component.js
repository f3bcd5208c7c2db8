// The ranked list of the Overview: texts or pairs, one row each. Needs shared/dom.js.

const percent = (share) => `${Math.max(0, Math.min(1, share)) * 100}%`;

const bar = (className, share) => {
  const fill = make('b');
  fill.style.width = percent(share);
  if (!(share > 0)) fill.style.border = '0';
  const side = make('span', className, fill);
  side.setAttribute('aria-hidden', 'true');
  return side;
};

const bars = (row, words) => {
  const node = make('div', 'bars',
    make('span', 'a', row.text_first), bar('side first', row.share_first), make('span', 'axis'),
    bar('side second', row.share_second), make('span', '', row.text_second));
  node.setAttribute('role', 'img');
  node.setAttribute('aria-label', words.overlap_said.replace('{a}', row.text_first).replace('{b}', row.text_second));
  return node;
};

const scale = (row, tick) => {
  const line = make('span', 'scale');
  line.setAttribute('aria-hidden', 'true');
  const mark = make('span', 'tick');
  mark.style.left = percent(tick);
  line.append(mark);
  if (row.at >= 0) {
    const dot = make('span', row.inside ? 'dot' : 'dot outside');
    dot.style.left = percent(row.at);
    line.append(dot);
  }
  return line;
};

const pairCells = (row, data) => {
  const names = make('div', 'couple', row.state ? mark(row.state, row.state_label) : undefined, nameNode(row.first, row.first_whole),
    make('i', '', data.words.and), nameNode(row.second, row.second_whole));
  const place = make('div', 'place', scale(row, data.tick), make('span', '', row.distance));
  return [make('td', 'names pair', names), make('td', 'overlap', bars(row, data.words)),
    make('td', 'num longest', row.longest), make('td', 'distance', place),
    make('td', 'grey evidence', row.evidence), make('td', 'cluster', row.cluster)];
};

const total = (row) => {
  const track = make('span', 'lt-whole');
  track.setAttribute('role', 'img');
  track.setAttribute('aria-label', row.bar);
  track.title = row.bar;
  for (const [kind, units] of row.parts) {
    const part = make('i', kind);
    part.style.flexGrow = units;
    if (units > 0) track.append(part);
  }
  return make('div', 'amount', make('b', '', row.total), track, make('span', 'grey counted', row.counted));
};

const go = () => {
  const cell = make('td', 'go', '›');
  cell.setAttribute('aria-hidden', 'true');
  return cell;
};

const textCells = (row, data, choose) => {
  const name = make('button', 'text', nameNode(row.name, `${row.whole}\n${data.words.read}`));
  name.type = 'button';
  name.onclick = (event) => {
    event.stopPropagation();
    choose(true);
  };
  const partner = make('div', 'with', row.partner ? nameNode(row.partner, row.partner_whole) : '—',
    row.share ? make('span', 'grey', row.share) : undefined);
  const states = row.states.map(([state, label]) => mark(state, label));
  const tags = row.tag ? [make('span', 'tag', row.tag)] : [];
  const names = states.length || row.tag ? make('div', 'judged', name, ...tags, ...states) : name;
  return [make('td', 'no', row.place), make('td', 'names', names), make('td', '', total(row)),
    make('td', 'num grey same', row.same), make('td', 'num longest', row.longest),
    make('td', 'partner', partner), make('td', 'grey cluster', row.cluster), go()];
};

const COLUMNS = {
  pairs: [['pair', ''], ['overlap', 'middle'], ['longest', 'num longest'], ['distance', 'num distance'],
    ['evidence', 'evidence'], ['cluster', 'cluster']],
  texts: [['', 'no'], ['text', ''], ['total', 'total'], ['identical', 'num same'], ['longest', 'num longest'],
    ['partner', 'partner'], ['cluster', 'cluster'], ['', 'go']],
};

const legend = (words, toggle) => {
  const entry = (kind, word) => make('span', '', make('i', kind), word);
  const kinds = ['identical', 'reworded', 'moved', 'own', 'left_out'];
  const line = make('div', 'key', ...kinds.map((kind) => entry(kind, words[`key_${kind}`])));
  if (words.list) {
    const button = make('button', 'list', words.list);
    button.type = 'button';
    button.onclick = toggle;
    line.append(make('span', 'rest', words.rest, button));
  }
  return line;
};

export default function ({ parentElement, data, setTriggerValue }) {
  const table = make('table', data.kind);
  table.append(make('caption', '', data.words.caption));
  const head = table.createTHead().insertRow();
  for (const [name, className] of COLUMNS[data.kind]) {
    const cell = make(name ? 'th' : 'td', className, data.words[name]);
    if (name) cell.scope = 'col';
    head.append(cell);
  }
  const body = table.createTBody();
  data.rows.forEach((row, index) => {
    const tr = body.insertRow();
    tr.tabIndex = 0;
    const choose = (alone) => setTriggerValue('open', { row: index, alone });
    tr.append(...(data.kind === 'pairs' ? pairCells(row, data) : textCells(row, data, choose)));
    tr.onclick = () => { if (!getSelection()?.toString()) choose(false); };
    tr.onkeydown = (event) => {
      if (event.target !== tr) return;
      if (event.key === 'Enter') choose(false);
      if (event.key === 'ArrowDown') tr.nextElementSibling?.focus();
      if (event.key === 'ArrowUp') tr.previousElementSibling?.focus();
    };
  });
  const wrap = parentElement.querySelector('.wrap');
  wrap.replaceChildren(table, ...(data.kind === 'texts' ? [legend(data.words, () => setTriggerValue('list', true))] : []));
  fitNames(wrap);
}
