"""Many pairs of texts aligned in one call: from numbered features to passages in tokens.

The steps, in order: exact runs and their chains; seeds from chains and from window pairs; growth
to rectangles; tests; one passage a place; the verbatim rule; merging of neighbours; borders;
summaries; exact runs too short for a passage. A pair ends where nothing is left to look for.
"""

from __future__ import annotations

import numpy as np
from oracles.exact import chain_runs, gram_table, runs_in, with_room
from oracles.growth import grow, joined, merged, number_features, put, weigh
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
from simhash_core.passages.align import FEWEST_TOKENS, KIND, ROW, SCORE, WEAK
from simhash_core.passages.options import Numbered, Texts
from simhash_core.passages.rectangles import one_to_one, overlap
from simhash_core.policy import KEPT_WEIGHT, SHORT_RUNS_SHARE

IDENTICAL, REWORDED, SUMMARY = 0, 1, 2  # rows of `model.PASSAGE_KINDS`


FEWEST_CHARS = 50  # of two equal texts, however few words they are: a b a b a b is one


NEARLY_ALL = 0.8  # of the longer text: two texts that are one text of refrains


MOST_GROWN, MOST_GROWN_BOOK = 60, 400


IN_SUMMARY = 0.2  # of a passage inside a summary: dropped


def align_pairs(texts: Texts, pairs: I64, numbers: F64) -> F64:
    """Return the passages of some pairs, float64 (f, 8).

    Each row is a rectangle in tokens, the row of its pair, its kind, its strength and whether it
    is weak.

    Parameters
    ----------
    pairs : int64 (m, 2)
        Those of one right text in a row cost less: they share its table of grams.
    numbers : float64
        The settings of the alignment, see `options.numbers_of`.
    """
    number, _, distinct = number_features(texts.feature, texts.feature[:0])
    seen, local = np.full(distinct, -1, np.int64), np.empty(distinct, np.int32)
    findings, count = np.empty((64, 8), np.float64), 0
    k, right = int(numbers[GRAM]), -1
    head, follow, times = gram_table(texts.gram[:0])
    for row in range(len(pairs)):
        i, j = pairs[row, 0], pairs[row, 1]
        a0, a1, b0, b1 = span_of(texts, i, j)
        same = are_equal(texts.token[a0:a1], texts.token[b0:b1])
        short = min(a1 - a0, b1 - b0) < FEWEST_TOKENS
        if short and not (same and texts.chars[i] >= FEWEST_CHARS):
            continue
        both = numbered(texts, number, i, j, row, seen, local, numbers[TOP_WEIGHT])
        if same:
            of_pair = whole(both, numbers)
        else:
            gram_a, gram_b = grams(texts, i, k), grams(texts, j, k)
            if right != j:
                right = j
                head, follow, times = gram_table(gram_b)
            repeats = int(numbers[GRAM_REPEATS])
            tokens = both.token_a, both.token_b
            runs = runs_in(tokens[0], tokens[1], gram_a, gram_b, head, follow, times, k, repeats)
            of_pair = aligned(both, runs, numbers)
        for f in range(len(of_pair)):
            findings = with_room(findings, count)
            for column in range(8):
                findings[count, column] = of_pair[f, column]
            findings[count, ROW] = row
            count += 1
    return findings[:count]


def span_of(texts: Texts, i: int, j: int) -> tuple[int, int, int, int]:
    """Return where two texts lie in the columns."""
    offset = texts.offset
    return offset[i], offset[i + 1], offset[j], offset[j + 1]


def grams(texts: Texts, i: int, k: int) -> I64:
    """Return the grams of a text."""
    low, high = texts.offset[i], texts.offset[i + 1]
    return texts.gram[low : max(low, high - k + 1)]


