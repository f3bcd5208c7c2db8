export default function ({ parentElement, data, setTriggerValue }) {
  const wrap = parentElement.querySelector('.wrap');
  const { words, rows } = data;
  wrap.setAttribute('aria-label', words.caption);
  const ask = (action, row) => setTriggerValue('act', { action, name: row.name });
  const button = (action, row) => {
    const made = make('button', action, words[action]);
    made.type = 'button';
    made.setAttribute('aria-label', `${words[action]}: ${row.name}`);
    made.onclick = () => ask(action, row);
    return made;
  };
  const table = make('table', '', make('caption', '', words.caption));
  const columns = ['title', 'texts', 'share', 'date', 'size', 'act'];
  table.append(make('colgroup', '', ...columns.map((column) => make('col', column))));
  const head = make('tr');
  for (const column of columns) {
    const hidden = column === 'act' || column === 'share';
    const th = make('th', ['texts', 'size'].includes(column) ? 'num' : '', hidden ? make('span', 'unseen', words[column]) : words[column]);
    th.scope = 'col';
    head.append(th);
  }
  table.append(make('thead', '', head));
  const body = make('tbody');
  for (const row of rows) {
    const bar = make('i');
    bar.style.width = `${Math.round(row.share * 100)}%`;
    const cell = make('td', 'share', make('span', 'bar', bar));
    cell.setAttribute('aria-hidden', 'true');
    const texts = make('td', 'texts num', row.texts);
    texts.dataset.unit = words.unit;
    body.append(make('tr', '', make('td', 'title', nameNode(row.name)), texts, cell,
      make('td', 'date', row.changed), make('td', 'size num', row.size),
      make('td', 'act', make('div', '', button('open', row), button('delete', row)))));
  }
  table.append(body);
  wrap.replaceChildren(table);
  fitNames(wrap);
}
