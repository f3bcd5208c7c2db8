"""How numbers are written: on pages, in reports and on the terminal, in both languages.

1. A share is of what counts, and the two lengths stand beside it (`Notation.counted`).
2. The total is rounded first. Its parts share it by largest remainder and own text is the rest, so
   that what is printed adds up (`percents`).
3. A share below half a percent reads "under 1%". 100 % is only a text of which everything that
   counts is identical; any other reads 99 % at most, and then its parts add up to 99.
4. A in B and B in A are two numbers.
5. Percents are whole; a workbook shows one decimal of the same two lengths.
6. Of a text of which too little is left to count (`numbers.has_few_counted`) no share is
   written, but how much that is.
7. Lengths are in the unit of their text, characters or words.

What is not known is `UNKNOWN`. Numbers that chance would give are estimates: one digit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .i18n import Translate, in_chinese, number, translator
from .model import I32, I64, Division
from .numbers import CLASSES, SHARED_CLASSES, Likelihood, has_few_counted

UNKNOWN = "—"
LEAST_EXPECTED = 0.01  # below, an expected number is only said to be smaller
_DIGITS = "〇一二三四五六七八九"


@dataclass(frozen=True, slots=True)
class Notation:
    """Writes numbers in one language."""

    language: str
    t: Translate

    @classmethod
    @lru_cache(maxsize=8)
    def of(cls, language: str) -> Notation:
        """Return the notation of a language."""
        return cls(language, translator(language))

    # ----------------------------------------------------------------- lengths
    def count(self, n: int) -> str:
        """Write an integer with its thousands apart."""
        return number(n, self.language)

    def length(self, n: int, unit: str) -> str:
        """Write a length: 786 字, 786 words."""
        return self.t(f"frame.length.{unit}", n=n)

    def counted(self, division: Division) -> str:
        """Write how much of a text counts: 计入 552 / 757 字, counted 552 of 757 words."""
        of = self.length(division.whole, division.unit)
        return self.t("frame.counted", counted=division.counted, whole=of)

    def fraction(self, division: Division) -> str:
        """Write how much of what counts is shared: 414 / 552 字, 414 of 552 words."""
        of = self.length(division.counted, division.unit)
        return self.t("frame.of_counted", n=division.shared, counted=of)

    def sum(self, division: Division) -> str:
        """Write what the shared part consists of: 相同 318 + 改写 96 = 414 / 552 字."""
        parts = [
            f"{self.t(f'frame.class.{name}')} {self.count(units)}"
            for name in SHARED_CLASSES
            if (units := getattr(division, name))
        ]
        fraction = self.fraction(division)
        return f"{' + '.join(parts)} = {fraction}" if parts else fraction

    def bar(self, division: Division) -> str:
        """Write a whole text by class, for whoever does not see its bar."""
        classes = [
            f"{self.t(f'frame.class.{name}')} {self.count(units)}"
            for name in CLASSES
            if (units := getattr(division, name))
        ]
        return ("、" if in_chinese(self.language) else ", ").join(
            [self.counted(division), *classes]
        )

    # ----------------------------------------------------------------- shares
    def total(self, division: Division) -> str:
        """Write the share of a text that another one has, or any other one.

        Where too little is left of it to count, how much that is: 26 words left.
        """
        if has_few_counted(division):
            return self.t("frame.few_left", length=self.length(division.counted, division.unit))
        return self._whole(percents(division)["shared"], division.shared)

    def part(self, division: Division, name: str) -> str:
        """Write the share of one class of a text, so that the classes add up to the total."""
        if has_few_counted(division):
            return UNKNOWN
        return self._whole(percents(division)[name], getattr(division, name))

    def percent(self, share: float) -> str:
        """Write a share of 0..1 of anything else; a part never reads as nothing or as all."""
        whole = min(_rounded(share), 99) if share < 1 else 100
        return self._whole(whole, share)

    def _whole(self, percent: int, held: float) -> str:
        return self.t("frame.under_percent") if held and not percent else f"{percent}%"

    # ----------------------------------------------------------------- chance
    def expected(self, value: float | None) -> str:
        """Write a number that chance would give: 约 0.5, under 0.01; `UNKNOWN` where it is not."""
        if value is None or math.isnan(value):
            return UNKNOWN
        if value < LEAST_EXPECTED:
            return self.t("frame.under", number=LEAST_EXPECTED)
        return self.t("frame.about", number=self._digit(value))

    def expected_pairs(self, value: float) -> str:
        """Write the same with its unit: 约有 0.02 对, about 0.02 pairs."""
        if value < LEAST_EXPECTED:
            return self.t("frame.chance.under", number=LEAST_EXPECTED)
        return self.t("frame.chance.about", number=self._digit(value))

    def _digit(self, value: float) -> str:
        rounded = round(value, -math.floor(math.log10(value)))
        return self.count(int(rounded)) if rounded >= 1 else f"{rounded:g}"

    def likelihood(self, one: Likelihood | None) -> str:
        """Write what chance says about a pair, "" where nothing can be said."""
        if one is None:
            return ""
        length = self.length(one.n, one.unit)
        return self.t(f"frame.likelihood.{one.code}", n=one.texts, length=length, texts=one.texts)

    # ----------------------------------------------------------------- names that are numbers
    def cluster(self, index: int, *, title: bool = False) -> str:
        """Write what the cluster with this index is called; `title` for a heading."""
        if index < 0:
            return UNKNOWN
        at = han(index + 1) if in_chinese(self.language) else str(index + 1)
        return self.t("clusters.name" if title else "frame.cluster", number=at)


def percents(division: Division) -> dict[str, int]:
    """Return the whole percents of a text: `shared`, its classes, and `own`.

    The classes of what is shared add up to `shared`; with `own` they add up to 100, or to the 99
    that `shared` reads where nothing is own text but not all of it is identical.
    """
    total = 100 if division.unchanged else min(_rounded(division.total), 99)
    parts = [getattr(division, name) for name in SHARED_CLASSES]
    shares = dict(zip(SHARED_CLASSES, largest_remainder(parts, total), strict=True))
    return {"shared": total, **shares, "own": 100 - total if division.own else 0}


def total_percents(parts: I32, counted: I64) -> I64:
    """Return `percents(...)["shared"]` of many texts, int64 (n,).

    Parameters
    ----------
    parts : int32 (n, 3)
        Units by `SHARED_CLASSES`.
    counted : int64 (n,)
    """
    shares = parts.sum(axis=1) / np.maximum(counted, 1)
    whole = np.floor(100 * shares + 0.5).astype(np.int64)
    unchanged = (counted > 0) & (parts[:, 0] == counted)
    return np.where(unchanged, 100, np.minimum(whole, 99))


def largest_remainder(parts: list[int], total: int) -> list[int]:
    """Share a total among parts in proportion, in whole numbers that add up to it.

    Each gets the whole part of its quota; what is left goes, one each, to the largest remainders,
    of equal ones to the first. All zeros share nothing.

    >>> largest_remainder([1, 1, 1], 100)
    [34, 33, 33]
    """
    whole = sum(parts)
    if not whole:
        return [0] * len(parts)
    shares = [part * total // whole for part in parts]
    order = sorted(range(len(parts)), key=lambda i: (-(parts[i] * total % whole), i))
    for i in order[: total - sum(shares)]:
        shares[i] += 1
    return shares


def _rounded(share: float) -> int:
    """Round to whole percents, halves up."""
    return math.floor(100 * share + 0.5)


def letters(place: int) -> str:
    """Return a place from 1 in letters: a, b, ... z, aa, ab.

    >>> [letters(place) for place in (1, 26, 27, 53)]
    ['a', 'z', 'aa', 'ba']
    """
    written = ""
    while place:
        place, digit = divmod(place - 1, 26)
        written = chr(ord("a") + digit) + written
    return written


def han(value: int) -> str:
    """Return a small number in Chinese numerals, a large one in digits."""
    if value >= 100:
        return str(value)
    tens, ones = divmod(value, 10)
    lead = "" if tens == 0 else "十" if tens == 1 else _DIGITS[tens] + "十"
    return lead + (_DIGITS[ones] if ones else "")
