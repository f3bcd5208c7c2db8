"""The settings of alignment, one frozen preset a language, and what the compiled loops are given.

The loops take settings as an array of numbers, and two texts as named arrays over one vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model import F64, I32, I64
from ..policy import MIN_RUN, SAMPLED_DICE, SAMPLED_WEIGHT, WORDS_STRENGTH, WORDS_STRENGTH_ALONE


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignOptions:
    """How two texts are aligned. Lengths are tokens unless they say characters.

    Tuned on four fifths of PAN 2013 (English) and of statutes with constructed edits (Chinese);
    most are flat over a wide range. `strength` is the one a user moves: a passage counts when
    ln(distinct shared weight) + `closeness` * dice reaches it, so short passages must be closer.
    """

    top_weight: float = 5.0  # of a word that occurs once; frequent words weigh less
    gram: int = 5  # shortest exact run
    gram_repeats: int = 4  # k-grams that occur more often in the other text start no run
    chain_gap: int = 15  # between runs of one exact chain
    chain_chars: int = 80  # shortest exact chain, characters
    window: int = 50  # seeds: overlapping windows ...
    step: int = 15
    cosine: float = 0.25  # ... at least this alike
    widen: int = 40  # a seed is enlarged by this on all sides before it grows
    ahead: int = 40  # look-ahead while growing
    theta: float = 0.30  # an unmatched word costs this share of its weight
    least_chars: int = 120  # shortest reworded passage, characters
    least_exact_chars: int = 80  # shortest passage that is mainly exact, characters
    least_weight: float = 15.0  # shared weight
    least_dice: float = 0.42
    closeness: float = 3.0
    strength: float = 5.4
    merge_gap: int = 100
    snap: int = 30  # borders move at most this far
    border_bonus: tuple[float, ...] = (0.0, 1.5, 2.0, 2.5, 3.0, 3.5)  # by border class
    verbatim_chars: int = 256  # an exact chain this long demotes loose findings; 0 = never
    verbatim_dice: float = 0.6
    summaries: bool = True
    summary_word: float = 1.5  # lighter words do not count in a summary
    summary_score: float = 9.0
    summary_rare: float = 7.0  # the same, counting only what is rare in the batch
    short_run: int = 8  # exact runs from here that are no passage are shown as weak
    words: bool = False  # look for free rewordings word by word as well

    @classmethod
    def for_language(
        cls,
        language: str,
        *,
        frequencies: bool,
        strength: float | None = None,
        min_run: int = MIN_RUN,
    ) -> AlignOptions:
        """Return the preset of `zh` or `en`.

        Parameters
        ----------
        frequencies
            Whether document frequencies of the batch are at hand: they take the weight off
            shared formulae, so the strength may be lower.
        strength
            Chosen by the user, instead of the preset's.
        min_run
            Shortest exact run worth showing, Han characters; words count 8/13 of it.
        """
        if language == "zh":
            options = _CHINESE
        else:
            options = cls()
            min_run = max(4, round(min_run * 8 / 13))
        return replace(
            options, strength=strength or _balanced(language, frequencies), short_run=min_run
        )

    def lowered(self) -> AlignOptions:
        """Return options that let weaker findings through, for a sample of unrelated pairs."""
        return replace(
            self,
            least_dice=min(SAMPLED_DICE, self.least_dice),
            least_weight=SAMPLED_WEIGHT * self.least_weight,
        )

    def in_words(self, *, frequencies: bool) -> AlignOptions:
        """Return the preset by which words of Chinese are compared, as strict as this one is.

        A strength that the user chose moves it by as much as it differs from the preset's.
        """
        moved = self.strength - _balanced("zh", frequencies)
        strength = (WORDS_STRENGTH if frequencies else WORDS_STRENGTH_ALONE) + moved
        return replace(_CHINESE_WORDS, strength=strength)


def _balanced(language: str, frequencies: bool) -> float:
    """Return the strength of a preset."""
    if language == "zh":
        return 6.2 if frequencies else 6.5
    return 5.4


_CHINESE = AlignOptions(
    top_weight=6.0,
    gram=8,
    chain_chars=40,
    window=120,
    step=30,
    cosine=0.18,
    widen=60,
    ahead=80,
    least_chars=60,
    least_exact_chars=50,
    least_weight=80.0,
    least_dice=0.45,
    closeness=2.0,
    strength=6.5,
    snap=40,
    border_bonus=(0.0, 1.0, 2.0, 4.0, 5.0, 5.0),
    verbatim_chars=0,
    summaries=False,
    short_run=13,
    words=True,
)

#: The English preset with the lengths of Chinese, and less weight on closeness: a free rewording
#: keeps a third of its words, over a long stretch. docs/calibration.md, "Rewording in Chinese"
_CHINESE_WORDS = AlignOptions(
    chain_chars=40,
    theta=0.22,
    least_chars=60,
    least_exact_chars=50,
    least_dice=0.34,
    closeness=1.0,
    verbatim_chars=0,
    summaries=False,
)


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


#: the settings that the loops read, in their order; behind them stand whether only seeds count, and
#: what a border of each class is worth
_READ = (
    *("top_weight", "gram", "gram_repeats", "short_run", "chain_gap", "chain_chars", "window"),
    *("step", "cosine", "widen", "ahead", "theta", "least_weight", "least_dice", "closeness"),
    *("strength", "least_chars", "least_exact_chars", "merge_gap", "snap", "verbatim_chars"),
    *("verbatim_dice", "summaries", "summary_word", "summary_score", "summary_rare"),
)


def numbers_of(options: AlignOptions, *, only_seeds: bool = False) -> F64:
    """Return the settings of the alignment as the loops read them, float64.

    Parameters
    ----------
    only_seeds
        Whether a passage begins where windows are alike or nowhere, and short runs are left out:
        what words show of texts whose characters are compared as well.
    """
    values = [float(getattr(options, name)) for name in _READ]
    if only_seeds:
        values[_READ.index("short_run")] = np.inf
    return np.array([*values, only_seeds, *options.border_bonus], np.float64)
