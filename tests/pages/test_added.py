"""What is added to a check that is done: nothing of it is lost, and nothing starts unasked."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from page_runs import rest, upload

from pages._ui.results import add
from pages._ui.shared import exclusions, open_checks
from simhash_core.cases import passage_cases
from simhash_core.storage import Subject
from tests.prose import english

HELD = english(77, 80)
TEXTS = {f"{n}.txt": f"{english(n, 200)}\n\n{HELD}" for n in range(4)}


@pytest.fixture
def adds(monkeypatch):
    """`adds(app, kind, text)`: what the dialog does; AppTest cannot hold one open."""

    def give(app, kind: str, data: bytes):
        given = [
            SimpleNamespace(
                name="new.txt", getvalue=lambda: data, size=len(data), file_id=str(len(data))
            )
        ]
        draw = add.draw_add_button

        def draw_once() -> None:
            monkeypatch.setattr(add, "draw_add_button", draw)
            add.add_files(open_checks.find_current(), kind, given)
            del add.tab.files_added

        monkeypatch.setattr(add, "draw_add_button", draw_once)
        app.switch_page("pages/results.py").run()
        app.switch_page("pages/check.py").run()
        return rest(rest(rest(app, "read"), "against"), "check")

    return give


@pytest.fixture
def checked(open_app):
    app = upload(open_app(), *((name, text.encode()) for name, text in TEXTS.items()))
    app.button(key="start").click().run()
    return rest(app, "check")


def original(app):
    return exclusions.find_original(app.session_state["lt.check"])


@pytest.mark.long
def test_a_late_text_leaves_what_an_answer_leaves_out_in_the_check(checked, adds):
    opened, (passage,) = checked.session_state["lt.open"], passage_cases(original(checked))
    subject = Subject.group(passage.key)
    opened.project.decide([subject], verdict="no_problem", reason="quotation", reviewer="")
    checked.session_state["lt.check"].settled = False
    app = checked.switch_page("pages/results.py").run()
    assert app.session_state["lt.check"].result.table.passages.sum() == 0

    app = adds(app, "late", f"{english(9, 200)}\n\n{HELD}".encode())
    (late,) = passage_cases(original(app))
    assert len(late.members) == 5
    assert len(original(app).table.passages) == 10 and original(app).table.passages.all()
    assert not app.session_state["lt.check"].result.table.passages.any()  # the answer stays


@pytest.mark.long
@pytest.mark.parametrize(("kind", "texts"), [("late", 5), ("references", 5), ("task", 4)])
def test_what_is_added_goes_on_by_itself_and_what_cannot_be_read_does_not(
    checked, adds, kind, texts
):
    before = original(checked)
    app = adds(checked, kind, b"\x00\x01\x02" * 50)
    assert original(app) is before and app.button(key="start")

    app = adds(app, kind, HELD.encode() if kind == "task" else english(9, 300).encode())
    assert original(app) is not before
    assert len(original(app).documents) == texts
