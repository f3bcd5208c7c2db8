"""Many pairs of texts aligned in one call: from numbered features to passages in tokens.

The steps, in order: exact runs and their chains; seeds from chains and from window pairs; growth
to rectangles; tests; one passage a place; the verbatim rule; merging of neighbours; borders;
summaries; exact runs too short for a passage. A pair ends where nothing is left to look for.
"""

from __future__ import annotations

import numpy as np
from oracles.exact import chain_runs, find_runs
from oracles.growth import grow, joined, merged, number_features, weigh
from oracles.places import (
    AHEAD,
    CHAIN_GAP,
    GRAM,
    GRAM_REPEATS,
    MERGE_GAP,
    ONLY_SEEDS,
    SHORT_RUN,
    STRENGTH,
    THETA,
    TOP_WEIGHT,
    WIDEN,
    WINDOW,
)
from oracles.seeds import is_book, spans_of, windows_alike
from oracles.strong import (
    exact_chains,
    has_verbatim_copy,
    measured,
    placed,
    strong_ones,
    verbatim_rule,
)
from oracles.summaries import summarised

from simhash_core.model import F64, I32, I64
from simhash_core.passages.align import FEWEST_TOKENS, KIND, ROW, SCORE, WEAK, one_to_one, overlap
from simhash_core.passages.options import Numbered, Texts
from simhash_core.policy import KEPT_WEIGHT, SHORT_RUNS_SHARE

IDENTICAL, REWORDED, SUMMARY = 0, 1, 2  # rows of `model.PASSAGE_KINDS`


FEWEST_CHARS = 50  # of two equal texts, however few words they are: a b a b a b is one


NEARLY_ALL = 0.8  # of the longer text: two texts that are one text of refrains


MOST_GROWN, MOST_GROWN_BOOK = 60, 400


IN_SUMMARY = 0.2  # of a passage inside a summary: dropped


def align_pairs(texts: Texts, pairs: I64, numbers: F64) -> F64:
    """Return the passages of some pairs, float64 (f, 8)."""
    k, repeats = int(numbers[GRAM]), int(numbers[GRAM_REPEATS])
    findings = [np.empty((0, 8))]
    for row, (i, j) in enumerate(pairs.tolist()):
        both = numbered(texts, i, j, numbers[TOP_WEIGHT])
        same = np.array_equal(both.token_a, both.token_b)
        short = min(len(both.token_a), len(both.token_b)) < FEWEST_TOKENS
        if short and not (same and texts.chars[i] >= FEWEST_CHARS):
            continue
        if same:
            of_pair = whole(both, numbers)
        else:
            of_grams = grams(texts, i, k), grams(texts, j, k)
            runs = find_runs(both.token_a, both.token_b, *of_grams, k, repeats)
            of_pair = aligned(both, runs, numbers)
        of_pair[:, ROW] = row
        findings.append(of_pair)
    return np.concatenate(findings)


def grams(texts: Texts, i: int, k: int) -> I64:
    """Return the grams of a text."""
    low, high = texts.offset[i], texts.offset[i + 1]
    return texts.gram[low : max(low, high - k + 1)]


def numbered(texts: Texts, i: int, j: int, top: float) -> Numbered:
    """Number and weigh two texts together."""
    a0, a1, b0, b1 = *texts.offset[i : i + 2], *texts.offset[j : j + 2]
    local_a, local_b, used = number_features(texts.feature[a0:a1], texts.feature[b0:b1])
    plain = weigh(local_a, local_b, used, top)
    factor = texts.factor
    weight = factored(plain, local_a, local_b, factor[a0:a1], factor[b0:b1], KEPT_WEIGHT)
    return Numbered(
        local_a,
        local_b,
        weight,
        plain,
        mean_weight(local_a, local_b, weight),
        texts.token[a0:a1],
        texts.token[b0:b1],
        texts.start[a0:a1],
        texts.start[b0:b1],
        texts.end[a0:a1],
        texts.end[b0:b1],
        texts.border[a0 + i : a1 + i + 1],
        texts.border[b0 + j : b1 + j + 1],
    )


