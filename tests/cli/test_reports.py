"""Reports from the command line: the ending of a file says which."""

from __future__ import annotations

import json

import pytest

from simhash_core.cases import group_key
from simhash_core.cli.entry import run
from simhash_core.cli.reports import format_of
from simhash_core.report.formats import FORMATS
from simhash_core.storage import COURSE_KEY, Project, Subject

COMMON = (
    "清晨码头雾气弥漫，渔船陆续靠岸，搬运工赤脚踩着湿滑木板，"
    "把一筐筐银色带鱼抬进冷库，计重登记，装箱贴签。"
)
OWN = (
    "数学竞赛培训班每周六上午开课，主讲教授偏爱几何证明。",
    "火车站广场改造工程因地下管线复杂延期半年。",
    "昆虫标本采集需要耐心，夜间灯诱效果最佳。",
)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A checked project in which one pair is confirmed."""
    folder = tmp_path_factory.mktemp("class")
    for name, end in zip(("01-刘子墨", "02-郑可欣", "03-王梓涵"), OWN, strict=True):
        common = COMMON if name[1] != "3" else ""
        (folder / f"{name}.txt").write_text(f"{end}\n{common}\n{end[::-1]}", "utf-8")
    file = folder.parent / "class.leitong"
    assert run(["check", str(folder), "--project", str(file), "-o", str(folder) + ".html"]) == 0
    stored = Project.open(file)
    a, b = (document.id for document in stored.texts().documents[:2])
    stored.decide([Subject.pair(a, b)], verdict="confirmed", note="先谈话。", reviewer="林")
    stored.close()
    return file


@pytest.mark.parametrize("ending", FORMATS)
def test_a_stored_check_is_reported_with_its_decisions(project, tmp_path, ending):
    out = tmp_path / f"report.{ending}"

    assert run(["--lang", "zh", "report", str(project), "-o", str(out)]) == 0
    assert out.stat().st_size > 1000
    if ending == "json":
        (pair,) = json.loads(out.read_text("utf-8"))["pairs"]
        assert (pair["verdict"], pair["note"]) == ("确认重合", "先谈话。")


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        ("person", ["子墨"]),
        ("pair", ["1", "02-郑可欣.txt"]),
        ("cluster", ["刘"]),
        ("confirmed", []),
        ("sources", ["刘"]),
    ],
)
def test_every_kind_is_asked_for_by_the_names_of_texts(project, tmp_path, kind, texts):
    out = tmp_path / "report.html"
    named = [part for text in texts for part in ("--text", text)]

    assert run(["report", str(project), "--kind", kind, *named, "-o", str(out)]) == 0
    assert "刘子墨" in out.read_text("utf-8")
    assert run(["report", str(project), "--kind", kind, *named, "--anonymous", "-o", str(out)]) == 0
    assert "刘子墨" not in out.read_text("utf-8")


def test_class_task_and_teacher_stand_in_the_title(project, tmp_path):
    out = tmp_path / "report.html"
    named = ["--class", "高一（3）班", "--task", "《乡土中国》读书报告"]
    stored = Project.open(project)
    stored.put(COURSE_KEY, {"group": "高二（1）班", "teacher": "林老师"})
    stored.close()

    assert run(["--lang", "zh", "report", str(project), *named, "-o", str(out)]) == 0
    shown = out.read_text("utf-8")
    assert "<h1><bdi>高一（3）班 · 《乡土中国》读书报告</bdi></h1>" in shown
    assert '<p class="sub">林老师 · ' in shown and "高二" not in shown


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    """A checked class from a platform, with a list on which one more person stands."""
    folder = tmp_path_factory.mktemp("platform")
    texts = {
        "张三_123400_assignsubmission_file_/作业.txt": f"姓名：张三\n{COMMON}赵一诺没有来。",
        "高原_123477_assignsubmission_file_/读书报告.txt": f"{COMMON}高原上的风，作业写完了。",
    }
    for name, text in texts.items():
        (folder / "in" / name).parent.mkdir(parents=True)
        (folder / "in" / name).write_text(text, "utf-8")
    listed = folder / "list.csv"
    listed.write_text("姓名,学号\n张三,123400\n高原,123477\n赵一诺,123499\n", "utf-8")
    file = folder / "class.leitong"
    check = ["check", str(folder / "in"), "--project", str(file), "--class-list", str(listed)]
    assert run([*check, "-o", str(folder / "check.json")]) == 0
    return file


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_preview_lists_each_place_and_writes_no_report(handed_in, language, capsys):
    assert run(["--lang", language, "report", str(handed_in), "--preview"]) == 0

    shown = capsys.readouterr().out
    places = [line for line in shown.splitlines() if line[:4].strip().isdecimal()]
    state = {"zh": ("替换", "不动"), "en": ("replaced", "left")}[language]
    assert [line.split()[1] for line in places] == [state[0], state[0], state[1]]
    assert "[张三]" in places[0] and "[赵一诺]" in places[1] and "[高原]" in places[2]
    assert "作业" not in shown.splitlines()[0]


def test_a_report_follows_what_the_reader_says_about_a_place(handed_in, tmp_path, capsys):
    out, both = tmp_path / "report.html", ["--kind", "pair", "--text", "1", "--text", "2"]
    asked = ["--lang", "en", "report", str(handed_in), *both, "--anonymous", "-o", str(out)]

    assert run(asked) == 0
    assert "1 place may be a name" in capsys.readouterr().err
    assert "高原上的风，作业写完了" in out.read_text("utf-8")
    assert run([*asked, "--replace", "3", "--keep", "1,2"]) == 0
    shown = out.read_text("utf-8")
    assert "[name]上的风" in shown and "张三" in shown and "赵一诺" in shown
    assert run([*asked, "--replace", "4"]) == 2
    assert "no number 4" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["check.json", "check.csv", "check.txt"])
def test_what_cannot_leave_out_names_is_not_written_without_them(handed_in, tmp_path, name, capsys):
    folder, out = str(handed_in.parent / "in"), tmp_path / name

    assert run(["--lang", "en", "check", folder, "--anonymous", "-o", str(out)]) == 2
    assert "--anonymous is for reports" in capsys.readouterr().err and not out.exists()


@pytest.mark.parametrize("texts", [["0"], ["不在"], ["0", "1"]])
def test_a_name_that_fits_no_text_or_several_is_refused(project, texts, capsys):
    named = [part for text in texts for part in ("--text", text)]

    assert run(["--lang", "en", "report", str(project), "--kind", "person", *named]) == 2
    assert "does not say which text" in capsys.readouterr().err


def test_groups_given_to_all_count_in_no_report(tmp_path):
    folder, file, out = tmp_path / "class", tmp_path / "class.leitong", tmp_path / "report.json"
    folder.mkdir()
    for row, end in enumerate(OWN):
        (folder / f"{row}.txt").write_text(f"{end}\n{COMMON}\n{end[::-1]}", "utf-8")
    assert run(["check", str(folder), "--project", str(file), "-o", str(out)]) == 0
    stored = Project.open(file)
    result = stored.result()
    assert result is not None
    given = Subject.group(group_key(result, 0))
    stored.decide([given], verdict="no_problem", reason="task_sheet")
    stored.close()

    again = ["check", str(folder), "--project", str(file), "--exclude", "quotations"]
    assert run([*again, "-o", str(tmp_path / "check.csv")]) == 0  # the rules change, not the groups
    assert run(["report", str(file), "-o", str(out)]) == 0
    report = json.loads(out.read_text("utf-8"))
    assert report["pairs"] == []
    for text in report["texts"]:
        assert text["shared"] == 0
        assert text["total"] is text["without_quoted"] is None  # too little is left for a share


def test_endings_choose_the_format():
    assert {format_of(f"a.{name.upper()}") for name in FORMATS} == set(FORMATS)
    assert format_of("a.txt") == format_of(None) == "table"
