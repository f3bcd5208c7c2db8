"""Two people sign in through a real provider of OpenID Connect: neither reaches the other's data.

Provider and server are processes of their own; what a browser does is done here, step by step.
Browsers: `tests/e2e/test_server.py`.
"""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from simhash_core.app.server import HOST, Server, free_port, run_server
from simhash_core.server import department
from simhash_core.storage import Shelf, browsers, owner_folder

MEI = {"sub": "1", "email": "mei@school.example", "name": "Mei"}
TOM = {"sub": "2", "email": "tom@school.example", "name": "Tom"}
EVE = {"sub": "3", "email": "eve@other.example", "name": "Eve"}
#: who call themselves like Mei, in every way that a provider leaves to them
FORGED = (
    {"sub": "4", "email": MEI["email"], "email_verified": False, "name": MEI["email"]},
    {"sub": "5", "name": "MEI@School.example"},
    {"sub": MEI["email"]},
    {"sub": "6", "email": MEI["email"], "email_verified": "false"},
    {"sub": "7", "email": [MEI["email"]], "email_verified": True, "name": "\u202e"},
)
ALLOW = 'allow = ["@school.example"]'
SECONDS = 60.0  # of a busy machine
REVOKED = 4401


def provider(
    folder: Path, people: Iterable[Mapping[str, Any]] = (MEI, TOM, EVE, *FORGED)
) -> tuple[subprocess.Popen[bytes], str]:
    """Start a provider of OpenID Connect that knows some people; return its address."""
    port = free_port()
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)]
    for person in people:
        command += ["--user-claims", json.dumps(person)]
    process = subprocess.Popen(
        command, stdout=(folder / "provider.log").open("wb"), stderr=subprocess.STDOUT
    )
    address = f"http://{HOST}:{port}"
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            httpx2.get(f"{address}/.well-known/openid-configuration")
            return process, address
        except httpx2.HTTPError:
            time.sleep(0.1)
    process.kill()
    raise AssertionError((folder / "provider.log").read_text())


@dataclass
class Place:
    """A server for a school, with folders of its own."""

    origin: str
    data: Path
    provider: str

    def write_rules(self, *rules: str, operators: str = "") -> None:
        """Write the file of the server."""
        (self.data.parent / "server.toml").write_text(
            f"""address = "{self.origin}"
            operators = [{operators}]
            [login]
            issuer = "{self.provider}"
            client_id = "leitong"
            client_secret = "of the client"
            """
            + "\n".join(rules)
        )


