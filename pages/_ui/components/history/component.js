// Versions along time. Names enter through text nodes only; a narrow page shows depth, not time.

const SVG = "http://www.w3.org/2000/svg";
const [ROW, NARROW, EDGE, TOP] = [46, 620, 20, 22];

function draw(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function shortened(name, room) {
  pen.font = "600 14px sans-serif";
  const letters = [...name];
  if (pen.measureText(name).width <= room) return name;
  let n = letters.length;
  const cut = () => `${letters.slice(0, Math.ceil(n / 2)).join("")}…${letters.slice(letters.length - Math.floor(n / 2)).join("")}`;
  while (n > 4 && pen.measureText(cut()).width > room) n -= 1;
  return cut();
}

function width(text, font) {
  pen.font = font;
  return pen.measureText(text).width;
}

function picture(root, data, send) {
  const wide = root.clientWidth || 800;
  const narrow = wide < NARROW;
  const row = narrow ? 54 : ROW;
  const room = narrow ? Math.min(90, wide * 0.2) : wide * 0.58;
  const deepest = Math.max(1, ...data.nodes.map((node) => node.depth));
  const x = (node) => EDGE + (narrow ? (node.depth / deepest) * Math.min(room, deepest * 16) : node.at * room);
  const y = (place) => TOP + place * row;
  const radius = (node) => 5 + 5 * node.size;
  const bottom = y(data.nodes.length - 1) + 26;
  const tall = bottom + (data.ticks.length && !narrow ? 30 : 4);
  const svg = draw("svg", { viewBox: `0 0 ${wide} ${tall}`, height: tall, role: "group", "aria-label": data.label });
  const versions = [];
  data.nodes.forEach((node, place) => {
    const [cx, cy, r] = [x(node), y(place), radius(node)];
    if (node.source >= 0) {
      const from = data.nodes[node.source];
      const path = `M${x(from)} ${y(node.source) + radius(from)}V${cy}H${Math.max(cx - r, x(from))}`;
      svg.append(draw("path", { class: `link ${node.certain ? "" : "open"}`, d: path }));
      if (!narrow && cx - r - x(from) > 44)
        svg.append(draw("text", { class: "share", x: cx - r - 6, y: cy - 10, "text-anchor": "end" }, node.share));
    }
    for (const [source, share] of node.further) {
      const from = data.nodes[source];
      const half = (y(source) + cy) / 2;
      svg.append(draw("path", { class: "link open", d: `M${x(from)} ${y(source) + radius(from)}V${half}H${cx}V${cy - r}` }));
      svg.append(draw("text", { class: "share", x: x(from) + 6, y: half - 4 }, share));
    }
    const group = draw("g", {
      class: `version ${place === 0 ? "first" : ""}`, role: "button", tabindex: 0,
      "aria-pressed": String(place === data.place), "aria-label": node.label,
    });
    const left = cx + r + 9;
    const name = shortened(node.name, Math.max(60, wide - left - (narrow ? 4 : 190)));
    group.append(draw("rect", { class: "hit", x: left - 5, y: cy - row / 2 + 4, width: wide - left + 4, height: row - 8, rx: 3 }));
    group.append(draw("circle", { cx, cy, r }));
    group.append(draw("text", { class: "name", x: left, y: narrow ? cy - 9 : cy }, name));
    const inLine = narrow || (node.source >= 0 && cx - r - x(data.nodes[node.source]) <= 44);
    let at = narrow ? left : left + width(name, "600 14px sans-serif") + 16;
    for (const [kind, text] of [["when", node.when], ["share", inLine ? node.share : ""], ["tag", node.tag]]) {
      if (!text) continue;
      group.append(draw("text", { class: kind, x: at, y: narrow ? cy + 10 : cy }, text));
      at += width(text, "12.5px sans-serif") + 14;
    }
    const choose = () => send(place);
    group.onclick = choose;
    group.onkeydown = (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); }
    };
    versions.push(group);
  });
  svg.append(...versions);
  if (data.ticks.length && !narrow) {
    svg.append(draw("line", { class: "axis", x1: 0, x2: wide, y1: bottom, y2: bottom }));
    for (const [at, text] of data.ticks)
      svg.append(draw("text", { class: "tick", x: EDGE + at * room, y: bottom + 15, "text-anchor": "middle" }, text));
  }
  const focused = [...root.querySelectorAll(".version")].findIndex((node) => node.matches(":focus"));
  root.replaceChildren(svg);
  if (focused >= 0) root.querySelectorAll(".version")[focused]?.focus();
}

export default function ({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector(".hi");
  root.show = () => picture(root, data, (place) => setStateValue("place", place));
  root.show();
  if (root.sizing) return;
  let last = root.clientWidth;
  root.sizing = new ResizeObserver(() => {
    if (root.clientWidth !== last) { last = root.clientWidth; root.show(); }
  });
  root.sizing.observe(root);
}
