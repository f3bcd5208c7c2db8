"""Imports: items, outcomes, cancelling, and adding within a job."""

from __future__ import annotations

import pytest
from library_texts import texts

from simhash_core.errors import Cancelled, StoreError
from simhash_core.storage.library import JobItem

NAMES = ["a.txt", "b\ud800.txt", "c.txt"]


@pytest.mark.long
def test_items_wait_until_something_came_of_them(library):
    job = library.jobs.start("essays", NAMES, origin={"paths": ["folder"]})
    library.add("essays", texts(2), job=job, items=[1, 2])
    library.jobs.mark(job, [JobItem(3, "", "skipped", "timeout", {"s": 20})])

    items = library.jobs.items(job)
    assert [(item.name, item.state) for item in items] == [
        ("a.txt", "added"),
        ("b\ud800.txt", "added"),
        ("c.txt", "skipped"),
    ]
    assert items[2].reason == "timeout" and items[2].params == {"s": 20}
    assert [item.key for item in items[:2]] == [row.key for row in library.rows()]
    (row,) = library.jobs.listed()
    assert (row.items, row.added, row.present, row.skipped, row.waiting) == (3, 2, 0, 1, 0)
    assert (row.state, row.collection, row.origin) == ("running", "essays", {"paths": ["folder"]})
    library.jobs.set_state(job, "done")
    assert (
        library.jobs.listed()[0].state == "done" and library.jobs.listed()[0].changed >= row.changed
    )


def test_items_are_listed_by_state_and_their_outcome_is_replaced(library) -> None:
    job = library.jobs.start("essays", NAMES)
    library.jobs.mark(job, [JobItem(2, "", "present", key=7)])
    assert [item.number for item in library.jobs.items(job, "waiting")] == [1, 3]
    assert [item.number for item in library.jobs.items(job, "present")] == [2]
    library.jobs.mark(job, [JobItem(1, "", "skipped", "io"), JobItem(2, "", "skipped", "io")])
    library.add("essays", texts(1), job=job, items=[1])
    assert [item.state for item in library.jobs.items(job)] == ["added", "skipped", "waiting"]


def test_cancelled_job_takes_nothing_more(library):
    job, first = library.jobs.start("essays", NAMES), texts(2)
    library.add("essays", first[:1], job=job, items=[1])
    library.jobs.set_state(job, "cancelled")

    with pytest.raises(Cancelled):
        library.add("essays", first[1:], job=job, items=[2])
    assert len(library.rows()) == 1 and library.jobs.listed()[0].waiting == 2
    library.jobs.set_state(job, "running")
    library.add("essays", first[1:], job=job, items=[2])
    assert len(library.rows()) == 2


def test_jobs_are_listed_newest_first_and_unknown_ones_refused(library):
    first, second = library.jobs.start("a", []), library.jobs.start("b", NAMES)

    assert [row.id for row in library.jobs.listed()] == [second, first]
    with pytest.raises(StoreError, match="store_missing"):
        library.jobs.set_state(99, "cancelled")
    with pytest.raises(ValueError, match="state"):
        library.jobs.mark(second, [JobItem(1, "", "lost")])
    assert library.jobs.items(99) == []
