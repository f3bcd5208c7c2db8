"""The history of texts: real revisions without their dates, and planted reposts."""

from __future__ import annotations

import hashlib
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from ...checking.pipeline import check
from ...errors import BadInput
from ...model import Document, Progress
from ...reposts import repost_groups, worth_reading
from ...reposts.tracing import REPOST_SETTINGS, trace
from ...result import CheckResult
from .. import Code, Table
from .families import STATUTES, corpora, edited, pieces_of
from .orders import known_chains, lines_of, order_tables, short, short_table, statute_body

CHAINS = (
    *("language", "part", "chains", "right", "either_way", "first_right", "pairs_right"),
    *("by_length", "by_chance"),
)
PLANTED = (
    *("corpus", "kind", "dates", "queries", "recalled", "original_first", "first_of_recalled"),
)
CLEAN = ("corpus", "queries", "archive", "false_hits", "per_thousand")
#: folders that pieces come from; statutes share their formulae
CORPORA = {
    "book_en": ("en_rust_book/docs",),
    "book_zh": ("zh_rust_book/docs",),
    "statutes_zh": STATUTES,
}
BOOKS = {"en": "en_rust_book", "zh": "zh_rust_book"}
FEWEST_VERSIONS = 3
RATES = (0.05, 0.20, 0.50)  # of the words changed
PARAGRAPH = 300  # characters, at a place of their own in another text
SECOND_HAND = 0.05  # of the words of a repost that the archive holds beside the original
NEEDED = len(RATES) + 4  # pieces for one query of each kind, and one of nothing else
DATES = ("all", "half", "none")


# --------------------------------------------------------------------------- revisions
@dataclass(frozen=True, slots=True)
class Chain:
    """The states of one text, oldest first."""

    name: str
    language: str
    texts: tuple[str, ...]

    @property
    def held_out(self) -> bool:
        """Whether nothing was chosen on it; the order of clues was, on the other half."""
        return hashlib.md5(self.name.encode(), usedforsecurity=False).digest()[0] % 2 == 1


def chains(root: Path, *, most: int | None = None) -> list[Chain]:
    """Return the texts with at least three states; files are `<name>__<date>.md`."""
    listed = []
    for language, book in BOOKS.items():
        states: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for path in sorted((root / book / "docs").glob("*__*.md")):
            name, _, date = path.stem.rpartition("__")
            states[name].append((date, path.read_text("utf-8")))
        of_book = [
            Chain(name, language, tuple(text for _, text in sorted(of_name)))
            for name, of_name in sorted(states.items())
            if len(of_name) >= FEWEST_VERSIONS
        ]
        listed += random.Random(1).sample(of_book, min(most or len(of_book), len(of_book)))
    return listed


def chain_order(chain: Chain, draw: random.Random) -> list[int]:
    """Return the states in the order that their texts suggest, 0 being the oldest in truth.

    The names say nothing and the states come in random order. Those that the check does not
    connect with the first group are missing.
    """
    places = list(range(len(chain.texts)))
    draw.shuffle(places)
    documents = [
        Document.from_text(chain.texts[place], name=f"version {number}")
        for number, place in enumerate(places)
    ]
    documents = [Document(d.id, d.name, d.text, language=chain.language) for d in documents]
    groups = repost_groups(check(documents, settings=REPOST_SETTINGS))
    return [places[row] for row in groups[0].rows] if groups else []


def _chain_rows(listed: Sequence[Chain], seed: int, progress: Progress | None) -> Table:
    counts: dict[tuple[str, str], list[list[float]]] = defaultdict(list)
    for number, chain in enumerate(listed):
        draw = random.Random(f"{seed} {chain.name}")
        order = chain_order(chain, draw)
        part = "held_out" if chain.held_out else "chosen_on"
        counts[chain.language, part].append(_scores(chain, order, draw))
        if progress is not None:
            progress("candidates", number + 1, len(listed))
    rows: list[tuple[object, ...]] = []
    for (language, part), scores in sorted(counts.items()):
        means = np.mean(scores, axis=0).round(3).tolist()
        rows.append((language, part, len(scores), *means))
    return Table("reposts_chains", CHAINS, rows)


