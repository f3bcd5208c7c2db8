"""A folder that is watched: each new text that stands elsewhere already is told once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ..model import Document
from .tracing import Traced, likely_sources


@dataclass(frozen=True, slots=True)
class Find:
    """A new text and the text that it is nearest to.

    `kind` is that of the `LikelySource`; what shares only common text is not told. `share` is that
    of the words of the new text which the other has too, 0..1. `earlier` says
    whether the other is likely the earlier one, None where dates and words disagree or say
    nothing.
    """

    at: datetime
    document: Document
    other: Document
    share: float
    others: int  # further texts that share enough
    earlier: bool | None
    kind: str = "shared"


def finds(
    batches: Iterable[Sequence[Path]],
    *,
    read: Callable[[Sequence[Path]], Sequence[Document]],
    trace: Callable[[Sequence[Document]], Traced],
    now: Callable[[], datetime],
) -> Iterator[Find]:
    """Yield what is found of every batch of new texts, a text once however often it comes.

    Parameters
    ----------
    batches
        Files or folders that were added or changed (`library.watching.changed_files`).
    read
        Returns the texts of a batch.
    trace
        Looks for them.
    now
        The clock.

    Notes
    -----
    A file that is written again with the same text is not told again; with another text it is.
    """
    reported: set[tuple[str, str]] = set()
    for batch in batches:
        documents = [one for one in read(batch) if (one.id, one.name) not in reported]
        reported |= {(one.id, one.name) for one in documents}
        if documents:
            yield from _of(trace(documents), now())


def _of(traced: Traced, at: datetime) -> Iterator[Find]:
    documents = traced.result.documents
    for one in likely_sources(traced):
        if one.kind != "common":
            both = documents[one.row], documents[one.other]
            yield Find(at, *both, one.share, one.others, one.earlier, one.kind)
