"""Which language a text is in, by its script: what kinds of characters it holds.

The classes of characters are looked up in one table, the test before slower tests. Each module
marks the characters that it asks for.
"""

from __future__ import annotations

import re

import numpy as np

from ..model import U16
from .characters import HAN

#: a plain letter, a digit or sign that stands for one, white space, a character beyond ASCII
LETTER, SIGN, BLANK, BEYOND = 1, 2, 4, 8
#: a combining mark, an accented letter, a small capital, a hairline space, a private character, a
#: styled letter
MARK, ACCENTED, SMALL, HAIR, PRIVATE, STYLED = 16, 32, 64, 128, 256, 512
#: a character that `reading` looks at, Han, another script than Latin
SUSPECT, IS_HAN, FOREIGN = 1024, 2048, 4096
#: Han that every text is full of
USUAL_HAN = 8192

_CLASSES = np.zeros(0x110000, np.uint16)
_CLASSES[0x80:] = BEYOND

_LETTER = re.compile("[A-Za-z]")
_OTHERS = "\u0370-\u1cff\u3040-\u30ff\uac00-\ud7a3"  # Greek to Vedic, kana, Hangul
_SAMPLE = 10_000  # characters looked at

_MAINLY = 0.75
_MUCH = 0.3
_FEW = 0.02  # share of characters beyond ASCII that curly quotes and names explain


def mark(bits: int, *characters: str) -> None:
    """Add bits to single characters and ranges, as a class of a regular expression lists them."""
    for first, last in re.findall("(?s)(.)(?:-(.))?", "".join(characters)):
        _CLASSES[ord(first) : ord(last or first) + 1] |= np.uint16(bits)


def classes_of(text: str) -> U16:
    """Return the class of each character, uint16 (n,)."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return np.asarray(_CLASSES[points])


def held(classes: U16) -> int:
    """Return the classes of all characters together."""
    return int(np.bitwise_or.reduce(classes)) if len(classes) else 0


def number_of(classes: U16, bits: int) -> int:
    """Count the characters that have one of some bits."""
    return int(np.count_nonzero(classes & np.uint16(bits)))


mark(LETTER, "A-Za-z")
mark(IS_HAN, HAN)

mark(FOREIGN, _OTHERS)
mark(BLANK, *filter(str.isspace, map(chr, range(0x3001))))


def language_of(text: str, classes: U16 | None = None) -> str:
    """Return zh, en, mixed or other; `classes` are those of its characters, where at hand.

    Notes
    -----
    A Han character weighs as much as a Latin word times 0.6, which is about what either says:
    translations of one text have 1.6 Han characters for an English word. Latin script is taken
    for English; the fingerprints treat it alike.
    """
    sample = text[:_SAMPLE]
    plain = sample.encode("ascii", "ignore")
    if len(sample) - len(plain) < _FEW * len(sample):
        return "en" if _LETTER.search(sample) else "other"
    seen = classes_of(sample) if classes is None else classes[:_SAMPLE]
    han, foreign = 0.6 * number_of(seen, IS_HAN), 0.6 * number_of(seen, FOREIGN)
    latin = float(len(plain.split()))
    total = han + latin + foreign
    if total == 0 or foreign > _MUCH * total:
        return "other"
    if han >= _MAINLY * total:
        return "zh"
    return "en" if latin >= _MAINLY * total else "mixed"


LEAST_WORDS = 5  # Latin words or Han characters; fewer is no text to compare


def words_in(text: str, enough: int) -> int:
    """Count Han characters and words of other scripts, up to about `enough`."""
    count = 0
    for count, _ in enumerate(_COUNTED.finditer(text), 1):
        if count >= enough:
            break
    return count


_COUNTED = re.compile(rf"[{HAN}]|(?:(?![{HAN}])[^\W_])+")


# --------------------------------------------------------------------------- the language itself

#: words that hold a language together and are none of another one here, or mostly its own
_FUNCTION_WORDS = {
    "en": "the of and to that is was for with this from which are they have been but when would it",
    "de": "der die das und ist nicht ein eine den dem von zu mit sich auf für auch wird sind wenn",
    "fr": "le les des et est dans qui une du pour au sur par il elle ne pas ce sont avec aux",
    "es": "el los las del y es que en una por con se su para como más no al pero fue",
    "it": "il gli di che è una per con non della dei si nel sono anche più alla ma delle del",
    "pt": "os as do da dos das e é que em uma não com se para mais como ao foi pelo",
    "nl": "het een van en niet dat die op te zijn met voor wordt ook naar maar door bij als aan",
    "pl": "w i na nie się że z do jest to od który jak przez po dla są ale o ich",
}
_TONGUES = {tongue: frozenset(words.split()) for tongue, words in _FUNCTION_WORDS.items()}
_KANA, _HANGUL, _CYRILLIC = (
    re.compile(span) for span in ("[\u3040-\u30ff]", "[\uac00-\ud7a3]", "[\u0400-\u04ff]")
)
_LATIN_WORD = re.compile(r"[^\W\d_]+")
_SOME = 0.1  # share of the characters from which a script tells the language
_HELD = 0.12  # share of the words that hold a language together, at least


def tongue_of(passage: str) -> str:
    """Return the language of a passage: one of twelve, "" where it is none of them or not sure.

    Notes
    -----
    By its script where one language has that, else by the words that hold a language together:
    enough for a sentence or two.
    """
    letters = sum(map(str.isalpha, passage))
    for tongue, script in (("ja", _KANA), ("ko", _HANGUL), ("ru", _CYRILLIC)):
        if len(script.findall(passage)) > _SOME * letters:
            return tongue
    if language_of(passage) in ("zh", "mixed"):
        return "zh"
    words = [word.lower() for word in _LATIN_WORD.findall(passage)]
    held = {tongue: sum(word in common for word in words) for tongue, common in _TONGUES.items()}
    best = max(held, key=lambda tongue: held[tongue])
    return best if held[best] > _HELD * len(words) else ""
