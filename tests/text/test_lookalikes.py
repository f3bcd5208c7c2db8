"""What recognition takes for each other, and what stays different."""

from __future__ import annotations

import pytest

from simhash_core.text.lookalikes import look_alike, may_be


@pytest.mark.parametrize(
    ("seen", "meant"),
    [
        *(("rnodem", "modern"), ("c1ear", "clear"), ("tbe", "the"), ("vvater", "water")),
        *(
            ("dose", "close"),
            ("f1ower", "flower"),
            ("令", "今"),
            ("未", "末"),
            ("thequick", "the quick"),
        ),
    ],
)
def test_what_looks_alike(seen: str, meant: str) -> None:
    assert look_alike(seen, meant)
    assert may_be(seen, meant, known=False)


@pytest.mark.parametrize(("seen", "meant"), [("cat", "car"), ("今", "明"), ("the", "a")])
def test_what_does_not(seen: str, meant: str) -> None:
    assert not look_alike(seen, meant)
    assert not may_be(seen, meant, known=False)


@pytest.mark.parametrize(
    ("seen", "meant"),
    [
        ("suggested", "suggestedd"),  # one letter of a long word
        ("sugqestd", "suggested"),  # and what looks alike
        ("paragrph", "paragraph"),
        ("gve", "give"),  # a letter lost from a short one that is no word
        ("iinderstandng", "understanding"),
    ],
)
def test_an_edit_is_forgiven_in_what_is_no_word(seen: str, meant: str) -> None:
    assert may_be(seen, meant, known=False)


@pytest.mark.parametrize(
    ("seen", "meant", "known"),
    [
        ("grandmother", "grandfather", True),  # two words
        ("1998", "1993", False),  # two years
        ("l998", "1998", False),
        ("gpve", "give", False),  # another letter in a short word
        ("of", "at", True),
        ("paragrph", "paragraph", True),
    ],
)
def test_words_and_numbers_are_not_forgiven(seen: str, meant: str, known: bool) -> None:
    assert not may_be(seen, meant, known=known)
