// A list of buttons, one of them open; the choice goes back to Python.

function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

export default function ({ parentElement, data, setStateValue }) {
  const list = parentElement.querySelector(".choices");
  list.setAttribute("aria-label", data.label);
  const focused = [...list.querySelectorAll("button")].findIndex((button) => button.matches(":focus"));
  const items = data.items.map(({ id, title, dots, note }) => {
    const item = make("li");
    const button = make("button");
    button.type = "button";
    button.setAttribute("aria-pressed", String(id === data.selected));
    const head = make("div", "title");
    const marks = make("span", "dots");
    marks.setAttribute("aria-hidden", "true");
    for (let dot = 0; dot < dots; dot++) marks.append(make("i"));
    head.append(make("span", "", title), marks);
    button.append(head, make("div", "note", note));
    button.onclick = () => setStateValue("id", id);
    item.append(button);
    return item;
  });
  list.replaceChildren(...items);
  items[focused]?.querySelector("button").focus();
}
