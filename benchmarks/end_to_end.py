"""How long does a check by fingerprints take from files to pairs, and its stages?

It looks for pairs within 3 of 64 bits, stores 256 bits, counts all distances and clusters. Texts
are pieces of 1 to 5 KB cut from the development corpora (LEITONG_CORPORA), half Chinese, with one
in twenty lightly edited. What such pairs miss, and other programs, are the question of `peers`.

CPU seconds are those of this process and its workers (Linux), so that a busy machine distorts
them less than the wall clock. A first run includes starting the workers and loading dictionaries.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks._shared import needs
from benchmarks._shared.clock import cpu_seconds
from benchmarks._shared.report import Report, Table
from simhash_core import Settings, check, gather, read

SEED = 20_261_121
LEAST = 0.001  # seconds that a stage takes to be listed
QUICK = {"documents": 1_000, "runs": 3}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--passages", action="store_true", help="align shared passages as well")


def measure(options: argparse.Namespace) -> Report:
    """Check the same files several times."""
    with tempfile.TemporaryDirectory() as folder:
        write_documents(Path(folder), options.documents)
        megabytes = size_of(folder) / 1e6
        ours = [run_ours(folder, passages=options.passages) for _ in range(options.runs + 1)]
    cold, warm = ours[0], ours[1:]
    middle = {stage: statistics.median(run[stage] for run in warm) for stage in cold}
    rows = [
        [stage, middle[stage], cold[stage]]
        for stage in cold
        if stage != "pairs" and middle[stage] > LEAST
    ]
    note = f"{options.documents:,} documents, {megabytes:.1f} MB; {cold['pairs']:,.0f} pairs."
    return Report([Table(["stage", "warm, s", "first run, s"], rows)], [note])


def run_ours(folder: str, *, passages: bool) -> dict[str, float]:
    """Return seconds by stage, in total and of all processors."""
    settings = Settings.of("classic", weighting="background", passages=passages)
    start, used = time.perf_counter(), cpu_seconds()
    sources, _ = gather([folder])
    documents, skipped = read(sources, settings=settings)
    reading = time.perf_counter() - start
    result = check(documents, settings=settings, skipped=skipped)
    total, cpu = time.perf_counter() - start, cpu_seconds() - used
    near = int((result.table.pairs.distance <= 3).sum())
    return {"read": reading, **result.timings, "total": total, "cpu": cpu, "pairs": float(near)}


def write_documents(folder: Path, count: int) -> None:
    """Write `count` files of 1 to 5 KB, one in twenty a light edit of the one before."""
    rng = random.Random(SEED)
    pieces = [list(_pieces(name, rng)) for name in ("zh", "en")]
    for group in pieces:
        rng.shuffle(group)
    previous = ""
    for number in range(count):
        group = pieces[number % 2]
        text = group[(number // 2) % len(group)]
        if number // 2 >= len(group):  # the corpora are smaller than asked: turn the text round
            cut = len(text) * (1 + number // 2 // len(group)) // 7
            text = text[cut:] + text[:cut]
        if number % 20 == 19:
            text = _edited(previous, rng)
        previous = text
        (folder / f"{number:06d}.txt").write_text(text, "utf-8")


def _pieces(language: str, rng: random.Random) -> Iterator[str]:
    """Cut the corpora of one language into texts of 1 to 5 KB of UTF-8."""
    globs = {
        "zh": ("zh_laws_dev/docs/*", "zh_rust_book/docs/*2023*"),
        "en": ("pan13_dev/src/*.txt", "pan13_dev/susp/*.txt", "en_rust_book/docs/*2023*"),
    }
    per_character = 2.7 if language == "zh" else 1.0
    for path in needs.corpus_files(*globs[language]):
        text, at = path.read_text("utf-8", errors="replace"), 0
        while at + 1000 / per_character < len(text):
            length = int(rng.uniform(1000, 5000) / per_character)
            yield text[at : at + length]
            at += length


def _edited(text: str, rng: random.Random) -> str:
    """Remove three short stretches."""
    for _ in range(3):
        at = rng.randrange(max(1, len(text) - 20))
        text = text[:at] + text[at + rng.randrange(1, 9) :]
    return text


def size_of(folder: str) -> int:
    return sum(path.stat().st_size for path in Path(folder).iterdir())
