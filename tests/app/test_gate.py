"""The real server, asked by programs: what it gives to whom. Browsers: `tests/e2e`."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import http.client
import json
import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from socket import create_connection
from typing import Any

import psutil
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from simhash_core import Document
from simhash_core.app import gate, tabs, tickets
from simhash_core.app.rules import find_rules
from simhash_core.app.server import HOST, Server, run_server
from simhash_core.storage import Shelf, browsers, owner_folder, owner_key

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
REVOKED, REFUSED = 4401, 403
SECONDS = 60.0  # of a busy machine


@dataclass(frozen=True)
class Place:
    """A server with folders of its own."""

    server: Server
    data: Path
    state: Path

    @property
    def port(self) -> int:
        return self.server.port

    @property
    def origin(self) -> str:
        return self.server.url


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def cookies(self) -> dict[str, list[str]]:
        """Name -> value and attributes."""
        written = [each.split("; ") for each in self.headers.get_all("set-cookie") or []]
        return {parts[0].partition("=")[0]: parts for parts in written}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("place")
    before = os.umask(0)  # the worst that a user can have set
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEITONG_DATA", str(folder / "data"))
        patch.setenv("LEITONG_STATE", str(folder / "state"))
        with run_server(log=folder / "server.log") as server:
            yield Place(server, folder / "data", folder / "state")
    os.umask(before)


def ask(
    place: Place, path: str, method: str = "GET", body: str | None = None, **headers: str
) -> Answer:
    """Ask as a program does: only what is given is sent."""
    line = http.client.HTTPConnection(HOST, place.port, timeout=SECONDS)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    line.request(method, path, body, named)
    reply = line.getresponse()
    answer = Answer(reply.status, reply.headers, reply.read())
    line.close()
    return answer


def enter(place: Place, *, ticket: str = "", key: str = "", **headers: str) -> Answer:
    """Ask to be admitted, as the script of the page does."""
    body = json.dumps({"ticket": ticket, "key": key})
    return ask(place, "/leitong/browser", "POST", body, **{"Origin": place.origin, **headers})


def admitted(place: Place, *, ticket: str = "") -> tuple[str, str]:
    """Return cookie and key of a new browser."""
    answer = enter(place, ticket=ticket, User_Agent=FIREFOX)
    assert answer.status == 200, answer
    cookie = answer.cookies()[f"leitong_{place.port}"][0]
    return cookie, key_of(answer)


def key_of(answer: Answer) -> str:
    return str(json.loads(answer.body)["key"])


def socket(
    place: Place, *, cookie: str = "", key: str = "", origin: str | None = "", session: str = ""
) -> ClientConnection:
    """Open the socket of the application; "" is the right origin, and a new session."""
    resumes = [Subprotocol("none"), Subprotocol(session)] if session else []
    return connect(
        f"ws://{HOST}:{place.port}/_stcore/stream",
        origin=None if origin is None else Origin(origin or place.origin),
        additional_headers={"Cookie": cookie} if cookie else {},
        subprotocols=[Subprotocol("streamlit"), *resumes, Subprotocol(f"leitong.{key}")],
        open_timeout=SECONDS,
        max_size=None,
    )


def outcome(place: Place, **given: str | None) -> int:
    """Return why a socket was refused or closed; 0 where it stays open."""
    try:
        with socket(place, **given) as line:  # type: ignore[arg-type]
            try:
                line.recv(timeout=1.0)
            except TimeoutError:
                return 0
            return 0
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else -1
    except InvalidStatus as refused:
        return refused.response.status_code


def secret_of(ticket: tickets.Ticket) -> str:
    return ticket.url.partition("#ticket=")[2]


# --------------------------------------------------------------------------- every answer

PATHS = (
    *("/", "/results", "/favicon.png", "/no/such/page", "/_stcore/health"),
    *("/_stcore/host-config", "/leitong/door.js", "/leitong/again", "/leitong/browser"),
    *("/media/0123abcd.html", "/_stcore/metrics", "/_stcore/agent/openapi.json"),
)


@pytest.mark.parametrize("path", PATHS)
def test_no_answer_can_be_framed_or_guessed_at(place, path):
    headers = ask(place, path).headers

    assert headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers.get("access-control-allow-origin") is None


@pytest.mark.parametrize("path", ["/", "/review"])
def test_every_page_begins_with_our_script(place, path):
    answer = ask(place, path, Accept_Encoding="gzip", If_None_Match='"x"')

    assert answer.status == 200
    assert answer.body.index(b"/leitong/door.js") < answer.body.index(b'type="module"')
    assert answer.headers["cache-control"] == "no-store"


HOSTS = ("evil.example", "127.0.0.1.evil.example:80", "", "[", "127.0.0.1:x", "127.0.0.1:99999")


@pytest.mark.parametrize("host", HOSTS)
def test_other_host_names_are_refused(place, host):
    for path in ("/", "/media/ab12.html", "/static/x.js", "/leitong/door.js", "/_stcore/health"):
        assert ask(place, path, Host=host).status == 400


@pytest.mark.parametrize(
    ("site", "mode", "dest", "status"),
    [
        ("same-origin", "cors", "empty", 200),
        ("none", "navigate", "document", 200),
        ("cross-site", "navigate", "document", 200),  # a link, or the page of a ticket
        ("same-site", "navigate", "document", 200),  # from another port
        ("same-site", "cors", "empty", 403),
        ("same-site", "no-cors", "script", 403),
        ("same-site", "navigate", "iframe", 403),
        ("cross-site", "navigate", "iframe", 403),
        ("cross-site", "no-cors", "image", 403),
    ],
)
def test_only_pages_of_this_port_may_ask(place, site, mode, dest, status):
    headers = {"Sec_Fetch_Site": site, "Sec_Fetch_Mode": mode, "Sec_Fetch_Dest": dest}

    assert ask(place, "/", **headers).status == status


@pytest.mark.parametrize(
    "language", [("zh-CN,zh;q=0.9", "再启动一次"), ("en-GB", "start it again")]
)
def test_page_for_a_used_ticket_says_how_to_get_in(place, language):
    answer = ask(place, "/leitong/again", Accept_Language=language[0])

    assert language[1] in answer.body.decode()
    assert "leitong app" in answer.body.decode()


# --------------------------------------------------------------------------- being admitted


def test_cookie_is_named_by_port_and_read_by_no_script(place):
    answer = enter(place, User_Agent=FIREFOX)
    cookies = answer.cookies()
    name, *attributes = cookies[f"leitong_{place.port}"]

    assert {"Path=/", "HttpOnly", "SameSite=strict"} <= set(attributes)
    assert answer.headers["cache-control"] == "no-store"
    browser = browsers.find(name.partition("=")[2])
    assert browser is not None
    assert browser.name == "Firefox"


def test_a_known_browser_keeps_its_key_and_has_its_cookie_anew(place):
    cookie, key = admitted(place)
    for given in ({"Cookie": cookie}, {"Cookie": f"leitong_{place.port}={'A' * 43}"}, {}):
        answer = enter(place, key=key, **given)

        assert (answer.status, key_of(answer)) == (200, key)
        assert answer.cookies()[f"leitong_{place.port}"][0] == cookie


@pytest.mark.parametrize(
    "origin", ["http://127.0.0.1:1", "http://localhost", "null", "https://a.b"]
)
def test_no_other_origin_is_admitted(place, origin):
    answer = enter(place, Origin=origin)

    assert (answer.status, answer.cookies()) == (400, {})


def test_behind_a_proxy_that_speaks_tls_the_cookie_is_secure(monkeypatch, tmp_path):
    """Where a department has an address, its scheme counts there, and not that of the proxy."""
    monkeypatch.setenv("LEITONG_DATA", str(tmp_path))
    rules = dataclasses.replace(find_rules(), address="https://leitong.school.example")
    monkeypatch.setattr(gate, "find_rules", lambda: rules)
    through, host = gate.Gate(None), "leitong.school.example"

    def admit(origin: str) -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"{}"}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        headers = [(b"host", host.encode()), (b"origin", origin.encode())]
        scope = {"type": "http", "method": "POST", "scheme": "http", "headers": headers}
        asyncio.run(through({**scope, "path": "/leitong/browser"}, receive, send))
        return sent

    refused, admitted = admit(f"http://{host}"), admit(f"https://{host}")
    assert refused[0]["status"] == 400
    assert b"; Secure" in dict(admitted[0]["headers"])[b"set-cookie"]


NONSENSE = (
    *("", "{", "[]", "1", "null", "NaN", '"x"', "[" * 4000, '{"a":' * 800, "\0", "x" * 10_000),
    *(f'{{"{name}":{value}}}' for name in ("ticket", "key") for value in ("1", "null", "[]", "{}")),
)


@pytest.mark.parametrize("body", NONSENSE, ids=lambda body: body[:20] or "nothing")
def test_nonsense_is_not_admitted(place, body):
    answer = ask(place, "/leitong/browser", "POST", body, Origin=place.origin)

    assert (answer.status, answer.cookies()) == (400, {})


@pytest.mark.parametrize("secret", ["\ud800", "\udcff", "\0", "a" * 3000, "../../owner.key", "汉"])
def test_secrets_that_were_never_made_open_nothing(place, secret):
    cookie, _ = admitted(place)

    assert enter(place, ticket=secret).status == 403
    assert enter(place, ticket=secret, Cookie=cookie).status == 403
    answer = enter(place, key=secret, Cookie=cookie)  # the cookie alone is no access
    assert answer.cookies()[f"leitong_{place.port}"][0] != cookie
    assert (
        enter(place, key=cookie.partition("=")[2]).cookies()[f"leitong_{place.port}"][0] != cookie
    )


WAYS = ("login", "signed-in", "welcome", "sign-out", "again", "door.js", "browser", "none")
QUERIES = (
    *("to=%00", "to=%ed%a0%80", "state=%ed%a0%80&code=%00"),
    *("to=%", ";;&&==", "to=/" + "a" * 9999),
)


@pytest.mark.parametrize("way", WAYS)
def test_no_address_of_ours_fails(place, way):
    odd = {"Accept_Language": "\xff,zh;q=x", "User_Agent": "\xff", "Sec_CH_UA": "\xff"}
    cookies = f"leitong_login=\xff; leitong_{place.port}=\xff"
    for query in QUERIES:
        for method in ("GET", "POST", "PUT"):
            answer = ask(place, f"/leitong/{way}?{query}", method, Cookie=cookies, **odd)
            assert answer.status < 500
    assert "Traceback" not in place.server.log.read_text("utf-8")


@pytest.mark.long
def test_no_query_of_a_page_fails(place):
    cookie, key = admitted(place)
    for query in ("check=%00&open=%00", "check=%ed%a0%80&open=" + "a" * 9999):
        with socket(place, cookie=cookie, key=key) as line:
            told(line, query)
    assert "Traceback" not in place.server.log.read_text("utf-8")


def test_a_ticket_admits_one_browser(place):
    ticket = tickets.issue(f"{place.origin}/")
    _, key = admitted(place, ticket=secret_of(ticket))
    found = browsers.find(browsers.cookie_of(key))

    assert found is not None
    assert found.owner == owner_key()
    second = enter(place, ticket=secret_of(ticket))
    assert (second.status, second.cookies(), second.body) == (403, {}, b"")
    # the browser that is in already has no use for it, and is not sent away
    assert key_of(enter(place, ticket=secret_of(ticket), key=key)) == key


# --------------------------------------------------------------------------- the socket


@pytest.mark.long
def test_socket_needs_the_key_and_takes_no_cookie_for_it(place):
    cookie, key = admitted(place)
    value = cookie.partition("=")[2]

    assert outcome(place, cookie=cookie, key=key) == 0
    assert outcome(place, key=key) == 0  # another port has put a cookie in the place of ours
    for shown in ("", value, "A" * 43, browsers.cookie_of(value)):  # what others have
        assert outcome(place, cookie=cookie, key=shown) == REVOKED
    assert outcome(place) == REVOKED


@pytest.mark.long
def test_socket_is_for_pages_of_this_port(place):
    cookie, key = admitted(place)
    here = {"cookie": cookie, "key": key}
    for origin in (f"http://{HOST}:{place.port + 1}", f"http://{HOST}", "null", None,
                   f"http://localhost:{place.port}", f"https://{HOST}:{place.port}"):  # fmt: skip
        assert outcome(place, origin=origin, **here) == REFUSED, origin
    assert outcome(place, origin=f"http://{HOST}:{place.port}", **here) == 0


@pytest.mark.long
def test_socket_of_another_host_name_is_refused(place):
    _, key = admitted(place)
    host = f"evil.example:{place.port}"
    with (
        create_connection((HOST, place.port), timeout=SECONDS) as line,
        pytest.raises(InvalidStatus) as refused,
    ):
        connect(
            f"ws://{host}/_stcore/stream",
            sock=line,
            origin=Origin(f"http://{host}"),
            subprotocols=[Subprotocol("streamlit"), Subprotocol(f"leitong.{key}")],
        )

    assert refused.value.response.status_code == REFUSED


@pytest.mark.long
def test_socket_ends_when_its_browser_is_shut_out(place):
    cookie, key = admitted(place)
    browser = browsers.find(cookie.partition("=")[2])
    assert browser is not None
    with socket(place, cookie=cookie, key=key) as line:
        browsers.revoke(browser.id)
        with pytest.raises(ConnectionClosed) as closed:
            line.recv(timeout=SECONDS)

    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == REVOKED
    assert outcome(place, cookie=cookie, key=key) == REVOKED


def told(line: ClientConnection, query: str = "") -> tuple[str, bytes]:
    """Have the script run; return the session and all that was sent."""
    ask_to_run = BackMsg()
    ask_to_run.rerun_script.query_string = query
    line.send(ask_to_run.SerializeToString())
    session, sent = "", b""
    while True:
        data = line.recv(timeout=SECONDS)
        assert isinstance(data, bytes)
        message, sent = ForwardMsg.FromString(data), sent + data
        session = message.new_session.initialize.session_id or session
        ended = message.script_finished if message.HasField("script_finished") else None
        if ended == ForwardMsg.FINISHED_SUCCESSFULLY:  # and not to run once more
            return session, sent


@pytest.mark.long
def test_a_session_goes_on_for_nobody_else(place):
    """Streamlit gives a lost session to whoever names it; what it holds is its owner's alone."""
    project = Shelf(owner_folder(owner_key())).create(name="高一三班")
    project.save_documents([Document.from_text("text " * 80, name="a.txt")])
    project.close()
    mine = admitted(place, ticket=secret_of(tickets.issue(place.origin)))
    with socket(place, cookie=mine[0], key=mine[1]) as line:
        session, sent = told(line)
        assert "高一三班".encode() in sent or b"\\u9ad8\\u4e00" in sent
    for cookie, key, sees in ((*admitted(place), False), (*mine, True)):
        with socket(place, cookie=cookie, key=key, session=session) as line:
            resumed, sent = told(line)

            assert resumed == session
            assert ("高一三班".encode() in sent or b"\\u9ad8\\u4e00" in sent) == sees


