"""Small texts for libraries."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from simhash_core import Document
from simhash_core.library.index import LibraryIndex
from simhash_core.model import U64
from simhash_core.settings import Settings
from simhash_core.storage.library import Counts, Library, Prepared, prepare


@dataclass(frozen=True)
class Given(Prepared):
    """A text as it goes in, and what it was made of."""

    document: Document
    fingerprint: U64
    counted: Counts


def text(words: str, *, name: str = "a.txt", **meta: str) -> Given:
    """Return a text with counts and a fingerprint of some kind."""
    tokens = sorted(set(words.split()))
    counts = Counts(tokens, np.array([words.split().count(token) for token in tokens], np.int32))
    seed = hashlib.sha256(words.encode("utf-8", "surrogatepass")).digest()
    document = Document.from_text(words, name=name, **meta)
    fingerprint = np.frombuffer(seed[:16], np.uint64).copy()
    made = prepare(document, fingerprint, counts, "en")
    return Given(*(getattr(made, one.name) for one in fields(made)), document, fingerprint, counts)


def texts(count: int, *, seed: int = 0, words: int = 60) -> list[Given]:
    """Return many different texts."""
    dice = random.Random(seed)
    return [
        text(
            " ".join(f"w{dice.randrange(5000)}" for _ in range(words)) + f" {seed}-{n}",
            name=f"{n:04d}.txt",
            author=f"作者{n % 7}",
        )
        for n in range(count)
    ]


def opened_index(
    library: Library, *, settings: Settings | None = None, folder: Path | None = None
) -> LibraryIndex:
    """Return the index of a library, brought up to date."""
    index = LibraryIndex(library, settings=settings or Settings(), folder=folder)
    index.refresh()
    return index
