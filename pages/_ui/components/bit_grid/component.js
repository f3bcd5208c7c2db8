// Two fingerprints and their difference, bit by bit; the chosen bit goes back to Python.

function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

const fill = (template, values) => template.replace(/\{(\w+)\}/g, (_, name) => values[name]);

export default function ({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector(".bits");
  const view = (root.view ??= new Bits(root));
  view.choose = (bit) => setStateValue("bit", bit);
  view.show(data);
}

class Bits {
  constructor(root) {
    this.root = root;
    root.addEventListener("keydown", (event) => this.key(event));
  }

  show(data) {
    const same = this.data && this.data.digest === data.digest;
    this.data = data;
    if (!same) this.build();
    this.select(data.selected, false);
  }

  build() {
    const { words, names, columns, blocks } = this.data;
    const three = make("div", "three");
    this.grids = [0, 1, 2].map((which) => this.grid(which));
    this.grids.forEach((grid, which) => {
      const figure = make("div");
      const name = make("div", "name");
      name.append(make("b", "", ["letter_a", "letter_b", "xor"].map((key) => words[key])[which]), make("span", "", names[which]));
      grid.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
      figure.append(name, grid);
      three.append(figure);
    });
    const key = make("ul", "key");
    for (const [mark, text] of [["one", words.one_firm], ["one weak", words.one_weak], ["", words.zero_firm], ["weak", words.zero_weak], ["differ", words.differ]]) {
      const item = make("li");
      item.append(make("i", mark), make("span", "", text));
      key.append(item);
    }
    this.root.replaceChildren(three, key);
    this.blocks = [];
    if (blocks.length) this.root.append(...this.stripe());
  }

  grid(which) {
    const { a, b, size_a, size_b, words } = this.data;
    const grid = make("div", "grid" + (which === 2 ? " xor" : ""));
    grid.setAttribute("role", "group");
    grid.setAttribute("aria-label", this.data.names[which]);
    grid.buttons = a.map((_, bit) => {
      const differ = a[bit] !== b[bit];
      const value = [a, b, a][which][bit];
      const button = make("button", "bit" + (value && which < 2 ? " one" : "") + (differ ? " differ" : ""));
      button.type = "button";
      const size = (which === 1 ? size_b : size_a)[bit];
      const square = make("i");
      if (which < 2) square.style.setProperty("--size", size + "%");
      button.append(square);
      const facts = { bit, a: a[bit], b: b[bit], value, firm: size >= 45 ? words.firm : words.weak };
      const label = which < 2 ? fill(words.bit_label, facts) + (differ ? words.bit_differs : "") : fill(differ ? words.xor_differs : words.xor_agrees, facts);
      button.setAttribute("aria-label", label);
      button.title = label;
      button.onclick = () => this.select(bit, true);
      return button;
    });
    grid.append(...grid.buttons);
    return grid;
  }

  stripe() {
    const { words, blocks } = this.data;
    const head = make("p", "stripe-head");
    head.append(make("b", "", words.blocks), make("span", "", words.blocks_note));
    const stripe = make("div", "stripe");
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

  select(bit, byHand) {
    this.selected = bit;
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
    const { columns, a } = this.data;
    const way = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    const grid = this.grids.find((each) => each.contains(event.target));
    if (!way || !grid) return;
    event.preventDefault();
    const at = grid.buttons.indexOf(event.target) + way;
    if (at < 0 || at >= a.length) return;
    grid.buttons[at].focus();
    this.select(at, true);
  }
}
