// One text on its way to a fingerprint: five frames, and the votes of every word on every bit.
// All figures come from Python; here is only what is shown when.

const FRAME = 1600, WORD = 500, LONGEST_FILL = 20_000; // milliseconds
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const fill = (template, values) => template.replace(/\{(\w+)\}/g, (_, name) => values[name]);

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".walk");
  const walk = (root.walk ??= new Walk(root));
  walk.show(data);
  return walk.listen();
}

class Walk {
  constructor(root) {
    this.root = root;
    root.tabIndex = -1;
  }

  show(data) {
    if (this.data?.digest === data.digest) return;
    if (data.opened && data.opened !== this.data?.opened) showTop();
    this.data = data;
    this.stop();
    const words = data.fill ? data.fill.names.length : 0;
    // frame and words that have voted: the fourth frame lasts until all have
    this.stops = [1, 2, 3, 4].map((frame) => [frame, 0]);
    for (let word = 1; word <= words; word++) this.stops.push([4, word]);
    this.stops.push([5, words]);
    this.build();
    this.go(data.start);
  }

  // ---- what is drawn once ---------------------------------------------------------------------

  build() {
    const { words, frames } = this.data;
    this.frames = frames.map((frame, at) => this.frame(frame, at + 1));
    const widest = Math.max(...frames.flatMap(({ rows }) => rows.map(([, , cells]) => cells.length)));
    const kind = frames[1].rows.length ? "" : " sums"; // a source that gives sums alone
    const list = make("ol", `frames${widest > 6 ? " wide" : ""}${kind}`, ...this.frames);
    this.told = make("p", "unseen");
    this.told.setAttribute("aria-live", "polite");
    const steps = make("div", "steps", list, this.controls()); // on a phone the controls come first
    this.root.replaceChildren(this.sentence(), steps, this.told, ...this.columns());
    this.root.setAttribute("aria-label", words.label);
  }

  sentence() {
    const { sentence, tail, meaning, lang, words } = this.data;
    const line = make("p", "line");
    line.lang = lang;
    this.places = [];
    for (const [before, text, place, weight, share] of sentence) {
      if (before) line.append(before);
      const node = make(place < 0 ? "span" : "button", place < 0 ? "word silent" : "word", make("span", "", text));
      if (place < 0) node.title = words.silent;
      else {
        node.type = "button";
        node.style.setProperty("--share", share);
        node.append(make("i"), make("small", "", weight || "\u00a0"));
        node.onclick = () => this.moveTo(4 + place);
        this.places.push([place, node]);
      }
      line.append(node);
    }
    line.append(tail, make("span", "meaning", meaning));
    return line;
  }

  frame({ title, text, rows }, number) {
    const table = make("table");
    table.setAttribute("aria-label", title);
    if (rows.every(([, , cells]) => cells.length < 2)) table.className = "single";
    for (const [kind, name, cells] of rows) {
      const row = make("tr", kind, make("th", "", name));
      if (!kind) row.firstChild.lang = this.data.lang; // a word of the text
      row.firstChild.scope = "row";
      for (const cell of cells) row.append(make("td", cell.startsWith("−") ? "minus" : "", cell));
      table.append(row);
    }
    const item = make("li", "", make("h2", "", make("i", "", String(number)), title), make("p", "", text), table);
    item.dots = make("p", "dots", "· · · · · ·");
    item.dots.setAttribute("aria-hidden", "true");
    item.append(item.dots);
    item.onclick = () => this.moveTo(number < 5 ? number - 1 : this.stops.length - 1);
    return item;
  }

  controls() {
    const { words } = this.data;
    const button = (name, label, act) => {
      const node = make("button", name, label);
      node.type = "button";
      node.onclick = act;
      return node;
    };
    this.back = button("step", "‹", () => this.step(-1));
    this.back.setAttribute("aria-label", words.back);
    this.next = button("step", "›", () => this.step(1));
    this.next.setAttribute("aria-label", words.next);
    this.play = button("play", words.play, () => this.toggle());
    this.range = make("input");
    this.range.type = "range";
    this.range.max = this.stops.length - 1;
    this.range.setAttribute("aria-label", words.position);
    this.range.oninput = () => this.moveTo(Number(this.range.value));
    this.where = make("span", "where");
    const keys = make("span", "keys", make("kbd", "", words.space), words.space_does, make("kbd", "", "←"), make("kbd", "", "→"), words.arrows_do);
    const bar = make("div", "controls", this.back, this.play, this.next, this.range, this.where, keys);
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", words.controls);
    return bar;
  }

