"""Every figure of the pages about pairs and texts, read back and worked out from the passages."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from desk_tab import Tab, kept
from golden.collection import collection
from golden.runs import common_paragraphs, whole
from page_texts import integers, numbers_of, said, unpacked
from recomputed import Judge, Split

from pages._ui.shared.navigation import find_row
from simhash_core import CheckResult, Document, check
from simhash_core.cases import own_units
from simhash_core.result import list_rows
from simhash_core.review import cases
from simhash_core.seen import view_at_threshold

BATCHES = ("25", "25-template")
SHOWN = 6  # pairs and texts that are opened one by one


@cache
def checked(batch: str) -> CheckResult:
    """A golden batch; with what three texts hold word for word given as a template."""
    made = collection(25)
    if batch == "25":
        return whole(made)
    documents = [Document.from_text(text, name=name) for name, text in made.texts.items()]
    given = [Document.from_text(text, name="given") for text in common_paragraphs(made)]
    return check(documents, templates=given)


@cache
def judged(batch: str) -> Judge:
    return Judge(checked(batch))


@pytest.fixture(params=BATCHES)
def batch(request):
    return str(request.param)


def component(app: Any, name: str) -> list[dict[str, Any]]:
    """Return what the components of a name were given."""
    held = [element.proto for element in app.get("bidi_component")]
    return [
        unpacked(json.loads(proto.json)) for proto in held if proto.component_name.endswith(name)
    ]


def lists(app: Any) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each list by the name of its table."""
    groups = [group for one in component(app, "list") for group in one["groups"]]
    return {group["name"]: group["rows"] for group in groups}


def said_percent(text: str) -> str:
    """A percent without the words and the language around it."""
    shown = re.sub(r"<[^>]*>", "", text)
    less = "under 1%" if re.search(r"不到|under", shown) else ""
    return less or re.search(r"\d+%", shown)[0]  # type: ignore[index]


def sums_of(app: Any) -> list[list[int]]:
    """The integers of each line that adds a text up."""
    lines = re.findall(r'<div class="lt-sum">.*</span><span>(.*?)</span></div>', said(app))
    return [integers(line) for line in lines]


def shared_of(split: Split) -> list[int]:
    """What is shared and what counts, as a fraction is written."""
    return [sum(map(split.units, ("identical", "reworded", "moved"))), split.counted]


def numbered(result: CheckResult) -> dict[int, int]:
    """The row of each pair that is a case, by its number."""
    view = view_at_threshold(result, result.threshold)
    return {one.number: one.row for one in cases(result, view, {}) if not one.alike}


@pytest.mark.long
def test_pupils_say_what_the_passages_give(open_app, language, batch):
    result, judge = checked(batch), judged(batch)
    app = open_app("results", language=language, result=result, view="pupils")
    for shown in lists(app)["pupils"]:
        row = find_row(result.documents, shown["id"])
        assert row is not None
        tones = shown["tones"]
        assert integers(tones["text"]) == shared_of(judge.text(row))
        assert tones["two"] + tones["few"] + tones["many"] == integers(tones["text"])[0]


@pytest.mark.long
def test_cases_say_what_the_passages_give(open_app, language, batch):
    result, judge = checked(batch), judged(batch)
    app = open_app("results", language=language, result=result)
    rows, named = lists(app)["pairs"], numbered(result)

    assert {int(shown["id"]) for shown in rows} == set(named)
    for shown in rows:
        row = named[int(shown["id"])]
        tones = shown["tones"]
        assert integers(tones["text"]) in [shared_of(one) for one in judge.pair(row)]
        assert tones["two"] + tones["few"] + tones["many"] == integers(tones["text"])[0]
        assert shown["longest"][0] == judge.longest_run(row)


@pytest.mark.long
def test_documents_say_what_the_passages_give(open_app, language, batch):
    result, judge = checked(batch), judged(batch)
    for row in range(0, len(result.documents), len(result.documents) // SHOWN):
        app = open_app("results", language=language, result=result, text=str(row), unfolded=True)
        total, single, longest, sources, counted = numbers_of(app)
        text, figures = judge.text(row), judge.figures(row)
        shares = [judge.pair(at)[side] for at, side, _ in judge.pairs_of(row)]
        largest = max(shares, key=lambda one: one.total, default=text)
        assert (said_percent(total), said_percent(single)) == (text.percent, largest.percent)
        assert (integers(longest) or [0])[0] == figures["longest_run"]
        assert integers(sources) == [figures["sources"]]
        assert integers(counted) == [text.counted, text.whole]
        assert sums_of(app) == [text.sum]


@pytest.mark.long
def test_compare_says_what_the_passages_give(open_app, language, batch):
    result, judge = checked(batch), judged(batch)
    rows = list_rows(result)
    for row in rows[:: max(1, len(rows) // SHOWN)].tolist():
        a, b = judge.ends[row]
        app = open_app("results", language=language, result=result, pair=f"{a},{b}", unfolded=True)
        first, second, longest, passages, *_ = numbers_of(app)
        splits = judge.pair(row)
        assert [said_percent(first), said_percent(second)] == [one.percent for one in splits]
        assert (integers(longest) or [0])[0] == judge.longest_run(row)
        assert integers(passages) == [judge.passages(row)]
        assert sums_of(app) == [one.sum for one in splits]


@pytest.mark.long
def test_review_says_what_the_passages_give(language, batch):
    result, judge = checked(batch), judged(batch)
    tab, named = Tab(kept(result), language), numbered(result)
    rows = [shown for shown in tab.listed["rows"] if "a" in shown and not shown["alike"]]

    assert {shown["number"] for shown in rows} == set(named)
    for shown in rows:
        assert integers(shown["facts"])[0] == min(own_units(result, named[shown["number"]]))
    opened = rows[0]["number"]
    tab.does({"type": "open", "number": opened})
    splits = judge.pair(named[opened])
    for side, split in zip(tab.shown["case"]["sheet"]["sides"], splits, strict=True):
        assert integers(side["sub"])[-2:] == shared_of(split)
