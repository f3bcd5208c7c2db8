// Two texts beside each other, every shared part tied to the same content on the other side.
// Needs shared/dom.js. The reader of a case and the review desk draw with this.

const EDGE = 10; // least height of a line whose part began above
const LINE = 0.3; // height, as a share of the column, at which both sides are kept in step
const SPOKEN = 160; // letters of a part that are said at once; the text holds the others
const [CHANGED, AGREES, UNSURE] = [1, 2, 4];

class Pair {
  /** `told(index)` hears which part the reader is at. */
  constructor(root, told) {
    this.root = root;
    this.told = told;
    this.off = new Set(); // switches that are off: "t1", "k-reworded", "moved"
    this.active = -1;
    this.expected = [null, null]; // scroll positions set by us, so that their events are not answered
    this.drift = 0;
    root.classList.add("pair");
    this.resize = new ResizeObserver(() => this.fit());
  }

  /** Draw a sheet; `marks` says what is shown of it: fold, diff, strike. */
  show(sheet, words, marks) {
    const old = this.sheet;
    const samePair = old?.pair === sheet.pair;
    [this.sheet, this.words, this.width] = [sheet, words, this.root.clientWidth];
    if (old?.digest !== sheet.digest) {
      const places = samePair ? this.cols.map((col) => col.scrollTop) : [0, 0];
      if (!samePair) this.active = -1;
      this.build();
      this.flags(marks);
      this.measure();
      this.cols.forEach((col, side) => this.scroll(side, places[side]));
      if (!samePair && sheet.opens >= 0) this.open(sheet.opens);
    } else {
      const place = this.cols.map((col) => col.scrollTop / Math.max(1, col.scrollHeight));
      const folded = this.folded;
      this.flags(marks);
      this.measure();
      if (folded !== this.folded) this.cols.forEach((col, side) => this.scroll(side, place[side] * col.scrollHeight));
    }
    this.resize.observe(this.root);
  }

  pause() {
    this.resize.disconnect();
  }

  /** A pair opens at its longest part, a third down the column. */
  open(index) {
    const go = () => this.choose(index, -1); // narrow, nothing is drawn before
    go();
    document.fonts?.ready.then(() => { // other letters have other widths
      if (this.active !== index || this.moved) return;
      this.measure();
      go();
      this.moved = false;
    });
    this.moved = false;
  }

  /** Another width has other lines, or one column: what was in sight is there no more. */
  fit() {
    const before = this.width;
    this.width = this.root.clientWidth;
    if (this.width === before || this.active < 0) this.measure();
    else this.open(this.active);
  }

  flags({ fold, diff, strike }) {
    this.folded = fold;
    this.root.classList.toggle("diff", diff);
    this.root.classList.toggle("strike", strike);
    for (const line of this.lines.flat()) if (!line.out) line.show(!fold);
    this.root.classList.toggle("folded", fold);
    for (const name of ["t0", "t1", "t2", "moved", "k-identical", "k-reworded", "k-summary", "k-weak", "k-meaning"])
      this.root.classList.toggle(`off-${name}`, this.off.has(name));
  }

  /** Turn a switch; what it stands for reads as plain text while it is off. */
  turn(name) {
    if (!this.off.delete(name)) this.off.add(name);
    this.root.classList.toggle(`off-${name}`, this.off.has(name));
    this.draw();
    return !this.off.has(name);
  }

  hidden({ kind, tone, moved }) {
    return this.off.has(`t${tone}`) || this.off.has(`k-${kind}`) || (moved && this.off.has("moved"));
  }

  // ---- building -------------------------------------------------------------------------------

  build() {
    const { sides, matches } = this.sheet;
    this.parts = sides.map(() => new Map());
    this.lines = [[], []]; // paragraphs that are one line
    this.where = [[], []]; // the place of the paragraph in which each part begins
    this.heads = sides.map((side, at) => this.head(side, at));
    this.cols = sides.map((side, at) => this.column(side, at));
    const gutter = make("div", "gu");
    this.svg = shape("svg", { "aria-hidden": "true" });
    gutter.append(this.svg);
    this.paths = matches.map((match) => shape("path", { class: looks(match) }));
    const spread = make("div", "spread", ...this.heads, this.cols[0], gutter, this.cols[1]);
    this.root.replaceChildren(spread, this.phone());
    if (this.active >= 0) this.mark(this.active);
  }

  head(side, at) {
    const title = make("div", "title", side.title);
    title.lang = side.lang;
    const sub = make("div", "sub", side.sub);
    return make("div", "head " + (at ? "hb" : "ha"), make("div", "ring", side.letter),
      make("div", "titles", title, sub), make("div", "at"));
  }

