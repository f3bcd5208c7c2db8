"""The reading order of a page whose letters are not drawn in it: told by where letters stand.

pdfium gives letters in the order in which they are painted, sorted into lines of the page. That
is wrong for columns painted row by row, for turned pages, for vertical text, and where a block is
painted twice or numbers count the lines in the margin.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from ...model import F64
from ..characters import HAN
from .unseen_text import Drawn

_SAME_LINE = 0.4  # of the size of letters, between the middles of two pieces of one line
_GAP = 0.9  # of the size: a wider one parts two columns
_SPACE = 0.15  # of the size, between two words
_WORDS = 0.2  # of the size, between words without a space
_OTHER_SIZE = 1.35  # ratio
_SAME_PLACE = 0.18  # of the size: the same letter so near is painted twice; an "l" is .22 wide
_FEW_DOUBLE = 12  # letters in one place by rounding alone
_LEAST_LINES = 4  # of a column
_LEAST_WIDTH = 9  # of the size, of a column of prose
_FULL, _FULL_HAN = 0.75, 0.85  # of the width: the usual line of prose; cells of a table are shorter
_LOWER = 0.3  # of the lines of prose begin inside a sentence; German nouns leave two thirds
_SWITCHES = 4  # from one column to the other, before the page is painted row by row
_VERTICAL = 0.6  # of the steps from letter to letter go down
_DOWNWARDS = 0.7  # of the steps from line to line
_RUBY = 0.75  # of the size of the characters below
_FEWEST_NUMBERS = 4
_WIDE = re.compile(f"[{HAN}\u3000-\u303f\uff00-\uffef]")
_READING = re.compile(r"[\u3040-\u30ff\u3100-\u312f\u02c7\u02ca\u02cb\u02d9A-Za-zÀ-ɏ̀-ͯ\s]+")

Row = tuple[str, float]  # a line, and where it begins


@dataclass(slots=True)
class _Run:
    """Letters that follow each other in a line, in the direction in which they are read."""

    turn: int
    order: int  # of painting
    left: float
    right: float
    spaced: bool  # whether a space stands before it
    middle: float
    size: float
    letters: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.letters).strip()


def arrange_lines(
    page: pypdfium2.PdfPage,
    text_page: pypdfium2.PdfTextPage,
    letters: Sequence[str],
    owners: Sequence[int],
    unseen: Sequence[str],
    drawn: Drawn,
) -> list[list[Row]] | None:
    """Return the lines of a page, block by block; None where pdfium's order is the right one."""
    indices = [i for i, owner in enumerate(owners) if owner and not unseen[i]]
    if not indices:
        return None
    cells = (pdfium.FS_RECTF * len(indices))()
    for cell, index in zip(cells, indices, strict=True):
        pdfium.FPDFText_GetLooseCharBox(text_page, index, cell)
    boxes = np.frombuffer(cells, np.float32).reshape(-1, 4)[:, [0, 3, 2, 1]].astype(np.float64)
    if said := _without_meaning(letters, owners, drawn):
        letters, owners, indices, boxes = _insert_said(letters, owners, indices, boxes, drawn, said)
    turns = _find_turns(text_page, indices, owners, boxes)
    frames = _turn_boxes(boxes, turns)
    double = _find_doubles(indices, letters, owners, frames)
    runs = _cut_runs(indices, letters, turns, frames, double, filled=bool(said))
    kept = _without_ruby(_without_line_numbers(runs))
    changed = bool(double or said) or len(kept) < len(runs)
    blocks: list[list[_Run]] = []
    for turn in dict.fromkeys(run.turn for run in kept):
        group = [run for run in kept if run.turn == turn]
        parts = _split_columns(group)
        if turn or page.get_rotation():
            painted = parts
            parts = [part if _is_downwards(part) else _sort_rows(part) for part in painted]
            changed = changed or any(a is not b for a, b in zip(parts, painted, strict=True))
        changed = changed or len(parts) > 1
        blocks += parts
    return [_join_rows(block) for block in blocks if block] if changed else None


def _without_meaning(letters: Sequence[str], owners: Sequence[int], drawn: Drawn) -> dict[int, str]:
    """Return what the file says in place of glyphs that mean nothing."""
    if not drawn.said:
        return {}
    meant = {
        owner
        for owner, letter in zip(owners, letters, strict=True)
        if letter != "\ufffd" and not "\ue000" <= letter <= "\uf8ff"
    }
    return {
        owner: text
        for owner, text in drawn.said.items()
        if owner not in meant and owner not in drawn.hidden
    }


