// A text box whose text goes to Python once the keys have rested.

export default function ({ parentElement, data, setStateValue }) {
  const box = parentElement.querySelector("textarea");
  parentElement.querySelector("span").textContent = data.label;
  box.maxLength = data.limit;
  if (box.version !== data.version) {
    box.value = box.sent = data.value;
    box.version = data.version;
  }
  const say = () => {
    clearTimeout(box.timer);
    if (box.value === box.sent) return;
    box.sent = box.value;
    setStateValue("text", box.value);
  };
  // what is marked lies under the letters; marks of other letters than those that stand there go
  const marks = parentElement.querySelector("p");
  const draw = (spans) => {
    let at = 0;
    marks.replaceChildren();
    const letters = [...box.value];
    for (const [start, end] of spans) {
      const mark = document.createElement("mark");
      mark.textContent = letters.slice(start, end).join("");
      marks.append(letters.slice(at, start).join(""), mark);
      at = end;
    }
    marks.append(letters.slice(at).join("") + "\n");
  };
  draw(box.value === data.marked ? data.marks : []);
  box.onscroll = () => (marks.scrollTop = box.scrollTop);
  const later = (event) => {
    clearTimeout(box.timer);
    draw([]);
    if (!event.isComposing) box.timer = setTimeout(say, data.wait);
  };
  box.oninput = later;
  box.addEventListener("compositionend", later);
  box.onblur = say;
  return () => {
    clearTimeout(box.timer);
    box.removeEventListener("compositionend", later);
  };
}
