"""What one person's texts gave in the checks of a class, read from the files of these checks."""

from __future__ import annotations

from pathlib import Path

from simhash_core import Document, check
from simhash_core.model import pair_key
from simhash_core.numbers import of_text
from simhash_core.seen import RULES_KEY, Exclusions, term
from simhash_core.storage import COURSE_KEY, Shelf, Subject
from tests.prose import chinese

QUOTED = f"他在书里写道：“{chinese(90, 80)}”（第12页）"


def stored(shelf: Shelf, month: int, *, group: str = "高一（3）班", quoted: bool = False) -> str:
    """Check three texts; the first two share a paragraph, and the case is confirmed."""
    shared = QUOTED if quoted else chinese(70 + month, 120)
    people = ("陈思远", "王梓涵", "李青")
    documents = [
        Document.from_text(
            chinese(10 * month + row, 500) + ("\n\n" + shared if row < 2 else ""),
            name=f"{month}/{person}.docx",
            person=person,
        )
        for row, person in enumerate(people)
    ]
    project = shelf.create(name=f"{month} 月")
    project.put(COURSE_KEY, {"group": group})
    project.save_documents(documents)
    project.save_result(check(documents))
    a, b = pair_key(documents[0].id, documents[1].id)
    project.decide([Subject("pair", a, b)], verdict="confirmed")
    key = project.id
    project.close()
    return key


def test_the_term_of_a_person_is_a_line_a_check(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    first, second = stored(shelf, 3), stored(shelf, 4, quoted=True)
    project = shelf.open(second)
    project.put(RULES_KEY, Exclusions(zones=("quotations",)).to_data())
    project.close()
    asked = Document.from_text("x", name="x", person="陈思远")
    lines = term(shelf.recent(), shelf.open, asked)

    assert [one.summary.id for one in lines] == [first, second]
    assert [one.confirmed for one in lines] == [1, 1]
    result = shelf.open(first).result()
    assert result is not None and lines[0].division == of_text(result, lines[0].row)
    assert lines[0].division.shared > 100
    assert lines[1].division is not None and lines[1].division.shared == 0  # as its own page says


def test_a_check_that_cannot_be_read_is_a_line_without_numbers(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    stored(shelf, 3)
    summaries = shelf.recent()
    (tmp_path / f"{summaries[0].id}.leitong").unlink()
    (line,) = term(summaries, shelf.open, Document.from_text("x", name="x", person="陈思远"))

    assert line.division is None and line.confirmed == 0


def test_others_and_namesakes_with_another_number_are_not_shown(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    stored(shelf, 3)
    for who in ({"person": "赵六"}, {}):
        assert term(shelf.recent(), shelf.open, Document.from_text("x", name="x", **who)) == []
