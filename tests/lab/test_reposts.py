"""Chains of known order and planted reposts: what is made, and how it is counted."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("simhash_core.reposts")  # a leaf that this one measures

from simhash_core.lab.reposts import (
    DATES,
    EACH,
    HOSTS,
    KINDS,
    PARAGRAPH,
    Known,
    date_versions,
    lines_of,
    order_tables,
    plants_of,
)

WORDS = "河边桥头灯火雨夜船码街老人孩子树叶风雪山路远近春秋"


def paragraphs(n: int, seed: int) -> str:
    draw = random.Random(seed)
    return "\n".join("".join(draw.choices(WORDS, k=120)) + "。" for _ in range(n))


@pytest.mark.parametrize("dates", DATES)
def test_dates_are_right_missing_false_reversed_or_none(dates: str) -> None:
    days = date_versions(Known("act", "a", ("一", "二", "三")), dates, random.Random(1))

    assert len(days) == 3
    if dates == "right":
        assert days == sorted(days) and all(days)
    elif dates == "reversed":
        assert days == sorted(days, reverse=True) and all(days)
    elif dates == "false":
        assert min(days) != days[0]
    else:
        assert "" in days


@pytest.mark.long
def test_every_kind_is_planted_from_sources_of_its_own() -> None:
    archive = [(f"text {n}", paragraphs(14, n)) for n in range((len(KINDS) + 1) * EACH)]
    hosts = [paragraphs(8, 1000 + n) for n in range(HOSTS)]
    texts = dict(archive)

    planted = plants_of(archive, hosts, random.Random(2))

    names = [name for one in planted for name in one.sources]
    assert len(planted) == len(KINDS) * EACH and len(set(names)) == len(names)
    for one in planted:
        source = texts[one.sources[0]]
        assert len(one.sources) == (2 if one.kind == "merged" else 1)
        if one.kind == "paragraph":
            part = one.text.split("\n")
            start = (len(source) - PARAGRAPH) // 2
            assert source[start : start + PARAGRAPH] in one.text and len(part) > 3
        elif one.kind == "reordered":
            assert sorted(lines_of(one.text)) == sorted(lines_of(source))
        elif one.kind in ("cut", "excerpt"):
            assert set(lines_of(one.text)) < set(lines_of(source))
        elif one.kind == "verbatim":
            assert one.text == source


@pytest.mark.parametrize("seed", [1, 2])
def test_dates_that_are_right_put_the_first_version_first(seed: int) -> None:
    first = paragraphs(8, 5)
    lines = lines_of(first)
    texts = (first, "\n".join([*lines[:6], paragraphs(2, 6)]), "\n".join(lines[:5]))
    orders, levels = order_tables([Known("act", "a", texts)], seed, lambda *_: None)
    rows = {(row[0], row[1]): row[2:] for row in orders.rows}

    assert set(rows) == {
        (f"order_{kind}", f"dates_{dates}") for kind in ("act", "all") for dates in DATES
    }
    assert rows["order_act", "dates_right"][:3] == (1, 1, 1)
    assert rows["order_act", "dates_right"] == rows["order_all", "dates_right"]
    assert sum(row[2] for row in levels.rows if row[1] == "order_all") == 1
