"""How well does a check say before it starts what it will take, in time and in memory?

    python -m benchmarks expected [--rounds 2]

Checks batches of different kind one after the other, each in a process of its own, with an empty
memory of earlier runs at the beginning: first every batch is new, in the second round each was
checked before. Prints what was expected beside what it took, and the ratio. Texts are the sample
texts and parts of the development corpora (LEITONG_CORPORA); batches without texts are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.end_to_end import write_documents
from simhash_core import Settings, check, gather, read
from simhash_core.checking.duration import FILE, earlier_runs, estimate, learning
from simhash_core.checking.pipeline import samples
from simhash_core.folders import cache_folder

CORPORA = Path(os.environ.get("LEITONG_CORPORA", "../shared/data"))


def first_of(folder: Path, pattern: str, count: int) -> None:
    """Copy the first files of a corpus into a folder."""
    for number, path in enumerate(sorted(CORPORA.glob(pattern))[:count]):
        shutil.copy(path, folder / f"{number:05d}{path.suffix}")


def copied_samples(folder: Path) -> None:
    """Copy the sample essays into a folder."""
    for path in samples()["essays"]:
        shutil.copy(path, folder)


#: name -> what writes the batch, and whether it is checked with passages
BATCHES: dict[str, tuple[Callable[[Path], object], bool]] = {
    "sample essays": (copied_samples, True),
    "300 small, both languages": (lambda folder: write_documents(folder, 300), True),
    "200 Chinese statutes": (lambda folder: first_of(folder, "zh_laws_dev/docs/*", 200), True),
    "400 of PAN, English": (lambda folder: first_of(folder, "pan13_dev/src/*.txt", 400), True),
    "60 Chinese chapters": (lambda folder: first_of(folder, "zh_rust_book/docs/*", 60), True),
    "60 English chapters": (lambda folder: first_of(folder, "en_rust_book/docs/*", 60), True),
    "1,000 small": (lambda folder: write_documents(folder, 1_000), True),
    "1,000 small, no passages": (lambda folder: write_documents(folder, 1_000), False),
    "5,000 small, no passages": (lambda folder: write_documents(folder, 5_000), False),
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.one:
        folder, passages = options.one
        print(json.dumps(measured(Path(folder), passages=passages == "True")))
        return
    (cache_folder() / FILE).unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as root:
        for number, (write, _) in enumerate(BATCHES.values()):
            folder = Path(root, str(number))
            folder.mkdir()
            write(folder)
        for turn in range(options.rounds):
            print(f"round {turn + 1}: expected, taken, ratio", flush=True)
            for number, (name, (_, passages)) in enumerate(BATCHES.items()):
                if any(Path(root, str(number)).iterdir()):
                    print(f"  {name:<28}{row(Path(root, str(number)), passages)}", flush=True)


def row(folder: Path, passages: bool) -> str:
    """Check a batch in a process of its own; return the line of the table."""
    command = [sys.executable, "-m", "benchmarks.expected", "--one", str(folder), str(passages)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    seen = json.loads(done.stdout.splitlines()[-1])
    time = "{expected_s:7.1f} s {taken_s:7.1f} s {ratio_s:5.2f}".format(**seen)
    memory = "{expected_mb:7.0f} MB {taken_mb:7.0f} MB {ratio_mb:5.2f}".format(**seen)
    return f"{time}   {memory}   ({seen['documents']} texts)"


def measured(folder: Path, *, passages: bool) -> dict[str, float]:
    """Return what a check was expected to take, and what it took."""
    documents, _ = read(gather([folder])[0])
    settings = Settings(passages=passages)
    expected = estimate(documents, settings=settings)
    with learning(expected, settings=settings):
        check(documents, settings=settings)
    last = earlier_runs()[-1]  # times what follows from the sizes alone
    taken, held = last.seconds * expected.run.seconds, last.memory * expected.run.memory
    return {
        "documents": len(documents),
        "expected_s": expected.seconds,
        "taken_s": taken,
        "ratio_s": taken / expected.seconds,
        "expected_mb": expected.memory / 2**20,
        "taken_mb": held / 2**20,
        "ratio_mb": held / expected.memory,
    }


if __name__ == "__main__":
    main()
