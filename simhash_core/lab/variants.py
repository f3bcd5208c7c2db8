"""Planted variant groups with a known tree of copies: what a check makes of them.

A passage is copied from text to text, each copy from a text that has it already, with words of
its own changed. The group should be found once, and the tree of agreement should set a copy
nearer to the text it was copied from than to others.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..checking import check, samples
from ..errors import BadInput
from ..model import Document, Progress, report_nothing
from ..result import CheckResult
from ..seen.edition import Edition, edition
from ..text.segment import segmenter
from . import Table
from .edited import edit_words

COLUMNS = (
    *("language", "rate", "groups", "recovered", "witnesses", "held"),
    *("links", "agreed", "splits", "splits_true", "splits_wrong"),
)
RATES = (0.0, 0.02, 0.05, 0.10, 0.20)  # of the words changed in each copy
DOCUMENTS, GROUPS = 40, 4  # of a batch
WITNESSES = (3, 14)  # fewest and most texts of a group
PASSAGE = {"zh": 240, "en": 700}  # characters
SURROUNDINGS = {"zh": 300, "en": 160}  # words before, and behind
RECOVERED = 0.8  # Jaccard index of the planted witnesses and those of a group
_HAN_SHARE = 0.2

Split = frozenset[int]


@dataclass(frozen=True, slots=True)
class Planted:
    """One planted passage: `parent[i]` is the witness that witness i was copied from, -1 first.

    `changed[i]` says whether the copy differs from what it was copied from.
    """

    documents: tuple[int, ...]
    parent: tuple[int, ...]
    changed: tuple[bool, ...]

    def below(self, witness: int) -> Split:
        """Return a witness and all copies that go back to it."""
        below = {witness}
        for child, parent in enumerate(self.parent):  # copies come after what they are copied from
            if parent in below:
                below.add(child)
        return frozenset(below)


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
        least `RECOVERED`); witnesses planted and, of recovered groups, held; links from a text to
        the one it was copied from, and those with which the tree of agreement agrees; splits of
        the true tree that can be seen at all, those that the tree has, and those it has wrongly.

    Notes
    -----
    Surroundings are words of the same texts in random order: nothing else is shared.
    """
    texts = _texts(root)
    rows = []
    cells = [(language, rate) for language in ("zh", "en") for rate in RATES]
    for number, (language, rate) in enumerate(cells):
        counts = np.zeros(9, np.int64)
        for batch in range(count):
            draw = random.Random(f"{seed} {language} {rate} {batch}")
            documents, planted = plant(texts[language], language, rate, draw)
            counts += _counts(check(documents), planted)
        rows.append((language, rate, *counts.tolist()))
        progress("candidates", number + 1, len(cells))
    return [Table("variants", COLUMNS, rows)]


def plant(
    texts: Sequence[str], language: str, rate: float, draw: random.Random
) -> tuple[list[Document], list[Planted]]:
    """Return a batch and what was planted in it."""
    words = _words(texts)
    slots: list[list[str]] = [[] for _ in range(DOCUMENTS)]
    planted = []
    passages = [_stretch(text, PASSAGE[language], draw) for text in draw.sample(texts, GROUPS)]
    for passage in passages:
        size = draw.randint(*WITNESSES)
        documents = tuple(draw.sample(range(DOCUMENTS), size))
        parent = (-1, *(draw.randrange(child) for child in range(1, size)))
        copies = [passage]
        for child in range(1, size):
            copies.append(edit_words(copies[parent[child]], rate, texts, draw))
        for document, copy in zip(documents, copies, strict=True):
            slots[document].append(copy)
        differs = tuple(copy != copies[source] for copy, source in zip(copies, parent, strict=True))
        planted.append(Planted(documents, parent, differs))
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


def _counts(result: CheckResult, planted: Sequence[Planted]) -> list[int]:
    """Return the figures of one batch, in the order of `COLUMNS`."""
    counts = np.zeros(9, np.int64)
    groups = result.variant_groups
    members = [set(groups.document[groups.rows(row)].tolist()) for row in range(len(groups))]
    for one in planted:
        wanted = set(one.documents)
        likeness = [len(wanted & held) / len(wanted | held) for held in members]
        best = int(np.argmax(likeness)) if likeness else -1
        counts[[0, 2]] += 1, len(wanted)
        if best >= 0 and likeness[best] >= RECOVERED:
            counts[[1, 3]] += 1, len(wanted & members[best])
            counts[4:] += _agreement(edition(result, best), one)
    return counts.tolist()


def _agreement(one: Edition, planted: Planted) -> list[int]:
    """Return links, links agreed with, splits that can be seen, those found, and wrong ones."""
    columns = {document: row for row, document in enumerate(one.collation.witnesses.tolist())}
    witness_of = {columns[row]: at for at, row in enumerate(planted.documents) if row in columns}
    everyone = frozenset(witness_of.values())
    changed = [row for row in everyone if planted.changed[row]]
    true = _restrict_splits({planted.below(row) & everyone for row in changed}, everyone)
    recovered = _restrict_splits(
        {frozenset(witness_of[c] for c in b if c in witness_of) for b in _members(one)}, everyone
    )
    links = [(row, planted.parent[row]) for row in sorted(everyone) if planted.parent[row] >= 0]
    links = [link for link in links if link[1] in everyone]
    agreed = [link for link in links if _agrees(*link, planted, true, recovered, everyone)]
    return [len(links), len(agreed), len(true), len(true & recovered), len(recovered - true)]


def _members(one: Edition) -> Iterator[tuple[int, ...]]:
    """Yield the members of every branch."""
    waiting = list(one.agreement.branches)
    while waiting:
        branch = waiting.pop()
        yield branch.members
        waiting += branch.branches


def _restrict_splits(groups: set[Split], everyone: Split) -> set[Split]:
    """Return groups as splits with at least two witnesses on either side.

    Which side departs from the other cannot be seen, so each is written as the side without the
    lowest witness.
    """
    lowest = min(everyone)
    splits = {everyone - group if lowest in group else group for group in groups}
    return {split for split in splits if 2 <= len(split) <= len(everyone) - 2}


def _agrees(
    child: int,
    parent: int,
    planted: Planted,
    true: set[Split],
    recovered: set[Split],
    everyone: Split,
) -> bool:
    """Whether the tree sets a copy nearer to its source than to all that are truly farther.

    Its own copies are left out. Nobody is nearer than the source in the true tree; where some
    stand as near, as all copies of one text do, the tree must not set them nearer.
    """
    for other in everyone - planted.below(child) - {parent}:
        truly = _apart(child, other, true) - _apart(child, parent, true)
        seen = _apart(child, other, recovered) - _apart(child, parent, recovered)
        if (truly > 0 and seen <= 0) or seen < 0:
            return False
    return True


def _apart(one: int, other: int, splits: set[Split]) -> int:
    """Return how many splits stand between two witnesses."""
    return sum((one in split) != (other in split) for split in splits)
