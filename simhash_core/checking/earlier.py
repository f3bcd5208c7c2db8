"""What an earlier check of some texts found, so that only pairs with a new text are aligned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..model import I64, Bools, Document, DocumentFrequencies, Passages, Progress, Stretches
from ..passages import coverage
from ..passages.coverage import PairNumbers
from ..passages.tokenized import TokenizedText
from ..policy import BATCH_FROM
from ..result import CheckResult
from ..settings import Settings
from ..version import __version__
from ..workers import WorkerPool
from .aligning import Measured, align_pairs

#: guarantees of a check that did not look at every pair of its texts
_IN_PART = ("only_against", "archive_searched")


@dataclass(frozen=True, slots=True, eq=False)
class Earlier:
    """An earlier result by the rows of the texts now: `row[i]` is -1 for a new text, int64 (n,)."""

    result: CheckResult
    row: I64

    @classmethod
    def of(
        cls, result: CheckResult | None, documents: Sequence[Document], settings: Settings
    ) -> Earlier | None:
        """Return what can be taken over; None where another check would not find the same.

        Notes
        -----
        Taken over are pairs of which both texts are unchanged, under equal settings, by the same
        version, with the same text left out as a template. Common phrases weigh as they did:
        the frequencies of the earlier batch are used for new pairs too.
        """
        if result is None or result.version != __version__:
            return None
        if any(fact.code in _IN_PART for fact in result.guarantees):
            return None
        if replace(result.settings, translated=settings.translated) != settings:
            return None
        if settings.skip_same_person or settings.skip_same_group or not settings.passages:
            return None  # pairs were left out by names, which can change
        if (result.frequencies is None) != (len(documents) < BATCH_FROM):
            return None
        rows = {_key(document): row for row, document in enumerate(result.documents)}
        return cls(result, np.array([rows.get(_key(document), -1) for document in documents]))

    @property
    def texts(self) -> int:
        """How many texts the earlier check has compared with each other."""
        return int((self.row >= 0).sum())

    def done(self, pairs: I64) -> Bools:
        """Return which pairs the earlier check has looked at, bool (m,)."""
        sides = self.row[pairs]
        compared = sides.min(axis=1) < self._first_reference
        return np.asarray((sides >= 0).all(axis=1) & compared)

    def listed(self) -> I64:
        """Return the pairs with passages, by the rows now, int64 (c, 2), left < right, sorted."""
        now: dict[int, list[int]] = {}
        for at, row in enumerate(self.row.tolist()):
            now.setdefault(row, []).append(at)
        table = self.result.table.pairs
        held = np.unique(self.result.passages.pair)
        sides = zip(table.left[held].tolist(), table.right[held].tolist(), strict=True)
        pairs = {
            (min(a, b), max(a, b))
            for left, right in sides
            for a in now.get(left, ())
            for b in now.get(right, ())
        }
        return np.array(sorted(pairs), np.int64).reshape(-1, 2)

    def passages(self, pairs: I64) -> Passages:
        """Return the passages of pairs, `pair` being the row of `pairs`."""
        table, n = self.result.table.pairs, len(self.result.documents)
        sides = self.row[pairs]
        keys = np.sort(sides, axis=1) @ [n, 1]
        of_table = table.left * n + table.right
        at = np.searchsorted(of_table, keys)
        listed = at < len(of_table)
        listed[listed] = of_table[at[listed]] == keys[listed]
        first, last = (
            np.where(listed, np.searchsorted(self.result.passages.pair, at, side), 0)
            for side in ("left", "right")
        )
        count = last - first
        rows = np.repeat(np.arange(len(pairs)), count)
        inside = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
        taken = self.result.passages.take(np.repeat(first, count) + inside).of_pairs(rows)
        turned = sides[rows, 0] > sides[rows, 1]
        return Passages.join([taken.take(~turned), taken.take(turned).turned()])

    @property
    def _first_reference(self) -> int:
        return len(self.result.documents) - self.result.references


def align_new(
    earlier: Earlier | None,
    tokenized: Sequence[TokenizedText],
    pairs: I64,
    df: DocumentFrequencies | None,
    *,
    listed: Bools,
    settings: Settings,
    pool: WorkerPool,
    step: Progress,
) -> tuple[Measured, int]:
    """Do what `align_pairs` does, taking over what an earlier check has found."""
    if earlier is None:
        return align_pairs(
            tokenized, pairs, df, listed=listed, settings=settings, pool=pool, step=step
        )
    done = earlier.done(pairs)
    fresh, lost = align_pairs(
        tokenized,
        pairs[~done],
        df,
        listed=listed[~done],
        settings=settings,
        pool=pool,
        step=step,
    )
    passages = earlier.passages(pairs[done])
    numbers, stretches = coverage.of_pairs(
        tokenized, pairs[done], passages, min_run=settings.min_run
    )
    whole, passages_of, stretches_of = PairNumbers.zeros(len(pairs)), [], []
    for chosen, part in ((~done, fresh), (done, Measured(passages, numbers, stretches))):
        rows = np.flatnonzero(chosen)
        whole.put(rows, part.numbers)
        passages_of.append(part.passages.of_pairs(rows[part.passages.pair]))
        stretches_of.append(part.stretches.of_pairs(rows[part.stretches.pair]))
    return Measured(Passages.join(passages_of), whole, Stretches.join(stretches_of)), lost


def _key(document: Document) -> tuple[object, ...]:
    """Return what makes a text the same one: its content, and what of it counts nowhere."""
    left_out = ((one.start, one.end) for one in document.notes if one.code == "template")
    return document.id, *sorted(left_out)
