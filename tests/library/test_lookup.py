"""A phrase is found in every text that holds it, whatever its case and line ends."""

from __future__ import annotations

import pytest

from simhash_core.errors import BadInput
from simhash_core.library.lookup import places_of
from simhash_core.model import Document
from simhash_core.storage.library import Library, NewText


@pytest.fixture
def library():
    """Two collections, one text in each with the phrase."""
    with Library.in_memory() as held:
        texts = ["渡轮七点\n离开码头。", "The Ferry leaves\nat seven. The ferry  leaves again."]
        for number, text in enumerate(texts):
            document = Document.from_text(text, name=f"{number}.txt")
            held.add(f"c{number}", [NewText(document)])
        yield held


@pytest.mark.parametrize(
    ("phrase", "name", "start", "count"),
    [
        ("七点离开", "0.txt", 2, 1),
        ("the ferry leaves", "1.txt", 0, 2),
        ("at seven.", "1.txt", 17, 1),
    ],
)
def test_phrase_is_found_with_its_place(phrase, name, start, count, library):
    (place,) = places_of(library, phrase)

    assert (place.document.name, place.start, place.count) == (name, start, count)
    whole = "".join(place.document.text[place.start : place.end].split()).casefold()
    assert whole == "".join(phrase.split())


def test_other_collection_holds_nothing(library):
    assert list(places_of(library, "七点离开", collection="c1")) == []


def test_signs_of_patterns_are_plain_characters(library):
    assert list(places_of(library, "seven.*")) == []


def test_one_character_is_refused(library):
    with pytest.raises(BadInput):
        list(places_of(library, " a "))
