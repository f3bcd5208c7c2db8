// The similarity matrix: pairs on a canvas, both names at the pointer; a cell opens its pair. Needs shared/dom.js.

const GAP = 0.5;

/** Unordered pairs as one row-major list of the upper triangle. */
function pairIndex(i, j, n) {
  const [a, b] = i < j ? [i, j] : [j, i];
  return a * n - (a * (a + 1)) / 2 + b - a - 1;
}

class Grid {
  constructor(host, { open }) {
    this.host = host;
    this.open = open;
    this.cell = null;
    this.canvas = make("canvas", "grid");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.tip = make("div", "tip");
    this.tip.setAttribute("aria-live", "polite");
    this.tip.hidden = true;
    host.classList.add("grid-host");
    host.replaceChildren(this.canvas, this.tip);
    this.canvas.onpointermove = (event) => this.point(this.at(event));
    this.canvas.onpointerleave = () => this.point(null);
    this.canvas.onblur = () => this.point(null);
    this.canvas.onclick = (event) => this.choose(this.at(event));
    this.canvas.onkeydown = (event) => this.key(event);
    new ResizeObserver(() => this.draw()).observe(host);
  }

  /** data: n, distance (upper triangle, -1 unknown), far, names, blocks [[first, last + 1]], label, words, colours */
  show(data) {
    this.data = data;
    this.canvas.setAttribute("aria-label", data.label);
    this.draw();
  }

  draw() {
    const { data, canvas } = this;
    const width = Math.floor(this.host.clientWidth);
    if (!data || !width) return;
    const ratio = window.devicePixelRatio || 1;
    this.size = (width - 2) / data.n;
    canvas.style.height = `${width}px`;
    canvas.width = canvas.height = Math.round(width * ratio);
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.clearRect(0, 0, width, width);
    for (let i = 0; i < data.n; i++) for (let j = 0; j < data.n; j++) if (i !== j) this.fill(pen, i, j);
    pen.strokeStyle = data.colours.ink;
    pen.lineWidth = 1.5;
    for (const [first, last] of data.blocks) this.frame(pen, first, first, last - first);
    if (this.cell) this.frame(pen, ...this.cell, 1);
  }

  place(at) {
    return 1 + at * this.size;
  }

  frame(pen, row, column, length) {
    pen.strokeRect(this.place(column), this.place(row), length * this.size, length * this.size);
  }

  fill(pen, i, j) {
    const { data, size } = this;
    const value = data.distance[pairIndex(i, j, data.n)];
    const near = value < 0 ? 0 : 1 - Math.min(value, data.far) / data.far;
    pen.fillStyle = data.colours.steps[Math.round((1 - near) * (data.colours.steps.length - 1))];
    const gap = size > 4 ? GAP : 0;
    pen.fillRect(this.place(j) + gap, this.place(i) + gap, size - 2 * gap, size - 2 * gap);
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const [j, i] = [event.clientX - box.left, event.clientY - box.top].map((x) =>
      Math.floor((x - 1) / this.size));
    return this.inside(i, j) ? [i, j] : null;
  }

  inside(i, j) {
    return i >= 0 && j >= 0 && i < this.data.n && j < this.data.n && i !== j;
  }

  point(cell) {
    if (String(cell) === String(this.cell)) return;
    this.cell = cell;
    this.draw();
    this.tip.hidden = !cell;
    if (!cell) return;
    const [i, j] = cell;
    const { names, distance, words, n } = this.data;
    const bits = distance[pairIndex(i, j, n)];
    this.tip.replaceChildren(make("b", "", names[i]), make("b", "", names[j]),
      make("span", "", bits < 0 ? words.none : words.bits.replace("{d}", bits)));
    const under = this.place(i + 1) + 8;
    this.tip.style.top = `${under}px`;
    this.tip.style.left = `${Math.min(this.place(j), Math.max(0, this.host.clientWidth - this.tip.offsetWidth))}px`;
  }

  choose(cell) {
    if (cell) this.open(...cell);
  }

  key(event) {
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (event.key === "Enter" && this.cell) this.choose(this.cell);
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    let [i, j] = this.cell ?? [0, 0];
    do {
      i += move[0];
      j += move[1];
    } while (i === j);
    if (this.inside(i, j)) this.point([i, j]);
  }
}

export default function ({ parentElement, data, setTriggerValue }) {
  const host = parentElement.querySelector(".matrix");
  host.grid ??= new Grid(host, { open: (i, j) => host.trigger([i, j]) });
  host.trigger = (cell) => setTriggerValue("open", cell);
  host.grid.show(data);
}
