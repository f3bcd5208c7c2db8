"""How do time and memory of a check with passages grow with the number of documents?

Texts of a corpus that does not repeat itself: pieces of some 700 characters of web pages and
essays, of 300 of Chinese statutes and essays (LEITONG_CORPORA), of which no two have ten words or
twenty characters in a row in common; one in ten then gets a stretch of another, edited. Each size
is checked in a process of its own, without the search by meaning unless `--meaning` is given.
`--one-page` adds essays that all hold one page, each with twelve words changed. `--special`
checks 5,000 identical texts, and 500 texts that share 95 % of their words. `--pan FOLDER` makes
texts of the size of PAN's by drawing paragraphs of its sources and suspicious texts again (seeded).
`--no-passages` compares fingerprints alone.

CPU seconds, workers included, by what the check reports to be doing; the peak is the memory of the
process and of its workers together. With what runs besides, they change less than the clock does.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import tempfile
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks._shared import needs
from benchmarks._shared.clock import alone, cpu_seconds
from benchmarks._shared.report import Chart, Report, Table
from benchmarks.end_to_end import SEED
from simhash_core import Document, Settings, check, gather, read

SIZES = (500, 1_000, 2_000)
QUICK = {"sizes": [250, 500]}
LONG = {"sizes": [500, 1_000, 2_000, 5_000, 10_000, 16_000]}
MILLION = 1_000_000
#: stages as a check reports them
GROUPS = ("read", "tokens", "fingerprints", "candidates", "align", "chance", "meaning")
DRAWN = ("cpu", "align", "candidates", "chance", "meaning", "tokens", "fingerprints")
Rows = dict[str, dict[str, float]]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--no-passages", action="store_true")
    parser.add_argument("--meaning", action="store_true")
    parser.add_argument("--one-page", type=int, nargs="*", default=[], metavar="SIZE")
    parser.add_argument("--special", action="store_true")
    parser.add_argument("--pan", type=Path)
    parser.add_argument("--documents", type=int, default=5_000, help="with --pan")


def measure(options: argparse.Namespace) -> Report:
    """Check every size, or the special batches."""
    passages = not options.no_passages
    if options.special:
        return Report([table({name: in_folder(write) for name, write in SPECIAL.items()})])
    if options.pan:
        write = partial(write_pan, needs.labelled(options.pan), count=options.documents)
        return Report([table({f"{options.documents:,} of PAN's size": in_folder(write)})])
    check_in = partial(in_folder, passages=passages, meaning=options.meaning)
    rows = {f"{size:,}": check_in(partial(write_pieces, count=size)) for size in options.sizes}
    copied = {
        f"{size:,}, all with one page": check_in(partial(write_one_page, count=size))
        for size in options.one_page
    }
    steps = [second["cpu"] / first["cpu"] for first, second in pairwise(rows.values())]
    ratios = {"2.3 / largest factor of a doubling": 2.3 / max(steps)} if steps else {}
    notes = [
        "No two texts repeat each other, but one in ten holds an edited stretch of another; in the"
        " rows that say so all hold one page.",
        *extrapolate(rows),
    ]
    return Report([table(rows | copied)], notes, chart(rows, passages=passages), ratios)


def extrapolate(rows: Rows) -> list[str]:
    """Say by which exponents CPU seconds and memory grow, and what a million documents would take.

    By the two largest sizes, each stage as a power: nobody has run a million.
    """
    if len(rows) < 2:
        return []
    first, last = [*rows.values()][-2:]
    span = math.log(last["documents"] / first["documents"])
    stages = [name for name in (*GROUPS, "rest") if min(first[name], last[name]) > 0]
    power = {name: math.log(last[name] / first[name]) / span for name in ("cpu", *stages)}
    times = MILLION / last["documents"]
    hours = sum(last[name] * times ** power[name] for name in stages) / 3_600
    each = (last["peak_mb"] - first["peak_mb"]) / (last["documents"] - first["documents"])
    gigabytes = (last["peak_mb"] + each * (MILLION - last["documents"])) / 1_000
    return [
        f"From {first['documents']:,.0f} to {last['documents']:,.0f} documents, CPU time grows"
        f" with exponent {power['cpu']:.2f} and memory by {1_000 * each:.0f} kB a document.",
        f"A million documents would take {hours:.1f} CPU hours and {gigabytes:.0f} GB if every"
        " stage went on like this: computed, not run.",
    ]


def table(rows: Rows) -> Table:
    """Return CPU seconds by stage, pairs and memory; a stage that never ran is left out."""
    stages = [name for name in (*GROUPS, "rest") if any(row[name] for row in rows.values())]
    names = ("cpu", *stages, "aligned", "listed", "peak_mb")
    heads = ["documents", "CPU, s", *stages, "pairs aligned", "with passages", "peak, MB"]
    whole = ("aligned", "listed")
    return Table(
        heads,
        [
            [name, *(int(row[one]) if one in whole else row[one] for one in names)]
            for name, row in rows.items()
        ],
    )


def chart(rows: Rows, *, passages: bool) -> list[Chart]:
    """Draw CPU seconds and memory by number of documents."""
    if len(rows) < 2:
        return []
    lines = {
        name: [(row["documents"], max(row[name], 0.05)) for row in rows.values()]
        for name in DRAWN
        if any(row[name] > 0.05 for row in rows.values())
    }
    title = "A check with passages" if passages else "A check without passages"
    across = "documents of some 900 bytes"
    held = {"all processes": [(row["documents"], row["peak_mb"]) for row in rows.values()]}
    memory = Chart("growth_memory", "Memory of such a check", across, "MB", held, linear=True)
    return [Chart("growth", title, across, "CPU seconds", lines), memory]


def in_folder(
    write: Callable[[Path], None], *, passages: bool = True, meaning: bool = False
) -> dict[str, float]:
    """Write documents, and check them in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        return alone(measured, folder, passages, meaning)


