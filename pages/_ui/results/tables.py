"""The lists of a check: its cases, and its pupils."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from simhash_core import CheckResult
from simhash_core.cases import (
    ANSWERS,
    PassageCase,
    beginning_of,
    few_holders,
    guess_answer,
    own_units,
    tones_of,
)
from simhash_core.model import Decision, Unit
from simhash_core.numbers import divide_pair, divide_text, few_rows, unit_of
from simhash_core.report import few_note, say_not_found
from simhash_core.review import DECIDED, Case

from ..components import lists
from ..components.lists import (
    Group,
    Mark,
    PairCase,
    PupilRow,
    Tones,
    draw_of_class,
    group_cases,
    group_pupils,
)
from ..review.case import MOST_TICKS, masks_of, uses_of
from ..review.state import DeskCase, find_version, list_cases, state_of
from ..shared import exclusions, session
from ..shared.formatting import length, notation, number
from ..shared.navigation import is_page, name_row
from ..shared.pairs import rank_texts, weak_pairs
from ..shared.session import CurrentCheck, find_naming, t
from ..shared.tab import tab
from ..shared.widgets import note, open_page, paragraph

VIEWS = ("cases", "pupils", "groups")
FIRST = 25  # rows of a block before the rest is asked for
SHOWN = 160  # characters of a passage on its line
_VIEW = "results_view"  # key of the widget
#: what is drawn of a question by its state; of any other an answer
_MARKS = {name: name for name in ("undecided", "later")} | {"automatic": "by_itself"}

_STATES = ("undecided", "later", *DECIDED)  # of a pair
_UNITS: tuple[Unit, ...] = ("characters", "words")
_WORDS = {
    "cases": (
        *("caption", "search", "and", "review", "questions_note", "passage", "holders"),
        *("pairs_note", "pair", "only", "within", "longest"),
    ),
    "pupils": (
        *("caption", "search", "with_case_note", "without_case_note"),
        *("name", "only", "within", "partner", "also", "case"),
    ),
}


def shown_view() -> str:
    """Return which list of a check is shown; the link names it in no language."""
    asked = st.query_params.get("view", "")
    tab.shown_view = asked if asked in VIEWS else tab.shown_view
    return tab.shown_view


def _follow_view() -> None:
    tab.shown_view = st.query_params["view"] = str(session.get(_VIEW))


def draw_views(counts: Mapping[str, int], shown: str) -> None:
    """Draw the views of a check with their `counts`, and whether names are hidden."""
    with st.container(key="noprint-tools", horizontal=True, vertical_alignment="center"):
        st.session_state[_VIEW] = shown
        with st.container(width="stretch"):
            st.segmented_control(
                t("results.by.label"),
                VIEWS,
                format_func={
                    name: f"{t(f'results.by.{name}')} {number(counts[name])}" for name in VIEWS
                }.__getitem__,
                key=_VIEW,
                label_visibility="collapsed",
                required=True,
                on_change=_follow_view,
            )
        st.toggle(t("results.hide_names"), key=session.HIDE_NAMES_KEY, persist_state="session")


# --------------------------------------------------------------------------- cases


def draw_cases(current: CurrentCheck) -> None:
    """Draw the questions for the class, then the pairs, and open what is clicked."""
    result, listed = current.result, list_cases()
    pairs = [one for one in listed if isinstance(one, Case) and not one.alike]
    tab.pair_order = tuple((one.a, one.b) for one in pairs)
    questions = [one for one in listed if isinstance(one, PassageCase)]
    if not questions and not pairs:
        _say_nothing(result)
        return
    original, words = exclusions.find_original(current), _words(result, "cases")
    words["questions"] = t("results.questions.title", n=len(questions))
    words["pairs"] = t("results.cases.pairs", n=len(pairs))

    def build() -> list[Group]:
        asked = [_question_row(original, one) for one in questions]
        return group_cases([*asked, *_list_pairs(result, pairs)], words, first=FIRST)

    act = draw_of_class(
        "cases",
        session.memo(("cases drawn", *_find_look()), build),
        words,
        filters=[
            (name, t(f"results.filter.{name}")) for name in ("undecided", "noted", "reference")
        ],
        rest=_name_rest(result, pairs),
    )
    if act.action == "open":
        open_page("results", {"case": act.row})
    elif act.action == "pupils":
        open_page("results", {"view": "pupils"})


def _find_look() -> tuple[object, ...]:
    """Return all that the rows of a check depend on, beside its result."""
    return session.language(), session.hide_names(), session.threshold(), find_version()


def _question_row(result: CheckResult, one: PassageCase) -> lists.PassageCase:
    """Return a passage with who holds it and what it looks like; `result` is that before."""
    row, start, end = beginning_of(result, one.group, SHOWN)
    document, uses = result.documents[row], uses_of(result, one)
    words = " ".join(masks_of(result)(document.text).cut(start, end).split())
    quoted, n, of = sum(use.quoted for use in uses), len(uses), len(result.documents)
    held = set(one.members)
    suggestion = t(f"results.guess.{guess_answer(result, uses) or 'none'}", n=quoted, of=n)
    state = _MARKS.get(state_of(one), "answered")
    figure = str([*ANSWERS].index(one.answer) + 1) if one.answer else ""
    said = t(f"results.questions.{one.answer}" if one.answer else f"review.mark.{state}")
    return lists.PassageCase(
        number=one.number,
        passage=words + ("…" if end - start == SHOWN else ""),
        suggestion=t("results.questions.automatic") if state == "by_itself" else suggestion,
        held=[text in held for text in range(of)] if of <= MOST_TICKS else (),
        holders=t("results.questions.held", n=len(held), of=of),
        length=length(one.units, unit_of(document.text)),
        mark=Mark(state, said, figure),
        filters=_filters(state, one.decision),
    )


def _list_pairs(result: CheckResult, pairs: Sequence[Case]) -> Iterator[PairCase]:
    """Return pairs with what only their two texts share, within the shorter one."""
    names, table, tag = find_naming().stems, result.table, t("frame.reference")
    units, write = {unit: t(f"results.unit.{unit}") for unit in _UNITS}, notation()
    marks = {state: Mark(state, t(f"review.mark.{state}")) for state in _STATES}
    for case in pairs:
        own = own_units(result, case.row)
        side = int(own[1] < own[0])
        division = divide_pair(result, case.row)[side]
        tones = table.tones[case.row, side].tolist() if len(table.tones) else [own[side], 0, 0]
        apart = [text >= result.checked for text in (case.a, case.b)]
        yield PairCase(
            number=case.number,
            names=(_bare(names[case.a], tag), _bare(names[case.b], tag)),
            tones=Tones(tones, division.counted, write.fraction(division), units[division.unit]),
            longest=case.longest,
            mark=marks[case.state],
            tags=(tag * apart[0], tag * apart[1]),
            filters=(*_filters(case.state, case.decision), *(["reference"] if any(apart) else [])),
        )


def _bare(name: str, mark: str) -> str:
    """Return the name of a text without the mark of those only compared with: it has a tag."""
    return name.removeprefix(f"[{mark}] ")


def _filters(state: str, decision: Decision | None) -> tuple[str, ...]:
    noted = decision is not None and bool(decision.note)
    return (*(("undecided",) if state == "undecided" else ()), *(("noted",) if noted else ()))


def _words(result: CheckResult, name: str) -> dict[str, str]:
    """Return the words of the list of cases, or of pupils."""
    few = few_holders(len(result.documents))
    units = {unit: f"{{{unit}}}" for unit in ("few", "many", "whole")}
    return {
        **{word: t(f"results.{name}.{word}") for word in _WORDS[name]},
        "said": t("results.tones.said", own="{two}", **units),
        "two": t("results.cases.two"),
        "few": t("results.cases.few", n=few),
        "many": t("results.cases.many", n=few + 1),
    }


def _name_rest(result: CheckResult, pairs: Sequence[Case]) -> list[lists.Run]:
    """Return how many texts are in no pair, and the way to their list."""
    inside = {text for one in pairs for text in (one.a, one.b)}
    rest = result.checked - sum(text < result.checked for text in inside)
    if not rest:
        return []
    button = {"as": "button", "act": "pupils", "text": t("results.cases.list"), "style": "link"}
    return [t("results.cases.rest", n=rest), button]


def _say_nothing(result: CheckResult) -> None:
    """Say that no pair is listed, and how near the nearest is."""
    counts = result.distances.counts
    nearest = int(counts.nonzero()[0][0]) if counts.any() else -1
    looked = "none_close" if result.settings.passages else "none_close_prints"
    paragraph(t(f"results.{looked}", bits=nearest) if nearest >= 0 else t("results.none"))
    helps = is_page("threshold_lab") and not weak_pairs(result)
    go = t("results.to_threshold")
    if helps and st.button(go, key="to_lab", icon=":material/tune:"):
        open_page("threshold_lab")
    note(say_not_found(result, t))


# --------------------------------------------------------------------------- pupils


def draw_pupils(result: CheckResult) -> None:
    """Draw who shares what with whom, then those without a case."""
    listed, words = list_cases(), _words(result, "pupils")

    def build() -> list[Group]:
        rows = [*_list_pupils(result, listed)]
        rows.sort(key=lambda row: -row.tones.shared[0] if row.tones else 0)
        n = sum(row.tones is not None for row in rows)
        words["with_case"] = t("results.pupils.with_case", n=n)
        words["without_case"] = t("results.pupils.without_case", n=len(rows) - n)
        return group_pupils(rows, words)

    groups = session.memo(("pupils drawn", *_find_look()), build)
    act = draw_of_class("pupils", groups, words)
    if act.action:
        text = int(act.row)
    if act.action == "open":
        open_page("results", {"text": name_row(result.documents, text)})
    elif act.action == "case":
        case = next(one for one in listed if isinstance(one, Case) and text in (one.a, one.b))
        open_page("results", {"case": str(case.number)})
    for sentence in few_note(int(few_rows(result)[: result.checked].sum()), t, notation()):
        note(sentence)


def _list_pupils(result: CheckResult, listed: Sequence[DeskCase]) -> Iterator[PupilRow]:
    """Return each text with the strongest pair that it is in, and the passages that it holds."""
    best, also = dict[int, Case](), dict[int, list[int]]()
    for one in listed:
        if isinstance(one, PassageCase):
            for text in one.members:
                also.setdefault(text, []).append(one.number)
        elif not one.alike:
            for text in (one.a, one.b):
                best.setdefault(text, one)
    names, tag, write = find_naming(), t("frame.reference"), notation()
    marks = {state: Mark(state, t(f"review.mark.{state}")) for state in _STATES}
    units = {unit: t(f"results.unit.{unit}") for unit in _UNITS}
    comma, few = t("check.comma"), few_rows(result)
    for text in rank_texts(result, names.whole):
        row = PupilRow(
            str(text),
            names.stems[text],
            comma.join(map(str, also.get(text, ()))),
            note=session.doc_ocr(text),
        )
        if (case := best.get(text)) is None:
            yield row
            continue
        division, partner = divide_text(result, text), case.b if text == case.a else case.a
        tones = Tones(
            list(tones_of(result, text).values()),
            0 if few[text] else division.counted,
            write.total(division) if few[text] else write.fraction(division),
            units[division.unit],
        )
        yield replace(
            row,
            tones=tones,
            partner=_bare(names.stems[partner], tag),
            tag=tag if partner >= result.checked else "",
            case=case.number,
            mark=marks[case.state],
        )
