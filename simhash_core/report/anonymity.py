"""Names replaced by numbers, also inside the texts, without moving an offset."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from ..model import Document
from .visible import visible

_HAN_NAME = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff·]{2,6}")
_LATIN_NAME = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_EDGE = re.compile(r"^[\W\d_]+|[\W\d_]+$")
_SHORTEST = 2  # characters of a name that is looked for
_SHORTEST_NUMBER = 5  # digits of a student number


@dataclass(frozen=True, slots=True)
class Mask:
    """One text with the places of names in it; `cut` gives what may be shown."""

    text: str
    spans: tuple[tuple[int, int, str], ...] = ()  # sorted, apart from each other

    def cut(self, start: int, end: int) -> str:
        """Return the text of a range: a name is replaced where it begins, and once."""
        if not self.spans:
            return visible(self.text[start:end])
        parts, at = [], start
        first = max(bisect_left(self.spans, (start, 0, "")) - 1, 0)
        for low, high, label in self.spans[first:]:
            if low >= end:
                break
            if high <= at:
                continue
            parts.append(self.text[at : max(low, at)])
            if low >= start:
                parts.append(label)
            at = min(max(high, at), end)
        parts.append(self.text[at:end])
        return visible("".join(parts))


def plain(text: str) -> Mask:
    """Return a text with nothing hidden."""
    return Mask(text)


def hider(documents: Sequence[Document], label: Callable[[int], str]) -> Callable[[str], Mask]:
    """Return what hides the names of all texts of a check inside any text.

    Parameters
    ----------
    documents
        Their authors, student numbers and file names are the names that are looked for.
    label
        What the text of a row is called instead.

    Notes
    -----
    Whole names only: 刘子墨, Emma Clarke, also Clarke, Emma, EMMA CLARKE and emma-clarke; of a
    Chinese name of three characters the given name as well, of a Latin author each part with a
    capital.
    """
    names: dict[str, str] = {}
    for row, document in enumerate(documents):
        for name in _names(document):
            names.setdefault(name, label(row))
    if not names:
        return plain
    longest_first = sorted(names, key=len, reverse=True)
    pattern = re.compile("|".join(f"({_pattern(name)})" for name in longest_first))
    labels = [names[name] for name in longest_first]

    def hide(text: str) -> Mask:
        matches = pattern.finditer(text)
        return Mask(text, tuple((*m.span(), labels[(m.lastindex or 1) - 1]) for m in matches))

    return hide


def _names(document: Document) -> list[str]:
    """Return the names that a document gives away."""
    author = (document.meta.get("person") or document.meta.get("author", "")).strip()
    number = document.meta.get("number", "").strip()
    stem = PurePosixPath(document.name.replace("\\", "/")).stem
    names = {author, number, stem, _EDGE.sub("", stem), *_HAN_NAME.findall(stem)}
    for name in (author, _EDGE.sub("", stem)):
        if re.fullmatch(r"[\u3400-\u4dbf\u4e00-\u9fff]{3}", name):
            names.add(name[1:])
        words = _LATIN_NAME.findall(name)
        if 2 <= len(words) <= 3 and all(len(word) > 1 for word in words):
            names |= {" ".join(words), " ".join((words[-1], *words[:-1]))}
    words = _LATIN_NAME.findall(author)
    if 2 <= len(words) <= 3:
        names |= {word for word in words if len(word) > 2}
    return [name for name in names if _is_telling(name)]


def _is_telling(name: str) -> bool:
    """Whether a name is long enough to be looked for; short numbers stand everywhere."""
    return len(name) >= (_SHORTEST_NUMBER if name.isdecimal() else _SHORTEST)


def _pattern(name: str) -> str:
    """Return the expression that finds a name; a Latin one with capitals or as in file names."""
    words = _LATIN_NAME.findall(name)
    if not name.isascii() or not words:
        return re.escape(name)
    if any(character.isdigit() for character in name):
        return rf"\b{re.escape(name)}\b"
    capital = r"[ ,._-]{1,3}".join(f"{re.escape(w[:1].upper() + w[1:].lower())}" for w in words)
    upper = r"[ ,._-]{1,3}".join(re.escape(word.upper()) for word in words)
    lower = r"[._-]".join(re.escape(word.lower()) for word in words)
    given = re.escape(name) if name != name.lower() else capital
    joined = [given, capital, upper, *([lower] if len(words) > 1 else [])]
    return rf"\b(?:{'|'.join(dict.fromkeys(joined))})\b"
