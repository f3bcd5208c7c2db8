"""Every figure of the pages about pairs and texts, read back and worked out from the passages."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from golden.collection import collection
from golden.runs import common_paragraphs, whole
from page_texts import integers, numbers_of, said
from recomputed import Judge

from simhash_core import CheckResult, Document, check
from simhash_core.cases import case_rows
from simhash_core.result import list_rows

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
    return [json.loads(proto.json) for proto in held if proto.component_name.endswith(name)]


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


@pytest.mark.long
def test_overview_says_what_the_passages_give(open_app, language, batch):
    result, judge = checked(batch), judged(batch)
    app = open_app("results", language=language, result=result)
    tables = lists(app)
    names = [document.name for document in result.documents]

    assert tables["texts"]
    for row in tables["texts"]:
        text, figures = (
            judge.text(names.index(row["whole"])),
            judge.figures(names.index(row["whole"])),
        )
        assert said_percent(row["total"]) == text.percent
        assert said_percent(row["same"]) == text.part("identical")
        assert dict(row["parts"]["parts"]) == {
            name: text.units(name) for name in ("identical", "reworded", "moved", "own", "left_out")
        }
        assert integers(row["counted"]) == [text.counted, text.whole]
        assert integers(row["longest"]) == [figures["longest_run"]]


@pytest.mark.long
def test_pairs_of_the_overview_say_what_the_passages_give(open_app, language, batch):
    result, judge = checked(batch), judged(batch)
    app = open_app("results", language=language, result=result)
    app.segmented_control(key="by").set_value("pairs").run()
    rows = lists(app)["pairs"]
    names = [document.name for document in result.documents]
    ends = {frozenset(pair): row for row, pair in enumerate(judge.ends)}

    assert len(rows) == len(case_rows(result))
    for shown in rows:
        a, b = names.index(shown["first_whole"]), names.index(shown["second_whole"])
        row = ends[frozenset((a, b))]
        sides = judge.pair(row)[:: 1 if judge.ends[row] == (a, b) else -1]
        assert [said_percent(shown["text_first"]), said_percent(shown["text_second"])] == [
            one.percent for one in sides
        ]
        assert integers(shown["longest"])[:1] in ([judge.longest_run(row)], [])


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
        app = open_app("results", language=language, result=result, pair=f"{a},{b}")
        first, second, longest, passages, *_ = numbers_of(app)
        splits = judge.pair(row)
        assert [said_percent(first), said_percent(second)] == [one.percent for one in splits]
        assert (integers(longest) or [0])[0] == judge.longest_run(row)
        assert integers(passages) == [judge.passages(row)]
        assert sums_of(app) == [one.sum for one in splits]


@pytest.mark.long
def test_review_says_what_the_passages_give(open_app, language, batch):
    result, judge = checked(batch), judged(batch)
    (desk,) = component(open_app("review", language=language, result=result), "desk")

    assert len(desk["queue"]["rows"]) == desk["queue"]["n"] == len(case_rows(result))
    for shown in desk["queue"]["rows"]:
        splits = judge.pair(shown["row"])
        assert [said_percent(shown[f"text_{side}"]) for side in "ab"] == [
            one.percent for one in splits
        ]
        assert (integers(shown["longest"]) or [0])[0] == judge.longest_run(shown["row"])
    splits = judge.pair(desk["case"]["row"])
    for side, split in zip(desk["case"]["sides"], splits, strict=True):
        percents = re.findall(r"不到 1%|under 1%|\d+%", side["sub"])
        assert [said_percent(one) for one in percents] == [split.percent]
        assert integers(side["sub"].replace(percents[0], ""))[-2:] == [split.counted, split.whole]
