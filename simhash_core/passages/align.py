"""Shared passages of two texts: exact, reworded and summarised, with exact offsets.

The loops of C take the steps, for many pairs in one call: exact runs and their chains; seeds from
chains and from window pairs; growth to rectangles; tests; one passage a place; the verbatim rule;
merging of neighbours; borders; summaries; exact runs too short for a passage. Here texts become
the columns that they read, Chinese ones twice: by characters and by words, and findings become
passages.

A rectangle is scored S = 2 C - theta (Wa + Wb), where C is the weight both spans hold and W the
weight of each: S > 0 exactly when the Dice coefficient exceeds theta. With one span fixed, the best
other one is a maximum-sum segment, so spans are improved in turn. Order of words never matters and
gaps are bridged by score.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from ..machine.compiled import Record, Table
from ..model import F64, I64, Bools, DocumentFrequencies, Passages
from ..policy import WORDS_HAN_SHARE
from .exact import LOOPS, grams_of, runs_of
from .findings import IDENTICAL, REWORDED, Finding, passages_of
from .options import AlignOptions, Numbered, Texts, numbers_of
from .tokenized import (
    TEXT_TYPES,
    Column,
    TokenizedText,
    columns_of,
    drop_concepts,
    has_words,
    language_of,
    languages_of,
    weight_factors,
    words_of,
)

FEWEST_TOKENS = 8  # of a text that is aligned, if it is not equal to the other
EXACT_DENSE = 0.8  # of a chain of exact runs that is matched, for it to be a passage
ROW, KIND, SCORE, WEAK = 4, 5, 6, 7  # of a row of findings, behind its rectangle
#: of a passage that words show, in identical ones inside it: these keep their borders
MOSTLY_COPIED = 0.5

COVERED = 0.8  # of a passage, by others inside it that replace it
OWN_OVERLAP = 0.3  # of a passage inside a stronger one: dropped


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One text of a pair with what is the same in all its pairs.

    `factor` and `words_factor` weigh its tokens and words by the frequencies of the batch; `first`
    is the first token of each word, and the end of the text.
    """

    text: TokenizedText
    factor: F64 | None
    words: TokenizedText | None = None
    words_factor: F64 | None = None
    first: I64 | None = None

    def columns(self) -> list[Column | None]:
        """Return all columns in the order of `SIDE_TYPES`; None where there is none."""
        words = [None] * len(TEXT_TYPES) if self.words is None else columns_of(self.words)
        return [*columns_of(self.text), self.factor, *words, self.words_factor, self.first]

    @classmethod
    def of_columns(cls, columns: Sequence[Column | None]) -> Side:
        """Return the side that has these `columns`."""
        n = len(TEXT_TYPES)
        text, factor, words = columns[:n], columns[n], columns[n + 1 : 2 * n + 1]
        return cls(
            TokenizedText(*cast(Any, text)),
            factor,
            None if words[0] is None else TokenizedText(*cast(Any, words)),
            *cast(Any, columns[2 * n + 1 :]),
        )


SIDE_TYPES = (*TEXT_TYPES, np.float64, *TEXT_TYPES, np.float64, np.int64)


def side_of(text: TokenizedText, df: DocumentFrequencies | None) -> Side:
    """Return a text with its words and what weighs them.

    Without the frequencies of a batch words count as they are written: what they mean is too
    often what any two texts on one subject share (docs/calibration.md, "Rewording in Chinese").
    """
    factor = None if df is None else weight_factors(df, text)
    if not has_words(text):
        return Side(text, factor)
    words, first = words_of(drop_concepts(text) if df is None else text)
    return Side(text, factor, words, None if df is None else weight_factors(df, words), first)


def align(
    a: TokenizedText,
    b: TokenizedText,
    *,
    df: DocumentFrequencies | None = None,
    options: AlignOptions | None = None,
) -> Passages:
    """Find the passages that two texts share.

    Parameters
    ----------
    df
        Document frequencies of the batch; use them from 20 documents up.
    options
        Defaults to the preset of the language both texts are written in.

    Returns
    -------
    Passages
        Sorted by place in a; `pair` is 0. Weak ones are evidence that no count includes: loose
        findings beside a long verbatim copy, and exact runs too short for a passage.

    Notes
    -----
    An exact run of at least `options.short_run` tokens lies for the most part in a finding or is
    returned as a weak one, unless all its k-grams are refrains of b.
    """
    return align_many([a, b], np.array([[0, 1]]), df=df, options=options)


