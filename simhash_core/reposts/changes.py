"""What a later version did with an earlier one: sentences, headline, writer, source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..passages.coverage import ranges_of
from .reading import Mention, Overlap, Reading, per_sentence, title_of

HELD = 0.5  # of its words: a sentence of which the other version has as much is not new
IN_ORDER = 0.9  # of the sentences that both have word for word; fewer, and the order was changed
FEWEST_ORDERED = 4
EXCERPT_OF = 0.5  # of the first version: what keeps less, in few stretches, is an excerpt of it
OWN_OF_EXCERPT = 0.2  # of an excerpt: what it may have of its own
MOST_STRETCHES = 3
_FEWEST_IN_A_ROW = 12  # words: what is shared in shorter runs is no stretch

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Named:
    """What a version says of itself, before and after; "" where it says nothing."""

    before: str
    after: str

    @property
    def what(self) -> str:
        """One of `same`, `dropped`, `added` and `changed`."""
        if _plain(self.before) == _plain(self.after):
            return "same"
        return "changed" if self.before and self.after else "dropped" if self.before else "added"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What an excerpt keeps of a text: stretches as shares of its length, and words."""

    stretches: tuple[tuple[float, float], ...]
    shared: int
    whole: int


@dataclass(frozen=True, slots=True)
class Changes:
    """How one version differs from an earlier one. Ranges are code points of each text."""

    added: tuple[Range, ...]  # sentences of the later version that the earlier does not have
    removed: tuple[Range, ...]  # sentences of the earlier that the later does not have
    reworded: tuple[Range, ...]  # sentences of the later that differ in some words
    same: int  # sentences that are equal word for word
    added_words: int
    removed_words: int
    reordered: bool
    headline: Named
    writer: Named
    source: Named
    excerpt: Excerpt | None  # what it leaves out of an excerpted text was not removed

    @property
    def unchanged(self) -> bool:
        """Return whether nothing differs but white space, width and case."""
        parts = (self.added, self.removed, self.reworded)
        heads = (self.headline, self.writer, self.source)
        return not any(parts) and not self.reordered and all(h.what == "same" for h in heads)


def changes_between(before: Reading, after: Reading, overlap: Overlap) -> Changes:
    """Return what `after` changed; `overlap` is that of (before, after).

    Notes
    -----
    A sentence is new where the other version has less than half of its words in runs, wherever
    they stand; so a moved sentence is neither new nor missing, and a split one is reworded.
    """
    keys = before.keys(), after.keys()
    equal = set(keys[0]) & set(keys[1])
    added, reworded, added_words = _sort_out(after, overlap.shared_b, keys[1], equal)
    removed, _, removed_words = _sort_out(before, overlap.shared_a, keys[0], equal)
    return Changes(
        added=added,
        removed=removed,
        reworded=reworded,
        same=sum(key in equal for key in keys[1]),
        added_words=added_words,
        removed_words=removed_words,
        reordered=_reordered(keys[0], keys[1], equal),
        headline=_headline(before, after),
        writer=_name_change(before.head.writer, after.head.writer, after),
        source=_name_change(before.head.source, after.head.source, after),
        excerpt=excerpt_of(before, after, overlap),
    )


def _sort_out(
    reading: Reading, shared: np.ndarray, keys: list[bytes], equal: set[bytes]
) -> tuple[tuple[Range, ...], tuple[Range, ...], int]:
    """Return the sentences that are new, those that are reworded, and the words of the first."""
    held, lengths = per_sentence(reading, shared), np.diff(reading.sentence)
    new, reworded, words = [], [], 0
    title = reading.head.title
    heads = [*reading.head.labels, *([(title.start, title.end)] if title else [])]
    for row, key in enumerate(keys):
        if key in equal or not lengths[row]:
            continue
        start, end = reading.sentence_range(row)
        if any(start < last and first < end for first, last in heads):
            continue  # what became of the head is said apart
        if held[row] >= HELD * lengths[row]:
            reworded.append((start, end))
        else:
            new.append((start, end))
            words += int(lengths[row])
    return tuple(new), tuple(reworded), words


def _reordered(before: list[bytes], after: list[bytes], equal: set[bytes]) -> bool:
    """Return whether sentences that both have once stand in another order."""
    place = {key: row for row, key in enumerate(before)}
    rows = [place[key] for key in after if key in equal and before.count(key) == 1]
    rows = list(dict.fromkeys(rows))
    ends: list[int] = []  # of the rising subsequences of each length
    for row in rows:
        at = int(np.searchsorted(ends, row))
        ends[at : at + 1] = [row]
    return len(rows) >= FEWEST_ORDERED and len(ends) < IN_ORDER * len(rows)


def _headline(before: Reading, after: Reading) -> Named:
    """Compare the headlines; one that stands only in the details of its file counts too."""
    texts = [title_of(reading.head) for reading in (before, after)]
    if not all(texts) and before.head.title is None and after.head.title is None:
        texts = ["", ""]
    return Named(*texts)


def _name_change(before: Mention | None, after: Mention | None, later: Reading) -> Named:
    """Compare who or what both versions name; a name that still stands somewhere is not gone."""
    was = before.text if before else ""
    now = after.text if after else ""
    if was and not now and _plain(was) in _plain(later.document.text):
        now = was
    return Named(was, now)


def _plain(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


# --------------------------------------------------------------------------- an excerpt
def excerpt_of(a: Reading, b: Reading, overlap: Overlap) -> Excerpt | None:
    """Return what of the first text the second keeps, None where that is no excerpt.

    Less than half of the text, in at most three stretches, and little beside.
    """
    if not len(a) or not len(b) or overlap.only_b > OWN_OF_EXCERPT * len(b):
        return None
    runs: list[Range] = list(map(tuple, ranges_of(overlap.shared_a).tolist()))
    stretches = _join_runs([run for run in runs if run[1] - run[0] >= _FEWEST_IN_A_ROW])
    excerpted = int(overlap.shared_a.sum())
    if excerpted >= EXCERPT_OF * len(a) or not 0 < len(stretches) <= MOST_STRETCHES:
        return None
    shares = tuple((start / len(a), end / len(a)) for start, end in stretches)
    return Excerpt(shares, excerpted, len(a))


def _join_runs(runs: Sequence[Range]) -> list[Range]:
    """Return runs, those that a few changed words part as one."""
    joined: list[Range] = []
    for start, end in runs:
        if joined and start - joined[-1][1] < _FEWEST_IN_A_ROW:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined
