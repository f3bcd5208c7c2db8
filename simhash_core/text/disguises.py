"""Disguises of a whole text: those that can be undone, and those that can only be named.

A disguise is recognised by how much of a text it covers, never by a single character: accents
belong to many languages, private characters to icon fonts, digits in words to product names.
Ordinary text is left unchanged.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import filterfalse

import numpy as np

from .characters import HAN, class_of
from .classes import (
    ACCENTED,
    BACKWARDS,
    LOOKED_AT,
    MARK,
    PRIVATE,
    SIGN,
    STYLED,
    USUAL_HAN,
    WORDS_LOOKED_AT,
    Characters,
    characters_of,
    mark,
    number_of,
)

Edit = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]

_FEWEST = 20  # of anything, before it is called a disguise

# ---------------------------------------------------------------------------------- undone

_MARKS = (
    "\u0300-\u034e\u0350-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u0e31\u0e34-\u0e3a"
    "\u0e47-\u0e4e\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\u302a-\u302f\u3099\u309a\ufe20-\ufe2f"
)
_ACCENTS = "\u00c0-\u024f\u1e00-\u1eff"
_MARK, _ACCENTED = re.compile(f"[{_MARKS}]"), re.compile(f"[{_ACCENTS}]")
mark(MARK, _MARKS)
mark(ACCENTED, _ACCENTS)
_MARKED_HAN = re.compile(f"[{HAN}][{_MARKS}]+")
_MARKED = re.compile(f"[A-Za-z{HAN}][{_MARKS}]+|[{_ACCENTS}][{_MARKS}]*")

_HAN = re.compile(f"[{HAN}]")
_STRAY_MARKS = 0.08  # of the ASCII letters, or of Han, bear marks that no language puts there
_ONE_MARK = 0.9  # of all marks are the same one ...
_MARKED_VOWELS = 0.5  # ... and stand on half of the vowels
_HAIR = re.compile("(?<=[A-Za-z])[\u2006\u200a]+(?=[A-Za-z])")

#: small capitals that phonetic transcription does not use, and those that it does
_SMALL = dict(zip("ᴀᴄᴅᴇꜰᴊᴋᴍᴏᴘꜱᴛᴜᴠᴡᴢ", "acdefjkmopstuvwz", strict=True))
_PHONETIC = dict(zip("ʙɢʜɪʟɴǫʀʏ", "bghilnqry", strict=True))
_SMALL_CLASS = class_of("".join(_SMALL))
_SMALL_LETTER = re.compile(f"[{_SMALL_CLASS}]")
_SMALL_WORD = re.compile(f"[{_SMALL_CLASS}{class_of(''.join(_PHONETIC))}sxqSXQ]+")
_FROM_SMALL = str.maketrans({**_SMALL, **_PHONETIC})


def edits(text: str) -> Iterator[Edit]:
    """Yield the replacements that undo the disguises of a text, none for an ordinary one."""
    # names of products and formulas hold digits too, the small words of English never
    begin = text[:WORDS_LOOKED_AT]
    signs = sum(map(begin.count, _LEET_SIGNS))
    if signs >= _FEWEST and _signs_are_letters(text, characters_of(begin)):
        yield _LEET_TOKEN, _replace_leet
    if text.isascii():
        return
    if _is_overmarked(text):
        yield _MARKED, _remove_marks
    if _SMALL_LETTER.search(text):
        yield _SMALL_WORD, _replace_small(text)
    if ("\u200a" in text or "\u2006" in text) and len(_HAIR.findall(text)) < text.count(" "):
        yield _HAIR, lambda match: ""


_COVERING = re.compile(f"[{_SMALL_CLASS}{_MARKS}]")


def is_covering(character: str) -> bool:
    """Whether a character alone, beside marks and accents, may be part of a disguise."""
    return character in "\u2006\u200a" or bool(_COVERING.match(character))


def small_capitals(text: str) -> list[tuple[int, int]]:
    """Return where whole words are written in small capitals."""
    if not _SMALL_LETTER.search(text):
        return []
    plain = _replace_small(text)
    return [m.span() for m in _SMALL_WORD.finditer(text) if plain(m) != m[0]]


def marked_letters(text: str, characters: Characters) -> int:
    """Return how many letters bear marks, where these are a disguise."""
    few = not characters.held & MARK and characters.accented < _FEWEST
    if few or not _is_overmarked(text):
        return 0
    return sum(_remove_marks(match) != match[0] for match in _MARKED.finditer(text))


def hair_spaces(text: str) -> list[tuple[int, int]]:
    """Return where hairline spaces part the letters of words."""
    if "\u200a" not in text and "\u2006" not in text:
        return []
    return [match.span() for match in _HAIR.finditer(text)]


def _is_overmarked(text: str) -> bool:
    """Whether marks cover a text that no language writes.

    Either they do not compose with the letters they stand on, or one and the same mark stands
    on most vowels. No language puts marks on Han.
    """
    head = text[:LOOKED_AT]
    if _MARK.search(head):
        on_han = sum(1 for _ in _MARKED_HAN.finditer(head))
        if on_han >= _FEWEST and on_han >= _STRAY_MARKS * len(_HAN.findall(head)):
            return True
        on_ascii = [m[0] for m in _MARKED.finditer(head) if m[0][0].isascii()]
        stray = sum(len(unicodedata.normalize("NFC", piece)) > 1 for piece in on_ascii)
        letters = sum(character.isascii() and character.isalpha() for character in head)
        if stray >= _FEWEST and stray >= _STRAY_MARKS * letters:
            return True
        head = unicodedata.normalize("NFC", head)
    accented = _ACCENTED.findall(head)
    if len(accented) < _FEWEST:
        return False
    forms = [unicodedata.normalize("NFD", letter) for letter in accented]
    marks = Counter(form[1:] for form in forms if form[0] in "aeiouAEIOU")
    marked, plain = sum(marks.values()), len(re.findall("[aeiouAEIOU]", head))
    return (
        marked >= max(_FEWEST, _MARKED_VOWELS * (plain + marked))
        and marks.most_common(1)[0][1] >= _ONE_MARK * marked
    )


def _remove_marks(match: re.Match[str]) -> str:
    if _HAN.match(match[0]):
        return match[0][0]
    plain = _MARK.sub("", unicodedata.normalize("NFD", match[0]))
    return plain if len(plain) == 1 and plain.isascii() else match[0]


def _replace_small(text: str) -> Callable[[re.Match[str]], str]:
    """Return the function that writes a word of small capitals in plain letters.

    Two of its letters must be no phonetic signs, unless so many such words show that the whole
    text is written like that.
    """
    few = (word for word in _SMALL_WORD.findall(text) if len(_SMALL_LETTER.findall(word)) > 1)
    least = 0 if sum(1 for _ in few) >= _FEWEST else 2

    def plain(match: re.Match[str]) -> str:
        small = len(_SMALL_LETTER.findall(match[0]))
        return match[0].translate(_FROM_SMALL) if small >= least else match[0]

    return plain


_LEET_SIGNS = "013457@$"
_LEET_TOKEN = re.compile("[A-Za-z0-9@$]+")
_FROM_LEET = str.maketrans(_LEET_SIGNS, "oieastas")
_LEET_WORDS = 0.1  # of all words
_LEET_FUNCTION_WORDS = 0.1  # of those; a text of formulas and products has none
_FUNCTION_WORDS = frozenset(
    (
        *("the", "and", "of", "to", "in", "is", "it", "that", "for", "as", "was", "with", "are"),
        *("this", "have", "not", "at", "be", "or", "on", "his", "but", "they", "from", "we"),
        *("one", "had", "what", "were", "when", "there", "an", "which", "their", "said", "if"),
        *("do", "has", "its", "so", "my", "me", "he", "she", "us", "than", "then", "these"),
    )
)


def _signs_are_letters(text: str, of: Characters) -> bool:
    """Whether many words of a text that has such signs are small words when these are letters."""
    if of.signs < _FEWEST or of.beside < _FEWEST:
        return False
    head = text[:WORDS_LOOKED_AT]
    tokens = _LEET_TOKEN.findall(head)
    with_signs = filter(_has_sign, filterfalse(str.isalpha, tokens))
    plain = [_from_leet(word).lower() for word in with_signs]
    if len(plain) < max(_FEWEST, _LEET_WORDS * len(tokens)):
        return False
    function_words = sum(word in _FUNCTION_WORDS for word in plain)
    return function_words >= max(_FEWEST // 4, _LEET_FUNCTION_WORDS * len(plain))


def _has_sign(token: str) -> bool:
    """Whether a token has letters and signs that stand for letters."""
    return not token.isalpha() and token != _from_leet(token) and token.strip("0123456789@$") != ""


def _from_leet(token: str) -> str:
    return token.translate(_FROM_LEET)


def _replace_leet(match: re.Match[str]) -> str:
    """Return a word in letters; a number stays, unless it is a small word in disguise."""
    plain = _from_leet(match[0])
    return plain if _has_sign(match[0]) or plain in _FUNCTION_WORDS else match[0]


# ------------------------------------------------------------------------------- only named

_ASCII = re.compile("[\x00-\x7f]+")
#: from the first letter of a word on, so that no word is tried again at every letter
_LEET = re.compile("(?<![A-Za-z])[A-Za-z]++[013457@$][A-Za-z013457@$]*[A-Za-z]")
_PRIVATES = "\ue000-\uf8ff\U000f0000-\U0010fffd"
_STYLES = "\U0001d400-\U0001d7ff\u24b6-\u24e9\U0001f130-\U0001f189"
_STYLED = re.compile(f"[{_STYLES}]{{3,}}")
mark(SIGN, _LEET_SIGNS)
mark(PRIVATE, _PRIVATES)
mark(STYLED, _STYLES)
_MOSTLY = 0.5  # of the characters that are no space
_SHORT_WORD = 2.8  # letters on average; English has 4.7, Pinyin without tones about 3
_PLAIN = 0.98  # of the letters are ASCII: other Latin languages have other words
_FEWEST_WORDS = 100
_SHORT = (  # words of English
    "a all an and any are as at be but by can did do for get go had has he her him his how i if in "
    "is it its me my no nor not now of off on or our out own put she so the too to up us was we "
    "who why yet you"
)
_SHORT_WORDS = frozenset(_SHORT.split())
_ARE_WORDS = 0.5  # of all pieces: what breaking up leaves whole is a fifth

_FEWEST_BACKWARDS = 4
_SEVERAL = 3  # different ones
_TURNED = 3  # times as many words backwards as forwards

#: permille of the letters a to z in English; other languages in Latin letters are not far away
_USUAL = np.array(
    (
        *(82, 15, 28, 43, 127, 22, 20, 61, 70, 2, 8, 40, 24, 67, 75, 19, 1, 60, 63, 91, 28),
        *(10, 24, 2, 20, 1),
    ),
    np.float64,
)
_SPREAD = (_USUAL - _USUAL.mean()) / np.linalg.norm(_USUAL - _USUAL.mean())
_LEAST_LIKENESS = 0.25  # correlation of the letters of a text with these
mark(
    USUAL_HAN,
    "的一是不了在人有我他这這个個们們中来來上大为為和国國地到以说說时時要就出会會可也你对對生能而子那得于於着下"
    "自之年过過发發后後作里裡用道行所然家种種事成方多经經么麼去法学學如都同现現当當没動动面起看定天分还還进進好"
    "小部其些主样樣理心她本前开開但因只从從想实實日者意无無力它与與长長把十民第公此已工使情明性知全三又关關点點"
    "正业業外将將两兩高间間由问問很最重物手应應",
)
_LEAST_USUAL_HAN = 0.1  # share; classical prose has 0.25, modern prose 0.4 and more
_FEWEST_HAN = 200
_DOUBLED_WORDS = 0.4


def name_disguises(text: str, characters: Characters) -> Iterator[tuple[str, int]]:
    """Yield (code of a note, how many characters or words) of what cannot be undone.

    `private_use` characters mean something in one font only; `styled` letters are compared as
    ordinary ones, and so are the digits of `leet_undone`; `unspaced` and `broken_words` leave no
    words to compare; `leet` has digits in the place of letters; `reversed` text runs backwards;
    `odd_letters` make no words.
    """
    if characters.private >= max(_FEWEST, 0.01 * min(len(text), LOOKED_AT)):
        yield "private_use", number_of(characters.classes, PRIVATE)
    if characters.held & STYLED:
        styled = sum(map(len, _STYLED.findall(text)))
        if styled >= _FEWEST:
            yield "styled", styled
    if _signs_are_letters(text, characters):
        yield "leet_undone", sum(map(_has_sign, _LEET_TOKEN.findall(text)))
    else:
        yield from _judge_words(text, characters)
    yield from _find_nonsense(text, characters)


def _find_nonsense(text: str, of: Characters) -> Iterator[tuple[str, int]]:
    """Tell text that runs backwards, and letters that make no words, from the others."""
    if _is_backwards(text, of):
        yield "reversed", of.letters + of.han
    elif of.letters >= 2 * _FEWEST_WORDS and of.letters > max(of.han, 50 * of.accented_head):
        doubled = of.doubled >= max(_FEWEST, _DOUBLED_WORDS * of.words)
        # how the letters correlate with those of usual texts; the mean of `_SPREAD` is 0
        total, squares = int(of.of_letter.sum()), int(of.of_letter @ of.of_letter)
        spread = math.sqrt(max(squares - total * total / len(of.of_letter), 1.0))
        if doubled or float(of.of_letter @ _SPREAD) / spread < _LEAST_LIKENESS:
            yield "odd_letters", of.letters
    elif of.han >= _FEWEST_HAN and of.usual_han < _LEAST_USUAL_HAN * of.han:
        yield "odd_letters", of.han


def _is_backwards(text: str, of: Characters) -> bool:
    if of.backwards < _FEWEST_BACKWARDS:
        return False
    head = text[:WORDS_LOOKED_AT].lower()
    # one of them alone is a word of another language or a short form: " dna "
    several = sum(word in head for word in BACKWARDS) >= _SEVERAL
    return several and of.backwards > _TURNED * sum(head.count(word[::-1]) for word in BACKWARDS)


def _judge_words(text: str, of: Characters) -> Iterator[tuple[str, int]]:
    """Look at the Latin words of a text."""
    head = text[:WORDS_LOOKED_AT]
    dense = len(head) - of.blanks
    if len(head) - of.beyond < _MOSTLY * dense:
        return  # mainly in another script: no need to count words
    if of.letters < 2 * _FEWEST_WORDS or of.letters < _MOSTLY * dense:
        return
    # a mark counts too: the letters of Vietnamese may be decomposed
    beyond = _ASCII.sub("", head) if of.beyond else ""
    others = sum(one.isalpha() or unicodedata.combining(one) > 0 for one in beyond)
    if of.letters < _PLAIN * (of.letters + others):
        return
    if of.in_long > _MOSTLY * of.letters:
        yield "unspaced", of.letters
        return
    # each such word has a sign after a letter: the pattern is slow
    leet = len(_LEET.findall(head)) if of.signs_after >= _FEWEST else 0
    if leet >= _FEWEST and leet >= _LEET_WORDS * len(head.split()):
        yield "leet", len(_LEET.findall(text))
    elif of.words >= _FEWEST_WORDS and of.letters < _SHORT_WORD * of.words:
        pieces = re.findall("[A-Za-z]+", head)  # or short words of English: `the of and to`
        if sum(piece.lower() in _SHORT_WORDS for piece in pieces) < _ARE_WORDS * len(pieces):
            yield "broken_words", of.words
