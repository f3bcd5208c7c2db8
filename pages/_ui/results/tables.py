"""The lists of a check: its cases, and its pupils."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from simhash_core import CheckResult
from simhash_core.cases import (
    ANSWERS,
    PassageCase,
    beginning_of,
    few_holders,
    guess_answer,
    list_uses,
    own_units,
    tones_of,
)
from simhash_core.model import Decision
from simhash_core.numbers import divide_pair, divide_text, has_few_counted, unit_of
from simhash_core.report import few_note, say_not_found
from simhash_core.result import TONES
from simhash_core.review import Case

from ..components import lists
from ..components.lists import Mark, PupilRow, Tones, case_list, pupil_list
from ..review.case import masks_of
from ..review.state import list_cases, state_of
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
MOST_TICKS = 200  # texts; of more a passage says how many hold it
_VIEW = "results_view"  # key of the widget
#: what is drawn of a question by its state; of any other an answer
_MARKS = {name: name for name in ("undecided", "later")} | {"automatic": "by_itself"}


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
    original = exclusions.find_original(current)
    questions = [_question_row(original, one) for one in listed if isinstance(one, PassageCase)]
    if not questions and not pairs:
        _say_nothing(result)
        return
    act = case_list(
        "cases",
        [*questions, *(_pair_row(result, one) for one in pairs)],
        _words(result, len(questions), len(pairs)),
        filters=[
            (name, t(f"results.filter.{name}")) for name in ("undecided", "noted", "reference")
        ],
        rest=_name_rest(result, pairs),
        first=FIRST,
    )
    if act.action == "open":
        open_page("results", {"case": act.row})
    elif act.action == "pupils":
        open_page("results", {"view": "pupils"})


def _question_row(result: CheckResult, one: PassageCase) -> lists.PassageCase:
    """Return a passage with who holds it and what it looks like; `result` is that before."""
    row, start, end = beginning_of(result, one.group, SHOWN)
    document, uses = result.documents[row], list_uses(result, one.group)
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


def _pair_row(result: CheckResult, case: Case) -> lists.PairCase:
    """Return a pair with what only its two texts share, within the shorter one."""
    names, table = find_naming().stems, result.table
    own = own_units(result, case.row)
    side = int(own[1] < own[0])
    division = divide_pair(result, case.row)[side]
    tones = table.tones[case.row, side].tolist() if len(table.tones) else [own[side], 0, 0]
    apart = [text >= result.checked for text in (case.a, case.b)]
    mark = t("frame.reference")
    return lists.PairCase(
        number=case.number,
        names=(_bare(names[case.a], mark), _bare(names[case.b], mark)),
        tones=_tones(tones, notation().fraction(division), division.counted),
        longest=case.longest,
        mark=Mark(case.state, t(f"review.mark.{case.state}")),
        tags=(mark * apart[0], mark * apart[1]),
        filters=(*_filters(case.state, case.decision), *(["reference"] if any(apart) else [])),
    )


def _bare(name: str, mark: str) -> str:
    """Return the name of a text without the mark of those only compared with: it has a tag."""
    return name.removeprefix(f"[{mark}] ")


def _filters(state: str, decision: Decision | None) -> tuple[str, ...]:
    noted = decision is not None and bool(decision.note)
    return (*(("undecided",) if state == "undecided" else ()), *(("noted",) if noted else ()))


def _tones(units: Sequence[int], text: str, whole: int) -> Tones:
    own, few, many = units
    said = t("results.tones.said", own=own, few=few, many=many, whole=whole)
    return Tones(own, few, many, whole=whole, said=said, text=text)


def _words(result: CheckResult, questions: int, pairs: int) -> dict[str, str]:
    """Return the words of the list of cases."""
    names = (
        *("caption", "search", "and", "review", "questions_note", "passage", "holders"),
        *("pairs_note", "pair", "only", "within", "longest", "two"),
    )
    few = few_holders(len(result.documents))
    return {
        **{name: t(f"results.cases.{name}") for name in names},
        "unit": _find_unit(result),
        "questions": t("results.questions.title", n=questions),
        "pairs": t("results.cases.pairs", n=pairs),
        "few": t("results.cases.few", n=few),
        "many": t("results.cases.many", n=few + 1),
    }


def _find_unit(result: CheckResult) -> str:
    """Return what a column counts, "" where texts are counted in different units."""
    units = session.memo(("units",), lambda: {unit_of(one.text) for one in result.documents})
    return t(f"results.unit.{min(units)}") if len(units) == 1 else ""


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
    ranked = rank_texts(result, find_naming().whole)
    best, also = dict[int, Case](), dict[int, list[int]]()
    for one in list_cases():
        if isinstance(one, PassageCase):
            for text in one.members:
                also.setdefault(text, []).append(one.number)
        elif not one.alike:
            for text in (one.a, one.b):
                best.setdefault(text, one)
    rows = [_pupil_row(result, text, best.get(text), also.get(text, [])) for text in ranked]
    rows.sort(key=lambda row: -row.tones.two if row.tones else 0)
    columns = (
        *("caption", "search", "with_case_note", "without_case_note", "name", "only", "within"),
        *("partner", "also", "case"),
    )
    words = _words(result, 0, 0) | {name: t(f"results.pupils.{name}") for name in columns}
    with_case = sum(row.tones is not None for row in rows)
    words |= {
        "with_case": t("results.pupils.with_case", n=with_case),
        "without_case": t("results.pupils.without_case", n=len(rows) - with_case),
    }
    act = pupil_list("pupils", rows, words)
    if act.action == "open":
        open_page("results", {"text": act.row})
    elif act.action == "case":
        case = next(row.case for row in rows if row.id == act.row)
        open_page("results", {"case": str(case)})
    few = sum(has_few_counted(divide_text(result, text)) for text in ranked)
    for sentence in few_note(few, t, notation()):
        note(sentence)


def _pupil_row(result: CheckResult, text: int, case: Case | None, also: Sequence[int]) -> PupilRow:
    """Return one text with the strongest pair that it is in, None for no pair."""
    names = find_naming()
    plain = PupilRow(
        name_row(result.documents, text),
        names.stems[text],
        t("check.comma").join(map(str, also)),
        note=session.doc_ocr(text),
    )
    if case is None:
        return plain
    division, tones = divide_text(result, text), tones_of(result, text)
    partner, few = case.b if text == case.a else case.a, has_few_counted(division)
    return replace(
        plain,
        tones=_tones(
            [tones[name] for name in TONES],
            notation().total(division) if few else notation().fraction(division),
            0 if few else division.counted,
        ),
        partner=_bare(names.stems[partner], t("frame.reference")),
        tag=t("frame.reference") if partner >= result.checked else "",
        case=case.number,
        mark=Mark(case.state, t(f"review.mark.{case.state}")),
    )
