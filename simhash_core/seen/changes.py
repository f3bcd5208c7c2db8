"""What a check lists that an earlier one of the same texts did not, and the other way round."""

from __future__ import annotations

from dataclasses import dataclass

from ..model import Document, pair_key
from ..result import CheckResult, list_rows

Ends = tuple[Document, Document]


@dataclass(frozen=True, slots=True)
class ResultChanges:
    """Pairs that are listed now and were not, and pairs that were and are not any more.

    Each in the order in which its check lists them, the clearest evidence first.
    """

    new: tuple[Ends, ...]
    gone: tuple[Ends, ...]


def result_changes(before: CheckResult, now: CheckResult) -> ResultChanges:
    """Return what changed between two checks. A text is the same one by its content."""
    earlier, current = _list_ends(before), _list_ends(now)
    return ResultChanges(
        tuple(ends for key, ends in current.items() if key not in earlier),
        tuple(ends for key, ends in earlier.items() if key not in current),
    )


def _list_ends(result: CheckResult) -> dict[tuple[str, str], Ends]:
    """Return the listed pairs by the ids of their texts."""
    pairs: dict[tuple[str, str], Ends] = {}
    for row in list_rows(result).tolist():
        a = result.documents[int(result.table.pairs.left[row])]
        b = result.documents[int(result.table.pairs.right[row])]
        pairs.setdefault(pair_key(a.id, b.id), (a, b))
    return pairs
