"""Review desk: every pair is read once and decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from simhash_core import CheckResult
from simhash_core.i18n import tag
from simhash_core.model import REASONS, Decision
from simhash_core.people import Mask
from simhash_core.report import FORMATS
from simhash_core.review import Case, excerpt
from simhash_core.storage import Subject
from simhash_core.text.lengths import unit_of

from .. import components
from ..shared import session
from ..shared.decided import say_lost
from ..shared.formatting import length, text_language
from ..shared.reports import READERS, report_popover
from ..shared.session import find_naming, t
from ..shared.widgets import empty_state, foot, no_result, open_page, page_head
from . import state
from .case import case_data, format_longest, masks_of, prepare_next, progress, queue
from .state import AtDesk, Key, Remark, describe_decision, desk, find_decisions, find_undoable

_WORDS = (
    *("label", "cases", "search", "search_example", "shares", "longest", "and", "none"),
    *("earlier", "further", "together", "previous", "next", "passage_keys", "case_keys"),
    *("confirmed", "no_problem", "later", "note", "end"),
    *("all_confirmed", "all_no_problem", "all_later", "sure", "do", "cancel"),
    *("ask_alike", "asked", "not_asked", "sure_alike", "confirmed_alike"),
    *("first_of_all", "no_filter", "open"),
    *("overlap_said", "passage_said", "passage_ends", "whole_on", "whole_off"),
    *("undo", "redo", "undo_note", "undo_tip", "redo_tip", "undo_note_tip"),
)
_KEY = "desk"
LOOK_SECONDS = 3.0  # between two looks at what others decide


def draw() -> None:
    """Draw the desk of the current check."""
    result = session.result()
    if result is None:
        no_result(t("review.title"))
        return
    n, alike = len(state.list_cases()), sum(case.alike > 0 for case in state.list_cases())
    if not n:
        page_head(t("review.title"))
        say_lost()
        empty_state(t("review.empty"), button=t("review.go_overview"), page="results")
        foot()
        return
    lead = [t("review.lead", n=n - alike)] if n > alike else []
    lead += [t("review.lead_alike", n=alike)] if alike else []
    with page_head(t("review.title"), note=t("review.then").join(lead)):
        st.text_input(
            t("review.reviewer"),
            key=state.REVIEWER_KEY,
            placeholder=t("review.reviewer"),
            label_visibility="collapsed",
            persist_state="session",
            width=180,
        )
        st.toggle(t("results.hide_names"), key=session.HIDE_NAMES_KEY, persist_state="session")
        report_popover(("confirmed", "class", READERS))
    say_lost()
    _desk()
    if session.is_kept():
        _others()


@st.fragment(run_every=LOOK_SECONDS)
def _others() -> None:
    """Draw the page anew where another tab or reviewer decided; try again to store what waits."""
    if state.is_behind():
        st.rerun()


@st.fragment
def _desk() -> None:
    """Draw the queue and the open case; what is done here runs nothing else of the page."""
    result = session.result()
    if result is None:
        return
    state.flush()
    now = state.search_desk()
    n, later = len(now.everything), now.tally["later"]
    words: dict[str, object] = {name: t(f"review.word.{name}") for name in _WORDS}
    words["reasons"] = {reason: t(f"review.reason.{reason}") for reason in REASONS}
    words["of"] = t("review.of", n=n)
    if later:
        words["end"] = t("review.word.end_left", n=later)
    words["progress"] = t("review.progress", n=n)
    _notice(now)
    remark, asked = desk().remark, desk().asked
    decision = remark.after[0] if remark and remark.what == "decided" and remark.after else None
    components.draw(
        "desk",
        {
            "lang": tag(session.language()),
            "words": words,
            "progress": progress(now),
            "queue": queue(result, now),
            "case": case_data(result, now),
            "bulk": bulk_view(result, now),
            "end": end_view(result, now),
            "answered": state.desk().answered,
            "strip": {
                "text": _text(now, remark) if remark else t("review.said.idle"),
                "idle": remark is None,
                "noted": remark is not None
                and remark.channel == "note"
                and remark.what != "undone",
                "can": {
                    name: find_undoable(name) is not None for name in ("verdict", "note", "undo")
                },
                "asked": {"row": asked.row, "lead": t("review.asked")} if asked else None,
                "writes": _writes(),
                "mark": decision.verdict if decision else "",
            },
            "unsaved": t("review.unsaved") if state.desk().waiting else "",
        },
        key=_KEY,
        on=_on_act,
    )
    prepare_next(result, now)
    if state.leaves():
        open_page("check")


def _on_act() -> None:
    """Do what was sent: events {"type": ..., "at": ...}.

    `at` rises, and an event comes again until `answered` has reached it. Types: `decide` (row,
    verdict, reason, whole), `decide_all` (rows, verdict, reason), `note` (row, note), `open` (row),
    `step` (way), `search` (query), `page` (at), `bulk` (at), `end`, `leave`, `undo` (note:
    whether the latest note), `redo`, `blind`. `row` is one of the pair table.
    """
    sent = st.session_state[_KEY].get("act")
    state.act_all([dict(event) for event in sent["events"]] if sent else [])


# --------------------------------------------------------------------------- many at once
PER_PAGE = 30
AROUND = {"characters": 7, "words": 24}  # characters beside a passage: a few of words
SHOWN = 90  # characters of a passage on its line


def bulk_view(result: CheckResult, now: AtDesk) -> dict[str, Any] | None:
    """Return the page of what the search leaves, None while cases are read one by one."""
    if not now.bulk:
        return None
    n, pages = len(now.left), -(-len(now.left) // PER_PAGE)
    at = min(desk().bulk, max(pages - 1, 0))
    shown = now.left[at * PER_PAGE : (at + 1) * PER_PAGE]
    most = max((case for case in shown if case.longest), key=lambda one: one.longest, default=None)
    return {
        "title": t("review.bulk.title", n=n),
        "query": desk().query,
        "note": t("review.bulk.note"),
        "rows": [_row(result, case) for case in shown],
        "at": at,
        "pages": pages,
        "place": t("review.bulk.place", at=at + 1, pages=pages) if pages > 1 else "",
        "hint": _hint(result, most, bool(shown)),
    }


def _hint(result: CheckResult, most: Case | None, has_cases: bool) -> str:
    if most is None:
        return t("review.bulk.hint_alike") if has_cases else ""
    return t(
        "review.bulk.hint", length=length(most.longest, unit_of(result.documents[most.a].text))
    )


def _row(result: CheckResult, case: Case) -> dict[str, Any]:
    names = find_naming()
    document = result.documents[case.a]
    span = excerpt(result, case)
    mask = masks_of(result)(document.text)
    texts = _around(mask, span, AROUND[unit_of(document.text)]) if span else ("", "", "")
    return {
        "row": case.row,
        "key": f"{case.key[0][:16]}-{case.key[1][:16]}",
        "number": str(case.number),
        "a": names.stems[case.a],
        "b": names.stems[case.b],
        "state": case.state,
        "state_label": t(f"review.mark.{case.state}"),
        "texts": texts,
        "none": "" if span else t("review.bulk.no_passage"),
        "longest": format_longest(result, case) if span else "",
        "kind": "meaning" if case.alike else "identical",
        "lang": text_language(document.text),
        "label": t(
            "review.bulk.tick", number=case.number, a=names.short(case.a), b=names.short(case.b)
        ),
    }


def _around(mask: Mask, span: tuple[int, int], around: int) -> tuple[str, str, str]:
    """Return what stands before a passage, the passage, and what stands after it, on one line."""
    start, end = span
    size = len(mask.text)
    inside = _line(mask.cut(start, min(end, start + SHOWN)))
    before = _line(mask.cut(max(start - around, 0), start))
    after = _line(mask.cut(end, min(end + around, size))) if end - start <= SHOWN else ""
    return (
        f"…{before}" if start > around else before,
        inside,
        f"{after}…" if end + around < size or end - start > SHOWN else after,
    )


def _line(text: str) -> str:
    return " ".join(text.split("\n")).replace("\r", "")


# --------------------------------------------------------------------------- the end
MOST = 5  # cases that a caution names one by one


def end_view(result: CheckResult, now: AtDesk) -> dict[str, Any] | None:
    """Return the page after the last case, None while one is open."""
    if not now.ended:
        return None
    tally, n = now.tally, len(now.everything)
    confirmed = [case for case in now.everything if case.state == "confirmed"]
    later = [case for case in now.everything if case.state == "later"]
    counts = [t("review.end.confirmed", n=tally["confirmed"])] if confirmed else []
    counts += [
        t(f"review.end.{state}", n=tally[state])
        for state in ("no_problem", "later")
        if tally[state]
    ]
    texts = len({row for case in confirmed for row in (case.a, case.b)})
    parts = [t("review.end.texts", n=texts)] if confirmed else []
    return {
        "title": t("review.end.title_left", n=len(later)) if later else t("review.end.title"),
        "headline": t("review.end.headline", n=n, counts=t("check.comma").join(counts)),
        "note": "".join([*parts, t("review.end.hint")]),
        "later": {
            "text": t("review.end.left", n=len(later)),
            "button": t("review.end.see_later", n=len(later)),
            "row": later[0].row,
        }
        if later
        else None,
        "squares": [
            {
                "row": case.row,
                "number": str(case.number),
                "state": case.state,
                "label": _name_case(case) + t("review.end.colon") + t(f"review.mark.{case.state}"),
            }
            for case in now.everything
        ],
        "report": t("review.end.report"),
        "make": t("review.end.make"),
        "formats": t("review.end.formats", formats=" · ".join(map(str.upper, FORMATS))),
        "before": t("review.end.before"),
        "cautions": _cautions(result, confirmed),
    }


def _name_case(case: Case) -> str:
    names = find_naming()
    return t("review.said.case", number=case.number, a=names.short(case.a), b=names.short(case.b))


def _cautions(result: CheckResult, confirmed: list[Case]) -> list[dict[str, Any]]:
    """Return what somebody who is handed the report would ask about."""
    bare = [case for case in confirmed if case.decision and not case.decision.note]
    listed: list[dict[str, Any]] = [
        {
            "lead": _name_case(case),
            "text": t("review.end.no_note"),
            "act": t("review.end.write"),
            "row": case.row,
            "note": True,
        }
        for case in bare[:MOST]
    ]
    if len(bare) > MOST:
        listed.append({"lead": "", "text": t("review.end.more_notes", n=len(bare) - MOST)})
    together = [case for case in confirmed if case.decision and case.decision.together]
    alike = [case for case in confirmed if case.alike]
    listed += _to_look_at("together", together) + _to_look_at("alike", alike)
    if result.unread:
        listed.append(
            {
                "lead": t("review.end.unread", n=len(result.unread)),
                "text": t("review.end.not_in_report"),
                "act": t("review.end.list"),
            }
        )
    return listed


def _to_look_at(reason: str, cases: list[Case]) -> list[dict[str, Any]]:
    """Return one line about cases with the way to the first of them, none where there are none."""
    if not cases:
        return []
    return [
        {
            "lead": t(f"review.end.{reason}", n=len(cases)),
            "text": t(f"review.end.{reason}_note"),
            "act": t("review.end.look"),
            "row": cases[0].row,
        }
    ]


# --------------------------------------------------------------------------- strip
LONGEST_NOTE = 40  # characters of a note that the line repeats


def _writes() -> dict[str, Any] | None:
    """Return the case that a note goes to, and what its field is called."""
    case = state.find_written()
    if case is None:
        return None
    label = t("review.word.note")
    if desk().writing == case.row:
        label = t("review.note_on", case=_name_case(case))
    return {"row": case.row, "note": case.decision.note if case.decision else "", "label": label}


def _notice(now: AtDesk) -> None:
    """See what was decided elsewhere about the open case since it was drawn."""
    held, case = desk(), now.open
    drawn, held.drawn = held.drawn, (case.key, case.decision) if case else None
    if case is None or drawn is None or drawn[0] != case.key:
        return
    if describe_decision(drawn[1]) != describe_decision(case.decision):
        held.remark = Remark("elsewhere", (case.key,), (drawn[1],), (case.decision,))


def _text(now: AtDesk, remark: Remark) -> str:
    if not remark.keys:
        return t(f"review.said.{remark.what}")
    case = _case(now, remark.keys)
    if remark.channel == "note":
        return _note_text(remark, case)
    held = zip(remark.keys, find_decisions(remark.keys), remark.after, strict=True)
    others = [
        (key, now)
        for key, now, after in held
        if remark.what == "elsewhere" or describe_decision(now) != describe_decision(after)
    ]
    if others:
        key, decision = others[0]
        project = session.project()
        who = ""
        if project is not None:
            with project.folded() as fold:
                event = fold.event(Subject.pair(*key), "verdict")
            who = event.reviewer if event else ""
        who = who or t("review.said.other_window")
        return t("review.said.elsewhere", case=_case(now, [key]), now=_verdict(decision), who=who)
    if remark.what == "decided":
        if remark.overtook is None or describe_decision(remark.overtook) == describe_decision(
            remark.after[0]
        ):
            return t("review.said.decided", case=case, now=_one(remark.after))
        before = _verdict(remark.overtook)
        return t("review.said.overtook", case=case, now=_one(remark.after), before=before)
    words = {"case": case, "before": _one(remark.before), "after": _one(remark.after)}
    if _strip_words(remark.before) == _strip_words(remark.after):
        return t("review.said.unchanged", **words)
    same = len(set(_strip_words(remark.before))) == len(set(_strip_words(remark.after))) == 1
    text = t(f"review.said.{remark.what}" if same else f"review.said.{remark.what}_many", **words)
    noted = any(one is not None and one.note for one in remark.after)
    return f"{text}{t('review.said.note_kept')}" if noted else text


def _note_text(remark: Remark, case: str) -> str:
    before, after = (_note(one) for one in (remark.before[0], remark.after[0]))
    if remark.what == "noted":
        return t("review.said.noted" if after else "review.said.note_deleted", case=case)
    if remark.what == "redone" and after:
        return t("review.said.note_redone", case=case, note=after)
    if after:
        return t("review.said.note_back", case=case, note=after)
    return t("review.said.note_undone", case=case, note=before)


def _case(now: AtDesk, keys: Sequence[Key]) -> str:
    decided = state.choose_cases(now.everything, keys)
    if len(keys) > 1 or not decided:
        return t("review.said.cases", n=max(len(decided), len(keys)))
    case = next((one for one in decided if one.row == desk().writing), decided[0])
    if len(decided) == 1:
        return _name_case(case)
    return t("review.said.same", case=_name_case(case), n=len(decided) - 1)


def _strip_words(held: Sequence[Decision | None]) -> list[tuple[str, str]]:
    return [describe_decision(one) for one in held]


def _one(held: Sequence[Decision | None]) -> str:
    return _verdict(held[0])


def _verdict(decision: Decision | None) -> str:
    verdict, reason = describe_decision(decision)
    parts = [t(f"review.mark.{verdict or 'undecided'}")]
    return " · ".join([*parts, t(f"review.reason.{reason}")] if reason else parts)


def _note(decision: Decision | None) -> str:
    note = decision.note if decision else ""
    return f"{note[:LONGEST_NOTE]}…" if len(note) > LONGEST_NOTE else note
