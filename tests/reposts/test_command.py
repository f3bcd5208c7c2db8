"""`leitong reposts`: both orders, in every format, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from command_line import leitong

from simhash_core.i18n import translator
from simhash_core.model import Document
from simhash_core.reposts.command import Find, alert, read_arrived
from tests.reposts.stories import OTHER, SENTENCES, article


@pytest.fixture
def press(tmp_path):
    """A story, and a shorter one that is backdated."""
    folder = tmp_path / "press"
    folder.mkdir()
    (folder / "城市晚报 2021-03-03.txt").write_text(article(), "utf-8")
    later = article(0, 1, 2, 3, 4, lines=("转载自《城市晚报》",))
    (folder / "本地宝 2021-03-01.txt").write_text(later, "utf-8")
    return folder


def test_json_holds_both_orders_and_rates_are_told_once(press):
    done = leitong("reposts", press, "--json")
    data = json.loads(done.stdout)
    (group,) = data["groups"]
    assert done.returncode == 0, done.stderr
    assert data["schema"] == "leitong.reposts/3"
    assert [name[:3] for name in group["order_by_dates"]] == ["本地宝", "城市晚"]
    assert [name[:3] for name in group["order_by_words"]] == ["城市晚", "本地宝"]
    assert group["conflict"]
    assert group["first"] == ""
    assert not group["certain"]
    assert group["check_date_of"].startswith("本地宝")
    assert [row["date_from"] for row in data["versions"]] == ["name", "name"]
    assert len(data["edges"]) == len(data["shares"]) == 1
    # rates of the words are told once
    assert leitong("reposts", press, language="en").stdout.count("groups of known order") == 1


def test_csv_has_the_keys_of_the_json_and_an_ending_names_the_format(press, tmp_path):
    piped = leitong("reposts", press, "--format", "csv").stdout
    output = tmp_path / "versions.csv"
    leitong("reposts", press, "--format", "csv", "-o", output)
    keys = list(json.loads(leitong("reposts", press, "--json").stdout)["versions"][0])
    assert next(csv.reader(io.StringIO(piped))) == keys
    assert not piped.startswith("\ufeff")
    assert output.read_text("utf-8").startswith("\ufeff")
    # ending of the output names the format
    assert leitong("reposts", press, "-o", tmp_path / "found.xlsx").stdout == ""
    assert (tmp_path / "found.xlsx").read_bytes().startswith(b"PK")
    for ending in ("html", "pdf"):
        done = leitong("reposts", press, "-o", tmp_path / f"out.{ending}")
        assert (done.returncode, done.stdout) == (2, "")
        assert "one of json, csv, xlsx" in done.stderr


@pytest.mark.parametrize("language", ["zh", "en"])
def test_table_says_that_the_witnesses_disagree(press, language):
    shown = leitong("reposts", press, language=language).stdout

    assert {"zh": "两说不合", "en": "They disagree"}[language] in shown
    assert {"zh": "文件名", "en": "file name"}[language] in shown


def test_dates_are_joined_libraries_searched_and_codes_returned(press, tmp_path):
    table = tmp_path / "dates.csv"
    rows = (
        "文件名,报刊,日期",
        "城市晚报 2021-03-03,晚报,2021-03-09",
        "本地宝 2021-03-01.txt,本地,三月",
    )
    table.write_text("\n".join(rows), "utf-8")
    done = leitong("reposts", press, "--metadata", table, "--json")
    versions = {row["name"][:3]: row for row in json.loads(done.stdout)["versions"]}
    assert (versions["城市晚"]["date"], versions["城市晚"]["date_from"]) == ("2021-03-09", "table")
    assert "2" in done.stderr.splitlines()[0]
    assert "三月" in done.stderr
    # library is searched
    held = tmp_path / "own.leitong"
    leitong("library", "--library", held, "add", "press", press / "城市晚报 2021-03-03.txt")
    asked = press / "本地宝 2021-03-01.txt"
    data = json.loads(leitong("reposts", asked, "--against", f"{held}:press", "--json").stdout)
    versions = {row["name"][:3]: row for row in data["versions"]}
    assert data["compared"] == 1
    assert versions["本地宝"]["asked"]
    assert versions["城市晚"]["collection"] == "press"
    assert versions["城市晚"]["received"] == f"{datetime.now(UTC):%Y-%m-%d}"
    # exit codes
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "a.txt").write_text(SENTENCES[0] * 2, "utf-8")
    assert leitong("reposts", press, "--fail-on-found").returncode == 1
    assert leitong("reposts", alone, "--fail-on-found").returncode == 0
    (press / "short.txt").write_text("字", "utf-8")
    assert leitong("reposts", press).returncode == 3
    assert leitong("reposts", tmp_path / "nothing").returncode == 2


@pytest.mark.parametrize("given", [[], ["--against", "x"]])
def test_watching_needs_a_folder_and_something_to_look_in(press, given):
    paths = [press] if not given else [press / "本地宝 2021-03-01.txt"]
    done = leitong("reposts", *paths, "--watch", *given)

    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1


def test_watching_goes_on_where_there_is_no_text_yet(tmp_path):
    t = translator("en")
    options = SimpleNamespace(json=True, quiet=True, metadata=None, language="en")
    (tmp_path / "inbox").mkdir()

    assert read_arrived([tmp_path / "inbox"], options, t) == []
    assert read_arrived([tmp_path / "gone.txt"], options, t) == []
    (tmp_path / "inbox" / "new.txt").write_text(article(), "utf-8")
    documents = read_arrived([tmp_path / "inbox" / "new.txt", tmp_path / "gone.txt"], options, t)
    assert [one.name for one in documents] == ["new.txt"]


@pytest.mark.parametrize("earlier", [True, False, None])
def test_alert_is_one_line(earlier):
    at = datetime(2026, 3, 2, 7, 30, tzinfo=UTC)
    documents = [Document.from_text(article(), name=name) for name in ("new\n.txt", "old.txt")]
    find = Find(at, *documents, share=0.62, others=1, earlier=earlier)
    for language in ("zh", "en"):
        t = translator(language)
        line = alert(find, SimpleNamespace(json=False, language=language), t)
        data = json.loads(alert(find, SimpleNamespace(json=True, language=language), t))

        assert "\n" not in line
        assert "2026-03-02T07:30:00Z" in line
        assert (data["share"], data["earlier"], data["others"]) == (0.62, earlier, 1)
        translated = replace(find, kind="translation")
        told = alert(translated, SimpleNamespace(json=False, language=language), t)
        assert {"zh": "可能译自", "en": "may be a translation of"}[language] in told


@pytest.mark.parametrize("language", ["zh", "en"])
def test_question_is_answered_before_the_groups(press, tmp_path, language):
    """A copy without a date: whose it is word for word, and that it came in last."""
    known = press / "城市晚报 2021-03-03.txt"
    offered = tmp_path / "offered.txt"
    offered.write_text(known.read_text("utf-8"), "utf-8")
    shown = leitong("reposts", offered, "--against", known, language=language).stdout
    said = {
        "zh": ("逐字相同", "今天收到", "日期说城市晚报 2021-03-03.txt最早"),
        "en": ("This is word for word", "received today", "The dates say 城市晚报 2021-03-03.txt"),
    }

    assert said[language][0] in shown.splitlines()[0]
    assert "2021-03-03" in shown.splitlines()[0]
    assert all(words in shown for words in said[language][1:])
    assert {"zh": "认对", "en": "groups of known order"}[language] not in shown


def test_further_source_stands_in_table_and_csv(press, tmp_path):
    other = "\n".join(OTHER)
    first, second = press / "城市晚报 2021-03-03.txt", tmp_path / "图书馆 2020-01-01.txt"
    second.write_text(other, "utf-8")
    offered = tmp_path / "offered.txt"
    offered.write_text(article(0, 1, 2, 3, 4, 5) + "\n" + "\n".join(OTHER[:3]), "utf-8")
    known = ("--against", first, "--against", second)
    table = leitong("reposts", offered, *known, language="en").stdout
    rows = list(csv.DictReader(io.StringIO(
        leitong("reposts", offered, *known, "--format", "csv").stdout
    )))  # fmt: skip
    roles = {row["name"]: row["role"] for row in rows}

    assert "Further source: “图书馆" in table
    assert "further source" in table
    assert roles == {
        "城市晚报 2021-03-03.txt": "version",
        "offered.txt": "version",
        "图书馆 2020-01-01.txt": "further",
    }
    assert len({row["group"] for row in rows}) == 1
