"""Seconds and megabytes of this process and its workers, medians, and runs that take turns."""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[2]
LONG_RUN = 10.0  # seconds from which a piece of work is run once

_ALONE = """
import importlib, json, sys
from benchmarks._shared.clock import peak_megabytes
module, name, arguments = json.loads(sys.argv[1])
answer = getattr(importlib.import_module(module), name)(*arguments)
print(json.dumps({**answer, "peak_mb": peak_megabytes()}))
"""


@dataclass(frozen=True, slots=True)
class Seconds:
    """Medians of some runs: by the clock, and of all processors together."""

    wall: float
    cpu: float


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its workers, those that ended among them."""
    total = time.process_time() + os.times().children_user + os.times().children_system
    for worker in psutil.Process().children():
        with contextlib.suppress(psutil.Error):
            total += sum(worker.cpu_times()[:2])
    return total


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


def once(work: Callable[[], Any]) -> tuple[Any, Seconds]:
    """Return what a piece of work gives, and its seconds."""
    began, used = time.perf_counter(), cpu_seconds()
    answer = work()
    return answer, Seconds(time.perf_counter() - began, cpu_seconds() - used)


def median(work: Callable[[], Any], runs: int, *, warm_up: bool = True) -> Seconds:
    """Return medians of some runs after one that does not count; long ones are run once."""
    if warm_up:
        _, first = once(work)
        if first.wall > LONG_RUN:
            return first
    taken = [once(work)[1] for _ in range(runs)]
    return Seconds(
        statistics.median(each.wall for each in taken),
        statistics.median(each.cpu for each in taken),
    )


def in_turn(works: Mapping[str, Callable[[], Any]], runs: int) -> dict[str, Seconds]:
    """Return medians of several ways to do the same; their runs take turns.

    What else the machine does then falls on all of them, so that ratios hold.
    """
    taken: dict[str, list[Seconds]] = {name: [] for name in works}
    for _ in range(runs):
        for name, work in works.items():
            taken[name].append(once(work)[1])
    return {
        name: Seconds(
            statistics.median(each.wall for each in rows),
            statistics.median(each.cpu for each in rows),
        )
        for name, rows in taken.items()
    }


def alone(function: Callable[..., Mapping[str, Any]], *arguments: Any) -> dict[str, Any]:
    """Run a function of a benchmark in a process of its own; add its peak memory as `peak_mb`."""
    # of a benchmark that was started by its file, the name of the module is not known
    module = f"benchmarks.{Path(function.__code__.co_filename).stem}"
    asked = json.dumps([module, function.__name__, arguments])
    done = subprocess.run(
        [sys.executable, "-c", _ALONE, asked], cwd=ROOT, stdout=subprocess.PIPE, check=True
    )
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer
