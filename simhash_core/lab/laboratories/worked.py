"""The worked examples of the sources, with hashes and weights as they are printed there.

Each is a lesson of its own: words with given hashes vote, given sums become signs, or given
fingerprints are compared. `solve_example` runs them through the same code as any text;
`expected` is what the source prints (or what its numbers give, where it misprints).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from ...result import BitExplanation
from ...simhash.explain import explain
from ...weighting.registry import SCALE


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of an example; distances are those of every pair of `fingerprints`, in order."""

    sums: tuple[float, ...] = ()
    fingerprints: tuple[str, ...] = ()
    distances: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """One worked example. `code` names its title and note in the catalogue domain `lab`.

    Exactly one of `words` (token, hash, weight), `sums` and `fingerprints` is given.
    """

    code: str
    source: str
    expected: Solution
    words: tuple[tuple[str, str, float], ...] = ()
    sums: tuple[float, ...] = ()
    fingerprints: tuple[str, ...] = ()
    texts: tuple[str, ...] = field(default=())  # what the fingerprints were made of, if known

    @property
    def bits(self) -> int:
        """Width of the fingerprints."""
        given = (
            self.words[0][1]
            if self.words
            else self.fingerprints[0]
            if self.fingerprints
            else self.sums
        )
        return len(given)


#: three sentences of a tutorial, as the 32-bit numbers that it prints
_SENTENCES = (
    "the cat sat on the mat",
    "the cat sat on a mat",
    "we all scream for ice cream",
)

EXAMPLES: tuple[Example, ...] = (
    Example(
        "csdn",
        "S0",
        Solution((9, -9, 1, -1, 1, 9), ("101011",)),
        words=(("CSDN", "100101", 4), ("博客", "101011", 5)),
    ),
    Example(
        "six_bits",
        "S0",
        Solution((), ("101011", "101000"), (2,)),
        fingerprints=("101011", "101000"),
    ),
    Example(
        "seven_bits",
        "S0",
        Solution((), ("1011101", "1001001"), (2,)),
        fingerprints=("1011101", "1001001"),
    ),
    Example(
        "five_bits", "S4", Solution((), ("10101", "00110"), (3,)), fingerprints=("10101", "00110")
    ),
    Example(
        "one_word",
        "S1",
        Solution((1, -1, -1, -1, -1, -1, 1, -1), ("10000010",)),
        words=(("w", "10000010", 1),),
    ),
    Example(
        "eight_sums",
        "S1",
        Solution((0.1, 0.1, 0.1, 0.1, -0.8, -0.3, 0.4, 0.5), ("11110011",)),
        sums=(0.1, 0.1, 0.1, 0.1, -0.8, -0.3, 0.4, 0.5),
    ),
    Example(
        "cat_mat",
        "S0",
        Solution(
            (),
            (
                "00110010110000000011110001111110",
                "00110010100000000011100001111000",
                "00111010101101010110101110011000",
            ),
            (4, 16, 12),
        ),
        fingerprints=tuple(f"{value:032b}" for value in (851459198, 847263864, 984968088)),
        texts=_SENTENCES,
    ),
)


def example_votes(example: Example) -> BitExplanation:
    """Return the votes of an example whose words or sums are given.

    Raises
    ------
    ValueError
        The example gives finished fingerprints: there is nothing to vote on.
    """
    if example.words:
        tokens = [word for word, _, _ in example.words]
        hashes = np.array([[int(bits, 2)] for _, bits, _ in example.words], np.uint64)
        weights = np.array([round(w * SCALE) for _, _, w in example.words], np.int64)
        counts = np.ones(len(tokens), np.int32)
        return explain(tokens, counts, weights, hashes, bits=example.bits)
    if not example.sums:
        raise ValueError(f"example {example.code} has no votes")
    sums = np.array([round(value * SCALE) for value in example.sums], np.int64)
    none = np.zeros(0, np.int64)
    heaviest = max(int(np.abs(sums).max()), 1)
    votes = np.zeros((0, len(sums)), np.int64)
    margin = np.abs(sums) / heaviest
    return BitExplanation((), none.astype(np.int32), none, votes, sums, margin, sums > 0)


def solve_example(example: Example) -> Solution:
    """Compute an example."""
    if example.fingerprints:
        numbers = [int(bits, 2) for bits in example.fingerprints]
        distances = tuple((a ^ b).bit_count() for a, b in combinations(numbers, 2))
        return Solution((), example.fingerprints, distances)
    why = example_votes(example)
    sums = tuple(round(float(value) / SCALE, 4) for value in why.sums)
    return Solution(sums, ("".join("1" if bit else "0" for bit in why.bits),))