def _insert_said(
    letters: Sequence[str],
    owners: Sequence[int],
    indices: Sequence[int],
    boxes: F64,
    drawn: Drawn,
    said: dict[int, str],
) -> tuple[list[str], list[int], list[int], F64]:
    """Put what stands for glyphs among the letters, behind what was painted before them."""
    rows_of: dict[int, list[int]] = {}
    for row, index in enumerate(indices):
        rows_of.setdefault(owners[index], []).append(row)
    entries = [(letters[i], owners[i], box) for i, box in zip(indices, boxes, strict=True)]
    pieces: list[list[tuple[str, int, F64]]] = []
    placed = [text for text in drawn.texts if text.address in rows_of or text.address in said]
    widths: dict[str, float] = {}  # as far as the next object follows at once somewhere
    for text, following in pairwise(placed):
        width = following.box[0] - text.box[0]
        if text.address in said and width > 0:
            words = said[text.address]
            widths[words] = min(width, widths.get(words, width))
    for at, text in enumerate(placed):
        if text.address not in said:
            pieces.append([entries[row] for row in rows_of[text.address]])
            continue
        beside = [one for one in placed[max(at - 1, 0) : at + 2] if one.address in rows_of]
        line = boxes[rows_of[beside[0].address][-1]] if beside else np.array(text.box)
        box = np.array([text.box[0], line[1], text.box[2], line[3]])
        reach = 0.5 * (line[3] - line[1]) * len(said[text.address])
        box[2] = max(box[2], box[0] + min(reach, widths.get(said[text.address], reach)))
        pieces.append([(said[text.address], text.address, box)])
    order = [entry for piece in pieces for entry in piece]
    return (
        [entry[0] for entry in order],
        [entry[1] for entry in order],
        list(range(len(order))),
        np.array([entry[2] for entry in order]),
    )


def _find_turns(
    text_page: pypdfium2.PdfTextPage, indices: Sequence[int], owners: Sequence[int], boxes: F64
) -> np.ndarray:
    """Return quarters of a turn, clockwise, for each letter; vertical text is read downwards."""
    by_owner: dict[int, int] = {}
    for index in indices:
        if owners[index] not in by_owner:
            angle = pdfium.FPDFText_GetCharAngle(text_page, index)
            by_owner[owners[index]] = round(angle / (np.pi / 2)) % 4
    turns = np.array([by_owner[owners[index]] for index in indices], np.int64)
    sizes = np.maximum(boxes[1:, 3] - boxes[1:, 1], 1.0)
    across = np.abs(np.diff(boxes[:, 0] + boxes[:, 2]) / 2) / sizes
    down = -np.diff(boxes[:, 1] + boxes[:, 3]) / 2 / sizes
    steps = (across < 0.25) & (down > 0.5) & (down < 2)
    if len(steps) > _LEAST_LINES and steps.mean() > _VERTICAL and not turns.any():
        turns[:] = 1
    return turns


def _turn_boxes(boxes: F64, turns: np.ndarray) -> F64:
    """Return left, bottom, right, top in the direction in which each letter is read."""
    left, bottom, right, top = boxes.T
    views = np.array(
        [
            [left, bottom, right, top],
            [-top, left, -bottom, right],
            [-right, -top, -left, -bottom],
            [bottom, -right, top, -left],
        ]
    )
    return np.asarray(views[turns, :, np.arange(len(turns))])


def _find_doubles(
    indices: Sequence[int], letters: Sequence[str], owners: Sequence[int], frames: F64
) -> set[int]:
    """Return the letters that are painted where the same letter already stands."""
    sizes = np.maximum(frames[:, 3] - frames[:, 1], 1.0)
    grid = np.round(frames[:, :2] / (0.5 * sizes[:, None])).clip(-1e5, 1e5).astype(np.int64)
    codes = np.fromiter((ord(letters[index][:1] or " ") for index in indices), np.int64)
    keys = (codes << 40) ^ ((grid[:, 0] & 0xFFFFF) << 20) ^ (grid[:, 1] & 0xFFFFF)
    painter = np.unique([owners[index] for index in indices], return_inverse=True)[1]
    if len(np.unique(np.stack([keys, painter]), axis=1).T) - len(np.unique(keys)) < _FEW_DOUBLE:
        return set()
    cells = grid.tolist()
    places: dict[tuple[str, int, int], list[int]] = {}
    for row, (index, (x, y)) in enumerate(zip(indices, cells, strict=True)):
        if not letters[index].isspace():
            places.setdefault((letters[index], x, y), []).append(row)
    if sum(len(rows) - 1 for rows in places.values()) < _FEW_DOUBLE:
        return set()
    double = set[int]()
    for (letter, x, y), rows in places.items():
        around = [
            other
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            for other in places.get((letter, x + dx, y + dy), ())[:20]
        ]
        for row in rows[1:] if len(rows) > 20 else rows:
            near = _SAME_PLACE * sizes[row]
            if any(
                other < row
                and owners[indices[other]] != owners[indices[row]]
                and np.abs(frames[other, :2] - frames[row, :2]).max() <= near
                for other in around
            ):
                double.add(row)
    return double


