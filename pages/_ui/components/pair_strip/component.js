// Cells as buttons; the clicked one goes to Python once. The keys of the answers do not reach the
// buttons of the page while a slider has the focus, so they are passed on from here.

const MARKS = { same: "●", other: "×", unsure: "?", open: "·" };

export default function ({ parentElement, data, setTriggerValue }) {
  const strip = parentElement.querySelector(".strip");
  strip.setAttribute("aria-label", data.label);
  const focused = [...strip.children].findIndex((cell) => cell.matches(":focus"));
  const cells = data.cells.map(({ kind, shown, label }, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = kind + (index === data.inside && index > 0 ? " border" : "");
    button.setAttribute("aria-pressed", String(index === data.selected));
    button.setAttribute("aria-label", label);
    const mark = document.createElement("i");
    mark.textContent = index === data.selected && kind === "open" ? "—" : MARKS[kind];
    button.append(mark, shown);
    button.onclick = () => setTriggerValue("open", index);
    return button;
  });
  strip.replaceChildren(...cells);
  if (focused >= 0) strip.children[Math.min(focused, cells.length - 1)]?.focus();
  const pass = (event) => {
    const plain = !(event.ctrlKey || event.metaKey || event.altKey || event.repeat);
    if (!plain || !data.keys.includes(event.key) || event.target.type !== "range") return;
    event.preventDefault();
    setTriggerValue("key", event.key);
  };
  strip.deaf?.(); // one listener, whether or not the one before was taken away
  strip.deaf = () => document.removeEventListener("keydown", pass);
  document.addEventListener("keydown", pass);
  return strip.deaf;
}
