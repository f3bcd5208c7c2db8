"""How long a check will take and how much memory, before it starts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..compiled import ROOMS, prepare, ready
from ..memory import budget
from ..model import Document
from ..passages.twins import ALIGN_TOKEN, ALIGN_TOKEN_COMPILED, TWINS
from ..policy import AFFORDABLE_TOKENS, BATCH_FROM, SAMPLED_PAIRS, SAMPLED_TOKENS
from ..settings import Settings
from ..text import dictionary
from ..workers import shared_pool
from .aligning import CHUNK_TOKENS, INLINE_TOKENS
from .needs import Contents, expected_bytes
from .rates import LEAST_SECONDS, Run, earlier_runs, factors, remember, watched
from .tokenizing import CHUNK_CHARACTERS
from .translating import translation_cost

__all__ = ["Estimate", "estimate", "learning", "prepare"]

# measured by benchmarks/first_check.py, seconds on one core
START = 0.3  # dictionaries, arrays and messages, however small the batch is
CHARACTER = 1e-6  # normalised, split into words, hashed, viewed


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a check is expected to take: seconds, and bytes of memory with all its workers.

    `preparation` comes before it, once on this computer, where the check waits for compiled
    kernels; else 0. `table` is the part of `seconds` that makes the table of the dictionary, once
    as well. `run` is the check without what this machine has taught: `seconds` and
    `memory` of it are those expected without that.
    """

    seconds: float
    preparation: float
    memory: float
    run: Run
    table: float = 0.0

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
    """Estimate a check of documents that have been read, from sizes and earlier checks here.

    Notes
    -----
    What similar checks took on this machine (`learning`) corrects what follows from the sizes.
    The alignment takes most of the time: all pairs up to `AFFORDABLE_TOKENS`, and in a larger
    batch about as many. Which loops will do it, and whether they have to be prepared, is decided
    as the check itself will decide it.
    """
    new, old = Contents.of(documents), Contents.of(against)
    every = Contents.of([*documents, *against])
    workers = shared_pool().workers
    sharing = workers if every.characters > 2 * CHUNK_CHARACTERS else 1
    seconds, preparation = START + CHARACTER * every.characters / sharing, 0.0
    if settings.passages:
        pairs = new.tokens * (new.documents - 1 + old.documents) + old.tokens * new.documents
        tokens = min(pairs, AFFORDABLE_TOKENS) + _sampled(every, pairs)
        inline = tokens <= CHUNK_TOKENS and every.tokens < INLINE_TOKENS
        work, preparation = TWINS.expected(
            readable=ALIGN_TOKEN * tokens / workers,
            compiled=ALIGN_TOKEN_COMPILED * tokens / (1 if inline else workers),
        )
        seconds += work
    busy = sharing > 1 or (settings.passages and every.tokens >= INLINE_TOKENS)
    memory = expected_bytes(
        every, passages=settings.passages, workers=workers, busy=busy, budget=budget()
    )
    run = Run(settings.passages, every.characters, every.han, seconds, memory)
    slower, larger = factors(run, earlier_runs())
    table = dictionary.MAKE_SECONDS if _table_missing(every, settings) else 0.0
    # the cost of translations, where there are any, counts the table too
    translating = translation_cost(documents, against).seconds if settings.translated else 0.0
    more = max(table, translating)
    return Estimate(slower * seconds + more, preparation, larger * memory, run, table)


def _sampled(batch: Contents, pairs: float) -> float:
    """Return the tokens of the pairs that are aligned to see what chance gives."""
    if batch.documents < BATCH_FROM:
        return 0.0
    sample = SAMPLED_PAIRS * 2 * batch.tokens / batch.documents
    return min(pairs, sample, SAMPLED_TOKENS)


def _table_missing(batch: Contents, settings: Settings) -> bool:
    """Return whether the table of the dictionary is to be made first."""
    wanted = settings.passages and settings.dictionary != "off" and batch.han > 0
    return wanted and dictionary.data_file() is not None and not dictionary.is_made()


@contextlib.contextmanager
def learning(expected: Estimate, *, settings: Settings) -> Iterator[None]:
    """Remember what the check in this block takes, for the estimates of later ones.

    Not of one that is stopped, that makes what is made once, or that does other work too.
    """
    before = _prepared()
    with watched() as watch:
        yield
    if (
        expected.preparation
        or _prepared() != before
        or settings.translated
        or watch.seconds < LEAST_SECONDS
    ):
        return
    run = expected.run
    seconds, memory = watch.seconds / run.seconds, watch.peak / run.memory
    remember(Run(run.passages, run.characters, run.han, seconds, memory))


def _prepared() -> set[str]:
    """Return what is ready of what is made once on a computer: kernels, and the dictionary."""
    made = {room for room in ROOMS if ready(room)}
    return made | {dictionary.STAGE} if dictionary.is_made() else made