def _scores(chain: Chain, order: Sequence[int], draw: random.Random) -> list[float]:
    """Return the figures of one chain, in the order of `CHAINS`; equal texts have no order."""
    n = len(chain.texts)
    whole = len(order) == n
    right = whole and _in_order(chain, order)
    by_length = sorted(range(n), key=lambda row: (len(chain.texts[row]), draw.random()))
    place = {row: at for at, row in enumerate(order)}
    pairs = list(combinations(range(n), 2))
    ordered = [
        a in place and b in place and (place[a] < place[b] or chain.texts[a] == chain.texts[b])
        for a, b in pairs
    ]
    return [
        float(right),
        float(whole and (right or _in_order(chain, order[::-1]))),
        float(bool(order) and chain.texts[order[0]] == chain.texts[0]),
        float(np.mean(ordered)),
        float(_in_order(chain, by_length)),
        1 / math.factorial(n),
    ]


def _in_order(chain: Chain, order: Sequence[int]) -> bool:
    return all(chain.texts[row] == text for row, text in zip(order, chain.texts, strict=True))


# --------------------------------------------------------------------------- planted reposts
@dataclass(frozen=True, slots=True)
class Planted:
    """A query, the original it goes back to (row of the archive, -1 for none), what was done."""

    document: Document
    original: int
    kind: str


