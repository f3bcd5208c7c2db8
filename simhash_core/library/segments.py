"""Archive texts as sorted arrays: what each part of an archive is searched by, and all as one.

A segment holds the texts of a range of archive keys. It is written once; two that follow each
other are merged into one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from ..machine.compiled import loops_of
from ..model import I8, I32, I64, U8, U64, Bools
from ..passages.blocks import RULES, BlockPostings, places_of
from ..passages.tokenized import TokenizedText, words_of
from ..passages.winnow import Winnowed
from ..translations.likely import WIDTH as STEM_WIDTH

LOOPS = loops_of("library/loops.c")

MOST_BYTES = 5  # of one number

#: whole numbers in as few bytes each as the greatest of them takes
Narrow = NDArray[np.integer[Any]]

#: units in which texts are counted, and the language of the texts that have each; blocks of those
#: in `RULES` are joined, the others only tell what is frequent
UNITS = {"en": "en", "zh": "zh", "zh_words": "zh"}
STEMS = "stems"  # the unit of an index for translations, of either language
SENTENCES = "sentences"  # what an index by vectors of sentences is called
LANGUAGES = ("en", "zh")
Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class PackedPostings:
    """`BlockPostings` whose blocks are differences of one to five bytes.

    Attributes
    ----------
    width : int
    feature : int32 (v,)
    count : integers (v,)
    first_block : int64 (n + 1,)
        As those of `BlockPostings`.
    size : integers (v,)
        Blocks of each feature.
    end : integers (v + 1,)
        Bytes of the features before each one; the number of all last.
    data : uint8 (bytes,)
        A difference takes one byte for every seven of its bits, the lowest first; the eighth bit
        of a byte says that another one follows.
    """

    width: int
    feature: I32
    count: Narrow
    size: Narrow
    end: Narrow
    data: U8
    first_block: I64

    @classmethod
    def of(cls, plain: BlockPostings) -> PackedPostings:
        """Pack postings."""
        block, features = np.ascontiguousarray(plain.block), len(plain.indptr) - 1
        data, ends = np.empty(MOST_BYTES * len(block), np.uint8), np.empty(features, np.int64)
        size = LOOPS.pack(np.asarray(plain.indptr), features, block, data, ends)
        return cls(
            plain.width,
            plain.feature,
            narrow(plain.count),
            narrow(np.diff(plain.indptr)),
            narrow(np.concatenate([[0], ends])),
            data[:size].copy(),
            plain.first_block,
        )

    def plain(self) -> BlockPostings:
        """Return all postings as they were packed."""
        return self._taken(np.arange(len(self.feature)))

    def of_features(self, features: I32) -> BlockPostings:
        """Return the postings of those among some features, sorted, that stand in a block."""
        at, there = places_of(self.feature, features)
        return self._taken(at[there])

    def in_blocks(self, features: I32) -> I64:
        """Return in how many blocks each of some features stands, int64 (f,)."""
        return self._of(self.size, features)

    def counts(self, features: I32) -> I64:
        """Return how often each of some features occurs, int64 (f,)."""
        return self._of(self.count, features)

    @property
    def blocks(self) -> int:
        """Number of blocks of all documents."""
        return int(self.first_block[-1])

    @property
    def tokens(self) -> int:
        """Tokens of all documents."""
        return int(self.count.sum())

    def _taken(self, at: I64) -> BlockPostings:
        """Return the postings of features by their rows."""
        low, high = (np.asarray(self.end[at + more], np.int64) for more in (0, 1))
        indptr = np.concatenate([[0], np.cumsum(self.size[at], dtype=np.int64)])
        block, data = np.empty(int(indptr[-1]), np.int32), np.asarray(self.data)
        LOOPS.unpack(data, len(data), low, high, indptr, len(low), self.blocks, block)
        count = np.asarray(self.count[at], np.int64)
        return BlockPostings(self.width, self.feature[at], count, indptr, block, self.first_block)

    def _of(self, values: Narrow, features: I32) -> I64:
        """Return a number of each of some features, 0 of those that are not here."""
        at, there = places_of(self.feature, features)
        numbers = np.zeros(len(features), np.int64)
        numbers[there] = values[at[there]]
        return numbers


def narrow(values: Narrow) -> Narrow:
    """Return whole numbers from 0 on in as few bytes each as the greatest of them takes."""
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))


@dataclass(frozen=True, eq=False)
class UnitPostings:
    """Blocks of the texts of one unit by feature.

    Attributes
    ----------
    row : int32 (n,)
        Row of each text in the segment, ascending.
    held : integers (v,)
        Texts that hold each feature.
    postings : PackedPostings
    """

    row: I32
    held: Narrow
    postings: PackedPostings

    @classmethod
    def of(cls, row: I32, postings: BlockPostings) -> UnitPostings:
        """Return the postings of texts, which are the rows `row` of a segment."""
        document = postings.documents[postings.block]
        fresh = np.ones(len(document), np.bool_)
        fresh[1:] = document[1:] != document[:-1]
        fresh[postings.indptr[:-1]] = True
        before = np.concatenate([[0], np.cumsum(fresh)])
        held = narrow(np.diff(before[postings.indptr]))
        return cls(row, held, PackedPostings.of(postings))

    @cached_property
    def documents(self) -> I32:
        """Text of each block, int32 (blocks,)."""
        each = np.diff(self.postings.first_block)
        return np.repeat(np.arange(len(each), dtype=np.int32), each)

    def merged(self, other: UnitPostings, *, after: int) -> UnitPostings:
        """Return both, the texts of `other` as rows from `after` on."""
        both = PackedPostings.of(self.postings.plain().merged(other.postings.plain()))
        held = np.zeros(len(both.feature), np.int64)
        for one in (self, other):
            held[np.searchsorted(both.feature, one.postings.feature)] += one.held
        row = np.concatenate([self.row, other.row + np.int32(after)])
        return UnitPostings(row, narrow(held), both)

    def only(self, rows: Bools) -> UnitPostings:
        """Return the texts of some rows of the segment, which are numbered anew."""
        stays = rows[self.row]
        number = np.cumsum(rows, dtype=np.int32) - 1
        return self.of(number[self.row[stays]], self.postings.plain().only(stays))


@dataclass(frozen=True, eq=False)
class SentenceVectors:
    """The sentences of the texts of a segment, as what a shortlist needs of their vectors.

    Attributes
    ----------
    first : int64 (n + 1,)
        Text i has the rows `first[i]` to `first[i + 1]`, one at least.
    rows : int8 (s, d)
        As `meaning.likely.coarse` gives them.
    """

    first: I64
    rows: I8

    @classmethod
    def of(cls, texts: Sequence[I8]) -> SentenceVectors:
        """Return the rows of some texts, each int8 (s, d)."""
        first = np.cumsum([0, *map(len, texts)]).astype(np.int64)
        return cls(first, np.concatenate(texts))

    def merged(self, other: SentenceVectors) -> SentenceVectors:
        """Return both, the texts of `other` after these."""
        first = np.concatenate([self.first, other.first[1:] + self.first[-1]])
        return SentenceVectors(first, np.concatenate([self.rows, other.rows]))

    def only(self, rows: Bools) -> SentenceVectors:
        """Return some texts, bool (n,)."""
        sizes = np.diff(self.first)
        first = np.concatenate([[0], np.cumsum(sizes[rows])]).astype(np.int64)
        return SentenceVectors(first, self.rows[np.repeat(rows, sizes)])


@dataclass(frozen=True, eq=False)
class Segment:
    """What the texts of a range of archive keys are found by.

    Attributes
    ----------
    key : int64 (n,)
        Archive keys, ascending.
    tokens : int32 (n,)
        Length of each text.
    digest : uint64 (n,)
        Hash of all tokens in order: equal texts.
    words : uint64 (n, W)
        Fingerprints, and `valid` bool (n,): which texts have one.
    hashes : int32 (n,)
        Winnowed hashes of each text.
    hash : uint64 (h,)
        Winnowed hashes of all texts, ascending, and `hash_row`, integers (h,): the row of each.
    units : dict
        By name, see `UNITS`.
    vectors : SentenceVectors, optional
        Of an index by sentences, whose other columns are empty.
    """

    key: I64
    tokens: I32
    digest: U64
    words: U64
    valid: Bools
    hashes: I32
    hash: U64
    hash_row: Narrow
    units: Mapping[str, UnitPostings]
    vectors: SentenceVectors | None = None

    @classmethod
    def of(
        cls,
        key: I64,
        texts: Sequence[TokenizedText],
        winnowed: Sequence[Winnowed],
        words: U64,
        valid: Bools,
    ) -> Segment:
        """Index texts; all arguments are by text, keys ascending."""
        languages = np.array([text.language for text in texts])
        hashes = np.array([len(one) for one in winnowed], np.int32)
        value = np.concatenate([np.empty(0, np.uint64), *(one.value for one in winnowed)])
        row = np.repeat(np.arange(len(texts), dtype=np.int32), hashes)
        order = np.argsort(value, kind="stable")
        return cls(
            np.asarray(key, np.int64),
            np.array([len(text) for text in texts], np.int32),
            np.array([text_digest(text) for text in texts], np.uint64),
            np.ascontiguousarray(words, np.uint64),
            np.asarray(valid, np.bool_),
            hashes,
            value[order],
            narrow(row[order]),
            {
                unit: UnitPostings.of(rows, BlockPostings.of(held, _width(unit)))
                for unit in UNITS
                for rows, held in [texts_of(unit, texts, languages)]
            },
        )

    @classmethod
    def of_others(
        cls,
        key: I64,
        tokens: I32,
        *,
        units: Mapping[str, UnitPostings] | None = None,
        vectors: SentenceVectors | None = None,
    ) -> Segment:
        """Index texts by other units, or by their sentences, alone."""
        return cls(
            np.asarray(key, np.int64),
            tokens,
            np.zeros(len(key), np.uint64),
            np.zeros((len(key), 0), np.uint64),
            np.zeros(len(key), np.bool_),
            np.zeros(len(key), np.int32),
            np.zeros(0, np.uint64),
            np.zeros(0, np.int32),
            units or {},
            vectors,
        )

    def __len__(self) -> int:
        return len(self.key)

    @property
    def last(self) -> int:
        """The greatest key."""
        return int(self.key[-1])

    def merged(self, other: Segment) -> Segment:
        """Return both as one; every key of `other` is greater."""
        both = {
            name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in _BY_TEXT
        }
        hashes = np.concatenate([self.hash, other.hash])
        rows = np.concatenate([self.hash_row, other.hash_row + np.int32(len(self))])
        order = np.argsort(hashes, kind="stable")  # two sorted runs: one pass
        vectors = self.vectors or other.vectors  # one of them may hold no text
        if self.vectors and other.vectors:
            vectors = self.vectors.merged(other.vectors)
        return Segment(
            **both,
            hash=hashes[order],
            hash_row=narrow(rows[order]),
            units={
                unit: postings.merged(other.units[unit], after=len(self))
                for unit, postings in self.units.items()
            },
            vectors=vectors,
        )

    def only(self, rows: Bools) -> Segment:
        """Return some rows, bool (n,); see `BlockPostings.only` for what is not exact in it."""
        if rows.all():
            return self
        stays = rows[self.hash_row]
        number = np.cumsum(rows, dtype=np.int32) - 1
        return Segment(
            **{name: getattr(self, name)[rows] for name in _BY_TEXT},
            hash=self.hash[stays],
            hash_row=narrow(number[self.hash_row[stays]]),
            units={unit: postings.only(rows) for unit, postings in self.units.items()},
            vectors=self.vectors.only(rows) if self.vectors else None,
        )

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return every array by its name."""
        arrays: dict[str, NDArray[Any]] = {name: getattr(self, name) for name in _COLUMNS}
        for unit, of_unit in self.units.items():
            arrays |= {f"{unit}.row": of_unit.row, f"{unit}.held": of_unit.held}
            arrays |= {f"{unit}.{name}": getattr(of_unit.postings, name) for name in _POSTINGS}
        if self.vectors:
            arrays |= {name: getattr(self.vectors, at) for name, at in _VECTORS.items()}
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Segment:
        """Return the segment of arrays; `KeyError` where one is missing."""
        names = [name.removesuffix(".row") for name in arrays if name.endswith(".row")]
        units = {
            unit: UnitPostings(
                arrays[f"{unit}.row"],
                arrays[f"{unit}.held"],
                PackedPostings(_width(unit), *(arrays[f"{unit}.{name}"] for name in _POSTINGS)),
            )
            for unit in names
        }
        held = {at: arrays[name] for name, at in _VECTORS.items() if name in arrays}
        vectors = SentenceVectors(**held) if held else None
        return cls(**{name: arrays[name] for name in _COLUMNS}, units=units, vectors=vectors)


