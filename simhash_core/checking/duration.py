"""How long a check will take, before it starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..compiled import prepare
from ..model import Document
from ..passages.pair import ALIGN_TOKEN, ALIGN_TOKEN_COMPILED, TWINS
from ..policy import AFFORDABLE_TOKENS
from ..settings import Settings
from ..workers import shared_pool
from .aligning import CHUNK_TOKENS, INLINE_TOKENS
from .tokenizing import CHUNK_CHARACTERS
from .translating import translation_cost

__all__ = ["Estimate", "estimate", "prepare"]

# measured by benchmarks/first_check.py, seconds on one core
START = 0.3  # dictionaries, arrays and messages, however small the batch is
CHARACTER = 1e-6  # normalised, split into words, hashed, viewed
TOKENS = 0.4  # of a character: English has 0.2, Chinese 0.43


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a check is expected to take, in seconds.

    `preparation` comes before it, once on this computer, where the check waits for compiled
    kernels; else 0.
    """

    seconds: float
    preparation: float

    @property
    def total(self) -> float:
        """Seconds from start to result."""
        return self.seconds + self.preparation


def estimate(
    documents: Sequence[Document],
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
    against: Sequence[Document] = (),
) -> Estimate:
    """Estimate a check of documents that have been read, from their sizes alone.

    Notes
    -----
    The alignment takes most of the time: all pairs up to `AFFORDABLE_TOKENS`, and in a larger
    batch about as many. Which loops will do it, and whether they have to be prepared, is decided
    as the check itself will decide it.
    """
    fresh, old = (sum(len(one.text) for one in part) for part in (documents, against))
    workers = shared_pool().workers
    sharing = workers if fresh + old > 2 * CHUNK_CHARACTERS else 1
    reading = START + CHARACTER * (fresh + old) / sharing
    if settings.translated:
        reading += translation_cost(documents, against).seconds
    if not settings.passages:
        return Estimate(reading, 0.0)
    among, n = len(documents) - 1, len(documents)
    tokens = min(TOKENS * (fresh * (among + len(against)) + old * n), AFFORDABLE_TOKENS)
    inline = tokens <= CHUNK_TOKENS and TOKENS * (fresh + old) < INLINE_TOKENS
    work, preparation = TWINS.expected(
        readable=ALIGN_TOKEN * tokens / workers,
        compiled=ALIGN_TOKEN_COMPILED * tokens / (1 if inline else workers),
    )
    return Estimate(reading + work, preparation)
