"""Words and meaning together on corpora in PAN layout: what either finds that the other does not.

Of each class some pairs are drawn, none of whose texts is in another one; one check of all their
texts has to find them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ...checking.pipeline import check
from ...model import Document, Progress
from ...settings import Settings
from .. import Table
from .batches import document_of
from .meaning import by_meaning, by_words, met
from .pan import PanPair, Stretch, read_cases, read_pairs, score

COLUMNS = (
    *("corpus", "class", "pairs", "cases", "by_words", "by_meaning", "by_both"),
    *("plagdet_words", "plagdet", "clean_words", "clean_meaning"),
)


def union_table(roots: Sequence[Path], *, pairs: int, progress: Progress) -> Table:
    """Check drawn pairs of each corpus, and count the true cases that are found by class.

    Parameters
    ----------
    pairs
        Of each class.

    Raises
    ------
    FileNotFoundError
        Where a root holds no class.
    """
    rows = [row for root in roots for row in _rows(root, _some(root, pairs), progress)]
    return Table("meaning_union", COLUMNS, rows)


def _some(root: Path, most: int) -> list[PanPair]:
    """Draw pairs of a corpus; of each class first those with a true case."""
    every = sorted(read_pairs(root), key=lambda pair: (pair.suspicious, pair.source))
    return drawn(sorted(every, key=lambda pair: not read_cases(root, pair)), most)


def drawn(pairs: Sequence[PanPair], most: int) -> list[PanPair]:
    """Return the first pairs of each class, up to so many; no text is in two of them."""
    chosen: list[PanPair] = []
    taken, count = set[str](), dict.fromkeys((pair.group for pair in pairs), 0)
    for pair in sorted(pairs, key=lambda one: one.group):
        ends = {pair.suspicious, pair.source}
        if count[pair.group] < most and not ends & taken:
            taken |= ends
            count[pair.group] += 1
            chosen.append(pair)
    return chosen


def _rows(root: Path, pairs: Sequence[PanPair], step: Progress) -> Iterator[tuple[object, ...]]:
    """Yield a row for each class of one corpus, after one check of all its texts."""
    documents = list(_documents(root, pairs))
    result = check(documents, settings=Settings(meaning="on"), progress=step)
    words, meaning = by_words(result), by_meaning(result)
    cases = {
        number: [_renamed(case, number) for case in read_cases(root, pair)]
        for number, pair in enumerate(pairs)
    }
    for group in dict.fromkeys(pair.group for pair in pairs):
        members = [number for number, pair in enumerate(pairs) if pair.group == group]
        names = {f"a{number}" for number in members}
        true = [case for number in members for case in cases[number]]
        ways = [[one for one in found if one.document in names] for found in (words, meaning)]
        both = [*ways[0], *ways[1]]
        found = [sum(met(case, way) for case in true) for way in (*ways, both)]
        plagdet = [round(score(true, way).plagdet, 3) if true else None for way in (ways[0], both)]
        clean = {f"a{number}" for number in members if not cases[number]}
        false = [len(clean & {one.document for one in way}) for way in ways]
        yield root.name, group, len(members), len(true), *found, *plagdet, *false


def _documents(root: Path, pairs: Sequence[PanPair]) -> Iterator[Document]:
    """Yield the texts of pair n as an and bn."""
    for number, pair in enumerate(pairs):
        yield document_of(root / "susp" / pair.suspicious, f"a{number}")
        yield document_of(root / "src" / pair.source, f"b{number}")


def _renamed(case: Stretch, number: int) -> Stretch:
    return case._replace(document=f"a{number}", source=f"b{number}")
