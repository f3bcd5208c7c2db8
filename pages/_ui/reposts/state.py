"""What the repost desk holds: the answer to the last question, and what the versions are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from simhash_core.model import DATE_FROM, Skipped
from simhash_core.reposts import (
    Group,
    Traced,
    Version,
    moment_of,
    remove_day,
    repost_groups,
    title_of,
)

from ..shared import session
from ..shared.session import t
from ..shared.tab import Fact

_CALLED = ("site", "source", "publisher")


class Tab:
    """What a tab remembers: the answer."""

    reposts_answer: Fact[Answer | None] = Fact(None)
    reposts_refused = Fact("")  # sentence on why nothing was looked for


tab = Tab()


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What was found out, the files that could not be read, and the dates as corrected."""

    traced: Traced
    skipped: tuple[Skipped, ...] = ()
    dates: dict[int, str] = field(default_factory=dict)  # row -> date in place of its own
    before: Answer | None = None  # the last date was corrected


def correct_dates(held: Answer, dates: Mapping[int, str]) -> Answer:
    """Return the answer with the dates of some versions corrected; nothing is compared again."""
    documents = list(held.traced.result.documents)
    for row, date in dates.items():
        meta = {**documents[row].meta, "date": date, DATE_FROM: "hand"}
        documents[row] = replace(documents[row], meta=meta)
    result = replace(held.traced.result, documents=tuple(documents))
    groups = repost_groups(result, held.traced.asked if held.traced.compared else 0)
    traced = replace(held.traced, result=result, groups=tuple(groups))
    return Answer(traced, held.skipped, {**held.dates, **dates}, held)


def date_now(held: Answer, row: int) -> str:
    """Return the date of a version as it stands, "" where it has none."""
    moment = moment_of(held.traced.result.documents[row])
    return moment.shown if moment is not None else ""


def original_date(held: Answer, row: int) -> str:
    """Return the date that a version had before anybody corrected it."""
    while held.before is not None:
        held = held.before
    return date_now(held, row)


def name(traced: Traced, row: int) -> str:
    """Return what a version is called: its publisher, else its title or file.

    The host of its address only where nothing else is known.
    """
    if session.hide_names():
        return t("frame.text_number", number=f"{row + 1:02d}")
    document = traced.result.documents[row]
    for key in _CALLED:
        if document.meta.get(key):
            return str(document.meta[key])
    url = document.meta.get("url", "")
    if url and document.meta.get("title"):
        return str(document.meta["title"])
    host = urlsplit(url).hostname
    return host or _of_file(traced, row)


def _of_file(traced: Traced, row: int) -> str:
    """Return what a file is called; without its day, which stands beside it, where that is enough.

    城市晚报 2026-03-02.txt is 城市晚报, unless there is a second file of that paper.
    """
    stems = [PurePosixPath(one.name).stem for one in traced.result.documents]
    bare = [remove_day(stem) for stem in stems]
    whole = stems[row] or traced.result.documents[row].name
    return bare[row] if bare[row] and bare.count(bare[row]) == 1 else whole


def headline(traced: Traced, version: Version) -> str:
    """Return the title of a version beside its name, "" where it has none or names are hidden."""
    written = title_of(version.head)
    return "" if session.hide_names() or written == name(traced, version.row) else written


def title(traced: Traced, group: Group) -> str:
    """Return what a group is called: the headline of its first version, else its name."""
    written = title_of(group.versions[0].head)
    if written and not session.hide_names():
        return t("reposts.title_of", title=written)
    return name(traced, group.original)