  column(side, at) {
    const col = make("div", "col " + (at ? "cb" : "ca"));
    col.tabIndex = 0;
    col.setAttribute("role", "region");
    col.setAttribute("aria-label", side.region);
    const text = make("div", "text");
    text.lang = side.lang;
    this.lines[at] = side.blocks.map((block, place) => this.line(block, at, place));
    side.paragraphs.forEach((runs, row) => {
      const paragraph = this.paragraph(runs, at, row);
      paragraph.classList.toggle("tight", side.tight.includes(row));
      const place = side.blocks.findIndex((block) => block.first <= row && row <= block.last);
      const line = this.lines[at][place];
      if (line && side.blocks[place].first === row) text.append(line.button, line.under);
      (line?.under ?? text).append(paragraph);
    });
    col.append(text);
    col.onscroll = () => this.scrolled(at);
    col.onclick = (event) => {
      const hit = event.target.closest("[data-m]");
      if (hit && !this.hidden(this.sheet.matches[+hit.dataset.m]) && !getSelection().toString()) this.choose(+hit.dataset.m, at, hit);
    };
    col.onmouseover = (event) => this.hover(event.target.closest("[data-m]"));
    col.onmouseleave = () => this.hover(null);
    return col;
  }

  /** Paragraphs that are one line; what does not count opens with what stands opposite. */
  line(block, at, place) {
    const button = makeButton("fold", () => {
      const open = under.hidden;
      for (const one of [line, this.lines[1 - at][partner]]) one?.show(open);
      this.measure();
    }, make("span", "", block.label), ...(block.tag ? [make("i", "tag", block.tag)] : []));
    const partner = this.sheet.opposite.find((pair) => pair[at] === place)?.[1 - at];
    const labels = [block, ...(partner === undefined ? [] : [this.sheet.sides[1 - at].blocks[partner]])];
    button.setAttribute("aria-label", labels.map((one) => `${one.label} ${one.tag}`.trim()).join(", "));
    const under = make("div", "under");
    const line = { button, under, out: Boolean(block.tag) };
    button.classList.toggle("out-fold", line.out);
    line.show = (open) => {
      under.hidden = !open;
      button.setAttribute("aria-expanded", String(open));
    };
    line.show(false);
    return line;
  }

  paragraph(runs, at, row) {
    const { matches } = this.sheet;
    const paragraph = make("p");
    for (let [text, owner = -1, flags = 0, out = 0, tone = 0] of runs) {
      const match = matches[owner];
      if (match && !this.parts[at].has(owner)) {
        this.where[at][owner] = row + 1;
        const chip = make("span", `chip ${looks(match)}`, match.chip);
        chip.setAttribute("role", "img");
        chip.setAttribute("aria-label", match.label);
        chip.dataset.m = owner;
        // a number never ends a line: it stands with the first letters of its part
        const first = make("span", `m ${looks({ ...match, tone })}`, text.slice(0, 1));
        first.dataset.m = owner;
        this.parts[at].set(owner, [chip, first]);
        paragraph.append(make("span", "nb", chip, first));
        text = text.slice(1);
      }
      if (!match && !out && !flags) {
        paragraph.append(text);
        continue;
      }
      const span = make(flags & CHANGED ? "b" : "span", "", text);
      if (match) {
        const kind = flags & AGREES && match.kind === "reworded" ? "identical" : match.kind;
        span.className = `m ${looks({ ...match, kind, tone })}`;
        span.dataset.m = owner;
        if (match.kind === "meaning") this.asButton(span, owner, at);
        this.parts[at].get(owner).push(span);
      }
      if (out) span.classList.add("out");
      if (typeof out === "string") span.append(make("i", "tag why", out));
      if (flags & UNSURE) {
        span.classList.add("unsure");
        span.title = this.words.unsure;
      }
      paragraph.append(span);
    }
    return paragraph;
  }

