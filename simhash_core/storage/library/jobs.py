"""Imports: what was asked for and what became of every item, so that a stopped one goes on."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from ...errors import Cancelled, StoreError
from .rows import (
    ITEM_STATES,
    JOB_STATES,
    JobItem,
    JobRow,
    escape_text,
    require_sealed,
    seal_row,
    unescape_text,
)
from .tables import columns_of
from .view import View

_JOB = columns_of("job", "j")
_ITEMS = (
    f"SELECT {columns_of('item', 'i')}, {columns_of('outcome', 'o')} FROM item i"
    " JOIN job j ON j.id = i.job"
    " LEFT JOIN outcome o ON o.job = i.job AND o.number = i.number WHERE j.owner = :owner"
    " AND i.job = :job"
)


class Jobs:
    """The imports of one owner; of a job that does not exist, changes raise `store_missing`."""

    def __init__(
        self,
        reading: Callable[[], AbstractContextManager[View]],
        writing: Callable[[], AbstractContextManager[View]],
    ) -> None:
        self._reading, self._writing = reading, writing

    def start(
        self, collection: str, items: Sequence[str], *, origin: Mapping[str, Any] | None = None
    ) -> int:
        """Store an import of items; return its number. `origin`: plain values to ask again by."""
        with self._writing() as view:
            job, now, asked = view.next("job", 1), time.time(), json.dumps(dict(origin or {}))
            row = (job, view.owner, escape_text(collection), "running", now, now, asked)
            view.append("job", [seal_row(row)])
            self.extend(job, items)
        return job

    def extend(self, job: int, items: Sequence[str]) -> None:
        """Add items to a job."""
        with self._writing() as view:
            _row(view, job)
            first = _last_item(view, job) + 1
            rows = [seal_row((job, first + n, escape_text(name))) for n, name in enumerate(items)]
            view.append("item", rows)

    def listed(self) -> list[JobRow]:
        """Return the imports of the owner, newest first."""
        counted = (
            "SELECT j.id, o.state, count(*) FROM job j JOIN outcome o ON o.job = j.id"
            " WHERE j.owner = :owner GROUP BY j.id, o.state"
        )
        items = (
            "SELECT j.id, count(*) FROM job j JOIN item i ON i.job = j.id"
            " WHERE j.owner = :owner GROUP BY j.id"
        )
        with self._reading() as view:
            came = {(job, state): count for job, state, count in view.rows(counted)}
            asked = dict(view.rows(items))
            rows = view.rows(f"SELECT {_JOB} FROM job j WHERE j.owner = :owner ORDER BY j.id DESC")
            require_sealed(rows)
            return [
                JobRow(
                    job,
                    unescape_text(collection),
                    *(state, created, changed, json.loads(origin), asked.get(job, 0)),
                    *(came.get((job, outcome), 0) for outcome in ITEM_STATES),
                )
                for job, _, collection, state, created, changed, origin, _ in rows
            ]

    def items(self, job: int, state: str | None = None) -> list[JobItem]:
        """Return the items of a job in order: `waiting`, or one of `ITEM_STATES`."""
        where = {None: "", "waiting": " AND o.state IS NULL"}.get(state, " AND o.state = :state")
        values = {} if state in (None, "waiting") else {"state": state}
        statement = f"{_ITEMS}{where} ORDER BY i.number"
        with self._reading() as view:
            rows = view.rows(statement, job=job, **values)
            require_sealed(row[:4] for row in rows)
            require_sealed(row[4:] for row in rows if row[-1] is not None)
            listed = []
            for row in rows:
                item = JobItem(row[1], unescape_text(row[2]))
                if row[-1] is not None:
                    state, reason, params, key = row[6:10]
                    item = replace(
                        item, state=state, reason=reason, params=json.loads(params), key=key
                    )
                listed.append(item)
            return listed

    def mark(self, job: int, outcomes: Sequence[JobItem]) -> None:
        """Store what became of items, in place of what was said before."""
        if any(item.state not in ITEM_STATES for item in outcomes):
            raise ValueError("no state of an item")
        with self._writing() as view:
            _row(view, job)
            for item in outcomes:
                where = "WHERE job = :job AND number = :number"
                view.session.run(f"DELETE FROM outcome {where}", job=job, number=item.number)
            rows = [
                (job, item.number, item.state, item.reason, json.dumps(dict(item.params)), item.key)
                for item in outcomes
            ]
            view.append("outcome", list(map(seal_row, rows)))

    def set_state(self, job: int, state: str) -> None:
        """Say that a job is `running` again, or another of `JOB_STATES`.

        Whoever runs a job that is `cancelled` stops before the next batch; what is stored stays.
        """
        if state not in JOB_STATES:
            raise ValueError(state)
        with self._writing() as view:
            row = _row(view, job)
            changed = (*row[:3], state, row[4], time.time(), row[6])
            view.replace("job", [seal_row(changed)])

    def renew(self, job: int) -> None:
        """Say that a process is at work on a job; raises `Cancelled` where it shall stop."""
        with self._writing() as view:
            if _row(view, job)[3] == "cancelled":
                raise Cancelled
            self.set_state(job, "running")

    def drop(self, job: int) -> None:
        """Delete a job of which nothing came."""
        with self._writing() as view:
            _row(view, job)
            for table, column in (("outcome", "job"), ("item", "job"), ("job", "id")):
                view.session.run(f"DELETE FROM {table} WHERE {column} = :job", job=job)

    def note_reached(self, job: int, entries: int, items: int) -> None:
        """Note that so many entries of a stream became so many items; 0 forgets it."""
        name = f"reached {job}"
        with self._writing() as view:
            if entries:
                view.put(name, [entries, items])
            else:
                view.session.run("DELETE FROM meta WHERE name = :name", name=name)

    def reached(self, job: int) -> tuple[int, int, int]:
        """Return what `note_reached` noted last, else 0 and 0, and the number of the last item.

        The last item may belong to an entry that is not done with.
        """
        with self._reading() as view:
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


def _row(view: View, job: int) -> Any:
    rows = view.rows(f"SELECT {_JOB} FROM job j WHERE j.owner = :owner AND j.id = :job", job=job)
    if not rows:
        raise StoreError("store_missing", name=str(job))
    return rows[0]
