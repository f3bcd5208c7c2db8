"""Manipulated text is reported with its places."""

from __future__ import annotations

import pytest

from simhash_core.text.findings import findings


@pytest.mark.parametrize(
    ("text", "code", "n", "first"),
    [
        ("zero\u200bwidth", "invisible", 1, (4, 5)),
        ("零\u200d宽", "invisible", 1, (1, 2)),
        ("bell\x07s \x00\x00 nul", "invisible", 3, (4, 5)),
        ("clear plаgiаrism", "lookalikes", 2, (6, 16)),
        ("a c o p i e d text", "spaced", 13, (0, 13)),
        ("ＣＯＰＹ of it", "fullwidth", 4, (0, 4)),
    ],
)
def test_findings_point_at_the_place(text: str, code: str, n: int, first: tuple[int, int]) -> None:
    (note,) = [note for note in findings(text) if note.code == code]
    assert (note.params["n"], (note.start, note.end)) == (n, first)
    assert note.params["spans"][0] == first  # type: ignore[index]


@pytest.mark.parametrize(
    "text",
    [
        "An ordinary English sentence, with café and naïve.",
        "一句普通的中文，有全角标点：（括号）“引号”。",
        "Москва, столица России.",
        "β-катенин и α-helix in ДНК",
        "👩\u200d💻 ❤\ufe0f emoji use joiners",
        "options A B C D",
        "1 2 3 4 5 6 7 8",
        "tabs\tand\r\nline ends\n",
        "",
    ],
)
def test_findings_are_silent_about_ordinary_text(text: str) -> None:
    assert findings(text) == ()
