"""A number in a table counts with its neighbours; what was copied keeps its numbers."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prose import english

from simhash_core import check_texts
from simhash_core.passages.tokenize import is_number
from simhash_core.result import list_rows
from simhash_core.settings import Settings

QUIET = Settings(meaning="off")

#: rows of tables as laboratory reports, timetables, markings and bills have them
CELLS = {
    "decimals": lambda draw: f"{draw.uniform(0, 50):.1f}",
    "whole": lambda draw: str(draw.randrange(100)),
    "units": lambda draw: f"{draw.randrange(300)} cm",
    "glued units": lambda draw: f"{draw.randrange(300)}kg",
    "times": lambda draw: f"{draw.randrange(24)}:{draw.randrange(60):02}",
    "dates": lambda draw: f"2026-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}",
    "prices": lambda draw: f"{draw.randrange(90)},{draw.randrange(100):02} €",
    "percent": lambda draw: f"{draw.randrange(100)} %",
    "Chinese units": lambda draw: f"{draw.randrange(100)}元",
    "full width": lambda draw: f"{draw.randrange(100)}".translate(
        {ord("0") + n: 0xFF10 + n for n in range(10)}
    ),
    "grades": lambda draw: str(draw.randrange(1, 7)),
}


def table(kind: str, seed: int, rows: int = 25) -> str:
    draw = random.Random(seed)
    return "\n".join("\t".join(CELLS[kind](draw) for _ in range(6)) for _ in range(rows))


@pytest.mark.long
@pytest.mark.parametrize("kind", CELLS)
@pytest.mark.parametrize("seed", [1, 20])
def test_tables_of_other_numbers_share_nothing(kind: str, seed: int) -> None:
    texts = [f"{english(seed + n, 90)}\n\n{table(kind, seed + n)}\n" for n in (0, 1)]

    assert not len(list_rows(check_texts(texts, settings=QUIET)))


@pytest.mark.long
@pytest.mark.parametrize("kind", ["decimals", "times", "units", "Chinese units"])
def test_a_copied_table_is_found(kind: str) -> None:
    copied = table(kind, 7)
    texts = [f"{english(n, 90)}\n\n{copied}\n" for n in (3, 4)]
    result = check_texts(texts, settings=QUIET)

    assert len(result.table) == 1
    assert min(result.table.coverage_a[0], result.table.coverage_b[0]) > 0.6


@given(st.text(max_size=6))
def test_a_number_has_a_digit(word: str) -> None:
    assert not is_number(word) or any(map(str.isdigit, word))


def test_numbers_in_prose_count_as_words() -> None:
    said = "In 1931 eleven families paid 40 crowns each, and in 1932 only 12 of them did so."
    said += " The pond of 4 hectares then lit 30 houses, and the mill ground 7 tonnes a week."
    texts = [f"{english(5, 60)}\n\n{said}", f"{english(6, 60)}\n\n{said}"]

    assert np.all(check_texts(texts, settings=QUIET).table.longest >= 16)
