"""What a batch takes in memory: what there is of it, and what of that may stay there."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from ..memory import resident
from ..model import Document
from ..text.characters import HAN

_HAN = re.compile(f"[{HAN}]")
SAMPLED, SAMPLE = 500, 400  # documents looked at, and characters of each

# measured by benchmarks/memory.py and by the sizes of the arrays, bytes
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
