// Two texts beside each other, every shared passage tied to its place on the other side.
// Text from documents enters the page through textContent only.

const SVG = "http://www.w3.org/2000/svg";
const EDGE = 10; // least height of a line whose passage began above
const LINE = 0.3; // height, as a share of the column, at which both sides are kept in step

function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".reader");
  root.reader ??= new Reader(root);
  root.reader.show(data);
  return () => root.reader.pause();
}

class Reader {
  constructor(root) {
    this.root = root;
    this.off = new Set();
    this.active = 0;
    this.lit = false; // nothing is emphasised before the reader has chosen a passage
    this.expected = [null, null]; // scroll positions set by us, so that their events are not answered
    this.drift = 0;
    root.addEventListener("keydown", (event) => this.key(event));
    this.afar = (event) => this.bracket(event);
    this.resize = new ResizeObserver(() => this.measure());
  }

  show(data) {
    const old = this.data;
    this.data = data;
    if (!old || old.digest !== data.digest) {
      const samePair = old && old.pair === data.pair;
      const places = samePair ? this.cols.map((col) => col.scrollTop) : [0, 0];
      if (!samePair) {
        this.active = 0;
        this.lit = false;
        this.off.clear();
      }
      this.build();
      this.flags();
      this.measure();
      this.cols.forEach((col, side) => this.scroll(side, places[side]));
      if (!samePair && data.opens >= 0) this.open(data.opens);
    } else {
      const place = this.place();
      this.flags();
      this.measure();
      if (old.fold !== data.fold) this.restore(place);
    }
    this.resize.observe(this.root);
    document.removeEventListener("keydown", this.afar);
    if (data.alike) document.addEventListener("keydown", this.afar);
  }

  /** A pair opens at its longest passage, in the middle of the column. */
  open(index) {
    const go = () => {
      const place = this.tops[0][index];
      if (place) this.choose(index, -1, undefined, Math.max((this.cols[0].clientHeight - place.bottom + place.top) / 2, 12));
    };
    go();
    document.fonts?.ready.then(() => { // other letters have other widths
      if (this.active !== index || this.moved) return;
      this.measure();
      go();
    });
  }

  pause() {
    this.resize.disconnect();
    document.removeEventListener("keydown", this.afar);
  }

  flags() {
    const { fold, diff, strike } = this.data;
    this.root.classList.toggle("folded", fold);
    this.root.classList.toggle("diff", diff);
    this.root.classList.toggle("strike", strike);
    if (!fold) for (const node of this.root.querySelectorAll(".shown")) node.classList.remove("shown");
    for (const kind of ["identical", "reworded", "moved", "summary", "weak", "meaning"])
      this.root.classList.toggle("off-" + kind, this.off.has(kind));
  }

  // ---- building -------------------------------------------------------------------------------

  build() {
    const { sides, words } = this.data;
    this.parts = sides.map(() => new Map());
    this.folds = sides.map(() => new Map());
    this.lines = [[], []]; // what does not count, a line each
    const spread = make("div", "spread");
    this.cols = sides.map((side, at) => this.column(side, at));
    this.minis = sides.map((side, at) => this.minimap(at));
    sides.forEach((side, at) => spread.append(this.head(side, at)));
    const gutter = make("div", "gu");
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("aria-hidden", "true");
    gutter.append(this.svg);
    this.paths = this.data.matches.map((match) => {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("class", "k-" + match.kind);
      return path;
    });
    spread.append(this.minis[0], this.cols[0], gutter, this.cols[1], this.minis[1]);
    this.root.classList.toggle("alike", Boolean(this.data.alike));
    this.root.replaceChildren(this.toolbar(), spread, this.apparatus());
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", words.label);
    this.mark(this.active);
    this.root.querySelector(".apparatus").hidden = !this.data.matches.length;
  }

