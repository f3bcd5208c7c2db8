"""Places of the settings of the alignment in the row of numbers that the loops read."""

from __future__ import annotations

from simhash_core.passages.options import _READ

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
    BONUS,
) = range(28)
assert [globals()[name.upper()] for name in _READ] == list(range(len(_READ)))
