// A square matrix of pairs on a canvas, with both names at the pointer. Needs dom.js.

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

  /**
   * data: n, distance (upper triangle, -1 unknown), far, share (upper triangle in percent, or null),
   * names, blocks [[first, last + 1]], framed [i, j] or null, heads, label, words, colours
   */
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
    this.head = data.heads ? 20 : 0;
    this.size = (width - this.head - 2) / data.n;
    canvas.style.height = `${width}px`;
    canvas.width = canvas.height = Math.round(width * ratio);
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.clearRect(0, 0, width, width);
    pen.font = `${Math.min(11, this.size * 0.44)}px ${getComputedStyle(this.host).fontFamily}`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (let i = 0; i < data.n; i++) for (let j = 0; j < data.n; j++) if (i !== j) this.fill(pen, i, j);
    if (data.heads) this.numbers(pen);
    pen.strokeStyle = data.colours.ink;
    pen.lineWidth = 1.5;
    for (const [first, last] of data.blocks) this.frame(pen, first, first, last - first);
    if (data.framed) {
      pen.strokeStyle = data.colours.frame;
      this.frame(pen, ...data.framed, 1);
    }
    if (this.cell) {
      pen.strokeStyle = data.colours.ink;
      this.frame(pen, ...this.cell, 1);
    }
  }

  place(at) {
    return this.head + 1 + at * this.size;
  }

  frame(pen, row, column, length) {
    pen.strokeRect(this.place(column), this.place(row), length * this.size, length * this.size);
  }

  fill(pen, i, j) {
    const { data, size } = this;
    const at = pairIndex(i, j, data.n);
    const below = data.share && i > j;
    const value = below ? data.share[at] : data.distance[at];
    const last = data.colours.steps.length - 1;
    const near = below ? value / 100 : value < 0 ? 0 : 1 - Math.min(value, data.far) / data.far;
    const step = Math.round((1 - near) * last);
    pen.fillStyle = data.colours.steps[step];
    const gap = size > 4 ? GAP : 0;
    pen.fillRect(this.place(j) + gap, this.place(i) + gap, size - 2 * gap, size - 2 * gap);
    if (!data.heads || size < 13 || value < 0 || (below && !value)) return;
    pen.fillStyle = step < last / 2 ? data.colours.bg : data.colours.ink;
    pen.fillText(String(value), this.place(j) + size / 2, this.place(i) + size / 2);
  }

  numbers(pen) {
    const every = Math.ceil(12 / this.size);
    pen.font = `600 10.5px ${getComputedStyle(this.host).fontFamily}`;
    pen.fillStyle = this.data.colours.ink2;
    for (let i = 0; i < this.data.n; i += every) {
      pen.fillText(String(i + 1), this.place(i) + this.size / 2, this.head / 2);
      pen.fillText(String(i + 1), this.head / 2, this.place(i) + this.size / 2);
    }
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const [j, i] = [event.clientX - box.left, event.clientY - box.top].map((x) =>
      Math.floor((x - this.head - 1) / this.size));
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
    const { names, distance, share, words, n, heads } = this.data;
    const at = pairIndex(i, j, n);
    const facts = [distance[at] < 0 ? words.none : words.bits.replace("{d}", distance[at])];
    if (share) facts.push(words.share.replace("{share}", `${share[at]}%`));
    const mark = (row) => (heads ? `${row + 1}  ` : "");
    this.tip.replaceChildren(make("b", "", mark(i) + names[i]), make("b", "", mark(j) + names[j]),
      make("span", "", facts.join(" · ")));
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
