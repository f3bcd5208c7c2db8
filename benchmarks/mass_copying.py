"""One paragraph handed in by many: pairs found by a check, and by the aligner given the pairs.

Unrelated texts get the same paragraph of a further text, each in its own edited form: words are
deleted or replaced with a given probability, then words within every three are shuffled. Chinese
texts are cut into words as a check cuts them, their paragraph is as long in words.

    python -m benchmarks mass_copying --texts FOLDER [--texts-in-batch 100] [--seed 1]
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

from benchmarks._shared import needs
from simhash_core import check
from simhash_core.lab.measurements.pan import tokenized_as_in_check
from simhash_core.model import Document
from simhash_core.passages.align import align_many
from simhash_core.passages.options import AlignOptions
from simhash_core.passages.tokenized import language_of
from simhash_core.result import CheckResult
from simhash_core.text.tokenize import tokenizer

PARAGRAPH_WORDS = 150
TEXT_WORDS = (400, 3000)
HAN = re.compile("([\u4e00-\u9fd5]+)")
PIECE = re.compile(r"\S+\s*|\s+")
COPIERS, RATES = (12, 20), (0.0, 0.2, 0.35, 0.5)


def words_of(text: str) -> list[str]:
    """Cut a text into pieces that joined again are the text: words with what follows them."""
    pieces: list[str] = []
    for piece in HAN.split(text):
        if HAN.fullmatch(piece):
            pieces += tokenizer().segment(piece)
        else:
            pieces += PIECE.findall(piece)
    return pieces


def edited(words: list[str], rate: float, others: list[str], rng: random.Random) -> list[str]:
    """Delete or replace words with probability `rate`, then shuffle every three."""
    copied: list[str] = []
    for word in words:
        if rng.random() >= rate:
            copied.append(word)
        elif rng.random() < 0.5:
            copied.append(rng.choice(others))
    if rate == 0:
        return copied
    for low in range(0, len(copied), 3):
        part = copied[low : low + 3]
        rng.shuffle(part)
        copied[low : low + 3] = part
    return copied


def batch(texts: list[str], copiers: int, rate: float, rng: random.Random) -> list[Document]:
    """Plant one paragraph of the last text into the first `copiers` of the others."""
    source = words_of(texts[-1])
    start = rng.randrange(max(1, len(source) - PARAGRAPH_WORDS))
    paragraph = source[start : start + PARAGRAPH_WORDS]
    others = [word for text in texts[:20] for word in words_of(text)]
    documents = []
    for row, text in enumerate(texts[:-1]):
        if row < copiers:
            words = words_of(text)
            at = rng.randrange(len(words))
            copy = edited(paragraph, rate, others, rng)
            text = "".join([*words[:at], *copy, *words[at:]])
        digest = hashlib.sha256(text.encode()).hexdigest()
        documents.append(Document(digest, f"{row}.txt", text))
    return documents


def in_check(result: CheckResult, copiers: int) -> int:
    """Return how many pairs of copiers the check lists with a passage."""
    table = result.table
    planted = (table.pairs.left < copiers) & (table.pairs.right < copiers)
    return int(np.count_nonzero(planted & (table.passages > 0)))


def in_alignment(result: CheckResult, copiers: int) -> int:
    """Return how many of them the aligner finds by the same statistics."""
    texts = [one.text for one in result.documents[:copiers]]
    tokenized = [tokenized_as_in_check(text, result.settings) for text in texts]
    df = result.frequencies
    options = AlignOptions.for_language(language_of(tokenized), frequencies=df is not None)
    pairs = np.array(list(combinations(range(copiers), 2)))
    passages = align_many(tokenized, pairs, df=df, options=options)
    return len(set(passages.pair[~passages.weak].tolist()))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--texts-in-batch", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    rng = random.Random(chosen.seed)
    paths = needs.text_files(chosen.texts, least=chosen.texts_in_batch + 1)
    texts = [path.read_text("utf-8", errors="replace") for path in paths]
    fitting = [t for t in texts if TEXT_WORDS[0] <= len(words_of(t)) <= TEXT_WORDS[1]]
    print("copiers  edit rate  pairs  align  check  other pairs listed")
    for copiers in COPIERS:
        for rate in RATES:
            drawn = rng.sample(fitting, chosen.texts_in_batch + 1)
            result = check(batch(drawn, copiers, rate, rng))
            hits, pairs = in_check(result, copiers), copiers * (copiers - 1) // 2
            other = int(np.count_nonzero(result.table.passages > 0)) - hits
            aligned = in_alignment(result, copiers)
            print(f"{copiers:7}  {rate:9.2f}  {pairs:5}  {aligned:5}  {hits:5}  {other:5}")


if __name__ == "__main__":
    main()
