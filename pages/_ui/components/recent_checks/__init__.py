"""The checks of this reader: open, rename in place, duplicate, hand over, delete with time to undo.

recent_checks(key, rows=[...], words={...}) -> Answer: what the reader asks of which check
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from .. import register

_table = register(
    "recent_checks",
    '<div class="wrap" role="region"></div>',
    styles_of=("shared",),
    scripts=("shared/dom.js",),
)

ACTIONS = ("open", "duplicate", "copy", "delete")


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One check. `state` decides how its review is drawn: none, some, all, running, damaged."""

    id: str
    name: str
    texts: str
    date: str
    state: str
    share: float  # of the bar
    review: str  # the numbers beside the bar
    done: str  # what stands behind them where everything is decided
    size: str
    given: str = ""  # the name that the reader gave


@dataclass(frozen=True, slots=True)
class Answer:
    """What the reader asked for: one of `ACTIONS` or `rename`, of a check, with a new name."""

    action: str = ""
    id: str = ""
    name: str = ""


def recent_checks(key: str, *, rows: Sequence[CheckRow], words: Mapping[str, str]) -> Answer:
    """Draw the checks and return what the reader asks for."""
    answer = _table(
        key=key,
        data={"rows": [asdict(row) for row in rows], "words": dict(words)},
        on_act_change=lambda: None,
    )
    asked = answer.act
    return (
        Answer(**{name: str(asked.get(name, "")) for name in Answer.__slots__})
        if asked
        else Answer()
    )
