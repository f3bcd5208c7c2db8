"""What does not count in a check: the line that says it, and the dialog that changes it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from simhash_core import view_at_threshold
from simhash_core.notation import UNKNOWN
from simhash_core.numbers import divide_text, highest_total, unit_of_all
from simhash_core.review import case_keys
from simhash_core.seen import ZONE_KINDS, Effect, Exclusions, turn_switch

from ..shared import exclusions, session
from ..shared.exclusions import label
from ..shared.formatting import length, notation, number
from ..shared.session import CurrentCheck, t
from ..shared.widgets import note

#: switches that need nothing but to be turned; the others have a value of their own
_PLAIN = (*ZONE_KINDS, "same_person", "same_group")
_DEFAULT_LENGTH = 20  # characters or words
_KEY = "ex_"


def draw_button(current: CurrentCheck) -> None:
    """Draw the button that opens the dialog."""
    if st.button(t("exclusions.open"), key="leave_out", icon=":material/filter_alt:"):
        # the widgets begin with the rules in force
        for key in [key for key in st.session_state if str(key).startswith(_KEY)]:
            del st.session_state[key]
        _dialog(current)


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
        answers_alone = seen.exclusions.on == ("variants",)  # each is taken back at its passage
        if not answers_alone and st.button(
            t("exclusions.nothing"), key="count_all", type="tertiary"
        ):
            exclusions.apply(Exclusions())
            st.rerun()


def exclusions_totals(current: CurrentCheck) -> dict[str, str]:
    """Return the cases and the highest total before and after the exclusions in force."""
    seen, view, k = exclusions.view(), session.view(), session.threshold()
    before, values = seen.before if seen else current.result, {}
    for name, one in (("before", before), ("after", current.result)):
        listed = view
        if one is not current.result:
            listed = session.memo(("view before", k), lambda: view_at_threshold(before, k))
        best = highest_total(one)
        values[f"cases_{name}"] = number(len(case_keys(one, listed)))
        values[f"highest_{name}"] = (
            notation().total(divide_text(one, best)) if best >= 0 else UNKNOWN
        )
    return values


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
            for switch, field in (("same_person", "person"), ("same_group", "group")):
                if any(field in document.meta for document in current.result.documents):
                    _switch(switch, effects[switch])
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
