"""Annotations of a word in a text beside its count: word class, title, marked sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model import F64, Bools, CorpusStats, Features
from ..settings import Settings

CLASSES = ("noun", "verb", "adjective", "other")
_FIRST_LETTER = {"n": 0, "v": 1, "a": 2}


@dataclass(frozen=True, slots=True, eq=False)
class Annotations:
    """Columns aligned with `Features.token`; the hall fills them from the text."""

    word_class: NDArray[np.uint8]  # (nnz,) index into CLASSES
    in_title: Bools  # (nnz,)
    marked: Bools  # (nnz,) stands in a sentence that holds a marker word
    marker: Bools  # (nnz,) is itself a marker word

    def __post_init__(self) -> None:
        sizes = {len(getattr(self, name)) for name in self.__slots__}
        if len(sizes) > 1:
            raise ValueError("annotations must be aligned with each other")


#: a weighting that reads annotations; without them it takes every word as plain
AnnotatedWeighting = Callable[[Features, CorpusStats, Settings, Annotations | None], F64]

ANNOTATED: dict[str, AnnotatedWeighting] = {}


def class_of(tag: str) -> int:
    """Return the index into `CLASSES` of an ICTCLAS or jieba tag, by its first letter."""
    return _FIRST_LETTER.get(tag[:1].lower(), 3)


def plain(features: Features) -> Annotations:
    """Return annotations that say nothing: class other, no title, no marker."""
    nothing = np.zeros(len(features.token), np.bool_)
    other = np.full(len(features.token), len(CLASSES) - 1, np.uint8)
    return Annotations(other, nothing, nothing, nothing)