def measured(folder: str, passages: bool, meaning: bool) -> dict[str, Any]:
    """Check a folder; return documents, CPU seconds by stage and pairs."""
    spent: dict[str, float] = defaultdict(float)
    at, since = "read", cpu_seconds()

    def progress(stage: str, done: int, total: int) -> None:
        nonlocal at, since
        if stage != at:
            now = cpu_seconds()
            spent[at] += now - since
            at, since = stage, now

    settings = Settings(passages=passages, meaning="auto" if meaning else "off")
    check(words(1), settings=settings)  # dictionaries are loaded
    first = since = cpu_seconds()
    documents, _ = read(gather([folder])[0])
    result = check(documents, settings=settings, progress=progress)
    progress("end", 1, 1)
    cpu = cpu_seconds() - first
    row = {"documents": float(len(documents)), "cpu": cpu, **dict.fromkeys(GROUPS, 0.0)}
    for stage, seconds in spent.items():
        if stage in GROUPS:
            row[stage] += seconds
    row["rest"] = cpu - sum(row[name] for name in GROUPS)
    facts = {one.code: one.params for one in result.guarantees}
    aligned = facts.get("passages_rare", facts.get("passages_all", {}))
    row["aligned"] = float(str(aligned.get("pairs", aligned.get("n", 0))))
    row["listed"] = float((result.table.passages > 0).sum())
    return row


def words(seed: int, count: int = 400) -> list[Document]:
    """Return thirty texts of made-up words."""
    rng = random.Random(seed)
    letters = "abcdefghijklmnopqrstuvwxyz"
    vocabulary = ["".join(rng.choices(letters, k=7)) for _ in range(3_000)]
    texts = [" ".join(rng.choices(vocabulary, k=count)) for _ in range(30)]
    return [Document.from_text(text, name=f"{row}.txt") for row, text in enumerate(texts)]


def write_pieces(folder: Path, count: int) -> None:
    """Write pieces of texts of which no two repeat each other, but for planted copies."""
    rng, seen, kept = random.Random(SEED), set[int](), list[str]()
    pool = [*pieces_of_corpora()]
    rng.shuffle(pool)
    for text in pool:
        units = UNITS[is_chinese(text)].findall(text.lower())
        width = 20 if is_chinese(text) else 10
        runs = {hash(tuple(units[at : at + width])) for at in range(len(units) - width + 1)}
        if runs and runs.isdisjoint(seen):
            seen |= runs
            kept.append(text)
    if count > len(kept):
        raise needs.Missing(f"has only {len(kept):,} pieces that do not repeat each other")
    for number, text in enumerate(kept[:count]):
        if number and number % 10 == 0:
            middle = len(text) // 2
            copied = edited(kept[number - 5], rng)
            text = f"{text[:middle]}\n{copied}\n{text[middle:]}"
        (folder / f"{number:06d}.txt").write_text(text, "utf-8")


#: what is compared of a text: words, or Chinese characters
UNITS = (re.compile(r"\w+"), re.compile("[\u4e00-\u9fff]"))


def is_chinese(text: str) -> bool:
    """Return whether a third of a text is Han."""
    return 3 * len(UNITS[1].findall(text)) > len(text)


def edited(text: str, rng: random.Random) -> str:
    """Return the beginning of a text, with one word in twelve or one character in 25 changed."""
    if is_chinese(text):
        return "".join(rng.choice("的了在和也很") if rng.random() < 0.04 else c for c in text[:120])
    parts = text[:250].split(" ")
    return " ".join(rng.choice(FILLERS) if at % 12 == 0 else part for at, part in enumerate(parts))


FILLERS = ("very", "some", "often", "really")


