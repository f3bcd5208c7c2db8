"""Disguises of a whole text: those that can be undone, and those that can only be named.

A disguise is recognised by how much of a text it covers, never by a single character: accents
belong to many languages, private characters to icon fonts, digits in words to product names.
Ordinary text is left unchanged.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from ..model import U16
from .characters import class_of
from .classes import (
    ACCENTED,
    BEYOND,
    BLANK,
    LETTER,
    MARK,
    PRIVATE,
    SIGN,
    STYLED,
    held,
    mark,
    number_of,
)

Edit = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]

LOOKED_AT = 20_000  # characters from the beginning: a disguise covers the whole text
_FEWEST = 20  # of anything, before it is called a disguise

# ---------------------------------------------------------------------------------- undone

_MARKS, _ACCENTS = "\u0300-\u034e\u0350-\u036f", "\u00c0-\u024f\u1e00-\u1eff"
_MARK, _ACCENTED = re.compile(f"[{_MARKS}]"), re.compile(f"[{_ACCENTS}]")
mark(MARK, _MARKS)
mark(ACCENTED, _ACCENTS)
_MARKED = re.compile(
    "[A-Za-z][\u0300-\u034e\u0350-\u036f]+"
    "|[\u00c0-\u024f\u1e00-\u1eff][\u0300-\u034e\u0350-\u036f]*"
)
_STRAY_MARKS = 0.08  # of the ASCII letters bear marks that no language composes with them
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
    if text.isascii():
        return
    if _is_overmarked(text):
        yield _MARKED, _unmarked
    if _SMALL_LETTER.search(text):
        yield _SMALL_WORD, _unsmall(text)
    if ("\u200a" in text or "\u2006" in text) and len(_HAIR.findall(text)) < text.count(" "):
        yield _HAIR, lambda match: ""


def is_covering(character: str) -> bool:
    """Whether a character alone, beside marks and accents, may be part of a disguise."""
    return character in "\u2006\u200a" or bool(_SMALL_LETTER.match(character))


def small_capitals(text: str) -> list[tuple[int, int]]:
    """Return where whole words are written in small capitals."""
    if not _SMALL_LETTER.search(text):
        return []
    plain = _unsmall(text)
    return [m.span() for m in _SMALL_WORD.finditer(text) if plain(m) != m[0]]


def marked_letters(text: str, classes: U16) -> int:
    """Return how many letters bear marks, where these are a disguise."""
    few = not held(classes) & MARK and number_of(classes, ACCENTED) < _FEWEST
    if few or not _is_overmarked(text):
        return 0
    return sum(_unmarked(match) != match[0] for match in _MARKED.finditer(text))


def hair_spaces(text: str) -> list[tuple[int, int]]:
    """Return where hairline spaces part the letters of words."""
    if "\u200a" not in text and "\u2006" not in text:
        return []
    return [match.span() for match in _HAIR.finditer(text)]


def _is_overmarked(text: str) -> bool:
    """Whether marks cover a text that no language writes.

    Either they do not compose with the letters they stand on, or one and the same mark stands
    on most vowels.
    """
    head = text[:LOOKED_AT]
    if _MARK.search(head):
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


def _unmarked(match: re.Match[str]) -> str:
    plain = _MARK.sub("", unicodedata.normalize("NFD", match[0]))
    return plain if len(plain) == 1 and plain.isascii() else match[0]


def _unsmall(text: str) -> Callable[[re.Match[str]], str]:
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


# ------------------------------------------------------------------------------- only named

_ASCII = re.compile("[\x00-\x7f]+")
_LEET_SIGNS = "013457@$"
#: from the first letter of a word on, so that no word is tried again at every letter
_LEET = re.compile("(?<![A-Za-z])[A-Za-z]++[013457@$][A-Za-z013457@$]*[A-Za-z]")
_PRIVATES = "\ue000-\uf8ff\U000f0000-\U0010fffd"
_STYLES = "\U0001d400-\U0001d7ff\u24b6-\u24e9\U0001f130-\U0001f189"
_STYLED = re.compile(f"[{_STYLES}]{{3,}}")
mark(SIGN, _LEET_SIGNS)
mark(PRIVATE, _PRIVATES)
mark(STYLED, _STYLES)
_MOSTLY = 0.5  # of the characters that are no space
_LONG_RUN = 30  # letters: longer than any word that is written
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
WORDS_LOOKED_AT = 4_000  # characters: some 700 words tell how a whole text is written
_LEET_WORDS = 0.1  # of all words


def named(text: str, classes: U16) -> Iterator[tuple[str, int]]:
    """Yield (code of a note, how many characters or words) of what cannot be undone.

    `private_use` characters mean something in one font only; `styled` letters are compared as
    ordinary ones; `unspaced` and `broken_words` leave no words to compare; `leet` has digits in
    the place of letters.
    """
    seen = held(classes)
    private = number_of(classes[:LOOKED_AT], PRIVATE) if seen & PRIVATE else 0
    if private >= max(_FEWEST, 0.01 * len(text[:LOOKED_AT])):
        yield "private_use", number_of(classes, PRIVATE)
    if seen & STYLED:
        styled = sum(map(len, _STYLED.findall(text)))
        if styled >= _FEWEST:
            yield "styled", styled
    yield from _words(text, classes[:WORDS_LOOKED_AT])


def _words(text: str, classes: U16) -> Iterator[tuple[str, int]]:
    """Look at the Latin words of a text that begins with characters of these classes."""
    dense = len(classes) - number_of(classes, BLANK)
    beyond = number_of(classes, BEYOND)
    if len(classes) - beyond < _MOSTLY * dense:
        return  # mainly in another script: no need to count words
    head = text[: len(classes)]
    letter = np.concatenate([[False], classes & np.uint16(LETTER) != 0, [False]])
    letters = int(np.count_nonzero(letter))
    others = sum(map(str.isalpha, _ASCII.sub("", head))) if beyond else 0
    if letters < _PLAIN * (letters + others):
        return
    if letters < 2 * _FEWEST_WORDS or letters < _MOSTLY * dense:
        return
    edges = np.flatnonzero(letter[1:] != letter[:-1])
    lengths = edges[1::2] - edges[::2]
    if lengths[lengths >= _LONG_RUN].sum() > _MOSTLY * letters:
        yield "unspaced", letters
        return
    # each such word has a sign after a letter: the pattern is slow
    signs = number_of(np.where(letter[:-2], classes, 0), SIGN)
    leet = len(_LEET.findall(head)) if signs >= _FEWEST else 0
    if leet >= _FEWEST and leet >= _LEET_WORDS * len(head.split()):
        yield "leet", len(_LEET.findall(text))
    elif len(lengths) < _FEWEST_WORDS or letters >= _SHORT_WORD * len(lengths):
        return
    elif not _are_short_words(head):
        yield "broken_words", len(lengths)


def _are_short_words(head: str) -> bool:
    """Whether the short pieces of a text are short words of English, as in `the of and to`."""
    pieces = re.findall("[A-Za-z]+", head)
    return sum(piece.lower() in _SHORT_WORDS for piece in pieces) >= _ARE_WORDS * len(pieces)
