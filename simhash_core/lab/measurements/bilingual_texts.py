"""Folders of texts in two languages, as prose: without code, addresses and Latin words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ...text.language import language_of

HOST = (1_000, 6_000)  # characters of a Chinese host, four times as many of an English one
_CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|`[^`\n]*`|<[^>\n]*>|\{\{[^}]*\}\}", re.M | re.S)
_LINK = re.compile(r"\]\([^)]*\)|\]\[[^\]]*\]|^\[[^\]]*\]:.*$", re.M)
_LATIN = re.compile(r"[A-Za-z][\w'’.:/+-]*")
CHAPTER = re.compile(r"ch(\d+)")


class Texts(NamedTuple):
    """A text in both languages."""

    name: str
    chinese: str
    english: str


@dataclass(frozen=True, slots=True)
class Case:
    """One planted passage: a host text, the whole source text, and where both hold it."""

    host: str
    source: str
    in_host: tuple[int, int]
    in_source: tuple[int, int]


def texts_of(
    chinese: Path, english: Path, *, year: str, part: str, keep_latin: bool
) -> list[Texts]:
    """Return the texts that both folders hold, without code."""
    read: list[dict[str, str]] = []
    for folder in (chinese, english):
        held: dict[str, str] = {}
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".md", ".txt") and year in path.name and _in_part(path.name, part):
                held.setdefault(_key(path), path.read_text("utf-8", errors="replace"))
        read.append(held)
    return [
        Texts(name, prose(read[0][name], latin=keep_latin), prose(read[1][name], latin=True))
        for name in sorted(read[0].keys() & read[1].keys())
        if len(prose(read[0][name], latin=keep_latin)) >= HOST[0] // 2
    ]


def hosts_of(folder: Path | None, *, latin: bool) -> list[str]:
    """Return texts of another subject that are about as long as a hand-in."""
    if folder is None:
        return []
    texts = []
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".md", ".txt"):
            text = prose(path.read_text("utf-8", errors="replace"), latin=latin)
            times = 1 if language_of(text) == "zh" else 4
            if len(text) >= times * HOST[0]:
                texts.append(text[: times * HOST[1]])
    return texts


def prose(text: str, *, latin: bool) -> str:
    """Return a text without code and addresses, and without Latin words unless `latin`."""
    bare = _LINK.sub("]", _CODE.sub(" ", text))
    return bare if latin else _LATIN.sub("", bare)


def _key(path: Path) -> str:
    """Return what a text is called in both languages: `kaisery__ch01__2022` is `ch01`."""
    parts = path.stem.split("__")
    name = parts[1] if len(parts) > 2 else parts[0]
    return name.rpartition("src_")[2]


def _in_part(name: str, part: str) -> bool:
    if part == "all":
        return True
    chapter = CHAPTER.search(name)
    return chapter is not None and int(chapter[1]) % 2 == (part == "odd")
