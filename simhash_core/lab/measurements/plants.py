"""Plants of ten kinds against an archive of statutes and news: what an editor has to look at.

The archive holds no two texts that are related, so that every hit but the planted ones is a
formula of the genre or chance.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...checking.pipeline import check
from ...model import Document
from ...reposts import worth_reading
from ...reposts.tracing import REPOST_SETTINGS
from ...result import CheckResult
from .. import Code, Table
from .families import edited
from .orders import lines_of, statute_body

FOUND = ("kind", "plants", "sources", "found", "source_first", "listed", "folded")
SUMS = ("archive", "plants", "sources", "listed", "a_true_one", "kept", "a_true_one_kept")
KINDS = (
    *("verbatim", "5%", "20%", "50%", "paragraph"),
    *("merged", "reordered", "cut", "excerpt", "careless"),
)
EACH, ARCHIVE = 6, 1500
PART, LEAST = 2400, 1500  # characters of a part of a statute; of one that is planted
PARAGRAPH = 300
SHINGLE, RELATED = 12, 0.05  # characters; share of them that makes two texts related
NEWS_SHINGLE, HOSTS = 5, 12


@dataclass(frozen=True, slots=True)
class Plant:
    """A new text, what was done, and the names of its sources in the archive."""

    kind: str
    text: str
    sources: tuple[str, ...]


def archive_of(root: Path, draw: random.Random) -> tuple[list[tuple[str, str]], list[str]]:
    """Return an archive of named texts, none related to another, and news that it does not hold."""
    statutes = list(_parts(root / "zh_laws_dev" / "docs"))
    news = [
        (path.stem, path.read_text("utf-8"))
        for path in sorted((root / "zh_paraphrase_dev" / "src").glob("*.txt"))
    ]
    news = [(name, text) for name, text in news if "第一条" not in text and len(text) >= 400]
    draw.shuffle(statutes)
    draw.shuffle(news)
    news = _unrelated(news, NEWS_SHINGLE)
    hosts, news = [text for _, text in news[:HOSTS]], news[HOSTS:]
    return [*news, *_unrelated(statutes, SHINGLE)[: ARCHIVE - len(news)]], hosts


def _parts(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.glob("*.md")):
        held: list[str] = []
        for line in lines_of(statute_body(path.read_text("utf-8"))):
            held.append(line)
            if sum(map(len, held)) >= PART:
                yield f"{path.stem} {line[:6]}", "\n".join(held)
                held = []
        if sum(map(len, held)) >= LEAST // 2:
            yield f"{path.stem} end", "\n".join(held)


def _unrelated(texts: Sequence[tuple[str, str]], size: int) -> list[tuple[str, str]]:
    """Return texts of which none shares 5 % of its shingles with one before it."""
    first: dict[str, int] = {}
    chosen: list[tuple[str, str]] = []
    for name, text in texts:
        plain = "".join(text.split())
        shingles = {plain[at : at + size] for at in range(len(plain) - size + 1)}
        shared = Counter(first[one] for one in shingles if one in first)
        if shared and shared.most_common(1)[0][1] > RELATED * len(shingles):
            continue
        for one in shingles:
            first.setdefault(one, len(chosen))
        chosen.append((name, text))
    return chosen


def plants_of(
    archive: Sequence[tuple[str, str]], hosts: Sequence[str], draw: random.Random
) -> list[Plant]:
    """Return six plants of every kind, each from a source of its own."""
    pool = [text for _, text in archive]
    long = [one for one in archive if len(one[1]) >= LEAST]
    draw.shuffle(long)
    sources = iter(long)
    planted = []
    for number in range(EACH):
        for kind in KINDS:
            names, texts = zip(*(next(sources) for _ in range(1 + (kind == "merged"))), strict=True)
            text = _planted(kind, texts, hosts[number % len(hosts)], pool, draw)
            planted.append(Plant(kind, text, names))
    return planted


def _planted(
    kind: str, texts: Sequence[str], host: str, pool: Sequence[str], draw: random.Random
) -> str:
    text, lines = texts[0], lines_of(texts[0])
    if kind.endswith("%"):
        return edited(text, int(kind[:-1]) / 100, pool, draw)
    if kind == "paragraph":
        start, half = (len(text) - PARAGRAPH) // 2, len(host) // 2
        return f"{host[:half]}\n{text[start : start + PARAGRAPH]}\n{host[half:]}"
    if kind == "merged":
        other = lines_of(texts[1])
        return "\n".join([*lines[: len(lines) // 2], *other[len(other) // 2 :]])
    if kind == "reordered":
        return "\n".join(draw.sample(lines, len(lines)))
    if kind == "cut":
        gone = set(draw.sample(range(len(lines)), max(1, len(lines) // 6)))
        return "\n".join(line for at, line in enumerate(lines) if at not in gone)
    if kind == "excerpt":
        return "\n".join(lines[: max(3, len(lines) // 4)])
    if kind == "careless":
        return text.translate(str.maketrans("，。；：（）", ",.;:()"))
    return text


def plant_tables(root: Path, *, seed: int = 1) -> list[Table]:
    """Measure what is found, what stands first, and what is folded away."""
    draw = random.Random(f"{seed} plants")
    archive, hosts = archive_of(root, draw)
    planted = plants_of(archive, hosts, draw)
    documents = [Document.from_text(text, name=name) for name, text in archive]
    asked = [Document.from_text(one.text, name=f"new {at}") for at, one in enumerate(planted)]
    result = check(asked, against=documents, settings=REPOST_SETTINGS)
    listed = result.table.listed(result.threshold, result.batch_threshold)
    unfolded = worth_reading(result)
    rows: list[tuple[object, ...]] = []
    totals = np.zeros(6, np.int64)
    for kind in KINDS:
        of_kind = [at for at, one in enumerate(planted) if one.kind == kind]
        counts = [_counts(result, at, planted[at], listed, unfolded) for at in of_kind]
        sums = np.array([len(of_kind), *np.sum(counts, axis=0)], np.int64)
        rows.append((Code(f"plant_{kind.rstrip('%')}"), *sums.tolist()))
        totals += sums
    rows.append((Code("order_all"), *totals.tolist()))
    plants, sources, _, _, hits, folded = totals.tolist()
    looked = hits - folded
    ratios = (round(hits / sources, 2), looked, round(looked / sources, 2))
    sums_row = (len(archive), plants, sources, hits, *ratios)
    return [Table("reposts_found", FOUND, rows), Table("reposts_found_sums", SUMS, [sums_row])]


def _counts(
    result: CheckResult, at: int, plant: Plant, listed: np.ndarray, unfolded: np.ndarray
) -> tuple[int, int, int, int, int]:
    """Return sources, those found, whether one has the largest share, hits, and hits folded."""
    table = result.table
    ours = (table.pairs.left == at) & (
        table.pairs.right >= len(result.documents) - result.references
    )
    hits, looked = np.flatnonzero(ours & listed), np.flatnonzero(ours & unfolded)
    names = [result.documents[int(table.pairs.right[row])].name for row in looked]
    order = np.argsort(-table.coverage_a[looked], kind="stable")
    first = bool(len(order)) and names[int(order[0])] in plant.sources
    recalled = len(set(names) & set(plant.sources))
    return len(plant.sources), recalled, int(first), len(hits), len(set(hits) - set(looked))
