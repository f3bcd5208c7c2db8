"""Disguises of a whole text: taken off, or named; and none seen where there is none."""

from __future__ import annotations

import codecs
import random
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from prose import english

from simhash_core.text.extract import extract
from simhash_core.text.lookalikes import look_alike, may_be
from simhash_core.text.normalize import normalize, normalized_text
from simhash_core.text.reading import findings

SAMPLES = Path(__file__).resolve().parents[2] / "sample_docs"
TEXT = (SAMPLES / "essays" / "07-priya-nair.txt").read_text("utf-8")
SMALL = str.maketrans("abcdefghijklmnopqrtuvwyz", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀᴛᴜᴠᴡʏᴢ")


def codes(text: str) -> set[str]:
    return {note.code for note in findings(text)}


def with_mark(mark: str, letters: str = "") -> Callable[[str], str]:
    def disguise(text: str) -> str:
        return "".join(
            c + mark if c.isascii() and c.isalpha() and (not letters or c in letters) else c
            for c in text
        )

    return disguise


def hair(text: str) -> str:
    return " ".join(word[:2] + "\u200a" + word[2:] for word in text.split(" "))


def leet(text: str) -> str:
    return text.translate(str.maketrans("aeio", "4310"))


UNDONE: dict[str, tuple[Callable[[str], str], str]] = {
    "dot below": (with_mark("\u0323"), "marks"),
    "overlay": (with_mark("\u0336"), "marks"),
    "overlay, composed": (lambda t: unicodedata.normalize("NFC", with_mark("\u0338")(t)), "marks"),
    "dot below, composed": (
        lambda t: unicodedata.normalize("NFC", with_mark("\u0323")(t)),
        "marks",
    ),
    "diaeresis on vowels": (with_mark("\u0308", "aeiouAEIOU"), "marks"),
    "diaeresis, composed": (
        lambda t: unicodedata.normalize("NFC", with_mark("\u0308", "aeiouAEIOU")(t)),
        "marks",
    ),
    "hair spaces in words": (hair, "narrow_spaces"),
    "small capitals": (lambda t: t.lower().translate(SMALL), "lookalikes"),
    "mathematical bold": (
        lambda t: "".join(chr(0x1D41A + ord(c) - 97) if "a" <= c <= "z" else c for c in t),
        "styled",
    ),
    "leet": (leet, "leet_undone"),
    "leet of six letters": (
        lambda t: t.translate(str.maketrans("aeiostAEIOST", "431057431057")),
        "leet_undone",
    ),
}


@pytest.mark.parametrize(("disguise", "code"), UNDONE.values(), ids=UNDONE)
def test_a_disguise_is_taken_off_and_named(disguise: Callable[[str], str], code: str) -> None:
    disguised = disguise(TEXT)
    plain, found = (set(normalized_text(t).split()) for t in (TEXT, disguised))

    assert code in codes(disguised)
    assert len(plain & found) >= 0.97 * len(plain)
    whole = normalize(disguised)
    assert whole.text == normalized_text(disguised)
    assert (whole.start[1:] >= whole.start[:-1]).all()
    assert (whole.end[1:] >= whole.end[:-1]).all() and whole.end[-1] <= len(disguised)


def broken(text: str) -> str:
    return " ".join(word[:2] + " " + word[2:4] + " " + word[4:] for word in text.split())


NAMED: dict[str, tuple[Callable[[str], str], str]] = {
    "no spaces": (lambda t: "".join(t.split()), "unspaced"),
    "a letter for every space": (lambda t: "q".join(t.replace(".", "").split()), "unspaced"),
    "spaces in words": (broken, "broken_words"),
    "private characters": (
        lambda t: "".join(chr(0xE000 + ord(c)) if c.isalpha() and c.isascii() else c for c in t),
        "private_use",
    ),
    "right to left": (lambda t: "\u202e" + t[::-1] + "\u202c", "invisible"),
    "backwards": (lambda t: t[::-1], "reversed"),
    "every word backwards": (lambda t: " ".join(w[::-1] for w in t.split()), "reversed"),
    "rotated alphabet": (lambda t: codecs.encode(t, "rot13"), "odd_letters"),
    "first letters doubled": (lambda t: re.sub(r"\b([A-Za-z])", r"\1\1", t), "odd_letters"),
}


@pytest.mark.parametrize(("disguise", "code"), NAMED.values(), ids=NAMED)
def test_what_cannot_be_taken_off_is_named(disguise: Callable[[str], str], code: str) -> None:
    assert code in codes(disguise(TEXT))


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


@pytest.mark.parametrize(
    "style",
    ["font-size:0", "color:red; font-size: 0px;", "opacity:0", "opacity: 0.0", "color:transparent"],
)
def test_words_hidden_inside_a_sentence_of_a_page_are_left_out_and_named(style: str) -> None:
    page = f"<p>one <span style='{style}'>zebra</span>two three four five six</p>"
    _, found = extract(page.encode(), suffix="html")

    assert found.text == "one two three four five six"
    assert [(note.code, note.params["n"]) for note in found.notes] == [("left_out", 5)]


@pytest.mark.parametrize(
    "style", ["font-size:0.9em", "opacity:0.8", "background-color:transparent"]
)
def test_words_that_are_seen_stay(style: str) -> None:
    page = f"<p>one <span style='{style}'>zebra</span> two three four five six</p>"
    _, found = extract(page.encode(), suffix="html")

    assert (found.text, found.notes) == ("one zebra two three four five six", ())


def test_disguises_cost_an_ordinary_text_nothing_of_its_letters() -> None:
    rng = random.Random(3)
    for _ in range(200):
        text = "".join(rng.choice("aeé ñöü.,中文𝑥ɪᴇn") for _ in range(30))
        assert normalize(text).text == normalized_text(text)


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


@pytest.mark.parametrize("word", ["tiếng việt của chúng tôi có dấu ở đó ", "Việt Nam là một nước "])
def test_decomposed_vietnamese_is_not_broken(word: str) -> None:
    assert codes(unicodedata.normalize("NFD", word * 40)) == set()
