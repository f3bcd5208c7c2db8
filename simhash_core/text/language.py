"""Which language a text is in, by its script or its words."""

from __future__ import annotations

import re

from ..model import U16
from .characters import HAN
from .classes import FOREIGN, IS_HAN, classes_of, mark, number_of

_LETTER = re.compile("[A-Za-z]")
_OTHERS = "\u0370-\u1cff\u3040-\u30ff\uac00-\ud7a3"  # Greek to Vedic, kana, Hangul
_SAMPLE = 10_000  # characters looked at

_MAINLY = 0.75
_MUCH = 0.3
_FEW = 0.02  # share of characters beyond ASCII that curly quotes and names explain


mark(FOREIGN, _OTHERS)


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
