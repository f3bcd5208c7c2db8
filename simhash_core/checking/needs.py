"""What a batch takes in memory: what there is of it, and what of that may stay there."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from ..model import Document
from ..text.characters import HAN

_HAN = re.compile(f"[{HAN}]")
SAMPLED, SAMPLE = 500, 400  # documents looked at, and characters of each

# measured by benchmarks/memory.py and by the sizes of the arrays, bytes
MAIN = 230e6  # of the checking process: interpreter, libraries, machine code, answers of workers
WORKER, WORKER_PASSAGES = 240e6, 380e6  # dictionaries and caches of words among it
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
    tokens: float
    counts: float

    @classmethod
    def of(cls, documents: Sequence[Document]) -> Contents:
        """Look at a batch. Cost: the same for every large one, but for the sum of lengths."""
        texts = [document.text for document in documents]
        characters = sum(map(len, texts))
        sampled = [text[:SAMPLE] for text in texts[:: max(1, len(texts) // SAMPLED)]]
        han = sum(len(_HAN.findall(text)) for text in sampled) / max(1, sum(map(len, sampled)))
        return cls(
            len(texts),
            characters,
            sum(map(sys.getsizeof, texts)),
            characters * (0.165 + 0.84 * han),
            characters * (0.085 + 0.13 * han),
        )

    @property
    def least(self) -> float:
        """Bytes that the checking process holds whatever lies on disk, with passages."""
        joined = max(COUNT * self.counts, CANDIDATE * self.tokens)
        return MAIN + self.text_bytes + DOCUMENT * self.documents + joined

    @property
    def tokenized(self) -> float:
        """Bytes of all tokens with their places."""
        return TOKEN * self.tokens + RECORD * self.documents


def room_for_tokens(documents: Sequence[Document], *, budget: int, workers: int) -> int | None:
    """Return the bytes of tokens that may stay in memory within a budget, None for all.

    The budget is that of this process and of its workers together.
    """
    contents = Contents.of(documents)
    room = budget - workers * WORKER_PASSAGES - contents.least
    if contents.tokenized + SIDE * contents.tokens <= room:
        return None
    return max(0, int(room))
