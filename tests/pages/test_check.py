"""Check: what was read is shown before anything runs; the run can be stopped; the result opens."""

from __future__ import annotations

import io
import threading
import time
import zipfile
from dataclasses import replace
from functools import cache

import pytest
from page_runs import put_in_zone, rest, upload
from page_texts import COPY, ESSAY, OTHER, SHORT, said, words
from streamlit.testing.v1 import AppTest

from pages._ui.check import against as check_view
from pages._ui.check import front, inbox, start
from pages._ui.check import uploads as files
from pages._ui.library.page import STAGES as ADDING
from pages._ui.shared import jobs, open_checks
from pages._ui.shared.jobs import Job
from simhash_core import Settings
from simhash_core.checking import word_tables
from simhash_core.errors import StoreError
from simhash_core.i18n import translator
from simhash_core.model import Document
from simhash_core.request import Request
from simhash_core.storage import Beside, Texts
from simhash_core.text.recognition import recognition_installed


def wait_for_end(job: jobs.Job | None) -> None:
    """Hold a run of the page until a job has ended, at most a minute."""
    end = time.monotonic() + 60
    while job is not None and job.state == "running" and time.monotonic() < end:
        threading.Event().wait(0.005)


def check_of(app) -> Job:
    """Return the check that was started last."""
    job: Job = app.session_state["lt.open"].jobs["check"]
    return job


@pytest.fixture
def read(open_app, language):
    """The page after four files, one of them empty."""
    return upload(
        open_app(language=language),
        ("a.txt", ESSAY.encode()),
        ("b.txt", COPY.encode("gb18030")),
        ("c.txt", OTHER.encode()),
        ("d.txt", b""),
    )


def test_the_front_page_has_three_doors_before_and_after_checks(open_app, language):
    app = open_app(language=language).run()  # ids of widgets are those of a browser from run two
    t, drawn = translator(language), said(app)
    for door in ("class", "two", "library"):
        assert t(f"check.door.{door}") in drawn
    assert t("check.door.library.empty") in drawn  # nothing is kept yet
    assert [one.label for one in app.file_uploader] == [
        t(f"check.ways.{name}") for name in ("files", "folder", "two")
    ]
    keys = [button.key for button in app.main.button]
    assert keys == ["paste", "to_library", "sample_class", "sample_two"]
    app.button(key="to_library").click().run()
    assert t("library.title") in said(app)


@pytest.mark.long
def test_a_first_start_says_how_far_the_preparation_is(open_app, language, monkeypatch):
    job = Job("", "word_tables", word_tables.NAMES)
    monkeypatch.setattr(front, "preparation", cache(lambda: job))
    t = translator(language)

    job.progress("concepts", 50, 100)
    begun = open_app(language=language)
    assert t("check.prepare.once") in said(begun)
    (bar,) = begun.main.get("progress")
    text = t("check.stage.concepts", done=50, total=100)
    assert bar.proto.text == text
    assert bar.proto.value == 50
    job.stage_started["concepts"] -= 200  # half of it took so long
    job.done = 9
    assert job.seconds_left() is None  # before a tenth nobody knows
    job.done = 50
    (bar,) = open_app(language=language).main.get("progress")
    left = t("frame.minutes", minutes="3")
    assert bar.proto.text == t("check.stage.with_left", text=text, left=left)

    job.error, job.state = word_tables.NotPrepared(), "failed"
    failed = open_app(language=language)
    assert t("check.prepare.failed") in said(failed)
    assert t("error.not_prepared") in said(failed)
    assert failed.button(key="prepare").label == t("check.prepare.again")

    job.state = "done"
    assert t("check.prepare.once") not in said(open_app(language=language))


@pytest.mark.long
def test_the_sample_class_comes_with_what_a_teacher_has(open_app, language):
    app = open_app(language=language).run()  # ids of widgets are those of a browser from run two
    app.button(key="sample_class").click().run()
    rest(app, "read")
    assert app.session_state["lt.open"].batch.name == {
        "zh": "高一3班-《故乡》读书报告", "en": "10C English-Reading response"
    }[language]  # fmt: skip
    batch = app.session_state["lt.open"].batch
    named = [document.meta["person"] for document in batch.documents]

    assert len(batch.entries) == 40
    opened = app.session_state["lt.open"]
    assert len(opened.class_list()) == 40
    assert len(set(named) - {""}) == 34
    assert [document.name for document in opened.sheets()] == [
        {"zh": "题目.docx", "en": "task.docx"}[language]
    ]
    assert len(opened.beside().references) == 3

    app.button(key="clear").click().run()

    assert "lt.open" not in app.session_state  # not for the reader's own files
    opened.held.clear()
    assert len(opened.class_list()) == 40  # the check keeps it
    assert len(opened.project.beside().references) == 3


