"""Cases and pupils of an invented class (CC0), and what their lists are given to draw."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from page_texts import unpacked
from streamlit.testing.v1 import AppTest

from pages._ui.components.lists import (
    Act,
    Column,
    Group,
    Mark,
    PairCase,
    PassageCase,
    PupilRow,
    Run,
    Tones,
    draw_list,
    draw_of_class,
    group_cases,
    group_pupils,
)

HOSTILE = "<img src=x onerror=alert(1)>"
FILTERS = [("undecided", "undecided"), ("note", "with a note")]
WORDS = {
    name: name
    for name in (
        *("caption", "search", "and", "review", "questions", "questions_note", "passage"),
        *("holders", "pairs", "pairs_note", "pair", "only", "within", "longest", "two", "few"),
        *("many", "with_case", "with_case_note", "without_case", "without_case_note", "name"),
        *("partner", "also", "case"),
    )
}
WORDS["said"] = "{two} words only these two"
OPEN, CONFIRMED = Mark("undecided", "undecided"), Mark("confirmed", "confirmed")


def make_tones(two: int, whole: int = 400) -> Tones:
    """Return words that two share, with 20 of few and 30 of many."""
    return Tones((two, 20, 30), whole, f"{two + 50} of {whole}", "unit")


def make_cases(pairs: int = 3) -> list[PassageCase | PairCase]:
    """Return two passages and some pairs, the first of a hostile name."""
    template = Mark("by_itself", "template", "3")
    held = [True, False, True, True]
    cases: list[PassageCase | PairCase] = [
        PassageCase(1, f"Are there no {HOSTILE}?", "A source?", held, "3 of 4", "53 words", OPEN),
        PassageCase(2, "In conclusion", "A phrase?", held, "3 of 4", "19 words", template),
    ]
    for at in range(pairs):
        first = f"Kira {HOSTILE}" if at == 0 else f"Pupil{at} Surname"
        tags = ("", "last year") if at == 1 else ("", "")
        mark, told = (CONFIRMED, ("note",)) if at == 1 else (OPEN, ("undecided",))
        names = (first, f"Other{at} Name")
        cases.append(PairCase(3 + at, names, make_tones(300 - at), 9 + at, mark, tags, told))
    return cases


def make_pupils() -> list[PupilRow]:
    """Return a pupil with a case, one of too few words for a share, and one without a case."""
    return [
        PupilRow(
            "ada", "Ada Chen", "1, 2", "2 drafts", make_tones(300), "Bo", "last year", 3, OPEN
        ),
        PupilRow("bo", HOSTILE, "", "", make_tones(20, 0), "Ada Chen", "", 3, CONFIRMED),
        PupilRow("cy", "Cy Dow", "1"),
    ]


def drawn_by(script: Callable[[], Act], *, whole: bool = True) -> dict[str, Any]:
    """Return what the only list that a function draws is given, with all of its rows."""
    line = f"import drawn_lists; drawn_lists.{script.__name__}()"
    app = AppTest.from_string(line, default_timeout=60)
    app.session_state["lt.whole_lists"] = frozenset({"many"} if whole else ())
    app.run()
    assert not app.exception
    (sent,) = app.get("bidi_component")
    return unpacked(json.loads(sent.proto.json))


def draw_cases() -> Act:

    again = {"as": "button", "act": "rest", "text": "List them"}
    rest: list[Run] = ["25 others", again]
    groups = group_cases(make_cases(), WORDS)
    return draw_of_class("cases", groups, WORDS, filters=FILTERS, rest=rest)


def draw_many_cases() -> Act:

    return draw_of_class("many", group_cases(make_cases(2000), WORDS), WORDS)


def draw_pupils() -> Act:

    return draw_of_class("pupils", group_pupils(make_pupils(), WORDS), WORDS)


def draw_collections() -> Act:
    acts = [
        {"act": "open", "text": "Open", "style": "link"},
        {"act": "rename", "text": "Rename", "style": "menu", "edits": "title"},
    ]
    columns = (
        Column("used", "In use", "", "44px", "lead", draws="tick", unseen=True),
        Column("title", "Name", "names", "", "title"),
        Column("acts", "Actions", "end", "40%", "end", unseen=True, acts=acts),
    )
    rows = [
        {"id": name, "used": {"on": on, "text": f"Use {name}"}, "title": name}
        for name, on in (("2024", True), ("2025", False))
    ]
    return draw_list("collections", [Group(columns, rows)], caption="Collections", undo=True)