def numbered(
    texts: Texts, number: I32, i: int, j: int, row: int, seen: I64, local: I32, top: float
) -> Numbered:
    """Number and weigh two texts together; see `renumber`."""
    a0, a1, b0, b1 = span_of(texts, i, j)
    local_a, local_b = np.empty(a1 - a0, np.int32), np.empty(b1 - b0, np.int32)
    used = renumber(number[a0:a1], row, seen, local, 0, local_a)
    used = renumber(number[b0:b1], row, seen, local, used, local_b)
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


def are_equal(token_a: I64, token_b: I64) -> bool:
    """Whether two rows of tokens are the same."""
    same, i = len(token_a) == len(token_b), 0
    while same and i < len(token_a):
        same = token_a[i] == token_b[i]
        i += 1
    return same


def renumber(number: I32, row: int, seen: I64, local: I32, used: int, into: I32) -> int:
    """Write the features of a text numbered by first occurrence; return how many so far.

    `seen` holds for each feature of the task the last pair that it occurred in.
    """
    for i in range(len(number)):
        t = number[i]
        if seen[t] != row:
            seen[t] = row
            local[t] = used
            used += 1
        into[i] = local[t]
    return used


def factored(
    plain: F64, local_a: I32, local_b: I32, factor_a: F64, factor_b: F64, least: float
) -> F64:
    """Apply the factors of the batch, unless one of the texts keeps less than `least`."""
    weight = plain.copy()
    whole, part = 0.0, 0.0
    for i in range(len(local_a)):
        whole += plain[local_a[i]]
        part += plain[local_a[i]] * factor_a[i]
        weight[local_a[i]] = plain[local_a[i]] * factor_a[i]
    if part < least * whole:
        return plain
    whole, part = 0.0, 0.0
    for i in range(len(local_b)):
        whole += plain[local_b[i]]
        part += plain[local_b[i]] * factor_b[i]
        weight[local_b[i]] = plain[local_b[i]] * factor_b[i]
    return plain if part < least * whole else weight


def mean_weight(local_a: I32, local_b: I32, weight: F64) -> float:
    """Return the mean weight of a token of either text."""
    total = 0.0
    for t in local_a:
        total += weight[t]
    for t in local_b:
        total += weight[t]
    return total / (len(local_a) + len(local_b))


def whole(both: Numbered, numbers: F64) -> F64:
    """Return two equal texts as one finding."""
    rects = np.empty((1, 4), np.int64)
    rects[0, 0], rects[0, 1], rects[0, 2], rects[0, 3] = 0, len(both.token_a), 0, len(both.token_b)
    return as_findings(both, rects, numbers, 0.0)


def as_findings(both: Numbered, rects: I64, numbers: F64, weak: float) -> F64:
    """Return rectangles as findings: identical where all tokens are equal, else reworded.

    Tokens are equal whatever their case, width, script, white space and punctuation.
    """
    findings, measures = np.empty((len(rects), 8), np.float64), measured(both, rects, numbers)
    for r in range(len(rects)):
        for border in range(4):
            findings[r, border] = rects[r, border]
        same = are_equal(
            both.token_a[rects[r, 0] : rects[r, 1]], both.token_b[rects[r, 2] : rects[r, 3]]
        )
        findings[r, KIND] = IDENTICAL if same else REWORDED
        findings[r, SCORE], findings[r, WEAK] = measures[r, 3], weak
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
        put(accepted[r], placed(both, accepted[r], chains, numbers))
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
    rects, count = np.empty((2, 4), np.int64), 0
    while head < min(na, nb) and token_a[head] == token_b[head]:
        head += 1
    while tail < min(na, nb) - head and token_a[na - 1 - tail] == token_b[nb - 1 - tail]:
        tail += 1
    equal = head + tail
    if equal < NEARLY_ALL * max(na, nb) or tokens_in(runs, na) >= equal:
        return rects[:0]
    if head > 0:
        rects[0, 0], rects[0, 1], rects[0, 2], rects[0, 3] = 0, head, 0, head
        count = 1
    if tail > 0:
        rects[count, 0], rects[count, 1] = na - tail, na
        rects[count, 2], rects[count, 3] = nb - tail, nb
        count += 1
    return rects[:count]


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
    measures = measured(both, rects, numbers)
    firm, n_firm = np.empty((len(rects), 4), np.int64), 0
    other, n_other = np.empty((len(loose) + len(rects), 4), np.int64), len(loose)
    for r in range(len(loose)):
        put(other[r], loose[r])
    for r in range(len(rects)):
        if measures[r, 3] >= numbers[STRENGTH]:
            put(firm[n_firm], rects[r])
            n_firm += 1
        else:
            put(other[n_other], rects[r])
            n_other += 1
    return firm[:n_firm], other[:n_other]