@contextlib.contextmanager
def serving(port: int, folder: Path) -> Iterator[Server]:
    """Serve what a folder holds by the `server.toml` in it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEITONG_DATA", str(folder / "data"))
        patch.setenv("LEITONG_STATE", str(folder / "state"))
        patch.setenv(department.VARIABLE, str(folder / "server.toml"))
        with run_server(port, log=folder / "server.log") as server:
            yield server


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("school")
    process, issuer = provider(folder)
    port = free_port()
    here = Place(f"http://{HOST}:{port}", folder / "data", issuer)
    here.write_rules(ALLOW)
    with serving(port, folder) as server:
        assert server.url == here.origin
        yield here
    process.kill()
    process.wait()


@pytest.fixture
def rules(place: Place) -> Iterator[Callable[..., None]]:
    """What writes the file of the server, which is as it was afterwards."""
    yield place.write_rules
    place.write_rules(ALLOW)


def ticket_of(led: httpx2.Response) -> str:
    """Return the admission that an answer leads back with."""
    return parse_qs(urlsplit(led.headers["location"]).fragment)["ticket"][0]


@dataclass
class Visitor:
    """A browser that follows no redirect by itself."""

    place: Place
    client: httpx2.Client = field(default_factory=lambda: httpx2.Client(timeout=SECONDS))
    key: str = ""

    def get(self, path: str, **headers: str) -> httpx2.Response:
        return self.client.get(self.place.origin + path, headers=headers)

    def enter(self, ticket: str = "") -> httpx2.Response:
        """Ask to be admitted, as the script of the page does."""
        body = json.dumps({"ticket": ticket, "key": self.key})
        headers = {"Origin": self.place.origin}
        answer = self.client.post(
            f"{self.place.origin}/leitong/browser", content=body, headers=headers
        )
        if answer.status_code == 200:
            self.key = answer.json()["key"]
        return answer

    def at_provider(self, person: dict[str, str], to: str = "/") -> str:
        """Go to the provider and sign in there; return the way back."""
        away = self.get(f"/leitong/login?to={to}")
        assert away.status_code == 302, away.text
        address = away.headers["location"]
        assert address.startswith(self.place.provider)
        back = self.client.post(address, data={"sub": person["sub"]})
        assert back.status_code == 302, back.text
        return back.headers["location"]

    def sign_in(self, person: dict[str, str], to: str = "/") -> httpx2.Response:
        """Sign in and hand the admission in; return the answer that led to the page."""
        led = self.client.get(self.at_provider(person, to))
        assert led.status_code == 302, led.text
        assert self.enter(ticket_of(led)).status_code == 200
        return led

    def said(self) -> list[tuple[str, str]]:
        """Return what a proxy adds to each request of this browser."""
        names = ("x-remote-user", department.SECRET_HEADER.lower())
        return [(name, self.client.headers[name]) for name in names if name in self.client.headers]

    def cookie(self) -> str:
        return "; ".join(f"{one.name}={one.value}" for one in self.client.cookies.jar)

    def open_socket(self) -> ClientConnection:
        """Open the socket of the application, which stays open or is closed at once."""
        return connect(
            self.place.origin.replace("http", "ws") + "/_stcore/stream",
            origin=Origin(self.place.origin),
            additional_headers=[*self.said(), ("Cookie", self.cookie())],
            subprotocols=[Subprotocol("streamlit"), Subprotocol(f"leitong.{self.key}")],
            open_timeout=SECONDS,
        )

    def socket(self) -> int:
        """Return why the socket of the application is closed, 0 where it stays open."""
        with self.open_socket() as line:
            return closed(line, within=1.0)


def closed(line: ClientConnection, *, within: float) -> int:
    """Return why a socket is closed, 0 where it stays open."""
    try:
        line.recv(timeout=within)
    except TimeoutError:
        return 0
    except ConnectionClosed as end:
        return end.rcvd.code if end.rcvd else -1
    return 0


@pytest.fixture
def visitor(place: Place) -> Callable[[], Visitor]:
    return lambda: Visitor(place)


def owner_at(place: Place, person: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("LEITONG_DATA", str(place.data))
    department._secret.cache_clear()
    try:
        return department.owner_of(place.provider, person["sub"])
    finally:
        department._secret.cache_clear()


@pytest.mark.long
def test_pages_wait_for_a_login(visitor) -> None:
    stranger = visitor()
    led = stranger.get("/review?check=abc")

    assert led.status_code == 302
    assert led.headers["location"] == "/leitong/login?to=%2Freview%3Fcheck%3Dabc"
    assert stranger.enter().status_code == 403
    assert stranger.socket() == REVOKED
    assert stranger.get("/_stcore/health").status_code == 200  # for the proxy


@pytest.mark.long
def test_one_who_signs_in_comes_to_the_page(visitor) -> None:
    mei = visitor()
    led = mei.sign_in(MEI, "%2Freview%3Fcheck%3Dabc")

    assert led.headers["location"].startswith("/leitong/welcome?to=%2Freview%3Fcheck%3Dabc#ticket=")
    welcome = mei.get(led.headers["location"].partition("#")[0])
    assert 'content="0;url=/review?check=abc"' in welcome.text
    assert mei.get("/review").status_code == 200
    assert mei.socket() == 0


def test_two_people_have_folders_of_their_own(visitor, place, monkeypatch) -> None:
    mei, tom = visitor(), visitor()
    mei.sign_in(MEI)
    tom.sign_in(TOM)
    owners = [owner_at(place, person, monkeypatch) for person in (MEI, TOM)]
    held = {person.owner: person.name for person in department.people()}

    assert [held[owner] for owner in owners] == [MEI["email"], TOM["email"]]
    project = Shelf(owner_folder(owners[0])).create(name="of Mei")
    assert [one.name for one in Shelf(owner_folder(owners[0])).recent()] == ["of Mei"]
    assert Shelf(owner_folder(owners[1])).recent() == []
    assert project.id
    project.close()


def test_a_cookie_beside_the_key_of_another_changes_nobody(visitor, place, monkeypatch) -> None:
    mei, tom = visitor(), visitor()
    mei.sign_in(MEI)
    tom.sign_in(TOM)
    cookie = mei.client.cookies[f"leitong_{urlsplit(place.origin).port}"]

    mei.key = tom.key  # the key says who comes, and no cookie is one
    assert browsers.find(browsers.cookie_of(mei.enter().json()["key"])).owner == owner_at(
        place, TOM, monkeypatch
    )
    mei.key = cookie
    assert mei.socket() == REVOKED


def test_one_who_is_not_on_the_list_is_told_so(visitor) -> None:
    eve = visitor()
    answer = eve.client.get(eve.at_provider(EVE), headers={"Accept-Language": "en"})

    assert answer.status_code == 403
    assert "This account may not use this server" in answer.text


@pytest.mark.long
@pytest.mark.parametrize("person", FORGED, ids=lambda person: person["sub"])
def test_what_somebody_calls_themselves_makes_nobody_an_operator(
    visitor, place, monkeypatch, rules, person
) -> None:
    rules(operators=f'"{MEI["email"].upper()}"')
    for one in (MEI, person):
        visitor().sign_in(one)
    found = [department.person_of(owner_at(place, one, monkeypatch)) for one in (MEI, person)]

    assert [one.is_operator for one in found] == [True, False]
    assert [one.address for one in found] == [MEI["email"], ""]
    assert found[0].id != found[1].id
    assert found[1].name.isprintable()
    rules(f'allow = ["{MEI["email"]}"]')
    again = visitor()
    assert again.client.get(again.at_provider(person)).status_code == 403


def test_an_admission_is_good_once_and_only_where_it_was_asked_for(visitor) -> None:
    mei, eve = visitor(), visitor()
    ticket = ticket_of(mei.client.get(mei.at_provider(MEI)))

    assert eve.enter(ticket).status_code == 403  # and it is used up
    assert mei.enter(ticket).status_code == 403


def test_a_way_back_is_good_for_the_browser_that_left(visitor) -> None:
    mei, eve = visitor(), visitor()
    back = mei.at_provider(MEI)

    assert eve.client.get(back).status_code == 403
    assert mei.client.get(back).status_code == 403  # the state is used up


@pytest.mark.parametrize("change", ["state", "code"])
def test_a_changed_way_back_is_refused(visitor, change: str) -> None:
    mei = visitor()
    back = re.sub(rf"\b{change}=[^&]*", f"{change}=changed", mei.at_provider(MEI))

    assert mei.client.get(back).status_code == 403


@pytest.mark.parametrize(
    "to", ["https%3A%2F%2Fevil.example", "%2F%2Fevil.example", "%2F%5Cevil.example", "%2F%23x"]
)
def test_nobody_is_led_elsewhere(visitor, to: str) -> None:
    led = visitor().sign_in(MEI, to)

    assert led.headers["location"].startswith("/leitong/welcome?to=%2F#ticket=")
    welcome = visitor().get(f"/leitong/welcome?to={to}")
    assert 'content="0;url=/"' in welcome.text


def test_no_way_in_fails(visitor, place) -> None:
    mei = visitor()
    mei.sign_in(MEI)
    for way in ("login", "signed-in", "welcome", "browser"):
        for query in ("to=%00", "to=%ed%a0%80", "state=%ed%a0%80&code=%00", "code=" + "a" * 9999):
            assert mei.get(f"/leitong/{way}?{query}", **{"X-Remote-User": "x"}).status_code < 500
    for secret in ("\ud800", "\0", "a" * 3000):
        key, mei.key = mei.key, secret
        assert mei.enter().status_code == 403
        mei.key = key
        assert mei.enter(secret).status_code == 403
    assert "Traceback" not in (place.data.parent / "server.log").read_text("utf-8")


@pytest.mark.long
def test_signing_out_ends_the_access(visitor) -> None:
    mei = visitor()
    mei.sign_in(MEI)
    mei.get("/leitong/sign-out", **{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"})
    assert mei.socket() == 0  # a link elsewhere signs nobody out

    page = mei.get(
        "/leitong/sign-out", **{"Sec-Fetch-Site": "same-origin", "Accept-Language": "en"}
    )
    assert "Signed out" in page.text
    assert mei.get("/").status_code == 302
    assert mei.socket() == REVOKED


@pytest.mark.long
@pytest.mark.parametrize("forgot", [False, True], ids=["key known", "page forgot its key"])
def test_a_second_person_at_a_browser_is_that_person(visitor, place, monkeypatch, forgot) -> None:
    both = visitor()
    both.sign_in(MEI)
    with both.open_socket() as of_mei:
        key_of_mei = both.key
        both.key = "" if forgot else key_of_mei
        both.sign_in(TOM)
        assert closed(of_mei, within=SECONDS) == REVOKED  # before the browser was Tom's
    browser = browsers.find(browsers.cookie_of(both.key))

    assert browser is not None
    assert browser.owner == owner_at(place, TOM, monkeypatch)
    assert both.socket() == 0
    assert browsers.find(browsers.cookie_of(key_of_mei)) is None


def test_one_whose_admission_is_not_taken_does_not_go_on_as_another(visitor) -> None:
    mei = visitor()
    mei.sign_in(MEI)

    assert mei.enter("too late").status_code == 403
    assert mei.enter().json()["key"] == mei.key


@pytest.mark.long
@pytest.mark.parametrize("allow", [f'allow = ["{TOM["email"]}"]', "allow = []", "days = 0"])
def test_one_who_is_taken_off_the_list_is_out(visitor, rules, allow: str) -> None:
    rules(f'allow = ["{MEI["email"]}", "{TOM["email"]}"]')
    mei = visitor()
    mei.sign_in(MEI)
    with mei.open_socket() as line:
        assert closed(line, within=0.1) == 0
        rules(allow)
        assert closed(line, within=SECONDS) == REVOKED
    assert mei.socket() == REVOKED
    assert mei.get("/").status_code == 302


@pytest.mark.long
def test_one_who_is_no_operator_any_more_begins_anew(visitor, rules) -> None:
    rules(operators=f'"{MEI["email"]}"')
    mei = visitor()
    mei.sign_in(MEI)
    with mei.open_socket() as line:
        rules()
        assert closed(line, within=SECONDS) == REVOKED
    assert mei.socket() == 0


@pytest.mark.long
def test_a_slip_in_the_file_lets_nobody_in_and_nobody_out(visitor, place, rules) -> None:
    mei = visitor()
    mei.sign_in(MEI)
    (place.data.parent / "server.toml").write_text("operators = [")
    assert mei.get("/").status_code == 200
    (place.data.parent / "server.toml").write_text(f'address = "{place.origin}"')  # no login
    assert visitor().get("/").status_code == 302
    assert visitor().enter().status_code == 403


@pytest.mark.long
def test_a_provider_that_is_away_is_named(visitor, tmp_path) -> None:
    port = free_port()
    (tmp_path / "server.toml").write_text(
        f"""address = "http://{HOST}:{port}"
        [login]
        issuer = "http://{HOST}:{free_port()}"
        client_id = "leitong" """
    )
    with serving(port, tmp_path) as server:
        answer = httpx2.get(
            f"{server.url}/leitong/login", headers={"Accept-Language": "en"}, timeout=SECONDS
        )
    assert answer.status_code == 403
    assert "does not answer" in answer.text


@pytest.mark.long
def test_a_proxy_says_who_comes_and_nobody_else_does(tmp_path) -> None:
    port, secret = free_port(), "s" * 32
    (tmp_path / "server.toml").write_text(
        f"""address = "http://{HOST}:{port}"
        [proxy]
        user_header = "X-Remote-User"
        secret = "{secret}" """
    )
    with serving(port, tmp_path) as server:
        mei = Visitor(Place(server.url, tmp_path, ""))
        said = {"X-Remote-User": "mei", department.SECRET_HEADER: secret}
        assert mei.get("/leitong/login", **{"X-Remote-User": "mei"}).status_code == 403
        mei.client.headers.update(said)
        assert mei.enter(ticket_of(mei.get("/leitong/login"))).status_code == 200
        assert mei.get("/").status_code == 200
        with mei.open_socket() as of_mei:
            mei.client.headers["X-Remote-User"] = "tom"  # another person at the same browser
            assert mei.get("/").status_code == 302
            upload = f"{server.url}/_stcore/upload_file/session/file"
            assert mei.client.put(upload, content=b"x").status_code == 404
            assert mei.enter(ticket_of(mei.get("/leitong/login"))).status_code == 200
            assert closed(of_mei, within=SECONDS) == REVOKED
        assert [one.name for one in department.people()] == ["mei", "tom"]
        ticket = ticket_of(mei.get("/leitong/login"))
        mei.client.headers["X-Remote-User"] = "mei"
        assert mei.enter(ticket).status_code == 403  # of Tom, and the proxy names Mei
        twice = [*said.items(), ("X-Remote-User", "eve")]
        assert httpx2.get(f"{server.url}/leitong/login", headers=twice).status_code == 403
        del mei.client.headers[department.SECRET_HEADER]
        assert mei.get("/").status_code == 302
