"""Weights from word class, word length, marker words and title words.

The printed formulas are lost; four readings of the combination are offered. The product is the
default, because "five times an ordinary feature" is literally true of it alone.

References
----------
张兴兰, 何丹丹: 基于改进的Simhash算法的相似文档识别技术. 计算机科学与应用 10(2), 2020, 371-378.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..model import F64, I64, Bools, CorpusStats, Features
from ..settings import Settings
from .frequency import tfidf
from .registry import weighting
from .topic import word_lengths

BOOST = 5.0  # marker and title words count five times: 1 + 4 where the flag is set
DOMINANT = 0.1  # from this share of sum w^2 on, one word decides too many bits

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


def annotate_plainly(features: Features) -> Annotations:
    """Return annotations that say nothing: class other, no title, no marker."""
    nothing = np.zeros(len(features.token), np.bool_)
    other = np.full(len(features.token), len(CLASSES) - 1, np.uint8)
    return Annotations(other, nothing, nothing, nothing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """How the parts of the weight are measured and joined.

    Attributes
    ----------
    form : str
        `product` = tfidf * class * (1 + length) * boost; `bare` the same with length alone, which
        gives the shortest words 0; `sum` = tfidf * (class + length + marker + title);
        `mixture` = the shares of tfidf (of the text's largest), class, length, marker and title.
    literal : bool
        Boost the marker words themselves, as printed. They say nothing of the subject and make
        unrelated essays alike; otherwise the words of the sentence that they mark are boosted.
    cap : float
        Largest product of boosts; without it a marked title word weighs 25 times its share.
    longest : int
        Lengths are clipped here: one address would flatten all others.
    classes : mapping
        Weight of each of `CLASSES`. Only "nouns and verbs above the others" is printed.
    shares : five floats
        Of the mixture.
    """

    form: str = "product"
    literal: bool = False
    cap: float = BOOST
    longest: int = 8
    classes: Mapping[str, float] = field(
        default_factory=lambda: {"noun": 1.0, "verb": 0.8, "adjective": 0.6, "other": 0.4}
    )
    shares: tuple[float, float, float, float, float] = (0.2, 0.2, 0.2, 0.2, 0.2)


def combine_weights(
    features: Features, frequency: F64, annotations: Annotations, *, parts: Parts | None = None
) -> F64:
    """Return the combined weight of each entry, F64 (nnz,).

    Parameters
    ----------
    features, annotations
    frequency : F64 (nnz,)
        Usually TF-IDF.
    parts

    Raises
    ------
    ValueError
        Unknown form.
    """
    parts = parts or Parts()
    if parts.form not in _FORMS:
        raise ValueError(f"no form {parts.form!r}")
    by_class = np.array([parts.classes[name] for name in CLASSES])[annotations.word_class]
    length = relative_length(features, longest=parts.longest)
    marked = annotations.marker if parts.literal else annotations.marked & ~annotations.marker
    marker = np.where(marked, BOOST, 1.0)
    title = np.where(annotations.in_title, BOOST, 1.0)
    terms = _Terms(features.indptr, frequency, by_class, length, marker, title, parts)
    return _FORMS[parts.form](terms)


def relative_length(features: Features, *, longest: int = 8) -> F64:
    """Return (l - l_min) / (l_max - l_min) over the words of each text, F64 (nnz,).

    Lengths are clipped at `longest` characters; where all words are equally long it is 0.
    """
    length = np.minimum(word_lengths(features)[features.token], longest).astype(np.float64)
    low, high = _row_bounds(length, features.indptr)
    spread = high - low
    return np.divide(length - low, spread, out=np.zeros_like(length), where=spread > 0)


def dominance(weights: F64, indptr: I64) -> F64:
    """Return max w^2 / sum w^2 of each text, F64 (n,); 0 for a text without weight.

    Above `DOMINANT` a single word decides many bits by itself.
    """
    squared = np.asarray(weights, np.float64) ** 2
    return np.array(
        [
            float(row.max() / row.sum()) if row.size and row.sum() > 0 else 0.0
            for row in np.split(squared, indptr[1:-1])
        ]
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Terms:
    indptr: I64
    frequency: F64
    by_class: F64
    length: F64
    marker: F64
    title: F64
    parts: Parts

    @property
    def boost(self) -> F64:
        return np.asarray(np.minimum(self.marker * self.title, self.parts.cap))


def _product(terms: _Terms) -> F64:
    return terms.frequency * terms.by_class * (1.0 + terms.length) * terms.boost


def _bare(terms: _Terms) -> F64:
    return terms.frequency * terms.by_class * terms.length * terms.boost


def _sum(terms: _Terms) -> F64:
    return terms.frequency * (terms.by_class + terms.length + terms.marker + terms.title)


def _mixture(terms: _Terms) -> F64:
    _, highest = _row_bounds(terms.frequency, terms.indptr)
    share = np.divide(
        terms.frequency, highest, out=np.zeros_like(terms.frequency), where=highest > 0
    )
    columns = (share, terms.by_class, terms.length, terms.marker, terms.title)
    weighed = [part * column for part, column in zip(terms.parts.shares, columns, strict=True)]
    return np.asarray(np.sum(weighed, axis=0))


_FORMS: Mapping[str, Callable[[_Terms], F64]] = {
    "product": _product,
    "bare": _bare,
    "sum": _sum,
    "mixture": _mixture,
}


def _row_bounds(values: F64, indptr: I64) -> tuple[F64, F64]:
    """Return the smallest and largest value of the row of each entry, two F64 (nnz,)."""
    sizes = np.diff(indptr)
    held = sizes > 0
    starts = indptr[:-1][held]
    if not len(starts):
        return values, values
    low = np.repeat(np.minimum.reduceat(values, starts), sizes[held])
    high = np.repeat(np.maximum.reduceat(values, starts), sizes[held])
    return low, high


def _register(name: str, parts: Parts) -> None:
    def weigh(
        features: Features,
        stats: CorpusStats,
        settings: Settings,
        annotations: Annotations | None = None,
    ) -> F64:
        """Return the combined weight of class, length, marker and title, F64 (nnz,)."""
        given = annotations or annotate_plainly(features)
        return combine_weights(features, tfidf(features, stats, settings), given, parts=parts)

    weighting(name)(weigh)
    ANNOTATED[name] = weigh


_register("annotated", Parts())

_register("annotated_bare", Parts(form="bare"))

_register("annotated_sum", Parts(form="sum"))

_register("annotated_mixture", Parts(form="mixture"))

_register("annotated_literal", Parts(literal=True, cap=BOOST * BOOST))
