"""How the files of an import are read, as plain values that a stopped import is resumed by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..checking.authorship import Member, people_of, with_authors
from ..model import Document


@dataclass(frozen=True, slots=True)
class Reading:
    """What is taken from files.

    Attributes
    ----------
    main_text
        Of saved web pages the article alone, where the extra `library` is installed.
    people
        How file names tell who wrote what: "auto", or a pattern; "" for not at all.
    listed
        Members of a class list, whose spelling names are given.
    """

    main_text: bool = True
    people: str = ""
    listed: tuple[Member, ...] = ()

    def named(self, documents: Sequence[Document]) -> list[Document]:
        """Return documents that say who wrote them.

        Raises
        ------
        BadInput
            `people_pattern`, `people_slow`.
        """
        if not self.people:
            return list(documents)
        authorships = people_of([document.name for document in documents], self.people)
        return with_authors(documents, authorships, listed=self.listed)[0]

    def to_data(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Reading:
        """Return what `to_data` gave."""
        listed = tuple(Member(**row) for row in data.get("listed", ()))
        return cls(bool(data.get("main_text", True)), str(data.get("people", "")), listed)
