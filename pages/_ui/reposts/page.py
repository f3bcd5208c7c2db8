"""The repost desk: has this been published before, by whom, and which version was first?"""

from __future__ import annotations

from functools import partial

import streamlit as st

from simhash_core.reposts import REPOST_FORMATS, Traced, write_reposts

from ..shared import open_checks, session
from ..shared.formatting import note_text
from ..shared.session import t
from ..shared.widgets import foot, note, open_page, page_head, paragraph
from . import answer
from .asking import ask
from .state import Answer, show, title
from .state import answer as held_answer

_GROUP = "repost_group"


def draw() -> None:
    """Draw the question, or the answer to it."""
    held = held_answer()
    if held is None:
        page_head(t("reposts.title"), note=t("reposts.lead"))
        ask()
    elif not held.traced.groups:
        with page_head(t("reposts.title"), note=t("reposts.lead")):
            _again()
        paragraph(t("reposts.none", n=held.traced.compared or held.traced.asked))
        answer.answered(held)
        answer.likely(held)
        _unread(held)
    else:
        _answered(held)
    foot()


def _answered(held: Answer) -> None:
    traced = held.traced
    places = range(len(traced.groups))
    at = min(int(session.get(_GROUP) or 0), len(places) - 1)
    group = traced.groups[at]
    head = page_head(
        t("reposts.title"),
        t("reposts.count", n=len(group.versions)),
        t("reposts.question"),
    )
    with head:
        if len(places) > 1:
            names = [title(traced, one) for one in traced.groups]
            st.selectbox(
                t("reposts.group"),
                places,
                format_func=names.__getitem__,
                index=at,
                key=_GROUP,
                label_visibility="collapsed",
            )
        else:
            note(title(traced, group))
        _save(held)
        _again()
    if traced.compared:
        note(t("reposts.looked_through", n=traced.compared, hits=_hits(traced)))
        answer.likely(held)
    answer.draw(held, group)
    _unread(held)
    if traced.result.translations is None:
        note(t("reposts.no_translations"))
    if st.button(t("reposts.as_check"), key="repost_as_check", icon=":material/vertical_split:"):
        _as_check(held)
    note(t("reposts.as_check_note"))


def _hits(traced: Traced) -> int:
    return len({row for group in traced.groups for row in group.every_row if row >= traced.asked})


def _again() -> None:
    if st.button(t("reposts.again"), key="repost_again", icon=":material/refresh:"):
        show(None)
        session.put(_GROUP, None)
        st.rerun()


def _save(held: Answer) -> None:
    """Offer the list of hits as a file."""
    with st.popover(t("reposts.save"), icon=":material/ios_share:", key="repost_save"):
        note(t("reposts.save_note"))
        for name, kind in REPOST_FORMATS.items():
            st.download_button(
                t("reposts.save_as", format=name.upper()),
                partial(
                    write_reposts,
                    held.traced,
                    name,
                    t,
                    skipped=held.skipped,
                    anonymous=session.hide_names(),
                ),
                file_name=f"leitong-reposts.{name}",
                mime=kind,
                key=f"repost_save_{name}",
                on_click="ignore",
            )


def _unread(held: Answer) -> None:
    """Name the files that could not be read."""
    for row in held.skipped:
        note(f"{row.name}: {note_text(row.code, row.params)}")


def _as_check(held: Answer) -> None:
    """Make the texts a check of their own, so that any two can be read side by side."""
    result = held.traced.result
    opened = open_checks.begin()
    opened.store(lambda project: project.save_settings(result.settings))
    opened.store(lambda project: project.save_documents(result.documents, skipped=held.skipped))
    opened.finish(result, "", sum(result.timings.values()))
    session.show_check(opened.current, {})
    open_page("overview")
