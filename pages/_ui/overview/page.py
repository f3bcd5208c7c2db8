"""Overview: where to look first; and at its foot, how complete this is."""

from __future__ import annotations

from typing import Any

import streamlit as st

from simhash_core import CheckResult, ThresholdView, view_at_threshold
from simhash_core.cases import ANSWERS, PassageCase, beginning_of
from simhash_core.notation import UNKNOWN
from simhash_core.numbers import divide_text, highest_total, pairs_compared, unit_of, unit_of_all
from simhash_core.review import case_keys
from simhash_core.seen import ZONE_KINDS, Effect, Exclusions, list_answered_cases, turn_switch
from simhash_core.storage import Project, Subject

from ..review.case import masks_of
from ..review.state import reviewer
from ..shared import exclusions, navigation, session
from ..shared.decided import say_lost
from ..shared.exclusions import label
from ..shared.formatting import date_time, esc, length, notation, note_text, number, seconds
from ..shared.pairs import drop_references, text_rows, weak_list
from ..shared.session import CurrentCheck, t
from ..shared.widgets import (
    expected_text,
    figure_head,
    foot,
    no_result,
    note,
    page_head,
    settle_threshold,
    write_html,
)
from . import figures, tables
from .figures import FEW
from .tables import ranked_list


def draw() -> None:
    """Draw the current check, or the way to one."""
    current = session.check()
    if current is None:
        no_result(t("overview.title"))
        return
    navigation.keep_only("by", "k")
    settle_threshold(current.result)
    view = session.view()
    assert view is not None
    n = len(current.result.documents)
    facts = t(
        "overview.facts",
        n=n - current.result.references,
        date=date_time(current.finished),
        time=seconds(current.seconds),
    )
    if current.result.references:
        facts = t("overview.facts_references", n=current.result.references, facts=facts)
    with page_head(t("overview.title"), current.name, facts):
        if current.result.settings.passages and st.button(
            t("exclusions.open"), key="leave_out", icon=":material/filter_alt:"
        ):
            # the widgets begin with the rules in force
            for key in [key for key in st.session_state if str(key).startswith(_KEY)]:
                del st.session_state[key]
            _dialog(current)
        figures.actions(current, view)
    if current.result.settings.passages:
        exclusions_line(current)
    say_lost()
    texts = drop_references(current.result, text_rows(current.result, view))
    figures.headline(current.result, view, exclusions.find_original(current))
    figures.strip(current.result, view)
    draw_questions(current)
    figures.say_shared_by_many(current.result)
    ranked_list(current.result, view, texts)
    weak_list(current.result)
    if n >= FEW:
        left, right = st.columns([1.9, 1], gap="large")
        with left:
            figures.distances(current)
        with right:
            figures.matrix(current, view)
    completeness(current.result, view)
    foot()


# --------------------------------------------------------------------------- how complete is this?


def completeness(result: CheckResult, view: ThresholdView) -> None:
    """Draw the fold."""
    sentences = "".join(f"<li>{esc(sentence)}</li>" for sentence in _sentences(result, view))
    write_html(
        f'<details class="lt-fold" name="complete"><summary><b>{esc(t("overview.complete.title"))}'
        f"</b><span>{esc(_answer(result))}</span></summary>"
        f"<ul>{sentences}</ul>{_skipped(result)}</details>"
    )


def _answer(result: CheckResult) -> str:
    """Say in one line whether anything was left out."""
    lost = next((fact.params["n"] for fact in result.guarantees if fact.code == "not_aligned"), 0)
    parts = [t("overview.complete.pairs", n=pairs_compared(result))]
    if not result.settings.passages:
        parts.append(t("overview.complete.prints_only"))
    elif lost:
        parts.append(t("overview.complete.not_aligned", n=lost))
    else:
        parts.append(t("overview.complete.passages"))
    if result.unread:
        parts.append(t("overview.complete.skipped", n=len(result.unread)))
    return t("overview.complete.separator").join(parts)


def _sentences(result: CheckResult, view: ThresholdView) -> list[str]:
    k = view.threshold
    sentences = [t(f"guarantee.{fact.code}", **fact.params) for fact in result.guarantees]
    sentences.append(f"{t('overview.threshold_lead', k=k)} {expected_text(k)}")
    if view.batch_threshold >= 0:
        sentences.append(t("overview.batch_note", k=view.batch_threshold))
    if result.distances.sampled:
        sentences.append(t("overview.sampled_note"))
    return [*sentences, t("overview.total_note")]


def _skipped(result: CheckResult) -> str:
    """Return the files that took no part, as HTML made of escaped parts."""
    if not result.skipped:
        return ""
    hidden = session.hide_names()
    rows = "".join(
        f"<li><b>{esc(t('frame.file_number', number=place) if hidden else item.name)}</b> "
        f"{esc(note_text(item.code, item.params))}</li>"
        for place, item in enumerate(result.skipped, 1)
    )
    head = esc(t("overview.skipped", n=len(result.skipped)))
    return f"<p><b>{head}</b></p><ul>{rows}</ul>"