def plant(
    pieces: Sequence[str], queries: int, draw: random.Random
) -> tuple[list[Document], list[Planted]]:
    """Return an archive and queries of every kind.

    The archive holds originals, of each a repost with some words changed, and texts of nothing
    else. A query is made from the original or from its repost, and is the youngest of the three.
    """
    kinds = (*(f"{round(100 * rate)}%" for rate in RATES), "paragraph", "clean")
    shuffled = list(pieces)
    draw.shuffle(shuffled)
    queries = min(queries, len(shuffled) // NEEDED)
    taken = iter(shuffled)
    archive: list[Document] = []
    planted: list[Planted] = []
    for _ in range(queries):
        for kind, rate in zip(kinds, (*RATES, 0.0, None), strict=True):
            text = next(taken)
            if rate is None:
                planted.append(Planted(_text(text, draw, 3), -1, kind))
                continue
            original = len(archive)
            second = edited(text, SECOND_HAND, shuffled, draw)
            archive += [_text(text, draw, 1), _text(second, draw, 2)]
            copied = draw.choice((text, second))
            made = edited(copied, rate, shuffled, draw) if rate else _inside(copied, next(taken))
            planted.append(Planted(_text(made, draw, 3), original, kind))
    archive += [_text(text, draw, 1) for text in taken]
    return archive, planted


def _text(text: str, draw: random.Random, year: int) -> Document:
    """Return a text of a year of the history, at a day by chance."""
    date = f"202{year}-{draw.randint(1, 12):02d}-{draw.randint(1, 28):02d}"
    return Document.from_text(text, name=f"{draw.getrandbits(48):012x}", date=date)


def _inside(text: str, host: str) -> str:
    """Return another text with a paragraph from the middle of a text in it."""
    start = (len(text) - PARAGRAPH) // 2
    half = len(host) // 2
    return f"{host[:half]}\n{text[start : start + PARAGRAPH]}\n{host[half:]}"


def _planted_rows(
    pieces: Sequence[str], corpus: str, queries: int, draw: random.Random
) -> tuple[list[tuple[object, ...]], tuple[object, ...]]:
    archive, planted = plant(pieces, queries, draw)
    asked = [one.document for one in planted]
    result = check(asked, against=archive, settings=REPOST_SETTINGS)
    hits = _hits(result, len(asked))
    rows: list[tuple[object, ...]] = []
    for kind in dict.fromkeys(one.kind for one in planted if one.original >= 0):
        of_kind = [row for row, one in enumerate(planted) if one.kind == kind]
        recalled = [row for row in of_kind if hits[row] & _true(planted[row])]
        for dates in DATES:
            first = sum(
                _original_first(planted[row], hits[row], archive, dates, draw) for row in recalled
            )
            share = first / len(recalled) if recalled else float("nan")
            rows.append((
                corpus, kind, dates, len(of_kind), round(len(recalled) / len(of_kind), 4),
                round(first / len(of_kind), 4), round(share, 4),
            ))  # fmt: skip
    false = sum(len(hits[row] - _true(one)) for row, one in enumerate(planted))
    per_thousand = round(1000 * false / len(planted), 2)
    return rows, (corpus, len(planted), len(archive), false, per_thousand)


def _hits(result: CheckResult, asked: int) -> list[set[int]]:
    """Return the rows of the archive that are worth looking at for each query."""
    table = result.table
    counted = worth_reading(result)
    hits: list[set[int]] = [set() for _ in range(asked)]
    columns = (table.pairs.left[counted], table.pairs.right[counted])
    for left, right in zip(*(column.tolist() for column in columns), strict=True):
        if left < asked <= right:
            hits[left].add(right - asked)
    return hits


def _true(one: Planted) -> set[int]:
    return {one.original, one.original + 1} if one.original >= 0 else set()


def _original_first(
    one: Planted, hits: set[int], archive: Sequence[Document], dates: str, draw: random.Random
) -> bool:
    """Return whether the original is named first, with all, half or none of the dates."""
    rows = sorted(hits)
    asked = _dated(one.document, dates, draw)
    traced = trace([asked], [_dated(archive[row], dates, draw) for row in rows])
    for group in traced.groups:
        if 0 in group.rows or any(link.version == 0 for link in group.further):
            first = traced.result.documents[group.original].id
            return first == archive[one.original].id
    return False


def _dated(document: Document, dates: str, draw: random.Random) -> Document:
    if dates == "all" or (dates == "half" and draw.random() < 0.5):
        return document
    return Document.from_text(document.text, name=document.name)


def evaluate_reposts(
    root: Path | None = None,
    *,
    queries: int = 20,
    chains_most: int | None = None,
    archive: int = 2000,
    seed: int = 1,
    progress: Progress | None = None,
) -> list[Table]:
    """Measure the order of revisions, and what is said of planted reposts.

    Parameters
    ----------
    root
        Folder of the corpora; None: that of `corpora()`.
    queries
        Of each kind, for each corpus.
    chains_most
        Chains of each language, by chance; None: all.
    archive
        Pieces of text of each corpus to draw from.
    """
    folder = root or corpora()
    if folder is None:
        raise BadInput("no_corpora", path="LEITONG_CORPORA")
    tables = [_chain_rows(chains(folder, most=chains_most), seed, progress)]
    planted: list[tuple[object, ...]] = []
    clean: list[tuple[object, ...]] = []
    for corpus, folders in CORPORA.items():
        draw = random.Random(f"{seed} {corpus}")
        pieces = pieces_of(folder, folders, archive, draw)
        if len(pieces) >= NEEDED:
            rows, false = _planted_rows(pieces, corpus, queries, draw)
            planted += rows
            clean.append(false)
    return [
        *tables,
        *order_tables(known_chains(folder, seed=seed), seed=seed, progress=progress),
        short_table(short(folder, seed=seed), seed=seed),
        *plant_tables(folder, seed=seed),
        Table("reposts_planted", PLANTED, planted),
        Table("reposts_false", CLEAN, clean),
    ]


# --------------------------------------------------------------------------- plants
FOUND = ("kind", "plants", "sources", "found", "source_first", "listed", "folded")
SUMS = ("archive", "plants", "sources", "listed", "a_true_one", "kept", "a_true_one_kept")
KINDS = (
    *("verbatim", "5%", "20%", "50%", "paragraph"),
    *("merged", "reordered", "cut", "excerpt", "careless"),
)
EACH, ARCHIVE = 6, 1500
PART, LEAST = 2400, 1500  # characters of a part of a statute; of one that is planted
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
    ours = (table.pairs.left == at) & (table.pairs.right >= result.checked)
    hits, looked = np.flatnonzero(ours & listed), np.flatnonzero(ours & unfolded)
    names = [result.documents[int(table.pairs.right[row])].name for row in looked]
    order = np.argsort(-table.coverage_a[looked], kind="stable")
    first = bool(len(order)) and names[int(order[0])] in plant.sources
    recalled = len(set(names) & set(plant.sources))
    return len(plant.sources), recalled, int(first), len(hits), len(set(hits) - set(looked))