def test_what_was_read_is_listed_named_and_taken_out(read, language):
    batch = read.session_state["lt.open"].batch
    assert [entry.name for entry in batch.entries] == ["a.txt", "b.txt", "c.txt", "d.txt"]
    assert [document.name for document in batch.documents] == ["a.txt", "b.txt", "c.txt"]
    assert [(item.name, item.code) for item in batch.skipped] == [("d.txt", "empty")]
    assert batch.in_order_of_need(batch.cautions())[0] == 3
    assert batch.documents[1].text == COPY
    # start button says the number
    assert "3" in read.button(key="start").label
    # the drop zone is empty again after reading
    assert not read.file_uploader[0].value
    # an emptied name is the automatic one again
    automatic = read.text_input(key="batch_name").value
    read.text_input(key="batch_name").set_value("Form 10C").run()
    read.text_input(key="batch_name").set_value("").run()
    assert read.text_input(key="batch_name").value == automatic
    # a file can be taken out
    read.session_state["lt.open"].batch.entries.pop(3)
    read.run()
    assert read.session_state["lt.open"].batch.skipped == []
    # clear forgets the files
    read.button(key="clear").click().run()
    assert "lt.open" not in read.session_state


def test_what_cannot_be_checked_cannot_be_started(open_app, language):
    app = upload(open_app(language=language), ("a.txt", ESSAY.encode()))
    assert app.button(key="start").disabled
    # nothing usable gives the reason and no number
    app = upload(open_app(language=language), ("a.txt", b""))
    assert app.button(key="start").disabled
    assert "0" not in app.button(key="start").label
    assert not any(" 0 " in markup.proto.body for markup in app.get("html")
                   if 'class="lt-note"' in markup.proto.body)  # fmt: skip


def test_the_kind_of_texts_chooses_what_counts(open_app, language):
    answers = [(f"{n}.txt", f"{ESSAY[n : n + 90]} {n}".encode()) for n in range(4)]
    app = upload(open_app(language=language), *answers)
    assert app.radio(key="set_kind").value == "short"  # by itself
    app.radio(key="set_kind").set_value("essays").run()
    assert Settings(**app.session_state["lt.open"].chosen()) == Settings()
    app.radio(key="set_kind").set_value("articles").run()
    app.button(key="start").click().run()
    result = rest(app, "check").session_state["lt.check"].result
    assert result.settings == Settings.of("reposts")


def test_another_kind_leaves_the_switches_of_a_stored_check(open_app):
    app = upload(open_app(), *[(f"{n}.txt", f"{ESSAY} {n}".encode()) for n in range(3)])
    opened = app.session_state["lt.open"]
    opened.choose(skip_same_person=True)
    app.button(key="start").click().run()
    rest(app, "check")
    opened.held.clear()
    opened.project.put("check.chosen", {})  # as of a check of the command line
    app.switch_page("pages/check.py").run()
    app.radio(key="set_kind").set_value("articles").run()
    app.button(key="start").click().run()
    result = rest(app, "check").session_state["lt.open"].current.result
    assert result.settings == replace(Settings.of("reposts"), skip_same_person=True)


def test_worksheets_are_known_by_the_lines_that_all_hold(open_app):
    form = "\n".join(f"Question {n}: what does the experiment show?" for n in range(9))
    sheets = [(f"{n}.txt", f"{form}\nMy answer is {ESSAY[n : n + 60]}".encode()) for n in range(5)]
    app = upload(open_app(), *sheets)
    assert app.radio(key="set_kind").value == "worksheets"
    assert "from 80 characters of English or 50 of Chinese" in said(app)  # the shortest passage


def test_a_finished_check_has_its_name_and_settings_and_opens_the_overview(read, language):
    read.session_state["lt.open"].choose(min_tokens=7)
    begun = read.session_state["lt.open"].batch.begun
    automatic = {
        "zh": f"3 篇，{begun.month}月{begun.day}日",
        "en": f"3 texts, {begun.day} {begun:%b}",
    }
    assert read.text_input(key="batch_name").value == automatic[language]
    read.text_input(key="batch_name").set_value("Form 10C").run()
    read.button(key="start").click().run()
    app = rest(read, "check")
    current = app.session_state["lt.check"]
    pairs = current.result.table.pairs

    assert current.result.settings.min_tokens == 7
    assert len(current.result.documents) == 3
    (row,) = [at for at, pair in enumerate(zip(pairs.left, pairs.right, strict=True))
              if pair == (0, 1)]  # fmt: skip
    assert pairs.distance[row] <= current.result.threshold
    assert "d.txt" in {item.name for item in current.result.skipped}
    assert current.name == "Form 10C"
    app.session_state["hide_names"] = True
    assert "Form 10C" not in words(app.run())


