"""Check texts of a corpus in PAN layout, all at once or in random batches, and score the findings.

`evaluate_pan` says which two texts to compare; a check has to find the pairs by itself. Both are
scored on the same true cases, so the difference is what the search for pairs loses. One check of a
whole corpus has one set of frequencies and one floor for its candidates. Batches of the size of a
class have others, so the pairs that are lost differ from draw to draw.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...checking.pipeline import check
from ...model import Document, Passages, Progress
from ...passages.tokenized import TokenizedText
from ...result import CheckResult
from ...settings import Settings
from .. import Table
from .pan import (
    PanPair,
    Stretch,
    detect,
    figures,
    read_cases,
    read_pairs,
    read_text,
    score,
    stretches,
    tokenized_as_in_check,
)

# --------------------------------------------------------------------------- a whole corpus


COLUMNS = (
    "class",
    "pairs",
    "plagdet",
    "recall",
    "precision",
    "granularity",
    "without_finding",
    "without_finding_told",
)
Cases = Mapping[PanPair, list[Stretch]]


def evaluate_batch(
    root: Path,
    *,
    against: bool = False,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> list[Table]:
    """Check every text below `root` and score the findings of the check.

    Parameters
    ----------
    against
        Suspicious texts against sources as references; otherwise all texts are one batch.

    Returns
    -------
    list of Table
        Figures of each class, with the share of true pairs that have no finding, in the check and
        when the aligner is told the pair; then all other pairs with findings.

    Raises
    ------
    FileNotFoundError
        Where `root` holds no class.
    """
    pairs, chosen = read_pairs(root), settings or Settings()
    suspicious, sources = _documents(root / "susp"), _documents(root / "src")
    if against:
        result = check(suspicious, against=sources, settings=chosen, progress=progress)
    else:
        result = check([*suspicious, *sources], settings=chosen, progress=progress)
    tokenized = {one.name: tokenized_as_in_check(one.text, chosen) for one in result.documents}
    df = result.frequencies
    known_pairs = detect(pairs, tokenized, df=df, settings=chosen, progress=progress)
    cases = {pair: read_cases(root, pair) for pair in pairs}
    listed = _listed_passages(result)
    in_check = {
        pair: stretches(pair, listed.get((pair.suspicious, pair.source), Passages.join([])))
        for pair in pairs
    }
    return [
        Table("batch", COLUMNS, list(_rows(cases, in_check, known_pairs))),
        _others(cases, listed, frozenset(one.name for one in sources)),
    ]


def _documents(folder: Path) -> list[Document]:
    """Read texts as they are, their line ends included."""
    return [document_of(path, path.name) for path in sorted(folder.iterdir())]


def document_of(path: Path, name: str) -> Document:
    """Read a text as it is, its line ends included."""
    text = read_text(path)
    return Document(hashlib.sha256(text.encode()).hexdigest(), name, text)


def _listed_passages(result: CheckResult) -> dict[tuple[str, str], Passages]:
    """Return the passages of every pair that has a counted one, by names."""
    pairs, passages = result.table.pairs, result.passages
    names = [document.name for document in result.documents]
    rows = np.flatnonzero(result.table.passages)
    starts = np.searchsorted(passages.pair, rows, side="left")
    ends = np.searchsorted(passages.pair, rows, side="right")
    return {
        (names[pairs.left[row]], names[pairs.right[row]]): passages.take(np.arange(start, end))
        for row, start, end in zip(rows, starts, ends, strict=True)
    }


def _rows(cases: Cases, in_check: Cases, known_pairs: Cases) -> Iterator[tuple[object, ...]]:
    """Yield the figures of every class with cases, then of all of them."""
    with_cases = [pair for pair, true in cases.items() if true]
    groups = sorted({pair.group for pair in with_cases})
    for group in (*groups, "entire"):
        members = [pair for pair in cases if group in ("entire", pair.group)]
        true = [case for pair in members for case in cases[pair]]
        detected = [one for pair in members for one in in_check[pair]]
        chosen = [pair for pair in members if cases[pair]]
        yield (
            group,
            len(chosen),
            *figures(score(true, detected)),
            _share_without(in_check, chosen),
            _share_without(known_pairs, chosen),
        )


def _share_without(detections: Cases, pairs: list[PanPair]) -> float:
    return sum(not detections[pair] for pair in pairs) / len(pairs)


def _others(
    cases: Cases, listed: Mapping[tuple[str, str], Passages], sources: frozenset[str]
) -> Table:
    """Count pairs with findings but no case: of the classes without any case, and all the rest."""
    with_cases = {pair.group for pair, true in cases.items() if true}
    true = {(pair.suspicious, pair.source) for pair, of_pair in cases.items() if of_pair}
    clean = {(p.suspicious, p.source) for p in cases if p.group not in with_cases}
    beyond = listed.keys() - true - clean
    across = sum((a in sources) != (b in sources) for a, b in beyond)
    rows = [(len(clean), len(clean & listed.keys()), across, len(beyond) - across)]
    return Table("batch_others", ("clean", "clean_listed", "beyond_across", "beyond_within"), rows)


# --------------------------------------------------------------------------- random batches


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
