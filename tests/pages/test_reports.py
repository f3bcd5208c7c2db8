"""The menu of a report: what is hidden can be read, and overruled, before it is made."""

from __future__ import annotations

import io
import zipfile

import pytest
from page_runs import rest

import simhash_core as core
from simhash_core import Document

COMMON = (
    "清晨码头雾气弥漫，渔船陆续靠岸，搬运工赤脚踩着湿滑木板，把一筐筐银色带鱼抬进冷库，计重登记。"
)
TEXTS = {
    "张三_123400_assignsubmission_file_/读书报告.txt": f"姓名：张三\n{COMMON}高原上的风很大。",
    "高原_123477_assignsubmission_file_/作业.txt": f"{COMMON}读书报告要写八百字。",
}
PREVIEW = {"zh": "替换 1 处，1 处不能确定、不动", "en": "1 place is replaced, 1 doubtful left"}


@pytest.fixture(scope="module")
def named():
    return core.check([Document.from_text(text, name=name) for name, text in TEXTS.items()])


def test_the_preview_stands_in_the_menu_once_names_are_hidden(named, open_app, language):
    app = open_app("results", language=language, result=named)
    assert PREVIEW[language] not in [one.label for one in app.expander]

    app.toggle(key="report_hide").set_value(True).run()

    assert not app.exception
    assert PREVIEW[language] in [one.label for one in app.expander]


def test_class_task_and_teacher_stay_with_the_project(named, open_app):
    app = open_app("results", language="zh", result=named)
    (field,) = [one for one in app.text_input if one.label == "班级"]
    field.set_value("高一（3）班").run()

    assert not app.exception
    (field,) = [one for one in app.text_input if one.label == "班级"]
    assert field.value == "高一（3）班"


def test_reports_for_several_readers_come_as_one_archive(named, open_app, language):
    app = open_app("review", language=language, result=named)
    app.session_state["report_kind"] = "readers"
    app.session_state["report_readers"] = ["class", "confirmed"]
    app.run()
    app.button(key="report_make").click().run()
    app = rest(app, "report")

    assert not app.exception
    job = app.session_state["lt.jobs"]["report"]
    data, name = job.value
    assert name.endswith(".zip")
    assert len(zipfile.ZipFile(io.BytesIO(data)).namelist()) == 2
