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
  const later = (event) => {
    clearTimeout(box.timer);
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
