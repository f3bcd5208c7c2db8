"""What kinds of characters a text holds: counted as a person would."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles.classes import LONG_RUN, count_characters

from simhash_core.text import classes, disguises, language, reading
from simhash_core.text.classes import (
    BACKWARDS,
    LOOKED_AT,
    WORDS_LOOKED_AT,
    Characters,
    characters_of,
)

PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            (*BACKWARDS, " EHT ", "eht ", "们我们", "tthe ", " a b", " a 　\nb ", "0", "c4t ", "é")
        ),
        st.sampled_from(
            ("\ue000", "x" * LONG_RUN, "a1b2$@c", "的一是", "Ελ", "\u0301", "\x1c", "\ud800")
        ),
        st.text(max_size=8),
    ),
    max_size=30,
)


MARKED_BY = (disguises, language, reading)  # each marks the characters that it asks for


class AsRead:
    """Plain Python, called as the loop is."""

    @staticmethod
    def count_characters(points, table, bounds, _, needles, ends, __, ___, *written) -> None:  # type: ignore[no-untyped-def]
        count_characters(points, table, bounds, needles, ends, *written)


def by_both(text: str) -> list[Characters]:
    """Count by C and by plain Python."""
    in_c = characters_of(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classes, "LOOPS", AsRead)
        return [in_c, characters_of(text)]


@given(PIECES, st.sampled_from((0, WORDS_LOOKED_AT - 20, LOOKED_AT - 20)))
@example([" eht eht eht "], 0)
@example([" a b"], WORDS_LOOKED_AT - 20)
def test_characters_are_counted_as_plain_python_counts_them(pieces: list[str], before: int) -> None:
    in_c, readable = by_both("。" * before + "".join(pieces))

    assert in_c[1:-1] == readable[1:-1]
    assert np.array_equal(in_c.classes, readable.classes)
    assert np.array_equal(in_c.of_letter, readable.of_letter)


def test_known_numbers_and_an_empty_text() -> None:
    text = f"The ccat  a\tb c4t $1é eht 们我们我 的 \ue000 {'y' * LONG_RUN}"
    for counted in by_both(text):
        assert (counted.letters, counted.words, counted.in_long) == (44, 8, LONG_RUN)
        assert (counted.signs, counted.signs_after, counted.beside) == (3, 1, 1)
        assert counted.doubled == 2
        assert (counted.han, counted.usual_han, counted.accented, counted.private) == (5, 5, 1, 1)
        assert (counted.spaced, counted.backwards) == (1, 3)
        assert counted.of_letter[[0, 2, 25]].tolist() == [2, 3, 0]
        assert counted.beyond == 7
    for counted in by_both(""):
        assert not any(counted[1:-1])
        assert counted.of_letter.tolist() == [0] * 26
