"""Check all texts of a corpus in PAN layout at once and score what a user gets.

`evaluate_pan` says which two texts to compare; a check has to find the pairs by itself. Both are
scored on the same true cases, so the difference is what the search for pairs loses.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from ...checking.pipeline import check
from ...model import Document, Passages, Progress
from ...result import CheckResult
from ...settings import Settings
from ..tables import Table
from .pan import (
    PanPair,
    detect,
    figures,
    read_cases,
    read_pairs,
    read_text,
    stretches,
    tokenized_as_in_check,
)
from .plagdet import Stretch, score

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
    listed = _listed(result)
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


def _listed(result: CheckResult) -> dict[tuple[str, str], Passages]:
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
