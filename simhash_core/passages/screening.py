"""Which pairs go through the whole alignment: `screen` applied to the sides of many pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..model import F64, I64, Bools
from ..policy import KEPT_WEIGHT, SHORT_RUNS_SHARE
from . import screen, summaries
from .align import EXACT_DENSE, FEWEST_TOKENS, MOST_GROWN, NEARLY_ALL
from .exact import grams_of
from .options import AlignOptions
from .pair import loops
from .seeds import BOOK_TOKENS, MOST_EQUAL, MOST_SEEDS
from .side import Side
from .tokenized import TokenizedText


def worth_aligning(sides: Sequence[Side], pairs: I64, options: AlignOptions) -> tuple[Bools, Bools]:
    """Return which pairs may hold a passage that counts, and which one that words show, bool (m,).

    No pair that does is left out.

    Parameters
    ----------
    pairs : int64 (m, 2)
        Rows of `sides`.

    Notes
    -----
    Pays where the loops are compiled: a pair that shares nothing costs a third of its alignment.
    Pairs of one right text cost less where they follow each other.
    """
    texts = [one.text for one in sides]
    hopeful = _hopeful(texts, [one.factor for one in sides], pairs, _numbers(options))
    in_words = np.zeros(len(pairs), np.bool_)
    if options.words:
        with_words = np.array([one.words is not None for one in sides])
        rest = np.flatnonzero(with_words[pairs].all(axis=1))
        rows, local = np.unique(pairs[rest], return_inverse=True)
        chosen = [sides[row] for row in rows.tolist()]
        numbers = _numbers(options.in_words(frequencies=sides[0].factor is not None))
        numbers[screen.SHORT_RUN] = np.inf  # exact runs are the characters' to find
        in_words[rest] = _hopeful(
            [one.words for one in chosen if one.words is not None],
            [one.words_factor for one in chosen],
            local.reshape(-1, 2),
            numbers,
        )
    return hopeful, in_words


def _hopeful(
    texts: Sequence[TokenizedText], factors: Sequence[F64 | None], pairs: I64, numbers: F64
) -> Bools:
    if not len(pairs):
        return np.zeros(0, np.bool_)
    k, sizes = int(numbers[screen.GRAM]), [len(text) for text in texts]
    gram = [np.concatenate([grams_of(text.token, k), text.token[: k - 1]]) for text in texts]
    chosen: Bools = loops.hopeful_pairs(
        np.concatenate([text.feature for text in texts]),
        np.concatenate([text.token for text in texts]),
        np.concatenate(gram),
        np.concatenate(
            [
                np.ones(n) if factor is None else factor
                for n, factor in zip(sizes, factors, strict=True)
            ]
        ),
        np.concatenate([text.start for text in texts]),
        np.concatenate([text.end for text in texts]),
        np.concatenate([[0], np.cumsum(sizes)]),
        np.ascontiguousarray(pairs),
        numbers,
    )
    return chosen


def _numbers(options: AlignOptions) -> F64:
    """Return the settings of the alignment as `hopeful_pairs` reads them."""
    numbers = np.zeros(screen.COUNT)
    for place, value in (
        (screen.TOP_WEIGHT, options.top_weight),
        (screen.GRAM, options.gram),
        (screen.GRAM_REPEATS, options.gram_repeats),
        (screen.SHORT_RUN, options.short_run),
        (screen.SHORT_SHARE, SHORT_RUNS_SHARE),
        (screen.CHAIN_GAP, options.chain_gap),
        (screen.CHAIN_CHARS, options.chain_chars),
        (screen.CHAIN_DENSE, EXACT_DENSE),
        (screen.WINDOW, options.window),
        (screen.STEP, options.step),
        (screen.COSINE, options.cosine),
        (screen.SEEDS, MOST_SEEDS),
        (screen.WIDEN, options.widen),
        (screen.AHEAD, options.ahead),
        (screen.THETA, options.theta),
        (screen.GROWN, MOST_GROWN),
        (screen.LEAST_WEIGHT, options.least_weight),
        (screen.LEAST_DICE, options.least_dice),
        (screen.CLOSENESS, options.closeness),
        (screen.STRENGTH, options.strength),
        (screen.LEAST_CHARS, min(options.least_chars, options.least_exact_chars)),
        (screen.FEWEST, FEWEST_TOKENS),
        (screen.LONGEST, _longest(options)),
        (screen.ENDS, NEARLY_ALL),
        (screen.KEPT, KEPT_WEIGHT),
        (screen.SUMMARY_WORD, options.summary_word),
        (screen.SUMMARY_SCORE, options.summary_score),
        (screen.SUMMARY_RARE, min(options.summary_rare, options.summary_score)),
        (screen.SUMMARY_CHARS, summaries.LEAST_CHARS),
        (screen.SUMMARY_RATIO, summaries.LEAST_RATIO),
        (screen.SUMMARY_TOKENS, summaries.LEAST_RATIO * 20),
        (screen.HULL_WEIGHT, summaries.HULL_WEIGHT),
        (screen.HULL_PLACES, summaries.HULL_PLACES),
        (screen.SUMMARIES, summaries.MOST if options.summaries else 0),
    ):
        numbers[place] = value
    return numbers


def _longest(options: AlignOptions) -> float:
    """Return how many tokens a text may have whose windows lie `options.step` apart for certain."""
    return min(float(BOOK_TOKENS), math.sqrt(MOST_EQUAL) * options.step / options.window)
