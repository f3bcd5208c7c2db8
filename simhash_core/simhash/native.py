"""The vote in C."""

from __future__ import annotations

from ..machine.native import BOOLS, I32, I64, INT, U64, procedure
from ..model import I32 as Ints
from ..model import I64 as Whole
from ..model import U64 as Words
from ..model import Bools

_vote = procedure("votes_vote", I64, I32, I64, U64, INT, INT, U64, BOOLS)


def vote(
    indptr: Whole, token: Ints, weights: Whole, hashes: Words, words: Words, valid: Bools
) -> None:
    """See `readable.vote`."""
    _vote(indptr, token, weights, hashes, *words.shape, words, valid)
