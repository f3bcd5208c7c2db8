"""The nouns: frozen records over flat arrays, shared by every room.

Sizes have fixed letters: n documents, v distinct tokens, nnz (document, token) entries,
m pairs, p passages, W fingerprint words of 64 bits. Every text offset is a half-open range of
code points into `Document.text`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]
I32 = NDArray[np.int32]
I16 = NDArray[np.int16]
I8 = NDArray[np.int8]
U32 = NDArray[np.uint32]
U16 = NDArray[np.uint16]
U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: progress(stage code, done, total); raising `errors.Cancelled` from it stops the run.
Progress = Callable[[str, int, int], None]


def report_nothing(stage: str, done: int, total: int) -> None:
    """Report nothing: the progress of work that nobody watches."""


NO_DISTANCE = np.uint16(0xFFFF)  # "this signature does not exist for the pair"
PASSAGE_KINDS = ("identical", "reworded", "summary")
SHARED, VERBATIM, MOVED = range(3)  # kinds of `Stretches`
#: every kind of zone that `text.zones` recognises
ZONE_KINDS = (
    *("quotations", "references", "citations", "headings"),
    *("cover", "contents", "acknowledgements", "running_lines"),
)
Unit = Literal["characters", "words"]  # what the length of a text is counted in
#: what a reader can decide about a pair; a pair without a decision is undecided
VERDICTS = ("confirmed", "no_problem", "later")
REASONS = ("quotation", "task_sheet", "common", "joint_work", "same_author")
#: codes of notes on a text that looks different from what it is, or was not read whole
MANIPULATIONS = frozenset(
    (
        *("hidden_text", "lookalikes", "invisible", "spaced", "fullwidth", "marks"),
        *("narrow_spaces", "entities", "left_out", "private_use", "styled", "unspaced"),
        *(
            "broken_words",
            "leet",
            "leet_undone",
            "pictures",
            "reversed",
            "odd_letters",
            "web_hidden",
        ),
        *("embedded", "menus", "drawn_text", "scripts", "scanned_pages", "unchecked"),
        *("under_picture", "remapped", "as_written"),
    )
)
#: codes of notes that many files have; no reason to look at them first
REMARKS = frozenset(
    (
        *("not_shown", "deleted", "comments", "unsure", "misread"),
        *("speaker_notes", "hidden_slides", "formulas", "code", "hints"),
    )
)


def text_id(text: str) -> str:
    """Return the sha-256 of a text as 64 hex digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Note:
    """Something a reader of the result should know about one document.

    `code` names the sentence (`encoding_guess`, `hidden_text`, `lookalikes`, `short`, ...);
    `start`, `end` point into `Document.text` where the finding has a place, else both are -1.
    """

    code: str
    params: Mapping[str, object] = field(default_factory=dict)
    start: int = -1
    end: int = -1


#: entry of `Document.meta`: where its date is from, where that is known better than by its format
DATE_FROM = "date_from"
#: entry of `Document.meta` of a page of the web: when it was fetched, UTC, 2026-03-02T09:15:04Z
FETCHED_KEY = "fetched"
#: entries of `Document.meta` of a text from a library: its key, its collection, and when it came
#: in, in seconds since 1970
ROW_KEY, COLLECTION_KEY, ADDED_KEY = "archive_key", "archive_collection", "archive_added"


class Difference(NamedTuple):
    """One place of a page where the eye sees something else than the file says.

    Notes hold them under `params["places"]`, as plain tuples.
    """

    kind: str  # how it differs: `differences.kind.<kind>`
    page: int
    box: tuple[int, int, int, int]  # left, top, right, bottom in thousandths of the page
    n: int  # characters, white space aside
    times: int  # how many such places stand for this one
    seen: str  # what the eye sees there
    said: str  # what the file says there
    marks: tuple[tuple[int, int], ...] = ()  # ranges of `said` that are not seen


