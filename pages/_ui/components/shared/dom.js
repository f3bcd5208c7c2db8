// What several components share. Text from documents enters the page through text nodes only.

/** Make an element; children are nodes or text. */
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children.filter((child) => child !== undefined && child !== ""));
  return element;
}

/** Make a button; children are nodes or text. */
function makeButton(className, onclick, ...children) {
  return Object.assign(make("button", className, ...children), { type: "button", onclick });
}

/** Make a shape of SVG. */
function shape(tag, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

/** A name on one line; `fitNames` shortens it in the middle, the whole is its title. */
function nameNode(name, whole) {
  const node = make("span", "name", name);
  node.name = name;
  node.title = whole ?? name;
  return node;
}

const pen = document.createElement("canvas").getContext("2d");

/** Shorten every name under `root` to the width it has, as often as that width changes. */
function fitNames(root) {
  const fit = () => shorten(root.querySelectorAll(".name"));
  fit();
  if (root.fitting) return;
  root.fitting = new ResizeObserver(fit);
  root.fitting.observe(root);
}

/** Shorten those of the names that are wider than their room. */
function shorten(names) {
  const nodes = [...names];
  for (const node of nodes) if (node.textContent !== node.name) node.textContent = node.name;
  const rooms = nodes.map((node) => [node.clientWidth, node.scrollWidth]);
  nodes.forEach((node, at) => {
    const [room, wanted] = rooms[at];
    if (wanted > room && room) node.textContent = middle(node, room);
  });
}

function middle(node, room) {
  const style = getComputedStyle(node); // its shorthand is empty where figures are tabular
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  let mark = node.name.match(/^\[[^\]]+\] /)?.[0] || ""; // where the text comes from: whole if it leaves half
  if (pen.measureText(mark).width > room / 2) mark = "";
  const letters = [...node.name.slice(mark.length)];
  let [low, high] = [2, letters.length - 1];
  const cut = (n) => `${mark}${letters.slice(0, Math.ceil(n / 2)).join("")}…${letters.slice(letters.length - Math.floor(n / 2)).join("")}`;
  while (low < high) {
    const half = Math.ceil((low + high) / 2);
    if (pen.measureText(cut(half)).width <= room) low = half;
    else high = half - 1;
  }
  return cut(low);
}

/** `n` values that Python packed by columns (`pack_values`). */
function unpack(packed, n) {
  if (Array.isArray(packed)) return packed;
  const {all, but, of, by} = packed;
  if (but) {
    const values = Array(n).fill(all);
    for (const [at, value] of but) values[at] = value;
    return values;
  }
  const columns = Object.entries(of ?? by).map(([name, column]) => [name, unpack(column, n)]);
  const wholes = Array.from({length: n}, (_, at) => columns.map(([name, column]) => [name, column[at]]));
  return wholes.map((cells) => (of ? Object.fromEntries(cells) : cells.map(([, cell]) => cell)));
}

/** Go to the top of the page: what was chosen below is drawn there. */
function showTop() {
  document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
}

/** The mark of a decision: confirmed, no_problem, later or undecided, told apart by shape. */
function mark(state, label) {
  const node = make('span', `st ${state}`);
  if (label) {
    node.setAttribute('role', 'img');
    node.setAttribute('aria-label', label);
  } else node.setAttribute('aria-hidden', 'true');
  return node;
}
