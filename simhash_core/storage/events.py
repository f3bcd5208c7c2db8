"""One event as the two columns of its row: JSON, and the check sum of it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Container
from datetime import UTC, datetime
from typing import Any

from .compression import digest
from .decisions import SUBJECTS, Event, Subject


def write(event: Event) -> tuple[str, bytes]:
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
    return content, digest(content.encode("ascii"))


def read(seq: int, content: Any, check: Any) -> Event | None:
    """Return the event of a row; None where the row is damaged: it must not decide anything."""
    if not isinstance(content, str) or not isinstance(check, bytes):
        return None
    if digest(content.encode("utf-8", "surrogatepass")) != check:
        return None
    try:
        held = json.loads(content)
        subject = None if held["subject"] is None else Subject(*map(str, held["subject"]))
        first, second = map(str, held["names"])
        words = (str(held[name]) for name in ("action", "field", "value", "reviewer", "undoes"))
        action, field, value, reviewer, undoes = words
        moment = datetime.fromisoformat(held["time"])
    except (ValueError, TypeError, KeyError):
        return None
    if (subject is None) != bool(undoes) or (subject and subject.kind not in SUBJECTS):
        return None
    return Event(action, subject, field, value, reviewer, moment, (first, second), undoes, seq)


def damaged(seq: int, content: Any, texts: Container[str]) -> Event:
    """Return a damaged row as an event that decides nothing.

    It names its subject where that can still be read and is about `texts`, which are known by
    their ids: no few changed bits make one sha-256 of another. Places are never trusted.
    """
    subject = None
    with contextlib.suppress(ValueError, TypeError, KeyError):
        kind, a, b, _ = json.loads(content)["subject"]
        if kind in SUBJECTS and all(isinstance(key, str) and key in texts for key in (a, b)):
            subject = Subject(kind, a, b)
    return Event("", subject, "", "", "", _NEVER, seq=seq, damaged=True)


_NEVER = datetime.fromtimestamp(0, UTC)
