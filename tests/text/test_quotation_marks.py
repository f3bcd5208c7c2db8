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
        *("`{}'", "''{}''", "〝{}〞", "｢{}｣", "’{}’", "‚{}’", '„{}"', '“{}"', '``{}"'),
        *(",,{}''", ",,{}“", "´{}´", "`{}´", "<<{}>>"),
    ],
)
def test_what_stands_in_marks_is_quoted(marks: str) -> None:
    whole = marks.format(SAID)

    assert quoted(f"In his letter he wrote {whole} and left.") == [whole]
    assert quoted(f"{whole}, he wrote.") == [whole]


@pytest.mark.parametrize("mark", ["“", "„", "«", "»", "”", "‘", '"', "'", "``"])
def test_a_quotation_may_go_on_through_paragraphs_that_open_with_its_mark(mark: str) -> None:
    close = {"“": "”", "„": "“", "«": "»", "»": "«", "‘": "’", "``": "''"}.get(mark, mark)
    text = f"{mark}First {SAID}.\n\n{mark}Then {SAID}.\n\n{mark}Last {SAID}.{close} He left."
    parts = text.removesuffix(" He left.").split("\n\n")

    assert quoted(text) == parts
    assert quoted(text.replace(f"{close} He", " He")) == []


def test_quotations_go_on_hold_genitives_and_stay_apart() -> None:
    text = f"« Ici {SAID}.\n\n» Puis {SAID}. » Il part."
    assert quoted(text) == [f"« Ici {SAID}.", f"» Puis {SAID}. »"]
    whole = f"'{SAID}, and don't you see that the pupils' work is here.'"
    assert quoted(f"He wrote {whole} Then he left.") == [whole]
    first, second = "‘the long road of the two old boys’", "‘the short road of the two girls.’"
    assert quoted(f"It is {first} and {second}") == [first, second]


@pytest.mark.parametrize("marks", ["“”", "‘’", "「」", '""', "''", "„“"])
@pytest.mark.parametrize(
    "sentence",
    [
        "他说{}然后走了。|河水在那天早上又高又冷谁也没有睡着",
        "他说：{}然后走了。|河水在那天早上又高又冷，谁也没有睡着。",
        "彼は{}と言った。|川はその朝とても高くて冷たかったのです",
        "그는 {}라고 말했다.|그날 아침 강물은 매우 높고 차가웠다고 생각한다",
    ],
)
def test_marks_may_touch_the_letters_of_scripts_without_blanks(marks: str, sentence: str) -> None:
    around, said = sentence.split("|")
    whole = f"{marks[0]}{said}{marks[1]}"

    assert quoted(around.format(whole)) == [whole]


@pytest.mark.parametrize(
    "whole",
    [
        "‘The pupils’ books and the girls’ desks of the school are old,’",
        "'the pupils' books and desks are all very old,'",
        "'I told 'em to go home at once,'",
        "'we love rock 'n' roll music more than anything else'",
        '"the 6" pipe in the yard was broken again,"',
    ],
)
def test_what_looks_like_the_mark_does_not_close_it(whole: str) -> None:
    assert quoted(f"She wrote {whole} and left the room.") == [whole]


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
        "Use `code` and don't forget that it is only the users' own choice after all.",
        'צה"ל הוא צבא ההגנה של ישראל ומנכ"ל החברה דיבר עם יו"ר הוועדה על המצב.',
        "We went to 's-Hertogenbosch en 's avonds zagen we de jongens' fietsen, 't was koud.",
        "‘Tis the season of rock ‘n’ roll, in the ‘90s, with the pupils’ own music of old.",
        "Use `code` here and `more code` there, which is what everybody does in Markdown.",
    ],
)
def test_an_apostrophe_or_a_forgotten_mark_quotes_nothing(text: str) -> None:
    assert quoted(text) == []
