"""How long does a report take, and how large is it, for each kind and format?

One check of many texts, its first pairs confirmed; then every report once to warm up and `--runs`
times measured. Processor seconds, medians; making the content apart from writing the file.

    python -m benchmarks reports FOLDER [--n 300] [--confirmed 10] [--runs 3] [--keep DIR]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import simhash_core as core
from benchmarks._shared import needs
from simhash_core.i18n import translator
from simhash_core.model import Decision, pair_key
from simhash_core.report import FORMATS, KINDS, Wanted, report_of, write_report
from simhash_core.result import CheckResult, listed_rows

LANGUAGE = "zh"


def measured(work: Callable[[], Any], runs: int) -> tuple[Any, float]:
    """Return what a piece of work gives, and its processor seconds (median)."""
    value, seconds = work(), []
    for _ in range(runs):
        begin = time.process_time()
        value = work()
        seconds.append(time.process_time() - begin)
    return value, statistics.median(seconds)


def wanted_of(result: CheckResult, kind: str, confirmed: int) -> Wanted:
    """Ask for one report: the strongest pair, its first text, the largest cluster."""
    rows, pairs = listed_rows(result).tolist(), result.table.pairs
    decisions = {
        pair_key(*(result.documents[int(side[row])].id for side in (pairs.left, pairs.right))):
        Decision("confirmed", "", "note", "reviewer", datetime(2026, 11, 21))
        for row in rows[:confirmed]
    }  # fmt: skip
    pair = (int(pairs.left[rows[0]]), int(pairs.right[rows[0]]))
    largest = max(result.clusters, key=lambda cluster: len(cluster.members)).members
    subject = {
        "pair": pair,
        "person": pair[:1],
        "sources": pair[:1],
        "cluster": tuple(map(int, largest)),
    }
    made = datetime(2026, 11, 21)
    return Wanted(kind=kind, made=made, rows=subject.get(kind, ()), decisions=decisions)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--n", type=int, default=300)
    parser.add_argument("--confirmed", type=int, default=10)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="write the files here")
    options = parser.parse_args(arguments)
    needs.text_files(options.folder, least=2)
    documents, _ = core.read(core.gather([str(options.folder)])[0])
    step = max(len(documents) // options.n, 1)
    result = core.check(documents[::step][: options.n])
    print(f"{len(result.documents)} texts, {len(listed_rows(result))} pairs listed, "
          f"{len(result.clusters)} clusters, {options.confirmed} confirmed")  # fmt: skip
    print(f"{'kind':<10} {'content':>8}  " + "  ".join(f"{name:>16}" for name in FORMATS))
    for kind in KINDS:
        wanted = wanted_of(result, kind, options.confirmed)
        report, content = measured(
            lambda w=wanted: report_of(result, w, translator(LANGUAGE)), options.runs
        )
        cells = []
        for name in FORMATS:
            data, seconds = measured(
                lambda n=name, r=report: write_report(r, n, LANGUAGE), options.runs
            )
            cells.append(f"{seconds:6.2f} s {len(data) / 1024:5.0f} kB")
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{kind}.{name}").write_bytes(data)
        print(f"{kind:<10} {content:6.2f} s  " + "  ".join(f"{cell:>16}" for cell in cells))


if __name__ == "__main__":
    main()
