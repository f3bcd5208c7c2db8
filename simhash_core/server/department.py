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
from collections.abc import Mapping
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
from ..storage import browsers

SECRET_HEADER = "X-Leitong-Proxy"
PROXY = "proxy"  # the issuer of those whom a proxy has signed in
_KEY = "server.key"  # what owners are made of
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

    def admits(self, person: Person) -> bool:
        """Return whether one who has signed in may be here; a proxy says so with each request."""
        allowed = self.login is None or self.login.admits(person.address)
        return allowed and person.issuer == (self.login.issuer if self.login else PROXY)


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
    if "login" in held and "proxy" in held:
        raise BadInput("server_logins")
    for name in _PARTS.keys() & held.keys():
        table = held[name]
        if not isinstance(table, dict):
            raise BadInput("server_value", name=name)
        for secret in _SECRETS:  # may lie in a file, which is named from there
            if file := table.pop(f"{secret}_file", None):
                table[secret] = (path.parent / str(file)).read_text("utf-8").strip()
        held[name] = _PARTS[name](**_fields(_PARTS[name], table, f"{name}."))
    department = Department(**_fields(Department, held, ""))
    if urlsplit(department.address).scheme not in ("http", "https") or not department.host:
        raise BadInput("server_value", name="address")
    if department.proxy is not None and len(department.proxy.secret) < _SHORTEST:
        raise BadInput("server_value", name="proxy.secret")
    return department


def may_listen(department: Department, host: str) -> None:
    """Raise `BadInput` where a server must not listen on an address.

    `server_open`: nobody signs in. `server_tls`: others can reach it, and passwords and texts
    would travel readable.
    """
    if department.login is None and department.proxy is None:
        raise BadInput("server_open", host=department.host if _is_loopback(host) else host)
    here = _is_loopback(host) and _is_loopback(department.host)
    if not here and not department.secure:
        raise BadInput("server_tls", address=department.address)


def require_private_secrets(path: Path) -> None:
    """Raise `BadInput` (`secret_open`) where others can read a secret of a server, as ssh does."""
    files = [data_folder() / _KEY]
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
    an editor would be open to everybody. Of a file that cannot be read holds what it said before.
    """
    name = os.environ.get(VARIABLE)
    if not name:
        return None
    path, stamp = Path(name), _stamp(Path(name))
    before, holds = _known.get(path) or (stamp, read(path))
    if stamp != before:
        try:
            holds = _with_people_of(holds, read(path))
        except (BadInput, OSError) as error:
            _log.warning("%s is not taken over: %s", path, error)
    _known[path] = stamp, holds
    return holds


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput("server_toml", reason=str(error)) from error


#: files of servers: what changes whenever one does, and what holds
_known: dict[Path, tuple[tuple[int, int, int], Department]] = {}


def _stamp(path: Path) -> tuple[int, int, int]:
    """Return what changes whenever a file does; zeros for one that is away."""
    with contextlib.suppress(OSError):
        status = path.stat()
        return status.st_ino, status.st_mtime_ns, status.st_size
    return 0, 0, 0


def _with_people_of(started: Department, file: Department) -> Department:
    """Return a department with the people of another: who runs it, and who may enter."""
    login = started.login
    if login is not None and file.login is not None:
        login = dataclasses.replace(login, allow=file.login.allow, days=file.login.days)
    return dataclasses.replace(started, login=login, operators=file.operators)


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
        return _file_of(self.owner).stem[:12]

    @property
    def megabytes(self) -> float:
        """What their projects and library take on disk, in 10^6 bytes."""
        files = (
            path for folder in browsers.owned_folders(self.owner) for path in folder.rglob("*")
        )
        return sum(path.stat().st_size for path in files if path.is_file()) / 1e6

    @property
    def is_operator(self) -> bool:
        """Whether they may see the page of the server."""
        here = read_department()
        runners = here.operators if here is not None and here.admits(self) else ()
        return bool(self.address) and fold_address(self.address) in runners


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
    path = _file_of(owner)
    shown = plain.strip()[:_LONGEST] or path.stem[:12]
    person = Person(shown, owner, datetime.now(UTC), address, issuer)
    held = {**dataclasses.asdict(person), "seen": person.seen.isoformat()}
    private_folder(path.parent)
    with private_file(path) as file:
        file.write(json.dumps(held).encode())


def person_of(owner: str) -> Person | None:
    """Return who has the projects of a key; None for one who never signed in."""
    return _read(_file_of(owner))


def people() -> list[Person]:
    """Return everybody who has signed in, by name; of one name those with an address first."""
    listed = [_read(path) for path in (data_folder() / "people").glob("*.json")]
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
    for folder in browsers.owned_folders(person.owner):
        if folder.is_dir():
            shutil.rmtree(folder)
    _file_of(person.owner).unlink(missing_ok=True)


def _file_of(owner: str) -> Path:
    return data_folder() / "people" / f"{hashlib.sha256(owner.encode()).hexdigest()}.json"


def _read(path: Path) -> Person | None:
    try:
        held = json.loads(path.read_text("utf-8"))
        return Person(**{**held, "seen": datetime.fromisoformat(held["seen"])})
    except (OSError, ValueError, KeyError, TypeError):
        return None


@cache
def _secret() -> bytes:
    path = data_folder() / _KEY
    private_folder(path.parent)
    with contextlib.suppress(FileExistsError), private_file(path, "xb") as file:
        file.write(secrets.token_hex(32).encode())
    return bytes.fromhex(path.read_text("ascii"))
