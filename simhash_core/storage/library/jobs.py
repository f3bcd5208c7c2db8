"""Imports: what was asked for and what became of every item, so that a stopped one goes on."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import Cancelled, StoreError
from .rows import (
    ITEM_STATES,
    JOB_STATES,
    Added,
    JobItem,
    JobRow,
    escaped,
    require_sealed,
    row_digest,
    sealed,
    unescaped,
)
from .tables import columns_of
from .view import EVERYTHING, View

_JOB = columns_of("job", "j")
_ITEMS = (
    f"SELECT {columns_of('item', 'i')}, {columns_of('outcome', 'o')} FROM item i"
    " JOIN job j ON j.id = i.job"
    " LEFT JOIN outcome o ON o.job = i.job AND o.number = i.number WHERE j.owner = :owner"
    " AND i.job = :job AND i.number > :after"
)


def start(view: View, collection: str, names: Sequence[str], origin: Mapping[str, Any]) -> int:
    """Store a job with its items; return its number."""
    job, now = view.next("job", 1), time.time()
    row = (job, view.owner, escaped(collection), "running", now, now, json.dumps(dict(origin)))
    view.session.append("job", [sealed(row)])
    extend(view, job, names)
    return job


def extend(view: View, job: int, names: Sequence[str]) -> int:
    """Add items to a job; return the number of the first."""
    _row(view, job)
    first = _last_item(view, job) + 1
    rows = (sealed((job, first + n, escaped(name))) for n, name in enumerate(names))
    view.session.append("item", rows)
    return first


def listed(view: View) -> list[JobRow]:
    """Return the jobs of the owner, newest first."""
    counted = (
        "SELECT j.id, o.state, count(*) FROM job j JOIN outcome o ON o.job = j.id"
        " WHERE j.owner = :owner GROUP BY j.id, o.state"
    )
    outcomes = {(job, state): count for job, state, count in view.rows(counted)}
    items = dict(
        view.rows(
            "SELECT j.id, count(*) FROM job j JOIN item i ON i.job = j.id"
            " WHERE j.owner = :owner GROUP BY j.id"
        )
    )
    rows = view.rows(f"SELECT {_JOB} FROM job j WHERE j.owner = :owner ORDER BY j.id DESC")
    require_sealed(rows)
    return [
        JobRow(
            job,
            unescaped(collection),
            state,
            created,
            changed,
            json.loads(origin),
            items.get(job, 0),
            *(outcomes.get((job, outcome), 0) for outcome in ITEM_STATES),
        )
        for job, _, collection, state, created, changed, origin, _ in rows
    ]


def items(
    view: View, job: int, state: str | None, after: int = 0, most: int = EVERYTHING
) -> list[JobItem]:
    """Return the items of a job in order."""
    where = {None: "", "waiting": " AND o.state IS NULL"}.get(state, " AND o.state = :state")
    values = {} if state in (None, "waiting") else {"state": state}
    statement = f"{_ITEMS}{where} ORDER BY i.number LIMIT :most"
    rows = view.rows(statement, job=job, after=after, most=most, **values)
    asked, outcomes = [row[:4] for row in rows], [row[4:] for row in rows]
    require_sealed(asked)
    require_sealed(outcome for outcome in outcomes if outcome[-1] is not None)
    return [
        JobItem(number, unescaped(name), *_came(outcome))
        for (_, number, name, _), outcome in zip(asked, outcomes, strict=True)
    ]


def mark(view: View, job: int, outcomes: Sequence[JobItem]) -> None:
    """Store what became of items, in place of what was said before."""
    _row(view, job)
    if any(item.state not in ITEM_STATES for item in outcomes):
        raise ValueError("no state of an item")
    numbers = [item.number for item in outcomes]
    for _ in view.each(
        "SELECT o.number FROM outcome o JOIN job j ON j.id = o.job WHERE j.owner = :owner"
        " AND o.job = :job AND o.number IN ({keys})",
        numbers,
        job=job,
    ):
        view.session.run(
            "DELETE FROM outcome WHERE job = :job AND number = :number", job=job, number=_[0]
        )
    view.session.append(
        "outcome",
        [
            sealed((job, i.number, i.state, i.reason, json.dumps(dict(i.params)), i.key))
            for i in outcomes
        ],
    )


def mark_added(view: View, job: int, numbers: Sequence[int], added: Sequence[Added]) -> None:
    """Store that items became texts."""
    outcomes = [
        JobItem(number, "", "added" if one.is_new else "present", key=one.key)
        for number, one in zip(numbers, added, strict=True)
    ]
    mark(view, job, outcomes)


def set_state(view: View, job: int, state: str) -> None:
    """Change the state of a job."""
    if state not in JOB_STATES:
        raise ValueError(state)
    row = _row(view, job)
    changed = (*row[:3], state, row[4], time.time(), row[6])
    view.session.run(
        "UPDATE job SET state = :state, changed = :changed, digest = :digest WHERE id = :job",
        state=state,
        changed=changed[5],
        digest=row_digest(changed),
        job=job,
    )


def drop(view: View, job: int) -> None:
    """Delete a job of which nothing came."""
    _row(view, job)
    for table, column in (("outcome", "job"), ("item", "job"), ("job", "id")):
        view.session.run(f"DELETE FROM {table} WHERE {column} = :job", job=job)


def renew(view: View, job: int) -> None:
    """Say that a process is at work on a job.

    Raises
    ------
    Cancelled
        Somebody cancelled it meanwhile.
    """
    require_running(view, job)
    set_state(view, job, "running")


def note_reached(view: View, job: int, entries: int, items: int) -> None:
    """Note how far a stream was read; 0 entries forget it."""
    name = f"reached {job}"
    if entries:
        view.put(name, [entries, items])
    else:
        view.session.run("DELETE FROM meta WHERE name = :name", name=name)


def reached(view: View, job: int) -> tuple[int, int, int]:
    """Return how many entries of a stream are done with, how many items these became, and the last.

    The last item may belong to an entry that is not done with.
    """
    entries, items = view.get(f"reached {job}", (0, 0))
    return int(entries), int(items), _last_item(view, job)


def _last_item(view: View, job: int) -> int:
    """Return the greatest number of an item; purged ones leave gaps."""
    last = view.rows(  # in the order of the key: one row is read, not every item
        "SELECT i.number FROM item i JOIN job j ON j.id = i.job WHERE j.owner = :owner"
        " AND i.job = :job ORDER BY i.number DESC LIMIT 1",
        job=job,
    )
    return int(last[0][0]) if last else 0


def require_running(view: View, job: int) -> None:
    """Raise where somebody cancelled the job meanwhile.

    Raises
    ------
    Cancelled
    """
    if _row(view, job)[3] == "cancelled":
        raise Cancelled


def _row(view: View, job: int) -> Any:
    rows = view.rows(f"SELECT {_JOB} FROM job j WHERE j.owner = :owner AND j.id = :job", job=job)
    if not rows:
        raise StoreError("store_missing", name=str(job))
    return rows[0]


def _came(outcome: Sequence[Any]) -> tuple[str, str, Mapping[str, Any], int]:
    """Return state, reason, values of the reason and key of a text; waiting without an outcome."""
    _, _, state, reason, params, key, digest = outcome
    return ("waiting", "", {}, 0) if digest is None else (state, reason, json.loads(params), key)