def without(rects: I64, summarised: I64, side: int) -> I64:
    """Take out rectangles of which a fifth or more lies in a summary; `side` is the short text."""
    left, count = np.empty((len(rects), 4), np.int64), 0
    for r in range(len(rects)):
        stays, length = True, rects[r, 2 * side + 1] - rects[r, 2 * side]
        for s in range(len(summarised)):
            stays = stays and overlap(rects[r], summarised[s], side) < IN_SUMMARY * length
        if stays:
            put(left[count], rects[r])
            count += 1
    return left[:count]


def together(
    both: Numbered, runs: I64, firm: I64, summarised: I64, scores: F64, loose: I64, numbers: F64
) -> F64:
    """Return all findings of a pair: passages, summaries, weak passages, and short runs."""
    parts = (
        as_findings(both, firm, numbers, 0.0),
        as_findings(both, summarised, numbers, 0.0),
        as_findings(both, loose, numbers, 1.0),
    )
    for s in range(len(summarised)):
        parts[1][s, KIND], parts[1][s, SCORE] = SUMMARY, scores[s]
    short = short_runs(both, runs, parts, numbers)
    shared = 0
    for r in range(len(short)):
        shared += short[r, 1] - short[r, 0]
    count = len(firm) + len(summarised) + len(loose)
    few = shared < SHORT_RUNS_SHARE * min(len(both.token_a), len(both.token_b))
    weak = as_findings(both, short, numbers, 1.0 if count or few else 0.0)
    findings, at = np.empty((count + len(short), 8), np.float64), 0
    for part in (parts[0], parts[1], parts[2], weak):
        for r in range(len(part)):
            for column in range(8):
                findings[at, column] = part[r, column]
            at += 1
    return findings


def short_runs(both: Numbered, runs: I64, parts: tuple[F64, F64, F64], numbers: F64) -> I64:
    """Return exact runs that no finding holds: too short for a passage, longest first (r, 4).

    They still count where they make up most of the shorter text: a few lines are too short for
    a passage, and for a fingerprint too.
    """
    ordered, count = np.empty((len(runs), 3), np.int64), 0
    for r in range(len(runs)):
        if runs[r, 2] >= numbers[SHORT_RUN]:
            at = count
            while at > 0 and ordered[at - 1, 2] < runs[r, 2]:
                for column in range(3):
                    ordered[at, column] = ordered[at - 1, column]
                at -= 1
            for column in range(3):
                ordered[at, column] = runs[r, column]
            count += 1
    chosen, n_chosen = np.empty((count, 4), np.int64), 0
    if count == 0:
        return chosen
    taken = np.zeros(len(both.token_a) + 1, np.bool_)
    for part in parts:
        for f in range(len(part)):
            for i in range(int(part[f, 0]), int(part[f, 1])):
                taken[i] = True
    for r in range(count):
        a, b, length = ordered[r, 0], ordered[r, 1], ordered[r, 2]
        already = 0
        for i in range(a, a + length):
            already += 1 if taken[i] else 0
        if 2 * already > length:
            continue
        for i in range(a, a + length):
            taken[i] = True
        chosen[n_chosen, 0], chosen[n_chosen, 1] = a, a + length
        chosen[n_chosen, 2], chosen[n_chosen, 3] = b, b + length
        n_chosen += 1
    return chosen[:n_chosen]
