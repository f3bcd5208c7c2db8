"""Where texts were published before: what they share with others, and the history of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..checking.pipeline import check, run_check
from ..library import LibraryScope
from ..model import Document, Progress
from ..result import CheckResult, meanings_shown
from ..settings import Settings
from ..text.dictionary import data_file
from . import Group, Link, Version, mark_reused, mark_worth_reading, moment_of, repost_groups

#: sentences of the same meaning are not looked for: nothing of them is shown
REPOST_SETTINGS = Settings.of("reposts", meaning="off")


def repost_settings(given: Settings | None = None) -> Settings:
    """Return how reposts are looked for: by default translations too, where there is a dictionary.

    Never by vectors of sentences.
    """
    if given is not None:
        return replace(given, meaning="off")
    return replace(REPOST_SETTINGS, translated=data_file() is not None)


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
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> Traced:
    """Look for earlier and later versions of texts.

    Parameters
    ----------
    asked
        The texts in question. Without candidates they are compared with each other.
    candidates
        Texts that may hold the same, in whole or in part.
    settings
        By default `repost_settings()`.

    Notes
    -----
    Candidates are only compared with each other where they share a passage with what was asked:
    two checks, the second of a few texts.
    """
    settings = repost_settings(settings)
    if not candidates:
        result = check(asked, settings=settings, progress=progress)
        return Traced(result, len(asked), 0, tuple(repost_groups(result)))
    first = check(asked, against=candidates, settings=settings, progress=progress)
    return _trace_hits(first, compared=len(candidates), progress=progress)


def trace_library(
    asked: Sequence[Document],
    scope: LibraryScope,
    *,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> Traced:
    """Look for earlier and later versions of texts among those of a library."""
    first = run_check(asked, scope, settings=repost_settings(settings), progress=progress)
    compared = sum(
        len(one.library.keys(collections=one.collections)) for one in (scope, *scope.further)
    )
    return _trace_hits(first, compared=compared, progress=progress)


def _trace_hits(first: CheckResult, *, compared: int, progress: Progress | None) -> Traced:
    """Return the history of the texts of a check and of the references that share text with them.

    The references of the check are the candidates, found among `compared` texts.
    """
    asked = first.checked
    rows = sorted({*hit_rows(first), *_translation_rows(first)})
    hits = [first.documents[row] for row in rows]
    in_place = {(one.id, one.name): one for one in hits}
    texts = list(first.documents[:asked])
    for row, one in enumerate(texts):  # what is known by the same name is no version of itself
        if held := in_place.get((one.id, one.name)):
            texts[row] = replace(one, meta={**held.meta, **one.meta})
    named = {(one.id, one.name) for one in texts}
    hits = [one for one in hits if (one.id, one.name) not in named]
    result = check([*texts, *hits], settings=first.settings, progress=progress)
    groups = tuple(repost_groups(result, asked))
    listed = {row for group in groups for row in group.every_row}
    folded = len(_folded_rows(first)) + len(set(range(asked, len(result.documents))) - listed)
    return Traced(result, asked, compared, groups, folded=folded)


def _translation_rows(result: CheckResult) -> list[int]:
    """Return the references that may be translations, as far as chance does not give as much."""
    meanings = meanings_shown(result)
    pairs = [] if meanings is None else meanings.pairs()
    return [right for left, right in pairs if left < result.checked <= right]


@dataclass(frozen=True, slots=True)
class LikelySource:
    """A text that was asked about and the one that it is nearest to, by their rows.

    `kind` is `same` word for word, `part` where all of it stands in the other, `shared`,
    `translation` where it may be one, or `common` where they share only a passage that others have
    as well, or too little for a version. `share` is that of its words which the other has too,
    `of_other` of the words of the other, 0..1. `further` are the links to other sources of it;
    `others` counts further texts that share enough. `earlier` says whether the other is likely the
    earlier one, None where dates and words disagree or say nothing. `claimed`: by its date it would
    be the earlier one, but nothing else says so.
    """

    row: int
    other: int
    kind: str
    share: float
    of_other: float
    further: tuple[Link, ...]
    others: int
    earlier: bool | None
    claimed: bool


def likely_sources(traced: Traced) -> list[LikelySource]:
    """Return one line for each text that was asked about and stands elsewhere.

    What it is nearest to in its group, else the text that it shares most with.
    """
    if not traced.compared:
        return []
    listed = []
    common = _partners(traced)
    for row in range(traced.asked):
        group = next((one for one in traced.groups if row in one.rows), None)
        version = next((one for one in group.versions if one.row == row), None) if group else None
        if group is not None and version is not None:
            listed += _source_in(traced, group, version)
        elif row in common:
            shares = common[row]
            other = max(shares, key=lambda one: (shares[one], -one))
            order = _order(traced, None, other, row)
            listed.append(
                LikelySource(row, other, "common", *shares[other], (), len(shares) - 1, *order)
            )
    return listed


def _source_in(traced: Traced, group: Group, version: Version) -> list[LikelySource]:
    """Return what a text of a group is nearest to; nothing where only texts in question are."""
    links = group.further_of(version.row)
    known = {row for row in group.rows if row >= traced.asked} | {link.source for link in links}
    other, made, kind = version.compared, version.changes, "shared"
    if made is not None and not (made.added or made.reworded or made.reordered):
        kind = "part" if made.removed or made.excerpt else "same"
    of_both = version.of_compared, version.from_compared
    if other is None and links:
        other, kind, of_both = links[0].source, links[0].kind, (links[0].share, 0.0)
    if other not in known or other is None:
        return []
    further = tuple(link for link in links if link.source != other)
    order = _order(traced, group, other, version.row)
    return [LikelySource(version.row, other, kind, *of_both, further, len(known) - 1, *order)]


def _partners(traced: Traced) -> dict[int, dict[int, tuple[float, float]]]:
    """Return of each text asked about the others that share enough, and the shares of both."""
    table, enough = traced.result.table, mark_reused(traced.result)
    shares: dict[int, dict[int, tuple[float, float]]] = {}
    columns = (table.pairs.left, table.pairs.right, table.coverage_a, table.coverage_b)
    for row, other, of_row, of_other in zip(
        *(column[enough].tolist() for column in columns), strict=True
    ):
        if row < traced.asked <= other and of_row > 0:
            shares.setdefault(row, {})[other] = (of_row, of_other)
    return shares


def _order(traced: Traced, group: Group | None, other: int, row: int) -> tuple[bool | None, bool]:
    """Return whether another text came before one in question, and whether only that denies it."""
    if group is not None and row in group.rows:
        asked = next(version.moment for version in group.versions if version.row == row)
    else:
        asked = moment_of(traced.result.documents[row])
    known = moment_of(traced.result.documents[other])
    first = group.first if group is not None else None
    if group is not None and group.conflict:
        return None, False
    if asked is None:
        return first != row, False
    if known is not None and known.before(asked):
        return True, False
    if known is not None and asked.before(known):
        return (False, False) if first == row or asked.source == "hand" else (None, True)
    if group is not None and group.words.level == "fair" and first in (other, row):
        return first == other, False
    return None, False


def hit_rows(result: CheckResult) -> list[int]:
    """Return the references of a check that are worth looking at (`reposts.mark_worth_reading`)."""
    return [int(row) for row in np.unique(result.table.pairs.right[mark_worth_reading(result)])]


def _folded_rows(result: CheckResult) -> set[int]:
    """Return the references that share something, but are not worth looking at."""
    table, begin = result.table, result.checked
    shared = np.fmax(table.coverage_a, table.coverage_b) > 0
    rows = np.union1d(table.pairs.left[shared], table.pairs.right[shared])
    return {int(row) for row in rows if row >= begin} - set(hit_rows(result))
