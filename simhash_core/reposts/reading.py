"""A text as versions of it are compared: words, sentences, head and date.

What the head and the foot of a text say about it: headline, who wrote it, where it is from. And
which words of a version another has too, wherever they stand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..model import I32, I64, Bools, Document
from ..passages.exact import grams_of
from ..surnames import SURNAMES
from ..text.lengths import unit_of
from ..text.lines import Line, lines_of
from ..text.normalize import normalize
from .dates import Moment, moment_of

_SINGLE = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_SINGLE}]|\d+(?:\.\d+)*|[^\W_{_SINGLE}]+(?:['’][^\W_{_SINGLE}]+)*")
_STOP = re.compile(
    r"[。！？!?…]+[”’」』\"')）】]*|\.(?:[”’\"')]+)?(?=\s+[A-Z\d“\"'(`*_\[])|\.(?=\s*(?:\n|$))|\n+"
)
#: words in a row that count as taken over wherever they stand: of Chinese, of other languages
RUN = {"characters": 4, "words": 3}

_HEAD, _FOOT = 8, 5  # lines, not blank
_LONGEST_LABELLED = 120  # characters of a line that names writer or source
_LONGEST_TITLE = {True: 60, False: 140}  # characters of a headline with Han, and without
_HAN = re.compile(r"[\u3400-\u9fff]")
_COMMENT = re.compile(r"<!--.{0,200}?-->", re.DOTALL)
_MARKS = " \t#*_=>-—–|[]【】（）()"
_NAME = r"[\u3400-\u9fff·]{2,4}"
_WRITER = re.compile(
    rf"(?:本报|本刊|本台|本网|特约|首席|见习)?(?:记者|通讯员|撰稿人?|撰文|作者|執筆|记\s者)"
    rf"\s*[:：/|｜]?\s*(?P<zh>{_NAME}(?:[\s、，,]+{_NAME}(?![^\s、，,）)]))*)"
    rf"|(?:^|[\s（(])文\s*[/／|｜:：]\s*(?P<wen>{_NAME})"
    r"|^\W*(?:[Ww]ritten\s+by|[Rr]eporting\s+by|[Tt]ext\s+by|[Ww]ords\s+by|[Aa]uthor:|[Bb]y|BY)\s+"
    r"(?P<en>[A-Z][\w.'’-]+(?:\s+(?:and\s+|&\s+)?[A-Z][\w.'’-]+){0,5})"
)
_SOURCE = re.compile(
    r"(?:(?:文章|信息|资料|稿件|本文)?(?:来源|來源|稿源)\s*(?:[:：|｜]|于)"
    r"|(?:本文)?(?:转载自|轉載自|转自|轉自|摘自|摘编自|节选自|原载于?|原載|原文载于|首发于|首发)\s*[:：]?)"
    r"\s*(?P<zh>[“《「『【]?[^，。；;|｜\n（）()]{2,40})"
    r"|(?:^|\b)(?:[Ss]ource\s*:|(?:[Oo]riginally|[Ff]irst)\s+(?:published|appeared)\s+(?:in|on|by|at)"
    r"|[Rr]e(?:printed|published|posted)\s+(?:from|with\s+permission\s+from)|[Aa]dapted\s+from"
    r"|[Cc]ourtesy\s+of|[Vv]ia\s*:?)\s+(?P<en>[^\n,;|]{2,60})"
)
_LABEL = re.compile(
    r"来源|來源|稿源|发布|发表|时间|日期|记者|作者|编辑|更新|转自|转载|原载|首发"
    r"|source|published|posted|updated|\bdate\b|^\W*(?:by|via)\b",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\d{4}\s*[-/.年]\s*\d{1,2}|\b[A-Z][a-z]{2,8}\.?\s+\d{1,2},?\s+\d{4}|\d \w+ \d{4}"
)
_DATE_BEHIND = re.compile(
    r"\s{1,99}\d{4}[-/.年].*$|\s{1,99}(?:本报|本刊|本台|本网|特约)?(?:发布|发表|时间|日期|作者|记者|编辑)\W.*$"
)


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One text; w words, s sentences. Offsets are code points of `document.text`."""

    document: Document
    word: I64  # (w,) ids into the vocabulary of all texts that were read together
    start: I32  # (w,)
    end: I32  # (w,)
    sentence: I64  # (s + 1,) first word of each sentence, then w
    run: I64  # (w - k + 1,) hashes of every k words in a row
    k: int
    lines: frozenset[str]  # as they were written, without white space at both ends
    head: Head
    moment: Moment | None

    def __len__(self) -> int:
        return len(self.word)

    def sentence_range(self, sentence: int) -> tuple[int, int]:
        """Return the range from the first to the last word of a sentence."""
        first, last = int(self.sentence[sentence]), int(self.sentence[sentence + 1])
        return int(self.start[first]), int(self.end[last - 1])

    def keys(self) -> list[bytes]:
        """Return the words of each sentence as one value that can be compared."""
        borders = self.sentence.tolist()
        return [self.word[low:high].tobytes() for low, high in pairwise(borders)]


def read_versions(documents: Sequence[Document]) -> list[Reading]:
    """Read some texts over one vocabulary."""
    vocabulary: dict[str, int] = {}
    mainly = [unit_of(document.text) for document in documents]
    k = RUN["words" if 2 * mainly.count("words") > len(mainly) else "characters"]
    return [_reading(document, vocabulary, k) for document in documents]