def factored(
    plain: F64, local_a: I32, local_b: I32, factor_a: F64, factor_b: F64, least: float
) -> F64:
    """Apply the factors of the batch, unless one of the texts keeps less than `least`."""
    weight = plain.copy()
    for local, factor in ((local_a, factor_a), (local_b, factor_b)):
        whole, part = 0.0, 0.0
        for t, kept in zip(local, factor, strict=True):
            whole += plain[t]
            part += plain[t] * kept
            weight[t] = plain[t] * kept
        if part < least * whole:
            return plain
    return weight


def mean_weight(local_a: I32, local_b: I32, weight: F64) -> float:
    """Return the mean weight of a token of either text."""
    total = 0.0
    for t in (*local_a, *local_b):
        total += weight[t]
    return total / (len(local_a) + len(local_b))


def whole(both: Numbered, numbers: F64) -> F64:
    """Return two equal texts as one finding."""
    rects = np.array([[0, len(both.token_a), 0, len(both.token_b)]])
    return as_findings(both, rects, numbers, 0.0)


def as_findings(both: Numbered, rects: I64, numbers: F64, weak: float) -> F64:
    """Return rectangles as findings: identical where all tokens are equal, else reworded.

    Tokens are equal whatever their case, width, script, white space and punctuation.
    """
    findings = np.empty((len(rects), 8), np.float64)
    findings[:, :4], findings[:, WEAK] = rects, weak
    findings[:, SCORE] = measured(both, rects, numbers)[:, 3]
    for finding, (a0, a1, b0, b1) in zip(findings, rects, strict=True):
        same = np.array_equal(both.token_a[a0:a1], both.token_b[b0:b1])
        finding[KIND] = IDENTICAL if same else REWORDED
    return findings


def aligned(both: Numbered, runs: I64, numbers: F64) -> F64:
    """Return the passages of two texts that are not equal, as `align_pairs` does."""
    ends, only_seeds = common_ends(both, runs), numbers[ONLY_SEEDS] > 0.0
    if len(ends) and not only_seeds:
        return as_findings(both, ends, numbers, 0.0)
    chains = exact_chains(both, chain_runs(runs, int(numbers[CHAIN_GAP])), numbers)
    rects, seeded = candidates(both, runs, chains, numbers)
    if only_seeds and (len(ends) or not seeded):
        return np.empty((0, 8), np.float64)
    accepted, loose = verbatim_rule(both, runs, chains, one_to_one(rects), numbers)
    accepted = joined(both.local_a, both.local_b, both.weight, accepted)
    accepted = merged(accepted, int(numbers[MERGE_GAP]))
    for r in range(len(accepted)):
        accepted[r] = placed(both, accepted[r], chains, numbers)
    firm, loose = firm_ones(both, accepted, loose, numbers)
    gist, scores, side = np.empty((0, 4), np.int64), np.empty(0), 0
    if not has_verbatim_copy(both, chains, numbers):
        gist, scores, side = summarised(both, firm, numbers)
    firm = without(firm, gist, side)
    return together(both, runs, firm, gist, scores, loose, numbers)


def common_ends(both: Numbered, runs: I64) -> I64:
    """Return where two texts begin and end alike, if that is nearly all and no run shows it (r, 4).

    Runs do not begin in what a text repeats often, and what is repeated has little strength:
    without this, texts of one refrain would share nothing.
    """
    token_a, token_b = both.token_a, both.token_b
    na, nb, head, tail = len(token_a), len(token_b), 0, 0
    while head < min(na, nb) and token_a[head] == token_b[head]:
        head += 1
    while tail < min(na, nb) - head and token_a[na - 1 - tail] == token_b[nb - 1 - tail]:
        tail += 1
    equal = head + tail
    if equal < NEARLY_ALL * max(na, nb) or tokens_in(runs, na) >= equal:
        return np.empty((0, 4), np.int64)
    rects = np.array([[0, head, 0, head], [na - tail, na, nb - tail, nb]])
    return rects[[head > 0, tail > 0]]


