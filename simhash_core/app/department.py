"""A server for a department: who may enter, whose texts are whose, and what each person may use.

    address = "https://leitong.school.example"   # as people type it; TLS is the proxy's
    operators = ["it@school.example"]            # who see the page of the server

    [login]                                      # OpenID Connect (`login`) ...
    issuer = "https://login.school.example"
    client_id = "leitong"
    client_secret_file = "/etc/leitong/client-secret"
    allow = ["@school.example"]                  # none: everyone whom the provider lets in

    [proxy]                                      # ... or a proxy that has signed people in
    user_header = "X-Remote-User"
    secret_file = "/etc/leitong/proxy-secret"    # it sends this, so that nobody else is believed

    [limits]
    checks = 2                                   # that run at a time; others wait for their turn
    checks_a_person = 1
    minutes = 60                                 # of one check
    megabytes = 2000                             # stored by one person

What a person stores is under a key made of who they are and of a secret of this server, as the
projects of a browser are under the key of that browser (`storage/browsers.py`). How to run it:
`docs/how-to/server.md`.
"""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import json
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

from ..errors import BadInput
from ..folders import data_folder, private_file, private_folder
from ..storage import browsers, library_address, owner_folder

VARIABLE = "LEITONG_SERVER"  # environment of the server process: the file
SECRET_HEADER = "X-Leitong-Proxy"
_SHORTEST = 16  # characters of a secret that a proxy sends


@dataclass(frozen=True, slots=True)
class Login:
    """A provider of OpenID Connect, and whom of its people this server admits."""

    issuer: str
    client_id: str
    client_secret: str = ""
    allow: tuple[str, ...] = ()  # addresses, or "@" and a domain; none: everyone
    days: int = 7  # after which a browser signs in anew

    def admits(self, email: str) -> bool:
        """Return whether a person with a verified address, "" unknown, may enter."""
        email = email.casefold()
        return not self.allow or any(
            email.endswith(one) if one.startswith("@") else email == one for one in self.allow
        )


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy that names the person with every request, and shows a secret that it alone has."""

    user_header: str
    secret: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What one server, and one person on it, may use; 0 is no limit."""

    checks: int = 2
    checks_a_person: int = 1
    minutes: int = 60
    megabytes: int = 2_000


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


def read(path: Path) -> Department:
    """Return what a file says.

    Raises
    ------
    BadInput
        `server_toml`, `server_unknown`, `server_missing`, `server_value`, `server_logins`.
    OSError
        The file, or one that it names, cannot be read.
    """
    try:
        held = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput("server_toml", reason=str(error)) from error
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


@cache
def current() -> Department | None:
    """Return what the file of this server says, None where one person uses the application."""
    path = os.environ.get(VARIABLE)
    return read(Path(path)) if path else None


def with_login() -> Department | None:
    """Return what the file of this server says, where it asks people to sign in."""
    here = current()
    return here if here is not None and here.has_login else None


def _part(name: str, kind: type[Any], held: object, folder: Path) -> Any:
    """Return a table of the file as its record; a secret may lie in a file, named from there."""
    if held is None:
        return None
    if not isinstance(held, dict):
        raise BadInput("server_value", name=name)
    for secret in ("client_secret", "secret"):
        if path := held.pop(f"{secret}_file", None):
            held[secret] = (folder / str(path)).read_text("utf-8").strip()
    return kind(**_fields(kind, held, f"{name}."))


def _fields(kind: type[Any], held: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the fields of a record; lists are tuples of words in small letters."""
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
    if kind == "tuple[str, ...]" and isinstance(value, list):
        if all(isinstance(one, str) for one in value):
            return tuple(one.casefold() for one in value)
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
    """One who has signed in; `name` is an address where the provider gives one."""

    name: str
    owner: str  # key of their projects
    seen: datetime

    @property
    def megabytes(self) -> float:
        """What their projects and library take on disk, in 10^6 bytes."""
        return sum(_size(folder) for folder in _folders(self.owner)) / 1e6

    @property
    def is_operator(self) -> bool:
        """Whether they may see the page of the server."""
        department = current()
        return department is not None and self.name.casefold() in department.operators


def owner_of(issuer: str, subject: str) -> str:
    """Return the key of the projects of a person, the same at every visit.

    Without the secret of this server nobody can make it from who the person is.
    """
    identity = json.dumps([issuer, subject]).encode()
    return urlsafe_b64encode(hmac.digest(_secret(), identity, "sha256")).decode().rstrip("=")


def note_person(owner: str, name: str) -> None:
    """Store that a person has signed in now."""
    with private_file(private_folder(_people()) / _file_name(owner)) as file:
        seen = datetime.now(UTC).isoformat()
        file.write(json.dumps({"name": name, "owner": owner, "seen": seen}).encode())


def person_of(owner: str) -> Person | None:
    """Return who has the projects of a key; None for one who never signed in."""
    return _read(_people() / _file_name(owner))


def people() -> list[Person]:
    """Return everybody who has signed in, by name."""
    listed = [_read(path) for path in _people().glob("*.json")]
    return sorted((one for one in listed if one is not None), key=lambda one: one.name.casefold())


def forget(person: Person) -> None:
    """Delete all that a person has stored, and end the access of their browsers."""
    for browser in browsers.browsers_of(person.owner):
        browsers.revoke(browser.id)
    for folder in _folders(person.owner):
        shutil.rmtree(folder, ignore_errors=False) if folder.is_dir() else None
    (_people() / _file_name(person.owner)).unlink(missing_ok=True)


def _folders(owner: str) -> Sequence[Path]:
    return owner_folder(owner), Path(library_address(owner)).parent


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _people() -> Path:
    return data_folder() / "people"


def _file_name(owner: str) -> str:
    return f"{hashlib.sha256(owner.encode()).hexdigest()}.json"


def _read(path: Path) -> Person | None:
    try:
        held = json.loads(path.read_text("utf-8"))
        return Person(str(held["name"]), str(held["owner"]), datetime.fromisoformat(held["seen"]))
    except (OSError, ValueError, KeyError):
        return None


@cache
def _secret() -> bytes:
    path = private_folder(data_folder()) / "server.key"
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return bytes.fromhex(path.read_text("ascii"))
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_bytes(32).hex())
    return bytes.fromhex(path.read_text("ascii"))