def align_many(
    tokenized: Sequence[TokenizedText],
    pairs: I64,
    *,
    df: DocumentFrequencies | None = None,
    options: AlignOptions | None = None,
) -> Passages:
    """Align many pairs; `pairs` is int64 (m, 2) of rows of `tokenized`.

    Runs in a worker process as well: everything it takes and returns can be pickled. `pair` of
    the result is the row of `pairs`.
    """
    rows, local = np.unique(pairs, return_inverse=True)
    sides = [side_of(tokenized[row], df) for row in rows.tolist()]
    return align_sides(sides, local.reshape(pairs.shape), options=options)


def align_sides(
    sides: Sequence[Side], pairs: I64, *, options: AlignOptions | None, listed: Bools | None = None
) -> Passages:
    """Align many pairs; `pairs` is int64 (m, 2) of rows of `sides`.

    Of pairs that are not `listed`, bool (m,), weak passages are returned only beside others; all
    are where that is not given.
    """
    findings: dict[int, list[Finding]] = {}
    for rows, chosen in _with_options(sides, pairs, options):
        for row, of_pair in _findings(sides, pairs[rows], chosen).items():
            at = int(rows[row])
            if listed is None or listed[at] or not all(one.weak for one in of_pair):
                findings[at] = of_pair
    return passages_of([side.text for side in sides], pairs, findings)


def _with_options(
    sides: Sequence[Side], pairs: I64, options: AlignOptions | None
) -> Iterator[tuple[I64, AlignOptions]]:
    """Yield rows of `pairs` and how they are aligned: as given, or by their language."""
    if options is not None or not len(pairs):
        yield np.arange(len(pairs)), options or AlignOptions()
        return
    languages = languages_of([side.text for side in sides], pairs)
    for language in np.unique(languages).tolist():
        preset = AlignOptions.for_language(language, frequencies=sides[0].factor is not None)
        yield np.flatnonzero(languages == language), preset


def align_whole(a: TokenizedText, b: TokenizedText) -> Passages:
    """Return two texts of equal tokens as one identical passage, however short they are."""
    if not len(a):
        return Passages.join([])
    options = AlignOptions.for_language(language_of([a, b]), frequencies=False)
    both = _numbered(Side(a, None), Side(b, None), options)
    rect = np.array([[0, len(a), 0, len(b)]], np.int64)
    strength = float(_measure_rectangles(both, rect, numbers_of(options))[0, 3])
    return passages_of([a, b], np.array([[0, 1]]), {0: [Finding(rect[0], IDENTICAL, strength)]})


def _findings(sides: Sequence[Side], pairs: I64, options: AlignOptions) -> dict[int, list[Finding]]:
    """Find by characters or words, and free rewordings of Chinese by its words."""
    findings = _find_in(sides, pairs, options, only_seeds=False)
    if not options.words:
        return findings
    with_words = np.array([side.words is not None for side in sides])
    rows = np.flatnonzero(with_words[pairs].all(axis=1))
    chosen = options.in_words(frequencies=sides[0].factor is not None)
    words = [_words_side(side) for side in sides]
    in_words = _find_in(words, pairs[rows], chosen, only_seeds=True)
    for row, of_pair in in_words.items():
        one = int(rows[row])
        a, b = (sides[side] for side in pairs[one].tolist())
        findings[one] = _with_words(a, b, findings.get(one, []), of_pair, (options, chosen))
    return {row: of_pair for row, of_pair in findings.items() if of_pair}


def _words_side(side: Side) -> Side:
    """Return a text word by word; as it is where it has no words, for no pair that is aligned."""
    return side if side.words is None else Side(side.words, side.words_factor)


def _find_in(
    sides: Sequence[Side], pairs: I64, options: AlignOptions, *, only_seeds: bool
) -> dict[int, list[Finding]]:
    """Return what the loops find, by row of `pairs`.

    Each row of their table is a rectangle in tokens, the row of its pair, its kind, its strength
    and whether it is weak. Pairs of one right text in a row cost less: they share its table of
    grams.
    """
    findings: dict[int, list[Finding]] = {}
    if not len(pairs):
        return findings
    needed, local = np.unique(pairs, return_inverse=True)
    texts = texts_of([sides[row] for row in needed.tolist()], options.gram)
    numbers, found = numbers_of(options, only_seeds=only_seeds), Table(np.float64, 8)
    aligned = np.ascontiguousarray(local.reshape(pairs.shape))
    record = LOOPS.Texts(*texts, len(texts.feature))
    LOOPS.align_pairs(record, aligned, len(aligned), numbers, len(numbers), found)
    table = found.taken()
    whole = table.astype(np.int64)
    for rect, row, kind, weak, score in zip(
        whole[:, :4],
        whole[:, ROW].tolist(),
        whole[:, KIND].tolist(),
        whole[:, WEAK].tolist(),
        table[:, SCORE].tolist(),
        strict=True,
    ):
        findings.setdefault(row, []).append(Finding(rect, kind, score, bool(weak)))
    return findings


