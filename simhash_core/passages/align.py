"""Shared passages of two texts: exact, reworded and summarised, with exact offsets.

The steps, in order: exact runs and their chains; seeds from chains and from window pairs; growth
to rectangles; tests; one passage a place; the verbatim rule; merging of neighbours; borders;
summaries. Everything before `_passages` speaks in tokens.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..model import F64, I64, PASSAGE_KINDS, Passages
from ..policy import SHORT_RUNS_SHARE
from .frequencies import DocumentFrequencies
from .options import AlignOptions
from .pair import Pair, loops, pair_of
from .summaries import Summary, summaries
from .views import View, language_of

IDENTICAL, REWORDED, SUMMARY = range(len(PASSAGE_KINDS))

FEWEST_TOKENS = 8
MOST_SEEDS = 3000
MOST_GROWN, MOST_GROWN_BOOK = 60, 400
BOOK_TOKENS = 20_000
BOOK_STEP = 40
IDENTICAL_SHARE = 0.8  # of the tokens in exact runs
JOIN_PRICE, JOIN_GAIN = 0.5, 1.05
OWN_OVERLAP = 0.3  # of a passage inside a stronger one: dropped


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """One passage in tokens."""

    rect: I64  # a0, a1, b0, b1
    kind: int
    strength: float
    weak: bool = False


def align(
    a: View,
    b: View,
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
    factors = (None, None) if df is None else (df.factor(a), df.factor(b))
    return _passages([(0, a, b, _findings(a, b, options, *factors))])


def align_many(
    views: Sequence[View],
    pairs: I64,
    *,
    df: DocumentFrequencies | None = None,
    options: AlignOptions | None = None,
) -> Passages:
    """Align many pairs; `pairs` is int64 (m, 2) of rows of `views`.

    Runs in a worker process as well: everything it takes and returns can be pickled. `pair` of
    the result is the row of `pairs`.
    """
    rows = np.unique(pairs).tolist()
    factor = {row: None if df is None else df.factor(views[row]) for row in rows}
    found = []
    for row, (left, right) in enumerate(pairs.tolist()):
        a, b = views[left], views[right]
        findings = _findings(a, b, options, factor[left], factor[right])
        if findings:
            found.append((row, a, b, findings))
    return _passages(found)


def _findings(
    a: View,
    b: View,
    options: AlignOptions | None,
    factor_a: F64 | None,
    factor_b: F64 | None,
) -> list[Finding]:
    if min(len(a), len(b)) < FEWEST_TOKENS:
        return []
    chosen = options or AlignOptions.for_language(
        language_of([a, b]), frequencies=factor_a is not None
    )
    pair = pair_of(a, b, chosen, factor_a, factor_b)
    if len(a) == len(b) and np.array_equal(a.token, b.token):
        return [_whole(pair)]
    chains = loops.chain_runs(pair.runs, chosen.chain_gap)
    exact = _exact_chains(pair, chains)
    kept, suppressed = _verbatim_rule(pair, exact, _one_to_one(pair, _candidates(pair, exact)))
    rects = [_placed(pair, rect, exact) for rect in _merged(pair, _joined(pair, kept))]
    firm = [_strength(pair, rect) >= chosen.strength for rect in rects]
    suppressed += [rect for rect, holds in zip(rects, firm, strict=True) if not holds]
    rects = [rect for rect, holds in zip(rects, firm, strict=True) if holds]
    told = _told(pair, exact)
    found = [] if told else summaries(pair, rects)
    rects = _without(rects, found)
    findings = [_finding(pair, rect) for rect in rects]
    findings += [Finding(s.rect, SUMMARY, s.strength) for s in found]
    findings += [_finding(pair, rect, weak=True) for rect in suppressed]
    return findings + _short_runs(pair, findings)


def _whole(pair: Pair) -> Finding:
    rect = np.array([0, len(pair.a), 0, len(pair.b)], np.int64)
    return Finding(rect, IDENTICAL, _strength(pair, rect))


def _exact_chains(pair: Pair, chains: I64) -> I64:
    """Keep the chains that are mainly matched and long enough to be a passage by themselves."""
    if not len(chains):
        return chains
    a0, a1, b0, b1, matched = chains.T
    chars = pair.a.end[a1 - 1] - pair.a.start[a0]
    dense = matched >= 0.8 * np.maximum(a1 - a0, b1 - b0)
    return np.asarray(chains[(chars >= pair.options.chain_chars) & dense])


def _candidates(pair: Pair, exact: I64) -> I64:
    """Grow seeds and keep the rectangles that pass the tests, int64 (r, 4)."""
    options = pair.options
    book = max(len(pair.a), len(pair.b)) > BOOK_TOKENS
    windows = loops.window_seeds(
        pair.local_a,
        pair.local_b,
        pair.weight,
        options.window,
        BOOK_STEP if book else options.step,
        options.cosine,
    )
    windows = windows[np.argsort(-windows[:, 2], kind="stable")[:MOST_SEEDS]]
    if not len(windows) and not len(exact):
        return np.empty((0, 4), np.int64)
    a0, b0 = windows[:, :2].astype(np.int64).T
    a1 = np.minimum(a0 + options.window, len(pair.a))
    b1 = np.minimum(b0 + options.window, len(pair.b))
    first = exact[np.argsort(exact[:, 0] - exact[:, 1], kind="stable"), :4]  # longest first
    seeds = np.concatenate([first, np.stack([a0, a1, b0, b1], axis=1)])
    rects = loops.grow(
        pair.local_a,
        pair.local_b,
        pair.weight,
        np.ascontiguousarray(seeds),
        len(first),
        options.theta,
        32.0 * options.theta * pair.mean,
        options.widen,
        options.ahead,
        MOST_GROWN_BOOK if book else MOST_GROWN,
    )
    return _strong(pair, rects)


def _measures(pair: Pair, rects: I64) -> tuple[F64, F64, F64, F64]:
    """Return shared weight C, dice, score S and strength z of rectangles.

    z = ln D + closeness * dice, with D = C of distinct features: what both sides repeat, such
    as the names of the bodies in the heading of a statute, is not new evidence each time.
    """
    weights = loops.shared_weights(pair.local_a, pair.local_b, pair.weight, rects)
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
        mainly_exact = pair.exact_share(rects[r]) >= IDENTICAL_SHARE
        least = options.least_exact_chars if mainly_exact else options.least_chars
        keep[r] = min(pair.chars(rects[r])) >= least
    order = np.argsort(-score, kind="stable")
    return np.asarray(rects[order[keep[order]]])


def _overlap(first: I64, second: I64, side: int) -> int:
    low, high = 2 * side, 2 * side + 1
    return int(min(first[high], second[high]) - max(first[low], second[low]))


def _one_to_one(pair: Pair, rects: I64) -> list[I64]:
    """Accept best first; drop what overlaps an accepted one too much on either side."""
    accepted: list[I64] = []
    for rect in rects:
        long_a, long_b = OWN_OVERLAP * (rect[1] - rect[0]), OWN_OVERLAP * (rect[3] - rect[2])
        if all(_overlap(rect, o, 0) <= long_a and _overlap(rect, o, 1) <= long_b for o in accepted):
            accepted.append(rect)
    return accepted


def _told(pair: Pair, exact: I64) -> bool:
    """Whether a verbatim copy is long enough to explain the pair."""
    least = pair.options.verbatim_chars
    return least > 0 and any(pair.chars(chain)[0] >= least for chain in exact)


def _verbatim_rule(pair: Pair, exact: I64, rects: list[I64]) -> tuple[list[I64], list[I64]]:
    """Demote loose rectangles beside a long verbatim copy: who copies outright seldom rewords."""
    if not rects or not _told(pair, exact):
        return rects, []
    _, dice, _, _ = _measures(pair, np.stack(rects))
    close = dice >= pair.options.verbatim_dice
    kept = [rect for rect, near in zip(rects, close, strict=True) if near]
    return kept, [rect for rect, near in zip(rects, close, strict=True) if not near]


def _joined(pair: Pair, rects: list[I64]) -> list[I64]:
    """Join pieces whose hull is worth more than they are: a text whose parts changed places.

    The price of what does not match is higher here than while growing, since common words alone
    make unrelated text nearly as alike as `theta`.
    """
    rects = sorted(rects, key=_place)
    while len(rects) > 1:
        hull = _better_hull(pair, rects)
        if hull is None:
            break
        rects = sorted([*(r for r in rects if not _inside(r, hull)), hull], key=_place)
    return rects


def _better_hull(pair: Pair, rects: list[I64]) -> I64 | None:
    """Return the hull of all rectangles, or of two neighbours, that is worth more than they."""
    for size in sorted({len(rects), 2}, reverse=True):
        for i in range(len(rects) - size + 1):
            hull = _hull(rects[i : i + size])
            inside = [rect for rect in rects if _inside(rect, hull)]
            worth = _worth(pair, np.stack([hull, *inside]))
            if worth[0] > JOIN_GAIN * worth[1:].sum():
                return hull
    return None


def _place(rect: I64) -> int:
    return int(rect[0])


def _inside(rect: I64, hull: I64) -> bool:
    """Whether most of a rectangle lies in another on both sides."""
    return all(
        2 * _overlap(rect, hull, side) > rect[2 * side + 1] - rect[2 * side] for side in (0, 1)
    )


def _worth(pair: Pair, rects: I64) -> F64:
    shared, in_a, in_b, _ = loops.shared_weights(pair.local_a, pair.local_b, pair.weight, rects).T
    return np.asarray(2 * shared - JOIN_PRICE * (in_a + in_b))


def _merged(pair: Pair, rects: list[I64]) -> list[I64]:
    """Join rectangles that are neighbours on both sides, in any order."""
    gap = pair.options.merge_gap
    rects = list(rects)
    joined = True
    while joined:
        joined = False
        for i in range(len(rects)):
            for j in range(i + 1, len(rects)):
                if all(-gap <= _overlap(rects[i], rects[j], side) <= gap for side in (0, 1)):
                    rects[i] = _hull([rects[i], rects.pop(j)])
                    joined = True
                    break
            if joined:
                break
    return rects


def _hull(rects: list[I64]) -> I64:
    together = np.stack(rects)
    return np.array(
        [
            together[:, 0].min(),
            together[:, 1].max(),
            together[:, 2].min(),
            together[:, 3].max(),
        ],
        np.int64,
    )


def _placed(pair: Pair, rect: I64, exact: I64) -> I64:
    """Give a rectangle its final borders: those of an exact chain, or the best places nearby."""
    long_a, long_b = rect[1] - rect[0], rect[3] - rect[2]
    for chain in exact[:, :4]:
        most = _overlap(rect, chain, 0) >= 0.8 * long_a and _overlap(rect, chain, 1) >= 0.8 * long_b
        # farther away the rectangle knows of matches that the chain does not
        if most and np.abs(rect - chain).max() <= pair.options.snap:
            return np.asarray(chain)
    options = pair.options
    bonus = np.array(options.border_bonus) * pair.mean
    a0, a1, b0, b1 = rect.tolist()
    fixed = (pair.weight, options.theta, options.snap, bonus)
    new_a = loops.snap(pair.local_a, pair.local_b, *fixed, pair.a.brk, (a0, a1), (b0, b1))
    new_b = loops.snap(pair.local_b, pair.local_a, *fixed, pair.b.brk, (b0, b1), (a0, a1))
    return np.array([*new_a, *new_b], np.int64)


def _without(rects: list[I64], found: list[Summary]) -> list[I64]:
    """Take out rectangles of which a fifth or more lies in a summary."""
    return [
        rect
        for rect in rects
        if all(
            _overlap(rect, s.rect, s.short_side)
            < 0.2 * (rect[2 * s.short_side + 1] - rect[2 * s.short_side])
            for s in found
        )
    ]


def _finding(pair: Pair, rect: I64, *, weak: bool = False) -> Finding:
    kind = IDENTICAL if pair.exact_share(rect) >= IDENTICAL_SHARE else REWORDED
    return Finding(rect, kind, _strength(pair, rect), weak)


def _short_runs(pair: Pair, findings: list[Finding]) -> list[Finding]:
    """Return exact runs that no finding holds: too short for a passage, hence weak.

    They count all the same where they make up most of the shorter text: a few lines have no
    room for a passage, and no fingerprint either.
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


def _passages(found: Sequence[tuple[int, View, View, list[Finding]]]) -> Passages:
    """Turn token rectangles into code-point ranges, sorted by pair and place in a."""
    rows = [
        (
            row,
            int(a.start[f.rect[0]]),
            int(a.tail[f.rect[1] - 1]),
            int(b.start[f.rect[2]]),
            int(b.tail[f.rect[3] - 1]),
            f.kind,
            f.strength if math.isfinite(f.strength) else 0.0,
            f.weak,
        )
        for row, a, b, findings in found
        for f in findings
    ]
    rows.sort(key=lambda r: (r[0], r[1], r[3], r[2], r[4]))
    columns = list(zip(*rows, strict=True)) if rows else [()] * 8
    types = (np.int64, np.int32, np.int32, np.int32, np.int32, np.uint8, np.float32, np.bool_)
    return Passages(*(np.array(c, t) for c, t in zip(columns, types, strict=True)))
