"""How much memory does a check hold at its peak, in which stage, and does a stated limit hold?

    python -m benchmarks memory [--documents 20000] [--no-passages] [--memory 4GB] [--limit 4GB]

Writes the texts of `end_to_end` (pieces of 1 to 5 KB of the development corpora, LEITONG_CORPORA)
and checks them in a process of its own. Forty times a second the memory of that process and of all
its workers is added up (resident pages, and files that lie in memory). With
`--limit` the run is ended, and fails, as soon as the sum exceeds it. Linux.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil

from benchmarks._shared.clock import cpu_seconds
from benchmarks.end_to_end import write_documents
from simhash_core import Settings, check, gather, read
from simhash_core.machine import memory

TICK = 0.025
MEGABYTE = 2**20


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--no-passages", action="store_true")
    parser.add_argument("--memory", help="the budget of the check, such as 4GB")
    parser.add_argument("--limit", type=memory.size_of, help="end the run above it, such as 4GB")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(given)
    if options.one:
        print(json.dumps(checked(options.folder, passages=not options.no_passages)))
        return
    if options.memory:
        os.environ[memory.VARIABLE] = options.memory
    with contextlib.ExitStack() as stack:
        folder = options.folder
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            write_documents(folder, options.documents)
        arguments = ["--one", "--folder", str(folder)]
        arguments += ["--no-passages"] if options.no_passages else []
        watched(arguments, limit=options.limit)


def watched(arguments: list[str], *, limit: int | None) -> None:
    """Run a check in a process of its own and print what it holds, stage by stage."""
    command = [sys.executable, "-m", "benchmarks.memory", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    lines: list[dict[str, object]] = [{"stage": "start"}]

    def follow() -> None:
        assert process.stdout is not None
        lines.extend(map(json.loads, process.stdout))

    reader = threading.Thread(target=follow)
    reader.start()
    peaks: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    while process.poll() is None:
        main, workers = memory_of(process.pid)
        stage = str(lines[-1].get("stage", "end"))
        peaks[stage] = max(peaks[stage], (main, workers), key=sum)
        if limit is not None and main + workers > limit:
            process.kill()
            raise SystemExit(f"{(main + workers) / 2**30:.2f} GB in stage {stage}: over the limit")
        time.sleep(TICK)
    reader.join()
    for stage, (main, workers) in peaks.items():
        print(f"{stage:<14}{main / MEGABYTE:8.0f} MB and {workers / MEGABYTE:6.0f} MB in workers")
    most = max(map(sum, peaks.values()))
    print(f"peak {most / MEGABYTE:,.0f} MB", json.dumps(lines[-1]), flush=True)


def memory_of(process: int) -> tuple[int, int]:
    """Return the bytes that a process holds, and those that its descendants do."""
    with contextlib.suppress(psutil.Error):
        below = [one.pid for one in psutil.Process(process).children(recursive=True)]
        return memory.resident([process]) + sum(files_in_memory(process)), memory.resident(below)
    return 0, 0


def files_in_memory(process: int) -> Iterator[int]:
    """Yield the sizes of open files that lie in memory: resident pages do not count them."""
    with contextlib.suppress(OSError):
        for file in Path(f"/proc/{process}/fd").iterdir():
            with contextlib.suppress(OSError):
                if os.readlink(file).startswith("/memfd:"):  # noqa: PTH115
                    yield file.stat().st_size


def checked(folder: Path, *, passages: bool) -> dict[str, float]:
    """Check a folder; print each stage as it begins, return seconds and counts."""
    at = ""

    def progress(stage: str, done: int, total: int) -> None:
        nonlocal at
        if stage != at:
            at = stage
            print(json.dumps({"stage": stage}), flush=True)

    start, used = time.perf_counter(), cpu_seconds()
    documents, _ = read(gather([folder])[0], progress=progress)
    settings = Settings(passages=passages)
    result = check(documents, settings=settings, progress=progress)
    return {
        "documents": len(documents),
        "megabytes": round(sum(len(one.text) for one in documents) / 1e6, 1),
        "rows": len(result.table),
        "found": len(result.passages),
        "on_disk_gb": sum(
            float(str(one.params["disk"])) for one in result.guarantees if one.code == "on_disk"
        ),
        "seconds": round(time.perf_counter() - start, 1),
        "cpu": round(cpu_seconds() - used, 1),
        **{stage: round(seconds, 1) for stage, seconds in result.timings.items()},
    }


if __name__ == "__main__":
    main()