# --------------------------------------------------------------------------- what is left out
#: switches that need nothing but to be turned; the others have a value of their own
_PLAIN = (*ZONE_KINDS, "same_person", "same_group")
_DEFAULT_LENGTH = 20  # characters or words
_KEY = "ex_"


def exclusions_line(current: CurrentCheck) -> None:
    """Say what does not count and what that changes, where anything was left out."""
    seen = exclusions.view()
    if seen is None:
        return
    with st.container(key="leaving-out", horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            note(
                t(
                    "exclusions.line",
                    names=t("exclusions.comma").join(map(label, seen.exclusions.on)),
                    n=number(seen.units[0]),
                    of=length(seen.units[1], unit_of_all(seen.before)),
                    **exclusions_totals(current),
                )
            )
        if st.button(t("exclusions.nothing"), key="count_all", type="tertiary"):
            exclusions.apply(Exclusions())
            st.rerun()


def exclusions_totals(current: CurrentCheck) -> dict[str, str]:
    """Return the cases and the highest total before and after the exclusions in force."""
    seen, view = exclusions.view(), session.view()
    before, values = seen.before if seen else current.result, {}
    for name, one in (("before", before), ("after", current.result)):
        listed = view if one is current.result else _view_before(before)
        best = highest_total(one)
        values[f"cases_{name}"] = number(len(case_keys(one, listed)))
        values[f"highest_{name}"] = (
            notation().total(divide_text(one, best)) if best >= 0 else UNKNOWN
        )
    return values


def _view_before(before: CheckResult) -> ThresholdView:
    k = session.threshold()
    return session.memo(("view before", k), lambda: view_at_threshold(before, k))


def _dialog(current: CurrentCheck) -> None:
    """Open the switches, each with what it takes away."""

    @st.dialog(t("exclusions.title"), width="large", on_dismiss="rerun")
    def choose() -> None:
        note(t("exclusions.lead"))
        chosen = _choose_exclusions(current)
        with st.spinner(t("exclusions.computing")):
            wanted = {name: turn_switch(chosen, name) for name in _PLAIN}
            length = session.get(_KEY + "min_match") or _DEFAULT_LENGTH
            wanted["short"] = turn_switch(
                chosen, "short", None if "short" in chosen.on else int(length)
            )
            wanted |= {
                name: turn_switch(chosen, name)
                for name in ("template", "passages", "sources")
                if name in chosen.on
            }
            effects = exclusions.excluder(current).effects(chosen, wanted)
        left, right = st.columns(2, gap="large")
        with left:
            for switch in ZONE_KINDS:
                _switch(switch, effects[switch])
        with right:
            now = exclusions.rules()
            _switch("short", effects["short"])
            st.number_input(
                t("exclusions.min_match"),
                1,
                500,
                now.min_match or _DEFAULT_LENGTH,
                key=_KEY + "min_match",
            )
            _people(current, effects)
        _texts(current, effects)
        apply_, nothing = st.columns([1, 1])
        done = apply_.button(
            t("exclusions.apply"), key="ex_apply", type="primary", width="stretch",
            on_click=lambda: exclusions.apply(_choose_exclusions(current)),
        )  # fmt: skip
        done |= nothing.button(
            t("exclusions.nothing"), key="ex_nothing", width="stretch",
            on_click=lambda: exclusions.apply(Exclusions()),
        )  # fmt: skip
        if done:
            st.rerun()

    choose()


def _choose_exclusions(current: CurrentCheck) -> Exclusions:
    """Return the rules that the widgets hold; before they are drawn, those in force."""
    now = exclusions.rules()

    def held(name: str, otherwise: Any) -> Any:
        value = session.get(_KEY + name)
        return otherwise if value is None else value

    def text(name: str, otherwise: tuple[str, ...]) -> tuple[str, ...]:
        typed = held(name, "\n\n".join(otherwise)).strip()
        return (typed,) if typed else ()

    rows = held("sources", None)
    documents = current.result.documents
    return Exclusions(
        zones=tuple(kind for kind in ZONE_KINDS if held(kind, kind in now.zones)),
        templates=text("template", now.templates),
        passages=text("passages", now.passages),
        variants=now.variants,
        min_match=int(held("min_match", now.min_match or _DEFAULT_LENGTH))
        if held("short", bool(now.min_match))
        else 0,
        sources=now.sources if rows is None else tuple(documents[row].id for row in rows),
        same_person=held("same_person", now.same_person),
        same_group=held("same_group", now.same_group),
    )


def effect_text(effect: Effect | None) -> str:
    """Say what a switch takes away."""
    if effect is None or not (effect.units or effect.passages or effect.pairs):
        return t("exclusions.effect_none")
    current = session.check()
    assert current is not None  # the effect is one on it
    return t(
        "exclusions.effect",
        length=length(effect.units, unit_of_all(exclusions.find_original(current))),
        passages=effect.passages,
        pairs=effect.pairs,
    )


def _switch(switch: str, effect: Effect | None) -> None:
    st.checkbox(
        f"{label(switch)} · :gray[:small[{effect_text(effect)}]]",
        value=switch in exclusions.rules().on,
        key=_KEY + switch,
        help=t(f"exclusions.help.{switch}"),
    )


def _people(current: CurrentCheck, effects: dict[str, Effect]) -> None:
    for switch, field in (("same_person", "person"), ("same_group", "group")):
        if any(field in document.meta for document in current.result.documents):
            _switch(switch, effects[switch])


def _texts(current: CurrentCheck, effects: dict[str, Effect]) -> None:
    """Draw what is left out by its text, and the sources that do not count."""
    now, rows = exclusions.rules(), range(len(current.result.documents))
    left, right = st.columns(2, gap="large")
    for column, name, held in (
        (left, "template", now.templates),
        (right, "passages", now.passages),
    ):
        with column:
            st.text_area(
                label(name), "\n\n".join(held), key=_KEY + name, height=100,
                help=t(f"exclusions.help.{name}"), placeholder=t("exclusions.paste"),
            )  # fmt: skip
            if name in effects:
                note(effect_text(effects[name]))
    names = session.doc_names(rows)
    chosen = [row for row in rows if current.result.documents[row].id in now.sources]
    st.multiselect(
        label("sources"), rows, chosen, format_func=names.__getitem__, key=_KEY + "sources",
        help=t("exclusions.help.sources"), placeholder=t("exclusions.no_sources"),
    )  # fmt: skip
    if "sources" in effects:
        note(effect_text(effects["sources"]))


# --------------------------------------------------------------------------- passages that severa

FIRST = 5  # that are asked before the others are
SHOWN = 160  # characters of a passage on its line
_QUESTION_KEY = "passage_"


def draw_questions(current: CurrentCheck) -> None:
    """Draw the questions for the class: the passages that three or more texts hold."""
    result, project = exclusions.find_original(current), session.project()
    listed = list_answered_cases(result, project)
    if not listed:
        return
    with st.container(key="questions"):
        figure_head(t("overview.questions.title", n=len(listed)), t("overview.questions.lead"))
        every = tables.tab.all_pairs or len(listed) <= FIRST
        for one in listed if every else listed[:FIRST]:
            _draw_question(result, one, project)
        if not every and st.button(
            t("overview.questions.more", n=len(listed) - FIRST),
            key="more_questions",
            type="tertiary",
        ):
            tables.tab.all_pairs = True
            st.rerun()


def _draw_question(result: CheckResult, one: PassageCase, project: Project | None) -> None:
    """Draw one passage with who holds it, and its answers."""
    row, start, end = beginning_of(result, one.group, SHOWN)
    document = result.documents[row]
    words = " ".join(masks_of(result)(document.text).cut(start, end).split())
    more = "…" if end - start == SHOWN else ""
    held = t(
        "overview.questions.held",
        number=one.number,
        n=len(one.members),
        of=len(result.documents),
        length=length(one.units, unit_of(document.text)),
    )
    text, answer = st.columns([1.2, 1], vertical_alignment="center", gap="medium")
    with text:
        quoted = f"<q lang='{esc(document.language)}'>{esc(words + more)}</q>"
        write_html(f"<p><b>{esc(held)}</b><br>{quoted}</p>")
        if one.automatic and one.decision is None:
            note(t("overview.questions.automatic"))
    with answer:
        key = f"{_QUESTION_KEY}{one.key[:16]}"
        st.session_state[key] = one.answer or None
        st.segmented_control(
            t("overview.questions.is"),
            list(ANSWERS),
            key=key,
            format_func={name: t(f"overview.questions.{name}") for name in ANSWERS}.__getitem__,
            label_visibility="collapsed",
            disabled=project is None,
            on_change=_keep_answer,
            args=(result, one, key),
        )


def _keep_answer(result: CheckResult, one: PassageCase, key: str) -> None:
    """Keep the answer; what it leaves out counts nowhere from now on."""
    project, chosen = session.project(), st.session_state.get(key)
    if project is None:
        return
    verdict, reason = ANSWERS.get(str(chosen), ("", ""))
    subject = Subject.group(exclusions.kept_key(result, one))
    project.decide([subject], verdict=verdict, reason=reason, reviewer=reviewer())
    exclusions.apply(exclusions.rules())