def _cut_runs(
    indices: Sequence[int],
    letters: Sequence[str],
    turns: np.ndarray,
    frames: F64,
    double: set[int],
    *,
    filled: bool,
) -> list[_Run]:
    """Cut the letters into runs, where they leave the line or leap across a gap.

    Where glyphs were `filled` in, pdfium knows of no spaces around them.
    """
    runs: list[_Run] = []
    before = -1
    turned = turns.tolist()
    for row, (left, bottom, right, top) in enumerate(frames.tolist()):
        if row in double:
            continue
        index, size, middle = indices[row], max(top - bottom, 1.0), (bottom + top) / 2
        run = runs[-1] if runs else None
        if letters[index].isspace():  # of whatever font: it belongs to the word before it
            if run:
                run.letters.append(" ")
            before = index
            continue
        if (
            run is None
            or turned[row] != run.turn
            or abs(middle - run.middle) > _SAME_LINE * max(size, run.size)
            or not -0.5 * size < left - run.right < _GAP * size
            or not 1 / _OTHER_SIZE < size / run.size < _OTHER_SIZE
        ):
            blank = any(map(str.isspace, letters[before + 1 : index + 1]))
            run = _Run(turned[row], len(runs), left, right, blank, middle, size)
            runs.append(run)
        elif index - before > 1 and not (
            _WIDE.match(letters[index]) and _WIDE.match(run.letters[-1])
        ):
            if any(map(str.isspace, letters[before + 1 : index])):
                run.letters.append(" ")
        elif (
            filled
            and left - run.right > _WORDS * size
            and not (letters[index].isspace() or run.letters[-1].isspace())
        ):
            run.letters.append(" ")
        run.letters.append(letters[index])
        run.right = max(run.right, right)
        before = index
    return [run for run in runs if run.text]


def _without_line_numbers(runs: list[_Run]) -> list[_Run]:
    """Drop numbers in a margin that count the lines of a page."""
    columns: dict[tuple[int, int], list[_Run]] = {}
    for run in runs:
        if run.text.isdecimal() and len(run.text) < 5:
            for edge in (round(run.left), -round(run.right)):
                columns.setdefault((run.turn, edge), []).append(run)
    gone = set[int]()
    for column in columns.values():
        column.sort(key=lambda run: -run.middle)
        numbers = [int(run.text) for run in column]
        steps = {b - a for a, b in pairwise(numbers)}
        if len(column) >= _FEWEST_NUMBERS and len(steps) == 1 and steps <= {1, 2, 5, 10}:
            gone.update(_find_counting(column, runs, steps.pop()))
        elif len(column) == 3 and steps == {5}:
            gone.update(_find_counting(column, runs, 5))
    return [run for run in runs if run.order not in gone]


def _find_counting(column: Sequence[_Run], runs: Sequence[_Run], step: int) -> list[int]:
    """Return numbers that have lines of prose beside them; others are cells of a table."""
    numbers = {run.order for run in column}
    others = [run for run in runs if run.turn == column[0].turn and run.order not in numbers]
    body = [run for run in others if not run.text.isdecimal()]
    beside = [
        one
        for number in column
        for one in body
        if abs(one.middle - number.middle) < _SAME_LINE * max(one.size, number.size)
    ]
    aligned = len({round(one.middle) for one in beside}) >= 0.8 * len(column)
    return [run.order for run in column] if aligned and (step > 2 or _is_prose(beside)) else []


def _without_ruby(runs: list[_Run]) -> list[_Run]:
    """Drop the readings that stand in smaller type above characters."""
    bases = [run for run in runs if _WIDE.search(run.text)]
    if not bases:
        return runs
    gone = {
        run.order
        for run in runs
        if _READING.fullmatch(run.text)
        and any(
            base.turn == run.turn
            and run.size <= _RUBY * base.size
            and 0.4 * base.size < run.middle - base.middle < 1.3 * base.size
            and base.left - run.size < (run.left + run.right) / 2 < base.right + run.size
            for base in bases
        )
    }
    return [run for run in runs if run.order not in gone]


