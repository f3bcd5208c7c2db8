"""Who wrote what and what does not count, as the flags of a check say."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..checking.authorship import (
    AUTOMATIC,
    CLASS_LIST_KEY,
    class_list,
    hand_ins,
    listed_data,
    listed_from,
    people_of,
    with_authors,
)
from ..checking.common import CommonPassages, as_templates
from ..i18n import Translate
from ..model import Document
from ..notation import Notation
from ..numbers import of_text
from ..people.class_list import Member
from ..result import CheckResult
from ..seen.exclusion_view import ExclusionView
from ..seen.exclusions import RULES_KEY, Exclusions
from ..seen.stored import seen_by
from ..settings import Settings
from ..storage import Project, Texts
from .console import cut, printable, shown_name
from .options.names import NOBODY
from .output import remark

SHOWN_OF_COMMON = 60  # columns of a passage that many texts hold
MISSING_SHOWN = 30  # of the members who handed nothing in


def exclusions_of(options: argparse.Namespace) -> Exclusions:
    """Return what does not count; numbers out of range raise `BadInput`."""
    return Exclusions(
        zones=tuple(name.replace("-", "_") for name in options.exclude),
        min_match=options.min_match,
        common_share=options.common_share,
    )


def seen_without(
    result: CheckResult, options: argparse.Namespace, project: Project | None, t: Translate
) -> ExclusionView | None:
    """Return the check without what does not count, and say how much that is.

    Rules that are given are stored with the project, else those that it holds apply.
    """
    exclusions = exclusions_of(options)
    stored = Exclusions.from_data(project.get(RULES_KEY, {})) if project is not None else exclusions
    if project is not None and exclusions:
        exclusions = replace(exclusions, variants=stored.variants)  # no flag turns it on or off
        project.put(RULES_KEY, exclusions.to_data())
    elif project is not None:
        exclusions = stored
    if not exclusions:
        return None
    view = seen_by(result, exclusions, project)
    before, after = (sum((one.table.passages > 0).tolist()) for one in (view.before, view.result))
    highest = [
        max((of_text(one, row) for row in range(len(one.documents))), key=lambda d: d.total)
        for one in (view.before, view.result)
    ]
    write, units = Notation.of(options.language), view.result.division.sum(axis=0)
    remark(
        t(
            "cli.excluded",
            characters=int(units[-1]),
            of=int(units.sum()),
            before=before,
            after=after,
            high=write.total(highest[0]),
            left=write.total(highest[1]),
        ),
        options,
    )
    return view


def common_texts(
    documents: Sequence[Document],
    templates: Sequence[Document],
    settings: Settings,
    options: argparse.Namespace,
    t: Translate,
) -> list[Document]:
    """Return what many of the texts hold and rules take for a task, a template or a list of works.

    Each passage is said, left out or not; nothing is looked for unless it was asked for.
    """
    if not options.leave_out_common:
        return []
    passages = CommonPassages(documents, templates, settings).passages
    for one in passages:
        words = cut(printable(" ".join(one.text.split())), SHOWN_OF_COMMON)
        facts = {"of": len(documents), "kind": t(f"cli.common.{one.kind}"), "text": words}
        remark(t("cli.common", n=len(one.rows), **facts), options)
    return as_templates(passages, [one.kind for one in passages])


def authored(
    documents: Sequence[Document],
    listed: Sequence[Member],
    options: argparse.Namespace,
    t: Translate,
) -> list[Document]:
    """Return the documents with their authors."""
    if options.people == NOBODY:
        return list(documents)
    names = [document.name for document in documents]
    authorships = people_of(names, options.people or AUTOMATIC, bare=not listed)
    named, assigned = with_authors(documents, authorships, listed=listed)
    wanted = options.skip_same_person or options.skip_same_group or listed
    unknown = sum(not (author.person or author.number) for author in assigned.authors)
    if unknown and (options.people or wanted):
        remark(t("cli.unknown_authors", n=unknown, documents=len(named)), options)
    return named


def listed_members(options: argparse.Namespace, project: Project | None) -> tuple[Member, ...]:
    """Return the class list that is given, which the project keeps, else the one that it holds.

    Without people there is no list to compare with.
    """
    if options.people == NOBODY:
        return ()
    if not options.class_list:
        return listed_from(project.get(CLASS_LIST_KEY)) if project is not None else ()
    listed = class_list(Path(options.class_list), name=options.class_list)
    if project is not None:
        project.put(CLASS_LIST_KEY, listed_data(listed))
    return tuple(listed)


def missing_members(
    texts: Texts, listed: Sequence[Member], options: argparse.Namespace, t: Translate
) -> list[Member]:
    """Return who of a class list handed nothing in; say so, and of whom nothing can be read."""
    by_state: dict[str, list[Member]] = {"unread": [], "missing": []}
    for one in hand_ins(texts.documents, texts.skipped, listed) if listed else ():
        by_state.setdefault(one.state, []).append(one.member)
    _say_members("cli.unreadable", by_state["unread"], options, t)
    _say_members("cli.missing", by_state["missing"], options, t)
    return by_state["missing"]


def _say_members(
    message: str, members: Sequence[Member], options: argparse.Namespace, t: Translate
) -> None:
    """Name some members of a class list, where there are any."""
    if members:
        names = [shown_name(member.person or member.number) for member in members]
        more = "" if len(names) <= MISSING_SHOWN else " ..."
        remark(t(message, n=len(names), names=", ".join(names[:MISSING_SHOWN]) + more), options)
