"""How do time and memory of a check with passages grow with the number of documents?

The texts of `end_to_end` (pieces of 1 to 5 KB of the development corpora, LEITONG_CORPORA), each
size in a process of its own. `--special` checks 5,000 identical texts, and 500 texts that share
95 % of their words. `--pan FOLDER` makes texts of the size of PAN's by drawing paragraphs of its
sources and suspicious texts again (seeded). `--no-passages` compares fingerprints alone.

CPU seconds, workers included, by what the check reports to be doing; the peak is the memory of the
process and of its workers together. With what runs besides, they change less than the clock does.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks._shared import needs
from benchmarks._shared.clock import alone, cpu_seconds
from benchmarks._shared.report import Chart, Report, Table
from benchmarks.end_to_end import SEED, write_documents
from simhash_core import Document, Settings, check, gather, read

SIZES = (500, 1_000, 2_000)
QUICK = {"sizes": [250, 500]}
LONG = {"sizes": [500, 1_000, 2_000, 4_000, 8_000]}
#: stages as a check reports them
GROUPS = ("read", "tokens", "fingerprints", "candidates", "align", "chance", "meaning")
DRAWN = ("cpu", "align", "candidates", "chance", "meaning", "tokens", "fingerprints")
Rows = dict[str, dict[str, float]]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--no-passages", action="store_true")
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
    rows = {
        f"{size:,}": in_folder(partial(write_documents, count=size), passages=passages)
        for size in options.sizes
    }
    steps = [
        (first, second, rows[second]["cpu"] / rows[first]["cpu"])
        for first, second in pairwise(rows)
    ]
    factors = [f"from {first} to {second} documents {ratio:.2f}" for first, second, ratio in steps]
    notes = [f"CPU seconds multiply by: {'; '.join(factors)}."] if factors else []
    ratios = (
        {"2.3 / largest factor of a doubling": 2.3 / max(ratio for *_, ratio in steps)}
        if steps
        else {}
    )
    return Report([table(rows)], notes, chart(rows, passages=passages), ratios)


def table(rows: Rows) -> Table:
    """Return CPU seconds by stage, pairs and memory."""
    names = ("cpu", *GROUPS, "rest", "aligned", "listed", "peak_mb")
    heads = ["documents", "CPU, s", *GROUPS, "rest", "pairs aligned", "with passages", "peak, MB"]
    whole = ("aligned", "listed")
    return Table(
        heads,
        [
            [name, *(int(row[one]) if one in whole else row[one] for one in names)]
            for name, row in rows.items()
        ],
    )


def chart(rows: Rows, *, passages: bool) -> list[Chart]:
    """Draw CPU seconds by number of documents."""
    if len(rows) < 2:
        return []
    lines = {
        name: [(row["documents"], max(row[name], 0.05)) for row in rows.values()]
        for name in DRAWN
        if any(row[name] > 0.05 for row in rows.values())
    }
    title = "A check with passages" if passages else "A check without passages"
    return [Chart("growth", title, "documents of 1 to 5 KB", "CPU seconds", lines)]


def in_folder(write: Callable[[Path], None], *, passages: bool = True) -> dict[str, float]:
    """Write documents, and check them in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        return alone(measured, folder, passages)


def measured(folder: str, passages: bool) -> dict[str, Any]:
    """Check a folder; return documents, CPU seconds by stage and pairs."""
    spent: dict[str, float] = defaultdict(float)
    at, since = "read", cpu_seconds()

    def progress(stage: str, done: int, total: int) -> None:
        nonlocal at, since
        if stage != at:
            now = cpu_seconds()
            spent[at] += now - since
            at, since = stage, now

    check(words(1), settings=Settings(passages=True))  # dictionaries are loaded
    first = since = cpu_seconds()
    documents, _ = read(gather([folder])[0])
    result = check(documents, settings=Settings(passages=passages), progress=progress)
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
