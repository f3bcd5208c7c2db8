"""Plain Python in the place of the loops of `passages`: called as C is, answers as C does."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracles import passages

from simhash_core.model import F64, I32, I64
from simhash_core.passages import options


class Rows:
    """A table whose rows plain Python fills."""

    def __init__(self, kind: type, columns: int) -> None:
        self.rows: Any = np.empty((0, columns), kind)

    def taken(self) -> Any:
        return self.rows


class AsRead:
    """What `align` asks of the loops."""

    @staticmethod
    def Texts(*columns: Any) -> options.Texts:
        return options.Texts(*columns[:-1])

    @staticmethod
    def Numbered(*columns: Any) -> options.Numbered:
        return options.Numbered(*columns[:-3])

    @staticmethod
    def align_pairs(texts: options.Texts, pairs: I64, _: int, numbers: F64, __: int, table: Rows):
        table.rows = passages.align_pairs(texts, pairs, numbers)

    @staticmethod
    def number_features(a: I32, _: int, b: I32, __: int, local_a: I32, local_b: I32) -> int:
        local_a[:], local_b[:], distinct = passages.number_features(a, b)
        return distinct

    @staticmethod
    def weigh(a: I32, _: int, b: I32, __: int, distinct: int, top: float, weight: F64) -> None:
        weight[:] = passages.weigh(a, b, distinct, top)

    @staticmethod
    def factored(plain: F64, _: int, a: I32, __: int, b: I32, ___: int, *given: Any) -> None:
        given[-1][:] = passages.factored(plain, a, b, *given[:-1])

    @staticmethod
    def measured(both: options.Numbered, rects: I64, _: int, numbers: F64, __: int, into: F64):
        into[:] = passages.measured(both, rects, numbers)

    @staticmethod
    def strong_ones(
        both: options.Numbered, runs: I64, _: int, rects: I64, __: int, numbers: F64, *given: Any
    ) -> int:
        chosen = passages.strong_ones(both, runs, rects, numbers)
        given[-1][: len(chosen)] = chosen
        return len(chosen)