@dataclass(frozen=True, slots=True, eq=False)
class PagePicture:
    """A page as the eye sees it."""

    page: int
    jpeg: U8  # the bytes of the file


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """One text and where it came from. Every offset in the system points into `text`."""

    id: str  # sha-256 of text (UTF-8, surrogatepass), 64 hex digits: same text, same id
    name: str  # relative path or what the user calls it
    text: str  # decoded text, line ends kept, never edited afterwards
    format: str = "txt"  # suffix without the dot
    encoding: str = ""  # of text formats; "" where the format has its own
    language: str = ""  # zh | en | mixed | other
    meta: Mapping[str, str] = field(default_factory=dict)  # author, title, date, group, keywords
    notes: tuple[Note, ...] = ()
    #: while it is read; a project keeps them beside the texts
    pictures: tuple[PagePicture, ...] = field(default=(), compare=False)
    #: its file read in the other way, by eye or as it is written, where both differ; as above
    other: Document | None = field(default=None, compare=False)

    @classmethod
    def from_text(cls, text: str, *, name: str = "text", **meta: str) -> Document:
        """Make a document of a string; keywords (author, title, date, ...) become its `meta`.

        >>> Document.from_text("如有雷同，纯属巧合。", name="a", author="甲")
        <Document 'a': 10 characters>
        """
        return cls(text_id(text), name, text, meta=meta)

    def __repr__(self) -> str:
        return f"<Document {self.name!r}: {len(self.text):,} characters>"


#: codes of files that take no part because another one stands for them, or are no text that anybody
#: handed in: nothing is lost
STOOD_FOR = frozenset({"duplicate", "earlier_version", "class_list"})


@dataclass(frozen=True, slots=True)
class Skipped:
    """One file that takes no part, and why (a code of `errors.UNREADABLE_CODES`)."""

    name: str
    code: str
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def unread(self) -> bool:
        """Whether its text is missing in the check."""
        return self.code not in STOOD_FOR


@dataclass(frozen=True, slots=True)
class Decision:
    """What a reader decided about one pair of texts."""

    verdict: str  # one of VERDICTS
    reason: str = ""  # of `no_problem`: one of REASONS, or ""
    note: str = ""
    reviewer: str = ""
    time: datetime | None = None
    together: bool = False  # one act decided about several pairs: not each was read for it


#: by `pair_key` of the ids of both texts: a decision follows the texts, not their file names
Decisions = Mapping[tuple[str, str], Decision]


def pair_key(a: str, b: str) -> tuple[str, str]:
    """Return the ids of two texts in the order in which decisions are kept."""
    return (a, b) if a <= b else (b, a)


@dataclass(frozen=True, slots=True, eq=False)
class Normalized:
    """Text in the form that is compared, with the way back.

    `text[i]` came from `raw[start[i]:end[i]]` of the document it was made from; both arrays are
    int32 (len(text),) and non-decreasing. An inserted or merged character points at the raw
    range it stands for, so a span [i, j) of normalised text is raw[start[i]:end[j-1]].
    """

    text: str
    start: I32
    end: I32


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Distinct tokens of each document with their counts, as CSR over one vocabulary.

    Row d holds `token[indptr[d]:indptr[d+1]]` (ids into `vocabulary`, sorted by id, unique) and
    `count` beside it. `length` counts every kept token of the document, repeats included.
    """

    vocabulary: tuple[str, ...]
    indptr: I64  # (n + 1,)
    token: I32  # (nnz,)
    count: I32  # (nnz,)
    length: I64  # (n,)

    def __post_init__(self) -> None:
        nnz = int(self.indptr[-1])
        if len(self.token) != nnz or len(self.count) != nnz:
            raise ValueError("token and count must have indptr[-1] entries")
        if len(self.length) != len(self.indptr) - 1:
            raise ValueError("length must have one entry a document")

    def __len__(self) -> int:
        return len(self.length)


@dataclass(frozen=True, slots=True, eq=False)
class CorpusStats:
    """In how many of `n` documents each token occurs. Adds over disjoint collections."""

    n: int
    df: Mapping[str, int]

    def __add__(self, other: CorpusStats) -> CorpusStats:
        df = dict(self.df)
        for token, count in other.df.items():
            df[token] = df.get(token, 0) + count
        return CorpusStats(self.n + other.n, df)

    def digest(self) -> str:
        """Name these statistics: part of the recipe of fingerprints that were weighed by them."""
        lines = "\n".join(f"{token}\t{count}" for token, count in sorted(self.df.items()))
        return hashlib.sha256(f"{self.n}\n{lines}".encode()).hexdigest()[:8]


@dataclass(frozen=True, slots=True, eq=False)
class DocumentFrequencies:
    """`count[i]` of `n` documents hold the feature `feature[i]` of passages; sorted, unique."""

    n: int
    feature: I32
    count: I64


@dataclass(slots=True, eq=False)
class KeptVectors:
    """Vectors of sentences that a check has made, for the next one of the same texts.

    Attributes
    ----------
    recipe : str
        Digest of all that they follow from: with another one they are worth nothing.
    rows : dict
        int16 (n, d) for each text, by a digest of its sentences.
    """

    recipe: str = ""
    rows: dict[str, I16] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Fingerprints:
    """One signature a document.

    `words` is uint64 (n, W). Bit 0 is the most significant bit of `words[:, 0]` and is printed
    leftmost; `bits` of them count. Signatures of fewer than 64 bits lie in the LOW bits of the
    single word, printed left to right from their own most significant bit. `valid[d]` is False
    where a document has no feature with weight: such a row is 0 and matches nothing.
    """

    words: U64
    valid: Bools
    bits: int
    recipe: str

    def __len__(self) -> int:
        return len(self.words)

    def prefix(self, bits: int) -> Fingerprints:
        """Return the first `bits` (a multiple of 64) as signatures of their own."""
        if bits % 64 or bits > self.bits:
            raise ValueError(f"no {bits}-bit prefix of {self.bits} bits")
        words = np.ascontiguousarray(self.words[:, : bits // 64])
        return Fingerprints(words, self.valid, bits, f"{self.recipe}/{bits}")


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs of rows: `left < right`, sorted by (left, right), unique; distance in bits."""

    left: I64
    right: I64
    distance: U16

    def __len__(self) -> int:
        return len(self.left)


