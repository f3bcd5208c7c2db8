"""The collections of a library: open one, or ask to delete it.

collection_table(key, rows=[...], words={...}) -> Answer: what the reader asks of which collection
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from .. import register

_table = register(
    "collection_table",
    '<div class="wrap" role="region"></div>',
    styles_of=("shared",),
    scripts=("shared/dom.js",),
)


@dataclass(frozen=True, slots=True)
class CollectionLine:
    """One collection as it is shown; `share` is the part of all texts that it holds."""

    name: str
    texts: str
    share: float
    changed: str
    size: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What the reader asked for: `open` or `delete`, of a collection."""

    action: str = ""
    name: str = ""


def collection_table(
    key: str, *, rows: Sequence[CollectionLine], words: Mapping[str, str]
) -> Answer:
    """Draw the collections and return what the reader asks for."""
    answer = _table(
        key=key,
        data={"rows": [asdict(row) for row in rows], "words": dict(words)},
        on_act_change=lambda: None,
    )
    asked = answer.act
    return Answer(str(asked.get("action", "")), str(asked.get("name", ""))) if asked else Answer()
