// One text on its way to a fingerprint: five frames, the votes of every word on every bit, and one
// bit that is followed through all of them. Words, weights and hashes come from Python, added here.

const FRAME = 1600, WORD = 500, LONGEST_FILL = 20_000; // milliseconds
const SHOWN_WORDS = 3, ROWS = 9, ROW = 16, BLOCKS = 4;
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const fill = (template, values) => template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const isOne = (sum) => Number(sum > 0);
const add = (all, row) => all.map((sum, bit) => sum + row[bit]);
const votesOf = ([, weight, hash]) => [...hash].map((bit) => (bit === "1" ? weight : -weight));

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
    const shown = JSON.stringify({ ...data, start: 0 });
    if (this.shown === shown) return;
    let frame = this.data && this.stops[this.at][0]; // an edited text goes on where it was
    if (data.opened !== this.data?.opened) {
      if (data.opened) showTop();
      this.bit = undefined;
      frame = data.start;
    }
    [this.data, this.shown] = [data, shown];
    this.stop();
    this.names = data.words.map(([name]) => name);
    this.votes = data.words.map(votesOf);
    if (data.others.length) {
      this.names.push(data.texts.others);
      this.votes.push(data.others);
    }
    this.bits = this.votes[0]?.length ?? 0;
    if (this.bit >= this.bits) this.bit = undefined;
    this.sums = []; // after each word
    for (const row of this.votes) this.sums.push(this.sums.length ? add(this.sums.at(-1), row) : row);
    // frame and words that have voted: the fourth frame lasts until all have
    this.stops = [1, 2, 3, 4].map((frame) => [frame, 0]);
    this.votes.forEach((_, word) => this.stops.push([4, word + 1]));
    this.stops.push([5, this.votes.length]);
    this.build();
    this.go(this.stops.findIndex(([each]) => each === (frame ?? data.start)));
  }

  // ---- what is drawn once ---------------------------------------------------------------------

  build() {
    const { texts, frames, source } = this.data;
    this.frames = frames.map((frame, at) => this.frame(frame, at + 1));
    const kind = source.words.length ? "" : " sums"; // a source that gives sums alone
    const list = make("ol", `frames${source.sums.length > 6 ? " wide" : ""}${kind}`, ...this.frames);
    this.told = make("p");
    const steps = make("div", "steps", list, this.controls()); // on a phone the controls come first
    this.root.replaceChildren(this.sentence(), steps, this.told, ...this.columns());
    this.root.setAttribute("aria-label", texts.label);
    this.fillFrames();
  }

  sentence() {
    const { sentence, tail, meaning, lang, texts } = this.data;
    const line = make("p", "line");
    line.lang = lang;
    this.places = [];
    for (const [before, text, place, weight, share] of sentence) {
      if (before) line.append(before);
      const node = make(place < 0 ? "span" : "button", place < 0 ? "word silent" : "word", make("span", "", text));
      if (place < 0) node.title = texts.silent;
      else {
        node.type = "button";
        node.style.setProperty("--share", share);
        node.append(make("i"), make("small"));
        node.onclick = () => this.moveTo(4 + place);
        this.places.push([place, node, weight]);
      }
      line.append(node);
    }
    line.append(tail, make("span", "meaning", meaning));
    return line;
  }

  frame([title, text], number) {
    const item = make("li", "", make("h2", "", make("i", "", String(number)), title), make("p", "", text));
    item.room = make("div", "room");
    item.append(item.room);
    item.onclick = () => this.moveTo(number < 5 ? number - 1 : this.stops.length - 1);
    return item;
  }

  controls() {
    const { texts } = this.data;
    const button = (name, label, act) => {
      const node = make("button", name, label);
      node.type = "button";
      node.onclick = act;
      return node;
    };
    this.back = button("step", "‹", () => this.step(-1));
    this.back.setAttribute("aria-label", texts.back);
    this.next = button("step", "›", () => this.step(1));
    this.next.setAttribute("aria-label", texts.next);
    this.play = button("play", texts.play, () => this.toggle());
    this.range = make("input");
    this.range.type = "range";
    this.range.max = this.stops.length - 1;
    this.range.setAttribute("aria-label", texts.position);
    this.range.oninput = () => this.moveTo(Number(this.range.value));
    this.where = make("span", "where");
    const keys = make("span", "keys", make("kbd", "", texts.space), texts.space_does, make("kbd", "", "←"), make("kbd", "", "→"), texts.arrows_do);
    const bar = make("div", "controls", this.back, this.play, this.next, this.range, this.where, keys);
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", texts.controls);
    return bar;
  }

  columns() {
    const { texts } = this.data;
    this.bars = [];
    if (!this.bits) return [];
    this.news = make("span", "news");
    const head = make("div", "fig", make("h2", "", texts.votes_title), this.news, make("span", "end", texts.up_down));
    const grid = make("div", "columns");
    grid.setAttribute("role", "group");
    grid.setAttribute("aria-label", texts.votes_label);
    grid.style.setProperty("--n", Math.min(this.bits, 64));
    const end = this.sums.at(-1);
    this.top = Math.max(1, ...this.sums.flat().map(Math.abs));
    this.bars = end.map((sum, bit) => {
      const [ghost, bar, sign] = [make("i", "ghost"), make("i", "bar"), make("b")];
      place(ghost, sum / this.top);
      const column = make("button", "column", make("span", "height", ghost, bar), sign);
      column.type = "button";
      column.title = fill(texts.column, { bit, sum: this.write([sum])[0], value: isOne(sum) });
      column.setAttribute("aria-label", column.title);
      column.onclick = () => this.follow(bit === this.bit ? undefined : bit);
      grid.append(column);
      return [bar, sign, column];
    });
    grid.onkeydown = (event) => this.choose(event);
    return [head, grid, make("p", "note", texts.votes_note)];
  }

  // ---- the frames, and the bit that is followed through them ----------------------------------

  /** Numbers as they are read: all whole, or all with one decimal, with a true minus. */
  write(values) {
    const { words, source, scale } = this.data;
    const given = [...words.map(([, weight]) => weight), ...source.sums];
    const digits = given.every((value) => value % scale === 0) ? 0 : 1;
    return values.map((value) => (value / scale).toFixed(digits).replace("-", "−"));
  }

  /** What the frames show: the first words, or all of them on the bits around the followed one. */
  sheet() {
    const { source, words } = this.data;
    const width = source.sums.length;
    if (this.bit === undefined) {
      const listed = words.length ? words : source.words;
      const weights = listed.slice(0, SHOWN_WORDS).map(([name, weight]) => [name, this.write([weight])]);
      if (listed.length > SHOWN_WORDS) weights.push(["…", [""]]);
      return { weights, names: source.words.map(([name]) => name), votes: source.words.map(votesOf), sums: source.sums, at: -1 };
    }
    const from = Math.max(0, Math.min(this.bit - (width >> 1), this.bits - width));
    const cut = (row) => row.slice(from, from + width);
    const weights = words.map(([name, weight]) => [name, this.write([weight])]);
    return { weights, names: this.names, votes: this.votes.map(cut), sums: cut(this.sums.at(-1)), at: this.bit - from };
  }

  /** The rows of every frame: kind, name, cells. */
  rows() {
    const { weights, names, votes, sums } = this.sheet();
    const { texts } = this.data;
    const [hashes, cast] = [votes.map((row) => row.map((vote) => String(isOne(vote)))), votes.map((row) => this.write(row))];
    // the words that vote together have no hash of their own
    if (this.bit !== undefined && this.data.others.length) hashes[hashes.length - 1].fill("");
    const each = (cells) => names.map((name, at) => ["", name, cells[at]]);
    return [
      weights.map(([name, cells]) => ["", name, cells]),
      each(hashes),
      each(cast),
      [...each(cast), ["sum", texts.sum, this.write(sums)]],
      [["answer", texts.print, sums.map((sum) => String(isOne(sum)))]],
    ];
  }

  fillFrames() {
    const { at } = this.sheet();
    this.rows().forEach((rows, n) => {
      const table = make("table", n ? "" : "single");
      table.setAttribute("aria-label", this.data.frames[n][0]);
      for (const [kind, name, cells] of rows) {
        const row = make("tr", kind, make("th", "", name));
        if (!kind) row.firstChild.lang = this.data.lang; // a word of the text
        row.firstChild.scope = "row";
        cells.forEach((cell, place) => {
          const mine = n && place === at ? " mine" : "";
          row.append(make("td", (cell.startsWith("−") ? "minus" : "") + mine, cell));
        });
        table.append(row);
      }
      const dots = make("p", "dots", "· · · · · ·");
      dots.setAttribute("aria-hidden", "true");
      const { room } = this.frames[n];
      room.replaceChildren(table, dots, ...(n === 4 && at >= 0 ? [this.print()] : []));
      room.tabIndex = rows.length > ROWS ? 0 : -1; // what scrolls takes the keys
    });
  }

  /** The whole fingerprint, a row for every sixteen bits, with the one that is followed. */
  print() {
    const block = this.bits / BLOCKS;
    const cells = this.sums.at(-1).map((sum, bit) => {
      const here = Math.floor(bit / block) === Math.floor(this.bit / block);
      return make("i", `${isOne(sum) ? "one" : ""}${here ? " here" : ""}${bit === this.bit ? " mine" : ""}`);
    });
    const grid = make("div", "print", ...cells);
    grid.setAttribute("aria-hidden", "true"); // said in words below
    grid.style.setProperty("--n", Math.min(this.bits / BLOCKS, ROW));
    return grid;
  }

  follow(bit) {
    this.bit = bit;
    this.fillFrames();
    this.go(this.at);
  }

  /** The keys within the columns choose the bit. */
  choose(event) {
    const at = this.bars.findIndex(([, , column]) => column === event.target);
    const last = this.bits - 1;
    const way = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - ROW, ArrowDown: at + ROW, Home: 0, End: last }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    this.follow(Math.max(0, Math.min(way, last)));
    this.bars[this.bit][2].focus();
  }

  /** What the followed bit does in a frame. */
  story(frame, voted) {
    const { bit, votes, data } = this;
    const column = votes.map((row) => row[bit]);
    const total = (wanted) => column.filter(wanted).reduce((sum, vote) => sum + Math.abs(vote), 0);
    const sums = this.sums.map((row) => row[bit]);
    const [block, sum] = [this.bits / BLOCKS, frame === 4 ? (voted ? sums[voted - 1] : 0) : sums.at(-1)];
    const ones = data.words.filter(([, , hash]) => hash[bit] === "1").length;
    const [plus, minus] = this.write([total((vote) => vote > 0), total((vote) => vote < 0)]);
    return fill(data.texts[`bit_${frame}`], {
      bit, ones, zeros: data.words.length - ones, plus, minus, sum: this.write([sum])[0], n: voted, all: votes.length,
      value: isOne(sum), block: Math.floor(bit / block) + 1, place: (bit % block) + 1, width: block,
    });
  }

  // ---- moving ---------------------------------------------------------------------------------

  go(at) {
    this.at = Math.max(0, Math.min(at, this.stops.length - 1));
    const [frame, voted] = this.stops[this.at];
    const { texts, frames } = this.data;
    this.frames.forEach((node, n) => {
      node.className = n + 1 === frame ? "current" : n + 1 < frame ? "done" : "ahead";
      if (n + 1 === frame) node.setAttribute("aria-current", "step");
      else node.removeAttribute("aria-current");
    });
    for (const [place, node, weight] of this.places) {
      node.classList.toggle("voted", place < voted);
      node.classList.toggle("voting", frame === 4 && place === voted - 1);
      node.lastChild.textContent = (weight && this.saysOf(place, frame)) || weight || "\u00a0";
    }
    const sums = voted ? this.sums[voted - 1] : [];
    this.bars.forEach(([bar, sign, column], bit) => {
      place(bar, (sums[bit] ?? 0) / this.top);
      sign.textContent = voted ? isOne(sums[bit]) : "·";
      sign.className = frame === 5 ? "final" : "";
      column.setAttribute("aria-pressed", String(bit === this.bit));
      column.tabIndex = bit === (this.bit ?? 0) ? 0 : -1;
    });
    const values = { n: voted, all: this.votes.length, word: this.names[voted - 1] };
    if (this.bits) this.news.textContent = fill(frame === 5 ? texts.voted_all : voted ? texts.voted : texts.none_voted, values);
    this.range.value = this.at;
    this.where.textContent = fill(texts.where, { n: frame });
    const said = frame === 4 && voted ? this.news.textContent : frames[frame - 1][0];
    this.range.setAttribute("aria-valuetext", `${this.where.textContent}, ${said}`);
    const following = this.bit !== undefined;
    this.told.className = following ? "told" : "unseen";
    this.told.setAttribute("aria-live", this.timer && frame === 4 && voted ? "off" : "polite");
    this.told.textContent = following ? this.story(frame, voted) : `${this.where.textContent}: ${said}`;
    this.back.disabled = this.at === 0;
    this.next.disabled = this.at === this.stops.length - 1;
  }

  /** What a word says to the followed bit, under the word: its own bit, then its vote. */
  saysOf(place, frame) {
    const vote = this.bit === undefined || frame < 2 ? undefined : this.votes[place]?.[this.bit];
    if (vote === undefined || place >= this.data.words.length) return "";
    return frame === 2 ? String(isOne(vote)) : (vote > 0 ? "+" : "") + this.write([vote])[0];
  }

  moveTo(at) {
    this.stop();
    this.advance(at);
  }

  /** Go on, and let the address say where: a link to it opens there. */
  advance(at) {
    this.go(at);
    const url = new URL(location);
    url.searchParams.set("step", this.stops[this.at][0]);
    if (url.href !== location.href) history.replaceState(history.state, "", url);
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
    this.play.textContent = this.data.texts.stop;
    this.play.classList.add("on");
    this.wait();
  }

  wait() {
    const words = this.stops.length - 5;
    const pause = this.stops[this.at][1] ? Math.min(WORD, LONGEST_FILL / words) : FRAME;
    this.timer = setTimeout(() => {
      if (!this.root.isConnected) return this.stop();
      this.advance(this.at + 1);
      if (this.at === this.stops.length - 1) this.stop();
      else this.wait();
    }, pause);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.play) return;
    this.play.textContent = this.data.texts.play;
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
    if (event.key === "Escape" && this.bit !== undefined) this.follow(undefined);
    if (target.closest?.(".columns")) return; // there the arrows choose the bit
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key !== " " && !way) return;
    if (event.key === " " && target.closest?.("button, a, summary")) return;
    event.preventDefault();
    if (way) this.step(way);
    else this.toggle();
  }
}

/** Put a bar above or below the middle line; 1 is the whole room on one side. */
function place(bar, share) {
  bar.style.setProperty("--h", Math.abs(Math.round(100 * share)));
  bar.classList.toggle("down", share < 0);
}
