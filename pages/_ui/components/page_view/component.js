// A page with numbered boxes beside what is said of each. Needs shared/dom.js. Text from documents
// enters through text nodes only.

const LEAST = 8; // thousandths: a place beside the page has no size

export default function ({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector('.pv');
  const view = (root.view ??= new PageView(root));
  view.turn = (page) => setStateValue('page', page);
  view.show(data);
}

class PageView {
  constructor(root) {
    this.root = root;
    this.chosen = 0;
    this.doubtful = false;
    root.addEventListener('keydown', (event) => {
      const step = { '[': -1, ']': 1 }[event.key];
      if (step) this.move(step);
    });
  }

  show(data) {
    const before = this.data;
    this.data = data;
    if (!before || before.text !== data.text || before.rows.length !== data.rows.length) {
      this.chosen = data.rows[data.chosen].page === data.page ? data.chosen : data.rows.findIndex((row) => row.page === data.page);
      this.doubtful = false;
    } else if (before.page !== data.page && data.rows[this.chosen].page !== data.page) {
      this.chosen = Math.max(data.rows.findIndex((row) => row.page === data.page), 0);
    }
    this.draw();
  }

  draw() {
    const focus = this.root.contains(this.root.getRootNode().activeElement);
    this.root.replaceChildren(this.sheet(), this.list());
    this.mark();
    if (focus) this.items[this.chosen]?.querySelector('button').focus({ preventScroll: true });
  }

  head(title, note, ...more) {
    return make('div', 'head', make('h2', '', title), make('span', 'n', note), ...more);
  }

  sheet() {
    const { words, picture, page, rows } = this.data;
    const side = make('section', 'side');
    side.setAttribute('aria-label', words.page);
    const turns = make('span', 'end');
    const pages = [...new Set(rows.map((row) => row.page))];
    if (pages.length > 1) {
      for (const one of pages) {
        const button = makeButton('no', () => this.turn(one), String(one + 1));
        button.setAttribute('aria-label', words.turn.replace('{page}', one + 1));
        button.setAttribute('aria-pressed', String(one === page));
        turns.append(button);
      }
    }
    side.append(this.head(words.page, words.page_note, turns));
    const sheet = make('div', picture ? 'sheet' : 'sheet none');
    if (picture) {
      const image = make('img');
      image.src = picture;
      image.alt = words.alt;
      sheet.append(image);
    } else sheet.append(make('p', '', words.no_picture));
    this.boxes = rows.map((row, at) => (row.page === page && picture ? this.box(row, at) : undefined));
    sheet.append(...this.boxes.filter(Boolean));
    side.append(sheet);
    return side;
  }

  box(row, at) {
    const [left, top, right, bottom] = row.box;
    const read = row.share >= 0;
    const box = makeButton(read ? 'box read' : row.unseen ? 'box unseen' : 'box', () => this.choose(at, true));
    const x = Math.min(left, 1000 - LEAST), y = Math.min(top, 1000 - LEAST);
    box.style.left = `${x / 10}%`;
    box.style.top = `${y / 10}%`;
    box.style.width = `${Math.max(right - x, LEAST) / 10}%`;
    box.style.height = `${Math.max(bottom - y, LEAST) / 10}%`;
    box.setAttribute('aria-label', row.label);
    box.title = row.label;
    if (!read) {
      const pin = make('span', 'pin', String(at + 1));
      const wide = right - left > 200 && bottom - top > 20;
      box.append(pin, row.unseen && wide ? make('span', 'ghost', row.unseen) : '');
    }
    return box;
  }

  list() {
    const { words, rows } = this.data;
    const side = make('section', 'side');
    side.setAttribute('aria-label', words.rows);
    const read = rows.some((row) => row.share >= 0);
    const tools = make('span', 'end');
    const doubtful = rows.filter((row) => row.doubtful).length;
    if (read && doubtful) {
      for (const [only, word] of [[false, words.all], [true, words.only]]) {
        const button = makeButton('only', () => {
          this.doubtful = only;
          this.draw();
        }, word);
        button.setAttribute('aria-pressed', String(this.doubtful === only));
        tools.append(button);
      }
    } else if (!read && rows.length > 1) {
      for (const [key, word, step] of [['[', words.previous, -1], [']', words.next, 1]]) {
        const button = makeButton('key', () => this.move(step), key);
        button.setAttribute('aria-label', word);
        button.title = word;
        tools.append(button);
      }
    }
    side.append(this.head(words.rows, words.rows_note, tools));
    const list = make('ol', read ? 'lines' : 'readings');
    this.items = rows.map((row, at) => (read ? this.line(row, at) : this.reading(row, at)));
    list.append(...this.items.filter((_, at) => !this.doubtful || rows[at].doubtful));
    this.told = make('p', 'note');
    this.told.setAttribute('role', 'status');
    side.append(list, ...(read ? [this.told] : []));
    return side;
  }

  runs(node, runs, tag) {
    for (const [text, marked] of runs) node.append(marked ? make(tag, '', text) : text);
    return node;
  }

  line(row, at) {
    const item = make('li');
    const button = makeButton('row', () => this.choose(at, true));
    const share = make('i');
    share.style.setProperty('--p', `${row.share}%`);
    const words = this.runs(make('span', 'q'), row.seen, 'u');
    words.lang = this.data.lang;
    button.append(make('span', 'n', String(at + 1)), words, make('span', 'c', `${row.share}%`, share));
    item.append(button);
    return item;
  }

  reading(row, at) {
    const { words } = this.data;
    const item = make('li');
    const button = makeButton('row', () => this.choose(at, true));
    const eye = row.seen.length ? this.runs(make('dd', 'a'), row.seen, 'b') : make('dd', 'a none', words.blank);
    eye.lang = this.data.lang;
    const facts = make('dl', '', make('dt', 'a', words.seen), make('dt', 'b', words.said), eye,
      this.runs(make('dd', 'b f'), row.said, 'u'));
    button.append(make('span', 'pin', String(at + 1)), make('b', '', row.title), make('span', 'remark', row.remark));
    item.append(button, facts, make('p', 'y', row.meaning));
    item.onclick = (event) => event.target.closest('button') || getSelection().toString() || this.choose(at, true);
    return item;
  }

  move(step) {
    const at = this.chosen + step;
    if (at >= 0 && at < this.data.rows.length) this.choose(at, true);
  }

  choose(at, look) {
    this.chosen = at;
    const { page } = this.data.rows[at];
    if (page !== this.data.page) this.turn(page);
    this.mark(look);
  }

  mark(look = false) {
    const { rows, words } = this.data;
    this.items.forEach((item, at) => {
      item.classList.toggle('on', at === this.chosen);
      item.querySelector('button').setAttribute('aria-pressed', String(at === this.chosen));
    });
    this.boxes.forEach((box, at) => {
      box?.classList.toggle('on', at === this.chosen);
      box?.setAttribute('aria-pressed', String(at === this.chosen));
    });
    if (look) {
      this.items[this.chosen]?.scrollIntoView({ block: 'nearest' });
      this.boxes[this.chosen]?.scrollIntoView({ block: 'nearest' });
    }
    const row = rows[this.chosen];
    if (!row || row.share < 0) return;
    const lead = words.chosen.replace('{n}', this.chosen + 1).replace('{percent}', row.share);
    this.told.replaceChildren(make('b', '', lead), row.doubtful && words.doubtful.replace('{words}', row.doubtful));
  }
}
