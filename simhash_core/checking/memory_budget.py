"""How many bytes of a check's tokens may stay in memory, within a budget for all its processes."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from ..model import Document
from ..text.characters import HAN

_HAN = re.compile(f"[{HAN}]")
SAMPLED, SAMPLE = 500, 400  # documents looked at, and characters of each

# measured by benchmarks/memory.py of 4a9efa0e and by the sizes of the arrays, bytes
PROCESS = 90e6  # of the checking process: interpreter, libraries
ANSWERS = 140e6  # of it: machine code, answers of workers on their way
WORKER = 340e6  # dictionaries and caches of words among it
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
    def texts(self) -> float:
        """Bytes of all documents."""
        return self.text_bytes + DOCUMENT * self.documents

    @property
    def joined(self) -> float:
        """Bytes for a while, whatever lies on disk: counts joined, or candidates looked for."""
        distinct_words = self.characters * (0.085 + 0.13 * self.han)  # of every document, added up
        return max(COUNT * distinct_words, CANDIDATE * self.tokens)

    @property
    def tokenized(self) -> float:
        """Bytes of all tokens with their places."""
        return TOKEN * self.tokens + RECORD * self.documents


def room_for_tokens(documents: Sequence[Document], *, budget: int, workers: int) -> int | None:
    """Return the bytes of tokens that may stay in memory within a budget, None for all.

    The budget is that of this process and of its workers together.
    """
    batch = Contents.of(documents)
    room = budget - (PROCESS + ANSWERS + batch.texts + batch.joined + workers * WORKER)
    if batch.tokenized + SIDE * batch.tokens <= room:
        return None
    return max(0, int(room))