_BY_TEXT = ("key", "tokens", "digest", "words", "valid", "hashes")  # one entry a text
_COLUMNS = (*_BY_TEXT, "hash", "hash_row")
_POSTINGS = ("feature", "count", "size", "end", "data", "first_block")
#: array -> field of `SentenceVectors`
_VECTORS = {"sentences.first": "first", "sentences.rows": "rows"}


def text_digest(text: TokenizedText) -> int:
    """Hash the tokens of a text in their order."""
    return xxhash.xxh3_64_intdigest(text.token.tobytes())


def texts_of(
    unit: str, texts: Sequence[TokenizedText], languages: NDArray[np.str_]
) -> tuple[I32, list[TokenizedText]]:
    """Return the rows of the texts that a unit compares, and these texts in that unit."""
    rows = np.flatnonzero(languages == UNITS[unit]).astype(np.int32)
    chosen = [texts[row] for row in rows.tolist()]
    return rows, [words_of(text)[0] for text in chosen] if unit == "zh_words" else chosen


def _width(unit: str) -> int:
    if unit == STEMS:
        return STEM_WIDTH
    return RULES[unit if unit in RULES else UNITS[unit]].width


# --------------------------------------------------------------------------- all segments


class Archive:
    """The segments of an archive as one, and which of their texts may be found.

    Parameters
    ----------
    segments
        In the order of their keys.
    admitted : int64 (a,)
        Keys, ascending: of other texts nothing is returned.
    """

    def __init__(self, segments: Sequence[Segment], admitted: I64) -> None:
        self.segments = segments
        self.first = np.concatenate(
            [[0], np.cumsum([len(one) for one in segments], dtype=np.int64)]
        )
        self.key = join_arrays([one.key for one in segments], np.int64)
        at = np.minimum(np.searchsorted(admitted, self.key), max(len(admitted) - 1, 0))
        inside = admitted[at] == self.key if len(admitted) else np.zeros(len(self.key), np.bool_)
        self.admitted: Bools = np.asarray(inside)

    def __len__(self) -> int:
        """Texts that may be found."""
        return int(np.count_nonzero(self.admitted))

    def units(self, unit: str) -> list[UnitPostings]:
        """Return the postings of one unit in every segment."""
        return [segment.units[unit] for segment in self.segments]

    def admitted_of(self, number: int) -> Bools:
        """Return which rows of a segment may be found."""
        return self.admitted[self.first[number] : self.first[number + 1]]

    def texts_in(self, language: str) -> int:
        """Return how many texts of one language may be found."""
        return sum(
            int(np.count_nonzero(self.admitted_of(number)[of_unit.row]))
            for number, of_unit in enumerate(self.units(language))
        )


def join_arrays(parts: Sequence[np.ndarray], kind: type) -> np.ndarray:
    """Return arrays one after the other, an empty one of `kind` where there are none."""
    return np.concatenate([np.empty(0, kind), *parts])
