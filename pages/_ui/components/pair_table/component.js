const make = (tag, className, ...children) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children.filter((child) => child !== undefined));
  return element;
};
const percent = (share) => `${Math.max(0, Math.min(1, share)) * 100}%`;

const bar = (className, share) => {
  const fill = make('b');
  fill.style.width = percent(share);
  if (!(share > 0)) fill.style.border = '0';
  const side = make('span', className, fill);
  side.setAttribute('aria-hidden', 'true');
  return side;
};

const bars = (row) =>
  make('div', 'bars',
    make('span', 'a', row.text_first), bar('side first', row.share_first), make('span', 'axis'),
    bar('side second', row.share_second), make('span', '', row.text_second));

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
  const names = make('td', 'names pair',
    make('span', '', row.first), make('i', '', data.words.and), make('span', '', row.second));
  const place = make('div', 'place', scale(row, data.tick), make('span', '', row.distance));
  return [names, make('td', '', bars(row)), make('td', 'num', row.longest),
    make('td', 'distance', place), make('td', 'grey evidence', row.evidence),
    make('td', 'cluster', row.cluster)];
};

const textCells = (row) => [
  make('td', 'names', row.name),
  make('td', '', bar('total', row.total), row.text_total),
  make('td', 'names partner', row.partner), make('td', 'num', row.share),
  make('td', 'num', row.longest), make('td', 'cluster', row.cluster)];

const COLUMNS = {
  pairs: [['pair', ''], ['overlap', 'middle'], ['longest', 'num'], ['distance', 'num distance'],
    ['evidence', 'evidence'], ['cluster', 'cluster']],
  texts: [['text', ''], ['total', ''], ['partner', ''], ['share', 'num'], ['longest', 'num'],
    ['cluster', 'cluster']],
};

export default function ({ parentElement, data, setTriggerValue }) {
  const table = make('table', data.kind);
  table.append(make('caption', '', data.words.caption));
  const head = table.createTHead().insertRow();
  for (const [name, className] of COLUMNS[data.kind]) {
    const th = make('th', className, data.words[name]);
    th.scope = 'col';
    head.append(th);
  }
  const body = table.createTBody();
  data.rows.forEach((row, index) => {
    const tr = body.insertRow();
    tr.tabIndex = 0;
    tr.append(...(data.kind === 'pairs' ? pairCells(row, data) : textCells(row)));
    const open = () => setTriggerValue('open', index);
    tr.onclick = () => { if (!getSelection()?.toString()) open(); };
    tr.onkeydown = (event) => {
      if (event.key === 'Enter') open();
      if (event.key === 'ArrowDown') tr.nextElementSibling?.focus();
      if (event.key === 'ArrowUp') tr.previousElementSibling?.focus();
    };
  });
  parentElement.querySelector('.wrap').replaceChildren(table);
}
