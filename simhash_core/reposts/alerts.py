"""A folder that is watched: each new text that stands elsewhere already is told once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ..model import Document
from .tracing import Traced


@dataclass(frozen=True, slots=True)
class Find:
    """A new text and the text that it shares most with.

    `share` is that of the words of the new text which the other has too, 0..1. `earlier` says
    whether the other is likely the earlier one, None where dates and words disagree or say
    nothing.
    """

    at: datetime
    document: Document
    other: Document
    share: float
    others: int  # further texts that share enough
    earlier: bool | None


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
        Files or folders that were added or changed (`library.imports.changed_files`).
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
    documents, table = traced.result.documents, traced.result.table
    best: dict[int, tuple[float, int]] = {}
    count: dict[int, int] = {}
    pairs = zip(
        *(table.pairs.left.tolist(), table.pairs.right.tolist()),
        *(table.coverage_a.tolist(), table.coverage_b.tolist()),
        strict=True,
    )
    for left, right, of_left, of_right in pairs:
        for row, other, share in ((left, right, of_left), (right, left, of_right)):
            if row < traced.asked <= other and share > 0:
                count[row] = count.get(row, 0) + 1
                best[row] = max(best.get(row, (0.0, -1)), (share, other))
    for row in sorted(best):
        share, other = best[row]
        earlier = _is_earlier(traced, other, row)
        yield Find(at, documents[row], documents[other], share, count[row] - 1, earlier)


def _is_earlier(traced: Traced, other: int, row: int) -> bool | None:
    """Return whether one version stands before another, None where that is open."""
    for group in traced.groups:
        rows = group.rows
        if row in rows and other in rows:
            clear = group.certain or group.dates.level == "sound" or group.words.level == "fair"
            return rows.index(other) < rows.index(row) if clear and not group.conflict else None
    return None
