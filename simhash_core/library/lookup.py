"""Where a phrase stands in the texts of a library, word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import BadInput
from ..model import Document, Progress
from ..storage.library import COLLECTION_KEY, Fault, Library

_AROUND = 40  # characters of the text before and behind a place
_LEAST = 2  # characters of a phrase, without blanks


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
    """Yield the texts that hold a phrase, by key; case and white space do not count.

    Raises
    ------
    BadInput
        `phrase_short`.

    Notes
    -----
    Reads every text: exact for a phrase of any length, in time linear in the texts. For passages
    that may be reworded a check against the library is the way.
    """
    characters = [char for char in phrase if not char.isspace()]
    if len(characters) < _LEAST:
        raise BadInput("phrase_short", n=_LEAST)
    wanted = re.compile(r"\s*".join(map(re.escape, characters)), re.IGNORECASE)
    total = sum(row.texts for row in library.collections() if collection in (None, row.name))
    count = 0
    for done, text in enumerate(library.every_document(collection), start=1):
        if progress is not None:
            progress("search", done, total)
        if isinstance(text, Fault):
            continue
        places = [match.span() for match in wanted.finditer(text.text)]
        if places:
            yield Place(text, *places[0], len(places))
            count += 1
        if limit is not None and count >= limit:
            return
