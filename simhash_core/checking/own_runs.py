"""A second look at the pairs that alone share something: weaker passages count there.

A class that answers one question shares much: its words weigh little, and a reworded copy of a few
lines has not the strength of a passage. Runs of words that no third text has say more about two
texts than the strength does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np

from ..machine.memory import sizes_of
from ..model import I64, Bools, DocumentFrequencies, Passages
from ..passages import coverage
from ..passages.cut import token_ranges
from ..passages.holders import hash_texts
from ..passages.options import AlignOptions
from ..passages.tokenized import TokenizedText, languages_of
from ..policy import HOLDER_RUN, OWN_GAP, OWN_LOOK, OWN_STRENGTH, OWN_TOKENS, OWN_WORK, SMALL_CHECK
from ..settings import Settings
from .aligning import LANGUAGES, Measured, align_pairs
from .run import Run


@dataclass(frozen=True, slots=True, eq=False)
class OwnRuns:
    """The runs of words that two texts have and no third.

    Attributes
    ----------
    key : int64 (k,)
        `left * n + right` of the texts, ascending; of one pair by place.
    at : int64 (k, 2)
        First token of the run in both texts.
    """

    n: int
    key: I64
    at: I64

    @classmethod
    def of(cls, texts: Sequence[TokenizedText]) -> Self:
        """Find them in all texts; O(tokens log tokens)."""
        first, _, _, hashed, whole = hash_texts(texts)
        place = np.flatnonzero(whole)
        place = place[np.argsort(hashed[place], kind="stable")]  # of equal runs in order of texts
        owner = np.searchsorted(first, place, side="right") - 1
        run = hashed[place]
        starts = np.flatnonzero(np.concatenate([[True], run[1:] != run[:-1]])[: len(run)])
        ends = np.concatenate([starts[1:], [len(run)]]).astype(np.int64)
        changes = np.concatenate([[0], np.cumsum(owner[1:] != owner[:-1])]).astype(np.int64)
        two = changes[ends - 1] - changes[starts] == 1 if len(run) else np.zeros(0, np.bool_)
        low, high = starts[two], ends[two]
        second = np.searchsorted(changes, changes[low] + 1)  # the first place in the later text
        key = owner[low] * len(texts) + owner[high - 1]
        at = np.stack(
            [place[low] - first[owner[low]], place[second] - first[owner[second]]], axis=1
        )
        order = np.lexsort((at[:, 0], key))
        return cls(len(texts), key[order], at[order])

    def rows(self, left: int, right: int) -> slice:
        """Return which runs are those of two texts, left < right."""
        ends = np.searchsorted(self.key, left * self.n + right + np.arange(2))
        return slice(int(ends[0]), int(ends[1]))

    def words(self, pairs: I64, width: I64) -> I64:
        """Return how many words of the first text lie in such runs of one place, int64 (m,).

        One place has at most `OWN_GAP` words from each run to the next, in both texts; of several
        places the one with most. `width` is that of the runs of each text.
        """
        near = np.diff(self.at, axis=0, prepend=0)
        apart = (np.diff(self.key, prepend=-1) != 0) | (np.abs(near) > OWN_GAP).any(axis=1)
        wide = width[self.key // self.n]
        added = np.where(apart, wide, np.minimum(near[:, 0], wide))
        place = np.cumsum(apart) - 1
        words = np.bincount(place, added, int(place[-1]) + 1 if len(place) else 0).astype(np.int64)
        most = np.zeros(len(pairs), np.int64)
        keys = pairs @ [self.n, 1]
        order = np.argsort(keys, kind="stable")
        of_place = self.key[apart]
        at = np.minimum(np.searchsorted(keys[order], of_place), max(len(keys) - 1, 0))
        found = keys[order][at] == of_place if len(keys) else np.zeros(len(of_place), np.bool_)
        np.maximum.at(most, order[at[found]], words[found])
        return most


class Again(NamedTuple):
    """The pairs that are looked at by less strength: their rows, and the runs they alone share."""

    rows: I64
    runs: OwnRuns | None


def choose_again(
    tokenized: Sequence[TokenizedText],
    pairs: I64,
    df: DocumentFrequencies | None,
    settings: Settings,
) -> Again:
    """Choose the pairs with enough own runs in one place, most first, up to a share of the work.

    None in a check of fewer than `SMALL_CHECK` texts, whose words have no weights of their own,
    where a strength was asked for, and in one of more than `OWN_TOKENS` words.
    """
    wanted = len(tokenized) >= SMALL_CHECK and df is not None and settings.strength is None
    if not wanted or not len(pairs) or sizes_of(tokenized).sum() > OWN_TOKENS:
        return Again(np.zeros(0, np.int64), None)
    runs, size = OwnRuns.of(tokenized), sizes_of(tokenized)
    rows = np.flatnonzero(np.isin(pairs @ [len(tokenized), 1], runs.key))
    language = languages_of(tokenized, pairs[rows])
    width, least = (
        np.array([number[one] for one in language.tolist()], np.int64)
        for number in (HOLDER_RUN, OWN_LOOK)
    )
    of_texts = np.zeros(len(tokenized), np.int64)
    of_texts[pairs[rows, 0]] = width
    words = runs.words(pairs[rows], of_texts)
    rows, words = rows[words >= least], words[words >= least]
    order = np.argsort(-words, kind="stable")
    cost = size[pairs[rows[order]]].sum(axis=1)
    most = OWN_WORK * float(size[pairs].sum())
    return Again(np.sort(rows[order][np.cumsum(cost) <= most]), runs)


def measure_again(
    again: Again,
    tokenized: Sequence[TokenizedText],
    pairs: I64,
    df: DocumentFrequencies | None,
    *,
    run: Run,
) -> Measured:
    """Measure the chosen pairs with their weaker passages, by row of `again.rows`."""
    found = _weaker_passages(again, tokenized, pairs, df, run)
    needed, local = np.unique(pairs[again.rows], return_inverse=True)
    texts = [tokenized[row] for row in needed.tolist()]
    min_run = run.settings.min_run
    return Measured(
        found, *coverage.sum_up_pairs(texts, local.reshape(-1, 2), found, min_run=min_run)
    )


def _weaker_passages(
    again: Again,
    tokenized: Sequence[TokenizedText],
    pairs: I64,
    df: DocumentFrequencies | None,
    run: Run,
) -> Passages:
    """Align them by less strength; what lacks the usual one has to hold enough own runs."""
    assert again.runs is not None
    chosen = pairs[again.rows]
    language = languages_of(tokenized, chosen)
    parts = []
    for name in LANGUAGES:
        rows = np.flatnonzero(language == name)
        if not len(rows):
            continue
        usual = AlignOptions.for_language(name, frequencies=df is not None).strength
        aligned, _ = align_pairs(
            tokenized,
            chosen[rows],
            df,
            listed=np.ones(len(rows), np.bool_),
            settings=replace(run.settings, strength=usual - OWN_STRENGTH[name]),
            pool=run.pool,
            step=lambda *_: None,
        )
        passages = aligned.passages
        weaker = ~passages.weak & (passages.score < usual)
        keep = ~weaker
        keep[weaker] = _holds_own(
            passages.take(weaker), again.runs, tokenized, chosen[rows], OWN_LOOK[name], name
        )
        parts.append(passages.take(keep).of_pairs(rows[passages.pair[keep]]))
    return Passages.join(parts)


def _holds_own(
    passages: Passages,
    runs: OwnRuns,
    tokenized: Sequence[TokenizedText],
    pairs: I64,
    least: int,
    language: str,
) -> Bools:
    """Return which passages hold at least so many words of own runs on both sides, bool (p,)."""
    held = np.zeros(len(passages), np.bool_)
    width = HOLDER_RUN[language]
    ends = [
        token_ranges(tokenized, pairs[passages.pair, side], start, end)
        for side, start, end in (
            (0, passages.a_start, passages.a_end),
            (1, passages.b_start, passages.b_end),
        )
    ]
    for row, pair in enumerate(pairs[passages.pair].tolist()):
        at = runs.at[runs.rows(*pair)]
        inside = np.ones(len(at), np.bool_)
        for side, (low, high) in enumerate(ends):
            inside &= (at[:, side] >= low[row]) & (at[:, side] + width <= high[row])
        places = at[inside, 0]
        words = np.minimum(np.diff(places), width).sum() + width * bool(len(places))
        held[row] = words >= least
    return held
