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

function head(title, note) {
  const line = make("p", "head");
  line.append(make("b", "", title), make("span", "", note));
  return line;
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
    const left = make("div", "left");
    left.append(...this.lanes(), this.text());
    page.append(left, this.list());
    this.root.replaceChildren(page);
    const picked = this.picked;
    this.picked = -1;
    this.pick(picked);
  }

  lanes() {
    const { lanes, sources, words } = this.data;
    const box = make("div", "lanes");
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", words.strip);
    for (const { source, pieces } of lanes) {
      const of = sources[source];
      const lane = make("div", "lane");
      for (const [left, width, tone, start] of pieces) {
        const piece = make("button", `t${tone} ${of ? of.style : "many"}`);
        piece.type = "button";
        piece.tabIndex = -1; // the list beside the text says the same and is reached by keyboard
        piece.setAttribute("aria-label", of ? of.name : words.many);
        piece.title = of ? of.name : words.many;
        piece.style.left = left + "%";
        piece.style.width = width + "%";
        piece.onclick = () => {
          this.pick(source, true);
          const marks = [...this.root.querySelectorAll(".text [data-at]")];
          marks.findLast((node) => +node.dataset.at >= 0 && +node.dataset.at <= start)?.scrollIntoView({ block: "center" });
        };
        if (of) this.marks[source].push(piece);
        lane.append(piece);
      }
      box.append(make("span", `name ${of ? of.style : ""}`, of ? of.chip : "≥"), lane);
    }
    return lanes.length ? [head(words.strip, words.strip_note), box] : [];
  }

  text() {
    const { paragraphs, tight, sources, lang, words } = this.data;
    const col = make("div", "col");
    col.setAttribute("role", "region");
    col.setAttribute("aria-label", words.text);
    const text = make("div", "text");
    text.lang = lang;
    let folded = null;
    for (const [row, pieces] of paragraphs.entries()) {
      const paragraph = make("p", tight[row] ? "tight" : "");
      const out = pieces.every(([run, source = -1, , , left = 0]) => source < 0 && (left || !run.trim()));
      if (out && !folded) {
        folded = make("details", "given");
        text.append(folded);
      }
      (out ? folded : text).append(paragraph);
      const why = pieces.map((piece) => piece[4]).find((reason) => typeof reason === "string");
      if (out && why && !folded.querySelector("summary")) folded.prepend(make("summary", "", why));
      if (!out) folded = null;
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
    }
    for (const part of text.querySelectorAll("details")) {
      if (!part.querySelector("summary")) part.replaceWith(...part.childNodes);
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
    const top = make("li", "top");
    top.append(head(words.sources, words.sources_note));
    list.append(top);
    sources.forEach((source, at) => {
      const item = make("li");
      const button = make("button", "source " + source.style);
      button.type = "button";
      button.title = words.hint;
      button.setAttribute("aria-pressed", "false");
      button.append(make("span", "chip " + source.style, source.chip), make("span", "name", source.name), make("span", "facts", source.facts));
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
    list.append(make("li", "foot", sources.length ? words.total : words.none));
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
