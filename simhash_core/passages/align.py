"""Shared passages of two texts: exact, reworded and summarised, with exact offsets.

The steps, in order: exact runs and their chains; seeds from chains and from window pairs; growth
to rectangles; tests; one passage a place; the verbatim rule; merging of neighbours; borders;
summaries. Every position before `passages_of` counts tokens.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..model import F64, I64, DocumentFrequencies, Passages
from ..policy import SHORT_RUNS_SHARE, WORDS_HAN_SHARE
from .findings import IDENTICAL, REWORDED, SUMMARY, Finding, passages_of, sides_of
from .options import AlignOptions
from .pair import ALIGN_TOKEN, TWINS, Pair, loops, pair_of, weighed_pair, with_runs
from .rectangles import (
    beside,
    covered_share,
    giving_way,
    joined,
    lies_in,
    merged,
    one_to_one,
    overlap,
)
from .seeds import is_book, windows_alike
from .side import Side, side_of
from .stored import sizes_of
from .summaries import Summary, summaries
from .tokenized import TokenizedText, language_of

FEWEST_TOKENS = 8
FEWEST_CHARS = 50  # of two equal texts, however few words they are: a b a b a b is one
MOST_GROWN, MOST_GROWN_BOOK = 60, 400
EXACT_DENSE = 0.8  # of a chain of exact runs that is matched
#: of a passage that words show, in identical ones inside it: these keep their borders
MOSTLY_COPIED = 0.5
NO_CHAINS = np.empty((0, 5), np.int64)
MAINLY_EXACT = 0.8  # of the tokens in exact runs: such a passage may be shorter
NEARLY_ALL = 0.8  # of the longer text: two texts that are one text of refrains


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
    TWINS.settle(ALIGN_TOKEN * (len(a) + len(b)))
    return passages_of([(0, a, b, _all_findings(side_of(a, df), side_of(b, df), options))])


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
    TWINS.settle(readable_seconds(tokenized, pairs))
    rows, local = np.unique(pairs, return_inverse=True)
    sides = [side_of(tokenized[row], df) for row in rows.tolist()]
    return align_sides(sides, local.reshape(pairs.shape), options=options)


def align_sides(sides: Sequence[Side], pairs: I64, *, options: AlignOptions | None) -> Passages:
    """Align many pairs; `pairs` is int64 (m, 2) of rows of `sides`."""
    findings_of_pairs = []
    for row, (left, right) in enumerate(pairs.tolist()):
        a, b = sides[left], sides[right]
        findings = _all_findings(a, b, options)
        if findings:
            findings_of_pairs.append((row, a.text, b.text, findings))
    return passages_of(findings_of_pairs)


def readable_seconds(tokenized: Sequence[TokenizedText], pairs: I64) -> float:
    """Return about how long the readable loops would take to align some pairs."""
    size = sizes_of(tokenized)
    return ALIGN_TOKEN * float(size[pairs].sum())


def align_whole(a: TokenizedText, b: TokenizedText) -> Passages:
    """Return two texts of equal tokens as one identical passage, however short they are."""
    options = AlignOptions.for_language(language_of([a, b]), frequencies=False)
    return passages_of([(0, a, b, [_whole(pair_of(a, b, options))])])


def _all_findings(a: Side, b: Side, options: AlignOptions | None) -> list[Finding]:
    """Find by characters or words, and free rewordings of Chinese by its words."""
    chosen = options or AlignOptions.for_language(
        language_of([a.text, b.text]), frequencies=a.factor is not None
    )
    findings = _findings(a.text, b.text, chosen, a.factor, b.factor)
    identical = [one.rect for one in findings if one.kind == IDENTICAL]
    for one in _in_words(a, b, chosen, identical) if chosen.words else ():
        gone = giving_way(one.rect, [other.rect for other in findings])
        if gone is not None:
            findings = [other for row, other in enumerate(findings) if row not in gone]
            findings.append(one)
    return findings


def _in_words(
    a: Side, b: Side, options: AlignOptions, identical: Sequence[I64] = ()
) -> list[Finding]:
    """Return reworded passages that the words of two texts show, in tokens, strongest first.

    Where `identical` ones make up most of such a passage, only what lies beside them counts, if
    it is strong enough alone: copies keep the borders that characters gave them.
    """
    if a.words is None or b.words is None or a.first is None or b.first is None:
        return []
    chosen = options.in_words(frequencies=a.factor is not None)
    pair = weighed_pair(a.words, b.words, chosen, a.words_factor, b.words_factor)
    if not len(windows_alike(pair, NO_CHAINS)):  # most pairs: their copies are found by characters
        return []
    reworded = []
    pair, places = with_runs(pair), [a.first, a.first, b.first, b.first]
    for one in _beside_copies(pair, _findings_of(pair), places, identical):
        rect = np.array([of[i] for of, i in zip(places, one.rect.tolist(), strict=True)], np.int64)
        han = min(a.text.single[rect[0] : rect[1]].mean(), b.text.single[rect[2] : rect[3]].mean())
        if one.kind == REWORDED and not one.weak and han >= WORDS_HAN_SHARE:
            strength = one.strength - chosen.strength + options.strength
            reworded.append(Finding(rect, REWORDED, strength))
    return sorted(reworded, key=lambda one: -one.strength)


def _beside_copies(
    pair: Pair, findings: list[Finding], places: list[I64], identical: Sequence[I64]
) -> list[Finding]:
    """Replace findings of words that are mostly copies by the strong ones of their other parts.

    `places` are the first tokens of the words, for each of the four borders.
    """
    copies = [
        np.array([np.searchsorted(of, i) for of, i in zip(places, rect, strict=True)], np.int64)
        for rect in identical
    ]
    left: list[Finding] = []
    for one in findings:
        inside = [copy for copy in copies if lies_in(copy, one.rect)]
        if covered_share(one.rect, inside) <= MOSTLY_COPIED:
            left.append(one)
        else:
            parts = _strong(pair, beside(one.rect, inside))
            left += [Finding(part, REWORDED, _strength(pair, part)) for part in parts]
    return left


def _findings(
    a: TokenizedText,
    b: TokenizedText,
    chosen: AlignOptions,
    factor_a: F64 | None,
    factor_b: F64 | None,
) -> list[Finding]:
    same = len(a) == len(b) and np.array_equal(a.token, b.token)
    if min(len(a), len(b)) < FEWEST_TOKENS and not (same and a.chars >= FEWEST_CHARS):
        return []
    pair = pair_of(a, b, chosen, factor_a, factor_b)
    return [_whole(pair)] if same else _findings_of(pair)


def _findings_of(pair: Pair) -> list[Finding]:
    """Return the passages of two texts that are not equal."""
    if ends := _common_ends(pair):
        return ends
    chains = loops.chain_runs(pair.runs, pair.options.chain_gap)
    exact = _exact_chains(pair, chains)
    accepted, suppressed = _verbatim_rule(pair, exact, one_to_one(_candidates(pair, exact)))
    rects = [_placed(pair, rect, exact) for rect in merged(pair, joined(pair, accepted))]
    firm = [_strength(pair, rect) >= pair.options.strength for rect in rects]
    suppressed += [rect for rect, holds in zip(rects, firm, strict=True) if not holds]
    rects = [rect for rect, holds in zip(rects, firm, strict=True) if holds]
    summarised = [] if _has_verbatim_copy(pair, exact) else summaries(pair, rects)
    rects = _without(rects, summarised)
    findings = [_finding(pair, rect) for rect in rects]
    findings += [Finding(s.rect, SUMMARY, s.strength) for s in summarised]
    findings += [_finding(pair, rect, weak=True) for rect in suppressed]
    return findings + _short_runs(pair, findings)


def _whole(pair: Pair) -> Finding:
    rect = np.array([0, len(pair.a), 0, len(pair.b)], np.int64)
    return Finding(rect, IDENTICAL, _strength(pair, rect))


def _common_ends(pair: Pair) -> list[Finding]:
    """Return where two texts begin and end alike, if that is nearly all and no run shows it.

    Runs do not begin in what a text repeats often, and what is repeated has little strength:
    without this, texts of one refrain would share nothing.
    """
    token_a, token_b, n = pair.a.token, pair.b.token, min(len(pair.a), len(pair.b))
    head = _equal_from_start(token_a[:n], token_b[:n])
    tail = _equal_from_start(token_a[::-1][: n - head], token_b[::-1][: n - head])
    equal, na, nb = head + tail, len(token_a), len(token_b)
    if equal < NEARLY_ALL * max(na, nb) or pair.cover_a[-1] >= equal:
        return []
    rects = np.array([(0, head, 0, head), (na - tail, na, nb - tail, nb)], np.int64)
    return [Finding(r, IDENTICAL, _strength(pair, r)) for r in rects if r[1] > r[0]]


def _equal_from_start(a: I64, b: I64) -> int:
    """Return how many of two equally long rows agree before the first difference."""
    different = np.flatnonzero(a != b)
    return int(different[0]) if len(different) else len(a)


def _exact_chains(pair: Pair, chains: I64) -> I64:
    """Keep the chains that are mainly matched and long enough to be a passage by themselves."""
    if not len(chains):
        return chains
    a0, a1, b0, b1, matched = chains.T
    chars = pair.a.end[a1 - 1] - pair.a.start[a0]
    dense = matched >= EXACT_DENSE * np.maximum(a1 - a0, b1 - b0)
    return np.asarray(chains[(chars >= pair.options.chain_chars) & dense])


def _candidates(pair: Pair, exact: I64) -> I64:
    """Grow seeds and keep the rectangles that pass the tests, int64 (r, 4)."""
    windows = windows_alike(pair, exact)
    if not len(windows) and not len(exact):
        return np.empty((0, 4), np.int64)
    options = pair.options
    a0, b0 = windows[:, :2].astype(np.int64).T
    a1 = np.minimum(a0 + options.window, len(pair.a))
    b1 = np.minimum(b0 + options.window, len(pair.b))
    first = exact[np.argsort(exact[:, 0] - exact[:, 1], kind="stable"), :4]  # longest first
    seeds = np.concatenate([first, np.stack([a0, a1, b0, b1], axis=1)])
    rects = loops.grow(
        pair.local_a,
        pair.local_b,
        (len(pair.a), len(pair.b)),
        pair.weight,
        np.ascontiguousarray(seeds),
        len(first),
        options.theta,
        32.0 * options.theta * pair.mean,
        options.widen,
        options.ahead,
        MOST_GROWN_BOOK if is_book(pair) else MOST_GROWN,
    )
    return _strong(pair, rects)


def _measures(pair: Pair, rects: I64) -> tuple[F64, F64, F64, F64]:
    """Return shared weight C, dice, score S and strength z of rectangles.

    z = ln D + closeness * dice, with D = C of distinct features: what both sides repeat, such
    as the names of the bodies in the heading of a statute, is not new evidence each time.
    """
    weights = loops.shared_weights(
        pair.local_a, pair.local_b, pair.weight, np.ascontiguousarray(rects)
    )
    shared, in_a, in_b, distinct = weights.T
    both = in_a + in_b
    dice = np.divide(2 * shared, both, out=np.zeros_like(shared), where=both > 0)
    strength = np.log(np.maximum(distinct, 1e-9)) + pair.options.closeness * dice
    return shared, dice, 2 * shared - pair.options.theta * both, strength


def _strength(pair: Pair, rect: I64) -> float:
    return float(_measures(pair, rect[None])[3][0])


def _strong(pair: Pair, rects: I64) -> I64:
    """Keep rectangles that are long, close and strong enough; best score first."""
    options = pair.options
    shared, dice, score, strength = _measures(pair, rects)
    keep = (
        (shared >= options.least_weight)
        & (dice >= options.least_dice)
        & (strength >= options.strength)
    )
    for r in np.flatnonzero(keep).tolist():
        mainly_exact = pair.exact_share(rects[r]) >= MAINLY_EXACT
        least = options.least_exact_chars if mainly_exact else options.least_chars
        keep[r] = min(pair.chars(rects[r])) >= least
    order = np.argsort(-score, kind="stable")
    return np.asarray(rects[order[keep[order]]])


def _has_verbatim_copy(pair: Pair, exact: I64) -> bool:
    """Whether a verbatim copy is long enough to explain the pair."""
    least = pair.options.verbatim_chars
    return least > 0 and any(pair.chars(chain)[0] >= least for chain in exact)


def _verbatim_rule(pair: Pair, exact: I64, rects: list[I64]) -> tuple[list[I64], list[I64]]:
    """Split off the loose rectangles beside a long verbatim copy: they are mostly chance.

    Where one holds verbatim copies itself, as in a patchwork of paragraphs, they take its place.
    """
    if not rects or not _has_verbatim_copy(pair, exact):
        return rects, []
    _, dice, _, _ = _measures(pair, np.stack(rects))
    close = dice >= pair.options.verbatim_dice
    alike = [rect for rect, near in zip(rects, close, strict=True) if near]
    copies, loose = list(_strong(pair, exact[:, :4])), []
    for rect in (rect for rect, near in zip(rects, close, strict=True) if not near):
        inside = [copy for copy in copies if lies_in(copy, rect)]
        alike += inside
        loose += [] if inside else [rect]
    return one_to_one(alike), loose


def _placed(pair: Pair, rect: I64, exact: I64) -> I64:
    """Give a rectangle its final borders: those of an exact chain, or the best places nearby."""
    long_a, long_b = rect[1] - rect[0], rect[3] - rect[2]
    for chain in exact[:, :4]:
        most = overlap(rect, chain, 0) >= 0.8 * long_a and overlap(rect, chain, 1) >= 0.8 * long_b
        # farther away the rectangle holds matches that the chain does not
        if most and np.abs(rect - chain).max() <= pair.options.snap:
            return np.asarray(chain)
    options = pair.options
    bonus = np.array(options.border_bonus) * pair.mean
    a0, a1, b0, b1 = rect.tolist()
    fixed = (pair.weight, options.theta, options.snap, bonus)
    new_a = loops.snap(pair.local_a, pair.local_b, *fixed, pair.a.border, (a0, a1), (b0, b1))
    new_b = loops.snap(pair.local_b, pair.local_a, *fixed, pair.b.border, (b0, b1), (a0, a1))
    return np.array([*new_a, *new_b], np.int64)


def _without(rects: list[I64], summarised: list[Summary]) -> list[I64]:
    """Take out rectangles of which a fifth or more lies in a summary."""
    return [
        rect
        for rect in rects
        if all(
            overlap(rect, s.rect, s.short_side)
            < 0.2 * (rect[2 * s.short_side + 1] - rect[2 * s.short_side])
            for s in summarised
        )
    ]


def _finding(pair: Pair, rect: I64, *, weak: bool = False) -> Finding:
    """Return a rectangle as identical where all its tokens are equal, else as reworded.

    Tokens are equal whatever their case, width, script, white space and punctuation.
    """
    same = np.array_equal(*sides_of(pair.a, pair.b, rect))
    return Finding(rect, IDENTICAL if same else REWORDED, _strength(pair, rect), weak)


def _short_runs(pair: Pair, findings: list[Finding]) -> list[Finding]:
    """Return exact runs that no finding holds: too short for a passage, hence weak.

    They still count where they make up most of the shorter text: a few lines are too short for
    a passage, and for a fingerprint too.
    """
    taken_a = np.zeros(len(pair.a) + 1, bool)
    for finding in findings:
        taken_a[finding.rect[0] : finding.rect[1]] = True
    chosen: list[tuple[int, int, int, int]] = []
    long = pair.runs[pair.runs[:, 2] >= pair.options.short_run]
    for a, b, length in long[np.argsort(-long[:, 2], kind="stable")].tolist():
        if 2 * np.count_nonzero(taken_a[a : a + length]) <= length:
            taken_a[a : a + length] = True
            chosen.append((a, a + length, b, b + length))
    if not chosen:
        return []
    rects = np.array(chosen, np.int64)
    strengths = _measures(pair, rects)[3].tolist()
    shared = int((rects[:, 1] - rects[:, 0]).sum())
    weak = bool(findings) or shared < SHORT_RUNS_SHARE * min(len(pair.a), len(pair.b))
    return [Finding(r, IDENTICAL, z, weak) for r, z in zip(rects, strengths, strict=True)]
