"""How long is the first check, beside a later one and beside what was announced?

Each check is a process of its own with all its workers, once with an empty cache (cold) and once
more (warm). Behind them the constants that the estimate is made of, measured here. With
LEITONG_TWIN=readable in the environment as it is where no loops of C were built.

    python -m benchmarks first_check [FOLDER ...] [--runs 3]      by default the samples
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks._shared import needs

ROOT = Path(__file__).resolve().parents[1]

CHECK = """
import json, sys, time
begin = time.perf_counter()
import simhash_core as core
from simhash_core.checking import estimate
from simhash_core.i18n import translator
from simhash_core.report.json import to_json
documents, _ = core.read(core.gather(sys.argv[1:])[0])
expected = estimate(documents)
start = time.perf_counter()
result = core.check(documents)
end = time.perf_counter()
print(json.dumps({"texts": len(documents), "whole": end - begin, "check": end - start,
    "seconds": expected.seconds, "pairs": json.loads(to_json(result, translator("en")))["pairs"]}))
"""

UNITS = """
import json, os, sys, time
import numpy as np
import simhash_core as core
from simhash_core.passages import align
from simhash_core.passages.tokenized import tokenize
from simhash_core.text.normalize import normalize
documents, _ = core.read(core.gather(sys.argv[1:])[0])
texts = [tokenize(normalize(document.text), document.text) for document in documents]
pairs = np.stack(np.triu_indices(len(texts), 1), axis=1)[:: max(1, len(texts) ** 2 // 800)]
tokens = sum(len(texts[row]) for row in pairs.ravel())
def run(twin):
    os.environ["LEITONG_TWIN"] = twin
    start = time.process_time()
    align.align_many(texts, pairs)
    return (time.process_time() - start) / tokens
print(json.dumps({"readable token": run("readable"), "token in C": min(run(""), run(""))}))
"""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args(arguments)
    folders = options.folders or [ROOT / "sample_docs" / name for name in ("essays", "reposts")]
    for folder in folders:
        needs.text_files(folder, least=2)
        cold, warm = [], []
        for _ in range(options.runs):
            with tempfile.TemporaryDirectory() as cache:
                cold.append(run(CHECK, folder, cache))
                warm.append(run(CHECK, folder, cache))
        same = all(a["pairs"] == b["pairs"] for a, b in zip(cold, warm, strict=True))
        whole = [statistics.median(row["whole"] for row in rows) for rows in (cold, warm)]
        print(f"\n{folder.name}: {cold[0]['texts']} texts, results {'equal' if same else 'DIFFER'}")
        for name, rows in (("cold", cold), ("warm", warm)):
            show(name, rows)
        print(f"  cold / warm {whole[0] / whole[1]:.2f}")
    with tempfile.TemporaryDirectory() as cache:
        print()
        for folder in folders[:2]:
            print(folder.name, {k: f"{v:.3g} s" for k, v in run(UNITS, folder, cache).items()})


def show(name: str, rows: list[dict[str, Any]]) -> None:
    """Print the medians of some runs."""
    whole, taken, seconds = (
        statistics.median(row[key] for row in rows) for key in ("whole", "check", "seconds")
    )
    print(f"  {name}  whole {whole:.2f} s   check {taken:.2f} s", end="")
    print(f"   announced {seconds:.2f} s (x {seconds / taken:.2f})")


def run(code: str, folder: Path, cache: str) -> dict[str, Any]:
    """Run a program in a fresh interpreter with this cache; its answer is JSON."""
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        env={**os.environ, "LEITONG_CACHE": cache},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


if __name__ == "__main__":
    main()
