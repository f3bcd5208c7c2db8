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
    const { words, traces, digest, pair } = data;
    const fresh = this.data?.digest !== digest;
    if (this.data?.pair !== pair) this.pair.off.clear();
    this.data = data;
    this.root.classList.toggle("alike", traces !== null);
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
      const button = makeButton("", () => button.setAttribute("aria-pressed", String(this.pair.turn(name))), sample, ...tail);
      [button.lang, button.title] = [lang, words.filter];
      button.setAttribute("aria-pressed", String(!this.pair.off.has(name)));
      return button;
    }));
    if (!switches.length) list.append(nothing);
    const [back, on] = [-1, 1].map((way) => {
      const button = makeButton("push", () => this.pair.step(way), way < 0 ? "‹" : "›");
      button.setAttribute("aria-label", way < 0 ? words.previous : words.next);
      button.ariaKeyShortcuts = way < 0 ? "[" : "]";
      button.disabled = !matches.length;
      return button;
    });
    this.counter = make("span", "", `0 / ${matches.length}`);
    const keys = ["[", "]"].map((key) => make("kbd", "", key));
    for (const key of keys) key.setAttribute("aria-hidden", "true");
    this.bar.replaceChildren(list, make("div", "steps", back, this.counter, on, ...keys));
  }

  apparatus() {
    const { traces, kinds } = this.data;
    this.foot.replaceChildren(...kindsLegend(kinds));
    this.foot.hidden = !kinds.length && traces === null;
    if (traces === null) return;
    this.evidence = make("p", "evidence");
    this.evidence.setAttribute("role", "status");
    this.foot.append(this.evidence, make("p", "traces", traces));
  }

  /** Say where the reader is; of sentences of the same meaning, what is known of them. */
  tell(index) {
    const { matches, traces } = this.data;
    const { chip, label, evidence = [] } = matches[index];
    this.counter.textContent = `${index + 1} / ${matches.length}`;
    this.said.textContent = label;
    if (traces === null) return;
    this.evidence.replaceChildren(...(evidence.length ? [make("b", "", chip), " "] : []),
      ...evidence.map(([text, bold]) => (bold ? make("b", "", text) : text)));
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
