"""The tables of words that are made once on a computer, ahead of the first check that needs them.

A check makes what is missing by itself; made while somebody still chooses files, nobody waits:

missing()               those that are to be made
prepare(names, step)    make them, in a process of its own
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from typing import Literal, get_args

from ..errors import LeitongError
from ..machine.isolation import child_command
from ..model import Document, Progress
from ..settings import Settings
from ..text import dictionary
from ..text.characters import HAN

Name = Literal["concepts", "dictionary"]
NAMES: tuple[Name, ...] = get_args(Name)
_HAN = re.compile(f"[{HAN}]")
_SAMPLE = 400  # characters of a text


class NotPrepared(LeitongError):
    """The tables were not made, or could not be stored: each check makes them by itself."""

    code = "not_prepared"


def list_missing() -> tuple[Name, ...]:
    """Return the tables that are to be made, in the order in which a check needs them."""
    if dictionary.data_file() is None:  # the extra is not installed: there are none
        return ()
    tables = {"concepts": dictionary.ConceptTable, "dictionary": dictionary.Dictionary}
    return tuple(name for name in NAMES if not dictionary.is_made(tables[name]))


def makes_concepts(documents: Sequence[Document], settings: Settings) -> bool:
    """Return whether a check of these texts first makes the table of what words mean."""
    wanted = settings.passages and settings.dictionary != "off"
    han = (_HAN.search(document.text[:_SAMPLE]) for document in documents)
    return wanted and "concepts" in list_missing() and any(han)


def prepare(names: Sequence[Name], step: Progress) -> None:
    """Make tables in a process of its own, so that nothing here is slowed down by it.

    Parameters
    ----------
    names
        As `list_missing` returns them.
    step
        Called with the name of a table, and the lines done of all its lines; what it raises ends
        the process, which has lost its reader.

    Raises
    ------
    NotPrepared
    """
    process = subprocess.Popen(
        child_command(f"{__name__}:make", *names),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with process:
        assert process.stdout is not None
        for line in process.stdout:
            name, done, total = line.split()
            step(name, int(done), int(total))
    if process.returncode:
        raise NotPrepared(", ".join(names))


def make(*names: str) -> None:
    """Make tables and print how far they are. Runs in the process of `prepare`.

    One that is stored meanwhile by somebody else is only read. The process ends with its reader;
    its exit code is 1 where one of them could not be stored.
    """
    for name in names:

        def step(_: str, done: int, total: int, name: str = name) -> None:
            print(name, done, total, flush=True)

        step("", 0, 1)
        if name == "concepts":
            dictionary.concept_table(step)
        else:
            dictionary.load(step)
        step("", 1, 1)
    sys.exit(not set(names).isdisjoint(list_missing()))
