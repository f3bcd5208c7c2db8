// The reader of two texts: what can be turned off, both texts, what is known of the same meaning.
// Needs shared/dom.js and pair/pair.js. Text from documents enters the page through text nodes only.

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".reader");
  root.reader ??= new Reader(root);
  root.reader.show(data);
  return () => root.reader.pause();
}

class Reader {
  constructor(root) {
    this.bar = make("div", "bar");
    this.pair = new Pair(make("div"), (index) => this.tell(index));
    this.foot = make("div", "apparatus");
    this.said = make("div", "unseen");
    this.said.setAttribute("role", "status");
    this.afar = (event) => this.bracket(event);
    root.append(this.bar, this.pair.root, this.foot, this.said);
    root.setAttribute("role", "group");
    this.root = root;
  }

  show(data) {
    const { words, alike, digest, pair } = data;
    const fresh = this.data?.digest !== digest;
    if (this.data?.pair !== pair) this.pair.off.clear();
    this.data = data;
    this.root.classList.toggle("alike", Boolean(alike));
    this.root.setAttribute("aria-label", words.label);
    if (fresh) {
      this.toolbar();
      this.apparatus();
    }
    this.pair.show(data, words, data);
    document.removeEventListener("keydown", this.afar);
    document.addEventListener("keydown", this.afar);
  }

  pause() {
    this.pair.pause();
    document.removeEventListener("keydown", this.afar);
  }

  toolbar() {
    const { switches, words, lang, nothing, matches } = this.data;
    const list = make("div", "legend", ...switches.map(({ name, label, total }) => {
      const sample = name === "moved" ? "⇅" : make("span", name[0] === "t" ? `tone ${name}` : `m ${name} t0`, name[0] === "t" ? "" : label);
      const tail = name[0] === "k" ? [make("span", "total", total)] : name === "moved" ? [label, make("span", "total", total)] : [make("b", "", total), label];
      const button = make("button", "", sample, ...tail);
      button.lang = lang;
      button.type = "button";
      button.title = words.filter;
      button.setAttribute("aria-pressed", String(!this.pair.off.has(name)));
      button.onclick = () => button.setAttribute("aria-pressed", String(this.pair.turn(name)));
      return button;
    }));
    if (!switches.length) list.append(nothing);
    const [back, on] = [-1, 1].map((way) => {
      const button = make("button", "push", way < 0 ? "‹" : "›");
      button.type = "button";
      button.setAttribute("aria-label", way < 0 ? words.previous : words.next);
      button.ariaKeyShortcuts = way < 0 ? "[" : "]";
      button.disabled = !matches.length;
      button.onclick = () => this.pair.step(way);
      return button;
    });
    this.counter = make("span", "", `0 / ${matches.length}`);
    const keys = ["[", "]"].map((key) => make("kbd", "", key));
    for (const key of keys) key.setAttribute("aria-hidden", "true");
    this.bar.replaceChildren(list, make("div", "steps", back, this.counter, on, ...keys));
  }

  apparatus() {
    const { alike, kinds } = this.data;
    this.foot.replaceChildren(...kindsLegend(kinds));
    this.foot.hidden = !kinds.length && !alike;
    if (!alike) return;
    this.evidence = make("p", "evidence");
    this.evidence.setAttribute("role", "status");
    this.foot.append(make("div", "words", this.evidence, make("p", "traces", alike.traces)), this.scale(alike));
  }

  /** Say where the reader is; of sentences of the same meaning, what is known of them. */
  tell(index) {
    const { matches, alike } = this.data;
    this.counter.textContent = `${index + 1} / ${matches.length}`;
    this.said.textContent = matches[index].label;
    if (!alike) return;
    const runs = alike.evidence[index - alike.first] ?? [];
    this.evidence.replaceChildren(...(runs.length ? [make("b", "", matches[index].chip), " "] : []),
      ...runs.map(([text, bold]) => (bold ? make("b", "", text) : text)));
    for (const disc of this.discs ?? []) disc.classList.toggle("on", matches[index].kind === "meaning" && disc.letter === matches[index].chip);
  }

  /** Unrelated sentences as a hill, their highest as a line, those of this pair as lettered discs. */
  scale({ scale, small }) {
    const box = make("div", "scale");
    if (!scale) {
      box.append(make("p", "small", small));
      return box;
    }
    box.append(make("h2", "", scale.title), make("p", "small", scale.note));
    const [wide, base, tall] = [400, 70, 46];
    const x = (value) => 10 + ((wide - 20) * (value - scale.low)) / (1 - scale.low);
    const svg = shape("svg", { viewBox: `0 0 ${wide} 92`, "aria-hidden": "true" });
    const most = Math.max(...scale.heights, 1);
    const step = (1 - scale.low) / scale.heights.length;
    const tops = scale.heights.map((n, at) => `${x(scale.low + (at + 0.5) * step)} ${base - (tall * n) / most}`);
    svg.append(
      shape("path", { class: "hill", d: `M${x(scale.low)} ${base}L${tops.join("L")}L${x(1)} ${base}Z` }),
      shape("path", { class: "axis", d: `M${x(scale.low)} ${base}H${x(1)}` }),
      shape("path", { class: "line", d: `M${x(scale.highest)} ${base - 46}V${base + 4}` }),
      shape("text", { x: x(scale.highest) - 6, y: base - 38, "text-anchor": "end" }, scale.highest_label),
      shape("text", { x: x(scale.low), y: base + 17, class: "dim" }, scale.ends[0]),
      shape("text", { x: x(1), y: base + 17, class: "dim", "text-anchor": "end" }, scale.ends[1]),
    );
    const rows = []; // of discs, each with the places that are taken
    this.discs = scale.discs.map((disc) => {
      const at = x(disc.at);
      let row = rows.findIndex((taken) => taken.every((other) => Math.abs(other - at) > 15));
      if (row < 0) row = rows.push([]) - 1;
      rows[row].push(at);
      const y = base - 10 - 15 * row;
      const group = shape("g", { class: "disc" });
      group.append(shape("path", { d: `M${at} ${base}V${y}` }), shape("circle", { cx: at, cy: y, r: 7 }),
        shape("text", { x: at, y: y + 3.4, "text-anchor": "middle" }, disc.letter));
      group.letter = disc.letter;
      svg.append(group);
      return group;
    });
    const lift = Math.max(0, rows.length - 4) * 15;
    if (lift) svg.setAttribute("viewBox", `0 ${-lift} ${wide} ${92 + lift}`);
    const table = make("table");
    for (const [label, value] of scale.table) {
      const row = make("tr");
      const head = make("th", "", label);
      head.scope = "row";
      row.append(head, make("td", "", value));
      table.append(row);
    }
    const behind = make("details");
    behind.append(make("summary", "", scale.table_title), table);
    box.append(svg, behind);
    return box;
  }

  /** [ and ] wherever the focus is, unless one types or chooses there. */
  bracket(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.root.isConnected) return;
    const way = { "]": 1, "[": -1 }[event.key];
    if (!way || event.composedPath()[0].matches?.("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    this.pair.step(way);
  }
}
