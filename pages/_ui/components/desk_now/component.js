// What the review desk shows now: a message of its own, so that a key sends this alone and not the
// whole desk with its script. `visit` ties it to the desk that was drawn with it.

export default function ({data, setTriggerValue}) {
  const now = (window.leitongDesk ??= {});
  now.latest = {data, trigger: (events) => setTriggerValue('act', {events})};
  now.show?.();
}
