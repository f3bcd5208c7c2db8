"""The history of texts: which version was first, and planted reposts found in an archive.

Texts whose order is known, with right, missing and false dates: the yearly states of both books,
the amended acts, and reposts of statutes, news and English articles that are made here. A part is
kept aside by name, and only that part is measured: the weights of the clues were learnt on the
other.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np

from ..checking.pipeline import check
from ..errors import BadInput
from ..model import Bools, Document, Progress, report_nothing
from ..reposts import Lineage, lineage, mark_worth_reading, overlap_of, read_versions
from ..reposts.dates import read_date
from ..reposts.tracing import REPOST_SETTINGS
from ..reposts.witnesses import LEVELS
from ..result import CheckResult
from . import Code, Table
from .edited import corpora, edit_words

ORDERS = (
    *("kind", "dates", "chains", "first_right", "whole_right", "said_certain"),
    *("certain_wrong", "conflicts"),
)
OF_LEVELS = ("level", "kind", "chains", "first_right")
FOUND = ("kind", "plants", "sources", "found", "source_first", "listed", "folded")
SUMS = ("archive", "plants", "sources", "listed", "a_true_one", "kept", "a_true_one_kept")
DATES = ("right", "missing", "false", "reversed", "none")
BOOKS = {"book_en": "en_rust_book", "book_zh": "zh_rust_book"}
MOST_STATES = 6
SHORTEST = 600  # characters
MADE = 120  # chains of each genre and part
#: lengths of texts that reposts are made of, by genre
LENGTHS = {"act": (800, 9000), "news": (500, 9000), "english": (2500, 15000)}
KINDS = (
    *("verbatim", "5%", "20%", "50%", "paragraph"),
    *("merged", "reordered", "cut", "excerpt", "careless"),
)
EACH, ARCHIVE = 6, 1500  # plants of each kind; texts of the archive
PARAGRAPH = 300  # characters, at a place of their own in another text
PART, LEAST = 2400, 1500  # characters of a part of a statute; of one that is planted
SHINGLE, RELATED = 12, 0.05  # characters; share of them that makes two texts related
NEWS_SHINGLE, HOSTS = 5, 12
_ARTICLE = re.compile(r"(?m)^(#+ .*|第[一二三四五六七八九十百零]+[条章节][ \u3000]*)")
_SENTENCE = re.compile(r"(?<=[。！？；])|(?<=[.!?])(?=\s)")


def evaluate_reposts(
    root: Path | None = None, *, seed: int = 1, progress: Progress = report_nothing
) -> list[Table]:
    """Measure the order of versions, and what is said of planted reposts.

    Parameters
    ----------
    root
        Folder of the corpora; None: that of `corpora()`.

    Returns
    -------
    list of Table
        For each kind of chain and of dates: first version right, whole order right, said to be
        certain, certain and wrong, conflicts shown; what each level of likelihood was worth; for
        each kind of plant what is found, first, listed and folded, and the sums of these.
    """
    folder = root or corpora()
    if folder is None:
        raise BadInput("no_corpora", path="LEITONG_CORPORA")
    return [*order_tables(known_chains(folder, seed), seed, progress), *plant_tables(folder, seed)]


@dataclass(frozen=True, slots=True)
class Known:
    """Versions of one text, oldest first."""

    kind: str
    name: str
    texts: tuple[str, ...]


def known_chains(root: Path, seed: int) -> list[Known]:
    """Return the chains that are kept aside: the real ones, and those made by the seed."""
    pairs = _act_pairs(root)
    real = {name for pair in pairs for name in pair}
    acts = [(n, t) for n, t in _texts(root / "zh_laws_dev" / "docs", "act") if n not in real]
    news = _texts(root / "zh_paraphrase_dev" / "src", "news")
    sources = {
        "act": [(name, _ARTICLE.sub("", text).strip()) for name, text in acts],
        "news": [(name, text) for name, text in news if "第一条" not in text],
        "english": _texts(root / "pan13_dev" / "src", "english"),
    }
    made = [chain for kind, texts in sources.items() for chain in _reposted(kind, texts, seed)]
    return [*_books(root), *_amended(root, pairs), *made]


def is_aside(name: str) -> bool:
    """Return whether nothing is chosen on texts of this name."""
    return hashlib.md5(name.encode(), usedforsecurity=False).digest()[0] % 2 == 1


# --------------------------------------------------------------------------- real ones
def _books(root: Path) -> Iterator[Known]:
    for kind, book in BOOKS.items():
        states: dict[str, list[str]] = defaultdict(list)
        for path in sorted((root / book / "docs").glob("*__*.md")):
            text, held = path.read_text("utf-8"), states[path.stem.rpartition("__")[0]]
            if not held or text != held[-1]:
                held.append(text)
        for name, texts in sorted(states.items()):
            long = min(map(len, texts)) >= SHORTEST
            chapter = re.sub(r"^.*?(src_|__)", "", name)  # editions share their chapters
            if len(set(texts)) == len(texts) > 1 and long and is_aside(chapter):
                yield Known(kind, name, tuple(texts[:MOST_STATES]))


def _act_pairs(root: Path) -> list[tuple[str, str]]:
    table = root / "zh_laws_dev" / "version_pairs.tsv"
    if not table.is_file():
        return []
    rows = [line.split("\t") for line in table.read_text("utf-8").splitlines()[1:]]
    return [(row[0], row[1]) for row in rows]


def _amended(root: Path, pairs: Sequence[tuple[str, str]]) -> Iterator[Known]:
    """Yield the amended acts without their head, which names the years; none was chosen on."""
    for older, newer in pairs:
        texts = tuple(
            statute_body((root / "zh_laws_dev" / "docs" / f"{name}.md").read_text("utf-8"))
            for name in (older, newer)
        )
        yield Known("amended", older, texts)


def statute_body(text: str) -> str:
    """Return a statute without its head, which names the years."""
    return text.split("<!-- INFO END -->")[-1].strip()


def _texts(folder: Path, kind: str) -> list[tuple[str, str]]:
    low, high = LENGTHS[kind]
    suffix = ".md" if kind == "act" else ".txt"
    read = [
        (path.stem, statute_body(path.read_text("utf-8-sig", errors="replace")))
        for path in sorted(folder.glob(f"*{suffix}"))
    ]
    return [(name, text) for name, text in read if low <= len(text) <= high]


# --------------------------------------------------------------------------- made ones


def _reposted(kind: str, texts: Sequence[tuple[str, str]], seed: int) -> Iterator[Known]:
    """Yield chains of reposts: each is made from the one before it or from the first."""
    mine = [(name, text) for name, text in texts if is_aside(name)]
    draw = random.Random(f"{seed} {kind} True")
    pool = [text for _, text in mine]
    for number in range(MADE if mine else 0):
        name, text = mine[number] if number < len(mine) else draw.choice(mine)
        versions = _versions(text, pool, draw)
        if len(versions) > 1:
            yield Known(kind, f"{name}-{number}", tuple(versions))


def _versions(text: str, pool: Sequence[str], draw: random.Random) -> list[str]:
    head, *body = lines_of(text)
    if len(body) < 4:
        body = [sentence.strip() for line in body for sentence in _sentences(line)]
    if len(body) < 5:
        return []
    held = set(draw.sample(range(len(body)), draw.randint(0, max(1, len(body) // 4))))
    reserve = [line for at, line in enumerate(body) if at in held]
    versions = ["\n".join([head, *(line for at, line in enumerate(body) if at not in held)])]
    for _ in range(draw.choice([1, 1, 2, 3])):
        base = versions[-1] if draw.random() < 0.5 else versions[0]
        made = _repost(base, reserve, pool, draw)
        if made not in versions:
            versions.append(made)
    return versions


def lines_of(text: str) -> list[str]:
    """Return the lines of a text that are not blank."""
    return [line.strip() for line in text.split("\n") if line.strip()]


def _sentences(line: str) -> list[str]:
    return [sentence for sentence in _SENTENCE.split(line) if sentence.strip()]


def _repost(text: str, reserve: list[str], pool: Sequence[str], draw: random.Random) -> str:
    """Return a repost: cut, expanded, merged with another text, or with words replaced."""
    head, *body = lines_of(text)
    way = draw.choices(["cut", "expand", "merge", "words"], [0.36, 0.3, 0.12, 0.22])[0]
    if way == "cut" and len(body) > 2:
        body = _cut(body, draw)
    elif way == "expand":
        body = _expanded(body, reserve, pool, draw)
    elif way == "merge":
        other = lines_of(draw.choice(pool))[1:]
        other = other[: max(1, round(draw.uniform(0.2, 0.8) * len(other)))]
        body = [*body, *other] if draw.random() < 0.6 else [*other, *body]
    if way == "words" or draw.random() < 0.4:
        rate = draw.uniform(0.01, 0.12 if way == "words" else 0.05)
        body = [edit_words(line, rate, pool, draw) if len(line) > 10 else line for line in body]
    if draw.random() < 0.5:  # the headline
        short = head[: max(4, len(head) * 2 // 3)]
        head = edit_words(head, 0.5, pool, draw) if draw.random() < 0.5 else short
    return _marks("\n".join([head, *body]), draw)


def _cut(body: list[str], draw: random.Random) -> list[str]:
    share = draw.uniform(0.1, 0.5)
    gone = max(1, round(share * len(body)))
    way = draw.choice(["tail", "excerpt", "random", "sentences"])
    if way == "tail":
        return body[:-gone]
    if way == "excerpt":
        start = draw.randrange(gone + 1)
        return body[start : len(body) - (gone - start)]
    if way == "random":
        dropped = set(draw.sample(range(len(body)), gone))
        return [line for at, line in enumerate(body) if at not in dropped]
    lines = ["".join(s for s in _sentences(line) if draw.random() > share) for line in body]
    return [line.strip() for line in lines if line.strip()] or body


def _expanded(
    body: list[str], reserve: list[str], pool: Sequence[str], draw: random.Random
) -> list[str]:
    """Return the text with paragraphs that were held back of it, or with those of another."""
    if reserve and draw.random() < 0.6:
        count = min(len(reserve), draw.randint(1, 4))
        added = [reserve.pop(draw.randrange(len(reserve))) for _ in range(count)]
    else:
        other = lines_of(draw.choice(pool))[1:]
        added = draw.sample(other, min(len(other), draw.randint(1, 4)))
    for line in added:
        body.insert(draw.randrange(len(body) + 1), line)
    return body


def _marks(text: str, draw: random.Random) -> str:
    """Tidy the marks, or make them careless, or join sentences by commas; mostly leave them."""
    tidied = draw.random()
    if tidied < 0.2:
        text = text.replace("...", "…").replace("--", "—")
        text = re.sub(r'"([^"\n]*)"', r"“\1”", text)
    elif tidied < 0.32:
        text = re.sub("[“”]", '"', text.replace("…", "...")).replace("’", "'")
    stops = [match.start() for match in re.finditer("。(?=[^\n])", text)]
    if draw.random() < 0.15 and stops:
        for at in draw.sample(stops, max(1, len(stops) // 8)):
            text = f"{text[:at]}，{text[at + 1 :]}"
    return text


# --------------------------------------------------------------------------- orders


def date_versions(chain: Known, dates: str, draw: random.Random) -> list[str]:
    """Return the dates of the versions: all right, some missing, one false, reversed or none."""
    n = len(chain.texts)
    days = [f"2021-03-{3 + 2 * at:02d}" for at in range(n)]
    if dates == "none":
        return [""] * n
    if dates == "reversed":
        return days[::-1]
    if dates == "missing":
        return [day if draw.random() < 0.5 else "" for day in days]
    if dates == "false":  # a later version is backdated
        days[draw.randrange(1, n)] = "2021-03-01"
    return days


def _histories(chain: Known, seed: int) -> Iterator[tuple[str, Lineage, list[int]]]:
    """Yield dates, the lineage of the versions in random order, and their places in truth.

    A version is dated by the name of its file, or has no date at all.
    """
    read = read_versions([Document.from_text(text, name="text") for text in chain.texts])
    n = len(read)
    known = {(a, b): overlap_of(read[a], read[b]) for a, b in combinations(range(n), 2)}
    for dates in DATES:
        draw = random.Random(f"{seed} {chain.kind} {chain.name} {dates}")
        days = date_versions(chain, dates, draw)
        places = list(range(n))
        draw.shuffle(places)
        moments = [read_date(days[p], source="name") if days[p] else None for p in places]
        readings = [replace(read[p], moment=m) for p, m in zip(places, moments, strict=True)]
        overlaps = {}
        for a, b in combinations(range(n), 2):
            first, second = places[a], places[b]
            overlaps[a, b] = (
                known[first, second] if first < second else known[second, first].turned()
            )
        yield dates, lineage(readings, overlaps), places


def order_tables(chains: Sequence[Known], seed: int, progress: Progress) -> list[Table]:
    """Measure chains with every kind of dates, and what each level of likelihood was worth."""
    scores: dict[tuple[str, str], list[tuple[bool, ...]]] = defaultdict(list)
    levels: dict[tuple[str, str], list[tuple[bool, ...]]] = defaultdict(list)
    for number, chain in enumerate(chains):
        for dates, history, places in _histories(chain, seed):
            order = [places[row] for row in history.order]
            right = order[0] == 0
            certain = history.certain, history.certain and not right
            row = (right, order == sorted(order), *certain, bool(history.conflict))
            for kind in (chain.kind, "all"):
                scores[dates, kind].append(row)
                if dates == "none":
                    levels[history.words.level, kind].append((right,))
        progress("candidates", number + 1, len(chains))
    kinds = [*sorted({chain.kind for chain in chains}), "all"]
    rows = [
        (Code(f"order_{kind}"), Code(f"dates_{dates}"), *_sums(scores[dates, kind], 5))
        for dates in DATES
        for kind in kinds
    ]
    of_levels = [
        (Code(f"level_{level}"), Code(f"order_{kind}"), *_sums(levels[level, kind], 1))
        for level in LEVELS
        for kind in kinds
        if kind == "all" or levels[level, kind]
    ]
    return [Table("reposts_orders", ORDERS, rows), Table("reposts_levels", OF_LEVELS, of_levels)]


def _sums(rows: Sequence[tuple[bool, ...]], marks: int) -> tuple[int, ...]:
    """Return how many rows there are, and how many have each mark."""
    return len(rows), *np.array(rows, np.int64).reshape(-1, marks).sum(axis=0).tolist()


# --------------------------------------------------------------------------- plants


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
        return edit_words(text, int(kind[:-1]) / 100, pool, draw)
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


def plant_tables(root: Path, seed: int) -> list[Table]:
    """Measure what is found, what stands first, and what is folded away."""
    draw = random.Random(f"{seed} plants")
    archive, hosts = archive_of(root, draw)
    planted = plants_of(archive, hosts, draw)
    documents = [Document.from_text(text, name=name) for name, text in archive]
    asked = [Document.from_text(one.text, name=f"new {at}") for at, one in enumerate(planted)]
    result = check(asked, against=documents, settings=REPOST_SETTINGS)
    listed = result.table.listed(result.threshold, result.batch_threshold)
    unfolded = mark_worth_reading(result)
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
    result: CheckResult, at: int, plant: Plant, listed: Bools, unfolded: Bools
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
