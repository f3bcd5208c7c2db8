"""What LaTeX never prints, or prints in white, is left out and told."""

from __future__ import annotations

import pytest

from simhash_core.text.extract import source

HIDDEN = "Pigeons find their way home."


@pytest.mark.parametrize(
    "around",
    [
        "\\iffalse {} \\fi",
        "\\iffalse {} \\ifx\\a\\b c \\else d \\fi \\fi",
        "\\if0 {} \\fi",
        "\\textcolor{{white}}{{{}}}",
        "\\textcolor[rgb]{{1,1,1}}{{{}}}",
        "\\textcolor[HTML]{{FFFFFF}}{{{}}}",
        "{{\\color{{white}} {}}}",
        "{{\\color[gray]{{1}}{}}}",
        "\\phantom{{{}}}",
    ],
)
def test_what_nobody_sees_is_left_out_and_told(around: str) -> None:
    read = source.tex(f"The mill \\emph{{turns}} {around.format(HIDDEN)} twice a day.".encode())

    assert read.text == "The mill turns twice a day.\n"
    (note,) = read.notes
    assert note.code == "left_out"
    assert "Pigeons find" in str(note.params["words"])


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("\\iffalse a \\else The mill.\\fi", "The mill.\n"),
        ("\\textcolor{blue}{The} \\color{red}mill.", "The mill.\n"),
        ("\\iffalse never closed, so it is text", "never closed, so it is text\n"),
        ("\\definecolor{a}{rgb}{1,1,1}The mill.", "The mill.\n"),
    ],
)
def test_what_is_printed_stays(written: str, seen: str) -> None:
    assert source.tex(written.encode()).text == seen
