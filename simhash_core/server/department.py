"""A server for a department: who may enter, whose texts are whose, and what each person may use.

    address = "https://leitong.school.example"   # as people type it; TLS is the proxy's
    operators = ["it@school.example"]            # who see the page of the server

    [login]                                      # OpenID Connect (`login`) ...
    issuer = "https://login.school.example"
    client_id = "leitong"
    client_secret_file = "/etc/leitong/client-secret"
    allow = ["@school.example"]                  # without it: everyone whom the provider lets in

    [proxy]                                      # ... or a proxy that has signed people in
    user_header = "X-Remote-User"
    secret_file = "/etc/leitong/proxy-secret"    # it sends this, so that nobody else is believed

    [limits]
    checks = 2                                   # that run at a time; others wait for their turn
    checks_a_person = 1
    minutes = 60                                 # of one check
    megabytes = 2000                             # stored by one person

What a person stores is under a key made of who they are and of a secret of this server, as the
projects of a browser are under the key of that browser (`storage/browsers.py`). What they are
called decides nothing: names are chosen by whoever has them. How to run it:
`docs/how-to/server.md`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import hmac
import json
import logging
import os
import secrets
import shutil
import tomllib
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ..app.department import VARIABLE, Limits
from ..errors import BadInput
from ..folders import data_folder, is_private, private_file, private_folder
from ..storage import browsers, library_address, owner_folder

SECRET_HEADER = "X-Leitong-Proxy"
PROXY = "proxy"  # the issuer of those whom a proxy has signed in
_SHORTEST = 16  # characters of a secret that a proxy sends
_LONGEST = 100  # characters of a name that are shown
_SECRETS = ("client_secret", "secret")  # each may lie in a file, named by the key with `_file`

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Login:
    """A provider of OpenID Connect, and whom of its people this server admits."""

    issuer: str
    client_id: str
    client_secret: str = ""
    allow: tuple[str, ...] | None = None  # addresses, or "@" and a domain; None: everyone
    days: int = 7  # after which a browser signs in anew

    def admits(self, address: str) -> bool:
        """Return whether a person with a verified address, "" unknown, may enter."""
        address = fold_address(address)
        return self.allow is None or any(
            address.endswith(one) if one.startswith("@") else address == one for one in self.allow
        )


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy that names the person with every request, and shows a secret that it alone has."""

    user_header: str
    secret: str


@dataclass(frozen=True, slots=True)
class Department:
    """What the file of a server says."""

    address: str
    login: Login | None = None
    proxy: Proxy | None = None
    operators: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)

    @property
    def host(self) -> str:
        """Name by which browsers know the server."""
        return urlsplit(self.address).hostname or ""

    @property
    def secure(self) -> bool:
        """Whether browsers reach it through TLS."""
        return self.address.startswith("https:")

    @property
    def has_login(self) -> bool:
        """Whether people sign in, here or at a proxy."""
        return self.login is not None or self.proxy is not None

    @property
    def issuer(self) -> str:
        """Who says who people are, "" for nobody."""
        return self.login.issuer if self.login else PROXY if self.proxy else ""

    def admits(self, person: Person) -> bool:
        """Return whether one who has signed in may be here; a proxy says so with each request."""
        allowed = self.login is None or self.login.admits(person.address)
        return allowed and person.issuer == self.issuer


def read(path: Path) -> Department:
    """Return what a file says.

    Raises
    ------
    BadInput
        `server_toml`, `server_unknown`, `server_missing`, `server_value`, `server_logins`.
    OSError
        The file, or one that it names, cannot be read.
    """
    held = _toml(path)
    parts: dict[str, Any] = {
        name: held.pop(name) for name in ("login", "proxy", "limits") if name in held
    }
    if "login" in parts and "proxy" in parts:
        raise BadInput("server_logins")
    made = {name: _part(name, kind, parts.get(name), path.parent) for name, kind in _PARTS.items()}
    whole = _fields(Department, {**held, **{k: v for k, v in made.items() if v is not None}}, "")
    department = Department(**whole)
    if urlsplit(department.address).scheme not in ("http", "https") or not department.host:
        raise BadInput("server_value", name="address")
    if department.proxy is not None and len(department.proxy.secret) < _SHORTEST:
        raise BadInput("server_value", name="proxy.secret")
    return department


