"""A text as versions of it are compared: words, sentences, head and date."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..model import I32, I64, Document
from ..passages.exact import grams_of
from ..text.lengths import unit_of
from ..text.normalize import normalize
from .dates import Moment, moment_of
from .heads import Head, head_of

_SINGLE = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_SINGLE}]|\d+(?:\.\d+)*|[^\W_{_SINGLE}]+(?:['’][^\W_{_SINGLE}]+)*")
_STOP = re.compile(
    r"[。！？!?…]+[”’」』\"')）】]*|\.(?:[”’\"')]+)?(?=\s+[A-Z\d“\"'(`*_\[])|\.(?=\s*(?:\n|$))|\n+"
)
#: words in a row that count as taken over wherever they stand: of Chinese, of other languages
RUN = {"characters": 4, "words": 3}


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
    ends = np.fromiter(_sentence_ends(document.text), np.int64)
    borders = np.unique(np.concatenate([[0], np.searchsorted(start, ends), [len(words)]]))
    word = np.array(ids, np.int64)
    lines = frozenset(line.strip() for line in document.text.splitlines())
    return Reading(
        document, word, start, end, borders, grams_of(word, k), k, lines,
        head_of(document), moment_of(document),
    )  # fmt: skip


def _sentence_ends(text: str) -> Iterator[int]:
    """Yield where sentences and lines end."""
    for match in _STOP.finditer(text):
        yield match.end()
