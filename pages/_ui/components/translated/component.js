// Paragraphs beside each other; a word that is clicked shows the word that answers it.
// Needs shared/dom.js.

export default function ({parentElement, data}) {
  const root = parentElement.querySelector('.tr');
  const sheet = JSON.stringify(data);
  if (root.sheet === sheet) return;
  root.sheet = sheet;
  root.replaceChildren(...data.passages.map((passage, at) => section(data, passage, at)));
  fitNames(root);
}

function section(data, passage, at) {
  const {words, names, langs} = data;
  const said = make('p', 'said', words.hint);
  said.setAttribute('aria-live', 'polite');
  const table = make('div', 'rows');
  names.forEach((name) => table.append(make('div', 'head', nameNode(name))));
  for (const row of passage.rows) {
    row.forEach((runs, side) => {
      const cell = make('div', runs.length ? 'cell' : 'cell none');
      cell.lang = langs[side];
      if (!runs.length) cell.append(make('span', 'nothing', words.nothing));
      for (const [text, number] of runs) cell.append(number < 0 ? text : word(text, number, side));
      table.append(cell);
    });
  }
  table.onclick = (event) => {
    const button = event.target.closest('button');
    if (button) choose(table, button, passage.stems, said, data);
  };
  const head = make('div', 'fig', make('h2', '', `${words.passage} ${at + 1}`), make('span', 'n', passage.fact));
  return make('section', '', head, said, table);
}

function word(text, number, side) {
  const button = make('button', 'w', text);
  button.type = 'button';
  button.dataset.n = number;
  button.dataset.side = side;
  button.setAttribute('aria-pressed', 'false');
  return button;
}

function choose(table, button, stems, said, {words, langs}) {
  const again = button.getAttribute('aria-pressed') === 'true';
  for (const other of table.querySelectorAll('[aria-pressed=true]')) other.setAttribute('aria-pressed', 'false');
  if (again) {
    said.textContent = words.hint;
    return;
  }
  const both = [...table.querySelectorAll(`[data-n="${button.dataset.n}"]`)];
  for (const one of both) one.setAttribute('aria-pressed', 'true');
  const chinese = (one) => (langs[one.dataset.side].startsWith('zh') ? 0 : 1);
  const [first, second] = [...both].sort((one, other) => chinese(one) - chinese(other)).map((one) => one.textContent);
  said.replaceChildren(
    make('b', '', first), ' → ', make('b', '', second ?? words.nothing),
    make('span', '', ` ${words.through} ${stems[button.dataset.n]}`),
  );
  const answer = both.find((one) => one !== button);
  answer?.scrollIntoView({block: 'nearest'});
}
