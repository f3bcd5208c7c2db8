"""Which version was first: texts whose order is known, with right, missing and false dates.

Real ones are the yearly states of both books and the amended acts; reposts of statutes, news and
English articles are made here. A part is kept aside by name: nothing is chosen on it.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np

from ...model import F64, Document, Progress
from ...reposts import Lineage, Reading, lineage, overlap_of, read_versions
from ...reposts.dates import read_date
from ...reposts.direction import WEIGHTS, measures
from ...reposts.lineage import Ends, Versions, line_of, word_distances
from ...reposts.reading import Overlap
from ...reposts.witnesses import FAIR, FIRST, LEVELS, UNSURE, measures_of_first
from ...text.lengths import unit_of
from .. import Code, Table
from .families import edited

ORDERS = (
    *("kind", "dates", "chains", "first_right", "whole_right", "said_certain"),
    *("certain_wrong", "conflicts"),
)
OF_LEVELS = ("level", "kind", "chains", "first_right")
OF_SHORT = ("unit", "shortest", "chains", "first_right", "likely", "likely_right", "very_likely",
            "very_right")  # fmt: skip
LEARNT = ("measure", "weight", "learnt")
DATES = ("right", "missing", "false", "reversed", "none")
BOOKS = {"book_en": "en_rust_book", "book_zh": "zh_rust_book"}
MOST_STATES = 6
SHORTEST = 600  # characters
MADE = 120  # chains of each genre and part
#: lengths of texts that reposts are made of, by genre
LENGTHS = {"act": (800, 9000), "news": (500, 9000), "english": (2500, 15000)}
#: words or characters that short texts are cut to, so many of each genre, part and length; and the
#: bands of the table, by the shortest version
SHORTENED, SHORT_MADE = (40, 60, 90, 130, 190, 280, 400, 600), 60
SHORT_BANDS = {"characters": (0, 100, 200, 300, 400), "words": (0, 60, 100, 200)}
RIDGE = 0.02
STILL = 1e-8  # slope of the loss at which weights are learnt
_ARTICLE = re.compile(r"(?m)^(#+ .*|第[一二三四五六七八九十百零]+[条章节][ \u3000]*)")
_SENTENCE = re.compile(r"(?<=[。！？；])|(?<=[.!?])(?=\s)")


@dataclass(frozen=True, slots=True)
class Known:
    """Versions of one text, oldest first."""

    kind: str
    name: str
    texts: tuple[str, ...]
    aside: bool


def known_chains(root: Path, *, seed: int = 1) -> list[Known]:
    """Return the real chains and those made by the seed."""
    sources = _sources(root)
    real = {name for pair in _act_pairs(root) for name in pair}
    sources["act"] = [one for one in sources["act"] if one[0] not in real]
    acts = [one for one in _texts(root / "zh_laws_dev" / "docs", "act") if one[0] not in real]
    made = [chain for kind, texts in sources.items() for chain in _reposted(kind, texts, seed)]
    return [*_books(root), *_amended(root), *_revised(acts, seed), *made]


def _sources(root: Path) -> dict[str, list[tuple[str, str]]]:
    """Return named texts of each genre that reposts are made of."""
    acts = _texts(root / "zh_laws_dev" / "docs", "act")
    return {
        "act": [(name, _ARTICLE.sub("", text).strip()) for name, text in acts],
        "news": [
            (name, text)
            for name, text in _texts(root / "zh_paraphrase_dev" / "src", "news")
            if "第一条" not in text
        ],
        "english": _texts(root / "pan13_dev" / "src", "english"),
    }


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
            if len(texts) > 1 and len(set(texts)) == len(texts) and long:
                chapter = re.sub(r"^.*?(src_|__)", "", name)  # editions share their chapters
                yield Known(kind, name, tuple(texts[:MOST_STATES]), is_aside(chapter))


def _act_pairs(root: Path) -> list[tuple[str, str]]:
    table = root / "zh_laws_dev" / "version_pairs.tsv"
    if not table.is_file():
        return []
    rows = [line.split("\t") for line in table.read_text("utf-8").splitlines()[1:]]
    return [(row[0], row[1]) for row in rows]


def _amended(root: Path) -> Iterator[Known]:
    """Yield the amended acts without their head, which names the years; too few to choose on."""
    for older, newer in _act_pairs(root):
        texts = tuple(
            statute_body((root / "zh_laws_dev" / "docs" / f"{name}.md").read_text("utf-8"))
            for name in (older, newer)
        )
        yield Known("amended", older, texts, aside=True)


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
    for aside in (False, True):
        mine = [(name, text) for name, text in texts if is_aside(name) == aside]
        draw = random.Random(f"{seed} {kind} {aside}")
        pool = [text for _, text in mine]
        for number in range(MADE if mine else 0):
            name, text = mine[number] if number < len(mine) else draw.choice(mine)
            versions = _versions(text, pool, draw)
            if len(versions) > 1:
                yield Known(kind, f"{name}-{number}", tuple(versions), aside)


def short(root: Path, *, seed: int = 1) -> Iterator[Known]:
    """Yield reposts of short texts: a headline and some sentences of the sources of `known`."""
    for kind, texts in _sources(root).items():
        for aside in (False, True):
            mine = [text for name, text in texts if is_aside(name) == aside]
            draw = random.Random(f"{seed} short {kind} {aside}")
            for length in SHORTENED if mine else ():
                cut = [_shortened(text, length, draw) for text in draw.choices(mine, k=150)]
                for number in range(SHORT_MADE):
                    versions = _versions(cut[number], cut, draw)
                    if len(versions) > 1:
                        yield Known(kind, f"{length}-{number}", tuple(versions), aside)


def _shortened(text: str, length: int, draw: random.Random) -> str:
    """Return the beginning of the headline and sentences of so many words or characters."""
    head, *body = lines_of(text)
    han = unit_of(text) == "characters"
    sentences = [s.strip() for line in body for s in _sentences(line)]
    start, held, n = draw.randrange(max(1, len(sentences) - 3)), [head[: 30 if han else 80]], 0
    for sentence in sentences[start:]:
        held.append(sentence)
        n += len(sentence) if han else len(sentence.split())
        if n >= length:
            break
    return "\n".join(held)


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
        body = [edited(line, rate, pool, draw) if len(line) > 10 else line for line in body]
    if draw.random() < 0.5:  # the headline
        short = head[: max(4, len(head) * 2 // 3)]
        head = edited(head, 0.5, pool, draw) if draw.random() < 0.5 else short
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


def _revised(acts: Sequence[tuple[str, str]], seed: int) -> Iterator[Known]:
    """Yield acts with older states: sentences missing, a few gone later, terms otherwise called."""
    for aside in (False, True):
        mine = [text for name, text in acts if is_aside(name) == aside]
        draw = random.Random(f"{seed} revised {aside}")
        draw.shuffle(mine)
        for number, text in enumerate(mine[: MADE * 2 // 3]):
            texts = [text]
            for _ in range(draw.choice([1, 1, 2, 3])):
                older = _older(texts[0], mine, draw)
                if older not in texts and len(older) > SHORTEST // 2:
                    texts.insert(0, older)
            if len(texts) > 1:
                yield Known("revised", f"{number}", tuple(texts), aside)


def _older(text: str, pool: Sequence[str], draw: random.Random) -> str:
    missing, gone = draw.uniform(0.02, 0.3), draw.uniform(0, 0.12)
    other = [line for line in lines_of(draw.choice(pool))[1:] if len(line) > 20]
    lines = []
    for line in lines_of(text):
        rest = "".join(s for s in _sentences(line) if draw.random() > missing or len(s) < 12)
        lines += [rest] if rest.strip() else []
        lines += [draw.choice(other)] if draw.random() < gone and other else []
    older = "\n".join(lines)
    if draw.random() < 0.7:
        terms = sorted(
            {word for word in re.findall("[\u4e00-\u9fff]{4}", older) if older.count(word) > 2}
        )
        for term in draw.sample(terms, min(len(terms), draw.randint(1, 3))):
            named = re.search("[\u4e00-\u9fff]{4}", draw.choice(pool)[draw.randrange(400) :])
            older = older.replace(term, named[0]) if named else older
    return older


# --------------------------------------------------------------------------- dates
def dated(chain: Known, dates: str, draw: random.Random) -> list[str]:
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


@dataclass(frozen=True, slots=True)
class _Read:
    chain: Known
    readings: list[Reading]
    overlaps: dict[tuple[int, int], Overlap]


def _read(chain: Known) -> _Read:
    readings = read_versions([Document.from_text(text, name="text") for text in chain.texts])
    pairs = combinations(range(len(readings)), 2)
    overlaps = {(a, b): overlap_of(readings[a], readings[b]) for a, b in pairs}
    return _Read(chain, readings, overlaps)


def _history(read: _Read, dates: str, seed: int) -> tuple[Lineage, list[int]]:
    """Return the lineage of the versions in random order, and their places in truth."""
    chain = read.chain
    draw = random.Random(f"{seed} {chain.kind} {chain.name} {dates}")
    places = list(range(len(chain.texts)))
    days = dated(chain, dates, draw)
    draw.shuffle(places)
    readings = [_with_date(read.readings[place], days[place]) for place in places]
    overlaps = {}
    for a, b in combinations(range(len(places)), 2):
        first, second = places[a], places[b]
        overlap = read.overlaps[min(first, second), max(first, second)]
        overlaps[a, b] = overlap if first < second else overlap.turned()
    return lineage(readings, overlaps), places


def _with_date(reading: Reading, day: str) -> Reading:
    """Return a reading that is dated by the name of its file, or has no date at all."""
    return replace(reading, moment=read_date(day, source="name") if day else None)


# --------------------------------------------------------------------------- tables
def order_tables(
    chains: Sequence[Known], *, seed: int = 1, progress: Progress | None = None
) -> list[Table]:
    """Measure the chains kept aside with every kind of dates, and what each level was worth."""
    aside = [chain for chain in chains if chain.aside]
    scores: dict[tuple[str, str], list[tuple[float, ...]]] = defaultdict(list)
    levels: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for number, chain in enumerate(aside):
        read = _read(chain)
        for dates in DATES:
            history, places = _history(read, dates, seed)
            order = [places[row] for row in history.order]
            right = order[0] == 0
            whole = order == sorted(order)
            row = (right, whole, history.certain, history.certain and not right, history.conflict)
            scores[chain.kind, dates].append(tuple(map(float, row)))
            if dates == "none":
                levels[history.words.level, chain.kind].append(right)
        if progress is not None:
            progress("candidates", number + 1, len(aside))
    return [_order_table(scores), _level_table(levels)]


def _order_table(scores: Mapping[tuple[str, str], list[tuple[float, ...]]]) -> Table:
    rows: list[tuple[object, ...]] = []
    for dates in DATES:
        kinds = sorted(kind for kind, of in scores if of == dates)
        for kind in (*kinds, "all"):
            held = [
                one for (of, when), some in scores.items() for one in some
                if when == dates and kind in (of, "all")
            ]  # fmt: skip
            sums = np.sum(held, axis=0).astype(int).tolist() if held else [0] * 5
            rows.append((Code(f"order_{kind}"), Code(f"dates_{dates}"), len(held), *sums))
    return Table("reposts_orders", ORDERS, rows)


def short_table(chains: Iterable[Known], *, seed: int = 1) -> Table:
    """Measure what the words are worth where the shortest version is short, whatever its level.

    `likely` counts likelihoods from `UNSURE`, `very_likely` those from `FAIR`.
    """
    counts: dict[tuple[str, int], list[tuple[float, ...]]] = defaultdict(list)
    for chain in chains:
        read = _read(chain)
        history, places = _history(read, "none", seed)
        right, likelihood = places[history.order[0]] == 0, history.words.likelihood
        shortest, unit = min(map(len, read.readings)), unit_of(chain.texts[0])
        band = max(begin for begin in SHORT_BANDS[unit] if begin <= shortest)
        likely, very = likelihood >= UNSURE, likelihood >= FAIR
        row = (1, right, likely, likely and right, very, very and right)
        counts[unit, band].append(tuple(map(float, row)))
    rows = [
        (Code(f"unit_{unit}"), band, *np.sum(of, axis=0).astype(int).tolist())
        for (unit, band), of in sorted(counts.items())
    ]
    return Table("reposts_short", OF_SHORT, rows)


#: made to be learnt from: what they say about levels is what was put into them
_NOT_COUNTED = frozenset(("revised",))


def _level_table(levels: Mapping[tuple[str, str], list[bool]]) -> Table:
    rows: list[tuple[object, ...]] = []
    for level in LEVELS:
        kinds = sorted(kind for of, kind in levels if of == level)
        for kind in kinds:
            held = levels[level, kind]
            rows.append((Code(f"level_{level}"), Code(f"order_{kind}"), len(held), sum(held)))
        counted = [r for k in kinds if k not in _NOT_COUNTED for r in levels[level, k]]
        rows.append((Code(f"level_{level}"), Code("order_all"), len(counted), sum(counted)))
    return Table("reposts_levels", OF_LEVELS, rows)


# --------------------------------------------------------------------------- learning
def learn(chains: Sequence[Known]) -> Table:
    """Learn the weights of `direction` and `witnesses` on the chains that are not kept aside.

    Notes
    -----
    Two logistic models with a ridge, each kind of chain weighing the same: of pairs, which came
    first; then of versions of a chain, which was the first.
    """
    reads = [_read(chain) for chain in chains if not chain.aside]
    names = [name for kind in WEIGHTS.values() for name in kind]
    per_kind = Counter(read.chain.kind for read in reads)
    vectors = [{ends: _vector(read, *ends, names) for ends in read.overlaps} for read in reads]
    choices = [
        (np.stack([row, -row]) / 2, 1 / (per_kind[read.chain.kind] * len(of_read)))
        for read, of_read in zip(reads, vectors, strict=True)
        for row in of_read.values()
    ]
    weights = _fitted(choices)
    firsts = [
        (_of_first(read, of_read, weights), 1 / per_kind[read.chain.kind])
        for read, of_read in zip(reads, vectors, strict=True)
    ]
    used = [WEIGHTS[kind][name] for kind in WEIGHTS for name in WEIGHTS[kind]]
    used += FIRST.values()
    learnt = [*weights, *_fitted(firsts)]
    rows = zip((*names, *FIRST), used, (round(float(one), 3) for one in learnt), strict=True)
    return Table("reposts_learnt", LEARNT, list(rows))


def _vector(read: _Read, a: int, b: int, names: Sequence[str]) -> F64:
    measured = measures(read.readings[a], read.readings[b], read.overlaps[a, b])
    return np.array([measured[name] for name in names])


def _of_first(read: _Read, vectors: Mapping[Ends, F64], weights: F64) -> F64:
    """Return the measures of every version as the first, (n, m), by weights just learnt."""
    n = len(read.readings)
    odds = np.zeros((n, n))
    for (a, b), vector in vectors.items():
        odds[a, b] = float(vector @ weights)
        odds[b, a] = -odds[a, b]
    versions = Versions(read.readings, read.overlaps, read.overlaps)
    measured = measures_of_first(odds, word_distances(versions), line_of(versions))
    return np.stack([measured[name] for name in FIRST], axis=1)


def _fitted(choices: Sequence[tuple[F64, float]]) -> F64:
    """Return weights with which the first row of each (n, m) is chosen: a conditional logit.

    By Newton's steps, halved where they lead too far; the ridge makes the minimum the only one.
    """
    spread = np.std(np.concatenate([rows - rows.mean(axis=0) for rows, _ in choices]), axis=0)
    scale = np.where(spread > 0, spread, 1.0)
    total = sum(weight for _, weight in choices)
    scaled = [(rows / scale, weight / total) for rows, weight in choices]
    weights = np.zeros(len(scale))
    cost, slope, curve = _loss(scaled, weights)
    while np.abs(slope).max() > STILL:
        step = np.linalg.solve(curve, slope)
        while (ahead := _loss(scaled, weights - step))[0] > cost:
            step /= 2
        weights, (cost, slope, curve) = weights - step, ahead
    return np.asarray(weights / scale, float)


def _loss(choices: Sequence[tuple[F64, float]], weights: F64) -> tuple[float, F64, F64]:
    """Return the loss of a conditional logit with a ridge, its slope (m,) and curve (m, m)."""
    cost, slope = RIDGE / 2 * float(weights @ weights), RIDGE * weights
    curve = RIDGE * np.eye(len(weights))
    for rows, weight in choices:
        scores = rows @ weights
        likely = np.exp(scores - scores.max())
        likely /= likely.sum()
        mean = likely @ rows
        cost -= weight * float(np.log(likely[0]))
        slope = slope - weight * (rows[0] - mean)
        curve = curve + weight * ((rows.T * likely) @ rows - np.outer(mean, mean))
    return cost, slope, curve
