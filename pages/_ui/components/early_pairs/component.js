const make = (tag, className, ...children) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
};

export default function ({ parentElement, data, setTriggerValue }) {
  const list = parentElement.querySelector('.pairs');
  const drawn = JSON.stringify(data);
  list.open = (row) => setTriggerValue('open', row);
  if (list.drawn === drawn) return; // the page looks at the check again and again: keep the focus
  list.drawn = drawn;
  list.setAttribute('aria-label', data.label);
  list.replaceChildren(...data.rows.map(([first, second, distance], row) => {
    const names = make('span', 'names', make('span', '', first), make('i', '', data.between),
      make('span', '', second));
    const button = make('button', '', names, make('span', 'distance', distance));
    button.type = 'button';
    button.onclick = () => list.open(row);
    return make('li', '', button);
  }));
}
