const cell = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};

export default function ({ parentElement, data, setTriggerValue }) {
  const wrap = parentElement.querySelector('.wrap');
  wrap.setAttribute('aria-label', data.caption);
  const open = (row, text, label) => {
    const button = cell('button', '', text);
    button.type = 'button';
    button.setAttribute('aria-label', `${label}: ${row.name}`);
    button.onclick = () => setTriggerValue('preview', row.id);
    return button;
  };
  const table = cell('table');
  table.append(cell('caption', '', data.caption));
  const head = table.createTHead().insertRow();
  data.head.forEach((text, column) => {
    const th = cell('th', column === 2 ? 'num' : '', text);
    th.scope = 'col';
    head.append(th);
  });
  const last = cell('th', 'drop');
  last.append(cell('span', 'unseen', data.drop));
  head.append(last);
  const body = table.createTBody();
  for (const row of data.rows) {
    const tr = body.insertRow();
    tr.className = row.state_kind;
    tr.append(cell('td', 'name', row.name));
    const encoding = cell('td', 'encoding');
    encoding.append(row.editable ? open(row, row.encoding, data.edit) : row.encoding);
    tr.append(encoding, cell('td', 'num', row.length));
    const state = cell('td', 'state');
    state.append(cell('span', `tag ${row.state_kind}`, row.state));
    const note = cell('td', 'note', row.note);
    if (row.action) note.append(' ', open(row, row.action, data.edit));
    const drop = cell('button', '', '×');
    drop.type = 'button';
    drop.setAttribute('aria-label', `${data.drop}: ${row.name}`);
    drop.title = data.drop;
    drop.onclick = () => setTriggerValue('drop', row.id);
    const end = cell('td', 'drop');
    end.append(drop);
    tr.append(state, note, end);
  }
  wrap.replaceChildren(table);
}
