"""Where does the time of a check go, how far is it from a floor, and what was it before?

    python -m benchmarks stages [--before CHECKOUT] [--runs 3]

Each batch is checked twice, cold and warm, in a process of its own by each checkout in turn: CPU
seconds, workers included, medians of the runs; the peak is that of the main process. CHECKOUT is a
folder with another version of this project whose loops are built. Batches come from the samples
and from LEITONG_CORPORA.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks._shared import needs
from benchmarks._shared.clock import ROOT
from benchmarks.end_to_end import write_documents
from benchmarks.growth import write_one_page

STAGES = ("import", "read", "tokens", "fingerprints", "pairs", "passages", "meaning",
          "significance", "variants", "all", "peak_mb")  # fmt: skip
#: of a sentence encoder: products of a word piece, and pieces of a sentence
PRODUCTS, PIECES = 1.7e6, 33

#: one check, cold and warm; works with every version that has `Run`
_SCRIPT = """
import json, os, resource, sys, time
import psutil
started = time.process_time()
from simhash_core import Settings, check, gather, read
from simhash_core.checking.run import Run
started = time.process_time() - started
spent, settings = {}, Settings.of(**json.loads(sys.argv[2]))
def cpu_seconds():
    workers = psutil.Process().children(recursive=True)
    ended = os.times().children_user + os.times().children_system
    return time.process_time() + ended + sum(sum(one.cpu_times()[:2]) for one in workers)
def timed(stage, function, /, *given, **options):
    began = cpu_seconds()
    answer = function(*given, **options)
    spent[stage] = spent.get(stage, 0) + cpu_seconds() - began
    return answer
Run.__call__ = lambda self, *given, **options: timed(*given, **options)
rows = []
for imported in (started, 0):
    spent = {"import": imported}
    began = cpu_seconds()
    texts, skipped = timed("read", lambda: read(gather([sys.argv[1]])[0], settings=settings))
    result = check(texts, settings=settings, skipped=skipped)
    spent["all"] = cpu_seconds() - began + imported
    spent["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rows.append(spent)
print(json.dumps(rows))
"""

Row = dict[str, float]


def main(arguments: Sequence[str] | None = None) -> None:
    """Check each batch by each checkout; print a line for each, then the floors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--before", type=Path)
    parser.add_argument("--runs", type=int, default=1)
    options = parser.parse_args(arguments)
    checkouts = [("before", options.before), ("now", ROOT)] if options.before else [("now", ROOT)]
    print(f"{'':<40}" + "".join(f"{stage:>13}" for stage in STAGES))
    for name, folder, settings in batches():
        taken = {label: list[list[Row]]() for label, _ in checkouts}
        for _ in range(options.runs):
            for label, checkout in checkouts:
                taken[label].append(check_in(checkout, folder, settings))
        for at, state in enumerate(("cold", "warm")):
            for label, runs in taken.items():
                values = [median(run[at].get(stage, 0) for run in runs) for stage in STAGES]
                cells = "".join(f"{value:>13.3g}" for value in values)
                print(f"{name + ', ' + state + ', ' + label:<40}{cells}", flush=True)
    print("\n".join(floors()))


def check_in(checkout: Path, folder: Path, settings: dict[str, object]) -> list[Row]:
    """Check a folder by a checkout, cold and warm."""
    command = [sys.executable, "-c", _SCRIPT, str(folder), json.dumps(settings)]
    env = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(checkout)}
    answer = subprocess.run(
        command, env=env, capture_output=True, text=True, check=True, cwd=checkout
    )
    rows: list[Row] = json.loads(answer.stdout)
    return rows


def batches() -> Iterator[tuple[str, Path, dict[str, object]]]:
    """Yield name, folder and settings of each batch."""
    plain: dict[str, object] = {"preset": "essays", "meaning": "off"}
    yield "22 sample essays", ROOT / "sample_docs" / "essays", plain
    yield "the same with meaning", ROOT / "sample_docs" / "essays", {"preset": "essays"}
    for number in (1, 5):
        folder = next(iter(needs.corpus_files(f"honest_dev/asap{number}_300/*.txt"))).parent
        yield f"300 essays, asap{number}", folder, plain
        yield f"300 essays, asap{number}, meaning", folder, {"preset": "essays"}
    with tempfile.TemporaryDirectory() as made:
        laws, page, files = (Path(made) / name for name in ("laws", "page", "files"))
        for folder in (laws, page, files):
            folder.mkdir()
        for path in list(needs.corpus_files("zh_laws_dev/docs/*"))[:600:2]:
            (laws / path.name).write_bytes(path.read_bytes())
        yield "300 laws", laws, plain
        write_one_page(page, 500)
        yield "500 with one page", page, plain
        write_documents(files, 10_000)
        classic = {"preset": "classic", "weighting": "background", "passages": False}
        yield "10,000 files, classic", files, {**classic, "meaning": "off"}


@contextmanager
def cpu_of(name: str, seconds: dict[str, float]) -> Iterator[None]:
    """Note the CPU seconds of what is done."""
    began = time.process_time()
    yield
    seconds[name] = time.process_time() - began


def floors() -> list[str]:
    """Return what reading and the encoder take beside the least that they can."""
    from simhash_core import gather, read
    from simhash_core.meaning.units import units_of
    from simhash_core.meaning.vectors import UNIVERSAL

    seconds: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as made:
        write_documents(Path(made), 10_000)
        paths = sorted(Path(made).iterdir())
        with cpu_of("open and read 10,000 files", seconds):
            held = [path.read_bytes() for path in paths]
        with cpu_of("read them as texts", seconds):
            documents, _ = read(gather([made])[0])
    del held
    sentences = [one for text in documents[:400] for one in units_of(text.text).sentences]
    UNIVERSAL.embed(sentences[:50])
    with cpu_of(f"vectors of {len(sentences):,} sentences", seconds):
        UNIVERSAL.embed(sentences)
    square = np.ones((2_048, 2_048), np.float32)
    with cpu_of("product", seconds):
        square @ square
    rate = 2_048**3 / seconds.pop("product")
    seconds["their products, one after the other, by BLAS"] = (
        len(sentences) * PIECES * PRODUCTS / rate
    )
    return [f"{name:<60}{value:>10.3f} s" for name, value in seconds.items()]


if __name__ == "__main__":
    main()