def may_listen(department: Department, host: str) -> None:
    """Raise `BadInput` where a server must not listen on an address.

    `server_open`: others can reach it, and nobody signs in. `server_tls`: passwords and texts
    would travel readable.
    """
    if _is_loopback(host) and _is_loopback(department.host):
        return
    if not department.has_login:
        raise BadInput("server_open", host=department.host if _is_loopback(host) else host)
    if not department.secure:
        raise BadInput("server_tls", address=department.address)


def require_private_secrets(path: Path) -> None:
    """Raise `BadInput` (`secret_open`) where others can read a secret of a server, as ssh does."""
    files = [_key_file()]
    for table in _toml(path).values():
        named = table if isinstance(table, dict) else {}
        files += [path for secret in _SECRETS if secret in named]
        others = (named.get(f"{secret}_file") for secret in _SECRETS)
        files += [path.parent / str(other) for other in others if other]
    for file in files:
        if file.exists() and not is_private(file):
            raise BadInput("secret_open", name=str(file))


def read_department() -> Department | None:
    """Return what the file of this server says, None where one person uses the application.

    Who may enter and who runs the server is as the file says now, so that whoever is taken off
    is out at once. All else is as it was at the start: a server that lost its login to a slip of
    an editor would be open to everybody.
    """
    path = os.environ.get(VARIABLE)
    return _rules(Path(path)).latest() if path else None


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput("server_toml", reason=str(error)) from error


class _Rules:
    """The file of a running server, read again when it has changed."""

    def __init__(self, path: Path) -> None:
        self._path, self._stamp = path, _stamp(path)
        self._latest = read(path)

    def latest(self) -> Department:
        """Return what holds now; of a file that cannot be read, what it said before."""
        stamp = _stamp(self._path)
        if stamp != self._stamp:
            self._stamp = stamp
            try:
                self._latest = _with_people_of(self._latest, read(self._path))
            except (BadInput, OSError) as error:
                _log.warning("%s is not taken over: %s", self._path, error)
        return self._latest


@cache
def _rules(path: Path) -> _Rules:
    return _Rules(path)


def _stamp(path: Path) -> tuple[int, int, int]:
    """Return what changes whenever a file does; zeros for one that is away."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0, 0
    return status.st_ino, status.st_mtime_ns, status.st_size


def _with_people_of(started: Department, file: Department) -> Department:
    """Return a department with the people of another: who runs it, and who may enter."""
    login = started.login
    if login is not None and file.login is not None:
        login = dataclasses.replace(login, allow=file.login.allow, days=file.login.days)
    return dataclasses.replace(started, login=login, operators=file.operators)


def _part(name: str, kind: type[Any], held: object, folder: Path) -> Any:
    """Return a table of the file as its record; a secret may lie in a file, named from there."""
    if held is None:
        return None
    if not isinstance(held, dict):
        raise BadInput("server_value", name=name)
    for secret in _SECRETS:
        if path := held.pop(f"{secret}_file", None):
            held[secret] = (folder / str(path)).read_text("utf-8").strip()
    return kind(**_fields(kind, held, f"{name}."))


def _fields(kind: type[Any], held: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the fields of a record; lists are tuples of addresses as they are compared."""
    fields = {one.name: one for one in dataclasses.fields(kind)}
    for name in held:
        if name not in fields:
            meant = get_close_matches(name, fields, n=1)
            raise BadInput("server_unknown", name=where + name, meant=where + "".join(meant))
    for name, one in fields.items():
        bare = one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING
        if bare and name not in held:
            raise BadInput("server_missing", name=where + name)
    return {name: _value(where + name, fields[name].type, value) for name, value in held.items()}


def _value(name: str, kind: object, value: Any) -> Any:
    if kind == "str" and isinstance(value, str) and value:
        return value.rstrip("/") if name in ("address", "login.issuer") else value
    if kind == "int" and type(value) is int and value >= 0:
        return value
    if str(kind).startswith("tuple[str, ...]") and isinstance(value, list):
        if all(isinstance(one, str) for one in value):
            return tuple(map(fold_address, value))
    elif dataclasses.is_dataclass(value):
        return value
    raise BadInput("server_value", name=name)


_PARTS: dict[str, type[Any]] = {"login": Login, "proxy": Proxy, "limits": Limits}


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


# --------------------------------------------------------------------------- people


