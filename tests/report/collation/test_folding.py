"""What of a sheet is one line: text that does not count, text that shares nothing."""

from __future__ import annotations

import numpy as np
import pytest

from simhash_core.model import Note
from simhash_core.people.masking import Mask
from simhash_core.report.collation.folding import Block, Fold, Line, blocks, left_out_ranges
from simhash_core.report.collation.reading import Paragraph, find_left_out
from simhash_core.report.collation.sheet import Collation, collate
from simhash_core.seen import stretches_of
from tests import task_class


def sheet_of(pair: int, *, task: bool = True) -> Collation:
    """A pair of the class with what is folded kept; the task counts nowhere, or like all text."""
    result = task_class.checked()
    a, b = (
        result.documents[int(side[pair])]
        for side in (result.table.pairs.left, result.table.pairs.right)
    )
    ranges = [(0, len(task_class.TASK), "template")] if task else []
    return collate(
        a,
        b,
        result.passages.take(np.flatnonzero(result.passages.pair == pair)),
        stretches_of(result, pair),
        masks=(Mask(a.text), Mask(b.text)),
        left_out=(find_left_out(a.notes), find_left_out(b.notes)),
        reasons=(ranges, ranges),
        shown=0,
        folded=True,
    )


def paragraphs(line: Line | Fold, side: int) -> tuple[Paragraph, ...]:
    if isinstance(line, Line):
        return (line.left, line.right)[side]
    part = line.sides[side]
    return part.paragraphs if part else ()


def test_the_task_stands_opposite_itself_and_own_text_is_one_line() -> None:
    """The first pair: the task, own paragraphs, one that both have, the rest."""
    sheet = sheet_of(0)
    first, second, *rest = sheet.lines

    assert isinstance(first, Fold) and first.left and first.right
    assert (first.left.reason, first.left.units) == ("template", 67) == (first.right.reason, 67)
    assert isinstance(second, Fold) and second.place == "above" and second.left and second.right
    assert {second.left.reason, second.right.reason} == {""}
    assert any(isinstance(line, Line) and line.numbers for line in rest)
    # the longest passage is the paragraph that both have
    longest = next(one for one in sheet.entries if one.number == sheet.longest)
    assert longest.quote == task_class.SHARED


@pytest.mark.parametrize("task", [True, False])
def test_order_is_kept_and_nothing_shared_is_folded(task: bool) -> None:
    result = task_class.checked()
    for pair in range(len(result.table.pairs)):
        sheet = sheet_of(pair, task=task)
        if not sheet.lines:  # nothing is shared but the task
            continue
        ends = (result.table.pairs.left[pair], result.table.pairs.right[pair])
        for side, row in enumerate(ends):
            shown = [one for line in sheet.lines for one in paragraphs(line, side)]
            text = "".join(run.text for one in shown for run in one)
            assert "".join(text.split()) == "".join(result.documents[int(row)].text.split())
        folds = [line for line in sheet.lines if isinstance(line, Fold)]
        for fold in folds:
            kept = [run for side in (0, 1) for one in paragraphs(fold, side) for run in one]
            numbers = {number for line in sheet.lines if isinstance(line, Line)
                       for number, _ in line.numbers}  # fmt: skip
            assert {run.passage for run in kept} - {""} <= numbers


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
