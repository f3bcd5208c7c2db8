// Runs before Streamlit: asks the server who this browser is, and shows its key when Streamlit
// connects. The key is in the storage of this origin, which no other port can read. It goes with the
// protocols of the socket: an address would stand in the log.
(() => {
  const KEY = 'leitong.key';
  const TRIED = 'leitong.tried';
  const REVOKED = 4401;
  const PAUSE = 10000; // ms between two attempts to get in anew

  const read = (storage, name) => { try { return storage().getItem(name) ?? ''; } catch { return ''; } };
  const write = (storage, name, value) => { try { storage().setItem(name, value); } catch { /* refused by the browser */ } };
  const local = () => localStorage;
  const session = () => sessionStorage;

  const ticketOf = () => new URLSearchParams(location.hash.slice(1)).get('ticket') ?? '';

  const enter = (ticket) => {
    const ask = new XMLHttpRequest();
    ask.open('POST', '/leitong/browser', false); // Streamlit must not connect before the answer
    try { ask.send(JSON.stringify({ ticket, key: read(local, KEY) })); } catch { return; } // no server
    if (ask.status === 403) {
      write(session, TRIED, String(Date.now())); // nothing to try again
      location.replace('/leitong/again');
    }
    if (ask.status === 200) write(local, KEY, JSON.parse(ask.responseText).key);
  };

  const enterAnew = () => {
    if (Date.now() - Number(read(session, TRIED)) < PAUSE) return;
    write(session, TRIED, String(Date.now()));
    location.reload();
  };

  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(address, protocols = []) {
      super(address, [...[protocols].flat(), `leitong.${read(local, KEY)}`]);
      this.addEventListener('close', ({ code }) => { if (code === REVOKED) enterAnew(); });
    }
  };

  const ticket = ticketOf();
  if (ticket) history.replaceState(history.state, '', location.pathname + location.search);
  enter(ticket);
  addEventListener('hashchange', () => { if (ticketOf()) location.reload(); });
})();
