"""Texts in languages without a threshold of their own: no fingerprint, passages all the same."""

from __future__ import annotations

import random
import unicodedata

import pytest

import leitong as lt
from simhash_core.checking.tokenizing import count_texts, read_text
from simhash_core.settings import Settings
from simhash_core.text.normalize import normalized_text

SETTINGS = Settings(meaning="off")
#: letters with and without a mark
THAI = [chr(point) + mark for point in range(0x0E01, 0x0E2B) for mark in ("", "\u0e34", "\u0e48")]
KHMER = [chr(point) + mark for point in range(0x1780, 0x17A3) for mark in ("", "\u17b6", "\u17b7")]
LAO = [chr(point) + mark for point in (*range(0x0E94, 0x0EA4), 0x0EAA) for mark in ("", "\u0eb4")]
BURMESE = [chr(point) + mark for point in range(0x1000, 0x1021) for mark in ("", "\u102f")]
SPANISH = (
    "La biblioteca de la ciudad está en una casa que no cierra los domingos, y para leer con los "
    "niños hay que venir por la tarde, pero la gente llega más temprano porque es fiesta. "
)


def syllables(of: list[str], seed: int, n: int = 500) -> str:
    return "".join(random.Random(seed).choices(of, k=n))


@pytest.mark.parametrize("of", [THAI, KHMER, LAO, BURMESE], ids=["thai", "khmer", "lao", "burmese"])
def test_copies_in_scripts_without_spaces_are_found_and_others_are_not(of: list[str]) -> None:
    texts = [syllables(of, seed) for seed in range(5)]
    result = lt.check([*texts, texts[4] + "\n\n" + texts[0][:200]], settings=SETTINGS)
    rows = result.core.table.pairs
    found = set(zip(rows.left.tolist(), rows.right.tolist(), strict=True))
    assert found == {(0, 5), (4, 5)}  # the source and the host


def test_only_texts_in_known_languages_have_words_for_a_fingerprint() -> None:
    english = "the house of the man was not that of the king, and it is for them to have it"
    counted = count_texts([english, SPANISH * 2, english], SETTINGS)
    assert counted.length.tolist() == [19, 0, 19]
    assert "biblioteca" not in counted.vocabulary


def test_japanese_is_not_cut_as_chinese() -> None:
    text = "図書館は町の古い家にあって、日曜日も閉まらないので、子どもたちは庭で本を読んでいます。"
    assert read_text(text, SETTINGS, words=True).word.all()
    chinese = "图书馆在镇上的老房子里，星期天也不关门，孩子们在花园里看书。"
    assert not read_text(chinese, SETTINGS, words=True).word.all()


@pytest.mark.parametrize(
    ("pointed", "plain"),
    [
        ("كَتَبَ الوَلَدُ رِسَالَةً", "كتب الولد رسالة"),
        ("كتـــب الولد", "كتب الولد"),
        ("שָׁלוֹם לָכֶם", "שלום לכם"),
    ],
)
def test_points_that_readers_supply_hide_nothing(pointed: str, plain: str) -> None:
    assert normalized_text(pointed) == plain
    assert normalized_text(unicodedata.normalize("NFD", pointed)) == plain
