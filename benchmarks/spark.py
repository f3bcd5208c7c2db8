"""What does a cluster cost against this machine, and is its answer the same?

Fingerprints with skewed buckets, or a table of texts, go through both engines; the tables of both
are compared by one digest. The session of Spark is started before the clock.

    python -m benchmarks spark pairs --rows 1000000 --master local[2]
    python -m benchmarks spark table CORPORA archive.jsonl --texts 20000
    python -m benchmarks spark check archive.jsonl --master spark://host:7077
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from benchmarks._shared import needs
from benchmarks.all_pairs import skewed
from simhash_core.engines import local, spark
from simhash_core.engines import local as results
from simhash_core.engines.batches import table_of, word_columns
from simhash_core.engines.spark import session
from simhash_core.settings import Settings
from simhash_core.simhash.search import all_pairs


def timed(function: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds that a call took, and what it returned."""
    start = time.perf_counter()
    answer = function()
    return time.perf_counter() - start, answer


def digest(group: np.ndarray, pairs: Any) -> str:
    """Return what only equal groups and pairs have in common."""
    columns = (group, pairs.left, pairs.right, pairs.distance)
    return hashlib.sha256(b"".join(column.tobytes() for column in columns)).hexdigest()[:16]


def compare_pairs(options: argparse.Namespace, cluster: Any, folder: Path) -> None:
    """Search the same fingerprints twice."""
    words = skewed(options.rows, np.random.default_rng(1))[:, None]
    (folder / "words").mkdir()
    for number, part in enumerate(np.array_split(np.arange(len(words)), 8)):
        table = table_of({"row": part, **word_columns(words[part])})
        pq.write_table(table, folder / "words" / f"{number}.parquet")
    all_pairs(words[:100_000], bits=64, k=options.k)  # compiled before the clock
    here, near = timed(lambda: all_pairs(words, bits=64, k=options.k))
    there, made = timed(
        lambda: spark.pairs(
            str(folder / "words"), str(folder / "out"), k=options.k, spark=cluster, step=say
        )
    )
    group, pairs = spark.fetched_pairs(made, len(words))
    report(here, there, digest(near.group, near.pairs), digest(group, pairs))
    print(f"{len(words):,} fingerprints, k = {options.k}: {len(pairs):,} pairs")


def compare_checks(options: argparse.Namespace, cluster: Any, folder: Path) -> None:
    """Check the same texts twice."""
    settings = Settings.of(options.preset)
    here, mine = timed(lambda: local.check(options.table, str(folder / "here"), settings=settings))
    print(f"this machine {here:.1f} s", flush=True)
    there, theirs = timed(
        lambda: spark.check(
            options.table, str(folder / "there"), settings=settings, spark=cluster, step=say
        )
    )
    report(here, there, results.digest(mine), results.digest(theirs))
    counts = {name: table.num_rows for name, table in mine.items()}
    print(", ".join(f"{count:,} {name}" for name, count in counts.items()))


def write_table(options: argparse.Namespace) -> None:
    """Write windows of real texts as JSON Lines; one in ten gets a passage of another one."""
    draw, windows = random.Random(1), []
    for path in needs.text_files(Path(options.corpora)):
        text = " ".join(path.read_text("utf-8", "ignore").split())
        size = 300 if sum("一" <= one <= "鿿" for one in text[:1000]) > 300 else 600
        windows += [text[at : at + size] for at in range(0, len(text) - size, size)]
    chosen = draw.sample(windows, min(options.texts, len(windows)))
    for at in range(0, len(chosen), 10):
        copied = draw.choice(chosen)
        chosen[at] += " " + copied[: len(copied) // 2]
    rows = [{"name": f"{at:06}", "text": text} for at, text in enumerate(chosen)]
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    Path(options.table).write_text("\n".join(lines), "utf-8")
    print(f"{len(rows):,} texts")


def report(here: float, there: float, mine: str, theirs: str) -> None:
    """Print both times and whether the answers are equal."""
    same = "same digest" if mine == theirs else "DIFFERENT"
    print(
        f"this machine {here:.2f} s, cluster {there:.2f} s: {there / here:.1f} times; {same} {mine}"
    )


STARTED: dict[str, float] = {}


def say(stage: str, done: int, total: int) -> None:
    """Print the seconds of each stage."""
    if done:
        print(f"  {stage:24} {time.perf_counter() - STARTED[stage]:7.1f} s", flush=True)
    STARTED[stage] = time.perf_counter()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    kinds = parser.add_subparsers(required=True, dest="kind")
    of_pairs, of_texts = kinds.add_parser("pairs"), kinds.add_parser("check")
    of_pairs.add_argument("--rows", type=int, default=1_000_000)
    of_pairs.add_argument("-k", type=int, default=3)
    of_texts.add_argument("table")
    of_texts.add_argument("--preset", default="reposts")
    table = kinds.add_parser("table")
    table.add_argument("corpora")
    table.add_argument("table")
    table.add_argument("--texts", type=int, default=20_000)
    for one in (of_pairs, of_texts):
        one.add_argument("--master", default="local[2]")
        one.add_argument("--keep", help="folder for stages that another run goes on with")
    options = parser.parse_args(arguments)
    if options.kind == "table":
        write_table(options)
        return
    seconds, cluster = timed(lambda: session(options.master))
    cluster.sparkContext.setLogLevel("ERROR")
    print(f"session {seconds:.1f} s")
    folder = Path(options.keep or tempfile.mkdtemp(prefix="leitong-"))
    folder.mkdir(exist_ok=True)
    try:
        {"pairs": compare_pairs, "check": compare_checks}[options.kind](options, cluster, folder)
    finally:
        if not options.keep:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
