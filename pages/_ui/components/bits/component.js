// One fingerprint, or two and their difference; the chosen bit goes back to Python.

const fill = (template, values) => template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const FIRM = 45; // percent of the cell from which a square reads as firm

export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".bits");
  const board = (root.board ??= new Board(root));
  board.choose = (bit) => setStateValue("bit", bit);
  board.flip = (bit) => setTriggerValue("flip", bit);
  board.show(data);
}

class Board {
  constructor(root) {
    this.root = root;
    root.addEventListener("keydown", (event) => this.key(event));
  }

  show(data) {
    const shown = JSON.stringify({ ...data, selected: 0 });
    const same = this.shown === shown;
    const focused = this.focusedBit();
    if (data.opened && data.opened !== this.data?.opened) showTop();
    [this.data, this.shown] = [data, shown];
    if (!same) this.build();
    this.select(data.selected, false);
    if (!same && focused) this.grids[focused[0]]?.buttons[focused[1]]?.focus();
  }

  focusedBit() {
    const node = this.root.getRootNode().activeElement;
    const grid = (this.grids ?? []).findIndex((each) => each.contains(node));
    return grid < 0 ? null : [grid, this.grids[grid].buttons.indexOf(node)];
  }

  build() {
    const { grids, columns, difference, words } = this.data;
    this.blocks = this.grids = [];
    if (words.boxes) return this.root.replaceChildren(...this.boxes());
    const rows = make("div", (grids.length > 1 ? "three" : "two") + (columns > 8 ? " wide" : ""));
    this.grids = grids.map((each) => this.grid(each));
    const heads = grids.map(({ letter, name }) => [letter, name]);
    if (grids.length > 1) {
      this.grids.push(this.difference());
      heads.push([words.xor, difference]);
    }
    this.grids.forEach((grid, which) => {
      const figure = make("div");
      const name = make("div", "name");
      name.append(make("b", "", heads[which][0]), make("span", "", heads[which][1]));
      grid.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
      figure.append(name, grid);
      rows.append(figure);
    });
    this.root.replaceChildren(rows, this.legend());
    if (this.data.blocks.length) this.root.append(...this.stripe());
  }

  legend() {
    const { words, grids } = this.data;
    const entries = [["one", words.one_firm], ["one weak", words.one_weak], ["", words.zero_firm], ["weak", words.zero_weak]];
    if (grids.length > 1) entries.push(["differ", words.differ]);
    if (grids.some(({ flipped }) => flipped.length)) entries.push(["flipped", words.flipped]);
    const key = make("ul", "key");
    for (const [mark, text] of entries) {
      const item = make("li");
      item.append(make("i", mark), make("span", "", text));
      key.append(item);
    }
    return key;
  }

  grid({ name, letter, bits, sizes, flipped }) {
    const { words, grids } = this.data;
    const [a, b] = [grids[0].bits, grids[grids.length - 1].bits];
    const grid = make("div", "grid");
    grid.setAttribute("role", "group");
    grid.setAttribute("aria-label", name || letter);
    const changed = new Set(flipped);
    grid.buttons = bits.map((value, bit) => {
      const differ = a[bit] !== b[bit];
      const marks = ["bit", value ? "one" : "", differ ? "differ" : "", changed.has(bit) ? "flipped" : ""];
      const button = make("button", marks.filter(Boolean).join(" "));
      button.type = "button";
      const square = make("i");
      square.style.setProperty("--size", sizes[bit] + "%");
      button.append(square);
      let label = fill(words.bit_label, { bit, value, firm: sizes[bit] >= FIRM ? words.firm : words.weak });
      if (differ) label += words.bit_differs;
      if (changed.has(bit)) label += `; ${words.flipped}`;
      return this.dressed(button, bit, label);
    });
    grid.append(...grid.buttons);
    return grid;
  }

