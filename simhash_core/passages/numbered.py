"""Two texts as the compiled loops take them, and the settings of an alignment as numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model import F64, I32, I64
from .options import AlignOptions


class Numbered(NamedTuple):
    """Two texts over one local vocabulary.

    Attributes
    ----------
    local_a, local_b : int32 (na,), (nb,)
        Features numbered 0, 1, ...
    weight, plain : float64 (distinct,)
        Weight of each feature with and without the document frequencies of the batch.
    mean : float
        Mean weight of a token of either text: the unit of distances in score.
    token_a to border_b
        Columns of `TokenizedText`.
    """

    local_a: I32
    local_b: I32
    weight: F64
    plain: F64
    mean: float
    token_a: I64
    token_b: I64
    start_a: I32
    start_b: I32
    end_a: I32
    end_b: I32
    border_a: NDArray[np.uint8]
    border_b: NDArray[np.uint8]


class Texts(NamedTuple):
    """Columns of many texts, one text after the other.

    Attributes
    ----------
    feature, token, start, end
        Columns of `TokenizedText`.
    gram : int64
        Hashes of `gram` tokens; the last `gram` - 1 of each text are unused.
    factor : float64
        What multiplies the weight of each token.
    border : uint8
        One more for each text than it has tokens.
    offset, chars : int64 (texts + 1,), (texts,)
        Text i is [offset[i], offset[i + 1]) and has so many comparable characters.
    """

    feature: I32
    token: I64
    gram: I64
    factor: F64
    start: I32
    end: I32
    border: NDArray[np.uint8]
    offset: I64
    chars: I64


#: places of the settings in a row of numbers
(
    TOP_WEIGHT,
    GRAM,
    GRAM_REPEATS,
    SHORT_RUN,
    CHAIN_GAP,
    CHAIN_CHARS,
    WINDOW,
    STEP,
    COSINE,
    WIDEN,
    AHEAD,
    THETA,
    LEAST_WEIGHT,
    LEAST_DICE,
    CLOSENESS,
    STRENGTH,
    LEAST_CHARS,
    LEAST_EXACT_CHARS,
    MERGE_GAP,
    SNAP,
    VERBATIM_CHARS,
    VERBATIM_DICE,
    SUMMARIES,
    SUMMARY_WORD,
    SUMMARY_SCORE,
    SUMMARY_RARE,
    ONLY_SEEDS,
    BONUS,  # the first of those of the border classes
) = range(28)


def numbers_of(options: AlignOptions, *, only_seeds: bool = False) -> F64:
    """Return the settings of the alignment as the loops read them.

    Parameters
    ----------
    only_seeds
        Whether a passage begins where windows are alike or nowhere, and short runs are left out:
        what words show of texts whose characters are compared as well.
    """
    numbers = np.zeros(BONUS + len(options.border_bonus))
    for place, value in (
        (TOP_WEIGHT, options.top_weight),
        (GRAM, options.gram),
        (GRAM_REPEATS, options.gram_repeats),
        (SHORT_RUN, np.inf if only_seeds else options.short_run),
        (CHAIN_GAP, options.chain_gap),
        (CHAIN_CHARS, options.chain_chars),
        (WINDOW, options.window),
        (STEP, options.step),
        (COSINE, options.cosine),
        (WIDEN, options.widen),
        (AHEAD, options.ahead),
        (THETA, options.theta),
        (LEAST_WEIGHT, options.least_weight),
        (LEAST_DICE, options.least_dice),
        (CLOSENESS, options.closeness),
        (STRENGTH, options.strength),
        (LEAST_CHARS, options.least_chars),
        (LEAST_EXACT_CHARS, options.least_exact_chars),
        (MERGE_GAP, options.merge_gap),
        (SNAP, options.snap),
        (VERBATIM_CHARS, options.verbatim_chars),
        (VERBATIM_DICE, options.verbatim_dice),
        (SUMMARIES, options.summaries),
        (SUMMARY_WORD, options.summary_word),
        (SUMMARY_SCORE, options.summary_score),
        (SUMMARY_RARE, options.summary_rare),
        (ONLY_SEEDS, only_seeds),
    ):
        numbers[place] = value
    numbers[BONUS:] = options.border_bonus
    return numbers
