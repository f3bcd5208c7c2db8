"""A phrase is found in every text that holds it, whatever its case, marks and line ends."""

from __future__ import annotations

import pytest

from simhash_core.errors import BadInput
from simhash_core.library.lookup import places_of
from simhash_core.model import Document
from simhash_core.storage.library import Library, prepare


@pytest.fixture
def library():
    """Two collections, one text in each with the phrase."""
    with Library.in_memory() as held:
        texts = ["渡轮七点\n离开码头。", "The Ferry leaves\nat seven. The ferry  leaves again."]
        for number, text in enumerate(texts):
            document = Document.from_text(text, name=f"{number}.txt")
            held.add(f"c{number}", [prepare(document)])
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
    assert whole == "".join(phrase.split()).removesuffix(".")


def test_other_collections_hold_nothing_and_one_character_is_refused(library) -> None:
    assert list(places_of(library, "七点离开", collection="c1")) == []
    with pytest.raises(BadInput):
        list(places_of(library, " a "))


@pytest.mark.parametrize("phrase", ["sev.n", "even", "at seve", "点.离"])
def test_a_word_is_found_as_a_whole_and_no_sign_is_a_pattern(phrase, library):
    found = [place.document.name for place in places_of(library, phrase)]

    assert found == (["0.txt"] if phrase == "点.离" else [])


@pytest.mark.parametrize(
    ("phrase", "text", "shown"),
    [
        ("春天来了 花开了", "他说：“春天来了，花开了。”", "春天来了，花开了"),
        ("“春天来了，花开了”", "他说：春天来了\n\n花开了。", "春天来了\n\n花开了"),
        ("頭髮很長", "他的头发很长。", "头发很长"),
        ("头发很长", "他的頭髮很長。", "頭髮很長"),
        ("ＡＩ技术 2024", "用AI 技术（2024）写成", "AI 技术（2024"),
        ("well, the ferry’s gone", "WELL - the ferry's gone", "WELL - the ferry's gone"),
        ("cooperation of states", "the co-\noperation of states", "co-\noperation of states"),
        ("《民法典》第一条", "依民法典第一条办理", "民法典第一条"),
    ],
)
def test_marks_spaces_width_and_script_do_not_count(phrase, text, shown):
    with Library.in_memory() as held:
        held.add("c", [prepare(Document.from_text(f"甲乙丙。{text} 丁戊己", name="a"))])
        (place,) = places_of(held, phrase)

    assert place.document.text[place.start : place.end] == shown
