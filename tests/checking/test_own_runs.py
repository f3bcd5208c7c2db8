"""The pairs that alone share runs, against a slow obvious judge; what they are found by."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain import view_of

from simhash_core import CheckResult, Document, Settings, check
from simhash_core.cases import case_rows
from simhash_core.checking import own_runs
from simhash_core.checking.own_runs import OwnRuns
from simhash_core.policy import HOLDER_RUN

WORDS = ["stone", "river", "lamp", "bridge"]
WIDE = HOLDER_RUN["en"]


def judged(at: list[list[int]], gap: int) -> int:
    """The most words of one place, counted one by one."""
    places: list[list[list[int]]] = []
    for run in at:
        near = places and max(abs(a - b) for a, b in zip(run, places[-1][-1], strict=True)) <= gap
        places[-1].append(run) if near else places.append([run])
    covered = [{word for run in one for word in range(run[0], run[0] + WIDE)} for one in places]
    return max(map(len, covered), default=0)


@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=14), min_size=2, max_size=6),
    st.sampled_from([1, 3, 50]),
)
def test_runs_that_two_texts_have_and_no_third(words: list[list[str]], gap: int) -> None:
    runs = [[tuple(text[at : at + WIDE]) for at in range(len(text) - WIDE + 1)] for text in words]
    own = OwnRuns.of([view_of(" ".join(text)) for text in words])
    width = np.full(len(words), WIDE)

    for left, right in itertools.combinations(range(len(words)), 2):
        both = {
            run
            for run in runs[left]
            if run in runs[right]
            and not any(run in runs[row] for row in range(len(words)) if row not in (left, right))
        }
        places = sorted(runs[left].index(run) for run in both)
        held = own.at[own.rows(left, right)]
        assert held.tolist() == [[at, runs[right].index(runs[left][at])] for at in places]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(own_runs, "OWN_GAP", gap)
            found = own.words(np.array([[left, right]]), width).tolist()
        assert found == [judged(held.tolist(), gap)]


def class_of(n: int) -> list[Document]:
    """Texts on one task, of few words that all use, and a copy of 40 words with a fifth replaced.

    The words of a class weigh little, and the copy has not the strength of a passage.
    """
    draw = random.Random(5)
    words = [f"term{number}" for number in range(200)]
    often = [1 / (number + 3) for number in range(200)]
    texts = [draw.choices(words, often, k=200) for _ in range(n)]
    piece = texts[0][20:60]
    for at in range(4, 40, 5):
        piece[at] = draw.choice(words)
    texts[1][60:60] = piece
    return [Document.from_text(" ".join(text), name=f"{row}.txt") for row, text in enumerate(texts)]


def found(result: CheckResult) -> list[tuple[int, int]]:
    pairs, rows = result.table.pairs, case_rows(result)
    return list(zip(pairs.left[rows].tolist(), pairs.right[rows].tolist(), strict=True))


@pytest.mark.parametrize(
    ("texts", "strength", "expected"),
    [(40, None, [(0, 1)]), (40, 5.4, [])],
    ids=["weighed by the class", "by a strength that was asked for"],
)
def test_a_reworded_copy_that_only_two_have_is_found_in_a_class(
    texts: int, strength: float | None, expected: list[tuple[int, int]]
) -> None:
    settings = Settings(meaning="off", strength=strength)

    assert found(check(class_of(texts), settings=settings)) == expected
