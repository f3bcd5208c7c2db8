"""Planted reposts and chains of revisions: what is planted, and how it is counted."""

from __future__ import annotations

import random

import pytest

from simhash_core.lab.measurements.reposts import (
    NEEDED,
    PARAGRAPH,
    RATES,
    Chain,
    _in_order,
    _scores,
    chain_order,
    plant,
)

WORDS = "河边桥头灯火雨夜船码街老人孩子树叶风雪山路远近春秋"


def pieces(n: int) -> list[str]:
    draw = random.Random(1)
    return ["".join(draw.choices(WORDS, k=900)) for _ in range(n)]


@pytest.mark.long
def test_every_kind_is_planted_with_an_older_original() -> None:
    archive, planted = plant(pieces(NEEDED * 2 + 3), 2, random.Random(2))

    assert len(planted) == 2 * (len(RATES) + 2)
    for one in planted:
        if one.original < 0:
            assert one.kind == "clean"
            continue
        dates = [archive[one.original + step].meta["date"] for step in (0, 1)]
        assert [*dates, one.document.meta["date"]] == sorted([*dates, one.document.meta["date"]])


@pytest.mark.long
def test_paragraph_is_whole_in_another_text() -> None:
    archive, planted = plant(pieces(NEEDED), 1, random.Random(3))
    (one,) = (one for one in planted if one.kind == "paragraph")
    copies = [archive[one.original + step].text for step in (0, 1)]
    paragraph = one.document.text.split("\n")[1]

    assert len(paragraph) == PARAGRAPH
    assert any(paragraph in copy for copy in copies)


def test_equal_texts_have_no_order() -> None:
    chain = Chain("a", "zh", ("一", "二", "二", "三"))

    assert _in_order(chain, [0, 2, 1, 3])
    assert not _in_order(chain, [0, 3, 1, 2])
    assert _scores(chain, [0, 2, 1, 3], random.Random(1))[:4] == [1.0, 1.0, 1.0, 1.0]
    assert _scores(chain, [3, 2, 1, 0], random.Random(1))[:2] == [0.0, 1.0]
    assert _scores(chain, [3], random.Random(1))[:3] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_order_does_not_depend_on_the_order_of_the_files(seed: int) -> None:
    first, second, third = (list(piece) for piece in pieces(3))
    states = ["".join(first), "".join(first[:600] + second[:100] + first[700:])]
    states.append(states[-1][:200] + "".join(third[:100]) + states[-1][300:])
    order = chain_order(Chain("a", "zh", tuple(states)), random.Random(seed))

    assert order in ([0, 1, 2], [2, 1, 0])
