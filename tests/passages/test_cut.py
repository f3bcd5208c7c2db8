"""What is left of passages where some tokens do not count."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from plain import view_of
from prose import english, replaced

from simhash_core.model import PASSAGE_KINDS
from simhash_core.passages.align import align, align_whole
from simhash_core.passages.cut import cut, token_ranges, tokens_within

PAIR = np.array([[0, 1]])
IDENTICAL, REWORDED = PASSAGE_KINDS.index("identical"), PASSAGE_KINDS.index("reworded")


def words(n: int) -> str:
    return " ".join(f"word{i}" for i in range(n))


def test_nothing_is_cut_where_everything_counts() -> None:
    texts = [view_of(english(1, 80)), view_of(replaced(english(1, 80), 0.1, 2))]
    passages = align(*texts)
    pieces = cut(texts, PAIR, passages, [np.ones(len(text), bool) for text in texts])

    assert len(passages)
    for left, before in zip(pieces.passages.columns(), passages.columns(), strict=True):
        assert left.tolist() == before.tolist()
    assert pieces.origin.tolist() == list(range(len(passages)))


def test_what_does_not_count_on_one_side_is_gone_on_both() -> None:
    texts = [view_of(words(30)), view_of(words(30))]
    counted = [np.ones(30, bool), np.ones(30, bool)]
    counted[0][10:15] = False
    left = cut(texts, PAIR, align_whole(*texts), counted).passages

    assert left.words_a.tolist() == left.words_b.tolist() == [10, 15]
    assert left.shared_a.tolist() == left.shared_b.tolist() == [10, 15]
    assert left.a_start.tolist() == left.b_start.tolist() == [0, int(texts[0].start[15])]
    assert left.a_end.tolist() == [int(texts[0].end[9]), int(texts[0].end[29])]


def test_a_piece_without_changed_words_is_identical() -> None:
    first, second = english(3, 60), english(4, 60)
    texts = [view_of(f"{first} {second}"), view_of(f"{first} {replaced(second, 0.2, 5)}")]
    passages = align(*texts)
    assert passages.kind.tolist() == [REWORDED]
    counted = [np.ones(len(text), bool) for text in texts]
    for mask in counted:
        mask[58:62] = False
    left = cut(texts, PAIR, passages, counted).passages

    assert left.kind.tolist() == [IDENTICAL, REWORDED]
    assert left.changed[0] == 0 < left.changed[1]


def test_a_replaced_stretch_goes_with_the_side_that_does_not_count() -> None:
    before, after = english(9, 40), english(10, 40)
    a, b = f"{before} alpha beta gamma {after}", f"{before} delta epsilon {after}"
    texts = [view_of(a), view_of(b)]
    whole = align(*texts)
    assert len(whole) == 1
    counted = [np.ones(len(text), bool) for text in texts]
    counted[0][40:43] = False
    left = cut(texts, PAIR, whole, counted).passages
    shown = [b[i:j] for i, j in zip(left.b_start, left.b_end, strict=True)]

    assert len(left) == 2
    assert not any("delta" in part or "epsilon" in part for part in shown)


def test_tokens_are_inside_a_range_also_in_part() -> None:
    text = view_of("one two three four")

    assert tokens_within(text, [(5, 8)]).tolist() == [*(False, True, False, False)]
    assert tokens_within(text, [(2, 4), (14, 18)]).tolist() == [True, False, False, True]
    assert not tokens_within(text, [(3, 4)]).any()


@given(
    st.lists(st.booleans(), min_size=70, max_size=70),
    st.lists(st.booleans(), min_size=70, max_size=70),
    st.floats(0, 0.3),
)
def test_pieces_hold_only_what_counts(in_a: list[bool], in_b: list[bool], share: float) -> None:
    texts = [view_of(english(7, 70)), view_of(replaced(english(7, 70), share, 8))]
    passages = align(*texts)
    counted = [np.array(side)[: len(text)] for side, text in zip((in_a, in_b), texts, strict=True)]
    pieces = cut(texts, PAIR, passages, counted)
    for side, start, end in ((0, pieces.passages.a_start, pieces.passages.a_end),
                             (1, pieces.passages.b_start, pieces.passages.b_end)):  # fmt: skip
        rows = np.full(len(start), side)
        first, last = token_ranges(texts, rows, start, end)
        assert (last > first).all()
        for low, high in zip(first, last, strict=True):
            assert counted[side][low:high].all()
    assert (np.isin(pieces.origin, np.arange(len(passages)))).all()
