"""Of a saved web page the article alone is read where it can be told from the rest."""

from __future__ import annotations

import pytest
from prose import english

from simhash_core.text.extract import extract

MENU = "".join(f"<li><a href='/{n}'>Section number {n} of our site</a></li>" for n in range(30))
HEAD = (
    "<title>Harbour closes - Daily News</title><meta charset=utf-8>"
    '<meta property="article:published_time" content="2023-04-05T06:00:00Z">'
    '<meta name="author" content="Jane Doe"><link rel=canonical href="https://news.example/1">'
)


def page(paragraphs: list[str]) -> bytes:
    article = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return (
        f"<!doctype html><html><head>{HEAD}</head><body><header><ul>{MENU}</ul></header>"
        f"<main><article><h1>Harbour closes</h1>{article}</article></main>"
        f"<aside><h2>Most read</h2><ul>{MENU}</ul></aside>"
        "<footer>All rights reserved. Subscribe to our newsletter today.</footer></body></html>"
    ).encode()


def test_article_is_read_without_the_page_around_it():
    paragraphs = [english(seed, 60) for seed in (1, 2, 3)]
    kind, article = extract(page(paragraphs), suffix="html", main_text=True)

    assert kind == "html"
    assert all(paragraph in article.text for paragraph in paragraphs)
    assert "Section number" not in article.text
    assert "newsletter" not in article.text
    assert article.meta["author"] == "Jane Doe"
    assert article.meta["date"] == "2023-04-05"
    assert article.meta["url"] == "https://news.example/1"
    (note,) = (note for note in article.notes if note.code == "beside_article")
    assert note.params["n"] > 1000


@pytest.mark.parametrize("main_text", [False, True])
def test_a_day_without_a_year_does_not_hide_the_date_of_the_page(main_text):
    day = '<head><meta name="date" content="3月5日">'.encode()
    data = page([english(seed, 60) for seed in (1, 2, 3)]).replace(b"<head>", day)
    _, read = extract(data, suffix="html", main_text=main_text)
    _, alone = extract(b"<html>" + day + b"</head><body>Lamps</body></html>", suffix="html")

    assert read.meta["date"].startswith("2023-04-05")
    assert alone.meta["date"] == "3月5日"


def test_check_reads_the_whole_page_as_does_one_without_an_article() -> None:
    _, whole = extract(page([english(1, 60)]), suffix="html")
    assert "Section number" in whole.text
    assert whole.meta["url"] == "https://news.example/1"
    data = f"<html><body><ul>{MENU}</ul></body></html>".encode()
    _, read = extract(data, suffix="html", main_text=True)
    assert read.text == extract(data, suffix="html")[1].text


@pytest.mark.parametrize(
    ("comment", "address"),
    [
        ("<!-- saved from url=(0022)https://a.example/page -->", "https://a.example/page"),
        (
            "<!--\n Page saved with SingleFile \n url: https://a.example/b?c=1 \n x\n-->",
            "https://a.example/b?c=1",
        ),
        ("<!-- saved from url=(0014)about:internet -->", None),
    ],
)
def test_the_program_that_saved_a_page_says_where_it_is_from(
    comment: str, address: str | None
) -> None:
    page = f"<!DOCTYPE html>\n{comment}\n<html><body><p>Some words of a page.</p></body></html>"
    _, read = extract(page.encode(), suffix="html")
    linked = page.replace("<html>", "<html><link rel=canonical href=https://b.example>")
    _, own = extract(linked.encode(), suffix="html")

    assert read.meta.get("url") == address
    assert own.meta["url"] == "https://b.example"
