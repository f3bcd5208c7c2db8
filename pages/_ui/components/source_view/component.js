// One text and the parts that other texts share, drawn as a text of a pair. Needs shared/dom.js and pair/pair.js.

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".sources");
  const view = (root.view ??= new Sources(root));
  view.ask = (source) => setTriggerValue("open", data.sources[source].row);
  view.show(data);
}

function head(title, note) {
  return make("p", "fig", make("b", "", title), make("span", "", note));
}

class Sources extends Pair {
  constructor(root) {
    super(root);
    root.classList.add("whole", "strike");
    root.addEventListener("keydown", (event) => event.key === "Escape" && this.pick(-1));
  }

  show(data) {
    const old = this.data;
    this.data = data;
    if (old?.digest === data.digest) return;
    const picked = old?.document === data.document ? this.picked : -1;
    this.words = data.words;
    this.sheet = { sides: [data.text], matches: data.matches, opposite: [] };
    [this.parts, this.lines, this.where] = [[new Map()], [[], []], [[]]];
    const text = this.column({ ...data.text, region: data.words.text }, 0);
    text.ondblclick = ({ target }) => {
      const hit = target.closest("[data-m]");
      if (hit) this.ask(data.matches[+hit.dataset.m].source);
    };
    this.marks = data.sources.map(() => []);
    data.matches.forEach(({ source }, index) => this.marks[source].push(...this.parts[0].get(index)));
    this.root.replaceChildren(make("div", "page", make("div", "left", ...this.lanes(), text), this.list()));
    this.picked = -1;
    this.pick(picked);
  }

  choose(index) {
    this.pick(this.data.matches[index].source);
  }

  measure() {} // nothing stands opposite

  scrolled() {}

  lanes() {
    const { lanes, sources, words, matches } = this.data;
    const box = make("div", "lanes");
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", words.strip);
    for (const { source, pieces } of lanes) {
      const of = sources[source];
      const lane = make("div", "lane", ...pieces.map(([left, width, tone, start]) => {
        const piece = makeButton(`t${tone} ${of ? of.style : "many"}`, () => {
          this.pick(source, true);
          const index = matches.findLastIndex((match) => match.at <= start && (!of || match.source === source));
          this.parts[0].get(index)?.[0].scrollIntoView({ block: "center" });
        });
        piece.tabIndex = -1; // the list beside the text says the same and is reached by keyboard
        piece.title = of ? of.name : words.many;
        piece.setAttribute("aria-label", piece.title);
        piece.style.left = `${left}%`;
        piece.style.width = `${width}%`;
        if (of) this.marks[source].push(piece);
        return piece;
      }));
      box.append(make("span", `name ${of ? of.style : ""}`, of ? of.chip : "≥"), lane);
    }
    return lanes.length ? [head(words.strip, words.strip_note), box] : [];
  }

  list() {
    const { sources, words } = this.data;
    const items = sources.map((source, at) => {
      const button = makeButton("source", () => this.pick(at), make("span", `chip ${source.style}`, source.chip),
        make("span", "name", source.name), make("span", "facts", source.facts));
      button.title = words.hint;
      button.ondblclick = () => this.ask(at);
      button.onkeydown = (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        this.ask(at);
      };
      const item = make("li", "", button, makeButton("open", () => this.ask(at), words.open));
      this.marks[at].push(item, button);
      return item;
    });
    const list = make("ol", "list", make("li", "top", head(words.sources, words.sources_note)), ...items,
      make("li", "foot", sources.length ? words.total : words.none));
    list.setAttribute("aria-label", words.sources);
    return list;
  }

  pick(source, keep = false) {
    this.picked = source === this.picked && !keep ? -1 : source;
    this.root.classList.toggle("picked", this.picked >= 0);
    this.marks.forEach((nodes, at) => {
      for (const node of nodes) {
        node.classList.toggle("on", at === this.picked);
        if (node.matches(".source")) node.setAttribute("aria-pressed", String(at === this.picked));
      }
    });
  }
}
