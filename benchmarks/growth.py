"""How do time and memory of a check with passages grow with the number of documents?

    python -m benchmarks.growth [--sizes 500,1000,2500,5000,10000] [--picture docs/growth.svg]
    python -m benchmarks.growth --special                   two hard batches, see below
    python -m benchmarks.growth --pan FOLDER [--documents 5000]

The first writes the texts of `end_to_end` (pieces of 1 to 5 KB of the development corpora,
LEITONG_CORPORA), and runs each size in a process of its own. The second checks 5,000 identical
texts, and 500 texts that share 95 % of their words. The third makes texts of the size of PAN's by
drawing paragraphs of its sources and suspicious texts again (seeded).

CPU seconds, workers included, by what the check reports to be doing; the peak is the memory of the
process and of its workers together. With what runs besides, they change less than the clock does.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path

from simhash_core import Document, Settings, check, gather, read

from .end_to_end import SEED, cpu_seconds, write_documents

SIZES = "500,1000,2500,5000,10000"
#: stages as a check reports them
GROUPS = ("read", "tokens", "fingerprints", "candidates", "align", "chance")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--special", action="store_true")
    parser.add_argument("--pan", type=Path)
    parser.add_argument("--documents", type=int, default=5_000)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measured(options.one)))
        return
    rows = {}
    if options.special:
        rows = {name: in_folder(write) for name, write in SPECIAL.items()}
    elif options.pan:
        name = f"{options.documents} of PAN's size"
        rows = {name: in_folder(partial(write_pan, options.pan, count=options.documents))}
    else:
        for size in map(int, options.sizes.split(",")):
            rows[str(size)] = in_folder(partial(write_documents, count=size))
    if options.picture:
        draw(rows, options.picture)


def in_folder(write: Callable[[Path], None]) -> dict[str, float]:
    """Write documents, check them in a process of its own, print and return what it measured."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        command = [sys.executable, "-m", "benchmarks.growth", "--one", folder]
        answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    row: dict[str, float] = json.loads(answer.splitlines()[-1])
    ratio = (row["cpu"] - row["read"]) / max(row["fingerprints"] + row["tokens"], 1e-9)
    print("  ".join(f"{name} {value:,.1f}" for name, value in row.items()), end="  ")
    print(f"all but reading / tokens and fingerprints {ratio:.1f}", flush=True)
    return row


def measured(folder: Path) -> dict[str, float]:
    """Check a folder; return documents, CPU seconds by stage, megabytes and pairs."""
    spent: dict[str, float] = defaultdict(float)
    at, since = "read", cpu_seconds()

    def progress(stage: str, done: int, total: int) -> None:
        nonlocal at, since
        if stage != at:
            now = cpu_seconds()
            spent[at] += now - since
            at, since = stage, now

    check(words(1), settings=Settings(passages=True))  # dictionaries and kernels are loaded
    first = since = cpu_seconds()
    documents, _ = read(gather([folder])[0])
    result = check(documents, settings=Settings(), progress=progress)
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
    row["peak_mb"] = peak_megabytes()
    return row


def peak_megabytes() -> float:
    """Return the sum of the peaks of this process and its children, where /proc tells."""
    total = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError, KeyError):
            lines = status.read_text("utf-8", "replace").splitlines()
            fields = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
            if os.getpid() in (int(fields["PPid"]), int(fields["Pid"])):
                total += int(fields["VmHWM"].split()[0])
    return total / 1024


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


def draw(rows: dict[str, dict[str, float]], path: Path) -> None:
    """Draw CPU seconds by number of documents, both on logarithmic axes."""
    from reportlab.graphics import renderSVG
    from reportlab.graphics.charts.axes import LogXValueAxis, LogYValueAxis
    from reportlab.graphics.charts.legends import Legend
    from reportlab.graphics.charts.lineplots import LinePlot
    from reportlab.graphics.shapes import Drawing, String
    from reportlab.lib.colors import HexColor

    shown = {"cpu": "#1f2933", "align": "#b4442f", "candidates": "#7a5ea8", "chance": "#c08a1e"}
    shown |= {"tokens": "#2f6f9f", "fingerprints": "#2d8a63"}
    drawing, plot = Drawing(640, 380), LinePlot()
    plot.x, plot.y, plot.width, plot.height = 60, 50, 430, 290
    plot.xValueAxis, plot.yValueAxis = LogXValueAxis(), LogYValueAxis()
    plot.data = [
        [(row["documents"], max(row[name], 0.05)) for row in rows.values()] for name in shown
    ]
    for line, colour in enumerate(shown.values()):
        plot.lines[line].strokeColor, plot.lines[line].strokeWidth = HexColor(colour), 1.6
    legend = Legend()
    legend.x, legend.y, legend.alignment, legend.fontSize = 510, 330, "right", 10
    legend.colorNamePairs = [(HexColor(colour), name) for name, colour in shown.items()]
    drawing.add(plot)
    drawing.add(legend)
    drawing.add(String(60, 356, "CPU seconds of a check with passages", fontSize=11))
    drawing.add(String(60, 14, "documents of 1 to 5 KB (both axes logarithmic)", fontSize=10))
    renderSVG.drawToFile(drawing, str(path))


if __name__ == "__main__":
    main()
