"""Which of several versions that one person handed in is compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from ..model import Document, Skipped
from ..people.authorship import read_author
from ..people.names import identify_persons
from ..policy import MOST_VERSIONS, VERSION_RUN, VERSION_SHARE
from ..settings import Settings
from .tokenizing import read_text

_FINAL = "终稿|定稿|最终|最新|修改稿|改后|final|revised|latest"
_DRAFT = "初稿|草稿|原稿|旧|draft|(?<![a-z])old(?![a-z])"
_VERSION = r"v(?:ersion)?[ _.-]?(\d{1,3})\b|第?([一二三四五六七八九])稿|[(（](\d{1,2})[)）]"
_NUMERALS = "零一二三四五六七八九"
#: in the meta of a text: a person said that this version is compared
CHOSEN_VERSION = "chosen_version"


def keep_latest_versions(documents: Sequence[Document]) -> tuple[list[Document], list[Skipped]]:
    """Keep the latest version of each text that one person handed in several times.

    Returns
    -------
    latest, earlier
        The texts to be compared, in their order; and the others, `earlier_version`, each with the
        file that stands for it.

    Notes
    -----
    A version shares at least `VERSION_SHARE` of the `VERSION_RUN` words in a row of the shorter
    text. Who has more than `MOST_VERSIONS` texts has a portfolio: all are compared. Later is what
    a person chose, else what its name calls final, else the higher number, else the later date,
    else what was given later.
    """
    rows: dict[str, list[int]] = {}
    persons = identify_persons([*map(read_author, documents)])
    for row, person in enumerate(persons):
        rows.setdefault(person, []).append(row)
    stands: dict[int, int] = {}
    for person, several in rows.items():
        if person and 1 < len(several) <= MOST_VERSIONS:
            stands |= _find_earlier(documents, several)
    earlier = [
        Skipped(documents[row].name, "earlier_version", {"name": documents[by].name})
        for row, by in sorted(stands.items())
    ]
    return [one for row, one in enumerate(documents) if row not in stands], earlier


def _find_earlier(documents: Sequence[Document], rows: Sequence[int]) -> dict[int, int]:
    """Return for each earlier version of one person the row that stands for it."""
    runs = {}
    for row in rows:
        token = read_text(documents[row].text, Settings()).token.tolist()
        runs[row] = set(zip(*(token[at:] for at in range(VERSION_RUN)), strict=False))
    ranked = sorted(rows, key=lambda row: (*_rank_version(documents[row]), row), reverse=True)
    stands: dict[int, int] = {}
    for at, later in enumerate(ranked):
        for row in ranked[at + 1 :] if later not in stands else ():
            least = min(len(runs[row]), len(runs[later]))
            if least and len(runs[row] & runs[later]) >= VERSION_SHARE * least:
                stands.setdefault(row, later)
    return stands


def _rank_version(document: Document) -> tuple[bool, int, int, str]:
    """Return what a person, the name and the date of a file say of its place among versions."""
    stem = PurePosixPath(document.name).stem
    final, draft = (re.search(words, stem, re.IGNORECASE) for words in (_FINAL, _DRAFT))
    number = re.search(_VERSION, document.name, re.IGNORECASE)
    written = next(filter(None, number.groups()), "0") if number else "0"
    figure = _NUMERALS.find(written) if written in _NUMERALS else int(written)
    chosen = bool(document.meta.get(CHOSEN_VERSION))
    return chosen, bool(final) - bool(draft), figure, document.meta.get("date", "")