  /** A sentence of the same meaning is a button: it leads to the one that answers it. */
  asButton(span, owner, at) {
    const [, first, ...rest] = this.parts[at].get(owner);
    if (rest.length) return;
    span.tabIndex = 0;
    span.setAttribute("role", "button");
    span.setAttribute("aria-label", `${this.sheet.matches[owner].label}: ${first.textContent}${span.textContent}`);
    span.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.choose(owner, at, span);
    };
  }

  /** On a narrow screen one part at a time, A over B, and the rest behind a line. */
  phone() {
    const [back, on] = [-1, 1].map((way) => makeButton("push", () => this.step(way),
      way < 0 ? `‹ ${this.words.previous}` : `${this.words.next} ›`));
    this.counter = make("span", "count");
    const rest = makeButton("fold", () => {
      rest.setAttribute("aria-expanded", String(this.root.classList.toggle("whole")));
      this.measure();
    }, this.words.rest);
    rest.setAttribute("aria-expanded", String(this.root.classList.contains("whole")));
    const parts = make("div", "parts", back, this.counter, on, rest);
    parts.hidden = !this.sheet.matches.length;
    this.root.classList.toggle("bare", parts.hidden);
    return parts;
  }

  // ---- moving ---------------------------------------------------------------------------------

  step(way) {
    const { matches } = this.sheet;
    const from = this.active < 0 && way < 0 ? 0 : this.active;
    for (let tried = 1; tried <= matches.length; tried++) {
      const next = (from + way * tried + matches.length * (tried + 1)) % matches.length;
      if (!this.hidden(matches[next])) return this.choose(next, -1);
    }
  }

  /** Bring both sides of a part to one height: where it was clicked, else a third down. */
  choose(index, side, hit) {
    for (const parts of this.parts)
      for (const node of parts.get(index) ?? []) if (node.closest(".under")?.hidden) node.closest(".under").previousSibling.click();
    this.mark(index);
    this.measure();
    this.moved = true;
    const tops = this.tops.map((list) => list[index]?.top ?? 0);
    const room = this.cols[0].clientHeight;
    const tall = Math.max(...this.tops.map((list) => (list[index] ? list[index].bottom - list[index].top : 0)));
    let height = Math.max(Math.min(room * LINE, (room - tall) / 2), 12);
    if (side >= 0) height = tops[side] - this.cols[side].scrollTop;
    if (hit && (height < 0 || height > room - 60)) height = Math.min(Math.max(height, 0), room - 60);
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

  // Where the other side belongs: in step at parts in common order, in proportion between them.
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

  // ---- marking and drawing ----------------------------------------------------------------------

  mark(index) {
    const { matches, sides } = this.sheet;
    for (const node of this.root.querySelectorAll(".active, .here")) node.classList.remove("active", "here");
    this.active = index;
    const match = matches[index];
    this.counter.textContent = this.words.part.replace("{at}", index + 1).replace("{n}", matches.length);
    sides.forEach((side, at) => {
      const where = this.where[at][index] ? [this.words.paragraph.replace("{n}", this.where[at][index])] : [];
      this.heads[at].lastChild.textContent = [...where, ...(match.moved && at ? ["⇅", this.words.elsewhere] : [])].join(" ");
      for (const node of this.parts[at].get(index) ?? []) {
        if (node.matches(".m")) node.classList.add("active");
        node.closest("p").classList.add("here");
      }
    });
    this.paths[index].classList.add("active");
    this.told?.(index);
  }

  /** The text of a part on each side, as a screen reader says it. */
  said(index) {
    const texts = this.parts.map((parts) => (parts.get(index) ?? []).filter((node) => node.matches(".m")).map((node) => node.textContent).join(""));
    const same = texts[0] === texts[1];
    return this.sheet.sides.flatMap(({ letter, lang }, at) => {
      if (!texts[at] || (same && at)) return [];
      const said = make("span", "", texts[at].length > SPOKEN ? `${texts[at].slice(0, SPOKEN)}…` : texts[at]);
      said.lang = lang;
      return [same ? ` ${letter} = ${this.sheet.sides[1].letter} ` : ` ${letter} `, said];
    });
  }

  hover(hit) {
    const index = hit ? +hit.dataset.m : -1;
    if (index === this.hovered) return;
    for (const node of this.root.querySelectorAll(".m.over")) node.classList.remove("over");
    this.hovered = index;
    for (const parts of this.parts) for (const node of parts.get(index) ?? []) node.classList.add("over");
  }

  measure() {
    if (!this.cols?.[0].isConnected) return;
    this.tops = this.cols.map((col, side) => {
      const base = col.getBoundingClientRect().top - col.scrollTop;
      const list = [];
      for (const [index, parts] of this.parts[side]) {
        const first = parts[0].getBoundingClientRect();
        const last = parts.at(-1).getBoundingClientRect();
        if (first.height) list[index] = { top: first.top - base, bottom: last.bottom - base, line: first.height / 2 };
      }
      return list;
    });
    const points = this.sheet.matches.flatMap((match, index) =>
      !match.moved && this.tops[0][index] && this.tops[1][index] ? [[this.tops[0][index].top, this.tops[1][index].top]] : []);
    for (const pair of this.sheet.opposite) { // what does not count stands opposite, too
      const point = pair.map((place, side) => {
        const box = this.lines[side][place].button.getBoundingClientRect();
        return box.height ? box.top - this.cols[side].getBoundingClientRect().top + this.cols[side].scrollTop : -1;
      });
      if (Math.min(...point) >= 0) points.push(point);
    }
    points.sort((one, other) => one[0] - other[0]);
    this.anchors = [[0, 0]];
    for (const point of points) if (point[0] > this.anchors.at(-1)[0] && point[1] > this.anchors.at(-1)[1]) this.anchors.push(point);
    this.anchors.push(this.cols.map((col) => col.scrollHeight));
    this.draw();
  }

  draw() {
    const width = this.svg.clientWidth;
    const height = this.cols[0].clientHeight;
    if (!width || !this.tops) return;
    const visible = [];
    this.paths.forEach((path, index) => {
      const ends = this.tops.map((list, side) => {
        const place = list[index];
        if (!place) return undefined;
        const from = place.top + place.line - this.cols[side].scrollTop;
        const until = place.bottom - this.cols[side].scrollTop;
        return from < EDGE && until > EDGE ? EDGE : from; // a long part keeps its line in sight
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

/** The classes of a part: kind, tone, order. */
function looks({ kind, tone, moved }) {
  return `k-${kind} t${tone}${moved ? " moved" : ""}`;
}

/** What the lines under the text stand for. */
function kindsLegend(kinds) {
  return kinds.map(([kind, label]) => make("span", "kind", ...(kind === "moved" ? ["⇅ ", label] : [make("span", `m k-${kind} t0`, label)])));
}
