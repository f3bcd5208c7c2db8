// Texts alike as a whole: list of clusters, graph of one, its members. Needs shared/dom.js.

const SVG = "http://www.w3.org/2000/svg";
const RADIUS = 11.5;
const ROOM = [400, 400]; // least size of a picture, so that a small cluster is not blown up

function draw(tag, attributes, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

function column(className, title, note, ...content) {
  const head = make("div", "fig", make("h2", "", title), make("span", "note", note));
  return make("section", className, head, ...content);
}

class Board {
  constructor(root) {
    this.root = root;
    root.addEventListener("keydown", (event) => this.key(event));
  }

  show(data, send) {
    const another = !this.data || this.data.selected !== data.selected
      || this.data.members.length !== data.members.length;
    this.data = data;
    this.send = send;
    if (another) this.picked = 0;
    const scrolled = [...this.root.querySelectorAll(".scroll")].map((node) => node.scrollTop);
    const focused = this.root.contains(this.root.getRootNode().activeElement)
      && this.root.getRootNode().activeElement.dataset.focus;
    this.root.replaceChildren(this.list(), this.middle(), this.memberTable());
    this.root.querySelectorAll(".scroll").forEach((node, at) => {
      node.scrollTop = at === 0 || !another ? scrolled[at] ?? 0 : 0;
    });
    this.root.querySelector("[aria-pressed=true]")?.scrollIntoView({ block: "nearest" });
    if (focused) this.root.querySelector(`[data-focus="${focused}"]`)?.focus();
    this.pick(this.picked);
    fitNames(this.root);
  }

  // ---- all clusters -----------------------------------------------------------------------------

  list() {
    const { entries, selected, words } = this.data;
    const largest = Math.max(...entries.map((entry) => entry.texts));
    const head = make("div", "row head", make("span", "", words.no), make("span", "", words.who),
      make("span", "", words.texts), make("span", "num", words.weakest));
    head.setAttribute("aria-hidden", "true");
    const rows = entries.map((entry, at) => {
      const bar = make("i");
      bar.style.width = `${Math.max(4, (36 * entry.texts) / largest)}px`;
      const name = make("span", "who", entry.name);
      name.title = entry.name;
      const size = make("span", "bar", bar, make("span", "", String(entry.texts)));
      const button = make("button", "row", make("span", "dim", String(at + 1)), name, size,
        make("span", "num dim", entry.weakest));
      button.type = "button";
      button.dataset.focus = `c${at}`;
      button.setAttribute("aria-pressed", String(at === selected));
      button.setAttribute("aria-label", entry.label);
      button.onclick = () => this.send.cluster(at);
      return button;
    });
    const scroll = make("div", "scroll list", head, ...rows);
    return column("clusters", words.all, words.all_note, scroll, make("p", "foot", words.all_foot));
  }

  // ---- the graph --------------------------------------------------------------------------

  middle() {
    const { graph, words } = this.data;
    this.detail = make("p", "detail");
    const notes = graph ? words.graph_foot.split("\n") : [];
    return column("middle", words.name, graph ? words.graph_note : "",
      make("div", "picture", graph ? this.graph() : this.couple()), graph ? this.detail : "",
      ...notes.map((note) => make("p", "foot", note)));
  }

  couple() {
    const { members, words } = this.data;
    const button = make("button", "link", words.compare);
    button.type = "button";
    button.onclick = () => this.send.open("pair", [0, 1]);
    return make("div", "couple", make("p", "", words.couple),
      ...members.slice(0, 2).map((member) => make("p", "", nameNode(member.name, member.whole))), button);
  }

  graph() {
    const { graph, members, words } = this.data;
    const [wide, high] = [Math.max(graph.width, ROOM[0]), Math.max(graph.height, ROOM[1])];
    const corner = `${(graph.width - wide) / 2} ${(graph.height - high) / 2}`;
    const svg = draw("svg", { viewBox: `${corner} ${wide} ${high}`, role: "group", "aria-label": words.alt });
    const strongest = [...graph.links].sort((one, other) => one.closeness - other.closeness);
    this.lines = strongest.map((link) => this.line(svg, graph, link));
    this.nodes = graph.places.map(([x, y], at) => {
      const node = draw("g", { class: members[at].centre ? "node centre" : "node", transform: `translate(${x} ${y})` });
      node.append(draw("title", {}, members[at].whole), draw("circle", { r: RADIUS }),
        draw("text", { dy: ".36em" }, String(at + 1)));
      node.onclick = () => this.pick(at);
      svg.append(node);
      return node;
    });
    for (const link of strongest) if (link.weakest) svg.append(this.tag(graph, link));
    return svg;
  }

  line(svg, graph, link) {
    const [[x1, y1], [x2, y2]] = [graph.places[link.a], graph.places[link.b]];
    const kind = `link${link.dashed ? " dashed" : ""}${link.weakest ? " weak" : ""}`;
    const line = draw("line", { x1, y1, x2, y2, class: kind, "stroke-width": link.dashed || link.weakest ? 1.4 : 0.8 + 2.4 * link.closeness });
    line.style.opacity = link.weakest ? 1 : 0.16 + 0.74 * link.closeness;
    const hit = draw("line", { x1, y1, x2, y2, class: "hit" });
    hit.append(draw("title", {}, link.label));
    hit.onclick = () => this.send.open("pair", [link.a, link.b]);
    svg.append(line, hit);
    return [link, line];
  }

  tag(graph, link) {
    const [[x1, y1], [x2, y2]] = [graph.places[link.a], graph.places[link.b]];
    // nearer to the lower number: the centre has more room around it than a community
    const at = link.a < link.b ? 0.38 : 0.62;
    return draw("text", { class: "tag", x: x1 + at * (x2 - x1), y: y1 + at * (y2 - y1), dy: ".36em" }, link.weakest);
  }

  // ---- members ----------------------------------------------------------------------------------

  memberTable() {
    const { members, words } = this.data;
    const table = make("table", "members");
    table.setAttribute("aria-label", words.members);
    const head = table.createTHead().insertRow();
    for (const [word, className] of [["", "id"], [words.text, ""], [words.to_centre, "num"], [words.overlap, "num"]]) {
      const cell = make(word ? "th" : "td", className, word);
      if (word) cell.scope = "col";
      head.append(cell);
    }
    const body = table.createTBody();
    this.rows = members.map((member, at) => {
      const row = body.insertRow();
      row.tabIndex = 0;
      row.dataset.focus = `m${at}`;
      row.append(make("td", member.centre ? "id centre" : "id", make("b", "", String(at + 1))),
        make("td", "", nameNode(member.name, member.whole)), make("td", "num", member.distance),
        make("td", "num", member.overlap));
      row.onclick = () => this.pick(at);
      row.ondblclick = () => this.send.open("text", [at]);
      row.onfocus = () => this.pick(at);
      return row;
    });
    return column("texts", words.members, words.members_note, make("div", "scroll", table),
      make("p", "foot", words.members_foot));
  }

  /** Emphasise one member everywhere and say its whole name. */
  pick(at) {
    const { members, graph, words } = this.data;
    this.picked = Math.min(Math.max(at, 0), members.length - 1);
    this.rows.forEach((row, place) => row.classList.toggle("on", place === this.picked));
    if (graph) {
      this.nodes.forEach((node, place) => node.classList.toggle("on", place === this.picked));
      for (const [link, line] of this.lines)
        line.classList.toggle("lit", this.picked > 0 && [link.a, link.b].includes(this.picked));
    }
    const member = members[this.picked];
    const link = (word, open) => {
      const button = make("button", "link", word);
      button.type = "button";
      button.onclick = open;
      return button;
    };
    this.detail.replaceChildren(make("b", "", String(this.picked + 1)), ` ${member.whole}`, make("br"),
      make("span", "dim", `${member.facts} · `), link(words.read, () => this.send.open("text", [this.picked])),
      ...(this.picked ? [" ", link(words.compare_centre, () => this.compare())] : []));
  }

  compare() {
    if (this.picked) this.send.open("pair", [0, this.picked]);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { entries, selected } = this.data;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const turn = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step && event.target.closest(".list") && entries[selected + step]) this.send.cluster(selected + step);
    else if (step && event.target.closest(".members")) this.rows[this.picked + step]?.focus();
    else if (turn) this.pick(this.picked + turn);
    else if (event.key === "Enter" && event.target.closest("tr")) this.compare();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".board");
  root.board ??= new Board(root);
  root.board.show(data, {
    cluster: (at) => setStateValue("cluster", at),
    open: (kind, places) => setTriggerValue("open", { kind, places }),
  });
}