  toolbar() {
    const { legend, words, lang } = this.data;
    const bar = make("div", "bar");
    const list = make("div", "legend");
    for (const entry of legend) {
      const button = make("button");
      button.lang = lang;
      button.type = "button";
      button.title = words.filter;
      button.setAttribute("aria-pressed", String(!this.off.has(entry.kind)));
      button.append(make("span", "sample m k-" + entry.kind, entry.label), make("span", "total", entry.total));
      button.onclick = () => {
        if (!this.off.delete(entry.kind)) this.off.add(entry.kind);
        button.setAttribute("aria-pressed", String(!this.off.has(entry.kind)));
        this.flags();
        this.draw();
      };
      list.append(button);
    }
    if (!legend.length) list.append(make("span", "", words.nothing));
    const steps = make("div", "steps");
    const back = make("button", "push", "‹");
    const on = make("button", "push", "›");
    back.type = on.type = "button";
    back.setAttribute("aria-label", words.previous);
    on.setAttribute("aria-label", words.next);
    back.disabled = on.disabled = !this.data.matches.length;
    back.onclick = () => this.step(-1);
    on.onclick = () => this.step(1);
    this.counter = make("span");
    steps.append(back, this.counter, on, ...(this.data.alike ? ["[", "]"] : ["n", "p"]).map((key) => {
      const cap = make("kbd", "", key);
      cap.setAttribute("aria-hidden", "true");
      return cap;
    }));
    [back, on].forEach((button, at) => (button.ariaKeyShortcuts = this.data.alike ? "[]"[at] : "pn"[at]));
    bar.append(list, steps);
    return bar;
  }

  head(side, at) {
    const head = make("div", "head " + (at ? "hb b" : "ha"));
    const titles = make("div", "titles");
    const title = make("div", "title", side.title);
    title.lang = side.lang;
    const sub = make("div", "sub", side.sub);
    if (this.data.alike && side.bar.length) sub.append(wholeBar(side));
    titles.append(title, sub);
    head.append(make("div", "ring", side.letter), titles);
    return head;
  }

  column(side, at) {
    const col = make("div", "col " + (at ? "cb" : "ca"));
    col.tabIndex = 0;
    col.setAttribute("role", "region");
    col.setAttribute("aria-label", side.region);
    const text = make("div", "text");
    text.lang = side.lang;
    this.lines[at] = side.blocks.map((block, place) => this.block(block, at, place));
    side.paragraphs.forEach((pieces, row) => {
      const paragraph = this.paragraph(pieces, at, side.folds);
      paragraph.classList.toggle("tight", side.tight[row]);
      const place = side.blocks.findIndex((block) => block.first <= row && row <= block.last);
      const line = this.lines[at][place];
      if (line && side.blocks[place].first === row) text.append(line.button, line.under);
      (line?.under ?? text).append(paragraph);
    });
    col.append(text);
    col.onscroll = () => this.scrolled(at);
    col.onclick = (event) => {
      const hit = event.target.closest("[data-m]");
      if (hit && !this.off.has(this.data.matches[+hit.dataset.m].kind) && !getSelection().toString())
        this.choose(+hit.dataset.m, at, hit);
    };
    col.onmouseover = (event) => this.hover(event.target.closest("[data-m]"));
    col.onmouseleave = () => this.hover(null);
    return col;
  }

  /** Paragraphs that do not count: one line, which opens with the one opposite. */
  block(block, at, place) {
    const button = make("button", "out-fold");
    button.type = "button";
    button.append(make("span", "", block.label), make("i", "tag", block.tag));
    const partner = this.data.opposite.find((pair) => pair[at] === place)?.[1 - at];
    const labels = [block, ...(partner === undefined ? [] : [this.data.sides[1 - at].blocks[partner]])];
    button.setAttribute("aria-label", labels.map((one) => `${one.label} ${one.tag}`).join(", "));
    const under = make("div", "outs");
    const line = {button, under};
    line.show = (open) => {
      under.hidden = !open;
      button.setAttribute("aria-expanded", String(open));
    };
    line.show(false);
    button.onclick = () => {
      const open = under.hidden;
      for (const one of [line, this.lines[1 - at][partner]]) one?.show(open);
      this.measure();
    };
    return line;
  }

