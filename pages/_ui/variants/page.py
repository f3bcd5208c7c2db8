"""Variants: a passage that many texts share, once, as an edition."""

from __future__ import annotations

import streamlit as st

from simhash_core import CheckResult
from simhash_core.i18n import tag
from simhash_core.review import group_key
from simhash_core.seen import Edition, edition, given_to_all
from simhash_core.storage import Subject

from .. import components
from ..review import state as desk
from ..shared import exclusions, jobs, session
from ..shared.running import TICK
from ..shared.session import CurrentCheck, t
from ..shared.tab import tab
from ..shared.widgets import (
    caution,
    empty_state,
    foot,
    no_result,
    open_document,
    open_page,
    page_head,
)
from .sheet import sheet

_KEY = "edition"
_WORDS = (
    *("base", "base_note", "between", "absent", "tree", "tree_note", "tree_label", "origin"),
    *("origin_note", "is", "no_problem", "confirmed", "later", "undo", "table", "table_note"),
    *("same", "as_base", "first", "second", "lacks", "outside", "unfold"),
)


def draw() -> None:
    """Draw the group that the link names, at first the one with the most witnesses."""
    current = session.check()
    if current is None:
        no_result(t("variants.title"))
        return
    result = exclusions.original(current)
    if not len(result.variant_groups):
        page_head(t("variants.title"))
        empty_state(t("variants.none"), button=t("variants.go_overview"), page="overview")
        foot()
        return
    group = chosen(result)
    _go()
    one = session.memo(("edition", group, session.hide_names()), lambda: _edition(result, group))
    n = len(result.variant_groups)
    witnesses = len(one.collation.witnesses) + len(one.collation.apart)
    head = page_head(
        t("variants.head", n=witnesses),
        t("variants.lead", n=witnesses, all=len(result.documents)),
        t("variants.note", n=witnesses * (witnesses - 1) // 2),
    )
    with head:
        _steps(group, n)
    components.draw(
        "edition",
        {
            "lang": tag(session.language()),
            "group": group,
            "words": {name: t(f"variants.word.{name}") for name in _WORDS},
            "sheet": session.memo(
                ("sheet", group, session.language(), session.hide_names()), lambda: sheet(one)
            ),
            "decision": _decision(current, result, group),
        },
        key=_KEY,
        on=lambda: _act(result, group),
    )
    caution(t("variants.caution.lead"), t("variants.caution.text"))
    foot()
    _foresee(current, result, group)


def chosen(result: CheckResult) -> int:
    """Return the group that the link names, counted from 1 there."""
    asked = st.query_params.get("g", "1")
    at = int(asked) - 1 if asked.isascii() and asked.isdigit() and len(asked) < 9 else 0
    return min(max(at, 0), len(result.variant_groups) - 1)


def _edition(result: CheckResult, group: int) -> Edition:
    return edition(result, group, blind=session.hide_names())


def _steps(group: int, n: int) -> None:
    """Draw the way to the group before and the one after."""
    for name, to, icon in (("previous", group - 1, "left"), ("next", group + 1, "right")):
        st.button(
            t(f"variants.{name}"),
            key=f"variants_{name}",
            icon=f":material/chevron_{icon}:",
            disabled=not 0 <= to < n,
            on_click=_open,
            args=(to,),
        )


def _open(group: int) -> None:
    st.query_params["g"] = str(group + 1)


# --------------------------------------------------------------------------- the decision
def _decision(current: CurrentCheck, result: CheckResult, group: int) -> dict[str, str]:
    """Return what was decided about a group, and what each decision would change."""
    project = session.project()
    subject = Subject.group(group_key(result, group))
    held = project.decisions().get(subject) if project is not None else None
    return {
        "verdict": held.verdict if held else "",
        "given": _effect(current, group),
        "copied": t("variants.copied_effect"),
    }


def _effect(current: CurrentCheck, group: int) -> str:
    """Say how many texts and pairs change where the group counts as given to all."""
    effect = current.given_effects.get(group)
    if effect is None:
        return t("variants.given_computing")
    texts, pairs = effect
    return t("variants.given_effect", n=texts, texts=texts, pairs=pairs)


def _foresee(current: CurrentCheck, result: CheckResult, group: int) -> None:
    """Compute in the background what giving the group to all changes, then draw it."""
    if group in current.given_effects:
        return
    kind = f"given-{current.token}-{group}"

    def work(_: jobs.Progress) -> None:
        seen = given_to_all(result, [group], excluder=exclusions.texts_of(current))
        current.given_effects[group] = len(seen.documents), len(seen.gone)

    job = jobs.current(kind) or jobs.start(kind, work)

    @st.fragment(run_every=TICK)
    def wait() -> None:
        if job.state == "done":
            st.rerun()

    if job.state in ("running", "done"):
        wait()


def _act(result: CheckResult, group: int) -> None:
    """Do what was sent: `decide` (verdict), `undo`, `read` (row), `compare` (rows a, b)."""
    event = st.session_state[_KEY].get("act")
    kind = event["type"] if event else ""
    if kind == "read":
        tab.going = {"document": int(event["row"])}
    elif kind in ("decide", "undo"):
        _decide(result, group, str(event["verdict"]) if kind == "decide" else "")


def _decide(result: CheckResult, group: int, verdict: str) -> None:
    """Store what the passage is: given to all, copied, or to be looked at later."""
    project = session.project()
    if project is None:
        return
    key = group_key(result, group)
    reason = "task_sheet" if verdict == "no_problem" else ""
    subject = Subject.group(key)
    project.decide([subject], verdict=verdict, reason=reason, reviewer=desk.reviewer())
    others = [held for held in exclusions.given() if held != key]
    wanted = [*others, key] if verdict == "no_problem" else others
    if wanted != exclusions.given():
        exclusions.give(wanted)
    if verdict == "confirmed":
        desk.search(t("variants.query", number=group + 1))
        tab.going = {"page": "review"}


def _go() -> None:
    """Follow what was clicked: the text of a witness, or the cases of a copied passage."""
    going, tab.going = tab.going, None
    if going and "document" in going:
        open_document(going["document"])
    elif going:
        open_page(going["page"])
