"""Quotation marks of many languages, and the apostrophes that are none."""

from __future__ import annotations

import pytest

from simhash_core.text.zones import zones

SAID = "the tide comes and goes twice in every single day"


def quoted(text: str) -> list[str]:
    return [text[one.start : one.end] for one in zones(text, ["quotations"])]


@pytest.mark.parametrize(
    "marks",
    [
        *("“{}”", "‘{}’", "„{}“", "„{}”", "‚{}‘", "«{}»", "« {} »", "«\u00a0{}\u00a0»", "»{}«"),
        *("»{}»", "”{}”", "‹{}›", "›{}‹", "「{}」", "『{}』", '"{}"', "＂{}＂", "'{}'", "``{}''"),
        *("`{}'", "''{}''", "〝{}〞"),
    ],
)
def test_what_stands_in_marks_is_quoted(marks: str) -> None:
    whole = marks.format(SAID)

    assert quoted(f"In his letter he wrote {whole} and left.") == [whole]
    assert quoted(f"{whole}, he wrote.") == [whole]


@pytest.mark.parametrize("mark", ["“", "„", "«", "‘", '"', "'", "``"])
def test_a_quotation_may_go_on_through_paragraphs_that_open_with_its_mark(mark: str) -> None:
    close = {"“": "”", "„": "“", "«": "»", "‘": "’", "``": "''"}.get(mark, mark)
    text = f"{mark}First {SAID}.\n\n{mark}Then {SAID}.\n\n{mark}Last {SAID}.{close} He left."
    parts = text.removesuffix(" He left.").split("\n\n")

    assert quoted(text) == parts
    assert quoted(text.replace(f"{close} He", " He")) == []


def test_a_french_quotation_may_go_on_with_what_closes() -> None:
    text = f"« Ici {SAID}.\n\n» Puis {SAID}. » Il part."

    assert quoted(text) == [f"« Ici {SAID}.", f"» Puis {SAID}. »"]


def test_a_genitive_closes_nothing() -> None:
    whole = f"'{SAID}, and don't you see that the pupils' work is here.'"

    assert quoted(f"He wrote {whole} Then he left.") == [whole]


@pytest.mark.parametrize(
    "text",
    [
        "The dogs' bowls and the cats' bowls are here and nobody has seen the owners' keys today.",
        "'Tis the season and 'twas the night, and rock 'n' roll in the '90s was all of ours.",
        "It is 5'10\" tall and the other one is 6'2\" tall, said the man to all of the people.",
        "L'arte e l'amore d'un po' di tutti e dell'uomo, quell'anno d'oro e d'argento.",
        'He said "never closed, and on and on it goes with many words after it.',
        "Never “closed and on and on it goes.\n\nAnother paragraph that is long enough to count.",
        "“Open and never closed.\n\n“Open again and never closed in this paragraph either.",
        "The value is 3 » 2 and 2 « 3 in all of the lines of this long table of values.",
        "Use `code` here and `more code` there, which is what everybody does in Markdown.",
    ],
)
def test_an_apostrophe_or_a_forgotten_mark_quotes_nothing(text: str) -> None:
    assert quoted(text) == []
