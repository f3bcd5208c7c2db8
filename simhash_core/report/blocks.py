"""What stands in a report, one block after the other: a format that sets pages walks them.

A block holds data and sentences, and nothing of how it is set.

============ ======================================= ============ ==================================
kind         value                                   kind         value
============ ======================================= ============ ==================================
say          spans that hold the answer              definitions  (term, sentence, value) of numbers
stress       a sentence beside a thick rule          seats        seats of a class, and their keys
strip        figures: (label, value, note)           answers      (label, `Answer` lines)
whole        a division as a bar, with its legend    signatures   names of lines to sign on
sums         side and division of a text             talk         title and note above ruled lines
matrix       rows of a cluster, each with each       whose        a text: writer, file, hash
clusters     a map and what it shows                 parties      a pair: both texts
case_heading number and names of a case              marks        a text marked by its sources, unit
apparatus    passages of a case, change by change    sheet        a case, both texts side by side
decision     the same with lines to sign on          judged       the decision on a case
gap, break   room on paper: points, millimetres
============ ======================================= ============ ==================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .content import PairEntry

Spans = list[tuple[str, bool]]  # text, whether it is bold
Figure = tuple[str, str, str]  # label, value, note


@dataclass(frozen=True, slots=True)
class Block:
    """One thing that stands in a report."""

    kind: str
    value: Any
    key: str = ""  # of the places in it that links lead to


@dataclass(frozen=True, slots=True)
class Group:
    """Blocks that belong together: `half`, `talk`, `columns`, `case`, `section`.

    What is in `page` stands in HTML alone, what is in `paper` in PDF.
    """

    kind: str
    blocks: Sequence[Piece]
    key: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """The head of a section."""

    title: str
    note: str = ""
    key: str = ""  # "" where the title is the place that bookmarks lead to
    level: int = 0
    below: bool = False  # on paper the note stands below the head
    kind: str = "heading"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Words that are read beside the rest; `look` is small, small first, set or plain."""

    text: str
    look: str = "small"
    size: float = 8.0
    after: float = 0.0
    leading: float = 0.0
    kind: str = "paragraph"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of values; `cells` names the kind of each column, `keys` the rows for links.

    A `bar` (of a division) stands on pages alone. `names` has the rows of two texts, `people` two
    names, `two` a text and a smaller one below it, `source` a name and a mark; `overlap` and
    `state` have a pair, `counted` indicators; all others have words.
    """

    look: str
    cells: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Any]]
    keys: Sequence[str] = ()
    kind: str = "table"


@dataclass(frozen=True, slots=True)
class Answer:
    """A line behind a label: `line`, `quote`, `note`, or a `verdict` with its pair and by whom."""

    kind: str
    text: str
    by: str = ""
    pair: PairEntry | None = None


Piece = Block | Group | Heading | Paragraph | Table
