// One text and the parts that other texts share. Text from documents enters through textContent only.

function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".sources");
  const view = (root.view ??= new Sources(root));
  view.open = (source) => setTriggerValue("open", data.sources[source].row);
  view.show(data);
}

class Sources {
  constructor(root) {
    this.root = root;
    this.picked = -1;
    root.addEventListener("keydown", (event) => event.key === "Escape" && this.pick(-1));
  }

  show(data) {
    const old = this.data;
    this.data = data;
    if (old && old.digest === data.digest) return;
    if (!old || old.document !== data.document) this.picked = -1;
    this.marks = data.sources.map(() => []);
    const page = make("div", "page");
    page.append(this.text(), this.list());
    this.root.replaceChildren(...this.strip(), page);
    const picked = this.picked;
    this.picked = -1;
    this.pick(picked);
  }

  strip() {
    const { strip, sources, words } = this.data;
    const bar = make("div", "strip");
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", words.strip);
    for (const [source, left, width, start] of strip) {
      const block = make("button", sources[source].style);
      block.type = "button";
      block.tabIndex = -1; // the list below says the same and is reached by keyboard
      block.setAttribute("aria-label", sources[source].name);
      block.title = sources[source].name;
      block.style.left = left + "%";
      block.style.width = width + "%";
      block.onclick = () => {
        this.pick(source, true);
        this.marks[source].find((node) => node.dataset.at === String(start))?.scrollIntoView({ block: "center" });
      };
      this.marks[source].push(block);
      bar.append(block);
    }
    const ends = make("div", "ends");
    for (const word of [words.start, words.middle, words.end]) ends.append(make("span", "", word));
    return [bar, ends];
  }

  text() {
    const { paragraphs, tight, sources, lang, words } = this.data;
    const col = make("div", "col");
    col.setAttribute("role", "region");
    col.setAttribute("aria-label", words.text);
    const text = make("div", "text");
    text.lang = lang;
    for (const [row, pieces] of paragraphs.entries()) {
      const paragraph = make("p", tight[row] ? "tight" : "");
      for (const [run, source = -1, first = 0, at = -1, out = 0, odd = 0] of pieces) {
        const mark = (node) => {
          if (odd) node.title = words.unsure;
          node.classList.toggle("unsure", Boolean(odd));
          return node;
        };
        if (source < 0) {
          paragraph.append(out || odd ? mark(make("span", out ? "out" : "", run)) : run);
          if (typeof out === "string") paragraph.append(make("span", "why", out));
          continue;
        }
        const { style, chip } = sources[source];
        const nodes = [mark(make("span", "s " + style, run))];
        if (first) nodes.unshift(make("span", "chip " + style, chip));
        for (const node of nodes) {
          node.dataset.s = source;
          node.dataset.at = at;
          this.marks[source].push(node);
        }
        paragraph.append(...nodes);
      }
      text.append(paragraph);
    }
    col.onclick = (event) => {
      const hit = event.target.closest("[data-s]");
      if (hit && !getSelection().toString()) this.pick(+hit.dataset.s);
    };
    col.ondblclick = (event) => {
      const hit = event.target.closest("[data-s]");
      if (hit) this.open(+hit.dataset.s);
    };
    col.append(text);
    return col;
  }

  list() {
    const { sources, words } = this.data;
    const list = make("ol", "list");
    list.setAttribute("aria-label", words.sources);
    sources.forEach((source, at) => {
      const item = make("li");
      const button = make("button", "source " + source.style);
      button.type = "button";
      button.title = words.hint;
      button.setAttribute("aria-pressed", "false");
      const track = make("span", "track");
      const amount = make("span", "amount");
      amount.style.setProperty("--w", source.width + "%");
      track.append(amount);
      button.append(make("span", "chip " + source.style, source.chip), make("span", "name", source.name), make("span", "share", source.share), track, make("span", "facts", source.facts));
      button.onclick = () => this.pick(at);
      button.ondblclick = () => this.open(at);
      button.onkeydown = (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        this.open(at);
      };
      const go = make("button", "open", words.open);
      go.type = "button";
      go.onclick = () => this.open(at);
      item.append(button, go);
      this.marks[at].push(item, button);
      list.append(item);
    });
    list.append(make("li", "foot", sources.length ? words.foot : words.none));
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
