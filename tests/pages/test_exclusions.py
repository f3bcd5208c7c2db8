"""What does not count, on the pages: foreseen, applied, shown grey, taken back."""

from __future__ import annotations

import json

import pytest
from page_texts import said
from prose import chinese

from pages._ui.components.texts import prepare
from simhash_core import Document, check, compare
from simhash_core.notation import Notation
from simhash_core.numbers import divide_text
from simhash_core.seen import Exclusions, exclude

QUOTED = chinese(1, 60).rstrip("。，；")


@pytest.fixture(scope="module")
def quoting():
    documents = [
        Document.from_text(
            f"{chinese(seed, 200)}\n他说：“{QUOTED}”。\n{chinese(seed + 10, 200)}",
            name=f"{seed}.txt",
            person="甲" if seed < 4 else "乙",
        )
        for seed in (2, 3, 4)
    ]
    return check(documents)


def test_a_switch_says_what_it_takes_away_and_every_page_what_was_before(
    open_app, language, quoting
):
    app = open_app("results", language=language, result=quoting)
    app.button(key="leave_out").click().run()
    label = app.checkbox(key="ex_quotations").label
    assert "180" in label and "3" in label
    assert app.session_state["lt.check"].result is quoting
    app.checkbox(key="ex_quotations").check()
    app.button(key="ex_apply").click().run()
    assert not app.exception
    seen = app.session_state["lt.check"]
    assert seen.left_out.exclusions == Exclusions(zones=("quotations",))
    assert seen.result.table.passages.sum() == 0
    assert "180" in said(app)
    # document and compare say what was before
    share = Notation.of(language).total(divide_text(quoting, 0))
    app.query_params["text"] = "0"
    app.run()
    assert not app.exception
    assert share in said(app) and "60" in said(app)
    del app.query_params["text"]
    app.query_params["pair"] = "0,1"
    app.run()
    assert not app.exception
    assert share in said(app)


def test_everything_counts_again(open_app, quoting):
    app = open_app("results", result=quoting)
    app.button(key="leave_out").click().run()
    app.checkbox(key="ex_same_person").check()
    app.button(key="ex_apply").click().run()
    assert app.session_state["lt.check"].result.table.passages.tolist() == [0, 1, 1]
    app.button(key="count_all").click().run()

    assert app.session_state["lt.check"].result is quoting
    assert app.session_state["lt.check"].left_out is None


def test_left_out_text_carries_its_reason_where_it_stands(quoting):
    view = exclude(quoting, Exclusions(zones=("quotations",)))
    a, b, _ = view.result.documents
    sheet = prepare(compare(a, b, result=view.result), ("a", "b"))
    runs = [run for paragraph in sheet["sides"][0]["paragraphs"] for run in paragraph]

    assert [run[0] for run in runs if len(run) > 4 and run[4]] == [f"“{QUOTED}”"]
    assert all(isinstance(run[4], str) for run in runs if len(run) > 4 and run[4])
    assert json.dumps(sheet)