# --------------------------------------------------------------------------- files


@pytest.mark.parametrize("path", ["/media/ab12.html", "/_stcore/metrics"])
def test_guarded_addresses_need_a_browser_that_was_admitted(place, path):
    forged = f"leitong_{place.port}={'A' * 43}"

    assert ask(place, path).status == 404
    assert ask(place, path, Cookie=forged).status == 404


def test_uploads_need_a_browser_that_was_admitted(place):
    path = "/_stcore/upload_file/0/0"

    assert ask(place, path, "PUT", "x").status == 404
    cookie, _ = admitted(place)
    assert ask(place, path, "PUT", "x", Cookie=cookie).status == 403  # Streamlit's own token


def test_a_file_is_for_tabs_that_were_told_of_it_and_are_open():
    async def nothing(message=None):
        raise AssertionError

    opened = tabs.Tabs()
    mine, fresh, again, other = (tabs.Tab(one, lambda: "in", nothing, nothing) for one in "aaab")
    with opened.hold(other, resumes=False):
        with opened.hold(mine, resumes=False):
            mine.files |= {"f1", "f2"}
            assert opened.may_have("a", "f1")
            assert not opened.may_have("b", "f1")
        assert not opened.may_have("a", "f1")
        with opened.hold(fresh, resumes=False):
            assert not opened.may_have("a", "f1")
            with opened.hold(again, resumes=True):  # the network was gone for a moment
                assert opened.may_have("a", "f1")
                assert not opened.may_have("b", "f1")
            other.files.add("g")
            fresh.files.add("h")
            opened.withdraw([other.id, "no such tab"])
            assert not opened.may_have("b", "g")
            assert opened.may_have("a", "h")


