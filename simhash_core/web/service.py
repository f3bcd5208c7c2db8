"""Which search service is asked: the address that a person has entered, none before."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from ..errors import BadInput
from ..folders import private_file, private_folder

_FILE = "service.txt"
_LONGEST = 500


def service_of(folder: Path) -> str:
    """Return the address that was entered, "" where none was: then nothing is ever sent."""
    try:
        return service_address((folder / _FILE).read_text("utf-8"))
    except (OSError, ValueError, BadInput):
        return ""


def set_service(folder: Path, address: str) -> str:
    """Remember an address; return it as it is used.

    Raises
    ------
    BadInput
        `web_service`.
    """
    plain = service_address(address)
    with private_file(private_folder(folder) / _FILE) as file:
        file.write(plain.encode())
    return plain


def forget_service(folder: Path) -> None:
    """Forget the address: nothing can be sent from now on."""
    (folder / _FILE).unlink(missing_ok=True)


def service_address(address: str) -> str:
    """Return an address without `/search` and what follows it.

    Raises
    ------
    BadInput
        `web_service`: no address of http or https, or one with a password, which a log and a
        list of processes would show.
    """
    plain = address.strip()
    try:
        parts = urlsplit(plain)
        port, host = parts.port, parts.hostname
    except ValueError as error:
        raise BadInput("web_service") from error
    wrong = parts.scheme not in ("http", "https") or not host or parts.username is not None
    if wrong or port == 0 or len(plain) > _LONGEST or not plain.isprintable() or " " in plain:
        raise BadInput("web_service")
    path = parts.path.rstrip("/").removesuffix("/search").rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}"