@dataclass(frozen=True, slots=True)
class Person:
    """One who has signed in; two are the same only where `owner` is."""

    name: str  # to be shown, and nothing else: the address, else what they call themselves
    owner: str  # key of their projects
    seen: datetime
    address: str = ""  # that the provider does not call unverified, or what a proxy says
    issuer: str = ""  # who said so

    @property
    def id(self) -> str:
        """What tells them from everybody else of the same name; it opens nothing."""
        return _file_name(self.owner)[:12]

    @property
    def megabytes(self) -> float:
        """What their projects and library take on disk, in 10^6 bytes."""
        files = (path for folder in _folders(self.owner) for path in folder.rglob("*"))
        return sum(path.stat().st_size for path in files if path.is_file()) / 1e6

    @property
    def is_operator(self) -> bool:
        """Whether they may see the page of the server."""
        here = read_department()
        if here is None or not self.address or not here.admits(self):
            return False
        return fold_address(self.address) in here.operators


def fold_address(text: str) -> str:
    """Return an address as it is compared: in small letters, but for those beyond A to Z.

    Other letters tell addresses apart (`strasse.example`, `straße.example`). What is no address,
    the name of a user that a proxy gives, is compared as it stands.
    """
    if "@" not in text:
        return text
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def owner_of(issuer: str, subject: str) -> str:
    """Return the key of the projects of a person, the same at every visit.

    Without the secret of this server nobody can make it from who the person is.
    """
    identity = json.dumps([issuer, subject]).encode()
    return urlsafe_b64encode(hmac.digest(_secret(), identity, "sha256")).decode().rstrip("=")


def note_person(owner: str, name: str, *, address: str = "", issuer: str = "") -> None:
    """Store that a person has signed in now; `name` is shown where there is no address."""
    plain = "".join(sign if sign.isprintable() else " " for sign in address or name)
    held = {
        "name": plain.strip()[:_LONGEST] or _file_name(owner)[:12],
        "owner": owner,
        "seen": datetime.now(UTC).isoformat(),
        "address": address,
        "issuer": issuer,
    }
    with private_file(private_folder(_people()) / _file_name(owner)) as file:
        file.write(json.dumps(held).encode())


def person_of(owner: str) -> Person | None:
    """Return who has the projects of a key; None for one who never signed in."""
    return _read(_people() / _file_name(owner))


def people() -> list[Person]:
    """Return everybody who has signed in, by name; of one name those with an address first."""
    listed = [_read(path) for path in _people().glob("*.json")]
    known = [one for one in listed if one is not None]
    return sorted(known, key=lambda one: (one.name.casefold(), not one.address, one.id))


def find_people(text: str) -> list[Person]:
    """Return whom a text means: the one who has it as id, else all who are called so."""
    everybody = people()
    asked, exact = fold_address(text), [one for one in everybody if one.id == text]
    called = (one for one in everybody if asked in map(fold_address, (one.address, one.name)))
    return exact or (list(called) if asked else [])


def forget(person: Person) -> None:
    """Delete all that a person has stored, and end the access of their browsers."""
    for browser in browsers.browsers_of(person.owner):
        browsers.revoke(browser.id)
    for folder in _folders(person.owner):
        shutil.rmtree(folder, ignore_errors=False) if folder.is_dir() else None
    (_people() / _file_name(person.owner)).unlink(missing_ok=True)


def _folders(owner: str) -> Sequence[Path]:
    return owner_folder(owner), Path(library_address(owner)).parent


def _people() -> Path:
    return data_folder() / "people"


def _file_name(owner: str) -> str:
    return f"{hashlib.sha256(owner.encode()).hexdigest()}.json"


def _read(path: Path) -> Person | None:
    try:
        held = json.loads(path.read_text("utf-8"))
        seen = datetime.fromisoformat(held["seen"])
        words = (str(held[name]) for name in ("name", "owner", "address", "issuer"))
        name, owner, address, issuer = words
        return Person(name, owner, seen, address, issuer)
    except (OSError, ValueError, KeyError):
        return None


def _key_file() -> Path:
    return data_folder() / "server.key"


@cache
def _secret() -> bytes:
    path = _key_file()
    private_folder(path.parent)
    with contextlib.suppress(FileExistsError), private_file(path, new=True) as file:
        file.write(secrets.token_bytes(32).hex().encode("ascii"))
    return bytes.fromhex(path.read_text("ascii"))
