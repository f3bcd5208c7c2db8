"""Planted variant groups: what a check makes of them.

A passage is copied from text to text, each copy from a text that has it already, with words of
its own changed. The group should be found once.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..checking import check, samples
from ..errors import BadInput
from ..model import Document, Progress, report_nothing
from ..result import CheckResult
from ..text.segment import segmenter
from . import Table
from .edited import edit_words

COLUMNS = ("language", "rate", "groups", "recovered", "witnesses", "held")
RATES = (0.0, 0.02, 0.05, 0.10, 0.20)  # of the words changed in each copy
DOCUMENTS, GROUPS = 40, 4  # of a batch
WITNESSES = (3, 14)  # fewest and most texts of a group
PASSAGE = {"zh": 240, "en": 700}  # characters
SURROUNDINGS = {"zh": 300, "en": 160}  # words before, and behind
RECOVERED = 0.8  # Jaccard index of the planted witnesses and those of a group
_HAN_SHARE = 0.2


def evaluate_variants(
    root: Path | None = None, *, count: int = 5, seed: int = 1, progress: Progress = report_nothing
) -> list[Table]:
    """Plant groups in batches of both languages and count what is found again.

    Parameters
    ----------
    root
        Folder with plain texts that passages are taken from; None: the sample collections.
    count
        Batches for each language and share of words changed.

    Returns
    -------
    list of Table
        For each language and share: groups planted and recovered (Jaccard index of witnesses at
        least `RECOVERED`); witnesses planted and, of recovered groups, held.

    Notes
    -----
    Surroundings are words of the same texts in random order: nothing else is shared.
    """
    texts = _texts(root)
    rows = []
    cells = [(language, rate) for language in ("zh", "en") for rate in RATES]
    for number, (language, rate) in enumerate(cells):
        counts = np.zeros(4, np.int64)
        for batch in range(count):
            draw = random.Random(f"{seed} {language} {rate} {batch}")
            documents, planted = plant(texts[language], language, rate, draw)
            counts += _counts(check(documents), planted)
        rows.append((language, rate, *counts.tolist()))
        progress("candidates", number + 1, len(cells))
    return [Table("variants", COLUMNS, rows)]


def plant(
    texts: Sequence[str], language: str, rate: float, draw: random.Random
) -> tuple[list[Document], list[set[int]]]:
    """Return a batch, and the rows of the texts that have each planted passage."""
    words = _words(texts)
    slots: list[list[str]] = [[] for _ in range(DOCUMENTS)]
    planted = []
    passages = [_stretch(text, PASSAGE[language], draw) for text in draw.sample(texts, GROUPS)]
    for passage in passages:
        size = draw.randint(*WITNESSES)
        documents = draw.sample(range(DOCUMENTS), size)
        parents = [draw.randrange(child) for child in range(1, size)]
        copies = [passage]
        for parent in parents:
            copies.append(edit_words(copies[parent], rate, texts, draw))
        for document, copy in zip(documents, copies, strict=True):
            slots[document].append(copy)
        planted.append({*documents})
    batch = []
    for number, slot in enumerate(slots):
        parts = [_surroundings(words, language, draw)]
        for copy in slot:
            parts += [copy, _surroundings(words, language, draw)]
        batch.append(Document.from_text("\n".join(parts), name=f"{number:02d}"))
    return batch, planted


def _texts(root: Path | None) -> dict[str, list[str]]:
    """Return texts long enough for a passage, by language."""
    files = sorted(root.rglob("*.txt")) if root else [p for of in samples().values() for p in of]
    texts: dict[str, list[str]] = {"zh": [], "en": []}
    for path in files:
        if path.suffix in (".txt", ".md"):
            text = " ".join(path.read_text("utf-8", errors="replace").split())
            han = sum("\u4e00" <= character <= "\u9fff" for character in text)
            language = "zh" if han > _HAN_SHARE * len(text) else "en"
            if len(text) >= 2 * PASSAGE[language]:
                texts[language].append(text)
    if any(len(of_language) < GROUPS for of_language in texts.values()):
        raise BadInput("no_corpora", path=str(root or "sample_docs"))
    return texts


_SEGMENT = segmenter()


def _words(texts: Sequence[str]) -> list[str]:
    """Return the words of some texts, as often as they stand in them."""
    words = []
    for text in texts:
        for part in text.split():
            words += _SEGMENT(part) if any(c > "\u2e80" for c in part) else [part]
    return words


def _surroundings(words: Sequence[str], language: str, draw: random.Random) -> str:
    return ("" if language == "zh" else " ").join(draw.choices(words, k=SURROUNDINGS[language]))


def _stretch(text: str, length: int, draw: random.Random) -> str:
    start = draw.randrange(len(text) - length)
    return text[start : start + length]


def _counts(result: CheckResult, planted: Sequence[set[int]]) -> list[int]:
    """Return the figures of one batch, in the order of `COLUMNS`."""
    counts = np.zeros(4, np.int64)
    groups = result.variant_groups
    members = [set(groups.document[groups.rows(row)].tolist()) for row in range(len(groups))]
    for wanted in planted:
        likeness = [len(wanted & held) / len(wanted | held) for held in members]
        best = int(np.argmax(likeness)) if likeness else -1
        counts[[0, 2]] += 1, len(wanted)
        if best >= 0 and likeness[best] >= RECOVERED:
            counts[[1, 3]] += 1, len(wanted & members[best])
    return counts.tolist()
