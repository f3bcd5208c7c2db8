"""What is offered as the task: what is called so, or what others hold."""

from __future__ import annotations

import pytest

from simhash_core.checking import may_be_task
from simhash_core.model import Document

QUESTION = "Explain in your own words why the metal is left in the boiling water."


def texts(*held: str) -> list[Document]:
    return [
        Document.from_text(f"{text}\nMine {n}.", name=f"{n}.txt") for n, text in enumerate(held)
    ]


@pytest.mark.parametrize("name", ["task.docx", "Assignment 3.pdf", "题目.docx", "worksheet.odt"])
def test_a_name_may_say_so(name: str) -> None:
    assert may_be_task(Document.from_text("Anything.", name=name), [])


def test_lines_that_several_hold_are_the_tasks_and_one_text_is_none() -> None:
    sheet = Document.from_text(f"Chemistry\n{QUESTION}\n", name="sheet.docx")
    assert may_be_task(sheet, [sheet, *texts(QUESTION, QUESTION, QUESTION)])
    assert not may_be_task(sheet, [sheet, *texts(QUESTION, "Other words.", "More.")])
    pupil = Document.from_text(
        "I think that the metal has to be warm first.", name="will_text.html"
    )
    assert not may_be_task(pupil, [pupil, *texts(QUESTION, QUESTION, QUESTION)])
