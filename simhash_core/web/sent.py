"""What left this machine, and when: one line a request, written before it is made.

The only log that holds words of a text, since it is there to show them; it is read and deleted on
the page of the library, by `leitong web log`, and by hand: it is one file.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from ..folders import private_folder

FILE = "sent.jsonl"


@dataclass(frozen=True, slots=True)
class Sent:
    """One request.

    Attributes
    ----------
    at
        When, UTC, as 2026-03-02T09:15:04Z.
    kind
        `search`: words were sent; `page`: an address was asked for what stands there; `name`: only
        the name of the machine was looked up, and then nothing was asked.
    to
        The machine that was asked, as host:port.
    what
        The words to the letter, or the address.
    """

    at: str
    kind: str
    to: str
    what: str


class SentLog:
    """The log of one owner, in a folder that nobody else can read. Safe to use at once."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE

    def require(self) -> None:
        """Raise where no line can be added: then nothing must be sent.

        Raises
        ------
        OSError
        """
        os.close(self._opened())

    def note(self, kind: str, to: str, what: str) -> None:
        """Add a line; it is on its way to the disk when this returns.

        Raises
        ------
        OSError
            Then nothing must be sent.
        """
        line = json.dumps(asdict(Sent(read_clock(), kind, to, what)), ensure_ascii=True) + "\n"
        descriptor = self._opened()
        try:
            os.write(descriptor, line.encode("ascii"))
        finally:
            os.close(descriptor)

    def _opened(self) -> int:
        private_folder(self.path.parent)
        return os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def entries(self) -> tuple[Sent, ...]:
        """Return all lines, oldest first; one that was cut off is left out."""
        try:
            lines = self.path.read_text("ascii", errors="replace").splitlines()
        except (FileNotFoundError, NotADirectoryError):
            return ()
        entries = []
        for line in lines:
            with contextlib.suppress(ValueError, TypeError):
                entries.append(Sent(**json.loads(line)))
        return tuple(entries)

    def delete(self) -> int:
        """Delete the log; return how many lines it had."""
        n = len(self.entries())
        self.path.unlink(missing_ok=True)
        return n


def read_clock() -> str:
    """Return the moment, UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
