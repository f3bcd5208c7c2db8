"""What reads a file may die of it or never end: that file is named, and nothing else happens."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest
from prose import english

from simhash_core.machine.workers import WorkerPool
from simhash_core.settings import Settings
from simhash_core.text import gathering, reading
from simhash_core.text.gathering import Source

ENDS = {"aborts": "crashed", "faults": "crashed", "hangs": "timeout"}
SECONDS = 8.0


@pytest.mark.promise(17)
@pytest.mark.timeout(900)
def test_reader_that_dies_or_hangs_costs_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property
) -> None:
    monkeypatch.setattr(reading, "TASK_SECONDS", SECONDS)
    sources = []
    for number in range(12):
        sources.append(Source(f"{number}.html", data=english(number, 60).encode()))
        suffix = list(ENDS)[number % len(ENDS)]
        sources.append(Source(f"{number}.{suffix}", data=b"words"))
    with WorkerPool(2, preload=["faults.broken_readers"]) as pool:
        before = set(pool.warm().processes)
        documents, skipped = reading.read_sources(
            sources, pool=pool, settings=Settings(), progress=lambda *_: None
        )
        after = set(pool.processes)

    assert [document.name for document in documents] == [f"{n}.html" for n in range(12)]
    assert [(row.name, row.code) for row in skipped] == [
        (source.name, ENDS[source.suffix]) for source in sources if source.suffix in ENDS
    ]
    assert len(after) == len(before) == 2
    assert not after & before  # each died, and was replaced
    record_property("outcome", f"12 of 12 read beside {len(skipped)} that end their reader")


@pytest.mark.long
def test_many_files_that_take_too_long_get_less_time_each(record_property) -> None:
    sources = [Source(f"{number}.hangs", data=b"words") for number in range(12)]
    sources.append(Source("essay.html", data=english(1, 60).encode()))
    with WorkerPool(1, preload=["faults.broken_readers"]) as pool:
        began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        documents, skipped = reading.read_sources(
            sources, pool=pool, settings=Settings(), progress=lambda *_: None
        )
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began

    assert [document.name for document in documents] == ["essay.html"]
    assert [(row.name, row.code) for row in skipped] == [(s.name, "timeout") for s in sources[:12]]
    assert spent < 12 * gathering.reading_seconds(0)
    record_property("outcome", f"12 files that hang: {spent:.0f} s of processor time")