  paragraph(pieces, at, foldLabels) {
    const { matches } = this.data;
    const paragraph = make("p");
    let hidden = 0;
    for (let [text, owner = -1, changed = 0, fold = -1, out = 0, same = 0, odd = 0] of pieces) {
      if (fold >= 0 && !this.folds[at].has(fold)) {
        const button = make("button", "fold", foldLabels[fold]);
        button.type = "button";
        button.onclick = () => this.unfold(at, fold);
        this.folds[at].set(fold, [button]);
        paragraph.append(button);
      } else if (fold >= 0) hidden += 1;
      if (owner >= 0 && !this.parts[at].has(owner)) {
        const chip = make("span", "chip k-" + matches[owner].kind, matches[owner].chip);
        chip.setAttribute("role", "img");
        chip.setAttribute("aria-label", matches[owner].label);
        chip.dataset.m = owner;
        this.parts[at].set(owner, [chip]);
        const together = matches[owner].kind === "meaning" && text && this.together(chip, text, owner, at);
        paragraph.append(together || chip);
        if (together) text = text.slice(1);
      }
      if (owner < 0 && fold < 0 && !out && !odd) {
        paragraph.append(text);
        continue;
      }
      const span = make("span", "", text);
      if (owner >= 0) {
        span.className = "m k-" + (same ? "identical" : matches[owner].kind) + (changed ? " d" : "");
        span.dataset.m = owner;
        if (matches[owner].kind === "meaning") this.asButton(span, owner, at);
        this.parts[at].get(owner).push(span);
      } else if (fold >= 0) {
        span.className = "h";
        this.folds[at].get(fold).push(span);
      }
      if (out) {
        span.classList.add("out");
        if (typeof out === "string") span.append(make("span", "why", out));
      }
      if (odd) {
        span.classList.add("unsure");
        span.title = this.data.words.unsure;
      }
      paragraph.append(span);
    }
    if (hidden === pieces.length) {
      paragraph.classList.add("hp");
      this.folds[at].get(pieces[0][3]).push(paragraph);
    }
    return paragraph;
  }

  /** A letter never ends a line: it stands with the first character of its sentence. */
  together(chip, text, owner, at) {
    const first = make("span", "m k-meaning", text.slice(0, 1));
    first.dataset.m = owner;
    this.parts[at].get(owner).push(first);
    const both = make("span", "nb");
    both.append(chip, first);
    return both;
  }