  difference() {
    const { words, grids, difference } = this.data;
    const [a, b] = grids.map(({ bits }) => bits);
    const grid = make("div", "grid xor");
    grid.setAttribute("role", "group");
    grid.setAttribute("aria-label", difference);
    grid.buttons = a.map((value, bit) => {
      const differ = value !== b[bit];
      const button = make("button", "bit" + (differ ? " differ" : ""));
      button.type = "button";
      button.append(make("i"));
      return this.dressed(button, bit, fill(differ ? words.xor_differs : words.xor_agrees, { bit, a: value, b: b[bit], value }));
    });
    grid.append(...grid.buttons);
    return grid;
  }

  dressed(button, bit, label) {
    button.setAttribute("aria-label", label);
    button.title = label;
    button.onclick = () => this.select(bit, true);
    return button;
  }

  stripe() {
    const { words, blocks } = this.data;
    const head = make("p", "stripe-head");
    head.append(make("b", "", words.blocks), make("span", "", words.blocks_note));
    const stripe = make("div", "stripe" + (blocks.length > 64 ? " many" : ""));
    stripe.setAttribute("role", "img");
    stripe.setAttribute("aria-label", words.blocks_note);
    this.blocks = blocks.map(([start, width, differing]) => {
      const block = make("div", "blk" + (differing ? "" : " equal"), differing ? String(differing) : "");
      block.style.setProperty("--w", width);
      block.title = fill(differing ? words.block_differs : words.block_equal, { first: start, last: start + width - 1, n: differing });
      stripe.append(block);
      return { block, start, end: start + width };
    });
    return [head, stripe];
  }

  /** Few blocks, one beside the other: both rows, and the differing bits in a box under each. */
  boxes() {
    const { words, blocks, grids } = this.data;
    const head = make("p", "stripe-head", make("b", "", words.blocks), make("span", "", words.boxes));
    const drawn = blocks.map(([start, width, differing], number) => {
      const rows = grids.map(({ bits }, side) => {
        const cells = bits.slice(start, start + width).map((value, at) => {
          const bit = start + at;
          const differ = grids[0].bits[bit] !== grids[1].bits[bit];
          const cell = make("i", "cell" + (value ? " one" : "") + (differ ? " differ" : ""));
          if (side === 1) {
            cell.title = fill(words.flip_this, { bit });
            cell.onclick = () => this.flip(bit);
          }
          return cell;
        });
        return make("div", "cells" + (side ? " mine" : ""), ...cells);
      });
      const marks = [...rows[0].childNodes].map((cell) => make("i", cell.classList.contains("differ") ? "mark" : ""));
      const box = make("div", "box", ...Array.from({ length: differing }, () => make("i", "mark")));
      const block = make("figure", differing ? "block" : "block whole", make("figcaption", "", fill(words.box, { n: number + 1 })),
        make("div", "pair", ...rows, make("div", "cells marks", ...marks)), box, make("p", "", words.told[number]));
      block.style.setProperty("--w", width);
      return block;
    });
    const note = make("p", "pigeon", make("b", "", words.pigeon), words.blocks_note);
    note.setAttribute("role", "status");
    return [head, make("div", "blocks", ...drawn), note];
  }

  select(bit, byHand) {
    this.grids.forEach((grid) =>
      grid.buttons.forEach((button, at) => {
        button.setAttribute("aria-pressed", String(at === bit));
        button.tabIndex = at === bit ? 0 : -1;
      }),
    );
    for (const { block, start, end } of this.blocks) block.classList.toggle("here", bit >= start && bit < end);
    if (byHand) this.choose(bit);
  }

  key(event) {
    const { columns, grids } = this.data;
    const way = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    const grid = this.grids.find((each) => each.contains(event.target));
    if (!way || !grid) return;
    event.preventDefault();
    const at = grid.buttons.indexOf(event.target) + way;
    if (at < 0 || at >= grids[0].bits.length) return;
    grid.buttons[at].focus();
    this.select(at, true);
  }
}