def pieces_of_corpora() -> Iterator[str]:
    """Cut web pages, essays and statutes at sentence ends, without what was planted in PAN's."""
    planted = defaultdict[str, set[tuple[int, int]]](set)
    for path in needs.corpus_files("pan13_dev/0*/*.xml"):
        root = ET.parse(path).getroot()
        for one in root.iter("feature"):
            if at := one.get("this_offset"):
                span = int(at), int(one.get("this_length", "0"))
                planted[root.get("reference", "")].add(span)
    for path in needs.corpus_files("pan13_dev/src/*.txt", "pan13_dev/susp/*.txt"):
        text = path.read_bytes().decode("utf-8", "replace")
        for begin, length in planted[path.name]:
            text = text[:begin] + " " * length + text[begin + length :]
        yield from cut_at_sentences(" ".join(text.split()), 700)
    for path in needs.corpus_files("honest_dev/asap1_300/*.txt"):
        yield from cut_at_sentences(" ".join(path.read_text("utf-8", "replace").split()), 700)
    for path in needs.corpus_files("zh_laws_dev/docs/*", "honest_dev/zh_essays/*"):
        yield from cut_at_sentences(path.read_text("utf-8", "replace"), 300)


def cut_at_sentences(text: str, size: int) -> Iterator[str]:
    """Yield pieces of at least `size` characters, and of at most 2,500."""
    piece = ""
    for sentence in re.split(r"(?<=[.!?] )|(?<=[。！？])", text):
        piece += sentence
        if len(piece) >= size:
            if len(piece) <= 2_500:
                yield piece.strip()
            piece = ""


def write_one_page(folder: Path, count: int) -> None:
    """Write essays that all hold one page of 2,200 characters, twelve words changed in each."""
    rng = random.Random(SEED)
    classes = (f"honest_dev/asap{number}_300/*.txt" for number in (1, 3, 4, 5))
    paths = list(needs.corpus_files(*classes))
    rng.shuffle(paths)
    page = next(iter(needs.corpus_files("pan13_dev/src/source-document00002.txt")))
    whole = " ".join(page.read_text("utf-8", "replace").split())[:2_200].split(" ")
    for number, path in enumerate(paths[:count]):
        text, parts = path.read_text("utf-8", "replace"), list(whole)
        for at in rng.sample(range(len(parts)), 12):
            parts[at] = rng.choice([*FILLERS, f"{parts[at]}s"])
        middle = len(text) // 2
        text = f"{text[:middle]}\n\n{' '.join(parts)}\n\n{text[middle:]}"
        (folder / f"{number:06d}.txt").write_text(text, "utf-8")


def write_identical(folder: Path, count: int = 5_000) -> None:
    """Write one text of 300 words many times."""
    text = words(1, 300)[0].text
    for number in range(count):
        (folder / f"{number:06d}.txt").write_text(text, "utf-8")


def write_alike(folder: Path, count: int = 500) -> None:
    """Write texts of 300 words of which one in twenty was drawn again in each."""
    rng, vocabulary = random.Random(SEED), words(2, 3_000)[0].text.split()
    base = rng.choices(vocabulary, k=300)
    for number in range(count):
        text = [rng.choice(vocabulary) if rng.random() < 0.05 else word for word in base]
        (folder / f"{number:06d}.txt").write_text(" ".join(text), "utf-8")


SPECIAL = {"5,000 identical": write_identical, "500 that share 95 %": write_alike}


def write_pan(corpus: Path, folder: Path, count: int) -> None:
    """Write the texts of a PAN corpus, then more of paragraphs drawn from them, each once a round.

    A text drawn has the paragraphs of texts of the corpus in another order, so that copied ones
    still have partners, and as many characters as one of these.
    """
    rng = random.Random(SEED)
    paths = sorted([*corpus.glob("src/*.txt"), *corpus.glob("susp/*.txt")])
    texts = [path.read_text("utf-8", errors="replace") for path in paths]
    for number, text in enumerate(texts[:count]):
        (folder / f"{number:06d}.txt").write_text(text, "utf-8")
    stock: list[str] = []
    for number in range(len(texts), count):
        wanted, drawn = len(rng.choice(texts)), list[str]()
        while sum(map(len, drawn)) < wanted:
            if not stock:
                stock = [part for text in texts for part in paragraphs(text)]
                rng.shuffle(stock)
            drawn.append(stock.pop())
        (folder / f"{number:06d}.txt").write_text("\n\n".join(drawn), "utf-8")


def paragraphs(text: str, length: int = 700) -> list[str]:
    """Cut a text at sentence ends into parts of about 700 characters."""
    parts, part = [], ""
    for sentence in text.replace("\n", " ").split(". "):
        part += sentence + ". "
        if len(part) >= length:
            parts.append(part.strip())
            part = ""
    return [*parts, part.strip()] if part.strip() else parts