@dataclass(frozen=True, slots=True, eq=False)
class StemmedText:
    """The content words of one text as the English stems that they may stand for.

    Word i stands for one of `stem[indptr[i]:indptr[i + 1]]`, ids of a vocabulary that all texts of
    a batch share; an English word or a number for one. `start`, `end` are its range in
    `Document.text`. `kind` adds `LATIN` (a word in Latin letters), `ASCII` (that or a number) and
    `DOUBTFUL` (the spelling of a name, a word no dictionary knows: it counts only where the other
    text has it).
    """

    indptr: I64  # (n + 1,)
    stem: I32  # (nnz,)
    start: I32  # (n,)
    end: I32  # (n,)
    kind: NDArray[np.uint8]  # (n,)
    ends: I32  # where sentences and lines end, 0 and the length of the text among them

    def __len__(self) -> int:
        return len(self.start)


#: what `StemmedText.kind` adds up
LATIN, ASCII, DOUBTFUL = 1, 2, 4


@dataclass(frozen=True, slots=True, eq=False)
class Passages:
    """Shared passages of one pair of texts, or of many (`pair` = row of a pair table).

    Ranges are half-open code points into `Document.text` of each side; `kind` indexes
    `PASSAGE_KINDS`: a passage is identical where nothing but case, width, script, white space and
    punctuation differs, and reworded otherwise. `words_a` counts the words of one side (Han:
    characters) and `shared_a` those of them that the other side has too, in the same order or in
    runs of several anywhere. `score` is the strength z of the alignment. `weak` marks evidence
    that a rule suppressed and that is shown apart, never counted.
    """

    pair: I64  # (p,)
    a_start: I32
    a_end: I32
    b_start: I32
    b_end: I32
    kind: NDArray[np.uint8]
    score: F32
    weak: Bools
    words_a: I32
    words_b: I32
    shared_a: I32
    shared_b: I32

    def __len__(self) -> int:
        return len(self.pair)

    @property
    def changed(self) -> I32:
        """Words that differ on the side where more do; 0 in summaries, which drop most words."""
        differ = np.maximum(self.words_a - self.shared_a, self.words_b - self.shared_b)
        return np.where(self.kind == PASSAGE_KINDS.index("summary"), np.int32(0), differ)

    def columns(self) -> tuple[NDArray[Any], ...]:
        """Return the columns in the order of the fields."""
        return tuple(getattr(self, spec.name) for spec in fields(self))

    def take(self, rows: NDArray[Any]) -> Passages:
        """Return some rows, by index or by mask."""
        return Passages(*(column[rows] for column in self.columns()))

    def of_pairs(self, pair: I64) -> Passages:
        """Return the same passages of other pair rows, sorted by them."""
        return replace(self, pair=pair).take(np.argsort(pair, kind="stable"))

    def turned(self) -> Passages:
        """Return the passages of one pair as seen from its other text."""
        other = replace(
            self,
            a_start=self.b_start,
            a_end=self.b_end,
            b_start=self.a_start,
            b_end=self.a_end,
            words_a=self.words_b,
            words_b=self.words_a,
            shared_a=self.shared_b,
            shared_b=self.shared_a,
        )
        return other.take(np.lexsort((other.b_start, other.a_start)))

    @classmethod
    def join(cls, parts: Iterable[Passages]) -> Passages:
        """Concatenate, sorted by pair; of nothing, an empty table."""
        whole, none = np.zeros(0, np.int32), np.zeros(0, np.int64)
        kind, score, weak = np.zeros(0, np.uint8), np.zeros(0, np.float32), np.zeros(0, np.bool_)
        empty = cls(none, *(whole,) * 4, kind, score, weak, *(whole,) * 4)
        columns = zip(*(part.columns() for part in (empty, *parts)), strict=True)
        joined = cls(*(np.concatenate(column) for column in columns))
        return joined.of_pairs(joined.pair)


