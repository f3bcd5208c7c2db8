// Words as buttons; a second click lets go. The chosen word goes back to Python.

function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

export default function ({ parentElement, data, setStateValue }) {
  const line = parentElement.querySelector(".line");
  line.lang = data.lang;
  line.setAttribute("role", "group");
  line.setAttribute("aria-label", data.label);
  const focused = [...line.querySelectorAll("button")].findIndex((button) => button.matches(":focus"));
  const nodes = [];
  for (const [gap, word, token, share] of data.words) {
    if (gap) nodes.push(document.createTextNode(gap));
    if (share < 0) {
      const silent = make("span", "silent", word);
      silent.title = data.silent;
      nodes.push(silent);
      continue;
    }
    const button = make("button", "", word);
    button.type = "button";
    button.style.setProperty("--share", share);
    button.setAttribute("aria-pressed", String(token === data.chosen));
    button.onclick = () => setStateValue("token", token === data.chosen ? "" : token);
    nodes.push(button);
  }
  nodes.push(document.createTextNode(data.tail));
  line.replaceChildren(...nodes);
  line.querySelectorAll("button")[focused]?.focus();
}
