"""Who wrote what and what does not count, from the command line."""

from __future__ import annotations

import json

import pytest
from command_line import leitong
from prose import chinese

QUOTED = chinese(1, 60).rstrip("。，；")


@pytest.fixture
def folder(tmp_path):
    hand_ins = tmp_path / "hand-ins"
    hand_ins.mkdir()
    for number, name in ((1, "王梓涵"), (2, "陈思远"), (3, "王梓涵")):
        text = f"{chinese(10 + number, 150)}\n他说：“{QUOTED}”。\n{chinese(20 + number, 100)}"
        stem = f"一班-20210{min(number, 1 if number == 3 else 2)}-{name}-作文{number}"
        (hand_ins / f"{stem}.txt").write_text(text, "utf-8")
    (tmp_path / "list.csv").write_text(
        "学号,姓名,班级\n202101,王梓涵,一班\n202102,陈思远,一班\n202103,李明,一班\n", "utf-8"
    )
    return tmp_path


def test_exclusions_and_authors_are_in_the_json(folder):
    done = leitong(
        *("check", folder / "hand-ins", "--people", "auto", "--class-list", folder / "list.csv"),
        *("--set", "skip-same-person=on", "--exclude", "quotations,running-lines"),
        *("--format", "json", "--lang", "en"),
    )
    data = json.loads(done.stdout)
    texts = data["exclusions"]["documents"]

    assert done.returncode == 0, done.stderr
    assert [d["meta"]["number"] for d in data["documents"]] == ["202101", "202101", "202102"]
    assert data["missing"] == [
        {"person": "李明", "number": "202103", "group": "", "login": "", "class_name": "一班"}
    ]
    assert "李明" in done.stderr and "180" in done.stderr
    assert [text["excluded"] for text in texts] == [60, 60, 60]
    assert all(text["total_overlap_before"] > 0.1 for text in texts)
    assert [d["total_overlap"] for d in data["documents"]] == [0, 0, 0]
    assert data["exclusions"]["rules"]["zones"] == ["quotations", "running_lines"]


def test_exclusions_are_known_and_remembered_and_a_class_list_is_no_hand_in(folder):
    done = leitong("check", folder / "hand-ins", "--exclude", "quotes", "--lang", "en")
    assert done.returncode == 2
    assert "quotes" in done.stderr and "quotations" in done.stderr
    # a project remembers what does not count
    kept = ("check", folder / "hand-ins", "--project", folder / "a.leitong", "--format", "json")
    first = leitong(*kept, "--exclude", "quotations")
    second = leitong(*kept)
    assert first.returncode == second.returncode == 0, second.stderr
    rules = [json.loads(done.stdout)["exclusions"]["rules"] for done in (first, second)]
    assert rules[0] == rules[1]
    assert rules[0]["zones"] == ["quotations"]
    # a class list among the hand ins is none of them
    (folder / "list.csv").rename(folder / "hand-ins" / "list.csv")
    done = leitong("check", folder / "hand-ins", "--format", "json", "--lang", "en")
    assert [d["name"].endswith(".txt") for d in json.loads(done.stdout)["documents"]] == [True] * 3
    assert "list.csv: A class list of 3 names" in done.stderr and "--class-list" in done.stderr
