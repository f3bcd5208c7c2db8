"""What stands for names in a report: what hides them, and every place where one is replaced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..i18n import Translate
from ..model import pair_key, text_id
from ..people.masking import Hider, Place, build_hider
from ..result import CheckResult
from .content import OF_ONE_TEXT, Wanted
from .names import one_line

_AROUND = 12  # characters shown on each side of a place that is replaced


def hider_of(result: CheckResult, wanted: Wanted, t: Translate) -> Hider:
    """Return what hides the persons of a check inside its texts."""
    return build_hider(
        result.documents,
        t,
        skipped=result.skipped,
        others=wanted.others,
        reviewers={decision.reviewer for decision in wanted.decisions.values()},
        overruled=wanted.overruled,
    )


def alias(row: int, t: Translate) -> str:
    """Return what a text is called while names are hidden: 第 037 篇, Text 037."""
    return t("report.alias", number=f"{row + 1:03d}")


@dataclass(frozen=True, slots=True)
class Replacement:
    """One place that names somebody, or may. What stands there is not always replaced."""

    place: Place
    row: int  # of the text, -1 for the title and for a note
    source: str  # "text" | "title" | "note"
    called: str  # what the report calls the text, the two of a note joined by "–"
    line: int  # from 1
    before: str
    after: str
    left: str  # what stands around it
    right: str
    sure: bool
    replaced: bool


def replacements(result: CheckResult, wanted: Wanted, t: Translate) -> list[Replacement]:
    """List the places in all texts that a report can quote, in its title and in its notes.

    File names are in no anonymous report: a text is called by its number.
    """
    hide = hider_of(result, wanted, t)
    hide_all = replace(hide, doubtful=True)
    typed = dict.fromkeys(map(one_line, (wanted.title, wanted.course.group, wanted.course.task)))
    listed = [one for text in typed for one in _list_replacements(text, hide_all, "title", -1, "")]
    for row in _find_quoted(result, wanted):
        listed += _list_replacements(result.documents[row].text, hide, "text", row, alias(row, t))
    for (a, b), note in _list_notes(result, wanted):
        both = f"{alias(a, t)} – {alias(b, t)}"
        listed += _list_replacements(note, hide_all, "note", -1, both)
    return listed


def _find_quoted(result: CheckResult, wanted: Wanted) -> list[int]:
    """Return the rows of the texts that can be quoted."""
    if wanted.kind in ("pair", "cluster"):
        return sorted(wanted.rows)
    ends = zip(result.table.pairs.left.tolist(), result.table.pairs.right.tolist(), strict=True)
    if wanted.kind in OF_ONE_TEXT:
        return sorted(
            {*wanted.rows, *(row for pair in ends if wanted.rows[0] in pair for row in pair)}
        )
    if wanted.kind == "class":
        return list(range(len(result.documents)))
    confirmed = {key for key, one in wanted.decisions.items() if one.verdict == "confirmed"}
    ids = [document.id for document in result.documents]
    chosen = (pair for pair in ends if pair_key(ids[pair[0]], ids[pair[1]]) in confirmed)
    return sorted({row for pair in chosen for row in pair})


def _list_notes(result: CheckResult, wanted: Wanted) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the notes on pairs, with their rows."""
    rows = {document.id: row for row, document in enumerate(result.documents)}
    about = set(wanted.rows)
    for (first, second), decision in wanted.decisions.items():
        if not decision.note or first not in rows or second not in rows:
            continue
        a, b = sorted((rows[first], rows[second]))
        if not about or about & {a, b}:
            yield (a, b), decision.note


def _list_replacements(
    text: str, hide: Hider, source: str, row: int, called: str
) -> Iterator[Replacement]:
    """Yield the places of one text."""
    id_ = text_id(text)
    for name in hide.ranges_in(text):
        start, end = name.start, name.end
        place = (id_, start)
        yield Replacement(
            place=place,
            row=row,
            source=source,
            called=called,
            line=text.count("\n", 0, start) + 1,
            before=one_line(text[start:end]),
            after=hide.labels[name.kind],
            left=one_line(text[max(start - _AROUND, 0) : start]),
            right=one_line(text[end : end + _AROUND]),
            sure=name.sure,
            replaced=hide.replaces(name, place),
        )
