"""Texts that hold one page: each is aligned with a witness of it, and their pairs are composed.

What k texts hold makes k (k - 1) / 2 pairs, and nearly all of them share nothing else. Where two
of them have the same tokens is known from their alignments with the witness, so such a pair begins
there: nothing is searched, and its passage grows by the rules of every alignment. Pairs that seem
to share something beside the page, or are not one passage, are aligned each for itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ..model import F32, I32, I64, SHARED, VERBATIM, Bools, DocumentFrequencies, Passages, Stretches
from ..passages.align import side_of, texts_of
from ..passages.coverage import GAP_WORDS, PairNumbers, ranges_of, shortest_run
from ..passages.cut import equal_runs
from ..passages.exact import LOOPS
from ..passages.findings import IDENTICAL, MOVED_WORDS, REWORDED, SUMMARY
from ..passages.holders import hash_texts
from ..passages.options import AlignOptions, numbers_of
from ..passages.tokenized import TokenizedText, span_of
from ..passages.winnow import pairs_sharing
from ..policy import PAGE_ALIKE, PAGE_BESIDE, PAGE_HOLDERS, PAGE_NEAR, PAGE_SHARE, PAGE_TOKENS
from .aligning import Measured, align_pairs, find_first_alike, join_measured
from .run import Run

CHUNK_PAIRS = 16_384  # composed in one call, in a second
LANGUAGE = "en"  # of pages: passages of Chinese follow from characters and from words


def align_by_pages(
    tokenized: Sequence[TokenizedText],
    pairs: I64,
    df: DocumentFrequencies | None,
    *,
    listed: Bools,
    run: Run,
) -> tuple[Measured, int]:
    """Align pairs as `align_pairs` does, those of texts that hold one page by way of a witness."""
    _, alike = np.unique(find_first_alike(tokenized), return_inverse=True)
    free = (np.bincount(alike) == 1)[alike]  # copies are aligned once anyway
    left, parts, lost = np.arange(len(pairs)), list[tuple[I64, Measured]](), 0

    def align(rows: I64) -> Measured:
        """Align some of them, each for itself."""
        nonlocal lost
        measured, failed = align_pairs(
            tokenized,
            pairs[rows],
            df,
            listed=listed[rows],
            settings=run.settings,
            pool=run.pool,
            step=run.step,
        )
        parts.append((rows, measured))
        lost += failed
        return measured

    while (page := find_page(tokenized, pairs[left], free)) is not None:
        of_witness = page.holds[pairs[left]].all(axis=1) & (pairs[left] == page.witness).any(axis=1)
        star, left = left[of_witness], left[~of_witness]
        members = Members.of(tokenized, pairs[star], align(star).passages, page.witness)
        if len(members.rows) < PAGE_HOLDERS:
            break
        free[members.rows] = False
        composed, measured = members.compose(tokenized, pairs[left], df, run)
        parts.append((left[composed], measured))
        left = left[~composed]
    align(left)
    return join_measured(parts, len(pairs)), lost


class Page(NamedTuple):
    """A text of which much is a page that many have, and the texts that seem to have it, (n,)."""

    witness: int
    holds: Bools


def find_page(tokenized: Sequence[TokenizedText], pairs: I64, free: Bools) -> Page | None:
    """Find a page that many of the texts hold, None where there is none.

    Of each of the `free` texts with many pairs, the longest stretch is looked at under runs of
    words that `PAGE_HOLDERS` texts have. The witness is the text that holds least beside it.
    """
    degree = np.bincount(pairs.ravel(), minlength=len(tokenized))
    many = np.flatnonzero(free & (degree >= PAGE_HOLDERS)).tolist()
    rows = np.array([row for row in many if tokenized[row].language == LANGUAGE], np.int64)
    if len(rows) < PAGE_HOLDERS:
        return None
    texts = [tokenized[row] for row in rows.tolist()]
    first, width, _, hashed, whole = hash_texts(texts)
    place = np.flatnonzero(whole)
    owner = np.searchsorted(first, place, side="right") - 1
    _, number = np.unique(hashed[place], return_inverse=True)
    held = np.unique(number * len(rows) + owner) // len(rows)
    common = (np.bincount(held) >= PAGE_HOLDERS)[number]
    if not common.any():
        return None
    place, owner = place[common], owner[common]
    new = np.ones(len(place), np.bool_)
    new[1:] = (np.diff(owner) > 0) | (np.diff(place) > GAP_WORDS)
    begin = np.flatnonzero(new)
    end = np.append(begin[1:], len(place)) - 1
    length = np.zeros(len(rows), np.int64)
    np.maximum.at(length, owner[begin], place[end] - place[begin] + width[owner[begin]])
    long = length >= PAGE_TOKENS
    if np.count_nonzero(long) < PAGE_HOLDERS:
        return None
    holds = np.zeros(len(tokenized), np.bool_)
    holds[rows[long]] = True
    share = np.where(length >= np.median(length[long]), length / np.diff(first), 0.0)
    return Page(int(rows[np.argmax(share)]), holds)


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """Texts that hold a page, and where each has the tokens of the witness.

    Attributes
    ----------
    rows : int64 (k,)
        Of all texts, ascending.
    at : int32 (k, columns)
        Token of each text that stands where the witness has its own, -1 where there is none.
    page : int64 (k, 2)
        First token of the page in each text, and one past the last.
    """

    rows: I64
    at: NDArray[np.int32]
    page: I64

    @classmethod
    def of(
        cls, tokenized: Sequence[TokenizedText], star: I64, passages: Passages, witness: int
    ) -> Self:
        """Read them off the passages of the pairs `star`, int64 (m, 2), each with the witness.

        A text holds the page where one passage has most of what the middle of all texts has of it.
        """
        firm = np.flatnonzero(~passages.weak & (passages.kind != SUMMARY))
        size = (passages.a_end - passages.a_start)[firm]
        firm = firm[np.lexsort((-size, passages.pair[firm]))]
        _, longest = np.unique(passages.pair[firm], return_index=True)
        found = passages.take(firm[longest])
        text, on_right = tokenized[witness], star[found.pair, 0] == witness
        rows = star[found.pair, on_right.astype(np.int64)]
        sides = zip(found.a_start, found.a_end, found.b_start, found.b_end, on_right, strict=True)
        page, its = np.empty((len(rows) + 1, 2), np.int64), np.empty((len(rows), 2), np.int64)
        for place, (row, (*ends, second)) in enumerate(zip(rows.tolist(), sides, strict=True)):
            mine, other = (ends[2:], ends[:2]) if second else (ends[:2], ends[2:])
            inside, of_witness = span_of(tokenized[row], *mine), span_of(text, *other)
            before, behind = _count_further((tokenized[row], inside), (text, of_witness))
            page[place] = inside.start - before, inside.stop + behind
            its[place] = of_witness.start, of_witness.stop
        low, high = np.median(its, axis=0).astype(np.int64) if len(its) else (0, 0)
        shared = np.minimum(its[:, 1], high) - np.maximum(its[:, 0], low)
        chosen = np.flatnonzero(shared >= PAGE_SHARE * (high - low))
        page[-1], rows, chosen = (low, high), np.append(rows, witness), np.append(chosen, len(rows))
        chosen = chosen[np.argsort(rows[chosen])]
        at = np.stack([_columns(tokenized[row], text) for row in rows[chosen].tolist()])
        return cls(rows[chosen], at, page[chosen])

    def compose(
        self,
        tokenized: Sequence[TokenizedText],
        pairs: I64,
        df: DocumentFrequencies | None,
        run: Run,
    ) -> tuple[Bools, Measured]:
        """Return which pairs could be composed, bool (m,), and what was measured of these.

        Of the identical stretches each text has them all in one of its pairs.
        """
        texts = [tokenized[row] for row in self.rows.tolist()]
        local = np.full(len(tokenized), -1)
        local[self.rows] = np.arange(len(texts))
        ends = local[pairs]
        beside = self._sharing_beside(texts) @ [len(texts), 1]
        wanted = (ends >= 0).all(axis=1) & ~np.isin(ends @ [len(texts), 1], beside)
        rows = np.flatnonzero(wanted)
        rows = rows[np.lexsort(ends[rows].T)]  # by right text: see `align_sides`
        ends = np.ascontiguousarray(ends[rows])
        found, strength, verbatim = self._compare(texts, ends, df, run)
        firm = np.flatnonzero(np.isfinite(strength))
        firm = firm[np.argsort(rows[firm])]
        composed = np.zeros(len(pairs), np.bool_)
        composed[rows[firm]] = True
        return composed, _measure(texts, ends[firm], found[firm], strength[firm], verbatim)

    def _compare(
        self, texts: Sequence[TokenizedText], pairs: I64, df: DocumentFrequencies | None, run: Run
    ) -> tuple[I32, F32, Bools]:
        """Return what `compose_pairs` writes of pairs, and which tokens lie in identical runs.

        Of each pair int32 (9): its rectangle, tokens in common on both sides, the longest run, and
        identical units on both sides; and its strength, nan where it has to be aligned.
        """
        options = AlignOptions.for_language(
            LANGUAGE,
            frequencies=df is not None,
            strength=run.settings.strength,
            min_run=run.settings.min_run,
        )
        columns = texts_of([side_of(text, df) for text in texts], options.gram)
        counts = np.concatenate([np.diff(text.before) > 0 for text in texts])
        shortest = shortest_run(LANGUAGE, run.settings.min_run)
        rules = (shortest, GAP_WORDS, MOVED_WORDS, PAGE_NEAR, PAGE_ALIKE)
        group = LOOPS.Members(self.at, counts, self.at.shape[1], *rules)
        record, numbers = LOOPS.Texts(*columns, len(columns.feature)), numbers_of(options)
        verbatim = np.zeros(len(columns.feature), np.bool_)
        every = np.empty((len(pairs), 9), np.int32), np.empty(len(pairs), np.float32)
        for low in range(0, len(pairs), CHUNK_PAIRS):
            part = pairs[low : low + CHUNK_PAIRS]
            found, strength = np.zeros((len(part), 9), np.int64), np.empty(len(part))
            given = (record, group, part, len(part), numbers, len(numbers))
            LOOPS.compose_pairs(*given, verbatim, found, strength)
            for whole, chunk in zip(every, (found, strength), strict=True):
                whole[low : low + len(part)] = chunk
            run.step("align", low + len(part), len(pairs))
        return *every, verbatim

    def _sharing_beside(self, texts: Sequence[TokenizedText]) -> I64:
        """Return the pairs of members, (m, 2), with `PAGE_BESIDE` runs in common beside it."""
        first, width, _, hashed, whole = hash_texts(texts)
        for start, wide, (low, high) in zip(first[:-1], width, self.page, strict=True):
            whole[start + max(low - wide + 1, 0) : start + high] = False
        place = np.flatnonzero(whole)
        owner = np.searchsorted(first, place, side="right") - 1
        _, number = np.unique(hashed[place], return_inverse=True)
        number, owner = np.divmod(np.unique(number * len(texts) + owner), len(texts))
        held = np.bincount(number)
        shared = held[number] > 1
        number, owner = number[shared], owner[shared]
        by_text = np.argsort(owner, kind="stable")
        return pairs_sharing(
            number[by_text],
            np.searchsorted(owner[by_text], np.arange(len(texts) + 1)),
            owner,
            np.concatenate([[0], np.cumsum(np.where(held > 1, held, 0))]),
            np.ones(len(texts), np.int64),
            len(texts),
            PAGE_BESIDE,
        )


def _count_further(
    mine: tuple[TokenizedText, slice], its: tuple[TokenizedText, slice]
) -> tuple[int, int]:
    """Return how many tokens before and behind a passage still belong to the page.

    To the last that the witness has at this place within `GAP_WORDS`: where a word near the end
    of a page is changed, its passage stops there, but not those of other pairs.
    """
    further = []
    for step in (-1, 1):
        sides = []
        for text, span in (mine, its):
            beside = text.token[: span.start][::-1] if step < 0 else text.token[span.stop :]
            sides.append(beside[:GAP_WORDS])
        own, others = np.indices((len(sides[0]), len(sides[1])))
        near = np.abs(own - others) <= 1  # a word can have become two
        equal = own[near & (sides[0][own] == sides[1][others])]
        further.append(int(equal.max()) + 1 if len(equal) else 0)
    return further[0], further[1]


def _columns(text: TokenizedText, witness: TokenizedText) -> I32:
    """Return which token of a text stands where the witness has each of its own, int32 (columns,).

    Of a longest common subsequence, and between its runs where both have as many tokens.
    """
    at = np.full(len(witness), -1, np.int32)
    ahead, before = 0, 0
    runs = equal_runs(text.token, witness.token)
    for i, j, length in [*runs, (len(text), len(witness), 0)]:
        if i - ahead == j - before:
            at[before:j] = np.arange(ahead, i)
        at[j : j + length] = np.arange(i, i + length)
        ahead, before = i + length, j + length
    return at


def _measure(
    texts: Sequence[TokenizedText], pairs: I64, found: I32, strength: F32, verbatim: Bools
) -> Measured:
    """Return the passages of composed pairs, one of each, and what they amount to."""
    start, end, attached = (
        np.concatenate([getattr(text, name) for text in texts])
        for name in ("start", "end", "end_attached")
    )
    units = np.concatenate([np.diff(text.before) > 0 for text in texts])
    units = np.concatenate([[0], np.cumsum(units)])
    rect, (common_a, common_b, longest), same = found[:, :4], found[:, 4:7].T, found[:, 7:]
    words_a, words_b = rect[:, 1] - rect[:, 0], rect[:, 3] - rect[:, 2]
    equal = (words_a == longest) & (words_b == longest)
    offset = np.cumsum([0, *map(len, texts)])
    rect = rect + offset[pairs].repeat(2, axis=1)
    rows, m = np.arange(len(pairs)), len(pairs)
    passages = Passages(
        rows,
        start[rect[:, 0]],
        attached[rect[:, 1] - 1],
        start[rect[:, 2]],
        attached[rect[:, 3] - 1],
        np.where(equal, IDENTICAL, REWORDED).astype(np.uint8),
        strength,
        np.zeros(m, np.bool_),
        words_a,
        words_b,
        common_a,
        common_b,
    )
    shared = units[rect[:, [1, 3]]] - units[rect[:, [0, 2]]]
    parts = np.stack([same, shared - same, np.zeros_like(same)], axis=2).astype(np.int32)
    counted = np.array([text.counted for text in texts], np.int64)
    numbers = PairNumbers.of(parts, counted[pairs], longest, np.ones(m, np.int32))
    both = Stretches(
        np.tile(rows, 2),
        np.repeat(np.arange(2, dtype=np.uint8), m),
        start[rect[:, [0, 2]].T.ravel()],
        end[rect[:, [1, 3]].T.ravel() - 1],
        np.full(2 * m, SHARED, np.uint8),
    )
    ranges = [ranges_of(part) for part in np.split(verbatim, offset[1:-1])]
    owner = np.repeat(np.arange(len(texts)), [len(part) for part in ranges])
    low, high = (np.concatenate(ranges) + offset[owner, None]).T
    known, first = np.unique(pairs.T.ravel(), return_index=True)  # of the pairs of each text
    at = np.searchsorted(known, owner)
    identical = Stretches(
        first[at] % m if m else owner,
        (first[at] >= m).astype(np.uint8),
        start[low],
        end[high - 1],
        np.full(len(low), VERBATIM, np.uint8),
    )
    return Measured(passages, numbers, Stretches.join([both, identical]))
