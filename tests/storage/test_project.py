"""A project: everything comes back, decisions follow content, two reviewers, damaged files."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from simhash_core import Document, Settings, check, view_at_threshold
from simhash_core.errors import BadInput, StoreError
from simhash_core.model import Decision, KeptVectors, Note, PagePicture, pair_key
from simhash_core.review import DECIDED, cases
from simhash_core.storage import Project, Subject, contents
from simhash_core.storage.project import Beside, Texts


@pytest.fixture
def project(tmp_path, documents, result):
    project = Project.create(tmp_path / "class.leitong", name="高一（3）班")
    project.save_documents(documents[:22], skipped=result.skipped)
    project.save_beside(Beside(references=tuple(documents[22:])))
    project.save_settings(result.settings)
    project.save_result(result, seconds=1.5)
    yield project
    project.close()


def reopened(project):
    return Project.open(project.path)


def pair(documents, a, b):
    return Subject.pair(documents[a].id, documents[b].id)


def test_everything_comes_back(project, documents, result, same):
    again = reopened(project)

    same(again.texts(), Texts(tuple(documents[:22]), result.skipped, tuple(documents[22:])))
    assert again.settings() == result.settings
    same(again.result(), result)
    assert again.verify() == []
    assert (again.name, again.state) == ("高一（3）班", "checked")


def test_vectors_come_back_until_others_take_their_place(project):
    steps = np.random.default_rng(1).integers(-40, 40, (9, 7)).astype(np.int16)
    steps[2, 3], steps[8, 6] = 127, -203  # more than a byte holds
    project.save_vectors(
        KeptVectors("recipe", {"one": steps[:4], "none": steps[4:4], "two": steps[4:]})
    )
    again = reopened(project).vectors()

    assert again.recipe == "recipe"
    assert {key: rows.tolist() for key, rows in again.rows.items()} == {
        "one": steps[:4].tolist(), "none": [], "two": steps[4:].tolist(),
    }  # fmt: skip
    with project.database.writing() as connection:
        connection.execute("UPDATE record SET data = x'00' WHERE name = 'vectors'")
    assert reopened(project).vectors().rows == {}
    project.save_vectors(KeptVectors())
    assert reopened(project).vectors().rows == {}


def test_new_project_is_empty(tmp_path):
    project = Project.create(tmp_path / "a.leitong")

    assert project.texts() == Texts()
    assert project.settings() is None
    assert project.result() is None
    assert project.decisions() == {}
    assert len(project.id) >= 20


def test_summary_counts_cases_and_decisions(project, documents):
    before = project.summary()
    project.decide([pair(documents, 3, 7)], verdict="confirmed")
    project.decide([pair(documents, 7, 8)], verdict="later")
    after = project.summary()

    assert (before.texts, before.decided, before.state) == (22, 0, "checked")
    assert before.cases >= 3
    assert after.decided == 1
    assert after.size > 1000
    assert after.changed > before.changed


def test_summary_counts_cases_as_the_desk_does(documents):
    """A pair with a reference is a case, and two equal texts make two of one decision."""
    twin = replace(documents[7], name="twin.docx")
    held = check([documents[3], documents[7], twin], against=[documents[8]])
    project = Project.in_memory()
    project.save_documents(held.documents[:3])
    project.save_result(held)
    a, b, last = documents[7], documents[3], documents[8]
    for one in ((a, b), (a, last)):
        project.decide([Subject.pair(one[0].id, one[1].id)], verdict="confirmed")
    project.decide([Subject.pair(a.id, a.id)], verdict="later")
    project.decide([Subject.pair("0" * 64, "1" * 64)], verdict="confirmed")  # no case of it
    listed = cases(held, view_at_threshold(held, held.threshold), project.pair_decisions())
    decided, summary = sum(one.state in DECIDED for one in listed), project.summary()

    assert len({case.key for case in listed}) < len(listed)
    assert summary.cases == len(listed)
    assert summary.decided == decided > 2
    project.note_cases([case.key for case in listed[:1]])
    assert (project.summary().cases, project.summary().decided <= 1) == (1, True)


def test_every_step_is_stored_when_the_call_returns(tmp_path, documents):
    path = tmp_path / "a.leitong"
    project = Project.create(path)
    project.save_documents(documents, state="reading")
    assert len(Project.open(path).texts().documents) == len(documents)
    project.save_settings(Settings(preset="reposts"))
    assert Project.open(path).state == "checking"
    project.decide([pair(documents, 0, 1)], note="look at the second page")
    (decision,) = Project.open(path).decisions().values()
    assert decision.note == "look at the second page"


# --------------------------------------------------------------------------- decisions


def test_fields_are_decided_one_by_one(project, documents):
    subject = pair(documents, 7, 3)
    project.decide([subject], verdict="no_problem", reason="quotation", reviewer="Wu")
    project.decide([subject], note="两人同引一段", reviewer="Lin")
    decision = project.pair_decisions()[pair_key(documents[3].id, documents[7].id)]

    assert (decision.verdict, decision.reason, decision.note) == (
        "no_problem",
        "quotation",
        "两人同引一段",
    )
    assert decision.reviewer == "Lin"
    assert [event.reviewer for event in project.history()] == ["Wu", "Wu", "Lin"]


def test_undo_takes_back_a_whole_action_and_can_be_undone(project, documents):
    subjects = [pair(documents, 3, 7), pair(documents, 7, 8)]
    project.decide(subjects[:1], verdict="later")
    action = project.decide(subjects, verdict="confirmed", reason="quotation")
    with project.folded() as fold:
        assert fold.last("verdict").id == action
    undoing = project.undo(action)
    assert project.decisions() == {subjects[0]: Decision("later", time=project.history()[0].time)}
    project.undo(undoing)
    assert {decision.verdict for decision in project.decisions().values()} == {"confirmed"}


def test_events_are_numbered_and_read_from_any_number_on(project, documents):
    for n in range(4):
        project.decide([pair(documents, 0, n + 1)], verdict="confirmed", note=str(n))
    history = project.history()

    assert [event.seq for event in history] == list(range(1, 9))
    assert project.history(0) == history
    assert project.history(5) == history[5:]
    assert project.history(8) == []


def test_groups_are_subjects_too(project, documents):
    groups = [Subject.group("key"), Subject.group("other")]
    project.decide(groups, verdict="no_problem", reason="given to all")

    assert reopened(project).decisions().keys() == {*groups}
    assert project.pair_decisions() == {}


@pytest.mark.parametrize(
    "values", [{"verdict": "guilty"}, {"reason": "because"}, {"note": "x" * 20_001}]
)
def test_decisions_out_of_range_are_refused(project, documents, values):
    with pytest.raises(BadInput):
        project.decide([pair(documents, 0, 1)], **values)

    assert project.history() == []


def test_decisions_follow_the_content_through_a_second_check(project, documents, result):
    """Renamed texts keep their decision; an edited one is asked again, both names said."""
    renamed, edited, unchanged = pair(documents, 3, 7), pair(documents, 7, 8), pair(documents, 0, 1)
    project.decide([renamed, edited, unchanged], verdict="confirmed")
    later = list(documents[:22])
    later[3] = Document.from_text(later[3].text, name="renamed.txt")
    later[8] = Document.from_text(later[8].text + " More.", name=later[8].name)
    project.save_documents([*later, Document.from_text("A late one. " * 60, name="late.txt")])
    project.save_result(result)

    assert project.decisions().keys() == {renamed, edited, unchanged}
    (again,) = project.asked_again()
    assert again.subject == edited
    assert set(again.names) == {documents[7].name, documents[8].name}
    assert again.decision.verdict == "confirmed"


def test_no_decision_is_asked_again_where_a_text_has_gone(project, documents, result):
    """Of a pair whose second text is handed in no more there is nothing to decide."""
    project.decide([pair(documents, 7, 8)], verdict="confirmed")
    later = list(documents[:22])
    later[7] = Document.from_text(later[7].text + " More.", name=later[7].name)
    del later[8]
    project.save_documents(later)

    assert project.asked_again() == []


def test_two_open_files_see_each_others_decisions_and_undos(project, documents):
    other = reopened(project)
    subject = pair(documents, 3, 7)
    project.decide([subject], verdict="confirmed", reviewer="Wu")
    before, _ = other.changed_pairs(0)
    other.decide([subject], note="look", reviewer="Lin")
    with project.folded() as fold:
        action = fold.last("verdict", reviewer="Wu")
    project.undo(action.id, reviewer="Wu")

    key = (subject.a, subject.b)
    assert other.changed_pairs(before) == project.changed_pairs(before)
    assert other.changed_pairs(before)[1][key] == other.pair_decisions()[key]
    assert (other.pair_decisions()[key].verdict, other.pair_decisions()[key].note) == ("", "look")
    with other.folded() as fold:
        assert fold.last("note").events[0].reviewer == "Lin"
        assert fold.event(subject, "verdict") is None
    other.close()


# --------------------------------------------------------------------------- files


def test_a_copy_is_complete_in_a_file_and_in_memory(
    project, tmp_path, documents, result, same
) -> None:
    project.decide([pair(documents, 3, 7)], verdict="confirmed")
    project.copy_to(tmp_path / "copy.leitong", name="copy")
    copy = Project.open(tmp_path / "copy.leitong")
    same(copy.result(), result)
    assert copy.decisions() == project.decisions()
    assert (copy.name, copy.id == project.id) == ("copy", False)

    copy = Project(project.database.in_memory_copy())
    decisions = project.decisions()
    project.close()
    same(copy.result(), result)
    assert copy.decisions() == decisions
    assert copy.path is None


def test_replaced_texts_are_gone_from_the_file(tmp_path):
    """Bytes that cannot be compressed stay findable, so their absence says something."""
    noise = random.Random(4)
    text = "".join(chr(noise.randrange(0x4E00, 0x9FA5)) for _ in range(5000))
    mark = text.encode()[6000:6030]
    path = tmp_path / "a.leitong"
    project = Project.create(path)
    project.save_documents([Document.from_text(text, name="a")])
    stored = Project.open(path).database
    with stored.reading() as connection:
        (data,) = connection.execute("SELECT data FROM body").fetchone()
    stored.close()
    part = bytes(data[2000:2040])
    assert part in path.read_bytes()
    project.save_documents([Document.from_text("another", name="a")])
    project.close()

    assert part not in path.read_bytes()
    assert mark not in path.read_bytes()
    assert [item.name for item in tmp_path.iterdir()] == ["a.leitong"]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE body SET size = 1 << 40",
        "UPDATE record SET size = 1 << 40",
        "UPDATE body SET codec = 9",
        "UPDATE body SET data = zeroblob(1000000)",
        "UPDATE record SET data = x'789c0300000000'",
        "DELETE FROM body",
    ],
)
def test_made_up_sizes_are_refused(project, change):
    with project.database.writing() as connection:
        connection.execute(change)

    with pytest.raises(StoreError):
        project.texts()
    with pytest.raises(StoreError):
        project.result()
    assert project.verify()


@pytest.mark.parametrize("value", ["[", '{"a": 1}', "7", "null", "[" * 100_000, '"x"'])
@pytest.mark.parametrize("key", ["names", "created", "texts", "id", "name", "state", "cases"])
def test_made_up_facts_do_no_harm(project, key, value):
    with project.database.writing() as connection:
        connection.execute("UPDATE meta SET value = ? WHERE name = ?", (value, key))
    try:
        summary = project.summary()
    except StoreError:
        return
    assert isinstance(summary.id, str)
    assert isinstance(summary.name, str)


def test_a_result_that_does_not_fit_is_refused(project, result) -> None:
    far = replace(result.table.pairs, right=result.table.pairs.right + 100)
    table = replace(result.table, pairs=far)
    contents.save(project.database, "result", replace(result, table=table), {})
    with pytest.raises(StoreError, match="store_damaged"):
        project.result()

    contents.save(project.database, "result", Note("code"), {})
    with pytest.raises(StoreError, match="store_unfit"):
        project.result()
    assert project.verify() == []
    assert len(project.texts().documents) == 22


def test_memory_project_does_everything_without_a_file(
    documents, result, same, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    project = Project.in_memory()
    project.save_documents(documents[:22])
    project.save_settings(result.settings)
    project.save_result(result)
    project.decide([pair(documents, 3, 7)], verdict="confirmed")

    same(project.result(), result)
    assert project.summary().decided == 1
    assert project.path is None
    assert list(tmp_path.iterdir()) == []


def test_pages_are_kept_as_long_as_their_text_is(tmp_path):
    picture = PagePicture(0, np.arange(200, dtype=np.uint8))
    one = replace(Document.from_text("a text of its own", name="a"), pictures=(picture,))
    other = Document.from_text("another text", name="b")
    project = Project.create(tmp_path / "p.leitong")
    project.save_documents([one, other])
    project.close()

    project = Project.open(tmp_path / "p.leitong")
    texts = project.texts().documents
    (kept,) = project.pictures(one.id)
    assert (kept.page, kept.jpeg.tolist()) == (0, picture.jpeg.tolist())
    assert [text.pictures for text in texts] == [(), ()]
    assert project.pictures(other.id) == ()
    project.save_documents(texts)
    assert len(project.pictures(one.id)) == 1
    assert project.verify() == []
    project.save_documents(texts[1:])
    assert project.pictures(one.id) == ()
