"""lyq's Java tool: text that ICTCLAS has segmented as `word/tag`, BKDR hashes, a share of bits.

Kept with every quirk, because its published similarities (0.75 and 0.875 for three news texts
that have nothing to do with each other) follow from them:

- lines are joined without a space, so the last word of a line and the first of the next are one
  piece;
- a word votes once an occurrence with its frequency as weight: its weight is the *square* of its
  count;
- pieces whose text contains `wn` or `wd` are not counted (meant: the tags of 、 and ，; any Latin
  word with these letters goes too), all other punctuation stays;
- pieces without a tag are skipped but stay in the denominator of the frequency;
- BKDR with seed 31 leaves words of one or two characters below 2^20: the first 11 or 12 bits are
  0 in every text;
- the threshold of half the bits is chance level.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from ....errors import BadInput
from .foreign_hashes import BKDR_SEEDS, java_bkdr
from .profile import Profile, vote

WIDTHS = (8, 16, 32, 64)
_LEFT_OUT = ("wn", "wd")


@dataclass(frozen=True, slots=True)
class Pieces:
    """What one text comes to before it votes."""

    pieces: int
    dropped: int
    words: Counter[str]  # counted occurrences
    voting: Counter[str]  # occurrences of counted words, dropped ones included


def read_pieces(text: str) -> Pieces:
    """Split pre-segmented text as the tool does."""
    parts = "".join(text.splitlines()).split(" ")
    while len(parts) > 1 and not parts[-1]:
        parts.pop()  # Java drops empty pieces at the end alone
    tagged = [part for part in parts if "/" in part]
    counted = [part for part in tagged if not any(mark in part for mark in _LEFT_OUT)]
    words = Counter(map(_word, counted))
    voting = Counter(word for word in map(_word, tagged) if word in words)
    return Pieces(len(parts), len(tagged) - len(counted), words, voting)


def lyq(*, bits: int = 32, seed: int = 31, support: float = 0.5) -> Profile:
    """Return the tool's profile with its three parameters.

    Raises
    ------
    BadInput
        Code `profile_parameter`: a width, seed or support that the tool does not have.
    """
    for name, value, good in (
        ("bits", bits, bits in WIDTHS),
        ("seed", seed, seed in BKDR_SEEDS),
        ("support", support, 0 <= support < 1),
    ):
        if not good:
            raise BadInput("profile_parameter", name=name, value=value)

    def fingerprint(text: str) -> int | None:
        read = read_pieces(text)
        # frequency times occurrences, both over one denominator: integers decide the same signs
        return vote(
            (
                (java_bkdr(word, seed=seed, bits=bits), read.words[word] * count)
                for word, count in read.voting.items()
            ),
            bits,
        )

    # similar iff equal bits > bits * support
    k = math.ceil(bits * (1 - support)) - 1
    quirks = ("squared", "joined_lines", "wn_wd", "chance_threshold", "short_hashes")
    return Profile("lyq", "lyq, SimHash in Java", bits, k, fingerprint, quirks)


def similarity(a: int, b: int, bits: int) -> float:
    """Return the share of equal bits: 0.5 for unrelated texts, so shown nowhere else."""
    return (bits - (a ^ b).bit_count()) / bits


def _word(piece: str) -> str:
    return piece.partition("/")[0]


LYQ = lyq()
