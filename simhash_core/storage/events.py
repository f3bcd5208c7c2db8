"""Events as rows: JSON, and a chain of check sums through all of them.

Each row holds the check sum of the one before, and the file lists number and check sum of the last
(`contents`). So a changed row is noticed, and so is one that is missing, at the end too, or stands
in another place. The sums hold no secret: they show what befell a file, not a forger who makes all
of them anew.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from .compression import digest
from .decisions import SUBJECTS, Event, Subject

START = bytes(32)  # what stands before the first event
_NEVER = datetime.fromtimestamp(0, UTC)

#: number, check sum of the row before, content, check sum of these three
Row = tuple[int, bytes, str, bytes]
#: a row as it is found, the content as bytes; in a damaged file anything but the number
Found = Sequence[Any]


def write(event: Event, seq: int, before: bytes) -> Row:
    """Return the row of an event."""
    subject = event.subject
    content = json.dumps(
        {
            "action": event.action,
            "subject": None
            if subject is None
            else [subject.kind, subject.a, subject.b, subject.place],
            "field": event.field,
            "value": event.value,
            "reviewer": event.reviewer,
            "time": event.time.isoformat(),
            "names": list(event.names),
            "undoes": event.undoes,
        },
        sort_keys=True,
    )
    return seq, before, content, link(seq, before, content.encode("ascii"))


def link(seq: int, before: bytes, content: bytes) -> bytes:
    """Return the check sum of a row."""
    return digest(b"%d\n%b%b" % (seq, before, content))


def read(
    rows: Iterable[Found], *, after: int, last: int | None, head: bytes, texts: Iterable[str] = ()
) -> list[Event]:
    """Return events, each checked by itself and as a link of the chain.

    Parameters
    ----------
    rows
        Those numbered `after` and more; the first is looked at, not returned.
    last, head
        Number and check sum of the last event, as the file lists them; None where it lists none.
    texts
        Ids of texts that a decision can be about, beside those of the rows.

    Returns
    -------
    list of Event
        By number. A damaged row is an event that says so, and what is missing is one event with
        the last missing number. A whole row accuses the one before, where it names another.
    """
    ordered = sorted((row for row in rows if row[0] >= max(after, 1)), key=lambda row: int(row[0]))
    whole = [_read(*row) for row in ordered]
    known = {"", *texts}
    known.update(key for one in whole if one and one.subject for key in one.subject.texts)
    found: list[Event] = []
    number = after
    sums: set[bytes | None] | None = {START} if after == 0 else None
    for event, row in zip(whole, ordered, strict=True):
        if row[0] > after:
            if row[0] > number + 1:
                found.append(unknown(row[0] - 1))
            elif event and sums and row[1] not in sums:
                # before the first there is nothing to accuse
                event, found = (event, [*found[:-1], unknown(number)]) if found else (None, [])
            found.append(event or _damaged(row[0], row[2], known))
        number, sums = row[0], {row[3], _link_of(row)}
    if last is None:
        return found
    if number < last:
        return [*found, unknown(last)]
    if number == last and found and sums and head not in sums:
        found[-1] = unknown(number)
    return [event if event.seq <= last else unknown(event.seq) for event in found]


def _link_of(row: Found) -> bytes | None:
    seq, before, content, _ = row
    return link(seq, before, content) if _are_bytes(before, content) else None


def _are_bytes(*values: Any) -> bool:
    return all(isinstance(value, bytes) for value in values)


def _read(seq: int, before: Any, content: Any, check: Any) -> Event | None:
    """Return the event of a row; None where it is not as it was written."""
    if not _are_bytes(before, content) or link(seq, before, content) != check:
        return None
    try:
        held = json.loads(content)
        subject = None if held["subject"] is None else Subject(*map(str, held["subject"]))
        first, second = map(str, held["names"])
        words = (str(held[name]) for name in ("action", "field", "value", "reviewer", "undoes"))
        action, field, value, reviewer, undoes = words
        moment = datetime.fromisoformat(held["time"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if (subject is None) != bool(undoes) or (subject and subject.kind not in SUBJECTS):
        return None
    return Event(action, subject, field, value, reviewer, moment, (first, second), undoes, seq)


def _damaged(seq: int, content: Any, texts: set[str]) -> Event:
    """Return a damaged row as an event that decides nothing.

    It names its subject where that can still be read and is about texts that are known: no few
    changed bits make one sha-256 of another. Places are never trusted.
    """
    with contextlib.suppress(ValueError, TypeError, KeyError, RecursionError):
        kind, a, b, _ = json.loads(content)["subject"]
        if kind in SUBJECTS and all(isinstance(key, str) and key in texts for key in (a, b)):
            return unknown(seq, Subject(kind, a, b))
    return unknown(seq)


def unknown(seq: int, subject: Subject | None = None) -> Event:
    """Return an event of which nothing is known but its number, and perhaps its subject."""
    return Event("", subject, "", "", "", _NEVER, seq=seq, damaged=True)
