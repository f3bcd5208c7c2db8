"""Disguises of a whole text: taken off, or named; and none seen where there is none."""

from __future__ import annotations

import random
import unicodedata
from pathlib import Path

import pytest
from prose import english
from text.test_disguised_files import letters_of

from simhash_core.text.extract import extract
from simhash_core.text.lookalikes import look_alike, may_be
from simhash_core.text.normalize import normalize, normalized_text
from simhash_core.text.reading import findings

SAMPLES = Path(__file__).resolve().parents[2] / "sample_docs"
TEXT = (SAMPLES / "essays" / "07-priya-nair.txt").read_text("utf-8")


def codes(text: str) -> set[str]:
    return {note.code for note in findings(text)}


DISGUISES = {
    **letters_of("en"),
    "hair spaces": lambda t: " ".join(w[:2] + "\u200a" + w[2:] for w in t.split(" ")),
}
#: disguises of `test_disguised_files` that are taken off, and what each is called
UNDONE = {
    "U+0323 on every letter": "marks",
    "U+0336 on every letter": "marks",
    "U+0338 on every letter": "marks",
    "diaeresis on vowels": "marks",
    "hair spaces": "narrow_spaces",
    "small capitals": "lookalikes",
    "mathematical": "styled",
    "leet of three": "leet_undone",
    "leet of six": "leet_undone",
}


@pytest.mark.parametrize("composed", [False, True])
@pytest.mark.parametrize(("name", "code"), UNDONE.items())
def test_a_disguise_is_taken_off_and_named(name: str, code: str, composed: bool) -> None:
    disguised = DISGUISES[name](TEXT)
    disguised = unicodedata.normalize("NFC" if composed else "NFD", disguised)
    plain, found = (set(normalized_text(t).split()) for t in (TEXT, disguised))

    assert code in codes(disguised)
    assert len(plain & found) >= 0.97 * len(plain)
    whole = normalize(disguised)
    assert whole.text == normalized_text(disguised)
    assert (whole.start[1:] >= whole.start[:-1]).all()
    assert (whole.end[1:] >= whole.end[:-1]).all() and whole.end[-1] <= len(disguised)


#: and those that can only be named
NAMED = {
    "no spaces": "unspaced",
    "a letter for every space": "unspaced",
    "spaces in words": "broken_words",
    "private characters": "private_use",
    "right to left": "invisible",
    "backwards": "reversed",
    "words backwards": "reversed",
    "rotated alphabet": "odd_letters",
    "first letters doubled": "odd_letters",
}


@pytest.mark.parametrize(("name", "code"), NAMED.items())
def test_what_cannot_be_taken_off_is_named(name: str, code: str) -> None:
    assert code in codes(DISGUISES[name](TEXT))


VIETNAMESE = (
    "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi. Mọi con người "
    "đều được tạo hóa ban cho lý trí và lương tâm và cần phải đối xử với nhau trong tình bằng hữu. "
)
GERMAN = "Über größere Brücken führen schöne Straßen, die müde Männer früher gewählt hätten. "
PINYIN = "Rénrén shēng ér zìyóu, zài zūnyán hé quánlì shàng yīlǜ píngděng. "
PHONETIC = "The word fish is [fɪʃ], kitten is [ˈkɪtn̩], church is [t͡ʃɜːt͡ʃ], all of the birds sing. "
ORDINARY = {
    "essay": TEXT,
    "vietnamese": VIETNAMESE * 20,
    "vietnamese, decomposed": unicodedata.normalize("NFD", VIETNAMESE * 20),
    "vietnamese of short syllables, decomposed": unicodedata.normalize(
        "NFD", "Bà ấy đi ra chợ cá, cô ở lại vì bị ốm; họ đã về từ tối. " * 20
    ),
    "german": GERMAN * 30,
    "spanish": "Si llueve no salimos; si hace sol, ni Ana ni su hermano se quedan en casa. " * 20,
    "french": "Si tu veux, ni lui ni elle ne viendra, et si elle vient, tant pis. " * 20,
    "italian": "Si alzano presto e si lavano, poi si parla del DNA e si studia il DNA. " * 20,
    "turkish and danish": "Ot toplayan kadın si söyler; og ni elever si, at det er godt. " * 20,
    "pinyin": PINYIN * 30,
    "phonetic": PHONETIC * 30,
    "mathematics": "Suppose that 𝑥 belongs to ℝ and consider the function 𝑓(𝑥) = 𝑎𝑥 + 𝑏. " * 20,
    "hair spaces": "He said\u200a—\u200aand she agreed\u200a—\u200athat J.\u200aS. was right. "
    * 20,
    "long names": "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbaubeamtengesellschaft "
    + "ist ein langes Wort und steht selten in einem Satz, der sonst kurze Worte hat. " * 10,
}


@pytest.mark.parametrize("text", ORDINARY.values(), ids=ORDINARY)
def test_an_ordinary_text_is_left_as_it_is(text: str) -> None:
    assert codes(text) == set()
    composed = unicodedata.normalize("NFKC", text).casefold()
    assert set(normalized_text(text).split()) == set(composed.replace("\u2019", "'").split())


def test_entities_of_a_text_are_resolved_but_not_where_it_is_about_them() -> None:
    coded = "".join(f"&#{ord(c)};" if c.isalpha() else c for c in english(1, 80))
    _, found = extract(coded.encode(), suffix="txt")
    assert found.text == english(1, 80)
    assert [note.code for note in found.notes] == ["entities"]
    text = english(2, 200) + " Write &amp;, &#60; and &#x3E; for them. "
    assert extract(text.encode(), suffix="md")[1].text == text


def test_disguises_cost_an_ordinary_text_nothing_of_its_letters() -> None:
    rng = random.Random(3)
    for _ in range(200):
        text = "".join(rng.choice("aeé ñöü.,中文𝑥ɪᴇn") for _ in range(30))
        assert normalize(text).text == normalized_text(text)


@pytest.mark.parametrize(
    ("seen", "meant"),
    [
        *(("rnodem", "modern"), ("c1ear", "clear"), ("tbe", "the"), ("vvater", "water")),
        *(("dose", "close"), ("f1ower", "flower"), ("thequick", "the quick")),
        *(("令", "今"), ("未", "末")),
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


@pytest.mark.parametrize(
    "line",
    [
        "Les enfants disent que si tu veux, si elle vient, ni toi ni moi ne partons, si ce jour, ",
        "I ragazzi si alzano presto e si lavano e si vestono e poi si siedono in giardino, ",
        "Los pueblos no tienen ni agua ni luz y ni si quiera un si o un no, ni si llueve hoy, ",
        "La policia no sap si ve ni si marxa ni per on passa, ni si torna dema si pot, ",
        "Die Zellen lesen DNA ab, denn DNA steht im Kern, und DNA ist lang, weil DNA alles weiss, ",
        "Ej si ti ni on ot to fo i pa si o to ni tu si na ot, ",
    ],
)
def test_words_of_other_languages_are_no_text_written_backwards(line: str) -> None:
    assert "reversed" not in codes(line * 6)


def test_english_and_chinese_written_backwards_are_seen() -> None:
    assert "reversed" in codes(TEXT[:800][::-1])
    chinese = (
        "我们因为他们知道自己的时候，老师已经觉得朋友的问题可以写成作文。而且我们以后再说。" * 6
    )
    assert "reversed" in codes(chinese[::-1])
