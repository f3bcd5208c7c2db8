"""What a notebook shows: a sentence, a small table, and what the numbers do not mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np
from markupsafe import Markup

from simhash_core.model import PASSAGE_KINDS
from simhash_core.notation import UNKNOWN, Notation
from simhash_core.report import columns, one_line
from simhash_core.result import CheckResult, Comparison, ThresholdView, list_rows

ROWS = 10  # of a table
_READ = columns.choose(
    columns.PAIRS, "a", "b", "coverage_a", "coverage_b", "longest", "passages", "distance"
)
_LONGEST = 120  # characters of a cell
_STYLE = "font:inherit;max-width:60em;line-height:1.5"
_SCOPE = {"th": ' scope="col"', "td": ""}
_CELL = "padding:.2em .7em;text-align:{side};vertical-align:top"


def result_view(result: CheckResult, view: ThresholdView, language: str) -> str:
    """Return the first pairs of a check."""
    write = Notation.of(language)
    t, rows = write.t, list_rows(result, view)
    pairs = columns.pairs_of_rows(result, rows[:ROWS], view=view)
    counts = {"pairs": len(rows), "clusters": len(view.clusters), "skipped": len(result.skipped)}
    lines = [[column.read(pair, write) for column in _READ] for pair in pairs]
    heads = [t(f"python.column.{column.label}") for column in _READ]
    expected = write.expected(view.expected_false_pairs)
    return draw_view(
        language,
        t("python.summary", n=len(result.documents), **counts),
        t("python.threshold", k=view.threshold, bits=result.settings.bits, expected=expected),
        draw_table(heads, lines, words=2),
        t("python.more", n=len(rows) - ROWS) if len(rows) > ROWS else "",
        t("python.evidence"),
    )


def comparison_view(both: Comparison, language: str) -> str:
    """Return the longest passages of two texts side by side."""
    write = Notation.of(language)
    t, passages = write.t, both.passages
    counted = np.flatnonzero(~passages.weak)
    length = (passages.a_end - passages.a_start)[counted]
    order = counted[np.argsort(-length, kind="stable")][:ROWS].tolist()
    lines = [
        (
            t(f"python.kind.{PASSAGE_KINDS[int(passages.kind[row])]}"),
            _cut(both.a.text[passages.a_start[row] : passages.a_end[row]], _LONGEST),
            _cut(both.b.text[passages.b_start[row] : passages.b_end[row]], _LONGEST),
        )
        for row in order
    ]
    shares = [write.total(division) for division in both.division]
    near = both.distance if both.comparable else UNKNOWN
    heads = (t("python.column.kind"), one_line(both.a.name), one_line(both.b.name))
    return draw_view(
        language,
        t("python.both", a_in_b=shares[0], b_in_a=shares[1], distance=near),
        draw_table(heads, lines, words=3),
        t("python.more_passages", n=len(counted) - ROWS) if len(counted) > ROWS else "",
        t("python.evidence"),
    )


def draw_view(language: str, *parts: str) -> str:
    """Return parts below each other; a table is markup already, all else is text."""
    inside = "".join(
        part if isinstance(part, Markup) else f"<p>{escape(part)}</p>" for part in parts if part
    )
    return f'<div lang="{language}" style="{_STYLE}">{inside}</div>'


def draw_table(heads: Sequence[str], lines: Iterable[Sequence[str]], *, words: int) -> str:
    """Return a table of text, whose first columns are words and whose others are numbers."""
    sides = ["left" if at < words else "right" for at in range(len(heads))]
    styles = [_CELL.format(side=side) for side in sides]

    def line(tag: str, cells: Sequence[str]) -> str:
        return "".join(
            f'<{tag}{_SCOPE[tag]} style="{style}">{escape(_cut(cell, _LONGEST))}</{tag}>'
            for cell, style in zip(cells, styles, strict=True)
        )

    body = "".join(f"<tr>{line('td', cells)}</tr>" for cells in lines)
    head = f"<thead><tr>{line('th', heads)}</tr></thead>"
    return Markup(f"<table>{head}<tbody>{body}</tbody></table>") if body else ""


def _cut(text: str, most: int) -> str:
    plain = one_line(text)
    return plain if len(plain) <= most else plain[:most] + "…"