  /** A sentence is a button: it leads to the one that answers it. What follows its first run is part of it. */
  asButton(span, owner, at) {
    const [, first, ...rest] = this.parts[at].get(owner);
    if (rest.length || !this.data.alike) return;
    const { alike } = this.data;
    const choose = () => this.choose(owner, at, span);
    span.tabIndex = 0;
    span.setAttribute("role", "button");
    span.setAttribute("aria-label", `${alike.names[owner - alike.first][at]}: ${first?.textContent ?? ""}${span.textContent}`);
    span.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose();
    };
  }

  minimap(at) {
    const mini = make("div", "mini " + (at ? "mb" : "ma"));
    mini.setAttribute("aria-hidden", "true");
    mini.blocks = this.data.matches.map((match, index) => {
      const block = make("div", "block k-" + match.kind);
      if (this.parts[at].has(index)) mini.append(block);
      return block;
    });
    mini.frame = make("div", "frame");
    mini.append(mini.frame);
    const go = (event) => {
      const box = mini.getBoundingClientRect();
      const col = this.cols[at];
      col.scrollTop = ((event.clientY - box.top) / box.height) * col.scrollHeight - col.clientHeight / 2;
    };
    mini.onpointerdown = (event) => {
      mini.setPointerCapture(event.pointerId);
      go(event);
    };
    mini.onpointermove = (event) => event.buttons & 1 && go(event);
    return mini;
  }

  apparatus() {
    const { words } = this.data;
    const foot = make("div", "apparatus");
    this.say = make("div", "say");
    this.say.setAttribute("role", "status");
    this.copy = make("button", "push", words.copy);
    this.copy.type = "button";
    this.copy.hidden = !this.data.matches.length;
    this.copy.onclick = async () => {
      await copyText(this.data.matches[this.active].copy, this.root);
      this.copy.textContent = words.copied;
    };
    const { alike } = this.data;
    if (!alike) {
      foot.append(this.say, this.copy);
      return foot;
    }
    this.evidence = make("p", "evidence");
    this.evidence.setAttribute("role", "status");
    const line = make("div", "line");
    line.append(this.say, this.copy);
    const words_ = make("div", "words");
    words_.append(this.evidence, make("p", "traces", alike.traces), line);
    foot.append(words_, this.scale(alike));
    return foot;
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

  // ---- moving ---------------------------------------------------------------------------------

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = { n: 1, p: -1 }[event.key.toLowerCase()];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    this.step(way);
  }

  /** [ and ] wherever the focus is, unless one types or chooses there. */
  bracket(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.root.isConnected) return;
    const way = { "]": 1, "[": -1 }[event.key];
    if (!way || event.composedPath()[0].matches?.("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    this.step(way);
  }

  step(way) {
    const { matches } = this.data;
    const start = !this.lit && way > 0 ? 0 : 1; // the first "next" opens the first passage
    for (let tried = start; tried <= matches.length; tried++) {
      const next = (this.active + way * tried + matches.length * tried) % matches.length;
      if (!this.off.has(matches[next].kind)) return this.choose(next, -1);
    }
  }

  choose(index, side, hit, wanted) {
    this.reveal(index);
    this.lit = true;
    this.mark(index);
    this.measure();
    const tops = this.tops.map((list) => list[index]?.top ?? 0);
    this.moved = wanted === undefined;
    let height = wanted ?? this.cols[0].clientHeight * LINE;
    if (side >= 0) height = tops[side] - this.cols[side].scrollTop;
    const inside = this.cols[0].clientHeight - 60;
    if (hit && (height < 0 || height > inside)) height = Math.min(Math.max(height, 0), inside);
    this.align(tops, height);
  }

  // Put both places at one height; where one side cannot scroll that far the other gives way.
  align(tops, height) {
    const reach = (side) => {
      const { scrollHeight, clientHeight } = this.cols[side];
      const wanted = Math.min(Math.max(tops[side] - height, 0), scrollHeight - clientHeight);
      return tops[side] - wanted;
    };
    const heights = [reach(0), reach(1)];
    if (Math.abs(heights[0] - heights[1]) > 1)
      height = Math.abs(heights[0] - height) > Math.abs(heights[1] - height) ? heights[0] : heights[1];
    tops.forEach((top, side) => this.scroll(side, top - height));
    this.drift = this.cols[1].scrollTop - this.partner(0, this.cols[0].scrollTop);
    this.draw();
  }

  scroll(side, top) {
    const col = this.cols[side];
    const before = col.scrollTop;
    col.scrollTop = top;
    this.expected[side] = col.scrollTop === before ? null : col.scrollTop;
  }

  scrolled(side) {
    const col = this.cols[side];
    const ours = this.expected[side] !== null && Math.abs(col.scrollTop - this.expected[side]) < 2;
    this.expected[side] = null;
    if (!ours && this.cols.every((each) => each.offsetParent)) {
      this.drift *= 0.9;
      const drift = side === 0 ? this.drift : -this.drift;
      this.scroll(1 - side, this.partner(side, col.scrollTop) + drift);
    }
    this.draw();
  }

  // Where the other side belongs: in step at passages in common order, in proportion between them.
  partner(side, top) {
    const at = top + this.cols[side].clientHeight * LINE;
    const points = this.anchors;
    let low = 0;
    while (low + 2 < points.length && points[low + 1][side] <= at) low++;
    const [from, to] = [points[low], points[low + 1]];
    const share = (at - from[side]) / Math.max(1, to[side] - from[side]);
    const other = from[1 - side] + share * (to[1 - side] - from[1 - side]);
    return other - this.cols[1 - side].clientHeight * LINE;
  }

  place() {
    return this.cols.map((col) => col.scrollTop / Math.max(1, col.scrollHeight));
  }

  restore(place) {
    if (this.lit) return this.choose(this.active, -1);
    this.cols.forEach((col, side) => this.scroll(side, place[side] * col.scrollHeight));
  }

  unfold(side, fold) {
    for (const node of this.folds[side].get(fold)) node.classList.add("shown");
    this.measure();
  }

  // Make sure that no part of a passage is folded away (its pieces never are, its paragraph may be).
  reveal(index) {
    for (const parts of this.parts)
      for (const node of parts.get(index) ?? []) node.closest(".hp")?.classList.add("shown");
  }

  // ---- marking and drawing ----------------------------------------------------------------------

  mark(index) {
    const { matches, words } = this.data;
    for (const node of this.root.querySelectorAll(".m.active, path.active")) node.classList.remove("active");
    this.active = Math.min(index, Math.max(0, matches.length - 1));
    const match = matches[this.active];
    this.counter.textContent = match ? `${this.active + 1} / ${matches.length}` : "0 / 0";
    const facts = match ? match.facts.join(" · ") : "";
    const now = match ? `${match.label} ${facts}` : "";
    // one node, and only where it says something else: a screen reader says every change
    if (this.say.textContent !== now) {
      const line = make("p");
      line.append(make("b", "", match?.label ?? ""), now && ` ${facts}`);
      this.say.replaceChildren(line);
    }
    if (!match) return;
    this.copy.textContent = words.copy;
    this.told(match);
    if (!this.lit) return;
    for (const parts of this.parts)
      for (const node of parts.get(this.active) ?? []) if (node.matches(".m")) node.classList.add("active");
    this.paths[this.active].classList.add("active");
  }

  /** What is known of sentences of the same meaning; nothing of a passage that shares words. */
  told(match) {
    const { alike } = this.data;
    if (!alike) return;
    const runs = alike.evidence[this.active - alike.first] ?? [];
    this.evidence.replaceChildren(...(runs.length ? [make("b", "", match.chip), " "] : []),
      ...runs.map(([text, bold]) => (bold ? make("b", "", text) : text)));
    for (const disc of this.discs ?? []) disc.classList.toggle("on", match.kind === "meaning" && disc.letter === match.chip);
  }

  hover(hit) {
    const index = hit ? +hit.dataset.m : -1;
    if (index === this.hovered) return;
    for (const node of this.root.querySelectorAll(".m.over")) node.classList.remove("over");
    this.hovered = index;
    if (index < 0) return;
    for (const parts of this.parts) for (const node of parts.get(index) ?? []) node.classList.add("over");
  }

  measure() {
    if (!this.cols?.[0].isConnected) return;
    this.tops = this.cols.map((col, side) => {
      const base = col.getBoundingClientRect().top - col.scrollTop;
      const list = [];
      for (const [index, parts] of this.parts[side]) {
        const first = parts[0].getBoundingClientRect();
        const last = parts[parts.length - 1].getBoundingClientRect();
        list[index] = { top: first.top - base, bottom: last.bottom - base, line: first.height / 2 };
      }
      return list;
    });
    const steady = this.data.matches.flatMap((match, index) =>
      match.steady && this.tops[0][index] && this.tops[1][index] ? [index] : [],
    );
    const points = steady.map((index) => [this.tops[0][index].top, this.tops[1][index].top]);
    for (const pair of this.data.opposite) { // what does not count stands opposite, too
      const point = pair.map((place, side) => {
        const box = this.lines[side][place].button.getBoundingClientRect();
        return box.height ? box.top - this.cols[side].getBoundingClientRect().top + this.cols[side].scrollTop : -1;
      });
      if (Math.min(...point) >= 0) points.push(point);
    }
    points.sort((one, other) => one[0] - other[0]);
    this.anchors = [[0, 0]];
    for (const point of points) {
      const last = this.anchors[this.anchors.length - 1];
      if (point[0] > last[0] && point[1] > last[1]) this.anchors.push(point);
    }
    this.anchors.push(this.cols.map((col) => col.scrollHeight));
    this.minis.forEach((mini, side) => {
      const whole = this.cols[side].scrollHeight;
      this.tops[side].forEach(({ top, bottom }, index) => {
        mini.blocks[index].style.top = (100 * top) / whole + "%";
        mini.blocks[index].style.height = (100 * (bottom - top)) / whole + "%";
      });
    });
    this.draw();
  }

  draw() {
    this.minis.forEach((mini, side) => {
      const col = this.cols[side];
      mini.frame.style.top = (100 * col.scrollTop) / col.scrollHeight + "%";
      mini.frame.style.height = (100 * col.clientHeight) / col.scrollHeight + "%";
    });
    const width = this.svg.clientWidth;
    const height = this.cols[0].clientHeight;
    if (!width) return;
    const visible = [];
    this.paths.forEach((path, index) => {
      const ends = this.tops.map((list, side) => {
        const place = list[index];
        if (!place) return undefined;
        const from = place.top + place.line - this.cols[side].scrollTop;
        const until = place.bottom - this.cols[side].scrollTop;
        return from < EDGE && until > EDGE ? EDGE : from; // a long passage keeps its line in sight
      });
      if (ends.some((y) => y === undefined) || !ends.some((y) => y >= 0 && y <= height)) return;
      const middle = width / 2;
      path.setAttribute("d", `M0 ${ends[0]}C${middle} ${ends[0]} ${middle} ${ends[1]} ${width} ${ends[1]}`);
      visible.push(path);
      if (!path.matches(".k-meaning.active")) return;
      const second = path.cloneNode(); // the active link is a double line, as its sentences are
      second.setAttribute("transform", "translate(0 3.5)");
      second.classList.add("second");
      visible.push(second);
    });
    this.svg.replaceChildren(...visible);
  }
}

function shape(tag, attributes, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

/** A whole text by class. */
function wholeBar(side) {
  const bar = make("span", "lt-whole");
  bar.setAttribute("role", "img");
  bar.setAttribute("aria-label", side.bar_label);
  for (const [kind, units] of side.bar) {
    const part = make("i", kind);
    part.style.flexGrow = units;
    bar.append(part);
  }
  return bar;
}

async function copyText(text, root) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = make("textarea", "", text); // plain http from another machine has no clipboard API
  root.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