def _reading(document: Document, vocabulary: dict[str, int], k: int) -> Reading:
    normal = normalize(document.text)
    words = list(_WORD.finditer(normal.text))
    ids = [vocabulary.setdefault(match[0], len(vocabulary)) for match in words]
    first = np.array([match.start() for match in words], np.int64)
    last = np.array([match.end() - 1 for match in words], np.int64)
    start, end = normal.start[first], normal.end[last]
    ends = np.array([match.end() for match in _STOP.finditer(document.text)], np.int64)
    borders = np.unique(np.concatenate([[0], np.searchsorted(start, ends), [len(words)]]))
    word = np.array(ids, np.int64)
    lines = frozenset(line.strip() for line in document.text.splitlines())
    return Reading(
        document, word, start, end, borders, grams_of(word, k), k, lines,
        head_of(document), moment_of(document),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of a text at a half-open range of code points."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Head:
    """Headline, writer and source of a text; None where it says nothing of the kind.

    `labels` are the ranges of the short lines around the text that say such things, or when it
    appeared; they are no sentences of it.
    """

    title: Mention | None
    writer: Mention | None
    source: Mention | None
    labels: tuple[tuple[int, int], ...] = ()
    title_given: str = ""  # by the details of the file, where the text has no headline


def title_of(head: Head) -> str:
    """Return the headline of a text, as it is written or in its details, "" where there is none."""
    return head.title.text if head.title else head.title_given


def head_of(document: Document) -> Head:
    """Read the headline, and who and what the head or the foot of a text names.

    Notes
    -----
    Rules over the first and last lines, so that a name inside the text is not taken for its
    writer. What is not recognised is missing: nobody should conclude more from that.
    """
    lines = lines_of(document.text)
    around = [*lines[:_HEAD], *lines[max(_HEAD, len(lines) - _FOOT) :]]
    title = _title(lines)
    given = "" if title else " ".join(document.meta.get("title", "").split())
    writer, source = _name_of(_first(_WRITER, around)), _first(_SOURCE, around)
    named = [mention for mention in (writer, source) if mention is not None]
    comments = (match.span() for match in _COMMENT.finditer(document.text))
    labels = tuple(comments) + tuple(
        (line.start, line.end)
        for line in around
        if len(line.text) <= _LONGEST_LABELLED
        and (
            any(line.start <= mention.start < line.end for mention in named)
            or (_LABEL.search(line.text) and _DATE.search(line.text))
        )
    )
    return Head(title, writer, source, labels, given)


def _name_of(writer: Mention | None) -> Mention | None:
    """Return a writer without words behind the first name that no name begins with."""
    if writer is None or not _HAN.search(writer.text):
        return writer
    for blank in re.finditer(r"[\s、，,]+", writer.text):
        if writer.text[blank.end()] not in SURNAMES:
            end = writer.start + blank.start()
            return Mention(writer.text[: blank.start()], writer.start, end)
    return writer


def _title(lines: list[Line]) -> Mention | None:
    """Return the first line, where it is as short as a headline and no sentence."""
    if not lines:
        return None
    line = lines[0]
    words = line.text.strip(_MARKS)
    long = len(words) > _LONGEST_TITLE[bool(_HAN.search(words))]
    labelled = _SOURCE.search(line.text) or _WRITER.search(line.text)
    if not words or long or words[-1] in "。；;，,：:" or labelled or len(lines) == 1:
        return None
    start = line.start + line.text.index(words)
    return Mention(words, start, start + len(words))


def _first(pattern: re.Pattern[str], lines: list[Line]) -> Mention | None:
    """Return what a pattern names in a short line, or in brackets of a long one."""
    for line in lines:
        for match in pattern.finditer(line.text):
            name = next(group for group in match.groups() if group)
            name = _DATE_BEHIND.sub("", name).strip(" \t.。、，,“”《》「」『』【】")
            bracketed = match.start() and line.text[match.start() - 1] in "（("
            if name and (len(line.text) <= _LONGEST_LABELLED or bracketed):
                start = line.start + line.text.index(name, match.start())
                return Mention(name, start, start + len(name))
    return None


@dataclass(frozen=True, slots=True, eq=False)
class Overlap:
    """What two versions have in common: words in runs that the other has anywhere."""

    shared_a: Bools  # (wa,)
    shared_b: Bools  # (wb,)

    @property
    def only_a(self) -> int:
        """Words of a that b does not have."""
        return int(len(self.shared_a) - self.shared_a.sum())

    @property
    def only_b(self) -> int:
        """Words of b that a does not have."""
        return int(len(self.shared_b) - self.shared_b.sum())

    def turned(self) -> Overlap:
        """Return the overlap as seen from the other version."""
        return Overlap(self.shared_b, self.shared_a)


def overlap_of(a: Reading, b: Reading) -> Overlap:
    """Mark the words of two versions that stand in runs of `k` words that both have.

    Notes
    -----
    Sentences may change places: only what is new or missing counts as a difference. O(w log w).
    """
    return Overlap(_mark_alike(a, b), _mark_alike(b, a))


def overlap_between(
    overlaps: Mapping[tuple[int, int], Overlap], one: int, other: int
) -> Overlap | None:
    """Return the overlap of two texts as seen from the first; `overlaps` are of (a, b), a < b."""
    overlap = overlaps.get((min(one, other), max(one, other)))
    return overlap if overlap is None or one < other else overlap.turned()


def _mark_alike(one: Reading, other: Reading) -> Bools:
    if len(one.run) == 0 or len(other.run) == 0:
        return np.isin(one.word, other.word) if len(one) < one.k else np.zeros(len(one), np.bool_)
    marked = np.zeros(len(one), np.bool_)
    first = np.flatnonzero(np.isin(one.run, other.run))
    for shift in range(one.k):
        marked[first + shift] = True
    return marked


def per_sentence(reading: Reading, marked: Bools) -> I64:
    """Return how many marked words each sentence has, int64 (s,)."""
    totals = np.concatenate([[0], np.cumsum(marked)])
    return np.asarray(totals[reading.sentence[1:]] - totals[reading.sentence[:-1]], np.int64)
