"""What a page of Markdown shows, and nothing that stands behind it."""

from __future__ import annotations

import base64
import json
import random

import pytest

from simhash_core.text.extract import markdown, plain, source

PROSE = "The mill turns twice a day.\nIts keeper lives beside the sluice.\n"
PICTURE = base64.b64encode(random.Random(5).randbytes(3000)).decode()
LINES = base64.encodebytes(random.Random(6).randbytes(3000)).decode()


def shown(text: str) -> str:
    return markdown.extract(text.encode()).text


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("A [mill](https://a.org/x?y=z#w) turns.", "A mill turns."),
        ('A [mill](<https://a.org> "a title") turns.', "A mill turns."),
        ("A [mill](https://a.org/mill_(tide)) turns.", "A mill turns."),
        ("A [mill][1] turns.\n\n[1]: https://a.org/x 'Title'\n", "A mill turns.\n\n"),
        ("A [mill][] turns[^1].\n\n[^1]: Own notes.\n", "A mill turns.\n\n Own notes.\n"),
        (f"Here ![a plot](data:image/png;base64,{PICTURE}) it is.", "Here  it is."),
        (f"Here [![a](b.png)](data:image/png;base64,{PICTURE}) it is.", "Here  it is."),
        (f'<img alt="x" src="data:image/png;base64,{PICTURE}"/>It is.', "It is."),
        (f"![a][p]\n\n[p]: data:image/png;base64,{PICTURE}\n", "\n\n"),
        ("<details><summary>More</summary>\n\nText.</details>", "More\n\nText."),
        ("One <!-- two\nlines --> end. <!-- open", "One  end. "),
        ("<svg><path d='M 1 2'/></svg>\n<style>b {}</style>Text.", "\nText."),
        ("---\ntitle: Mill\ntags:\n  - water\n---\n\nText.", "\nText."),
        ("+++\ntitle = 'Mill'\n+++\nText.", "Text."),
        ("---\nNote: a rule above.\nThis is prose between rules.\n---\n",) * 2,
        ("Write to <anna@a.org> or see <https://a.org>.",) * 2,
        ("In `[a](b)` and\n```\n<!-- c --> [d](e)\n```\n1 < 2 > 0, [not a link] (at all).",) * 2,
        ("# Title\n\n* an *item*\n1. and **one**\r\n| a | b |\n",) * 2,
        ("题目[链接](https://a.org)和![图](a.png)文字。", "题目链接和文字。"),
    ],
)
def test_a_page_shows(written: str, seen: str) -> None:
    assert shown(written) == seen


def test_words_of_a_comment_are_told() -> None:
    (note,) = markdown.extract(b"One. <!-- words that nobody sees -->").notes

    assert (note.code, note.params["words"]) == ("left_out", "words that nobody sees")


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_picture_in_a_text_is_no_words(wrapped: bool) -> None:
    encoded = LINES if wrapped else f"data:image/jpeg;base64,{PICTURE}"

    read = plain.extract(f"{PROSE}\n{encoded}\n{PROSE}".encode())
    assert read.text.split() == (PROSE + PROSE).split()


def test_words_without_spaces_stay_and_a_large_photograph_refuses_nothing() -> None:
    glued = "".join(PROSE.split()) * 20
    assert plain.extract(glued.encode()).text == glued
    assert plain.extract(b"data:text/plain,short").text == "data:text/plain,short"
    photograph = base64.b64encode(random.Random(7).randbytes(1_700_000)).decode()
    assert shown(f"{PROSE}![](data:image/jpeg;base64,{photograph})\n") == f"{PROSE}\n"


def test_cells_of_a_notebook_are_pages() -> None:
    cell = {"cell_type": "markdown", "source": [f"![p](data:image/png;base64,{PICTURE})\n", PROSE]}
    book = json.dumps({"cells": [cell], "nbformat": 4})

    assert source.ipynb(book.encode()).text.split() == PROSE.split()


@pytest.mark.parametrize(
    "piece", ["[", "![", "[a](", "<!--", "<a ", "`", "```\n", "[^", "---\na:\n"]
)
def test_no_text_takes_long(piece: str) -> None:
    assert isinstance(shown(piece * 20_000), str)