def test_uploads_are_flagged_named_and_read_again(open_app):
    russian = "Весной в этом саду снова цветут старые яблони. " * 20
    app = upload(
        open_app(),
        ("a.txt", (ESSAY * 3).encode()),
        ("b.txt", (ESSAY * 3).encode("gb18030")),
        ("c.txt", b"five words are too few"),
        ("d.txt", russian.encode()),
    )
    batch = app.session_state["lt.open"].batch
    codes = [{caution.code for caution in cautions} for cautions in batch.cautions()]
    assert "same_text" not in codes[0]
    assert "same_text" in codes[1]
    assert codes[2] == {"no_fingerprint"}
    assert codes[3] == {"other_language"}
    assert batch.in_order_of_need(batch.cautions())[-1] == 0
    # encodings can be changed file by file
    app = upload(open_app(), ("a.txt", ESSAY.encode()), ("b.txt", SHORT.encode("big5")))
    entry = app.session_state["lt.open"].batch.entries[1]
    assert files.preview(entry, "big5").document.text == SHORT
    assert files.preview(entry, "gb18030").document.text != SHORT
    # two sessions do not see each other
    one = upload(open_app(), ("a.txt", ESSAY.encode()), ("b.txt", COPY.encode()))
    two = open_app()
    assert "lt.open" in one.session_state
    assert "lt.open" not in two.session_state
    assert one.session_state["lt.owner"] != two.session_state["lt.owner"]
    # same name twice keeps both files
    app = upload(open_app(), ("a.txt", ESSAY.encode()), ("a.txt", OTHER.encode()))
    names = [entry.name for entry in app.session_state["lt.open"].batch.entries]
    assert names == ["a.txt", "a (2).txt"]


def hold_checks(monkeypatch) -> threading.Event:
    """Let every check wait for the event that is returned."""
    gate, real = threading.Event(), start.run

    def held(*args, **options):
        gate.wait(30)
        return real(*args, **options)

    monkeypatch.setattr(start, "run", held)
    return gate


def test_a_check_left_alone_is_named_by_pages_and_waits_in_the_sidebar(read, monkeypatch, language):
    gate = hold_checks(monkeypatch)
    read.button(key="start").click().run()
    app = read.switch_page("pages/results.py").run()
    sentence = {"zh": "检测还在进行", "en": "The check is still running"}
    assert sentence[language] in said(app)
    assert app.button(key="afar_go")
    gate.set()
    app = rest(read, "check")

    assert "lt.check" not in app.session_state  # what is read there is not replaced by itself
    app.button(key="afar_go").click().run()
    assert len(app.session_state["lt.check"].result.documents) == 3


@pytest.mark.long
def test_too_many_files_are_refused_with_a_sentence(open_app, monkeypatch):
    monkeypatch.setattr(files, "MOST_FILES", 1)
    app = put_in_zone(open_app(), ("a.txt", b"a"), ("b.txt", b"b"))

    assert "lt.open" not in app.session_state
    assert app.session_state["lt.refused"] == (2, 2)


@pytest.mark.long
def test_a_check_is_called_after_its_archive_and_stays_so(open_app):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("Anna Miller_4711_assignsubmission_file_/a.txt", ESSAY)
        archive.writestr("Ben Carter_4712_assignsubmission_file_/b.txt", COPY)
    app = put_in_zone(open_app(), ("9A-History-51177.zip", data.getvalue()))
    app = rest(app, "read")
    assert app.session_state["lt.open"].batch.name == "9A-History"

    app = rest(put_in_zone(app, ("late.txt", OTHER.encode())), "read")
    assert app.session_state["lt.open"].batch.name == "9A-History"
    assert app.session_state["lt.open"].project.name == "9A-History"


