// Two witnesses and a third: by dates, by the words, received. Names enter through text nodes only.

const SVG = "http://www.w3.org/2000/svg";
const [LABEL, DATES, WORDS, RECEIVED, NARROW] = [76, 42, 116, 176, 560];

function draw(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function cut(name, room, font) {
  pen.font = font;
  if (pen.measureText(name).width <= room) return name;
  const letters = [...name];
  let n = letters.length;
  const short = () => `${letters.slice(0, n).join("")}…`;
  while (n > 1 && pen.measureText(short()).width > room) n -= 1;
  return short();
}

function picture(root, data) {
  const wide = root.clientWidth || 700;
  const narrow = wide < NARROW;
  const left = narrow ? 0 : LABEL;
  const down = narrow ? 20 : 0;
  const slot = (wide - left) / Math.max(1, data.nodes.length);
  const x = (rank) => left + (rank + 0.35) * slot;
  const tall = (data.received ? RECEIVED + 28 : WORDS + 34) + down;
  const svg = draw("svg", { viewBox: `0 0 ${wide} ${tall}`, height: tall, role: "img", "aria-label": data.label });
  const rows = [[DATES, data.rows.dates], [WORDS, data.rows.words], ...(data.received ? [[RECEIVED, data.rows.received]] : [])];
  for (const [y, label] of rows) {
    svg.append(draw("line", { class: "axis", x1: left, x2: wide, y1: y + down, y2: y + down }));
    svg.append(draw("text", { class: "row", x: 0, y: narrow ? y + down - 36 : y }, label));
  }
  for (const [rank, y, silent] of [["dates", DATES, data.rows.no_dates], ["words", WORDS, data.rows.no_telling]])
    if (!data.nodes.some((node) => node[rank] >= 0))
      svg.append(draw("text", { class: "when", x: left + 12, y: y + down - 14 }, silent));
  const joins = [];
  const marks = [];
  for (const node of data.nodes) {
    const doubt = node.doubt ? "doubt" : "";
    const name = (room, bold) => cut(node.name, room, `${bold ? 600 : 400} 13.5px sans-serif`);
    const [top, bottom] = [x(node.dates), x(node.words)];
    if (node.dates >= 0 && node.words >= 0)
      joins.push([node.crosses, draw("path", { class: `join ${node.crosses ? "crosses" : ""}`,
        d: `M${top} ${DATES + down}C${top} ${DATES + down + 40},${bottom} ${WORDS + down - 40},${bottom} ${WORDS + down}` })]);
    if (node.dates >= 0) {
      marks.push(draw("circle", { class: doubt, cx: top, cy: DATES + down, r: 7.5 }));
      marks.push(draw("text", { class: `name ${node.first_by_dates ? "named" : ""}`, x: top, y: DATES + down - 19 }, name(slot * 0.92, node.first_by_dates)));
      const when = cut(node.when, slot * 0.64, "12px sans-serif");
      marks.push(draw("text", { class: `when ${doubt}`, x: top + 12, y: DATES + down + 1 }, when));
    }
    if (node.words >= 0) {
      marks.push(draw("circle", { class: node.first_by_words ? "named" : "", cx: bottom, cy: WORDS + down, r: 7.5 }));
      marks.push(draw("text", { class: `name ${node.first_by_words ? "named" : ""}`, x: bottom, y: WORDS + down + 19 }, name(slot * 0.92, node.first_by_words)));
    }
    if (data.received && node.received >= 0) {
      const at = x(node.received);
      marks.push(draw("line", { class: "tick", x1: at, x2: at, y1: RECEIVED + down - 6, y2: RECEIVED + down + 6 }));
      marks.push(draw("text", { class: "received", x: at, y: RECEIVED + down + 17 }, cut(node.name, slot * 0.92, "12px sans-serif")));
    }
  }
  joins.sort((a, b) => Number(a[0]) - Number(b[0]));
  svg.append(...joins.map(([, join]) => join), ...marks);
  root.replaceChildren(svg);
}

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".fi");
  root.show = () => picture(root, data);
  root.show();
  if (root.sizing) return;
  let last = root.clientWidth;
  root.sizing = new ResizeObserver(() => {
    if (root.clientWidth !== last) { last = root.clientWidth; root.show(); }
  });
  root.sizing.observe(root);
}
