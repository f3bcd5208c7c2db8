"""Check, of a class: who handed in what, and what everybody holds, before anything is compared."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from page_runs import rest
from page_texts import said, sent_to
from prose import chinese
from streamlit.testing.v1.element_tree import FileUploader

from pages._ui.check import inbox, uploads
from pages._ui.shared.open_checks import OpenCheck
from simhash_core import Document, check
from simhash_core.cases import case_rows, passage_cases
from simhash_core.checking import TextScope, run_check
from simhash_core.model import Skipped
from simhash_core.people.roster import CLASS_LIST_KEY, Member, members_to_data
from simhash_core.storage import COURSE_KEY, TEMPLATES_KEY, Project, Shelf, owner_folder

PEOPLE = ["陈思远", "王梓涵", "李青", "周宁", "吴桐"]
TASK = chinese(77, 60)
FOLDER = "class.zip/{}_{}_assignsubmission_file_/{}"


def entry(row: int, file: str, text: str) -> uploads.Entry:
    name = FOLDER.format(PEOPLE[row], 31000 + row, file)
    return uploads.Entry(name, document=Document.from_text(text, name=name), words=200)


def batch() -> uploads.Batch:
    """Four texts that begin with the task, a second version, and a file that was not read."""
    entries = [entry(row, "1.docx", f"{TASK}\n\n{chinese(row, 300)}") for row in range(4)]
    entries.append(entry(0, "终稿.docx", f"{TASK}\n\n{chinese(0, 280)}{chinese(9, 40)}"))
    name = FOLDER.format(PEOPLE[4], 31004, "扫描.pdf")
    entries.append(uploads.Entry(name, skipped=Skipped(name, "scanned")))
    return uploads.Batch(entries=entries)


@pytest.fixture
def read(open_app, language):
    app = open_app(language=language)
    opened = app.session_state["lt.open"] = OpenCheck(Project.in_memory(), "", batch=batch())
    opened.take_class_list([Member(one) for one in (*PEOPLE, "孙荷")])
    app.run()
    assert not app.exception, app.exception[0].message
    return app


def test_everybody_stands_in_one_list_with_what_they_handed_in(read):
    held = read.session_state["lt.inbox"]
    assert [(one.member.person, one.texts, one.unread) for one in held.every] == [
        ("陈思远", (0, 4), ()),
        ("王梓涵", (1,), ()),
        ("李青", (2,), ()),
        ("周宁", (3,), ()),
        ("吴桐", (), (0,)),
        ("孙荷", (), ()),
    ]
    assert held.earlier == {FOLDER.format("陈思远", 31000, "1.docx")}
    # a sheet says what its person handed in
    held, files = read.session_state["lt.inbox"], read.session_state["lt.open"].batch
    states = [sheet.state for sheet in inbox.sheets(held, files)]
    assert states == ["versions", "read", "read", "read", "unread", "missing"]
    read.session_state["lt.inbox_open"] = 4
    read.run()
    assert "扫描.pdf" in said(read)
    out = next(button for button in read.button if button.key.startswith("inbox_out_"))
    out.click().run()
    assert [one.name for one in files.skipped] == []


def test_an_earlier_version_can_be_compared_and_a_file_taken_in_again(read):
    read.session_state["lt.inbox_open"] = 0
    read.run()
    held = read.session_state["lt.inbox"]
    (later,) = {0, 4} - {row for row in (0, 4) if batch().entries[row].name in held.earlier}
    (earlier,) = {0, 4} - {later}
    read.button(key=f"inbox_use_{earlier}").click().run()
    assert not read.exception
    assert read.session_state["lt.inbox"].earlier == {batch().entries[later].name}
    read.button(key=f"inbox_use_{later}").click().run()
    assert read.session_state["lt.inbox"].earlier == {batch().entries[earlier].name}
    read.button(key=f"inbox_out_{earlier}").click().run()
    assert len(read.session_state["lt.open"].batch.entries) == 5
    read.button(key="put_back").click().run()
    assert not read.exception
    names = [one.name for one in read.session_state["lt.open"].batch.entries]
    assert names == [one.name for one in batch().entries]
    assert "put_back" not in {one.key for one in read.button}


@pytest.mark.long
def test_the_task_among_the_files_is_taken_as_such_and_can_be_taken_back(read):
    files = read.session_state["lt.open"].batch
    task = Document.from_text(TASK, name="作文题目.docx")
    files.entries.insert(2, uploads.Entry(task.name, document=task, words=30))
    read.run()
    key = "use_task_2"
    assert task.name in said(read)
    read.button(key=key).click().run()
    assert not read.exception
    project = read.session_state["lt.open"].project
    assert [one.name for one in files.entries] == [one.name for one in batch().entries]
    assert project.get(TEMPLATES_KEY) == [[task.name, TASK]]  # a reload finds it
    assert task.name in said(read)
    assert key not in {one.key for one in read.button}

    read.button(key="put_back").click().run()
    assert files.entries[2].document is task
    assert project.get(TEMPLATES_KEY) == []
    read.button(key=key).click().run()
    read.button(key="forget_templates").click().run()
    assert project.get(TEMPLATES_KEY) == []
    read.button(key="put_back").click().run()
    read.button(key=key).click().run()
    read.button(key="start").click().run()
    result = rest(read, "check").session_state["lt.check"].result
    assert task.name not in {one.name for one in result.documents}
    assert all("template" in {note.code for note in one.notes} for one in result.documents)


def test_task_sheets_are_read_once_and_can_be_removed(read, language):
    def box() -> FileUploader:
        (only,) = (one for one in read.file_uploader if one.key.startswith("template_files"))
        return only

    before = box().key
    box().upload("题目.txt", TASK.encode("gb18030")).upload("空.txt", b"").run()
    assert not read.exception
    (first,) = read.session_state["lt.open"].sheets()
    assert first.name == "题目.txt" and "空.txt" in said(read)
    assert language == "en" or ("题目.txt：60 字" in said(read) and "内容是空的" in said(read))
    assert box().key != before  # another one, empty

    box().upload("模板.txt", chinese(8, 60).encode()).run()
    held = read.session_state["lt.open"].sheets()
    assert [one.name for one in held] == ["题目.txt", "模板.txt"] and held[0] is first
    assert "空.txt" not in said(read)
    project = read.session_state["lt.open"].project
    assert [name for name, _ in project.get(TEMPLATES_KEY)] == ["题目.txt", "模板.txt"]
    read.session_state["lt.open"].held.clear()  # as after a reload
    assert "模板.txt" in said(read.run())
    read.button(key="forget_templates").click().run()
    assert project.get(TEMPLATES_KEY) == [] and "模板.txt" not in said(read)


def test_the_threshold_of_the_laboratory_is_that_of_the_next_check(read):
    read.session_state["lt.next_threshold"] = ("essays", 256, 61)
    read.run()
    read.button(key="start").click().run()
    result = rest(read, "check").session_state["lt.check"].result
    assert (result.settings.preset, result.settings.threshold) == ("essays", 61)


@pytest.mark.long
def test_what_everybody_holds_is_asked_once_and_the_later_version_compared(read):
    name = read.text_input(key="batch_name").value
    read.button(key="start").click().run()
    app = rest(read, "check")

    assert name.startswith("4 ")
    assert app.session_state["lt.open"].project.summary().texts == 4
    result = app.session_state["lt.check"].result
    assert [one.name.rpartition("/")[2] for one in result.documents] == ["1.docx"] * 3 + [
        "终稿.docx"
    ]
    assert [one.code for one in result.skipped] == ["scanned", "earlier_version"]
    (task,) = passage_cases(result)
    assert (task.answer, task.members) == ("", (0, 1, 2, 3))  # asked about, no case of two
    assert len(case_rows(result)) == 0


@pytest.mark.long
def test_a_class_that_was_checked_brings_its_list_and_shows_the_term(open_app, language):
    opened_app = open_app(language=language)
    owner = opened_app.session_state["lt.owner"]
    shelf = Shelf(owner_folder(owner))
    entries = batch().entries
    texts = [one.document for one in entries if one.document is not None]
    named = [replace(one, meta={"person": PEOPLE[row]}) for row, one in enumerate(texts[:4])]
    earlier = shelf.create(name="三月")
    earlier.put(COURSE_KEY, {"group": "高一（3）班"})
    earlier.put(CLASS_LIST_KEY, members_to_data([Member(one) for one in PEOPLE]))
    earlier.save_documents(named)
    earlier.save_result(check(named))
    march = earlier.id
    earlier.close()
    opened_app.session_state["lt.open"] = opened = OpenCheck(shelf.create(name="四月"), "")
    opened.key, opened.batch = opened.project.id, batch()
    app = opened_app.run()
    app.selectbox(key="batch_class").set_value("高一（3）班").run()

    assert [one.person for one in opened.class_list()] == PEOPLE
    assert opened.project.get(COURSE_KEY)["group"] == "高一（3）班"
    app.button(key="start").click().run()
    app = rest(app, "check")
    app.query_params["text"] = "0"
    app.switch_page("pages/results.py").run()
    assert not app.exception
    app.button(key="term").click().run()
    assert not app.exception
    (term,) = sent_to(app, "term_table")["groups"]
    assert len(term["rows"]) == 2  # March and April
    assert f"check={march}" in json.dumps(term)
    row = app.selectbox(key="document_row").value
    person = opened.current.result.documents[row].meta["person"]
    app.button(key="forget").click().run()
    app.switch_page("pages/check.py")
    app = rest(app, "forget")
    assert not app.exception
    texts = {one.name: shelf.open(one.id).texts() for one in shelf.recent()}
    assert person not in {one.meta.get("person") for one in texts["三月"].documents}
    assert len(texts["三月"].documents) == 3
    assert person in said(app)
    app.button(key="forget_seen").click().run()
    assert not app.exception


@pytest.mark.long
@pytest.mark.parametrize("of_the_class", [True, False])
def test_the_class_of_the_latest_check_is_chosen_for_files_of_its_members(
    open_app, language, of_the_class
):
    opened_app = open_app(language=language)
    shelf = Shelf(owner_folder(opened_app.session_state["lt.owner"]))
    for name in ("高一（1）班", "高一（3）班"):
        earlier = shelf.create(name=name)
        earlier.put(COURSE_KEY, {"group": name})
        people = PEOPLE if of_the_class == (name == "高一（3）班") else ["钱小满"]
        earlier.put(CLASS_LIST_KEY, members_to_data([Member(one) for one in people]))
        earlier.close()
    opened = OpenCheck(shelf.create(name="四月"), "")
    opened.key, opened.batch = opened.project.id, batch()
    for row, one in enumerate(opened.batch.entries[:4]):
        one.document = replace(one.document, meta={"person": PEOPLE[row]})
    opened_app.session_state["lt.open"] = opened
    app = opened_app.run()
    assert not app.exception
    box = app.selectbox(key="batch_class")
    assert box.value == ("高一（3）班" if of_the_class else None)
    assert [one.person for one in opened.class_list()] == (PEOPLE if of_the_class else [])
    box.set_value(None).run()
    assert app.selectbox(key="batch_class").value is None  # what was emptied stays empty


def test_task_sheets_and_last_year_come_with_the_class(open_app, language):
    opened_app = open_app(language=language)
    shelf = Shelf(owner_folder(opened_app.session_state["lt.owner"]))
    texts = [one.document for one in batch().entries if one.document is not None]
    earlier = shelf.create(name="三月")
    earlier.put(COURSE_KEY, {"group": "高一（3）班"})
    earlier.put(TEMPLATES_KEY, [["题目.docx", chinese(3, 80)]])
    earlier.save_documents(texts[:3])
    earlier.save_result(run_check(texts[:3], TextScope(references=texts[3:4])))
    earlier.close()
    opened_app.session_state["lt.open"] = opened = OpenCheck(shelf.create(name="四月"), "")
    opened.key, opened.batch = opened.project.id, batch()
    app = opened_app.run()
    app.selectbox(key="batch_class").set_value("高一（3）班").run()
    assert not app.exception
    assert [one.name for one in opened.sheets()] == ["题目.docx"]
    assert [one.name for one in opened.beside().references] == [texts[3].name]
    brought = {"zh": "题目单，去年的文本", "en": "task sheets, texts of last year"}[language]
    assert brought in said(app)
    app.button(key="drop_brought").click().run()
    assert not app.exception
    assert opened.beside().references == opened.sheets() == ()
    assert brought not in said(app)


def test_a_folder_of_last_year_is_offered_as_such(read):
    files = read.session_state["lt.open"].batch
    old = Document.from_text(chinese(5, 300), name="class.zip/去年/叶舒然.docx")
    files.entries.append(uploads.Entry(old.name, document=old, words=200))
    read.run()
    assert "去年" in said(read)
    read.button(key="leave_6").click().run()
    assert "use_last_year_6" not in {one.key for one in read.button}
    read.session_state["lt.declined"] = ()
    read.run().button(key="use_last_year_6").click().run()
    assert not read.exception
    assert [one.text for one in read.session_state["lt.open"].beside().references] == [old.text]
    assert old.name not in {one.name for one in files.documents}