def _split_columns(runs: list[_Run]) -> list[list[_Run]]:
    """Return the blocks of a page in the order of reading; one where its order is right."""
    downwards = sorted(runs, key=lambda run: (-run.middle, run.left))
    edges = Counter(round(run.left) for run in runs)
    starts = sorted(edge for edge, n in edges.items() if n >= _LEAST_LINES)
    ends = np.array([run.right for run in sorted(runs, key=lambda run: run.order)])
    best: tuple[int, int, int] | None = None
    for edge in starts[1:]:
        if np.count_nonzero(np.diff(ends > edge)) < _SWITCHES:
            continue
        for first, end in _find_uncrossed(downwards, edge):
            if (best is None or end - first > best[1] - best[0]) and _is_woven(
                downwards[first:end], edge
            ):
                best = first, end, edge
    if best is None:
        return [runs]
    first, end, edge = best
    block = downwards[first:end]
    left = [run for run in block if run.right <= edge]
    right = [run for run in block if run.right > edge]
    rest = (downwards[:first], left, right, downwards[end:])
    return [
        part
        for group in rest
        if group
        for part in _split_columns(sorted(group, key=lambda r: r.order))
    ]


def _find_uncrossed(runs: Sequence[_Run], edge: int) -> list[tuple[int, int]]:
    """Return the stretches of runs, from top to bottom, of which none crosses an edge."""
    borders = [
        -1,
        *(at for at, run in enumerate(runs) if run.left < edge - 2 and run.right > edge),
        len(runs),
    ]
    return [(a + 1, b) for a, b in pairwise(borders) if b - a > 2 * _LEAST_LINES]


def _is_woven(block: Sequence[_Run], edge: int) -> bool:
    """Whether two columns of prose are painted row by row."""
    left = [run for run in block if run.right <= edge]
    right = [run for run in block if run.right > edge]
    sides = [run.right > edge for run in sorted(block, key=lambda run: run.order)]
    if sum(a != b for a, b in pairwise(sides)) < _SWITCHES:
        return False
    if not _is_prose(left):
        return False
    return _is_prose(right) or len(_split_columns(sorted(right, key=lambda run: run.order))) > 1


def _is_prose(runs: Sequence[_Run]) -> bool:
    """Whether lines are filled and run on, as cells of a table do not."""
    if len(runs) < _LEAST_LINES:
        return False
    begin, width = min(run.left for run in runs), max(run.right for run in runs)
    width -= begin
    if width < _LEAST_WIDTH * statistics.median(run.size for run in runs):
        return False
    full = statistics.median((run.right - run.left) / width for run in runs)
    if sum(bool(_WIDE.search(run.text)) for run in runs) * 2 > len(runs):
        return full >= _FULL_HAN
    lower = sum(run.text[0].islower() for run in runs)
    return full >= _FULL and lower >= _LOWER * len(runs)


def _is_downwards(runs: Sequence[_Run]) -> bool:
    """Whether lines are painted as they are read: one below the other, tier by tier."""
    steps = [a.middle - b.middle for a, b in pairwise(runs)]
    leaps = [step for step, run in zip(steps, runs, strict=False) if abs(step) > run.size / 2]
    return sum(step > 0 for step in leaps) >= _DOWNWARDS * len(leaps)


def _sort_rows(runs: list[_Run]) -> list[_Run]:
    """Sort runs into lines, and each line in the direction of reading."""
    lines: list[list[_Run]] = []
    for run in sorted(runs, key=lambda run: -run.middle):
        if lines and abs(lines[-1][0].middle - run.middle) < _SAME_LINE * run.size:
            lines[-1].append(run)
        else:
            lines.append([run])
    return [run for line in lines for run in sorted(line, key=lambda run: run.left)]


def _join_rows(runs: Sequence[_Run]) -> list[Row]:
    """Join the runs of each line."""
    rows: list[Row] = []
    before: _Run | None = None
    for run in runs:
        apart = before is None or abs(run.middle - before.middle) > _SAME_LINE * max(
            run.size, before.size
        )
        if apart or before is None:
            rows.append((run.text, run.left))
        else:
            text, left = rows[-1]
            wide = _WIDE.match(text[-1]) and _WIDE.match(run.text[0])
            near = run.left - before.right < _SPACE * run.size
            spaced = run.spaced or before.letters[-1].isspace()
            blank = "" if wide or (near and not spaced) else " "
            rows[-1] = text + blank + run.text, left
        before = run
    return rows
