"""The search of the review desk, in both languages."""

from __future__ import annotations

import pytest

from simhash_core.errors import BadInput
from simhash_core.model import Decision
from simhash_core.review import Batch, Case, parse

NAMES = ["08-刘子墨.docx", "21-郑可欣.txt", "Emma Clarke.docx"]
BATCH = Batch(NAMES, ["一班", "一班", "B"], [frozenset({0, 1, 2}), frozenset({0, 2})])


def case(**changed: object) -> Case:
    values: dict[str, object] = {
        "number": 1, "row": 0, "a": 0, "b": 1, "key": ("x", "y"), "cluster": 1, "share_a": 0.3,
        "share_b": 0.57, "longest": 31, "passages": 4, "decision": None,
    }  # fmt: skip
    return Case(**{**values, **changed})  # type: ignore[arg-type]


def holds(text: str, one: Case) -> bool:
    return parse(text).matches(one, BATCH)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True),
        ("overlap>40", True),
        ("overlap>57.1", False),
        ("重合＞40 最长>20", True),
        ("重合>=57 处:4", True),
        ("run>31", False),
        ("longest>=31", True),
        ("簇：2", True),
        ("cluster:1", False),
        ("passage:1", True),
        ("段：2", False),
        ("段:3", False),
        ("人:郑", True),
        ("name:clarke", False),
        ("-by:clarke", True),
        ("group:一班", True),
        ("刘子墨", True),
        ('"刘子墨.docx"', True),
        ("nobody", False),
        ("undecided", True),
        ("未判 -有批注", True),
        ("decided", False),
        ("-", True),
    ],
)
def test_terms(text: str, expected: bool) -> None:
    assert holds(text, case()) is expected


def test_flags_follow_the_decision() -> None:
    one = case(decision=Decision("confirmed", note="两段相同"))

    assert holds("确认 有批注 decided", one)
    assert not holds("undecided", one)
    assert holds("-later -ok", one)


@pytest.mark.parametrize("text", ["overlap>", "重合>x", "cluster:two", "name>3", "longest:1e9"])
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse(text)
    assert caught.value.code == "bad_query"


@pytest.mark.parametrize("text", ["name:郑", "郑", "group:B", "-人:刘"])
def test_hidden_names_answer_no_search(text: str) -> None:
    with pytest.raises(BadInput):
        parse(text, blind=True)
    assert parse("overlap>40 cluster:2 undecided", blind=True).terms


def test_a_long_query_is_cut() -> None:
    assert len(parse("x " * 10_000).terms) == 200
