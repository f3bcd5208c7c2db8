"""Where texts were published before: what they share with others, and the history of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..checking.pipeline import check
from ..model import Document, Progress
from ..result import CheckResult
from ..settings import Settings
from . import Group, moment_of, repost_groups, reused, worth_reading

REPOST_SETTINGS = Settings.of("reposts")


@dataclass(frozen=True, slots=True, eq=False)
class Traced:
    """The answer: what was asked, what shares text with it, and the groups they form.

    `result` compares the texts that were asked about with all hits, and these with each other:
    its first `asked` documents are the former. `compared` counts the texts looked through, and
    `folded` those of them that share only what texts of the kind often say, or what a likelier
    source says too.
    """

    result: CheckResult
    asked: int
    compared: int
    groups: tuple[Group, ...]
    folded: int = 0


def trace(
    asked: Sequence[Document],
    candidates: Sequence[Document] = (),
    *,
    settings: Settings = REPOST_SETTINGS,
    progress: Progress | None = None,
) -> Traced:
    """Look for earlier and later versions of texts.

    Parameters
    ----------
    asked
        The texts in question. Without candidates they are compared with each other.
    candidates
        Texts that may hold the same, in whole or in part.

    Notes
    -----
    Candidates are only compared with each other where they share a passage with what was asked:
    two checks, the second of a few texts.
    """
    if not candidates:
        result = check(asked, settings=settings, progress=progress)
        return Traced(result, len(asked), 0, tuple(repost_groups(result)))
    first = check(asked, against=candidates, settings=settings, progress=progress)
    return trace_hits(first, compared=len(candidates), progress=progress)


def trace_hits(first: CheckResult, *, compared: int, progress: Progress | None = None) -> Traced:
    """Return the history of the texts of a check and of the references that share text with them.

    Parameters
    ----------
    first
        Its references are the candidates.
    compared
        Among how many texts the references were looked for.
    """
    asked = first.checked
    hits = [first.documents[row] for row in hit_rows(first)]
    in_place = {(one.id, one.name): one for one in hits}
    texts = [_placed(one, in_place.get((one.id, one.name))) for one in first.documents[:asked]]
    named = {(one.id, one.name) for one in texts}
    hits = [one for one in hits if (one.id, one.name) not in named]
    result = check([*texts, *hits], settings=first.settings, progress=progress)
    about = set(range(asked))
    groups = [group for group in repost_groups(result) if about & set(_rows(group))]
    return Traced(result, asked, compared, tuple(groups), folded=len(_folded_rows(first)))


def _placed(document: Document, held: Document | None) -> Document:
    """Return a text that was asked about; where it is known by the same name, with what is known.

    It is no version of itself.
    """
    return document if held is None else replace(document, meta={**held.meta, **document.meta})


@dataclass(frozen=True, slots=True)
class LikelySource:
    """A text that was asked about and the one that it shares most with, by their rows.

    `share` is that of the words of the former which the latter has too, 0..1; `others` counts
    further texts that share enough; `earlier` says whether the other is likely the earlier one,
    None where dates and words disagree or say nothing.
    """

    row: int
    other: int
    share: float
    others: int
    earlier: bool | None


def likely_sources(traced: Traced) -> list[LikelySource]:
    """Return one line for each text that was asked about and stands elsewhere.

    Its source in the history of its group, where it has one among what was looked through; else
    the text that it shares most with. Shares are those of the group.
    """
    listed = []
    for row, shares in _shares_of(traced).items():
        source = next((s for s in _sources(traced, row) if s in shares), None)
        other = max(shares, key=lambda one: (shares[one], -one)) if source is None else source
        earlier = _is_earlier(traced, other, row)
        listed.append(LikelySource(row, other, shares[other], len(shares) - 1, earlier))
    return sorted(listed, key=lambda one: one.row)


def _shares_of(traced: Traced) -> dict[int, dict[int, float]]:
    """Return of each text asked about the others that share enough, and its share of words."""
    table, enough = traced.result.table, reused(traced.result)
    shares: dict[int, dict[int, float]] = {}
    pairs = zip(
        *(table.pairs.left[enough].tolist(), table.pairs.right[enough].tolist()),
        *(table.coverage_a[enough].tolist(), table.coverage_b[enough].tolist()),
        strict=True,
    )
    for left, right, of_left, of_right in pairs:
        for row, other, share in ((left, right, of_left), (right, left, of_right)):
            if row < traced.asked <= other and share > 0:
                shares.setdefault(row, {})[other] = share
    counted = [one for group in traced.groups for one in group.shares]
    for one in counted:
        for row, other, share in ((one.a, one.b, one.of_a), (one.b, one.a, one.of_b)):
            if other in shares.get(row, {}):
                shares[row][other] = share
    return shares


def _sources(traced: Traced, row: int) -> list[int]:
    links = [link for group in traced.groups for link in group.links]
    return [link.source for link in links if link.version == row]


def _is_earlier(traced: Traced, other: int, row: int) -> bool | None:
    """Return whether one version came before another, None where that is open."""
    for group in traced.groups:
        if row not in group.rows or other not in group.rows or group.conflict:
            continue
        moments = [moment_of(traced.result.documents[one]) for one in (other, row)]
        if moments[0] and moments[1] and moments[0].before(moments[1]):
            return True
        if moments[0] and moments[1] and moments[1].before(moments[0]):
            return False
        if group.words.level == "fair" and group.first in (other, row):
            return group.first == other
    return None


def hit_rows(result: CheckResult) -> list[int]:
    """Return the references of a check that are worth looking at (`reposts.worth_reading`)."""
    return [int(row) for row in np.unique(result.table.pairs.right[worth_reading(result)])]


def _folded_rows(result: CheckResult) -> set[int]:
    """Return the references that share something, but are not worth looking at."""
    table, begin = result.table, result.checked
    shared = np.fmax(table.coverage_a, table.coverage_b) > 0
    rows = np.union1d(table.pairs.left[shared], table.pairs.right[shared])
    return {int(row) for row in rows if row >= begin} - set(hit_rows(result))


def _rows(group: Group) -> tuple[int, ...]:
    return (*group.rows, *(link.version for link in group.further))
