"""LaTeX and notebooks: what is written to be read, in one pass whatever the file holds."""

from __future__ import annotations

import json
import time

import pytest
from text.handmade import code_of

from simhash_core.text.extract import extract
from simhash_core.text.extract.extracted import Extracted


def read(text: str | bytes, suffix: str = "tex") -> Extracted:
    data = text if isinstance(text, bytes) else text.encode()
    kind, found = extract(data, suffix=suffix)
    assert kind == suffix
    return found


DOCUMENT = r"""
\documentclass[12pt]{article}\usepackage{ctex}
\newcommand{\name}[1]{not text #1}
\title[short]{On Reading}\author{Wu \thanks{x}}
\begin{document}
\maketitle
\section{First}% a comment with \begin{equation}
One \textbf{bo}ld word, 50\% of it~here%
   joined.\label{sec:a} See \ref{sec:a} and \citep[p.~3]{wu2020,li2021}.

Caf\'e, na\"{\i}ve, \c{c}a, \v{S}koda, stra\ss e --- ``quoted''.
\begin{equation}
  a = b \label{x}
\end{equation}
Inline $a+b$ and \(c\) and \[ d \] end.\footnote{A note.} After.
\begin{itemize}
  \item one
  \item[two] three
\end{itemize}
\begin{tabular}{l|c}
 a & b \\[2pt]
 c & d
\end{tabular}
\verb|code here| \href{http://x.y}{shown} {\color{red} red} costs \$5.
\begin{lstlisting}
 print("no text")
\end{lstlisting}
如有雷同，
纯属巧合。\emph{老师}
\end{document}
behind the end
"""


def test_tex_gives_what_is_set_as_text() -> None:
    found = read(DOCUMENT)

    assert found.text.splitlines() == [
        "First",
        "One bold word, 50% of it herejoined. See and .",
        "Café, naïve, ça, Škoda, straße — “quoted”.",
        "Inline and and end. After.",
        "one",
        "[two] three",
        "a b",
        "c d",
        "shown red costs $5.",
        "如有雷同，纯属巧合。老师",
        "A note.",
    ]
    assert found.meta == {"title": "On Reading", "author": "Wu"}
    assert [note.code for note in found.notes] == ["formulas"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("costs $5 and " + "many words " * 300 + "$6", None),  # amounts, no formula
        (r"\begin{equation} never ended", "never ended\n"),
        (r"\textbf{never closed", "never closed\n"),
        ("one } two ] three", "one two ] three\n"),
        (r"\def\x{gone} text", "text\n"),
        (r"a\\b\par c", "a\nb\nc\n"),
        ("", ""),
        ("\\", ""),
        (r"\cite[a [b] c]{d} text [kept]", "text [kept]\n"),
        (r"\section*{Head} text", "Head\ntext\n"),
        (r"\textcolor{red}{kept}", "kept\n"),
    ],
)
def test_tex_that_is_odd_keeps_its_words(source: str, text: str | None) -> None:
    found = read(source if source else "%").text

    assert found == text if text is not None else "$5" in found and "$6" in found


@pytest.mark.long
@pytest.mark.parametrize(
    "piece",
    [
        *(r"\begin{equation}", r"\begin{tabular}{", r"\end{x}", r"\label{", r"\label[", r"\verb|"),
        *("{", "[", "$", "$$", r"\[", r"\(", r"\footnote{", r"\section[", "%", "\\", r"\'"),
        *("\n\n", "- "),
    ],
)
def test_tex_is_read_in_one_pass(piece: str) -> None:
    """A lazy pattern over 20,000 `\\begin{equation}` takes half a minute."""
    began = time.perf_counter()
    read(("x" + piece * 20_000).encode())

    assert time.perf_counter() - began < 5


def test_tex_in_an_old_encoding_is_decoded() -> None:
    found = read(r"\section{如有雷同} 老师把两份作业放在一起看。".encode("gbk"))

    assert found.text == "如有雷同\n老师把两份作业放在一起看。\n"
    assert [note.code for note in found.notes] == ["encoding_guess"]


# ------------------------------------------------------------------------------ notebooks


def notebook(*cells: tuple[str, str | list[str]], **more: object) -> bytes:
    listed = [{"cell_type": kind, "source": source} for kind, source in cells]
    return json.dumps({"cells": listed, "nbformat": 4, **more}).encode()


def test_ipynb_gives_its_text_and_the_comments_of_its_code() -> None:
    data = notebook(
        ("markdown", ["# One\n", "two [link](http://x) ![pic](y.png)"]),
        ("code", ["x = 1  # counts the words\n", "y = 2 #\n", "print('text')"]),
        ("raw", "如有雷同"),
        metadata={"authors": [{"name": "Wu"}]},
    )
    found = read(data, "ipynb")

    assert found.text == "# One\ntwo link\ncounts the words\n如有雷同\n"
    assert [(note.code, note.params) for note in found.notes] == [("code", {"n": 30})]
    assert found.meta == {"author": "Wu"}


def test_notebooks_of_version_3_and_halves_of_characters_are_read() -> None:
    data = notebook(("markdown", "one \ud83d\ude00 two \ud800 three"))
    assert read(data, "ipynb").text == "one \U0001f600 two \ufffd three\n"
    cells = [{"cell_type": "markdown", "source": ["old"]}, {"cell_type": "code", "input": "x"}]
    book = json.dumps({"worksheets": [{"cells": cells}]}).encode()
    assert read(book, "ipynb").text == "old\n"


@pytest.mark.parametrize(
    "data", [b"{}", b"[]", b"no json", b'{"cells": [1]}', b'{"cells": 5}', b"[" * 500_000]
)
def test_what_is_no_notebook_is_damaged(data: bytes) -> None:
    assert code_of(data, "ipynb") == "damaged"


@pytest.mark.parametrize("piece", ["[", "![", "[](", "#", "# ", "]("])
def test_ipynb_is_read_in_one_pass(piece: str) -> None:
    began = time.perf_counter()
    read(notebook(("markdown", piece * 100_000), ("code", piece * 100_000)), "ipynb")

    assert time.perf_counter() - began < 3
