"""How a pair is laid out for reading: pure functions, real arrays."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.model import MOVED, SHARED, Note, Passages, Stretches
from simhash_core.people.masking import Mask
from simhash_core.report.collation import reading
from simhash_core.report.collation.reading import Match, counterparts, split_passages
from tests.page_texts import HILL, OTHER, ROPE

ZH = "我的表弟今年上四年级。\n小红花答对一道题，就送他一朵小红花。\n表弟很喜欢它，因为它从不皱眉。"

FIRST = "\n".join(
    f"第{n}段说的是院子里的第{n}棵树，它在{n}月开花，花落的时候满地都是白色。" for n in "一二三四五"
)
SECOND = FIRST.replace("院子", "花园").replace("满地", "地上")


def passages(*rows: tuple[int, int, int, int, int, bool]) -> Passages:
    table = np.array(rows, np.int64).reshape(-1, 6)
    spans = [table[:, column].astype(np.int32) for column in range(4)]
    return Passages(
        np.zeros(len(table), np.int64),
        *spans,
        table[:, 4].astype(np.uint8),
        np.full(len(table), 7, np.float32),
        table[:, 5].astype(bool),
        *(table[:, side + 1].astype(np.int32) - table[:, side] for side in (0, 2, 0, 2)),
    )


def test_matches_are_numbered_in_the_order_of_the_first_text() -> None:
    found = reading.matches(passages((50, 60, 80, 90, 0, False), (0, 10, 0, 10, 1, False)))
    assert [(m.number, m.kind, m.a) for m in found] == [
        (1, "reworded", (0, 10)),
        (2, "identical", (50, 60)),
    ]


def stretches(*rows: tuple[int, int, int, int]) -> Stretches:
    """Return what one pair shares: side, start, end, kind."""
    table = np.array(rows, np.int64).reshape(-1, 4)
    return Stretches(
        np.zeros(len(table), np.int64),
        table[:, 0].astype(np.uint8),
        table[:, 1].astype(np.int32),
        table[:, 2].astype(np.int32),
        table[:, 3].astype(np.uint8),
    )


def test_matches_whose_shared_text_is_moved_are_moved_and_keep_their_basis() -> None:
    found = reading.matches(
        passages(
            (0, 30, 100, 130, 0, False), (40, 45, 10, 15, 1, False), (50, 90, 140, 180, 0, False)
        ),
        stretches((0, 0, 30, SHARED), (0, 40, 44, SHARED), (0, 40, 44, MOVED), (0, 50, 90, SHARED)),
    )
    assert [(m.kind, m.basis) for m in found] == [
        ("identical", "identical"),
        ("moved", "reworded"),
        ("identical", "identical"),
    ]


def test_matches_weak_evidence_comes_last_with_numbers_of_its_own() -> None:
    found = reading.matches(
        passages((0, 9, 0, 9, 0, True), (20, 29, 20, 29, 1, False), (40, 49, 40, 49, 2, True))
    )
    assert [(m.number, m.kind) for m in found] == [(1, "reworded"), (1, "weak"), (2, "weak")]


def test_matches_summaries_are_never_moved() -> None:
    found = reading.matches(
        passages((0, 30, 300, 900, 2, False), (40, 99, 0, 59, 0, False)),
        stretches((0, 0, 30, SHARED), (0, 0, 30, MOVED), (0, 40, 99, SHARED)),
    )
    assert [m.kind for m in found] == ["summary", "identical"]


def test_difference_marks_chinese_by_character_and_english_by_word() -> None:
    a, b = "也不会因为是第三十本而失去耐心", "也不会因为改到第三十本就失去耐心"
    left, right = reading.difference(a, b)
    assert [a[s:e] for s, e in left] == ["是", "而"]
    assert [b[s:e] for s, e in right] == ["改到", "就"]
    a, b = "It grades homework quickly, and well", "it grades homework fast, and well"
    left, right = reading.difference(a, b)
    assert ([a[s:e] for s, e in left], [b[s:e] for s, e in right]) == (["quickly"], ["fast"])


def test_difference_does_not_mark_what_only_changed_its_place() -> None:
    first, second = "他每天早上七点钟起床跑步。", "晚上十点以前一定睡觉。"
    assert reading.difference(first + second, second + first) == ([], [])


def test_difference_of_long_passages_needs_no_alignment(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = "the old tree stands beside our field", "the old tree stood beside our field"
    monkeypatch.setattr(reading, "ALIGN_LIMIT", 0)
    left, right = reading.difference(a, b)
    assert (a[slice(*left[0])], b[slice(*right[0])]) == ("stands", "stood")


@given(st.text("一二三四 ab,.\n", max_size=60), st.text("一二三四 ab,.\n", max_size=60))
def test_difference_ranges_lie_in_the_text_and_rise(a: str, b: str) -> None:
    for text, ranges in zip((a, b), reading.difference(a, b), strict=True):
        edges = [edge for pair in ranges for edge in pair]
        assert edges == sorted(set(edges))
        assert not edges or 0 <= edges[0] < edges[-1] <= len(text)


def test_paragraphs_follow_lines_in_chinese_and_blank_lines_in_wrapped_english() -> None:
    assert [ZH[s:e] for s, e in reading.paragraphs(ZH)] == ZH.split("\n")
    wrapped = "\n".join(["words that go on and on until the edge of the page is reached"] * 6)
    text = f"{wrapped}\n\nA second one, short.\r\n\r\nEnd."
    assert [text[s:e] for s, e in reading.paragraphs(text)] == [
        wrapped,
        "A second one, short.",
        "End.",
    ]


def test_tight_joins_lines_of_code_but_not_the_paragraphs_of_an_essay() -> None:
    text = "Intro.\n\n```\nfn main() {\n}\n```\n\nNext.\n\nLast."
    assert reading.mark_tight(text, reading.paragraphs(text)) == [
        *(False, False, True, True, True, False, False)
    ]
    assert reading.mark_tight(ZH, reading.paragraphs(ZH)) == [False] * 3
    assert reading.mark_tight("", []) == []


@given(st.text("字a \n\r　。", max_size=80))
def test_pieces_show_every_character_that_is_not_white_space(text: str) -> None:
    third = max(1, len(text) // 3)
    found = reading.matches(
        passages((0, third, 0, third, 0, False), (third // 2, len(text), 0, len(text), 1, False))
    )
    laid = reading.cut_runs(Mask(text), found, 0, changed=[(0, third)])
    shown = "".join(text[p.start : p.end] for paragraph in laid for p in paragraph)
    assert "".join(shown.split()) == "".join(text.split())
    numbers = {p.owner for paragraph in laid for p in paragraph} - {reading.PLAIN}
    assert numbers == set(range(len(found))) or not shown


def test_pieces_give_overlapping_characters_to_the_more_telling_passage() -> None:
    found = reading.matches(passages((0, 20, 0, 20, 1, False), (5, 11, 5, 11, 0, False)))
    [paragraph] = reading.cut_runs(Mask("x" * 30), found, 0)
    kinds = [(p.start, p.end, found[p.owner].kind if p.owner >= 0 else "") for p in paragraph]
    assert kinds == [(0, 5, "reworded"), (5, 11, "identical"), (11, 20, "reworded"), (20, 30, "")]


def test_pieces_keep_the_number_of_a_match_whose_characters_belong_to_better_ones() -> None:
    found = reading.matches(
        passages((0, 20, 0, 20, 0, False), (30, 40, 5, 15, 1, False), (30, 40, 18, 22, 0, False))
    )
    [paragraph] = reading.cut_runs(Mask("x" * 50), found, 1)
    shadowed = next(i for i, match in enumerate(found) if match.b == (5, 15))
    assert [(p.start, p.end, p.owner) for p in paragraph][:3] == [
        (0, 5, 0),
        (5, 5, shadowed),
        (5, 18, 0),
    ]


def test_pieces_set_misread_words_apart() -> None:
    notes = [
        Note("unsure", {"n": 1, "spans": [[3, 5]]}, 3, 5),
        Note("misread", {"n": 1, "spans": ((12, 15),), "meant": ("two",)}, 12, 15),
        Note("hidden_text", {"n": 9}),
    ]
    found = reading.matches(passages((0, 10, 0, 10, 0, False)))
    [paragraph] = reading.cut_runs(Mask("x" * 20), found, 0, unsure=reading.list_unsure(notes))

    assert [(p.start, p.end) for p in paragraph if p.unsure] == [(3, 5), (12, 15)]
    assert [p.owner for p in paragraph if p.unsure] == [0, reading.PLAIN]


def test_runs_take_the_tone_of_those_who_hold_them_the_fewest_first() -> None:
    found = reading.matches(passages((0, 30, 0, 30, 0, False)))
    [paragraph] = reading.cut_runs(Mask("x" * 50), found, 0, tones=[(5, 20, 1), (10, 40, 2)])

    tones = [(p.start, p.end, p.tone) for p in paragraph]
    assert tones == [(0, 5, 0), (5, 20, 1), (20, 30, 2), (30, 40, 0), (40, 50, 0)]


def whole(kind: str = "reworded") -> Match:
    return Match(3, kind, kind, (0, len(FIRST)), (0, len(SECOND)), 1.0)


def test_a_long_reworded_passage_is_walked_by_paragraphs() -> None:
    parts = split_passages([whole()], (FIRST, SECOND))

    assert [part.part for part in parts] == [1, 2, 3, 4, 5]
    for part, line, other in zip(parts, FIRST.split("\n"), SECOND.split("\n"), strict=True):
        assert FIRST[slice(*part.a)] == line
        assert SECOND[slice(*part.b)] == other
        assert part.number == 3
        assert part.spans == ((0, len(FIRST)), (0, len(SECOND)))


def test_parts_in_another_order_lead_to_what_says_the_same() -> None:
    lines = [text.split("\n")[0] for text in (OTHER, HILL, ROPE)]
    first, turned = "\n".join(lines), "\n".join([*lines[1:], lines[0]])
    match = Match(1, "reworded", "reworded", (0, len(first)), (0, len(turned)), 1.0)

    parts = split_passages([match], (first, turned))

    assert [turned[slice(*part.b)] for part in parts] == lines
    assert any(part.crossed for part in parts)


def test_a_part_without_anything_in_common_is_no_part() -> None:
    own = "\n".join([FIRST, "这里" + "".join(chr(0x5000 + n) for n in range(60))])
    match = Match(1, "reworded", "reworded", (0, len(own)), (0, len(SECOND)), 1.0)

    assert len(split_passages([match], (own, SECOND))) == 5


@pytest.mark.parametrize("kind", ["identical", "moved", "summary", "weak"])
def test_other_kinds_stay_whole(kind: str) -> None:
    assert split_passages([whole(kind)], (FIRST, SECOND)) == (whole(kind),)


def test_parts_of_a_text_without_paragraphs_on_the_other_side_still_rise() -> None:
    flat = SECOND.replace("\n", "")
    match = Match(1, "reworded", "reworded", (0, len(FIRST)), (0, len(flat)), 1.0)
    parts = split_passages([match], (FIRST, flat))

    assert len(parts) == 5
    assert parts[0].b[0] == 0 and parts[-1].b[1] == len(flat)
    for one, other in pairwise(parts):
        assert one.b[1] <= other.b[0]


def test_counterparts_rise_and_stay_inside() -> None:
    places = counterparts(FIRST, SECOND, range(0, len(FIRST), 7))
    assert places == sorted(places)
    assert places[0] >= 0 and places[-1] <= len(SECOND)