# --------------------------------------------------------------------------- the machine


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="reads /proc")
def test_no_process_says_a_secret(place):
    ticket = tickets.issue(f"{place.origin}/")
    cookie, key = admitted(place, ticket=secret_of(tickets.issue(place.origin)))
    secrets = [secret_of(ticket), cookie.partition("=")[2], key, owner_key()]
    server = psutil.Process(place.server.process.pid)
    for process in (server, *server.children(recursive=True)):
        said = b""
        with contextlib.suppress(ProcessLookupError, FileNotFoundError):  # it has ended
            said += Path(f"/proc/{process.pid}/cmdline").read_bytes()
            said += Path(f"/proc/{process.pid}/environ").read_bytes()

        assert not [secret for secret in secrets if secret.encode() in said]


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_whatever_the_server_writes_is_the_users_alone(place):
    admitted(place, ticket=secret_of(tickets.issue(place.origin)))
    with socket(place, key=admitted(place)[1]):
        pass
    roots = (place.data / "browsers", place.state, place.server.log)
    for path in (*roots, *(inside for root in roots for inside in root.rglob("*"))):
        mode = stat.S_IMODE(path.stat().st_mode)

        assert mode == (0o700 if path.is_dir() else 0o600), path


@pytest.mark.long
def test_no_secret_is_logged(place):
    cookie, key = admitted(place)
    outcome(place, cookie=cookie, key=key)
    outcome(place, cookie=cookie, key=key, origin="http://127.0.0.1:1")
    logged = place.server.log.read_text("utf-8")

    assert key not in logged
    assert cookie.partition("=")[2] not in logged
