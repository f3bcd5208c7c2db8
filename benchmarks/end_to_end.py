"""How long do 10,000 documents take from files to pairs, beside jieba and PyPI's simhash?

    python benchmarks/end_to_end.py [--documents 10000] [--runs 3] [--passages]

Both sides read the same files and look for pairs within 3 of 64 bits; ours also stores 256 bits,
counts all distances and clusters. The peer is `jieba.cut` + `simhash.Simhash` + `SimhashIndex`.
Texts are pieces of 1 to 5 KB cut from the development corpora (LEITONG_CORPORA), half Chinese,
with one in twenty lightly edited. Needs benchmarks/requirements.txt.

CPU seconds are those of this process and its workers (Linux), so that a busy machine distorts
them less than the wall clock. A first run includes starting the workers and loading dictionaries.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from simhash_core import Settings, check, gather, read

SEED = 20_261_121
WARM_UP = 400


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--passages", action="store_true", help="align shared passages as well")
    parser.add_argument("--no-peer", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write_documents(Path(folder), options.documents)
        print(f"{options.documents} documents, {size_of(folder) / 1e6:.1f} MB")
        ours = [run_ours(folder, passages=options.passages) for _ in range(options.runs + 1)]
        cold, warm = ours[0], ours[1:]
        middle = {stage: statistics.median(run[stage] for run in warm) for stage in cold}
        for stage, seconds in middle.items():
            print(f"  {stage:<14}{seconds:8.3f} s warm   {cold[stage]:8.3f} s first run")
        if not options.no_peer:
            peer = run_peer(folder)
            for kind in ("total", "cpu"):
                ratios = (
                    f"{peer[kind] / middle[kind]:.1f} (first run {peer[kind] / cold[kind]:.1f})"
                )
                print(f"  peer {kind:<9}{peer[kind]:8.3f} s   ratio {ratios}")


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
    print(f"  {len(documents)} read, {near} pairs within 3 of 64 bits")
    return {"read": reading, **result.timings, "total": total, "cpu": cpu}


def run_peer(folder: str) -> dict[str, float]:
    """Return the seconds of jieba and PyPI's simhash doing the same work."""
    try:
        import jieba
        from simhash import Simhash, SimhashIndex
    except ImportError as error:
        raise SystemExit(
            f"the peer needs {error.name}: pip install -e .[dev], or --no-peer"
        ) from None

    logging.disable(logging.WARNING)
    jieba.initialize()
    start, used = time.perf_counter(), time.process_time()
    fingerprints = []
    for path in sorted(Path(folder).iterdir()):
        words = [word for word in jieba.cut(path.read_text("utf-8").lower()) if word.strip()]
        fingerprints.append((path.name, Simhash(words)))
    index = SimhashIndex(fingerprints, k=3)
    pairs = sum(len(index.get_near_dups(value)) - 1 for _, value in fingerprints) // 2
    seconds = {"total": time.perf_counter() - start, "cpu": time.process_time() - used}
    print(f"  peer: {pairs} pairs within 3 of 64 bits")
    return seconds


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and, where /proc tells, of its workers."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text("utf-8", "replace").rpartition(")")[2].split()
            if int(fields[1]) == os.getpid():
                ticks += int(fields[11]) + int(fields[12])
    return time.process_time() + (ticks / os.sysconf("SC_CLK_TCK") if ticks else 0.0)


def write_documents(folder: Path, count: int) -> None:
    """Write `count` files of 1 to 5 KB, one in twenty a light edit of the one before."""
    rng = random.Random(SEED)
    pieces = [list(_pieces(name, rng)) for name in ("zh", "en")]
    if not all(pieces):
        raise SystemExit(
            "no texts: set LEITONG_CORPORA to a folder with zh_laws_dev/docs or zh_rust_book/docs, "
            "and pan13_dev/src or en_rust_book/docs"
        )
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
    root = Path(os.environ.get("LEITONG_CORPORA", "../shared/data"))
    globs = {
        "zh": ("zh_laws_dev/docs/*", "zh_rust_book/docs/*2023*"),
        "en": ("pan13_dev/src/*.txt", "pan13_dev/susp/*.txt", "en_rust_book/docs/*2023*"),
    }
    per_character = 2.7 if language == "zh" else 1.0
    for pattern in globs[language]:
        for path in sorted(root.glob(pattern)):
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


if __name__ == "__main__":
    main()
