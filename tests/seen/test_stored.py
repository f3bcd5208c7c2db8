"""What one person's texts gave in the checks of a class, read from the files of these checks."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from simhash_core import Document, Settings, check, read
from simhash_core.checking import TextScope, run_check
from simhash_core.errors import BadInput
from simhash_core.model import Skipped, pair_key
from simhash_core.numbers import divide_text
from simhash_core.people.names import Authorship
from simhash_core.people.roster import CLASS_LIST_KEY, Member, members_to_data
from simhash_core.request import compare_other_reading, forget, forget_texts
from simhash_core.seen import RULES_KEY, Exclusions, find_holding, term
from simhash_core.storage import COURSE_KEY, TEMPLATES_KEY, Project, Shelf, Subject
from simhash_core.text.gathering import Source
from tests.prose import chinese
from tests.text.seen_pages import DISGUISED, essay

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
    lines = term(shelf.recent(), shelf.open, Authorship("陈思远"))

    assert [one.summary.id for one in lines] == [first, second]
    assert [one.confirmed for one in lines] == [1, 1]
    result = shelf.open(first).result()
    assert result is not None and lines[0].division == divide_text(result, lines[0].row)
    assert lines[0].division.shared > 100
    assert lines[1].division is not None and lines[1].division.shared == 0  # as its own page says


def test_a_check_that_cannot_be_read_is_a_line_without_numbers(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    stored(shelf, 3)
    summaries = shelf.recent()
    (tmp_path / f"{summaries[0].id}.leitong").unlink()
    (line,) = term(summaries, shelf.open, Authorship("陈思远"))

    assert line.division is None and line.confirmed == 0


def test_others_and_namesakes_with_another_number_are_not_shown(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    stored(shelf, 3)
    for who in (Authorship("赵六"), Authorship()):
        assert term(shelf.recent(), shelf.open, who) == []


CHEN = Authorship("陈思远")


def held_bytes(path: Path) -> bytes:
    """Return all that lies in the files of a project."""
    return b"".join(item.read_bytes() for item in path.parent.glob(f"{path.name}*"))


def test_a_person_who_is_forgotten_leaves_nothing_and_the_others_stay(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    project = shelf.open(stored(shelf, 3))
    project.put(CLASS_LIST_KEY, members_to_data([Member("陈思远"), Member("王梓涵")]))
    texts = project.texts()
    a, b, c = (one.id for one in texts.documents)
    project.save_documents(
        texts.documents,
        skipped=[Skipped("3/陈思远/scan.pdf", "scanned"), Skipped("3/王梓涵/x.pdf", "scanned")],
    )
    project.decide([Subject.pair(b, c)], verdict="no_problem", note="读过")
    action = project.decide([Subject.pair(a, c)], verdict="later", note="陈思远的注")
    project.undo(action)
    assert project.path is not None

    assert forget(project, CHEN) == 2
    result = project.result()
    assert result is not None
    assert [one.meta["person"] for one in result.documents] == ["王梓涵", "李青"]
    assert len(result.passages) == 0
    assert [one.name for one in project.texts().skipped] == ["3/王梓涵/x.pdf"]
    assert project.get(CLASS_LIST_KEY) == members_to_data([Member("王梓涵")])
    assert {key: one.verdict for key, one in project.pair_decisions().items()} == {
        pair_key(b, c): "no_problem"
    }
    assert project.verify() == []
    assert project.summary().state == "checked"
    path = project.path
    project.close()
    left = held_bytes(path)
    for trace in (a, "陈思远", json.dumps("陈思远")[1:-1]):
        assert trace.encode() not in left
    again = Project.open(path)
    assert forget(again, CHEN) == 0
    again.decide([Subject.pair(b, c)], verdict="confirmed")
    assert again.verify() == []


def test_forgetting_asks_references_and_joint_texts_too() -> None:
    last_year = Document.from_text(chinese(1, 400), name="2024/a.docx", person="陈思远")
    other = Document.from_text(chinese(2, 400), name="2024/b.docx", person="赵六")
    joint = Document.from_text(chinese(1, 400) + chinese(3, 200), name="j", person="陈思远、李青")
    alone = Document.from_text(chinese(2, 300) + chinese(4, 200), name="k", person="王梓涵")
    project = Project.in_memory()
    project.save_documents([joint, alone])
    scope = TextScope(references=[last_year, other], inside=False)
    project.save_result(run_check([joint, alone], scope, settings=Settings()))
    assert forget(project, CHEN) == 2

    result = project.result()
    assert result is not None and result.references == 1
    assert [one.meta["person"] for one in result.documents] == ["李青", "王梓涵", "赵六"]
    shared = np.unique(result.passages.pair)
    assert [*result.table.pairs.left[shared], *result.table.pairs.right[shared]] == [1, 2]


def test_the_last_text_of_a_check_can_be_forgotten() -> None:
    project = Project.in_memory()
    texts = [Document.from_text(chinese(1, 300), name=f"{n}", person="陈思远") for n in range(2)]
    project.save_documents(texts)
    project.save_result(check(texts))
    assert forget(project, CHEN) == 2
    assert project.texts().documents == ()
    assert project.pair_decisions() == {}


def test_texts_are_deleted_from_the_checks_that_hold_them(tmp_path: Path) -> None:
    """Whatever part they took; a check without texts stays, and others are not touched."""
    shelf = Shelf(tmp_path)
    first, second = stored(shelf, 3), stored(shelf, 4)
    project = shelf.open(first)
    texts = project.texts()
    a, b, c = texts.documents
    project.put(TEMPLATES_KEY, [["task", c.text]])
    assert project.path is not None
    path = project.path
    held = find_holding(shelf.recent(), shelf.open, {a.id, c.id, "0" * 64})

    assert [(one.id, n) for one, n in held] == [(first, 2)]
    assert forget_texts(project, {a.id, c.id}) == 2
    result = project.result()
    assert result is not None
    assert [one.id for one in result.documents] == [b.id]
    assert project.pair_decisions() == {}
    assert project.get(TEMPLATES_KEY) == []
    assert forget_texts(project, {a.id}) == 0
    assert forget_texts(project, {b.id}) == 1
    assert project.texts().documents == ()
    assert project.verify() == []
    project.close()
    assert b.text[:20].encode() not in held_bytes(path)
    assert find_holding(shelf.recent(), shelf.open, {a.id, b.id, c.id}) == []
    other = shelf.open(second).result()
    assert other is not None
    assert len(other.documents) == 3


def test_the_other_reading_of_a_text_is_compared_as_if_it_had_been_from_the_start() -> None:
    """What stands on a layer that is off is a text of its own, which another one has copied."""
    source = Source(name="hides.pdf", data=DISGUISED["words on a layer that is off"]())
    (hides,), _ = read([source])
    copy = Document.from_text(essay("en", said=True), name="copy.txt")
    project = Project.in_memory()
    project.save_documents([hides, copy])
    project.save_result(check([hides, copy]))
    project.decide([Subject("pair", *pair_key(hides.id, copy.id))], verdict="no_problem")
    assert hides.other is not None
    assert not check([hides, copy]).total_overlap.any()

    chosen = compare_other_reading(project, hides.id)

    assert (chosen.text, chosen.name) == (hides.other.text, "hides.pdf")
    assert [note.code for note in chosen.notes] == ["as_written"]
    afresh, stored = check([chosen, copy]), project.result()
    assert stored is not None
    assert stored.total_overlap.tolist() == afresh.total_overlap.tolist()
    assert stored.total_overlap.min() > 0.3
    assert project.pictures(chosen.id)
    assert project.asked_again()

    back = compare_other_reading(project, chosen.id)
    assert (back.id, back.notes) == (hides.id, hides.notes)
    last = project.result()
    assert last is not None
    assert not last.total_overlap.any()
    assert list(project.pair_decisions()) == [pair_key(hides.id, copy.id)]

    with pytest.raises(BadInput, match="no_other_reading"):
        compare_other_reading(project, copy.id)