  columns() {
    const { fill: votes, words } = this.data;
    this.bars = [];
    if (!votes) return [];
    this.news = make("span", "news");
    const head = make("div", "fig", make("h2", "", votes.title), this.news, make("span", "end", words.up_down));
    const grid = make("div", "columns");
    grid.setAttribute("role", "img");
    grid.setAttribute("aria-label", votes.label);
    grid.style.setProperty("--n", Math.min(votes.end.length, 64));
    this.bars = votes.end.map((height, bit) => {
      const [ghost, bar, sign] = [make("i", "ghost"), make("i", "bar"), make("b")];
      place(ghost, height);
      const column = make("div", "column", make("div", "room", ghost, bar), sign);
      column.title = votes.titles[bit];
      grid.append(column);
      return [bar, sign];
    });
    return [head, grid, make("p", "note", votes.note)];
  }

  // ---- moving ---------------------------------------------------------------------------------

  go(at) {
    this.at = Math.max(0, Math.min(at, this.stops.length - 1));
    const [frame, voted] = this.stops[this.at];
    const { words, fill: votes, frames } = this.data;
    this.frames.forEach((node, n) => {
      node.className = n + 1 === frame ? "current" : n + 1 < frame ? "done" : "ahead";
      if (n + 1 === frame) node.setAttribute("aria-current", "step");
      else node.removeAttribute("aria-current");
    });
    for (const [place, node] of this.places) {
      node.classList.toggle("voted", place < voted);
      node.classList.toggle("voting", frame === 4 && place === voted - 1);
    }
    if (votes) {
      const heights = voted ? votes.heights[voted - 1] : [];
      const bits = voted ? votes.bits[voted - 1] : "";
      this.bars.forEach(([bar, sign], bit) => {
        place(bar, heights[bit] ?? 0);
        sign.textContent = bits[bit] ?? "·";
        sign.className = frame === 5 ? "final" : "";
      });
      const values = { n: voted, all: votes.names.length, word: votes.names[voted - 1] };
      this.news.textContent = fill(frame === 5 ? words.voted_all : voted ? words.voted : words.none_voted, values);
    }
    this.range.value = this.at;
    this.where.textContent = fill(words.where, { n: frame });
    const said = frame === 4 && voted ? this.news.textContent : frames[frame - 1].title;
    this.range.setAttribute("aria-valuetext", `${this.where.textContent}, ${said}`);
    this.told.textContent = this.timer && frame === 4 && voted ? "" : `${this.where.textContent}: ${said}`;
    this.back.disabled = this.at === 0;
    this.next.disabled = this.at === this.stops.length - 1;
  }

  moveTo(at) {
    this.stop();
    this.go(at);
  }

  step(way) {
    this.moveTo(this.at + way);
  }

  toggle() {
    if (this.timer) return this.stop();
    const last = this.stops.length - 1;
    if (calm()) {
      const [frame, voted] = this.stops[this.at];
      const jump = frame < 4 ? this.at + 1 : frame === 5 ? 0 : voted < last - 4 ? last - 1 : last;
      return this.moveTo(jump);
    }
    if (this.at === last) this.go(0);
    this.play.textContent = this.data.words.stop;
    this.play.classList.add("on");
    this.wait();
  }

  wait() {
    const words = this.stops.length - 5;
    const pause = this.stops[this.at][1] ? Math.min(WORD, LONGEST_FILL / words) : FRAME;
    this.timer = setTimeout(() => {
      if (!this.root.isConnected) return this.stop();
      this.go(this.at + 1);
      if (this.at === this.stops.length - 1) this.stop();
      else this.wait();
    }, pause);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.play) return;
    this.play.textContent = this.data.words.play;
    this.play.classList.remove("on");
  }

  /** Hear the keys wherever nobody types or chooses. */
  listen() {
    const hear = (event) => this.key(event);
    this.deaf?.();
    this.deaf = () => document.removeEventListener("keydown", hear, true);
    document.addEventListener("keydown", hear, true);
    return () => {
      this.deaf();
      if (!this.root.isConnected) this.stop();
    };
  }

  key(event) {
    const target = event.composedPath()[0];
    if (!this.root.isConnected || event.ctrlKey || event.altKey || event.metaKey) return;
    if (target.closest?.("input, textarea, select, [contenteditable], [role=radio], [role=slider], [role=combobox], [role=dialog]")) return;
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key !== " " && !way) return;
    if (event.key === " " && target.closest?.("button, a, summary")) return;
    event.preventDefault();
    if (way) this.step(way);
    else this.toggle();
  }
}

/** Put a bar above or below the middle line; 100 is the whole room on one side. */
function place(bar, height) {
  bar.style.setProperty("--h", Math.abs(height));
  bar.classList.toggle("down", height < 0);
}
