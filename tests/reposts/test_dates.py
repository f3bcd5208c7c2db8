"""Dates as the details, the name, the address or the head of a text give them."""

from __future__ import annotations

import pytest

from simhash_core.model import Document
from simhash_core.reposts import moment_of, read_date


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2025-11-03", "2025-11-03"),
        ("2025-11-03T07:10:00+08:00", "2025-11-03 07:10"),
        ("2025年11月3日 07:10", "2025-11-03 07:10"),
        ("2025/11/3", "2025-11-03"),
        ("2025年11月", "2025-11"),
        ("20251103", "2025-11-03"),
        ("3 November 2025", "2025-11-03"),
        ("Nov. 3, 2025", "2025-11-03"),
        ("rust-ch03-04-comments-2016.md", "2016"),
    ],
)
def test_date_is_read_as_it_is_written(text: str, shown: str) -> None:
    moment = read_date(text)

    assert moment.shown == shown


@pytest.mark.parametrize("text", ["", "2025-13-01", "2025-02-30", "1.2025.3.4.5", "12345678901"])
def test_what_is_no_date_is_none(text: str) -> None:
    moment = read_date(text, bare_year=False)

    assert moment is None or moment.shown == "2025-02"


def test_moments_are_compared_across_zones_and_precisions() -> None:
    first, second = read_date("2025-11-03T07:10+08:00"), read_date("2025-11-03T00:30Z")
    assert second is not None
    assert first.before(second)

    day, hour, next_day = map(read_date, ("2025-11-03", "2025-11-03 07:10", "2025-11-04"))
    assert next_day is not None
    assert not day.before(hour)
    assert not hour.before(day)
    assert day.before(next_day)


@pytest.mark.parametrize(
    ("document", "source"),
    [
        (Document.from_text("正文", name="2024-01-01.txt", date="2025-11-03"), "table"),
        (Document.from_text("正文", name="城市晚报-2025-11-03.txt"), "name"),
        (
            Document.from_text("正文", name="a", url="https://a.example/2025/11/03/b.html"),
            "address",
        ),
        (Document.from_text("煤气路灯\n2025-11-03 07:10 来源：城市晚报\n正文……", name="a"), "text"),
        (Document.from_text("Lamps\nPublished: 3 November 2025\nThe text.", name="a"), "text"),
    ],
)
def test_date_says_where_it_stands(document: Document, source: str) -> None:
    moment = moment_of(document)

    assert moment.source == source
    assert moment.shown.startswith("2025-11-03")


def test_date_in_the_story_is_not_its_date() -> None:
    story = "路灯\n1987年3月5日，他第一次点亮了这盏灯，那一年他二十二岁，住在河边的老街上。" * 3

    assert moment_of(Document.from_text(story, name="a")) is None