@dataclass(frozen=True, slots=True, eq=False)
class Stretches:
    """What the texts of many pairs share, and what of it is identical or moved.

    Ranges are half-open code points. Those of one pair, side and kind are disjoint. All of
    `SHARED` counts; of it `VERBATIM` are the runs that the other text has word for word, and
    `MOVED` is what stands in another order there. No character of a pair is both; what is neither
    is reworded.
    """

    pair: I64  # (s,)
    side: NDArray[np.uint8]  # 0: of the left text of the pair
    start: I32
    end: I32
    kind: NDArray[np.uint8]

    def of_kind(self, kind: int) -> Stretches:
        """Return the stretches of one kind."""
        return self.take(self.kind == kind)

    def __len__(self) -> int:
        return len(self.pair)

    def columns(self) -> tuple[NDArray[Any], ...]:
        """Return the columns in the order of the fields."""
        return tuple(getattr(self, spec.name) for spec in fields(self))

    def take(self, rows: NDArray[Any]) -> Stretches:
        """Return some rows, by index or by mask."""
        return Stretches(*(column[rows] for column in self.columns()))

    def of_pairs(self, pair: I64) -> Stretches:
        """Return the same stretches of other pair rows."""
        return replace(self, pair=pair)

    def turned(self) -> Stretches:
        """Return the stretches as seen from the other text of each pair."""
        return replace(self, side=1 - self.side)

    @classmethod
    def join(cls, parts: Iterable[Stretches]) -> Stretches:
        """Concatenate; of nothing, an empty table."""
        none, place, small = np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.uint8)
        empty = cls(none, small, place, place, small)
        columns = zip(*(part.columns() for part in (empty, *parts)), strict=True)
        return cls(*(np.concatenate(column) for column in columns))


@dataclass(frozen=True, slots=True)
class Division:
    """A text in units by class (`numbers`); the classes are disjoint and sum to `whole`."""

    identical: int
    reworded: int
    moved: int
    own: int
    left_out: int
    unit: Unit  # characters or words: what the length of this text is counted in

    @classmethod
    def of(cls, units: Sequence[int], unit: Unit) -> Division:
        """Return a division from its classes in this order."""
        identical, reworded, moved, unshared, left_out = map(int, units)
        return cls(identical, reworded, moved, unshared, left_out, unit)

    @property
    def shared(self) -> int:
        """Units that another text shares: the numerator of the total."""
        return self.identical + self.reworded + self.moved

    @property
    def counted(self) -> int:
        """Units that count: the denominator of every share."""
        return self.shared + self.own

    @property
    def whole(self) -> int:
        """All units of the text."""
        return self.counted + self.left_out

    @property
    def total(self) -> float:
        """Share of what counts that is shared, 0..1; 0 where nothing counts."""
        return self.share("shared")

    def share(self, name: str) -> float:
        """Return a class, or `shared`, as a share of what counts, 0..1."""
        return int(getattr(self, name)) / self.counted if self.counted else 0.0

    @property
    def unchanged(self) -> bool:
        """Whether all that counts is identical: only then does a share read 100 %."""
        return 0 < self.identical == self.counted


@dataclass(frozen=True, slots=True)
class Zone:
    """A half-open range of code points of one kind; `reason` codes what it was recognised by."""

    start: int
    end: int
    kind: str
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Distances:
    """How many pairs stand at each distance: int64 (bits + 1,), all pairs of valid rows."""

    counts: I64
    bits: int
    sampled: bool = False  # True when counted on a random sample and scaled up

    @property
    def total(self) -> int:
        return int(self.counts.sum())

    def without(self, gone: U16) -> Distances:
        """Return the counts without some of the distances."""
        inside = np.bincount(gone[gone <= self.bits], minlength=self.bits + 1)
        return Distances(np.maximum(self.counts - inside, 0), self.bits, self.sampled)