@pytest.mark.skipif(recognition_installed(), reason="scans are read at once")
def test_scans_are_read_again_once_that_was_downloaded(open_app, samples, monkeypatch):
    scan = (samples / "sources" / "class" / "en" / "scan.jpg").read_bytes()
    app = upload(open_app(language="en"), ("a.txt", ESSAY.encode()), ("scan.jpg", scan))
    assert [one.code for one in app.session_state["lt.open"].batch.skipped] == ["needs_ocr"]
    offered = [one.key for one in app.button if (one.key or "").startswith("download_ocr")]
    assert offered == ["download_ocr_inbox", "download_ocr_more"]
    held = {"download_ocr": Job("", "download_ocr", (), state="done")}
    monkeypatch.setattr(jobs, "_reader_jobs", lambda: {app.session_state["lt.owner"]: held})
    monkeypatch.setattr(inbox, "recognition_installed", lambda: True)
    again, read_scans = [], files.read_scans
    monkeypatch.setattr(files, "read_scans", lambda of: (again.append(of.scans), read_scans(of)))
    app.run()

    assert not app.exception
    assert held == {}
    assert again == [1]


def test_the_same_upload_put_in_twice_counts_once():
    """A newer request can end a run half way; the zone then shows its files to the next one."""

    def twice() -> None:
        from streamlit.proto.Common_pb2 import FileURLs
        from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

        from pages._ui.check import uploads

        uploaded = [
            UploadedFile(UploadedFileRec(id_, f"{id_}.txt", "text/plain", b"one two"), FileURLs())
            for id_ in "ab"
        ]
        uploads.put_in(uploaded)
        uploads.put_in(uploaded)

    state = AppTest.from_function(twice).run().session_state
    assert state["lt.open"].jobs["read"].facts["n"] == 2
    assert state["lt.open"].batch.waiting == []


def test_a_check_that_ends_while_the_page_is_drawn_was_not_stopped(read, monkeypatch):
    """The state of a job is looked at once a run: it can end between two looks."""
    gate, real_collect = hold_checks(monkeypatch), files.collect

    def collect():
        gate.set()
        wait_for_end(jobs.find_latest("check"))
        return real_collect()

    read.button(key="start").click()
    monkeypatch.setattr(files, "collect", collect)
    app = read.run()

    assert 'class="lt-caution"' not in words(app)
    rest(app, "check")
    assert len(app.session_state["lt.check"].result.documents) == 3


@pytest.mark.long
def test_fingerprints_alone_after_a_stop_keep_the_settings_of_the_reader(read, monkeypatch):
    gate = hold_checks(monkeypatch)
    read.session_state["lt.open"].choose(min_tokens=21)
    read.toggle(key="set_skip_same_person").set_value(True).run()
    read.button(key="start").click().run()
    job = check_of(read)
    asked = job.facts["settings"]
    job.stop()
    gate.set()
    rest(read, "check")
    read.button(key="prints_only").click().run()
    app = rest(read, "check")
    used = app.session_state["lt.open"].current.result.settings

    assert (asked.skip_same_person, asked.min_tokens, asked.passages) == (True, 21, True)
    assert used == replace(asked, passages=False)


@pytest.mark.long
def test_a_page_that_learns_late_of_the_end_opens_the_result(read, monkeypatch):
    """As in the background, after a reload, or where the server has much to do."""
    gate = hold_checks(monkeypatch)
    read.button(key="start").click().run()
    job = check_of(read)
    gate.set()
    wait_for_end(job)
    app = read.run()

    assert "add" in {one.key for one in app.button}  # of the results
    assert len(app.session_state["lt.check"].result.documents) == 3


UNREADABLE = {"zh": "请另选用来对照的文本", "en": "Choose something else to compare with"}


def test_an_earlier_check_that_cannot_be_read_leaves_the_choice(read, monkeypatch, language):
    def damaged(key):
        raise StoreError("store_damaged", name=key)

    monkeypatch.setattr(open_checks, "name_checks", lambda **_: {"one": "One"})
    monkeypatch.setattr(check_view, "_texts_of", damaged)
    read.run()  # it is offered now
    read.selectbox(key="against_way").set_value("check").run()
    read.selectbox(key="against_check").set_value("one").run()

    assert not read.exception
    assert UNREADABLE[language] in said(read)
    assert "start" not in {button.key for button in read.button}

    read.selectbox(key="against_way").set_value("alone").run()
    assert UNREADABLE[language] not in said(read)
    assert not read.button(key="start").disabled


def test_nothing_starts_against_what_can_no_longer_be_read(read, monkeypatch, language):
    before = iter([Request(texts=Texts())])  # when the button is drawn

    def chosen():
        for against in before:
            return against
        raise StoreError("store_damaged", name="one")

    monkeypatch.setattr(start, "read_choice", chosen)
    read.button(key="start").click().run()

    assert not read.exception
    assert UNREADABLE[language] in said(read)
    assert "check" not in read.session_state["lt.open"].jobs


