// A class in one picture: a sheet for each person, and the lists that add up to it.

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".inbox");

  const sheet = (one, at) => {
    const paper = make("span", "paper", ...Array.from({ length: one.lines }, () => make("i", "")));
    paper.setAttribute("aria-hidden", "true");
    const words = one.name.split(" "); // broken between names only, shortened at the end
    const lines = [words.slice(0, -1).join(" "), words.at(-1)].filter(Boolean);
    const name = make("b", "", ...lines.flatMap((line) => [make("span", "", line), " "]));
    const node = makeButton(one.state, () => {
      picture.querySelector("[aria-current]")?.removeAttribute("aria-current");
      node.setAttribute("aria-current", "true");
      setTriggerValue("open", at);
    }, paper, name, make("small", "", one.note));
    node.setAttribute("aria-label", one.label);
    if (at === data.open) node.setAttribute("aria-current", "true");
    return make("li", "", node);
  };

  const copy = (list) => {
    const node = makeButton("copy", async () => {
      await navigator.clipboard.writeText(list.text);
      node.textContent = data.words.copied;
      setTimeout(() => (node.textContent = data.words.copy), 3000);
    }, data.words.copy);
    node.setAttribute("aria-label", `${data.words.copy}: ${list.head}`);
    return node;
  };

  const part = (list) => {
    const rows = list.rows.map(([name, why]) => make("p", "row", make("span", "", name), why && make("span", "why", why)));
    const head = make("p", `head ${list.kind}`, make("b", "", String(list.n)), make("span", "", list.head), list.n ? copy(list) : "");
    return make("section", "", head, ...rows, list.quote && make("blockquote", "", list.quote));
  };

  const picture = make("ol", "sheets", ...data.sheets.map(sheet));
  picture.setAttribute("aria-label", data.words.picture);
  const focused = [...root.querySelectorAll("button")].findIndex((node) => node.matches(":focus"));
  root.replaceChildren(picture, make("div", "lists", make("p", "sum", make("b", "", data.words.lists), data.words.sum), ...data.lists.map(part)));
  if (focused >= 0) root.querySelectorAll("button")[focused]?.focus();
  picture.onkeydown = (event) => {
    const buttons = [...picture.querySelectorAll("button")];
    const at = buttons.findIndex((node) => node.matches(":focus"));
    const across = Math.max(1, buttons.filter((node) => node.offsetTop === buttons[0].offsetTop).length);
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across }[event.key];
    if (at < 0 || !step || !buttons[at + step]) return;
    event.preventDefault();
    buttons[at + step].focus();
  };
}
