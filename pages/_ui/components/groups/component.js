// The groups of a check: a map of who is joined to whom, and the passages of one group. Needs shared/dom.js.

const WIDTH = 424; // of the map, as `groups/map.py` has it
const SHEETS = 60; // texts outside of all groups that are drawn

function button(className, name, onclick, ...children) {
  const node = makeButton(className, (event) => {
    event.stopPropagation();
    onclick();
  }, ...children);
  node.dataset.focus = name;
  return node;
}

function put(node, [x, y]) {
  node.style.left = `${x}px`;
  node.style.top = `${y}px`;
  return node;
}

class Groups {
  constructor(root) {
    this.root = root;
  }

  show(data, send) {
    this.data = data;
    this.send = send;
    const active = this.root.getRootNode().activeElement;
    const focused = this.root.contains(active) && active.dataset.focus;
    const scrolled = this.root.querySelector(".bands")?.scrollTop ?? 0;
    this.root.replaceChildren(this.map(), this.sheet());
    this.root.querySelector(".bands").scrollTop = scrolled;
    if (focused) this.root.querySelector(`[data-focus="${focused}"]`)?.focus();
  }

  // ---- the map ----------------------------------------------------------------------------------

  map() {
    const { groups, outside, outside_said, words } = this.data;
    const bands = make("div", "bands", ...groups.map((group, at) => this.band(group, at)));
    const sheets = make("div", "sheets", ...Array.from({ length: Math.min(outside, SHEETS) }, () => make("i")));
    sheets.setAttribute("aria-hidden", "true");
    const section = make("section", "map", make("div", "fig", make("h2", "", words.title), make("span", "", words.lead)),
      bands, outside ? sheets : "", make("p", "foot", outside_said));
    section.setAttribute("aria-label", words.map);
    return section;
  }

  band(group, at) {
    const on = at === this.data.chosen;
    const pick = button("pick", `g${at}`, () => this.send.group(at), make("b", "", group.number), make("span", "title", group.title),
      make("span", "names", group.names), make("span", "words", group.words));
    pick.setAttribute("aria-pressed", String(on));
    pick.setAttribute("aria-label", group.label);
    const drawn = make("div", "drawn", this.lines(group), ...group.links.filter(() => !group.many).map((link) => this.link(link, at)),
      ...group.passages.map((passage) => this.passage(passage, at)), ...group.members.map((member, place) => this.member(group, member, place)));
    drawn.style.height = `${group.height}px`;
    const band = make("div", `band${on ? " on" : ""}${group.title ? " titled" : ""}`, pick, drawn, make("p", "foot", group.more));
    band.onclick = () => this.send.group(at);
    return band;
  }

  lines(group) {
    const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${group.height}`, width: WIDTH, height: group.height, "aria-hidden": "true" });
    for (const passage of group.passages) for (const place of passage.holders) {
      const [[x1, y1], [x2, y2]] = [group.members[place].at, passage.at];
      svg.append(shape("line", { x1, y1, x2, y2, class: "few" }));
    }
    for (const link of group.links)
      svg.append(shape("path", { d: link.way, class: link.kind, "stroke-width": group.many ? link.width / 3 : link.width }));
    return svg;
  }

  link(link, at) {
    const node = put(button("at words", `l${link.pair}`, () => this.open(at, "pair", link.pair), link.words), link.at);
    node.setAttribute("aria-label", link.label);
    node.title = link.label;
    return node;
  }

  passage(passage, at) {
    return put(button("at passage", `p${passage.number}`, () => this.open(at, "case", passage.number),
      make("span", "dim", passage.case), " ", make("span", "", passage.words)), passage.at);
  }

  member(group, member, place) {
    const node = put(button("at who", `m${member.row}`, () => this.send.open("text", member.row),
      group.many ? String(place + 1) : member.name), member.at);
    node.title = member.whole;
    if (group.many) node.setAttribute("aria-label", `${place + 1} ${member.name}`);
    return node;
  }

  /** Open what a group holds; its pairs are those that previous and next lead through. */
  open(at, kind, place) {
    if (at !== this.data.chosen) this.send.group(at);
    this.send.open(kind, place);
  }

  // ---- the passages of one group ----------------------------------------------------------------

  sheet() {
    const { sheet, words, kinds, foot, chosen } = this.data;
    const review = sheet.review && button("plain", "review", () => this.send.open("review"), sheet.review);
    const head = make("div", "fig", make("h2", "", sheet.title), make("span", "", sheet.note ?? ""), review);
    const more = sheet.more ? [button("link", "more", () => this.send.all(chosen), sheet.more)] : [];
    const keys = Object.entries(kinds).map(([kind, label]) => make("span", "key", this.cell(kind), label));
    const section = make("section", "sheet", head, sheet.rows.length ? this.table(sheet, words) : "", ...more,
      sheet.rows.length ? make("p", "legend", ...keys) : "", make("p", "foot", foot));
    section.setAttribute("aria-label", words.passages);
    return section;
  }

  table(sheet, words) {
    const slanted = sheet.heads.length > 6;
    const table = make("table", slanted ? "slanted" : "");
    table.setAttribute("aria-label", words.passages);
    const top = table.createTHead().insertRow();
    top.append(make("td"));
    sheet.heads.forEach(([name, whole], place) => {
      const head = make("th", "member", make("span", "", sheet.numbered ? `${place + 1} ${name}` : name));
      head.scope = "col";
      head.title = whole;
      top.append(head);
    });
    const body = table.createTBody();
    sheet.rows.forEach((row, at) => {
      const line = body.insertRow();
      const text = make("q", "", row.text);
      text.lang = row.lang;
      const open = button("link", `r${at}`, () => this.send.open(row.kind, row.place), row.case);
      line.append(make("td", "said", text, make("span", "facts", open, row.facts), make("span", "holders", row.who)),
        ...row.cells.map((kind) => make("td", "member", this.cell(kind, this.data.kinds[kind]))));
    });
    return table;
  }

  /** A passage as a member holds it; of clusters, a number. */
  cell(kind, label) {
    if (!(kind in this.data.kinds)) return kind;
    const node = make("i", kind ? `cell ${kind}` : "cell none");
    if (label) {
      node.setAttribute("role", "img");
      node.setAttribute("aria-label", label);
    } else node.setAttribute("aria-hidden", "true");
    return node;
  }
}

export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".groups");
  root.groups ??= new Groups(root);
  root.groups.show(data, {
    group: (at) => setStateValue("group", at),
    all: (at) => setStateValue("all", at),
    open: (kind, place) => setTriggerValue("open", { kind, place }),
  });
}
