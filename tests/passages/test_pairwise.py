"""Many pairs in one call: the loops give the passages that plain Python gives."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from oracles.as_called import AsRead, Rows
from plain import view_of
from prose import chinese, english, replaced

from simhash_core.model import Passages
from simhash_core.passages import align
from simhash_core.passages.align import align_sides, side_of
from simhash_core.passages.options import AlignOptions
from simhash_core.passages.tokenized import document_frequencies


def around(seed: int, middle: str, *, han: bool = False) -> str:
    """Put a stretch between two stretches of other text."""
    write = chinese if han else english
    return f"{write(seed, 250)}\n\n{middle}\n\n{write(seed + 500, 150)}"


def of_english() -> list[str]:
    copied, task = english(1, 120), english(2, 60)
    shortened = " ".join(copied.split(" ")[::3])
    texts = [around(10 + i, replaced(copied, share, i)) for i, share in enumerate((0, 0.2, 0.5))]
    texts += [around(20 + i, task) for i in range(3)]
    texts += [copied, shortened, english(3, 6), english(3, 6), "to be or not " * 40]
    return [*texts, "to be or not " * 45, around(30, english(1, 25)), *map(english, (4, 5), (9, 0))]


def of_chinese() -> list[str]:
    copied, formula = chinese(1, 200), chinese(2, 30)
    texts = [
        around(10 + i, replaced(copied, share, i, han=True) + formula, han=True)
        for i, share in enumerate((0, 0.1, 0.3, 0.5))
    ]
    return [*texts, copied[:90], formula, chinese(3, 400) + formula, around(40, formula)]


def rows(passages: Passages) -> list[tuple[object, ...]]:
    """Return passages as rows, strengths rounded."""
    columns = [getattr(passages, name).tolist() for name in Passages.__dataclass_fields__]
    return [
        tuple(round(value, 4) if isinstance(value, float) else value for value in row)
        for row in zip(*columns, strict=True)
    ]


@pytest.mark.long
@pytest.mark.parametrize("with_batch", [False, True])
@pytest.mark.parametrize(("language", "texts"), [("en", of_english()), ("zh", of_chinese())])
def test_passages_are_those_of_plain_python(
    monkeypatch: pytest.MonkeyPatch, language: str, texts: list[str], with_batch: bool
) -> None:
    tokenized = [view_of(text) for text in texts]
    df = document_frequencies(tokenized) if with_batch else None
    sides = [side_of(one, df) for one in tokenized]
    pairs = np.array(list(combinations(range(len(texts)), 2)))
    options = AlignOptions.for_language(language, frequencies=with_batch)

    passages = [align_sides(sides, pairs, options=options)]
    monkeypatch.setattr(align, "LOOPS", AsRead)
    monkeypatch.setattr(align, "Table", Rows)
    passages.append(align_sides(sides, pairs, options=options))

    assert len(np.unique(passages[0].pair[~passages[0].weak])) > 3
    assert rows(passages[0]) == rows(passages[1])


def test_only_pairs_that_share_something_that_counts() -> None:
    tokenized = [view_of(text) for text in of_english()]
    sides = [side_of(one, None) for one in tokenized]
    pairs = np.array(list(combinations(range(len(sides)), 2)))
    options = AlignOptions.for_language("en", frequencies=False)

    every = align_sides(sides, pairs, options=options)
    listed = np.zeros(len(pairs), np.bool_)
    counted = align_sides(sides, pairs, options=options, listed=listed)

    with_others = np.isin(every.pair, every.pair[~every.weak])
    assert not with_others.all()
    assert rows(counted) == rows(every.take(with_others))


def test_pairs_of_any_order_and_language_are_aligned_alone() -> None:
    tokenized = [view_of(text) for text in (*of_english()[:3], *of_chinese()[:3])]
    sides = [side_of(one, None) for one in tokenized]
    pairs = np.array([(4, 3), (0, 1), (0, 4), (2, 1), (5, 4)])

    passages = align_sides(sides, pairs, options=None)

    for row, pair in enumerate(pairs):
        alone = align_sides(sides, pair[None], options=None)
        of_pair = passages.take(passages.pair == row)
        assert rows(of_pair.of_pairs(np.zeros(len(of_pair), np.int64))) == rows(alone)
