"""A slow judge of every figure: from texts and passages, one unit at a time, and how it reads.

It shares two steps with the product: how a text is cut into words, and which words of one passage
are shared, identical or moved (`marks_of`, judged in `tests/passages`). Everything else, from the
classes of a text to the sign behind a percent, is worked out here again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from oracles.coverage import marks_of
from oracles.tokenizing import tokenize

from simhash_core.checking.templates import blank_templates
from simhash_core.model import Document
from simhash_core.passages.tokenized import TokenizedText
from simhash_core.result import CheckResult
from simhash_core.text.normalize import normalize

#: in the order in which they are shown, and in which remainders of equal size are given away
SHARED = ("identical", "reworded", "moved")
_UNIT = re.compile(r"[\u3400-\u9fff]|[A-Za-z]+(?:['’][A-Za-z]+)*|\d+")


@dataclass
class Split:
    """Units of a text by class."""

    whole: int
    counted: int
    classes: Counter[str] = field(default_factory=Counter)  # what is shared

    @property
    def shared(self) -> int:
        return sum(self.classes.values())

    @property
    def total(self) -> float:
        return self.shared / self.counted if self.counted else 0.0

    def units(self, name: str) -> int:
        """Units of a class, by the name of its column."""
        others = {
            "own": self.counted - self.shared,
            "left_out": self.whole - self.counted,
            "counted": self.counted,
            "shared": self.shared,
            "length": self.whole,
        }
        return others.get(name, self.classes[name])

    # ------------------------------------------------------------- as it reads
    @property
    def percent(self) -> str:
        """The total as it is printed."""
        return written(self._percent, self.shared)

    def part(self, name: str) -> str:
        """A class of what is shared as it is printed: the parts add up to the total."""
        quotas = {one: self._percent * self.classes[one] / max(self.shared, 1) for one in SHARED}
        shares = {one: int(quota + 1e-9) for one, quota in quotas.items()}
        first = sorted(SHARED, key=lambda one: -round(quotas[one] - shares[one], 9))
        for one in first[: self._percent - sum(shares.values())]:
            shares[one] += 1 if self.shared else 0
        return written(shares[name], self.classes[name])

    @property
    def _percent(self) -> int:
        if self.counted and self.classes["identical"] == self.counted:
            return 100
        return min(int(100 * self.total + 0.5), 99)

    @property
    def sum(self) -> list[int]:
        """The integers of the line that adds a text up, in their order."""
        parts = [self.classes[name] for name in SHARED if self.classes[name]]
        return [*parts, self.shared, self.counted, self.counted, self.whole]


def written(percent: int, held: float) -> str:
    """A whole percent; of something it never reads 0."""
    return "under 1%" if held and not percent else f"{percent}%"


class Judge:
    """Every figure of a check; with `before`, of what exclusions have left of that one."""

    def __init__(self, result: CheckResult, before: CheckResult | None = None) -> None:
        self.result, self.before = result, before or result
        self.names = [document.name for document in result.documents]
        self.texts = [
            _tokens(blank_templates(document).text, result) for document in result.documents
        ]
        self.counts = [
            [not _excluded(document, *place) for place in _places(text)]
            for document, text in zip(result.documents, self.texts, strict=True)
        ]
        self.wholes = [len(_UNIT.findall(document.text)) for document in result.documents]
        self.ends = list(
            zip(result.table.pairs.left.tolist(), result.table.pairs.right.tolist(), strict=True)
        )

    @cached_property
    def marks(self) -> dict[int, tuple[list[str], list[str]]]:
        """By row of the pair table: the class of each unit of both texts, "" for own text."""
        rows: dict[int, tuple[list[str], list[str]]] = {}
        for row, (a, b) in enumerate(self.ends):
            if not self.passages(row):
                continue
            passages, least = self.before.passages, self.result.settings.min_run
            firm = passages.take((passages.pair == row) & ~passages.weak)
            marks = marks_of(self.texts[a], self.texts[b], firm, min_run=least)
            sides = zip(marks.shared, marks.identical, marks.moved, strict=True)
            first, second = ([_class(*one) for one in zip(*side, strict=True)] for side in sides)
            rows[row] = self._left(row, 0, first), self._left(row, 1, second)
        return rows

    def _left(self, row: int, side: int, classes: Sequence[str]) -> list[str]:
        """Classes of the units that count and lie in a passage that is left."""
        text, passages = self.ends[row][side], self.result.passages
        firm = passages.take((passages.pair == row) & ~passages.weak)
        starts, ends = ((firm.a_start, firm.a_end), (firm.b_start, firm.b_end))[side]
        ranges = list(zip(starts.tolist(), ends.tolist(), strict=True))
        return [
            name if counts and any(low <= start and end <= high for low, high in ranges) else ""
            for name, counts, (start, end) in zip(
                classes, self.counts[text], _places(self.texts[text]), strict=True
            )
        ]

    def pair(self, row: int) -> tuple[Split, Split]:
        """Both texts of a pair by what the other one shares."""
        a, b = (self._split(self.ends[row][side], self._of(row, side)) for side in (0, 1))
        return a, b

    def text(self, row: int, among: Collection[int] | None = None) -> Split:
        """A text by what all others share, or some rows of pairs: identical, reworded, moved."""
        best = [""] * len(self.texts[row])
        for at, side, _ in self.pairs_of(row):
            if among is not None and at not in among:
                continue
            for unit, name in enumerate(self.marks[at][side]):
                names = [one for one in (best[unit], name) if one]
                best[unit] = min(names, key=SHARED.index, default="")
        return self._split(row, best)

    def pairs_of(self, row: int) -> list[tuple[int, int, int]]:
        """Row of the pair table, side and other text of each pair that shares something."""
        return [
            (at, ends.index(row), ends[1 - ends.index(row)])
            for at, ends in enumerate(self.ends)
            if at in self.marks and row in ends
        ]

    def figures(self, row: int) -> dict[str, object]:
        """The columns of the table of texts."""
        text, pairs = self.text(row), self.pairs_of(row)
        shares = {other: self.pair(at)[side].total for at, side, other in pairs}
        largest = max(shares, key=lambda other: (shares[other], -other), default=None)
        names = ("length", "counted", "shared", *SHARED, "own", "left_out")
        lengths = {name: text.units(name) for name in names}
        return {
            **{name: lengths[name] for name in ("length", "counted", "shared")},
            **{f"{name}_length": lengths[name] for name in (*SHARED, "own", "left_out")},
            "total": text.total,
            "identical": text.units("identical") / max(text.counted, 1),
            "largest": 0.0 if largest is None else shares[largest],
            "largest_from": "" if largest is None else self.names[largest],
            "longest_run": max((self.longest_run(at) for at, _, _ in pairs), default=0),
            "passages": sum(self.passages(at) for at, _, _ in pairs),
            "sources": len(pairs),
        }  # fmt: skip

    def pair_figures(self, row: int) -> dict[str, object]:
        """The columns of the table of pairs."""
        a, b = self.pair(row)
        shared = a.shared + b.shared
        both = a.units("identical") + b.units("identical")
        return {
            "a": self.names[self.ends[row][0]],
            "b": self.names[self.ends[row][1]],
            "a_in_b": a.total,
            "b_in_a": b.total,
            "identical": both / shared if shared else 0.0,
            "longest": self.longest_run(row),
            "passages": self.passages(row),
            **{f"{name}_{side}": split.units(name) for side, split in (("a", a), ("b", b))
               for name in ("counted", *SHARED)},
        }  # fmt: skip

    def passages(self, row: int) -> int:
        """How many passages of a pair count."""
        passages = self.result.passages
        return int(((passages.pair == row) & ~passages.weak).sum())

    def longest_run(self, row: int) -> int:
        """The longest row of equal units inside one passage."""
        passages, (a, b) = self.result.passages, self.ends[row]
        longest = 0
        for at in ((passages.pair == row) & ~passages.weak).nonzero()[0].tolist():
            left = _inside(self.texts[a], passages.a_start[at], passages.a_end[at])
            right = _inside(self.texts[b], passages.b_start[at], passages.b_end[at])
            longest = max(longest, _longest_common(left, right))
        return longest

    def _of(self, row: int, side: int) -> Sequence[str]:
        return self.marks[row][side] if row in self.marks else ()

    def _split(self, text: int, classes: Sequence[str]) -> Split:
        some = Counter(name for name in classes if name)
        return Split(self.wholes[text], sum(self.counts[text]), some)


def _tokens(text: str, result: CheckResult) -> TokenizedText:
    return tokenize(normalize(text, fold_variants=result.settings.fold_variants), text)


def _places(text: TokenizedText) -> list[tuple[int, int]]:
    return list(zip(text.start.tolist(), text.end.tolist(), strict=True))


def _excluded(document: Document, start: int, end: int) -> bool:
    notes = [note for note in document.notes if note.code == "excluded"]
    return any(note.start < end and start < note.end for note in notes)


def _class(shared: bool, identical: bool, moved: bool) -> str:
    if not shared:
        return ""
    return "moved" if moved else "identical" if identical else "reworded"


def _inside(text: TokenizedText, start: int, end: int) -> list[int]:
    places = zip(text.start.tolist(), text.end.tolist(), text.token.tolist(), strict=True)
    return [token for low, high, token in places if low >= start and high <= end]


def _longest_common(a: list[int], b: list[int]) -> int:
    """Longest common run by the table of all pairs of places."""
    longest, before = 0, [0] * (len(b) + 1)
    for left in a:
        now = [0]
        for at, right in enumerate(b):
            now.append(before[at] + 1 if left == right else 0)
        longest = max(longest, *now)
        before = now
    return longest
