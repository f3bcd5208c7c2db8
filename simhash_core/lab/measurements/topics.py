"""Several people on one topic: what a check takes for the same statements though nobody copied.

A folder holds one JSON object a line in `en.jsonl` and `zh.jsonl`: `kind` (`event`, `question`),
`topic`, `part` and `text`. Texts of one kind and topic are by different people.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from ...checking.pipeline import check
from ...errors import BadInput
from ...model import Document, Progress
from ...result import Meanings
from ...settings import Settings
from .. import Code, Table

COLUMNS = ("language", "part", "pairs_of", "pairs", "with_finding", "shown", "most")
OTHER = "other"  # pairs of different topics


class Text(NamedTuple):
    """What one person wrote."""

    kind: str
    topic: str
    part: str
    text: str


def topics_table(folder: Path, progress: Progress) -> Table:
    """Check the texts of each part of a folder, and count the pairs that are listed.

    Raises
    ------
    BadInput
        `no_corpora`.
    """
    held = {language: _texts(folder / f"{language}.jsonl") for language in ("en", "zh")}
    if not any(held.values()):
        raise BadInput("no_corpora", path=str(folder))
    rows = [
        (language, Code(part), *row)
        for language, texts in held.items()
        for part in dict.fromkeys(one.part for one in texts)
        for row in _rows([one for one in texts if one.part == part], progress)
    ]
    return Table("meaning_topics", COLUMNS, rows)


def _texts(path: Path) -> list[Text]:
    if not path.is_file():
        return []
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
    return [Text(*(line[name] for name in Text._fields)) for line in lines]


def _rows(texts: Sequence[Text], progress: Progress) -> Iterator[tuple[object, ...]]:
    """Yield for each kind its pairs, those with a finding and those shown, the greatest score."""
    documents = [Document.from_text(one.text, name=str(n)) for n, one in enumerate(texts)]
    meanings = check(documents, settings=Settings(meaning="on"), progress=progress).meanings
    if meanings is None:
        return
    kinds = (*dict.fromkeys(one.kind for one in texts), OTHER)
    of_kind: dict[str, set[tuple[int, int]]] = {kind: set() for kind in kinds}
    for a, b in combinations(range(len(texts)), 2):
        of_kind[texts[a].kind if texts[a][:2] == texts[b][:2] else OTHER].add((a, b))
    best, shown = _best(meanings), _best(meanings.shown())
    for kind, pairs in of_kind.items():
        most = max((best[pair] for pair in pairs & best.keys()), default=0.0)
        listed = len(pairs & best.keys()), len(pairs & shown.keys())
        yield Code(kind), len(pairs), *listed, round(most, 1)


def _best(meanings: Meanings) -> dict[tuple[int, int], float]:
    """Return the greatest score of each pair with a finding."""
    return {pair: float(meanings.score[meanings.of_pair(*pair)].max()) for pair in meanings.pairs()}
