// Passages that many texts hold, one row each; a key answers the row that is open and moves on.

export default function ({ parentElement, data, setTriggerValue }) {
  const list = parentElement.querySelector(".common");
  const kinds = data.kinds;
  const before = list.state?.id === data.id ? list.state : { id: data.id, open: 0, undo: [] };
  const state = (list.state = { ...before, chosen: data.rows.map((row) => row.kind) });

  const answer = (row, kind, remember = true) => {
    if (remember) state.undo.push([row, state.chosen[row]]);
    state.chosen[row] = kind;
    setTriggerValue("answer", { row, kind });
    draw();
  };

  const button = (row, kind, at) => {
    const digit = make("kbd", "", String(at + 1));
    digit.setAttribute("aria-hidden", "true");
    const node = make("button", state.chosen[row] === kind ? "on" : "", digit, data.labels[kind]);
    node.type = "button";
    if (row === state.open) node.ariaKeyShortcuts = String(at + 1);
    node.setAttribute("aria-pressed", String(state.chosen[row] === kind));
    node.onclick = () => { state.open = row; answer(row, kind); };
    return node;
  };

  const line = (row, at) => {
    const ticks = make("span", "ticks", ...row.ticks.map((tall) => make("i", tall ? "tall" : "")));
    ticks.setAttribute("aria-hidden", "true");
    const about = make("div", "about",
      make("p", "head", make("b", "", row.head), " ", make("span", "tag", row.place), " ", row.length),
      make("p", "why", row.reason), ticks,
      make("p", "takes", state.chosen[at] === "copied" ? row.stays : row.takes));
    const words = make("p", "words", row.text);
    words.lang = row.lang;
    const choices = make("div", "choices", ...kinds.map((kind, n) => button(at, kind, n)));
    choices.setAttribute("role", "group");
    choices.setAttribute("aria-label", row.head);
    const item = make("li", at === state.open ? "open" : "", about, words, choices);
    if (at === state.open) item.setAttribute("aria-current", "true");
    return item;
  };

  const draw = () => {
    const focused = [...list.querySelectorAll("button")].findIndex((node) => node.matches(":focus"));
    list.replaceChildren(...data.rows.map(line));
    if (focused >= 0) list.querySelectorAll("button")[focused]?.focus();
  };
  draw();

  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const target = event.composedPath()[0];
    if (target.closest?.("input, textarea, select, [contenteditable=true], [role=dialog]")) return;
    if (document.querySelector("[role=dialog]")) return;
    const kind = kinds[Number(event.key) - 1];
    if (kind) {
      const row = state.open;
      state.open = Math.min(row + 1, data.rows.length - 1);
      answer(row, kind);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      state.open = Math.max(0, Math.min(data.rows.length - 1, state.open + step));
      draw();
    } else if (event.key.toLowerCase() === "u" && state.undo.length) {
      const [row, kind_] = state.undo.pop();
      state.open = row;
      answer(row, kind_, false);
    } else return;
    event.preventDefault();
  };
  list.deaf?.(); // one listener, whether or not the one before was taken away
  list.deaf = () => document.removeEventListener("keydown", press);
  document.addEventListener("keydown", press);
  return list.deaf;
}
