"""Rewordings planted in unrelated texts: what one check, as a person starts it, makes of them.

A folder of reworded passages holds one JSON object a line in `en.jsonl` and `zh.jsonl`: `strength`,
`origin` (the collection that the passage was cut from), `source` and `text`. Lines of the strength
`independent` are texts on the same topic by somebody who has not seen the source.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..checking.pipeline import check
from ..errors import BadInput
from ..meaning.units import size_of, units_of
from ..model import Document, Progress, report_nothing
from ..result import CheckResult, Meanings
from ..settings import Settings
from ..text.language import guess_language
from . import Code, Table
from .pan import Stretch, meets, score

INDEPENDENT = "independent"
HOST = (600, 700, 1_500)  # words of a host: at least, from which it is full, at most
PARAGRAPH = 8  # words of a paragraph of a host
LONGER = 1.25  # times the wanted length that a shortened passage may have
SHINGLE, SHARED = 16, 0.01  # letters, and the share of them, from which two texts share text
PLANTED_COLUMNS = (
    *("language", "strength", "words_each", "cases", "by_words", "by_meaning", "by_both"),
    *("plagdet", "recall", "precision", "independents", "of"),
)
FALSE_COLUMNS = ("pairs_of", "texts", "pairs", "with_finding", "per_1000", "expected_once", "most")

_CLUTTER = re.compile(r"(?ms)^```.*?^```\s*$|^<!--.*?-->\s*|^>[^\n]*\n|^<[^>]*>\s*\n")
_HEAD = re.compile(r"(?s)^.*?<!-- INFO END -->")
_STATE = re.compile(r"__\d{4}-\d{2}-\d{2}$")
_BLANK = re.compile(r"\n\s*\n")
_NO_LETTER = re.compile(r"\W+")


class Row(NamedTuple):
    """One reworded passage."""

    strength: str
    origin: str
    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Host:
    """A text to plant in, and the collection that it is of."""

    collection: str
    text: str


class Case(NamedTuple):
    """A rewording in one host and its source in another."""

    row: Row
    texts: tuple[str, str]
    places: tuple[int, int, int, int]


def evaluate_meaning(
    reworded: Path | None,
    *,
    hosts: Sequence[Path] = (),
    lengths: Sequence[int] = (0, 100, 60),
    texts: int = 120,
    seed: int = 1,
    topics: Path | None = None,
    progress: Progress = report_nothing,
) -> list[Table]:
    """Plant every rewording, check each strength as one batch, and count what is found.

    Parameters
    ----------
    hosts
        Folders of texts, or patterns of files; a passage is planted in texts of its language, of
        another collection.
    lengths
        Words of the planted passages, 0 for the whole ones. A shortened pair keeps the first
        sentences of both sides, which do not answer each other where the order was changed.
    texts
        Texts of each folder.
    topics
        Folder of texts by several people on one topic (`topics_table`).

    Returns
    -------
    list of Table
        Planted passages by language, strength and length; findings between texts of each folder
        that share no text; several people on one topic. Those that something was given for.
    """
    tables = []
    if reworded is not None:
        pool = [host for folder in hosts for host in hosts_of(folder, texts)]
        rows = {
            language: [
                Row(*line) for line in _read_lines(reworded / f"{language}.jsonl", Row._fields)
            ]
            for language in ("en", "zh")
        }
        if not pool or not any(rows.values()):
            raise BadInput("no_corpora", path=str(reworded))
        planted = [
            row
            for language, held in rows.items()
            for length in lengths
            for row in _planted(held, language, length, pool, seed, progress)
        ]
        tables.append(Table("meaning_planted", PLANTED_COLUMNS, planted))
        tables.append(Table("meaning_false", FALSE_COLUMNS, list(_false(pool, progress))))
    if topics is not None:
        tables.append(topics_table(topics, progress))
    if not tables:
        raise BadInput("no_corpora", path="")
    return tables


def hosts_of(place: Path, most: int) -> list[Host]:
    """Return texts of a folder, or of files by a pattern, as hosts: `most` of them, evenly drawn.

    Code is left out, and of yearly states of a text all but the latest.
    """
    paths = place.rglob("*") if place.is_dir() else place.parent.glob(place.name)
    latest = {_STATE.sub("", path.stem): path for path in sorted(paths)
              if path.suffix in (".md", ".txt")}  # fmt: skip
    folder = place if place.is_dir() else place.parent
    collection = folder.parent.name if folder.name in ("docs", "src") else folder.name
    hosts = _read_hosts(collection, latest.values())
    return [hosts[at * len(hosts) // most] for at in range(most)] if len(hosts) > most else hosts


def _read_hosts(collection: str, paths: Iterable[Path]) -> list[Host]:
    hosts = []
    for path in paths:
        text, size = "", 0.0
        whole = _HEAD.sub("", path.read_text("utf-8", errors="replace"))
        for paragraph in _BLANK.split(_CLUTTER.sub("", whole)):
            more = size_of(paragraph)
            if more >= PARAGRAPH and size < HOST[1]:
                text, size = f"{text}{paragraph.strip()}\n\n", size + more
        if size >= HOST[0]:
            hosts.append(Host(collection, text[: int(len(text) * min(1, HOST[2] / size))]))
    return hosts


def _read_lines(path: Path, fields: Sequence[str]) -> list[tuple[str, ...]]:
    """Return some fields of each line of a file, nothing where there is no file."""
    if not path.is_file():
        return []
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
    return [tuple(line[name] for name in fields) for line in lines]


# --------------------------------------------------------------------------- planted passages


def _planted(
    rows: Sequence[Row], language: str, length: int, pool: Sequence[Host], seed: int, step: Progress
) -> Iterator[tuple[object, ...]]:
    """Yield a row for each strength: one check of its cases and of the independent texts."""
    pool = [host for host in pool if guess_language(host.text).kind == language]
    for strength in dict.fromkeys(row.strength for row in rows):
        if strength == INDEPENDENT:
            continue
        draw = random.Random(seed)
        chosen = [row for row in rows if row.strength in (strength, INDEPENDENT)]
        cases = [case for row in chosen if (case := plant(row, length, pool, draw))]
        if not cases:
            continue
        documents = [
            Document.from_text(text, name=f"{side}{number}")
            for number, case in enumerate(cases)
            for side, text in zip("ab", case.texts, strict=True)
        ]
        result = check(documents, settings=Settings(meaning="on"), progress=step)
        name = str(length) if length else Code("whole")
        yield language, Code(strength), name, *_count_cases(result, cases, strength)


def plant(row: Row, length: int, pool: Sequence[Host], draw: random.Random) -> Case | None:
    """Put a rewording and its source into two hosts of other collections, None without two."""
    fit = [host for host in pool if host.collection not in row.origin]
    if len(fit) < 2:
        return None
    sides, places = [], []
    for text, host in zip((row.text, row.source), draw.sample(fit, 2), strict=True):
        part = shorten_text(text, length) if length else text
        paragraphs = host.text.split("\n\n")
        at = draw.randrange(1, max(2, len(paragraphs) - 1))
        before = "\n\n".join(paragraphs[:at]) + "\n\n"
        sides.append(before + part + "\n\n" + "\n\n".join(paragraphs[at:]))
        places += [len(before), len(before) + len(part)]
    a0, a1, b0, b1 = places
    return Case(row, (sides[0], sides[1]), (a0, a1, b0, b1))


def shorten_text(text: str, length: int) -> str:
    """Return the first sentences of a text, about so many words."""
    end = 0
    for stop in units_of(text).end.tolist():
        if end and size_of(text[:stop]) > LONGER * length:
            break
        end = stop
    return text[:end]


def _count_cases(result: CheckResult, cases: Sequence[Case], strength: str) -> Iterator[object]:
    """Yield what one check found of its cases, by words, by meaning, by both."""
    words, meaning = find_by_words(result), find_by_meaning(result)
    wanted = [Stretch(f"a{n}", *case.places[:2], f"b{n}", *case.places[2:])
              for n, case in enumerate(cases)]  # fmt: skip
    real = [one for one, case in zip(wanted, cases, strict=True) if case.row.strength == strength]
    others = [one for one in wanted if one not in real]
    both = [*words, *meaning]
    yield len(real)
    for stretches in (words, meaning, both):
        yield sum(has_passage(one, stretches) for one in real)
    of_cases = {(one.document, one.source) for one in real}
    measured = score(real, [one for one in both if (one.document, one.source) in of_cases])
    yield from (round(x, 3) for x in (measured.plagdet, measured.recall, measured.precision))
    yield sum(has_passage(one, meaning) for one in others)
    yield len(others)


def find_by_words(result: CheckResult) -> list[Stretch]:
    """Return the counted passages between a rewording and its source."""
    passages, pairs = result.passages, result.table.pairs
    rows = np.flatnonzero(~passages.weak)
    ends = pairs.left[passages.pair[rows]], pairs.right[passages.pair[rows]]
    places = [getattr(passages, name)[rows] for name in ("a_start", "a_end", "b_start", "b_end")]
    return _stretches(result, *ends, *places)


def find_by_meaning(result: CheckResult) -> list[Stretch]:
    """Return the passages of one meaning between a rewording and its source."""
    meanings = result.meanings
    if meanings is None:
        return []
    ends = meanings.left, meanings.right
    places = meanings.a_start, meanings.a_end, meanings.b_start, meanings.b_end
    return _stretches(result, *ends, *places)


def _stretches(result: CheckResult, *columns: np.ndarray) -> list[Stretch]:
    """Return the passages of pairs a1 b1, a2 b2, ..., the rewording first."""
    names, stretches = [document.name for document in result.documents], []
    for left, right, *places in zip(*(column.tolist() for column in columns), strict=True):
        a, b = names[left], names[right]
        a0, a1, b0, b1 = places
        if a[1:] == b[1:]:
            turned = a[0] == "b"
            sides = (b, b0, b1, a, a0, a1) if turned else (a, a0, a1, b, b0, b1)
            stretches.append(Stretch(*sides))
    return stretches


def has_passage(case: Stretch, stretches: Sequence[Stretch]) -> bool:
    """Whether a finding touches a case on both sides."""
    return any(meets(case, one) for one in stretches)


# --------------------------------------------------------------------------- unrelated texts


def _false(pool: Sequence[Host], step: Progress) -> Iterator[tuple[object, ...]]:
    """Yield a row for each collection: findings of its pairs that share no text."""
    for collection in dict.fromkeys(host.collection for host in pool):
        texts = [host.text for host in pool if host.collection == collection]
        documents = [Document.from_text(text, name=str(n)) for n, text in enumerate(texts)]
        meanings = check(documents, settings=Settings(meaning="on"), progress=step).meanings
        if meanings is None:
            continue
        prints = [_shingles(text) for text in texts]
        apart = _apart(prints)
        listed = [pair for pair in meanings.pairs() if apart(*pair)]
        rows = np.array([row for pair in listed for row in meanings.of_pair(*pair)], np.int64)
        rare = rows[meanings.chance[rows] < 1]
        pairs = sum(apart(a, b) for a in range(len(texts)) for b in range(a + 1, len(texts)))
        per_1000 = round(1_000 * len(listed) / max(pairs, 1), 2)
        most = round(float(meanings.score[rows].max(initial=0.0)), 1)
        yield collection, len(texts), pairs, len(listed), per_1000, len(rare), most


def _shingles(text: str) -> set[str]:
    letters = _NO_LETTER.sub("", text.lower())
    return {letters[at : at + SHINGLE] for at in range(len(letters) - SHINGLE + 1)}


def _apart(prints: Sequence[set[str]]) -> Callable[[int, int], bool]:
    """Return what says whether two texts share no text."""

    def apart(a: int, b: int) -> bool:
        few, many = sorted((prints[a], prints[b]), key=len)
        return len(few & many) < SHARED * len(few)

    return apart


# --------------------------------------------------------------------------- topics
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
    held = {
        language: [Text(*line) for line in _read_lines(folder / f"{language}.jsonl", Text._fields)]
        for language in ("en", "zh")
    }
    if not any(held.values()):
        raise BadInput("no_corpora", path=str(folder))
    rows = [
        (language, Code(part), *row)
        for language, texts in held.items()
        for part in dict.fromkeys(one.part for one in texts)
        for row in _topic_rows([one for one in texts if one.part == part], progress)
    ]
    return Table("meaning_topics", COLUMNS, rows)


def _topic_rows(texts: Sequence[Text], progress: Progress) -> Iterator[tuple[object, ...]]:
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
