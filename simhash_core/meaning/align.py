"""Two texts as vectors: the passages whose sentences answer each other, and which answers which.

Products of vectors of whole numbers are exact, in any order and on any machine: what follows from
them does not depend on how the work is divided. docs/calibration.md, "Meaning".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..machine.compiled import loops_of
from ..model import F32, F64, I16, I32, I64, U8, Bools
from ..policy import (
    MEANING_AHEAD,
    MEANING_HUB_SHARE,
    MEANING_HUB_TEXTS,
    MEANING_HUB_UNITS,
    MEANING_PASSAGES,
    MEANING_SAMPLED,
    MEANING_SCORE,
    MEANING_VERBATIM,
)
from .vectors import SCALE

LOOPS = loops_of("meaning/loops.c")

FEWEST = 2  # units of a text that is compared
SEED = 20_261_122
_ROWS = 512  # units whose products lie in memory at once
_UNIT = 1_000  # scores are whole numbers of thousandths of a nat


#: which units of either text of a pair may be answered
Free = tuple[Bools, Bools]


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """The units of one text as numbers.

    Attributes
    ----------
    rows : int16 (n, d)
        In 1 / `SCALE`, each of length 1.
    script : uint8 (n,)
    hub : float64 (n,)
        How near each unit is to other texts of the batch; 0 where that is not known.
    """

    rows: I16
    script: U8
    hub: F64

    def __len__(self) -> int:
        return len(self.rows)


class Answers(NamedTuple):
    """Which units of two texts answer each other in a passage.

    `units` is int64 (s, 2), sorted; `closeness` and `next_best`, float32 (s,), are the cosine of
    the two and the greatest one with a unit of the right text that is no answer, nan without one.
    `lead` is how much nearer an answer is than that, on average, of both texts the greater one.
    """

    units: I64
    closeness: F32
    next_best: F32
    lead: float


class Passage(NamedTuple):
    """One finding of a pair: units a0, a1, b0, b1 of both texts, nats, its answers."""

    rect: tuple[int, int, int, int]
    score: float
    answers: Answers


class Aligned(NamedTuple):
    """What two texts share: passages, the best score, 0 for none, and the greatest cosine."""

    passages: list[Passage]
    best: float
    closest: float


def align(a: Vectors, b: Vectors, free: Free | None = None) -> Aligned:
    """Return the passages of two texts, each of two units at least, the strongest first.

    Parameters
    ----------
    free
        Which units of either text may be answered; by default all.
    """
    free_a, free_b = free or (np.ones(len(a), np.bool_), np.ones(len(b), np.bool_))
    products = products_of(a.rows, b.rows)
    ratios = weigh_cells(products, a, b, free_a, free_b)
    passages = [
        Passage((a0, a1, b0, b1), score / _UNIT, answers_of(products, ratios, (a0, a1, b0, b1)))
        for score, a0, a1, b0, b1 in grow_rectangles(
            ratios.copy(), int(_UNIT * MEANING_SAMPLED)
        ).tolist()
    ]
    reworded = [one for one in passages if _is_reworded(one.answers) and _stands_out(one.answers)]
    others = products[products < MEANING_VERBATIM * SCALE**2]
    return Aligned(
        [one for one in reworded if one.score >= MEANING_SCORE],
        max((one.score for one in reworded), default=0.0),
        float(others.max(initial=0) / SCALE**2),
    )


def weigh_cells(products: I32, a: Vectors, b: Vectors, free_a: Bools, free_b: Bools) -> I64:
    """Return by how much each pair of units speaks for the same statement, int64 (a, b).

    Parameters
    ----------
    products
        Of the vectors of both texts, int32 (a, b) in 1 / `SCALE` ** 2; each side has two units at
        least.
    free_a, free_b
        Whether a unit may be answered.

    Notes
    -----
    Log-likelihood ratio 12 (c - .32), at least -1.2 and at most 4 nats, of the cosine c less half
    of what hubs and runners-up exceed their usual height by, in thousandths.
    """
    ratios = np.empty(products.shape, np.int64)
    sides = (a.hub, b.hub, a.script, b.script, free_a, free_b)
    LOOPS.cells(products, *products.shape, *sides, ratios)
    return ratios


def grow_rectangles(ratios: I64, least: int) -> I64:
    """Return the passages of a pair, int64 (r, 5): score, units a0, a1, b0, b1; best first.

    Parameters
    ----------
    ratios
        As `weigh_cells` gives them; what a passage holds is taken out of it here.
    least
        Score below which the search ends.

    Notes
    -----
    A passage is a run of units on either side, in whatever order they answer. Its score is the
    smaller of the sums of the best cells of its rows and of its columns, and `MEANING_THIRD` for
    each answering unit beyond the second.
    """
    passages = np.empty((MEANING_PASSAGES, 5), np.int64)
    return passages[: LOOPS.rectangles(ratios, *ratios.shape, least, passages)]


def _is_reworded(answers: Answers) -> bool:
    """Whether a passage has answers enough that are not word for word the same."""
    return int((answers.closeness < MEANING_VERBATIM).sum()) >= FEWEST


def _stands_out(answers: Answers) -> bool:
    """Whether answers are nearer than the other sentences of a text, which share their subject."""
    return answers.lead >= MEANING_AHEAD


def summary_lead(short: I16, inside: Bools, source: I16) -> float:
    """Return how much nearer a summary is to its source than the rest of its text is.

    By the mean over units of the greatest cosine with a unit of the source; nan without units
    inside, or with fewer than `FEWEST` outside.
    """
    if not inside.any() or (~inside).sum() < FEWEST or not len(source):
        return float("nan")
    nearest = products_of(short, source).max(axis=1) / SCALE**2
    return float(nearest[inside].mean() - nearest[~inside].mean())


def products_of(a: I16, b: I16) -> I32:
    """Return the products of all pairs of vectors, int32 (a, b) in 1 / `SCALE` ** 2.

    Notes
    -----
    Exact: vectors of length 1 have whole products below 2 ** 24 at every step of the sum.
    """
    return np.asarray(a.astype(np.float32) @ b.astype(np.float32).T, np.int32)


def answers_of(products: I32, ratios: I64, rect: tuple[int, int, int, int]) -> Answers:
    """Return which unit of a passage answers which: the best of each, where it speaks for it."""
    a0, a1, b0, b1 = rect
    part = ratios[a0:a1, b0:b1]
    near = part.astype(np.float64) + products[a0:a1, b0:b1] / SCALE**2 / 10  # capped ones differ
    rows, columns = near.argmax(axis=1), near.argmax(axis=0)
    pairs = {(i, int(rows[i])) for i in range(a1 - a0)}
    answered = {j for i, j in pairs if part[i, j] > 0}
    pairs |= {(int(columns[j]), j) for j in range(b1 - b0) if j not in answered}
    units = np.array(sorted((a0 + i, b0 + j) for i, j in pairs if part[i, j] > 0), np.int64)
    left, right = units.reshape(-1, 2).T
    others = products.copy()
    others[left, right] = -(SCALE**2)
    next_best = others[left].max(axis=1).astype(np.float64) / SCALE**2
    next_best[next_best <= -1] = np.nan
    of_left = others[:, right].max(axis=0) / SCALE**2
    of_left[of_left <= -1] = np.nan
    closeness = products[left, right].astype(np.float64) / SCALE**2
    lead = max(_mean(closeness - next_best), _mean(closeness - of_left))
    nearness, next_nearness = closeness.astype(np.float32), next_best.astype(np.float32)
    return Answers(units.reshape(-1, 2), nearness, next_nearness, lead)


def _mean(values: F64) -> float:
    """Return the mean of the known ones, inf without any."""
    finite = values[~np.isnan(values)]
    return float(finite.mean()) if len(finite) else np.inf


# --------------------------------------------------------------------------- many pairs


def align_pairs(
    texts: Sequence[Vectors], pairs: I64, sampled: Bools, free: Mapping[int, Free]
) -> tuple[list[tuple[int, list[Passage]]], F32]:
    """Align many pairs, of which most share nothing.

    Parameters
    ----------
    pairs : int64 (m, 2)
        Rows of `texts`, sorted.
    sampled : bool (m,)
        Of which the best score is asked for; of the others only one of `MEANING_SCORE`.
    free
        Which units of some pairs may be answered, by row of `pairs`; of the others all.

    Returns
    -------
    passages
        The passages of each pair that has any, by row of `pairs`.
    numbers : float32 (2, m)
        `best` and `closest` of each pair, as `Aligned` has them.
    """
    numbers = np.zeros((2, len(pairs)), np.float32)
    wanted = np.where(sampled, MEANING_SAMPLED, MEANING_SCORE)
    held, numbers[1] = _select_pairs(texts, pairs, (_UNIT * wanted).astype(np.int64), free)
    found = []
    for row in np.flatnonzero(held).tolist():
        a, b = pairs[row].tolist()
        aligned = align(texts[a], texts[b], free.get(row))
        numbers[0, row] = aligned.best
        if aligned.passages:
            found.append((row, aligned.passages))
    return found, numbers


def _select_pairs(
    texts: Sequence[Vectors], pairs: I64, wanted: I64, free: Mapping[int, Free]
) -> tuple[Bools, F32]:
    """Return which pairs have a passage of as much as is wanted, and the greatest cosine of each.

    Exact; `wanted` is int64 (m,) in thousandths of a nat.
    """
    size = np.array([len(one) for one in texts], np.int64)
    first = np.concatenate([[0], np.cumsum(size)])
    whole = np.ones(2 * size.max(), np.bool_)
    marks = [whole, *(side for sides in free.values() for side in sides)]
    begin = np.cumsum([0, *map(len, marks)])
    free_at = np.zeros(len(pairs), np.int64)
    free_at[list(free)] = begin[1:-1:2]
    units = LOOPS.Units(
        np.concatenate([one.rows for one in texts]),
        texts[0].rows.shape[1],
        first,
        np.concatenate([one.hub for one in texts]),
        np.concatenate([one.script for one in texts]),
        np.concatenate(marks),
    )
    held, closest = np.empty(len(pairs), np.bool_), np.empty(len(pairs), np.float32)
    table = np.concatenate([pairs, free_at[:, None]], axis=1)
    fewest = int(_UNIT * MEANING_SAMPLED)
    LOOPS.select_pairs(units, table, wanted, len(table), fewest, held, closest)
    return held, closest


# --------------------------------------------------------------------------- hubs


class Sample(NamedTuple):
    """Units of a batch in one script: vectors, and the text of each, ascending."""

    rows: I16
    text: I64


def samples_of(rows: Sequence[I16], scripts: Sequence[U8]) -> dict[int, Sample]:
    """Return a random sample of the units of each script, the same for the same batch.

    Only of scripts whose units stand in enough texts that the nearest can be left out.
    """
    text = np.repeat(np.arange(len(rows)), [len(one) for one in rows])
    script = np.concatenate([np.zeros(0, np.uint8), *scripts])
    every, drawn = np.concatenate(rows) if rows else np.zeros((0, 1), np.int16), {}
    for one in np.unique(script).tolist():
        held = np.flatnonzero(script == one)
        rng = np.random.default_rng(SEED)
        held = np.sort(rng.permutation(held)[:MEANING_HUB_UNITS])
        texts = len(np.unique(text[held]))
        if texts > 2 * left_out(texts):
            drawn[one] = Sample(every[held], text[held])
    return drawn


def left_out(texts: int) -> int:
    """Return how many of the nearest texts may be the source of a unit and its copies."""
    return max(MEANING_HUB_TEXTS, int(texts * MEANING_HUB_SHARE))


def hubs_of(text: I64, rows: I16, script: U8, samples: Mapping[int, Sample]) -> F64:
    """Return how near units of a batch are to other texts than their own, float64 (n,).

    The mean of the next texts after those that may be their source, by the best unit of each.

    Parameters
    ----------
    text : int64 (n,)
        Whose each unit is, as in `samples`.
    """
    hubs = np.zeros(len(rows), np.float64)
    for one, sample in samples.items():
        of_script = np.flatnonzero(script == one)
        firsts = np.flatnonzero(np.diff(sample.text, prepend=-1))
        size = np.diff(firsts, append=len(sample.text))
        out, columns = left_out(len(firsts)), sample.rows.astype(np.float32)
        for low in range(0, len(of_script), _ROWS):
            part = of_script[low : low + _ROWS]
            products = columns @ rows[part].astype(np.float32).T
            best = products[firsts]  # of each text
            for at in range(1, size.max()):
                longer = np.flatnonzero(size > at)
                best[longer] = np.maximum(best[longer], products[firsts[longer] + at])
            best[sample.text[firsts][:, None] == text[part]] = -(SCALE**2)
            nearest = np.partition(np.ascontiguousarray(best.T), -2 * out, axis=1)[:, -2 * out :]
            nearest = np.partition(nearest, -out, axis=1)[:, :-out]
            hubs[part] = nearest.sum(axis=1, dtype=np.float64) / (out * SCALE**2)
    return hubs
