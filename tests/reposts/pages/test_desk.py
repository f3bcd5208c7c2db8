"""The repost desk without a browser: the answer to a question, in both languages."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from dataclasses import replace
from typing import Any

import pytest
from page_texts import listed, said, unpacked

import simhash_core as core
from pages._ui.reposts.page import Candidates
from pages._ui.reposts.state import Answer, correct_dates, date_now
from simhash_core.i18n import translator
from simhash_core.library import import_documents
from simhash_core.model import Document
from simhash_core.reposts import REPOST_FORMATS, Traced, trace, write_reposts
from simhash_core.reposts.report import SHEET
from simhash_core.storage.library import Library
from tests.reposts.stories import OTHER

BODY = (
    "老张在河边住了四十年，每天黄昏都要沿着堤岸走一趟。他的任务是把桥头到码头的煤气路灯一盏一盏点亮。"
    "二十岁那年他从父亲手里接过了那根长长的点灯杆。后来城里换上电灯，别处的煤气灯陆续拆除干净。"
    "只有桥头这一盏留下来，成了游客拍照的地方。市政部门曾经打算把它搬进博物馆的展厅里。"
)
FIRST = f"城中最后一座煤气路灯\n本报记者 李明\n{BODY}"
LATER = f"最后的点灯人\n{BODY}小编觉得，这样的坚持在今天实在太少见了，值得每个人停下来看一看。"


@pytest.fixture(scope="module")
def traced() -> Traced:
    asked = Document.from_text(LATER, name="老城故事", date="2025-11-03 19:42")
    first = Document.from_text(FIRST, name="城市晚报", date="2025-11-03 07:10")
    other = Document.from_text("春天的果园里开满了白色的花朵，蜜蜂飞来飞去。" * 6, name="果园")
    return trace([asked], [first, other])


def table(app: Any) -> list[dict[str, Any]]:
    """Return the rows of the versions as they are sent to the browser."""
    [sent] = [part.proto for part in app.get("bidi_component") if "versions" in part.proto.id]
    [group] = unpacked(json.loads(sent.json))["groups"]
    rows: list[dict[str, Any]] = group["rows"]
    return rows


def test_desk_asks_first(open_app, language):
    app = open_app("reposts", language=language)

    app.button(key="repost_start").click()
    app.run()
    assert translator(language)("reposts.missing_text") in said(app)
    assert {"zh": "要查的文本", "en": "The text in question"}[language] in said(app)

    app.text_area(key="repost_text").set_value(LATER)
    app.run()
    assert translator(language)("reposts.missing_text") not in said(app)  # it is no longer true
    app.button(key="repost_start").click()
    app.run()
    assert translator(language)("reposts.missing_with") in said(app)
    app.file_uploader(key="repost_candidates_files").upload("first.txt", FIRST.encode())
    app.run()
    assert translator(language)("reposts.missing_with") not in said(app)


def test_answer_names_the_first_version_and_what_changed(open_app, language, traced):
    app = open_app("reposts", language=language)
    app.session_state["lt.reposts_answer"] = Answer(traced)
    app.run()
    t = translator(language)
    text, (first, later) = said(app), table(app)

    assert [run["text"] for run in first["version"]][:2] == ["城市晚报", t("reposts.earliest")]
    assert [run["text"] for run in later["version"]][:2] == ["老城故事", t("reposts.in_question")]
    assert later["source"][0]["text"] == "城市晚报"
    assert t("reposts.change.headline_changed") in later["against"]
    assert t("reposts.change.writer_dropped", before="李明") in later["against"]
    assert "小编觉得" in text
    assert t("reposts.why.date", date="2025-11-03 07:10") in text


def test_hidden_names_are_not_on_the_page(open_app, traced):
    app = open_app("reposts")
    app.session_state["lt.reposts_answer"] = Answer(traced)
    app.session_state["hide_names"] = True
    app.run()
    shown = said(app) + json.dumps(table(app), ensure_ascii=False)

    assert "城市晚报" not in shown
    assert "李明" not in shown.replace(FIRST, "")


def test_corrected_date_changes_who_was_first(traced):
    (before,) = traced.groups
    held = correct_dates(Answer(traced), {1: "2025-12-24"})
    (after,) = held.traced.groups

    assert before.rows == (1, 0)
    assert after.rows == (0, 1)
    assert held.traced.result.table is traced.result.table


def test_corrected_date_is_shown_with_what_it_was_and_taken_back(open_app, language, traced):
    t = translator(language)
    held = correct_dates(correct_dates(Answer(traced), {1: "2025-12-24"}), {1: "2025-12-25"})
    app = open_app("reposts", language=language)
    app.session_state["lt.reposts_answer"] = held
    app.run()
    (row,) = (row for row in table(app) if row["id"] == "1")

    assert row["value"] == "2025-12-25"
    assert t("reposts.was", date="2025-11-03 07:10") in row["when"]["title"]
    corrected = t("reposts.corrected", name="城市晚报", before="2025-12-24", after="2025-12-25")
    assert corrected in said(app)
    for before in ("2025-12-24", "2025-11-03 07:10"):
        app.button(key="repost_undo").click().run()
        assert [row["value"] for row in table(app) if row["id"] == "1"] == [before]
    assert not [button for button in app.button if button.key == "repost_undo"]


def test_cleared_date_is_not_read_from_the_name_again(traced):
    """A false date in the name of a file is what is corrected most."""
    documents = traced.result.documents
    named = [
        replace(one, name=f"{one.name} 2025-11-0{n}", meta={}) for n, one in enumerate(documents, 1)
    ]
    held = Answer(replace(traced, result=replace(traced.result, documents=tuple(named))))

    assert date_now(held, 1) == "2025-11-02"
    assert date_now(correct_dates(held, {1: ""}), 1) == ""


def test_text_that_nobody_else_has_says_how_many_were_compared(open_app, language):
    asked = Document.from_text(BODY, name="a")
    other = Document.from_text("春天的果园里开满了白色的花朵，蜜蜂飞来飞去。" * 6, name="果园")
    app = open_app("reposts", language=language)
    app.session_state["lt.reposts_answer"] = Answer(trace([asked], [other]))
    app.run()

    assert translator(language)("reposts.none", n=1) in said(app)


@pytest.mark.parametrize("anonymous", [False, True])
def test_list_of_hits_is_the_same_in_every_format(traced, anonymous, open_app):
    t = translator("zh")
    later, first = traced.result.documents[:2]
    hostile = trace([replace(later, name="=1+1")], [first])
    files = {name: write_reposts(hostile, name, t, anonymous=anonymous) for name in REPOST_FORMATS}
    data = json.loads(files["json"])["versions"]
    rows = list(csv.reader(io.StringIO(files["csv"].decode("utf-8-sig"))))

    assert [row["place"] for row in data] == [1, 2]
    assert len(rows) == 3
    assert rows[0] == [t(f"reposts.table.{column.name}") for column in SHEET]
    assert (rows[2][[column.name for column in SHEET].index("name")] == "'=1+1") is not anonymous
    written = ("words", "added", "by_dates")
    for row, line in zip(data, rows[1:], strict=True):
        cells = dict(zip([column.name for column in SHEET], line, strict=True))
        assert [str(row[key] or "") for key in written] == [cells[key] for key in written]
    assert ("李明" in files["csv"].decode()) is not anonymous
    with zipfile.ZipFile(io.BytesIO(files["xlsx"])) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
        shared = book.read("xl/sharedStrings.xml").decode()
    assert "<f>" not in sheet
    assert ("城市晚报" in shared) is not anonymous


def test_real_revisions_are_grouped(open_app):
    sources, _ = core.gather(core.samples()["reposts"])
    documents, _ = core.read([item for item in sources if item.name.startswith("rust-ch03")])
    app = open_app("reposts", language="en")
    app.session_state["lt.reposts_answer"] = Answer(trace(documents))
    app.run()

    assert [row["when"]["text"] for row in table(app)] == ["2016", "2020", "2026"]


def test_text_is_looked_for_in_a_library(tmp_path, traced):
    """The answer from a library is the one from the same texts as files."""
    documents = [traced.result.documents[1]]
    documents.append(
        Document.from_text("春天的果园里开满了白色的花朵，蜜蜂飞来飞去。" * 6, name="果园")
    )
    held = Library.open(tmp_path / "library.leitong", owner="a", create=True)
    held.add_collection("存档")
    import_documents(held, "存档", documents)
    try:
        asked = [traced.result.documents[0]]
        made = Candidates(library=held, n=2).trace(asked, lambda *_: None)
    finally:
        held.close()
    assert made is not None
    (group,) = made.traced.groups

    assert made.traced.compared == 2
    assert [made.traced.result.documents[row].name for row in group.rows] == [
        "城市晚报", "老城故事",
    ]  # fmt: skip


def conflicting() -> Traced:
    """A story and a copy that names it, is shorter, and is backdated by the name of its file."""
    later = f"最后的点灯人\n转载自《城市晚报》\n{BODY[:120]}".replace("煤气路灯", "老路灯")
    documents = [
        Document.from_text(FIRST, name="城市晚报", date="2025-11-03"),
        Document.from_text(later, name="本地宝 2025-11-01"),
    ]
    return trace(documents)


def test_both_witnesses_are_shown_where_they_disagree(open_app, language):
    app = open_app("reposts", language=language)
    app.session_state["lt.reposts_answer"] = Answer(conflicting())
    app.run()
    t = translator(language)
    text = said(app)

    orders = re.findall(r'<ol class="(dates|words)">(.*?)</ol>', text)
    named = {kind: re.findall(r'class="(.*?)"><b>(\w+)', said) for kind, said in orders}
    assert [name for _, name in named["dates"]] == ["本地宝", "城市晚报"]
    assert [name for _, name in named["words"]] == ["城市晚报", "本地宝"]
    assert ["doubt" in style for style, _ in named["dates"]] == [True, False]
    assert text.count('<i class="crosses"') == 2
    assert t("reposts.dates.doubt.lead") in text
    assert t("reposts.date_from.name") in text
    names = {"dates": "<b>本地宝</b>", "words": "<b>城市晚报</b>"}
    assert t("reposts.says.conflict", **names, date="2025-11-01") in text
    assert t("reposts.earliest") not in json.dumps(table(app), ensure_ascii=False)


def test_date_by_hand_settles_the_conflict():
    held = Answer(conflicting())
    rows = {document.name: row for row, document in enumerate(held.traced.result.documents)}
    after = correct_dates(held, {rows["本地宝 2025-11-01"]: "2025-11-09"})
    (before_group,), (group,) = held.traced.groups, after.traced.groups
    moments = {version.row: version.moment for version in group.versions}

    assert before_group.conflict
    assert not group.conflict
    assert group.original == rows["城市晚报"]
    assert moments[rows["本地宝 2025-11-01"]].source == "hand"


def test_several_texts_are_one_line_each_with_the_likely_source(open_app, language):
    asked = [
        Document.from_text(LATER, name="老城故事 2025-11-03"),
        Document.from_text(BODY * 2, name="别处"),
        Document.from_text("秋天的仓库里堆满了晒干的玉米，麻雀在门口跳来跳去。" * 6, name="麻雀"),
    ]
    sources = [
        Document.from_text(FIRST, name="城市晚报 2025-11-01"),
        Document.from_text("春天的果园里开满了白色的花朵，蜜蜂飞来飞去。" * 6, name="果园"),
    ]
    app = open_app("reposts", language=language)
    app.session_state["lt.reposts_answer"] = Answer(trace(asked, sources))
    app.run()
    text, t = said(app), translator(language)

    rows = listed(app, "repost_likely")
    assert [row[1] for row in rows] == ["城市晚报"] * 2
    assert t("reposts.likely.earlier") in [row[3] for row in rows]
    assert t("reposts.likely_rest", n=1) in text


def test_copy_without_a_date_is_answered_with_its_source_and_stands_last(open_app, language):
    known = Document.from_text(FIRST, name="城市晚报", date="2025-11-03")
    app = open_app("reposts", language=language)
    traced = trace([Document.from_text(FIRST, name="pasted")], [known])
    app.session_state["lt.reposts_answer"] = Answer(traced)
    app.run()
    t, drawn = translator(language), table(app)
    title = "<b>城中最后一座煤气路灯</b>"
    this = t("reposts.answer.this")

    answer = t("reposts.answer.same", name=this, title=title, date="2025-11-03", share="100%")
    assert answer in said(app)
    assert [row["version"][0]["text"] for row in drawn] == ["城市晚报", "pasted"]
    assert drawn[1]["when"]["text"] == t("reposts.received_today")
    assert drawn[0]["source"] == ["—"] and drawn[1]["source"][0]["text"] == "城市晚报"


def test_both_sources_of_a_merged_text_are_drawn_as_its_sources(open_app, language):
    other = "\n".join(OTHER)
    known = [
        Document.from_text(FIRST, name="城市晚报", date="2025-11-03"),
        Document.from_text(other, name="图书馆", date="2025-10-01"),
    ]
    asked = Document.from_text(f"{FIRST}\n{other[:90]}", name="pasted")
    app = open_app("reposts", language=language)
    app.session_state["lt.reposts_answer"] = Answer(trace([asked], known))
    app.run()
    drawn = {row["version"][0]["text"]: row for row in table(app)}
    t = translator(language)

    assert list(drawn) == ["城市晚报", "图书馆", "pasted"]
    assert drawn["pasted"]["source"][0]["text"] == "城市晚报"
    assert t("reposts.role.further") in drawn["图书馆"]["against"]
    said_more = t("reposts.further", name="pasted", source="图书馆", share="%").partition("%")[0]
    assert said_more in said(app)


def test_text_that_shares_a_standard_passage_alone_is_told_so(open_app, language):
    parts = [
        "".join(chr(0x4E00 + (41 * n + 7 * k * k + k) % 5000) for k in range(600))
        for n in range(1, 5)
    ]
    known = [Document.from_text(BODY + part, name=f"{n}") for n, part in enumerate(parts[:3])]
    app = open_app("reposts", language=language)
    traced = trace([Document.from_text(BODY + parts[3], name="new")], known)
    app.session_state["lt.reposts_answer"] = Answer(traced)
    app.run()

    assert not traced.groups
    assert {"zh": "不是这里任何一篇的另一版本", "en": "no version of another text"}[
        language
    ] in said(app)
