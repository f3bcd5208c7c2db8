"""How long a check will take and how much memory, before it starts."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ..folders import cache_folder
from ..machine.memory import budget, resident
from ..machine.workers import shared_pool
from ..meaning.search import meaning_seconds
from ..meaning.vectors import wants_meaning
from ..model import Document
from ..policy import AFFORDABLE_TOKENS, BATCH_FROM, SAMPLED_PAIRS, SAMPLED_TOKENS
from ..settings import Settings
from ..text.characters import HAN
from ..translations.search import translation_cost
from . import word_tables
from .aligning import CHUNK_TOKENS, INLINE_TOKENS
from .tokenizing import CHUNK_CHARACTERS

# measured by benchmarks/first_check.py of 4a9efa0e, seconds on one core
START = 0.3  # dictionaries, arrays and messages, however small the batch is
CHARACTER = 1e-6  # normalised, split into words, hashed, viewed


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a check is expected to take: seconds, and bytes of memory with all its workers.

    `table` is the part of `seconds` that makes the table of the dictionary, once on this computer.
    `run` is the check without what this machine has taught: `seconds` and `memory` of it are those
    expected without that.
    """

    seconds: float
    memory: float
    run: Run
    table: float = 0.0


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
    batch about as many.
    """
    new, old = Contents.of(documents), Contents.of(against)
    every = Contents.of([*documents, *against])
    workers = shared_pool().workers
    sharing = workers if every.characters > 2 * CHUNK_CHARACTERS else 1
    seconds = START + CHARACTER * every.characters / sharing
    if settings.passages:
        pairs = new.tokens * (new.documents - 1 + old.documents) + old.tokens * new.documents
        tokens = min(pairs, AFFORDABLE_TOKENS) + _sampled(every, pairs)
        inline = tokens <= CHUNK_TOKENS and every.tokens < INLINE_TOKENS
        seconds += 3e-7 * tokens / (1 if inline else workers)
    if wants_meaning(settings):
        seconds += meaning_seconds(documents, against)
    busy = sharing > 1 or (settings.passages and every.tokens >= INLINE_TOKENS)
    memory = expected_bytes(
        every, passages=settings.passages, workers=workers, busy=busy, budget=budget()
    )
    run = Run(settings.passages, every.characters, every.han, seconds, memory)
    slower, larger = factors(run, earlier_runs())
    table = word_tables.SECONDS["concepts"] if _table_missing(every, settings) else 0.0
    # the cost of translations, where there are any, counts the table too
    translating = translation_cost(documents, against).seconds if settings.translated else 0.0
    more = max(table, translating)
    return Estimate(slower * seconds + more, larger * memory, run, table)


def _sampled(batch: Contents, pairs: float) -> float:
    """Return the tokens of the pairs that are aligned to see what chance gives."""
    if batch.documents < BATCH_FROM:
        return 0.0
    sample = SAMPLED_PAIRS * 2 * batch.tokens / batch.documents
    return min(pairs, sample, SAMPLED_TOKENS)


def _table_missing(batch: Contents, settings: Settings) -> bool:
    """Return whether the table of what words mean is to be made first."""
    wanted = settings.passages and settings.dictionary != "off" and batch.han > 0
    return wanted and "concepts" in word_tables.missing()


@contextlib.contextmanager
def learning(expected: Estimate, *, settings: Settings) -> Iterator[None]:
    """Remember what the check in this block takes, for the estimates of later ones.

    Not of one that is stopped, that makes what is made once, or that does other work too.
    """
    with watched() as watch:
        yield
    if expected.table or settings.translated or watch.seconds < LEAST_SECONDS:
        return
    run = expected.run
    seconds, memory = watch.seconds / run.seconds, watch.peak / run.memory
    remember(Run(run.passages, run.characters, run.han, seconds, memory))


# --------------------------------------------------------------------------- earlier checks

FILE = "rates.json"
MOST_RUNS = 60  # older ones ran on other versions
LEAST_SECONDS = 0.2  # of a run that says something
WIDEST = 20.0  # times more or less than expected: what is beyond it says nothing
TRUST = 0.25  # weight of the expectation itself, beside runs of weight 1 for the same batch
FADING = 0.8  # weight of a run for each later one: the machine, or the program, may have changed
TICK = 0.1  # seconds between two looks at the memory


@dataclass(frozen=True, slots=True)
class Run:
    """A check: what it was, and how many times what was expected it took."""

    passages: bool
    characters: int
    han: float  # share of the characters
    seconds: float
    memory: float

    def weight(self, other: Run) -> float:
        """Return how much another run says about this one, up to 1: less, the less alike."""
        if self.passages != other.passages:
            return 0.0
        sizes = abs(math.log(max(1, self.characters) / max(1, other.characters)))
        return math.exp(-sizes - 3 * abs(self.han - other.han))


def factors(wanted: Run, runs: Sequence[Run]) -> tuple[float, float]:
    """Return by what the expected seconds and bytes of a run are multiplied.

    The geometric mean of what earlier runs took, weighed by how alike they are and how recent;
    of runs that say the same the latest five count for most of it.
    """
    ratios = []
    for name in ("seconds", "memory"):
        total, weights, fresh = 0.0, TRUST, 1.0
        for run in reversed(runs):
            ratio = getattr(run, name)
            if math.isfinite(ratio) and ratio > 0:
                weight = fresh * wanted.weight(run)
                total += weight * math.log(min(max(ratio, 1 / WIDEST), WIDEST))
                weights += weight
                fresh *= 1 - (1 - FADING) * wanted.weight(run)
        ratios.append(math.exp(total / weights))
    return ratios[0], ratios[1]


def earlier_runs() -> list[Run]:
    """Return what is remembered, the oldest first; nothing where it cannot be read."""
    with contextlib.suppress(OSError, ValueError, TypeError):
        runs = [Run(**row) for row in json.loads(_file().read_text("utf-8"))]
        return [run for run in runs if all(map(math.isfinite, asdict(run).values()))]
    return []


def remember(run: Run) -> None:
    """Add a run to what is remembered; a cache that cannot be written stays as it is."""
    with _remembering, contextlib.suppress(OSError):
        rows = [asdict(one) for one in [*earlier_runs(), run][-MOST_RUNS:]]
        fresh = _file().with_name(f"{FILE}.{os.getpid()}")
        fresh.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(json.dumps(rows), "utf-8")
        fresh.replace(_file())


@dataclass(slots=True)
class Watch:
    """Seconds and peak of what runs in a `watched` block, filled in at its end."""

    seconds: float = 0.0
    peak: int = 0  # bytes


@contextlib.contextmanager
def watched() -> Iterator[Watch]:
    """Watch the clock, and the memory of this process and of its workers."""
    watch, ended, start = Watch(), threading.Event(), time.perf_counter()

    def look() -> None:
        while True:
            watch.peak = max(watch.peak, resident([os.getpid(), *shared_pool().processes]))
            if ended.wait(TICK):
                return

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        ended.set()
        thread.join()
        watch.seconds = time.perf_counter() - start


_remembering = threading.Lock()


def _file() -> Path:
    return cache_folder() / FILE


# --------------------------------------------------------------------------- memory

_HAN = re.compile(f"[{HAN}]")
SAMPLED, SAMPLE = 500, 400  # documents looked at, and characters of each

# measured by benchmarks/memory.py of 4a9efa0e and by the sizes of the arrays, bytes
PROCESS = 90e6  # of the checking process: interpreter, libraries
ANSWERS = 140e6  # of it: machine code, answers of workers on their way
WORKER, WORKER_PASSAGES = 230e6, 340e6  # dictionaries and caches of words among it
IDLE = 90e6  # of a worker that has only read files
DOCUMENT = 1_600  # beside its text: names, notes, rows of tables
RECORD = 1_700  # arrays of one document beside what they hold
TOKEN, SIDE = 42, 75  # a token with its place; what is made of it for the alignment
COUNT = 28  # a distinct word of a document, while the counts of all are joined
CANDIDATE = 26  # a token of one language while texts that share rare words are looked for


@dataclass(frozen=True, slots=True)
class Contents:
    """What a batch holds: documents, characters, bytes of their texts, tokens, distinct words.

    Tokens and words are estimated from the share of Han, which is counted in a sample.
    """

    documents: int
    characters: int
    text_bytes: int
    han: float

    @classmethod
    def of(cls, documents: Sequence[Document]) -> Contents:
        """Look at a batch. Cost: the same for every large one, but for the sum of lengths."""
        texts = [document.text for document in documents]
        sampled = [text[:SAMPLE] for text in texts[:: max(1, len(texts) // SAMPLED)]]
        han = sum(len(_HAN.findall(text)) for text in sampled) / max(1, sum(map(len, sampled)))
        return cls(len(texts), sum(map(len, texts)), sum(map(sys.getsizeof, texts)), han)

    @property
    def tokens(self) -> float:
        """Han characters, and words of other scripts."""
        return self.characters * (0.165 + 0.84 * self.han)

    @property
    def counts(self) -> float:
        """Distinct words of every document, added up."""
        return self.characters * (0.085 + 0.13 * self.han)

    @property
    def texts(self) -> float:
        """Bytes of all documents."""
        return self.text_bytes + DOCUMENT * self.documents

    @property
    def joined(self) -> float:
        """Bytes for a while, whatever lies on disk: counts joined, or candidates looked for."""
        return max(COUNT * self.counts, CANDIDATE * self.tokens)

    @property
    def tokenized(self) -> float:
        """Bytes of all tokens with their places."""
        return TOKEN * self.tokens + RECORD * self.documents


def room_for_tokens(documents: Sequence[Document], *, budget: int, workers: int) -> int | None:
    """Return the bytes of tokens that may stay in memory within a budget, None for all.

    The budget is that of this process and of its workers together.
    """
    batch = Contents.of(documents)
    least = PROCESS + ANSWERS + batch.texts + batch.joined + workers * WORKER_PASSAGES
    room = budget - least
    if batch.tokenized + SIDE * batch.tokens <= room:
        return None
    return max(0, int(room))


def expected_bytes(
    batch: Contents, *, passages: bool, workers: int, busy: bool, budget: int
) -> float:
    """Return what this process and its workers are expected to hold at the peak of a check.

    `batch` has been read: this process is taken as it is now. `busy`:
    whether there is enough to do for the workers.
    """
    now = resident([os.getpid()])
    added, worker = COUNT * batch.counts, WORKER
    if passages:
        added = max(batch.joined, SIDE * batch.tokens) + batch.tokenized
        worker = WORKER_PASSAGES
    worker = worker if busy else IDLE
    whole = now + ANSWERS + added + workers * worker
    return min(whole, max(budget, now + ANSWERS + batch.joined + workers * worker))


def rounded_size(size: float) -> str:
    """Return a size as an estimate is given, with two digits.

    >>> rounded_size(1.36e9), rounded_size(347e6)
    ('1.3 GB', '330 MB')
    """
    megabytes = float(f"{size / 2**20:.2g}")
    return f"{megabytes:.0f} MB" if megabytes < 1000 else f"{size / 2**30:.1f} GB"
