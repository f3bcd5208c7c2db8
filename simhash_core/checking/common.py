"""What many texts of a batch hold, before they are compared: a task, a cover, a bibliography.

Texts are read once and their runs of words counted; nothing is aligned.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np

from ..model import I64, Bools, Document
from ..passages.tokenized import TokenizedText
from ..policy import (
    COMMON_FEWEST,
    COMMON_HELD,
    COMMON_LEAST,
    COMMON_MOST,
    COMMON_RUN,
    COMMON_SHARE,
    LINK_RUN,
    TEMPLATE_EDITED,
    TEMPLATE_GAP,
)
from ..settings import Settings
from ..text.lengths import count_units
from ..text.zones import Zone, zones
from .templates import template_spans
from .tokenizing import read_text

#: what a passage may be; of the last nothing is left out
KINDS = ("task", "references", "template", "copied")


@dataclass(frozen=True, slots=True)
class Common:
    """One passage that many texts hold, word for word or lightly edited.

    Attributes
    ----------
    text : str
        As the text of row `row` has it, code points [start, end).
    rows : tuple of int
        The texts that hold it, in their order.
    units : int
        Its length in characters or words.
    place : str
        `cover`, `start`, `end` or `body`: where most of them have it.
    kind, reason : str
        What it is taken for, one of `KINDS`, and why: `as_given`, `bibliography`, `quotation`,
        `cover`, `first_in_most`, `body`.
    varying : tuple of (int, int)
        Ranges of `text` between runs that many texts hold: names, numbers.
    """

    text: str
    row: int
    start: int
    end: int
    rows: tuple[int, ...]
    units: int
    place: str
    kind: str
    reason: str
    varying: tuple[tuple[int, int], ...]

    @property
    def shared(self) -> str:
        """The text with "…" for what varies in it."""
        edges = [0, *chain.from_iterable(self.varying), len(self.text)]
        pieces = (self.text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True))
        return "…".join(pieces)


def as_templates(passages: Sequence[Common], kinds: Sequence[str]) -> list[Document]:
    """Return the passages that do not count as texts given to everybody, called by their kinds.

    `kinds` are the answers; what is on the task sheet is given already.
    """
    return [
        Document.from_text(one.text, name=kind)
        for one, kind in zip(passages, kinds, strict=True)
        if kind != "copied" and one.reason != "as_given"
    ]


class CommonPassages:
    """The passages that many of some texts hold, the most text first.

    Parameters
    ----------
    documents
        As they were read, templates included.
    given
        Texts that are known to have been given to everybody.

    Notes
    -----
    A run of `COMMON_RUN` words is common where at least `COMMON_FEWEST` texts and `COMMON_SHARE` of
    them hold it. The stretch of one text with the most common runs, each counted by its texts, is
    a passage, without what borders on it and is in far fewer texts or far more; texts with at
    least `COMMON_HELD` of its runs hold it. Its runs are then out, and so on.
    """

    def __init__(
        self, documents: Sequence[Document], given: Sequence[Document], settings: Settings
    ) -> None:
        self._documents, self._settings = documents, settings
        self._given = [one.text for one in given]
        self._texts = [read_text(one.text, settings) for one in documents]
        self._links = [_grams(text, LINK_RUN[text.language]) for text in self._texts]
        self._spans: list[dict[int, tuple[int, int]]] = []  # of each passage: row -> tokens
        self.pairs = lru_cache(maxsize=64)(self._pairs)
        self.passages = tuple(self._collect()) if len(documents) >= COMMON_FEWEST else ()

    def _pairs(self, left_out: Collection[int] = frozenset()) -> int:
        """Return how many pairs share a run of `LINK_RUN` words outside some of the passages."""
        counts = [np.ones(len(text), np.bool_) for text in self._texts]
        for passage in left_out:
            for row, (first, last) in self._spans[passage].items():
                counts[row][first:last] = False
        grams, owner = [], []
        for row, (text, counted) in enumerate(zip(self._texts, counts, strict=True)):
            run = LINK_RUN[text.language]
            missing = np.concatenate([[0], np.cumsum(~counted)])
            whole = missing[run:] == missing[: max(len(missing) - run, 0)]
            grams.append(np.unique(self._links[row][whole]))
            owner.append(np.full(len(grams[-1]), row))
        if not grams:
            return 0
        return _linked(np.concatenate(grams), np.concatenate(owner), len(self._texts))

    # ------------------------------------------------------------------ finding them

    def _collect(self) -> list[Common]:
        ids, df = _numbered([_grams(text, COMMON_RUN) for text in self._texts])
        least = max(COMMON_FEWEST, int(np.ceil(COMMON_SHARE * len(self._texts))))
        open_ = [df[of_text] >= least for of_text in ids]
        ahead = [
            _best_stretch(common, df[of_text]) for of_text, common in zip(ids, open_, strict=True)
        ]
        shortest = min(COMMON_LEAST.values()) - COMMON_RUN + 1
        passages: list[Common] = []
        while len(passages) < COMMON_MOST:
            row = max(range(len(ahead)), key=lambda row: ahead[row][0])
            weight, first, last = ahead[row]
            if weight < COMMON_HELD * least * shortest:  # nothing as long is left
                break
            spans = _holders(ids, ids[row][first:last], open_, len(df))
            if len(spans) >= least and self._long(row, first, last):
                self._spans.append(spans)
                common = open_[row][first:last]
                passages.append(self._common(row, first, common, spans))
            for at, (low, high) in spans.items():
                open_[at][low : max(high - COMMON_RUN + 1, low + 1)] = False
            open_[row][first:last] = False
            for at in {row, *spans}:
                ahead[at] = _best_stretch(open_[at], df[ids[at]])
        return passages

    def _long(self, row: int, first: int, last: int) -> bool:
        language = self._texts[row].language
        return last - first + COMMON_RUN - 1 >= COMMON_LEAST[language]

    def _common(
        self, row: int, first: int, common: Bools, spans: dict[int, tuple[int, int]]
    ) -> Common:
        """Return the passage of a text from token `first` on, whose runs are `common` or not."""
        text, last = self._texts[row], first + len(common) + COMMON_RUN - 2
        start, end = int(text.start[first]), int(text.end_attached[last])
        words = self._documents[row].text[start:end]
        place = self._place(spans, row, (start, end))
        share = len(spans) / len(self._texts)
        kind, reason = self._taken_for(words, row, (start, end), place, share)
        edges = np.diff((np.convolve(common, np.ones(COMMON_RUN, np.int64)) > 0).astype(np.int8))
        after, before = first + np.flatnonzero(edges < 0) + 1, first + np.flatnonzero(edges > 0)
        between = zip(text.start[after] - start, text.end[before] - start, strict=True)
        varying = tuple((int(a), int(b)) for a, b in between)
        rows, units = tuple(sorted(spans)), count_units(words)
        return Common(words, row, start, end, rows, units, place, kind, reason, varying)

    def _place(self, spans: dict[int, tuple[int, int]], row: int, span: tuple[int, int]) -> str:
        if _covered(zones(self._documents[row].text, ("cover",)), span) > 0.5:
            return "cover"
        ends = np.array([(*span, len(self._texts[row])) for row, span in spans.items()], np.float64)
        first, last = np.median(ends[:, 0] / ends[:, 2]), np.median(ends[:, 1] / ends[:, 2])
        if first < 1 - last:
            return "start" if first <= 0.1 else "body"
        return "end" if last >= 0.9 else "body"

    def _taken_for(
        self, words: str, row: int, span: tuple[int, int], place: str, share: float
    ) -> tuple[str, str]:
        """Return what a passage is, as far as rules can tell: in doubt copied, so that it stays."""
        tokens = read_text(words, self._settings)
        (given,) = template_spans([tokens], self._given, settings=self._settings)
        if sum(b - a for a, b in given) >= TEMPLATE_EDITED * len(words):
            return "task", "as_given"
        text = self._documents[row].text
        if _covered(zones(text, ("references",)), span) > 0.5:
            return "references", "bibliography"
        if _covered(zones(text, ("quotations",)), span) > 0.5:
            return "references", "quotation"
        if place == "cover":
            return "template", "cover"
        if place == "start" and share >= 0.5:
            return "task", "first_in_most"
        return "copied", "body"


def _grams(text: TokenizedText, run: int) -> I64:
    """Return a hash of each `run` tokens in a row, int64 (tokens - run + 1,)."""
    n = max(len(text) - run + 1, 0)
    hashed = np.zeros(n, np.uint64)
    token = text.token.astype(np.uint64)
    for at in range(run):
        hashed = hashed * np.uint64(0x9E3779B97F4A7C15) + token[at : at + n]
    return hashed.view(np.int64)


def _numbered(grams: Sequence[I64]) -> tuple[list[I64], I64]:
    """Return the grams of each text as numbers 0, 1, ..., and how many texts hold each."""
    distinct, ids = np.unique(np.concatenate(grams), return_inverse=True)
    of_texts = np.split(ids.astype(np.int64), np.cumsum([len(one) for one in grams])[:-1])
    df = np.zeros(len(distinct), np.int64)
    for of_text in of_texts:
        df[np.unique(of_text)] += 1
    return of_texts, df


def _best_stretch(common: Bools, df: I64) -> tuple[int, int, int]:
    """Return (weight, first run, one past the last) of the stretch with most common runs."""
    at = np.flatnonzero(common)
    if not len(at):
        return 0, 0, 0
    parts = np.split(at, np.flatnonzero(np.diff(at) > COMMON_RUN + TEMPLATE_GAP) + 1)
    sums = np.add.reduceat(df[at], np.searchsorted(at, [part[0] for part in parts]))
    best = parts[int(np.argmax(sums))]
    usual = _level(df[best])  # what borders on it is in fewer texts, or in more
    inside = best[(df[best] >= COMMON_HELD * usual) & (df[best] <= usual / COMMON_HELD)]
    inside = max(
        np.split(inside, np.flatnonzero(np.diff(inside) > COMMON_RUN + TEMPLATE_GAP) + 1), key=len
    )
    return int(df[inside].sum()), int(inside[0]), int(inside[-1]) + 1


def _level(df: I64) -> int:
    """Return the number of texts, of all that runs are in, with the most text at about it.

    A run in between `COMMON_HELD` of a level and its inverse counts by its texts, up to the level.
    """
    rising = np.sort(df)
    levels, upto = np.unique(rising), np.concatenate([[0], np.cumsum(rising)])
    low, at, high = (
        np.searchsorted(rising, COMMON_HELD * levels),
        np.searchsorted(rising, levels),
        np.searchsorted(rising, levels / COMMON_HELD, side="right"),
    )
    return int(levels[np.argmax(upto[at] - upto[low] + levels * (high - at))])


def _holders(
    ids: Sequence[I64], wanted: I64, open_: Sequence[Bools], distinct: int
) -> dict[int, tuple[int, int]]:
    """Return the texts that hold most of some runs, each with the tokens from first to last."""
    runs, is_wanted = np.unique(wanted), np.zeros(distinct, np.bool_)
    is_wanted[runs] = True
    held: dict[int, tuple[int, int]] = {}
    for row, (of_text, common) in enumerate(zip(ids, open_, strict=True)):
        at = np.flatnonzero(is_wanted[of_text] & common)
        if len(np.unique(of_text[at])) >= COMMON_HELD * len(runs):
            near = _nearest(at, int(1.5 * len(wanted)))
            held[row] = int(near[0]), int(near[-1]) + COMMON_RUN
    return held


def _nearest(at: I64, most: int) -> I64:
    """Return the most of some places that lie within a window."""
    upto = np.searchsorted(at, at + max(most, 1), side="right")
    first = int(np.argmax(upto - np.arange(len(at))))
    return at[first : upto[first]]


def _covered(zones: Sequence[Zone], span: tuple[int, int]) -> float:
    """Return the share of a span that lies in zones."""
    inside = sum(max(0, min(span[1], zone.end) - max(span[0], zone.start)) for zone in zones)
    return inside / max(span[1] - span[0], 1)


def _linked(grams: I64, owner: I64, n: int) -> int:
    """Return how many of the n texts' pairs have a gram in common."""
    order = np.lexsort((owner, grams))
    grams, owner = grams[order], owner[order]
    edges = np.flatnonzero(np.concatenate([[True], grams[1:] != grams[:-1], [True]]))
    several = np.flatnonzero(np.diff(edges) > 1)
    linked = np.zeros((n, n), np.bool_)
    for first, last in zip(edges[several].tolist(), edges[several + 1].tolist(), strict=True):
        linked[np.ix_(owner[first:last], owner[first:last])] = True
    return int(np.triu(linked, 1).sum())
