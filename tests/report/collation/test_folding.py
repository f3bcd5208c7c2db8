"""What of a sheet is one line: text that does not count, text that shares nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.model import Note
from simhash_core.people.masking import Mask
from simhash_core.report.collation.folding import (
    Block,
    Fold,
    Line,
    blocks,
    fold_lines,
    left_out_ranges,
    opposite_blocks,
)
from simhash_core.report.collation.reading import Run, find_left_out
from simhash_core.report.collation.sheet import Collation, collate
from simhash_core.seen import stretches_of
from tests import task_class


@pytest.fixture(scope="module")
def sheet():
    """The first pair of the class: the task, own paragraphs, one that both have, the rest."""
    result = task_class.checked()
    a, b = result.documents[:2]
    return collate(
        a,
        b,
        result.passages.take(np.flatnonzero(result.passages.pair == 0)),
        stretches_of(result, 0),
        masks=(Mask(a.text), Mask(b.text)),
        left_out=(find_left_out(a.notes), find_left_out(b.notes)),
    )


def paragraphs(line: Line | Fold, side: int) -> tuple[tuple[Run, ...], ...]:
    if isinstance(line, Line):
        return (line.left, line.right)[side]
    part = (line.left, line.right)[side]
    return part.paragraphs if part else ()


def laid(sheet: Collation) -> list[Line | Fold]:
    end = len(task_class.TASK)
    return fold_lines(sheet.lines, ([(0, end, "template")], [(0, end, "template")]))


def test_the_task_stands_opposite_itself_and_no_paragraph_is_lost(sheet):
    first, second, third = laid(sheet)[:3]
    assert isinstance(first, Fold) and first.left and first.right
    assert (first.left.reason, first.left.units) == ("template", 67) == (first.right.reason, 67)
    assert isinstance(second, Fold) and second.place == "above" and second.left and second.right
    assert [len(second.left.paragraphs), len(second.right.paragraphs)] == [6, 5]
    assert isinstance(third, Line) and len(third.left) == len(third.right) == 1
    # no paragraph is lost
    for side in (0, 1):
        before = [text for line in sheet.lines for text in paragraphs(line, side)]
        assert [text for line in laid(sheet) for text in paragraphs(line, side)] == before
    # the longest passage is the paragraph that both have
    longest = next(one for one in sheet.entries if one.number == sheet.longest)
    assert longest.quote == task_class.SHARED


def own(n: int) -> tuple[Run, ...]:
    return (Run(f"own {n}", 0, 5),)


def out(start: int) -> tuple[Run, ...]:
    return (Run("left out", start, start + 8, left_out=True),)


def both(n: int) -> Line:
    run = (Run(f"both {n}", 0, 6, 0, "1", "identical"),)
    return Line((run,), (run,))


kinds = st.lists(st.sampled_from(["left", "right", "out_left", "out_right", "both"]), max_size=14)


@given(kinds)
def test_order_is_kept_and_nothing_shared_is_folded(chosen):
    made = {
        "left": lambda n: Line((own(n),), ()),
        "right": lambda n: Line((), (own(n),)),
        "out_left": lambda n: Line((out(n),), ()),
        "out_right": lambda n: Line((), (out(n),)),
        "both": both,
    }
    lines = [made[kind](n) for n, kind in enumerate(chosen)]
    ranges = [(0, 100, "references")]
    shown = fold_lines(lines, (ranges, ranges))

    for side in (0, 1):
        assert [one for line in shown for one in paragraphs(line, side)] == [
            one for line in lines for one in paragraphs(line, side)
        ]
    for line in shown:
        held = [run for side in (0, 1) for one in paragraphs(line, side) for run in one]
        assert not (isinstance(line, Fold) and any(run.passage for run in held))
        assert not (isinstance(line, Line) and any(run.left_out for run in held))


def test_reasons_are_codes_and_blocks_stand_opposite():
    notes = [
        Note("excluded", {"switch": "quotations", "reason": "cited"}, 5, 9),
        Note("template", {}, 0, 4),
        Note("short"),
        Note("excluded", {"switch": "references", "reason": ""}, 10, 12),
    ]
    assert left_out_ranges(notes) == [
        (0, 4, "template"),
        (5, 9, "quotations_cited"),
        (10, 12, "references"),
    ]
    # a paragraph of which a quotation does not count is no block
    text = "one two three four\nfive six seven eight\nnine ten"
    assert blocks(text, [(0, 7, "template")]) == []
    assert blocks(text, [(0, 39, "template"), (40, 48, "references")]) == [
        Block("template", 0, 1, 8),
        Block("references", 2, 2, 2),
    ]
    # blocks of one reason stand opposite in order
    left = [Block("cover", 0, 0, 3), Block("template", 1, 2, 9), Block("references", 8, 9, 5)]
    right = [Block("template", 0, 1, 9), Block("references", 5, 5, 4)]
    assert opposite_blocks(left, right) == [(1, 0), (2, 1)]
