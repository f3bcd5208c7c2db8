// The similarity matrix of the Overview: a cell opens its pair.

export default function ({ parentElement, data, setTriggerValue }) {
  const host = parentElement.querySelector(".matrix");
  host.grid ??= new Grid(host, { open: (i, j) => host.trigger([i, j]) });
  host.trigger = (cell) => setTriggerValue("open", cell);
  host.grid.show(data);
}
