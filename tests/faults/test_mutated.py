"""Damaged files of every format end as text or with a reason, whatever is wrong with them."""

from __future__ import annotations

import functools
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest
from faults.mutants import mutant, seeds

from simhash_core.errors import BadInput, Unreadable
from simhash_core.library.tables import is_table, rows_of
from simhash_core.machine.workers import shared_pool
from simhash_core.model import Document, Skipped
from simhash_core.settings import Settings
from simhash_core.text.extract import ARCHIVES
from simhash_core.text.extract.rows import read_tables
from simhash_core.text.gathering import Source, gather_sources
from simhash_core.text.reading import read_sources

_LISTS = ("csv", "xlsx")  # read as class lists as well


@dataclass
class Tally:
    """What came of all files."""

    outcomes: Counter[str] = field(default_factory=Counter)
    bad: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    peak: int = 0

    def count(self, name: str, codes: list[str]) -> None:
        self.outcomes.update(codes)
        if not codes or {"crashed", "timeout"} & set(codes):
            self.bad.append(f"{name}: {codes}")


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(
    "count",
    [pytest.param(300, marks=pytest.mark.quick), pytest.param(5000, marks=pytest.mark.promise(38))],
)
def test_mutated_files_end_as_text_or_with_a_reason(
    tmp_path: Path, count: int, record_property
) -> None:
    sound, tally = seeds(), Tally()
    list(shared_pool().map(len, [b""] * 8))  # their start is no reading
    for number in range(count):
        dice = random.Random(number)
        suffix = list(sound)[number % len(sound)]
        other = dice.choice(sound[dice.choice(list(sound))])
        path = tmp_path / f"{number}.{suffix}"
        path.write_bytes(mutant(dice.choice(sound[suffix]), suffix, dice, other))
        began = time.monotonic()
        tally.count(path.name, ends(path))
        tally.slowest = max(tally.slowest, (time.monotonic() - began, path.name))
        tally.peak = max(tally.peak, peak())
        path.unlink()

    assert tally.bad == []
    record_property("outcome", f"{count} files: {dict(tally.outcomes.most_common())}")
    seconds, name = tally.slowest
    record_property("outcome", f"slowest {name}: {seconds:.1f} s, peak {tally.peak / 1e6:.0f} MB")


def ends(path: Path) -> list[str]:
    """Return how a file ends: "text", "rows", or the code of the reason; one for each part."""
    pool, codes = shared_pool(), []
    if path.suffix[1:] in _LISTS:
        read = functools.partial(read_tables, suffix=path.suffix)
        (rows,) = pool.map(read, [path.read_bytes()])
        codes.append(rows.code if isinstance(rows, Unreadable) else "rows")
    if is_table(path):
        return [*codes, *table_ends(path)]
    sources, skipped = gather_sources([Source(path.name, path)], pool=pool)
    documents, unread = read_sources(
        sources, pool=pool, settings=Settings(), progress=lambda *_: None
    )
    for document in documents:
        document.text.encode("utf-8")  # what follows can write it
    codes += ["text"] * len(documents) + [row.code for row in (*skipped, *unread)]
    empty_archive = path.suffix[1:] in ARCHIVES and not sources
    return codes or ["no members"] if empty_archive else codes


def table_ends(path: Path) -> list[str]:
    try:
        rows: list[Document | Skipped] = list(rows_of(path))
    except BadInput as error:
        cause = error.__cause__
        return [cause.code if isinstance(cause, Unreadable) else error.code]
    return ["text" if isinstance(row, Document) else row.code for row in rows] or ["no rows"]


def peak() -> int:
    """Return the most bytes that a process which reads has held."""
    return max(map(held, shared_pool().processes), default=0)


def held(process: int) -> int:
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return int(psutil.Process(process).memory_info().rss)
    lines = (line.split() for line in status.read_text("ascii", "replace").splitlines())
    return next(int(line[1]) * 1024 for line in lines if line[0] == "VmHWM:")