def texts_of(sides: Sequence[Side], k: int) -> Texts:
    """Return the columns of some texts, with hashes of `k` tokens."""
    texts = [side.text for side in sides]
    token = np.concatenate([text.token for text in texts])
    grams = grams_of(token, k)  # those that begin in one text and end in the next are unused
    return Texts(
        np.concatenate([text.feature for text in texts]),
        token,
        np.concatenate([grams, np.zeros(len(token) - len(grams), np.int64)]),
        np.concatenate([_factor(side) for side in sides]),
        np.concatenate([text.start for text in texts]),
        np.concatenate([text.end for text in texts]),
        np.concatenate([text.border for text in texts]),
        np.cumsum([0, *map(len, texts)]),
        np.array([text.chars for text in texts], np.int64),
    )


def _factor(side: Side) -> F64:
    return np.ones(len(side.text)) if side.factor is None else side.factor


def _with_words(
    a: Side,
    b: Side,
    findings: list[Finding],
    of_words: list[Finding],
    options: tuple[AlignOptions, AlignOptions],
) -> list[Finding]:
    """Add to the findings of two texts what their words show, in place of what that holds."""
    identical = [one.rect for one in findings if one.kind == IDENTICAL]
    for one in _in_words(a, b, of_words, identical, options):
        gone = find_giving_way(one.rect, [other.rect for other in findings])
        if gone is not None:
            findings = [other for row, other in enumerate(findings) if row not in gone]
            findings.append(one)
    return findings


def _in_words(
    a: Side,
    b: Side,
    of_words: list[Finding],
    identical: Sequence[I64],
    options: tuple[AlignOptions, AlignOptions],
) -> list[Finding]:
    """Return the reworded passages that words show, in tokens, strongest first.

    Where `identical` ones make up most of such a passage, only what lies beside them counts, if
    it is strong enough alone: copies keep the borders that characters gave them.
    """
    assert a.first is not None and b.first is not None
    reworded, by_words = [], options[1]
    places = [a.first, a.first, b.first, b.first]
    for one in _beside_copies(a, b, of_words, identical, by_words):
        rect = np.array([of[i] for of, i in zip(places, one.rect.tolist(), strict=True)], np.int64)
        han = min(a.text.single[rect[0] : rect[1]].mean(), b.text.single[rect[2] : rect[3]].mean())
        if one.kind == REWORDED and not one.weak and han >= WORDS_HAN_SHARE:
            strength = one.strength - by_words.strength + options[0].strength
            reworded.append(Finding(rect, REWORDED, strength))
    return sorted(reworded, key=lambda one: -one.strength)


def _beside_copies(
    a: Side, b: Side, of_words: list[Finding], identical: Sequence[I64], options: AlignOptions
) -> list[Finding]:
    """Replace findings of words that are mostly copies by the strong ones of their other parts."""
    assert a.first is not None and b.first is not None
    places = [a.first, a.first, b.first, b.first]
    copies = [
        np.array([np.searchsorted(of, i) for of, i in zip(places, rect, strict=True)], np.int64)
        for rect in identical
    ]
    left: list[Finding] = []
    for one in of_words:
        inside = [copy for copy in copies if lies_in(copy, one.rect)]
        if covered_share(one.rect, inside) <= MOSTLY_COPIED:
            left.append(one)
        else:
            left += _strong_parts(a, b, cut_around(one.rect, inside), options)
    return left


def _strong_parts(a: Side, b: Side, parts: I64, options: AlignOptions) -> list[Finding]:
    """Return the parts of a passage of words that are passages themselves."""
    if not len(parts) or a.words is None or b.words is None:
        return []
    numbers = numbers_of(options)
    both = _numbered(_words_side(a), _words_side(b), options)
    runs, strong = runs_of(a.words, b.words, options), np.empty((len(parts), 4), np.int64)
    given = (runs, len(runs), parts, len(parts), numbers, len(numbers))
    strong = strong[: LOOPS.strong_ones(_record_of(both), *given, strong)]
    strength = _measure_rectangles(both, strong, numbers)[:, 3].tolist()
    return [Finding(part, REWORDED, z) for part, z in zip(strong, strength, strict=True)]


def _measure_rectangles(both: Numbered, rects: I64, numbers: F64) -> F64:
    """Return shared weight C, dice, score S and strength z of rectangles, float64 (r, 4).

    z = ln D + closeness * dice, with D = C of distinct features: what both sides repeat, such
    as the names of the bodies in the heading of a statute, is not new evidence each time.
    """
    measures = np.empty((len(rects), 4))
    LOOPS.measured(_record_of(both), rects, len(rects), numbers, len(numbers), measures)
    return measures


def _record_of(both: Numbered) -> Record:
    record: Record = LOOPS.Numbered(*both, len(both.local_a), len(both.local_b), len(both.weight))
    return record


def _numbered(a: Side, b: Side, options: AlignOptions) -> Numbered:
    """Number and weigh two texts over one vocabulary, as the loops do for many."""
    features, factors = [side.text.feature for side in (a, b)], [_factor(a), _factor(b)]
    local_a, local_b = (np.empty(len(feature), np.int32) for feature in features)
    sizes = len(local_a), len(local_b)
    plain, weight = np.empty(sum(sizes)), np.empty(sum(sizes))
    given = (features[0], sizes[0], features[1], sizes[1], *factors, options.top_weight)
    distinct = LOOPS.number_and_weigh(*given, local_a, local_b, plain, weight)
    plain, weight = plain[:distinct], weight[:distinct]
    mean = float((weight[local_a].sum() + weight[local_b].sum()) / sum(sizes))
    columns = ((getattr(one.text, name) for one in (a, b)) for name in _COLUMNS)
    return Numbered(
        local_a, local_b, weight, plain, mean, *(one for both in columns for one in both)
    )


_COLUMNS = ("token", "start", "end", "border")


def find_giving_way(rect: I64, others: list[I64]) -> list[int] | None:
    """Return which of the others lie in a longer rectangle and go; None where it goes itself.

    It goes where they cover most of it already, or where one overlaps it without lying in it.
    """
    inside = [row for row, other in enumerate(others) if lies_in(other, rect)]
    for side in (0, 1):
        length = rect[2 * side + 1] - rect[2 * side]
        if sum(overlap(others[row], rect, side) for row in inside) > COVERED * length:
            return None
        for row, other in enumerate(others):
            if row not in inside and overlap(other, rect, side) > OWN_OVERLAP * length:
                return None
    return inside


def covered_share(rect: I64, others: Sequence[I64]) -> float:
    """Return which share of a rectangle others inside it cover, of the side with more."""
    shares = [0.0]
    for side in (0, 1):
        length = rect[2 * side + 1] - rect[2 * side]
        shares.append(float(sum(overlap(other, rect, side) for other in others) / length))
    return max(shares)


def cut_around(rect: I64, inside: Sequence[I64]) -> I64:
    """Return what of a rectangle lies before and behind all those inside it, int64 (r, 4)."""
    a0, a1, b0, b1 = rect.tolist()
    low, high = np.min(inside, axis=0), np.max(inside, axis=0)
    parts = np.array([(a0, low[0], b0, low[2]), (high[1], a1, high[3], b1)], np.int64)
    return parts[(parts[:, 1] > parts[:, 0]) & (parts[:, 3] > parts[:, 2])]


# --------------------------------------------------------------------------- rectangles of tokens
# A span of one text times a span of another: int64 a0, a1, b0, b1.


def overlap(first: I64, second: I64, side: int) -> int:
    """Return how many tokens two rectangles share on one side; negative for a gap."""
    low, high = 2 * side, 2 * side + 1
    shared: int = min(first[high], second[high]) - max(first[low], second[low])
    return shared


def lies_in(rect: I64, hull: I64) -> bool:
    """Whether most of a rectangle lies in another on both sides."""
    in_a, in_b = 2 * overlap(rect, hull, 0), 2 * overlap(rect, hull, 1)
    inside: bool = in_a > rect[1] - rect[0] and in_b > rect[3] - rect[2]
    return inside


def one_to_one(rects: I64) -> I64:
    """Accept best first; drop what overlaps an accepted one too much on either side (m, 4)."""
    accepted, count = np.empty((len(rects), 4), np.int64), 0
    for r in range(len(rects)):
        rect, free = rects[r], True
        long_a, long_b = OWN_OVERLAP * (rect[1] - rect[0]), OWN_OVERLAP * (rect[3] - rect[2])
        for other in range(count):
            free = free and overlap(rect, accepted[other], 0) <= long_a
            free = free and overlap(rect, accepted[other], 1) <= long_b
        if free:
            accepted[count] = rect
            count += 1
    return accepted[:count]


def widen_to(hull: I64, rect: I64) -> None:
    """Make a rectangle hold another one as well."""
    hull[0], hull[1] = min(hull[0], rect[0]), max(hull[1], rect[1])
    hull[2], hull[3] = min(hull[2], rect[2]), max(hull[3], rect[3])