def tokens_in(runs: I64, n: int) -> int:
    """Return how many of n tokens of a lie in a run; runs are sorted by place in a."""
    total, reached = 0, 0
    for r in range(len(runs)):
        total += max(0, runs[r, 0] + runs[r, 2] - max(reached, runs[r, 0]))
        reached = max(reached, runs[r, 0] + runs[r, 2])
    return min(total, n)


def candidates(both: Numbered, runs: I64, chains: I64, numbers: F64) -> tuple[I64, bool]:
    """Grow seeds and keep the rectangles that pass the tests (r, 4); whether windows are alike."""
    seeds = windows_alike(both, chains, numbers)
    seeded = len(seeds) > 0
    if numbers[ONLY_SEEDS] > 0.0 and not seeded and len(chains):
        seeded = len(windows_alike(both, chains[:0], numbers)) > 0
    sizes = (len(both.local_a), len(both.local_b))
    spans = spans_of(chains, seeds, sizes, int(numbers[WINDOW]))
    if not len(spans):
        return spans, seeded
    theta = numbers[THETA]
    rects = grow(
        both.local_a,
        both.local_b,
        sizes,
        both.weight,
        spans,
        len(chains),
        theta,
        32.0 * theta * both.mean,
        int(numbers[WIDEN]),
        int(numbers[AHEAD]),
        MOST_GROWN_BOOK if is_book(both) else MOST_GROWN,
    )
    return strong_ones(both, runs, rects, numbers), seeded


def firm_ones(both: Numbered, rects: I64, loose: I64, numbers: F64) -> tuple[I64, I64]:
    """Return the rectangles strong enough by their final borders, and those that are not.

    The second begin with the `loose` ones.
    """
    firm = measured(both, rects, numbers)[:, 3] >= numbers[STRENGTH]
    return rects[firm], np.concatenate([loose, rects[~firm]])


def without(rects: I64, summarised: I64, side: int) -> I64:
    """Take out rectangles of which a fifth or more lies in a summary; `side` is the short text."""
    stays = np.ones(len(rects), np.bool_)
    for r, rect in enumerate(rects):
        most = IN_SUMMARY * (rect[2 * side + 1] - rect[2 * side])
        stays[r] = all(overlap(rect, one, side) < most for one in summarised)
    return rects[stays]


def together(
    both: Numbered, runs: I64, firm: I64, summarised: I64, scores: F64, loose: I64, numbers: F64
) -> F64:
    """Return all findings of a pair: passages, summaries, weak passages, and short runs."""
    parts = (
        as_findings(both, firm, numbers, 0.0),
        as_findings(both, summarised, numbers, 0.0),
        as_findings(both, loose, numbers, 1.0),
    )
    parts[1][:, KIND], parts[1][:, SCORE] = SUMMARY, scores
    short = short_runs(both, runs, parts, numbers)
    shared = (short[:, 1] - short[:, 0]).sum()
    few = shared < SHORT_RUNS_SHARE * min(len(both.token_a), len(both.token_b))
    weak = 1.0 if few or any(map(len, parts)) else 0.0
    return np.concatenate([*parts, as_findings(both, short, numbers, weak)])


def short_runs(both: Numbered, runs: I64, parts: tuple[F64, F64, F64], numbers: F64) -> I64:
    """Return exact runs that no finding holds: too short for a passage, longest first (r, 4).

    They still count where they make up most of the shorter text: a few lines are too short for
    a passage, and for a fingerprint too.
    """
    taken = np.zeros(len(both.token_a), np.bool_)
    for part in parts:
        for low, high in part[:, :2].astype(np.int64):
            taken[low:high] = True
    chosen = []
    long = runs[runs[:, 2] >= numbers[SHORT_RUN]]
    for a, b, length in long[np.argsort(-long[:, 2], kind="stable")]:
        if 2 * taken[a : a + length].sum() <= length:
            taken[a : a + length] = True
            chosen.append((a, a + length, b, b + length))
    return np.array(chosen, np.int64).reshape(-1, 4)
