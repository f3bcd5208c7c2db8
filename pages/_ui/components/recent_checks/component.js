const ICONS = {
  rename: 'M2.5 13.5l.8-3 7.7-7.7 2.2 2.2-7.7 7.7zM9.5 4.3l2.2 2.2',
  duplicate: 'M5.5 5.5h8v8h-8zM2.5 10.5v-8h8',
  copy: 'M8 2v8M4.8 7L8 10.2 11.2 7M2.5 11v2.5h11V11',
  delete: 'M2.5 4.5h11M6 4V2.5h4V4M4 4.5l.7 9h6.6l.7-9',
  open: 'M6 3.5L10.5 8 6 12.5',
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

export default function ({ parentElement, data, setTriggerValue }) {
  const wrap = parentElement.querySelector('.wrap');
  const { words, rows } = data;
  wrap.setAttribute('aria-label', words.caption);
  const drawn = JSON.stringify(data);
  const ask = (action, row, name = '') => setTriggerValue('act', { action, id: row.id, name });
  wrap.ask = ask;
  if (wrap.drawn === drawn || (wrap.editing && wrap.rows === JSON.stringify(rows.map((r) => r.id)))) return;
  wrap.drawn = drawn;
  wrap.rows = JSON.stringify(rows.map((r) => r.id));
  wrap.editing = false;

  const button = (action, row, onclick, ...more) => {
    const made = make('button', action, action === 'open' ? '' : icon(action), make('span', 'word', words[action]),
      action === 'open' ? icon('open') : '', ...more);
    made.type = 'button';
    made.title = words[action];
    made.setAttribute('aria-label', `${words[action]}: ${row.name}`);
    made.onclick = onclick ?? (() => wrap.ask(action, row));
    return made;
  };

  const rename = (row, tr) => {
    wrap.editing = true;
    const [name, act] = [tr.querySelector('td.title'), tr.querySelector('td.act > div')];
    const before = [[...name.childNodes], [...act.childNodes]];
    const input = make('input');
    input.value = row.given || row.name;
    input.maxLength = 80;
    input.setAttribute('aria-label', `${words.rename}: ${row.name}`);
    const back = () => {
      wrap.editing = false;
      name.replaceChildren(...before[0]);
      act.replaceChildren(...before[1]);
      tr.querySelector('button.rename').focus();
    };
    const save = () => {
      wrap.editing = false;
      if (input.value.trim() === (row.given || row.name)) back();
      else wrap.ask('rename', row, input.value.trim());
    };
    input.onkeydown = (event) => {
      event.stopPropagation();
      if (event.isComposing) return; // Enter chooses a character there
      if (event.key === 'Enter') save();
      if (event.key === 'Escape') back();
    };
    const saving = make('button', 'save', make('span', 'word', words.save), make('kbd', '', 'Enter'));
    const leaving = make('button', 'cancel', make('span', 'word', words.cancel), make('kbd', '', 'Esc'));
    [saving.type, leaving.type] = ['button', 'button'];
    [saving.onclick, leaving.onclick] = [save, back];
    name.replaceChildren(input);
    act.replaceChildren(saving, leaving);
    input.focus();
    input.select();
  };

  const table = make('table', '', make('caption', '', words.caption));
  const columns = ['title', 'texts', 'date', 'review', 'size', 'act'];
  table.append(make('colgroup', '', ...columns.map((column) => make('col', column))));
  const head = make('tr');
  for (const column of columns) {
    const text = column === 'act' ? make('span', 'unseen', words.act) : words[column === 'title' ? 'name' : column];
    const th = make('th', ['texts', 'size'].includes(column) ? 'num' : '', text);
    th.scope = 'col';
    head.append(th);
  }
  table.append(make('thead', '', head));
  const body = make('tbody');
  for (const row of rows) {
    const bar = make('span', 'bar', make('i'));
    bar.firstChild.style.width = `${Math.round(row.share * 100)}%`;
    const tr = make('tr', row.state);
    const review = make('td', 'review', make('div', '', bar, make('span', '', row.review), make('span', '', row.done)));
    const whole = row.state !== 'damaged';
    const actions = make('div', '',
      whole ? button('open', row) : '',
      whole ? button('rename', row, () => rename(row, tr)) : '',
      whole ? button('duplicate', row) : '',
      whole ? button('copy', row) : '',
      button('delete', row));
    tr.append(make('td', 'title', nameNode(row.name)), make('td', 'texts num', row.texts), make('td', 'date', row.date),
      review, make('td', 'size num', row.size), make('td', 'act', actions));
    body.append(tr);
  }
  table.append(body);
  wrap.replaceChildren(table);
  fitNames(wrap);
}
