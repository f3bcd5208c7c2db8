"""Check many random batches of a corpus: does a check find what the aligner finds?

One check of a whole corpus has one set of frequencies and one floor for its candidates. Batches of
the size of a class have others, so the pairs that are lost differ from draw to draw.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...checking.pipeline import check
from ...model import Document, Progress
from ...passages.tokenized import TokenizedText
from ...result import CheckResult
from ...settings import Settings
from ..tables import Table
from .batch import document_of
from .pan import PanPair, detect, read_cases, read_pairs, tokenized_as_in_check

BATCH_COLUMNS = ("batch", "documents", "pairs", "aligned", "listed", "share")
CLASS_COLUMNS = ("class", "pairs", "aligned", "listed", "share")


@dataclass(frozen=True, slots=True, eq=False)
class _Corpora:
    """Corpora in PAN layout as one: names start with the corpus, so they stay apart."""

    documents: dict[str, Document]
    pairs: list[PanPair]
    planted: frozenset[PanPair]  # those with a true case


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """One batch: how many texts, its planted pairs, those found when told, those in the check."""

    documents: int
    planted: list[PanPair]
    aligned: set[PanPair]
    listed: set[PanPair]


def evaluate_batches(
    roots: Sequence[Path],
    *,
    count: int = 20,
    size: tuple[int, int] = (120, 160),
    seed: int = 1,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> list[Table]:
    """Check `count` random batches of texts of some corpora, and tell the aligner their pairs.

    Parameters
    ----------
    roots
        Corpora in PAN layout; texts of all of them are mixed.
    size
        Fewest and most texts of a batch. Whole pairs are drawn until it is full.

    Returns
    -------
    list of Table
        By batch and by class: planted pairs, those with a finding when the aligner is told the
        pair and the frequencies of the batch, those of them that the check lists with a passage,
        and their share.

    Raises
    ------
    FileNotFoundError
        Where one of `roots` holds no class.
    """
    corpora, chosen = _read(roots), settings or Settings()
    rng, tokenized = random.Random(seed), dict[str, TokenizedText]()
    drawn = []
    for done in range(count):
        names = _draw(corpora, rng.randint(*size), rng)
        drawn.append(_checked(corpora, names, tokenized, chosen))
        if progress is not None:
            progress("candidates", done + 1, count)
    return [
        Table("batches", BATCH_COLUMNS, list(_by_batch(drawn))),
        Table("batches_classes", CLASS_COLUMNS, list(_by_class(drawn))),
    ]


def _read(roots: Sequence[Path]) -> _Corpora:
    documents, pairs, planted = dict[str, Document](), list[PanPair](), set[PanPair]()
    for root in roots:
        for row in read_pairs(root):
            names = [f"{root.name}/susp/{row.suspicious}", f"{root.name}/src/{row.source}"]
            for name in names:
                if name not in documents:
                    path = root / name.removeprefix(f"{root.name}/")
                    documents[name] = document_of(path, name)
            pair = PanPair(f"{root.name}/{row.group}", *names)
            pairs.append(pair)
            if read_cases(root, row):
                planted.add(pair)
    return _Corpora(documents, pairs, frozenset(planted))


def _draw(corpora: _Corpora, size: int, rng: random.Random) -> list[str]:
    """Return the names of a batch in random order, whole pairs while there is room for two."""
    names = dict[str, None]()
    for pair in rng.sample(corpora.pairs, len(corpora.pairs)):
        if len(names) + 2 > size:
            break
        names |= {pair.suspicious: None, pair.source: None}
    return rng.sample(list(names), len(names))


def _checked(
    corpora: _Corpora, names: list[str], tokenized: dict[str, TokenizedText], settings: Settings
) -> _Drawn:
    """Check one batch, and tell the aligner its planted pairs."""
    result = check([corpora.documents[name] for name in names], settings=settings)
    inside = set(names)
    planted = [
        pair for pair in corpora.pairs
        if pair in corpora.planted and {pair.suspicious, pair.source} <= inside
    ]  # fmt: skip
    for name in inside - tokenized.keys():
        tokenized[name] = tokenized_as_in_check(corpora.documents[name].text, settings)
    aligned = detect(planted, tokenized, df=result.frequencies, settings=settings)
    listed = _listed(result)
    return _Drawn(
        len(names),
        planted,
        {pair for pair in planted if aligned[pair]},
        {pair for pair in planted if frozenset((pair.suspicious, pair.source)) in listed},
    )


def _listed(result: CheckResult) -> set[frozenset[str]]:
    """Return the names of every pair that the check lists with a counted passage."""
    names, pairs = [document.name for document in result.documents], result.table.pairs
    rows = np.flatnonzero(result.table.passages)
    return {frozenset((names[pairs.left[row]], names[pairs.right[row]])) for row in rows}


def _by_batch(drawn: Sequence[_Drawn]) -> Iterator[tuple[object, ...]]:
    """Yield the figures of each batch, then of all of them."""
    for number, one in enumerate(drawn, 1):
        listed, aligned = len(one.aligned & one.listed), len(one.aligned)
        yield number, one.documents, len(one.planted), aligned, listed, _share(listed, aligned)
    aligned = sum(len(one.aligned) for one in drawn)
    listed = sum(len(one.aligned & one.listed) for one in drawn)
    planted = sum(len(one.planted) for one in drawn)
    documents = sum(one.documents for one in drawn)
    yield "entire", documents, planted, aligned, listed, _share(listed, aligned)


def _by_class(drawn: Sequence[_Drawn]) -> Iterator[tuple[object, ...]]:
    """Yield the figures of each class over all batches."""
    planted = Counter(pair.group for one in drawn for pair in one.planted)
    aligned = Counter(pair.group for one in drawn for pair in one.aligned)
    listed = Counter(pair.group for one in drawn for pair in one.aligned & one.listed)
    for group in sorted(planted):
        share = _share(listed[group], aligned[group])
        yield group, planted[group], aligned[group], listed[group], share


def _share(listed: int, aligned: int) -> float:
    """Return the share of the pairs found when told, 1 where there is none."""
    return listed / aligned if aligned else 1.0
