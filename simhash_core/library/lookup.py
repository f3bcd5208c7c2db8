"""Where a phrase stands in the texts of a library, word for word, whatever marks stand between."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ..errors import BadInput
from ..model import Document, Progress
from ..storage.library import COLLECTION_KEY, Fault, Library
from ..text.characters import HAN
from ..text.normalize import normalize, normalized_text

_AROUND = 40  # characters of the text before and behind a place
_LEAST = 2  # letters and digits of a phrase
_BETWEEN = r"[\W_]*"  # marks and white space
_ONE_HAN = re.compile(f"[{HAN}]")
_WORD = re.compile(rf"[{HAN}]|[^\W_{HAN}]+")


@dataclass(frozen=True, slots=True)
class Place:
    """One text that holds a phrase: where first, how often, and the words around it."""

    document: Document
    start: int
    end: int
    count: int

    @property
    def collection(self) -> str:
        """The collection of the text."""
        return self.document.meta[COLLECTION_KEY]

    def around(self) -> tuple[str, str, str]:
        """Return the words before, in and behind the place, on one line."""
        text = self.document.text
        before = text[max(self.start - _AROUND, 0) : self.start]
        behind = text[self.end : self.end + _AROUND]
        before, within, behind = (
            re.sub(r"\s+", " ", part) for part in (before, text[self.start : self.end], behind)
        )
        return before, within, behind


def places_of(
    library: Library,
    phrase: str,
    *,
    collection: str | None = None,
    limit: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Place]:
    """Yield the texts that hold a phrase, by key.

    Case, width, script (traditional, simplified), marks and white space do not count, as in a
    check; a Latin word is found as a whole, wherever a line break or hyphen cuts it.

    Raises
    ------
    BadInput
        `phrase_short`.

    Notes
    -----
    Reads every text: exact for a phrase of any length, in time linear in the texts. For passages
    that may be reworded a check against the library is the way.
    """
    wanted = pattern_of(phrase)
    total = sum(row.texts for row in library.collections() if collection in (None, row.name))
    count = 0
    for done, text in enumerate(library.every_document(collection), start=1):
        if progress is not None:
            progress("search", done, total)
        if isinstance(text, Fault):
            continue
        if wanted.search(normalized_text(text.text)):  # only a text that holds it is mapped
            form = normalize(text.text)
            found = list(wanted.finditer(form.text))
            start, end = found[0].start(), found[0].end() - 1
            yield Place(text, int(form.start[start]), int(form.end[end]), len(found))
            count += 1
        if limit is not None and count >= limit:
            return


def pattern_of(phrase: str) -> re.Pattern[str]:
    """Return what finds a phrase in a normalised text.

    Raises
    ------
    BadInput
        `phrase_short`: fewer than two letters or digits.
    """
    words = _WORD.findall(normalized_text(phrase))
    if sum(map(len, words)) < _LEAST:
        raise BadInput("phrase_short", n=_LEAST)
    pattern = _word_pattern(words[0])
    for before, word in pairwise(words):
        close = _is_han(before) or _is_han(word)
        pattern += (_BETWEEN if close else r"[\W_]+") + _word_pattern(word)
    return re.compile(pattern)


def _word_pattern(word: str) -> str:
    """Return the pattern of a word: all of it, unless it is Chinese, which nothing separates."""
    if _is_han(word):
        return word
    letters = r"(?:[-\u00ad]\n?)?".join(word)  # cut at the end of a line
    return rf"(?<![^\W_{HAN}]){letters}(?![^\W_{HAN}])"


def _is_han(word: str) -> bool:
    return _ONE_HAN.fullmatch(word) is not None
