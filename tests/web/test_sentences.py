"""Which sentences are proposed: rare ones, from all over a text, and nobody's name."""

from __future__ import annotations

import random

import pytest

import simhash_core
from simhash_core.meaning.units import size_of
from simhash_core.model import CorpusStats, Document
from simhash_core.web import rarest_sentences

PLAIN = "We went to the house and they said that it was good to be there with all of us. "
RARE = "The narwhal ledger of Skarvøy lists four drowned bishops and a herring barrel. "


def of(text: str, **meta: str) -> Document:
    return Document.from_text(text, name="essay", **meta)


def test_rare_sentence_is_chosen_before_common_ones() -> None:
    (chosen,) = rarest_sentences([of(PLAIN * 4 + RARE + PLAIN * 3)], each=1)

    assert chosen.words == RARE.strip()
    assert of(PLAIN * 4 + RARE).text[chosen.start : chosen.end].strip() == RARE.strip()


def test_every_part_of_a_text_is_asked_for() -> None:
    sources, _ = simhash_core.gather(simhash_core.samples()["essays"])
    documents, _ = simhash_core.read([one for one in sources if one.suffix == "txt"])
    for document in documents:
        chosen = rarest_sentences([document], each=4)
        places = [one.start / len(document.text) for one in chosen]

        assert len(chosen) == 4, document.name
        assert places == sorted(places)
        assert max(places) - min(places) > 0.4, document.name


@pytest.mark.parametrize("row", range(22))
def test_sentence_of_a_sample_fits_into_a_question(row: int, essays: list[Document]) -> None:
    for one in rarest_sentences(essays[row : row + 1]):
        assert 6 <= size_of(one.words) <= 22
        assert one.words == " ".join(one.words.split())
        assert one.words.split()[0] in essays[row].text[one.start : one.end]


@pytest.fixture(scope="module")
def essays() -> list[Document]:
    sources, _ = simhash_core.gather(simhash_core.samples()["essays"])
    return simhash_core.read([one for one in sources if one.suffix != "csv"])[0]


@pytest.mark.parametrize(
    "sentence",
    [
        "My name is Ottoline Brackwater and I keep a narwhal ledger of drowned bishops. ",
        "Ask the keeper at ottoline@skarvoy.example for the narwhal ledger of drowned bishops. ",
        "The narwhal ledger of drowned bishops is kept under the number 2026 0101 17 at school. ",
        "“The narwhal ledger of Skarvøy lists bishops and a herring barrel” (Brack, 1999). ",
    ],
)
def test_names_numbers_and_quotations_are_not_proposed(sentence: str) -> None:
    text = PLAIN * 3 + sentence + PLAIN * 3
    chosen = rarest_sentences([of(text, author="Ottoline Brackwater")])

    assert not any("narwhal" in one.words for one in chosen)


def test_name_of_one_is_not_proposed_for_another() -> None:
    texts = [
        of(PLAIN * 3, author="林晓雨"),
        of("昨天傍晚林晓雨把灯塔看守人的鲸鱼账册借给了博物馆的馆员。"),
    ]

    assert not any("林晓雨" in one.words for one in rarest_sentences(texts))
    assert not rarest_sentences([texts[1]], private=["林晓雨"])
    assert rarest_sentences([texts[1]])


def test_what_everybody_has_is_not_proposed_and_others_once() -> None:
    sheet = of(RARE)
    assert not any("narwhal" in one.words for one in
                   rarest_sentences([of(PLAIN + RARE)], templates=[sheet]))  # fmt: skip
    chosen = rarest_sentences([of(RARE), of(RARE)])
    assert len(chosen) == 1


def test_words_that_are_common_in_the_library_are_not_rare() -> None:
    genre = "The defendant hereby stipulates the aforementioned jurisprudential affidavit. "
    other = "The narwhal went to a house and the barrel was there. "
    common = dict.fromkeys(
        ("defendant", "hereby", "stipulates", "aforementioned", "jurisprudential", "affidavit",
         "notwithstanding"), 400,
    )  # fmt: skip
    statistics = CorpusStats(400, common)
    (without,) = rarest_sentences([of(genre + other)], each=1)
    (with_library,) = rarest_sentences([of(genre + other)], each=1, statistics=statistics)

    assert "affidavit" in without.words
    assert "narwhal" in with_library.words


def test_many_texts_get_fewer_sentences_cut_to_fit() -> None:
    texts = [of(f"{RARE.strip('. ')} number{n} of harbour{n}. " + PLAIN) for n in range(30)]
    chosen = rarest_sentences(texts, each=5, most=40)
    assert len(chosen) <= 40
    assert {one.row for one in chosen} == set(range(30))
    for text in ("narwhal ledger barrel bishop " * 60, "鲸鱼账册木桶主教灯塔" * 60):
        chosen = rarest_sentences([of(text)])

        assert chosen
        assert all(size_of(one.words) <= 22 for one in chosen)


@pytest.mark.parametrize("text", ["", "   \n", "Short.", "a " * 3, "。。。！！！", "字" * 5])
def test_text_without_sentences_has_none(text: str) -> None:
    assert rarest_sentences([of(text)]) == ()


def test_planted_passage_of_three_hundred_characters_is_met_nearly_everywhere(essays):
    """What docs/explanation/what-is-compared.md says, on every sample essay."""
    drawn, met = random.Random(7), 0
    for document in essays:
        han = document.language == "zh"
        others = [one for one in essays if one.language == document.language]
        other = drawn.choice([one for one in others if one is not document])
        size = 300 if han else 1200
        start = drawn.randrange(max(1, len(other.text) - size))
        plant = other.text[start : start + size]
        at = document.text.find("。" if han else ". ", drawn.randrange(len(document.text))) + 1
        at = at or len(document.text)
        text = document.text[:at] + plant + document.text[at:]

        met += any(
            one.start < at + len(plant) - 15 and one.end > at + 15
            for one in rarest_sentences([of(text)])
        )

    assert met >= len(essays) - 2, met