def test_the_button_knows_of_references_that_were_just_taken_out(open_app):
    app = upload(open_app(), ("a.txt", ESSAY.encode()))
    app.selectbox(key="against_way").set_value("files").run()
    opened = app.session_state["lt.open"]
    opened.lay_beside(Beside((Document.from_text(OTHER, name="taken out"),), way="files"))
    assert not app.run().button(key="start").disabled
    app.button(key="against_forget").click().run()

    assert app.button(key="start").disabled


@pytest.mark.parametrize("stage", sorted({*start.STAGES, *ADDING}))
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_step_has_a_name_and_a_sentence(stage, lang):
    t = translator(lang)

    for key in (f"check.step.{stage}", f"check.stage.{stage}"):
        assert t(key, done=1, total=2) != key


@pytest.mark.long
def test_a_class_list_that_is_dropped_beside_the_texts_is_offered_as_one(open_app):
    listed = "Name,ID\nAnna Miller,s1\nBen Carter,s2\nZed Missing,s3\n"
    app = put_in_zone(
        open_app(),
        ("Anna Miller_1_assignsubmission_file_a.txt", ESSAY.encode()),
        ("Ben Carter_2_assignsubmission_file_b.txt", OTHER.encode()),
        ("names.csv", listed.encode()),
    )
    app = rest(app, "read")
    assert len(app.session_state["lt.open"].batch.documents) == 2
    assert "names.csv" in said(app)
    (use,) = [one for one in app.button if str(one.key).startswith("use_list_")]
    use.click().run()

    state = app.session_state["lt.open"]
    people = [one.person for one in state.class_list()]
    assert people == ["Anna Miller", "Ben Carter", "Zed Missing"]
    assert [one.name for one in state.batch.entries if one.skipped] == []


@pytest.mark.long
def test_two_texts_go_straight_to_the_reader(open_app, language):
    app = open_app(language=language).run()
    two = [("甲.txt", ESSAY.encode(), "text/plain"), ("乙.txt", COPY.encode(), "text/plain")]
    app.file_uploader[2].set_value(two).run()
    app = rest(rest(app, "read"), "check")
    current = app.session_state["lt.check"]
    assert current.name == "甲 · 乙"
    assert app.button(key="swap")  # of two texts beside each other
    # stopped and left, it waits for its reader
    app.switch_page("pages/check.py").run()
    assert app.button(key="start") and app.session_state["lt.check"] is current


def test_a_pasted_text_is_called_by_its_first_words():
    assert files._first_words("A/b. c four five six seven") == "A b c four five"
    assert (
        files._first_words(" 老城南的旧书市要搬了，管理处上个月贴出告示。")
        == "老城南的旧书市要搬了，管"
    )


def test_one_text_waits_for_another_or_for_the_library(open_app, language):
    app = upload(open_app(language=language), ("a.txt", ESSAY.encode()))
    t = translator(language)
    assert t("check.one.text") in said(app)
    assert app.button(key="start").disabled
    box = next(one for one in app.file_uploader if one.label == t("check.one.another"))
    box.set_value([("b.txt", COPY.encode(), "text/plain")]).run()
    app = rest(rest(app, "read"), "check")
    assert app.button(key="swap")  # of two texts beside each other


def test_three_texts_at_the_door_of_two_are_asked_about(open_app, language):
    app = open_app(language=language).run()
    given = [
        (f"{n}.txt", text.encode(), "text/plain") for n, text in enumerate((ESSAY, COPY, OTHER))
    ]
    app.file_uploader[2].set_value(given).run()
    app = rest(app, "read")
    assert "lt.check" not in app.session_state
    assert app.button(key="two_class")
    next(one for one in app.get("button_group") if one.key == "two_chosen").set_value([0, 1]).run()
    app.button(key="two_compare").click().run()
    app = rest(app, "check")
    assert [one.name for one in app.session_state["lt.check"].result.documents] == [
        "0.txt",
        "1.txt",
    ]


def test_an_archive_without_files_has_a_row(open_app, language):
    data = io.BytesIO()
    zipfile.ZipFile(data, "w").close()
    app = upload(open_app(language=language), ("empty.zip", data.getvalue()))
    (row,) = app.session_state["lt.open"].batch.skipped
    assert (row.name, row.code) == ("empty.zip", "no_files")
