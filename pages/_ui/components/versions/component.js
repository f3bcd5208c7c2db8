export default function ({ parentElement, data, setTriggerValue }) {
  const wrap = parentElement.querySelector('.wrap');
  const { words, rows, columns } = data;
  wrap.setAttribute('aria-label', words.caption);
  wrap.tabIndex = 0;
  const drawn = JSON.stringify(data);
  wrap.ask = (act) => setTriggerValue('act', act);
  wrap.undo = data.undo;
  const cleanup = listen(wrap);
  if (wrap.drawn === drawn) return cleanup;
  wrap.drawn = drawn;

  const table = make('table', '', make('caption', '', words.caption));
  const head = make('tr');
  for (const column of columns) {
    const th = make('th', column === 'length' ? 'num' : '', words[column]);
    th.scope = 'col';
    head.append(th);
  }
  table.append(make('thead', '', head));
  const body = make('tbody');
  const open = wrap.open; // the answer to another date came while one types this one
  wrap.open = null;
  for (const row of rows) {
    const name = make('th', '', make('b', '', row.name), ' ', make('span', 'dim', row.title));
    name.scope = 'row';
    const when = make('td', 'when');
    when.append(dateButton(wrap, row, words, when));
    body.append(make('tr', row.chosen ? 'on' : '', name, when, make('td', 'dim', row.from),
      make('td', 'date', row.received), make('td', 'num', row.length), make('td', '', row.against)));
  }
  table.append(body);
  wrap.replaceChildren(table);
  const again = open ? rows.findIndex((row) => row.row === open.row) : -1;
  if (again >= 0) {
    body.rows[again].querySelector('button').click();
    wrap.open.input.value = open.input.value;
    wrap.open.input.setSelectionRange(open.input.selectionStart, open.input.selectionEnd);
  }
  return cleanup;
}

/** A date that a click turns into a field; what stood there before is its pointer. */
function dateButton(wrap, row, words, cell) {
  const button = make('button', row.doubt ? 'doubt' : '', row.when);
  button.type = 'button';
  button.title = [words.edit, row.before].filter(Boolean).join('\n');
  button.setAttribute('aria-label', `${row.name}: ${row.when}. ${button.title}`);
  button.onclick = () => edit(wrap, row, words, cell, button);
  return button;
}

function edit(wrap, row, words, cell, button) {
  const input = make('input');
  input.value = row.value;
  input.maxLength = 30;
  input.placeholder = '2025-11-03';
  input.setAttribute('aria-label', `${words.edit}: ${row.name}`);
  wrap.open = {row: row.row, input};
  const close = () => {
    cell.replaceChildren(button);
    if (wrap.open?.input === input) wrap.open = null;
  };
  const back = () => {
    close();
    button.focus();
  };
  input.onkeydown = (event) => {
    event.stopPropagation();
    if (event.isComposing) return; // Enter chooses a character there
    if (event.key === 'Escape') back();
    if (event.key !== 'Enter') return;
    if (input.value.trim() === row.value) return back();
    wrap.open = null;
    wrap.ask({ action: 'date', row: row.row, value: input.value.trim() });
  };
  input.onblur = () => cell.contains(input) && input.value.trim() === row.value && close();
  cell.replaceChildren(input);
  input.focus();
  input.select();
}

/** U takes the last date back, wherever on the page the reader is, but for fields and dialogs. */
function listen(wrap) {
  wrap.deaf?.(); // one listener, whether or not the one before was taken away
  const hear = (event) => {
    const inside = event.composedPath()[0];
    const typing = inside.matches?.('input, textarea, select, [contenteditable=true]');
    const held = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    if (event.key.toLowerCase() !== 'u' || held || typing || event.repeat) return;
    if (!wrap.undo || document.querySelector('[role=dialog]')) return;
    event.preventDefault();
    wrap.ask({ action: 'undo' });
  };
  document.addEventListener('keydown', hear);
  wrap.deaf = () => document.removeEventListener('keydown', hear);
  return wrap.deaf;
}
