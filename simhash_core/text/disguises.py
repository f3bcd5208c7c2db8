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

from .characters import class_of

Edit = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]

LOOKED_AT = 20_000  # characters from the beginning: a disguise covers the whole text
_FEWEST = 20  # of anything, before it is called a disguise

# ---------------------------------------------------------------------------------- undone

_MARK = re.compile("[\u0300-\u034e\u0350-\u036f]")
_ACCENTED = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
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


def small_capitals(text: str) -> list[tuple[int, int]]:
    """Return where whole words are written in small capitals."""
    if not _SMALL_LETTER.search(text):
        return []
    plain = _unsmall(text)
    return [m.span() for m in _SMALL_WORD.finditer(text) if plain(m) != m[0]]


def marked_letters(text: str) -> int:
    """Return how many letters bear marks, where these are a disguise."""
    if text.isascii() or not _is_overmarked(text):
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
#: bytes of an ASCII text, all but letters as blanks: its words are what is between them
_LETTERS = bytes(byte if chr(byte).isalpha() and byte < 128 else 32 for byte in range(256))
_LEET_SIGNS = "013457@$"
#: from the first letter of a word on, so that no word is tried again at every letter
_LEET = re.compile("(?<![A-Za-z])[A-Za-z]++[013457@$][A-Za-z013457@$]*[A-Za-z]")
_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]")
_STYLED = re.compile("[\U0001d400-\U0001d7ff\u24b6-\u24e9\U0001f130-\U0001f189]{3,}")
_MOSTLY = 0.5  # of the characters that are no space
_LONG_RUN = 30  # letters: longer than any word that is written
_SHORT_WORD = 2.8  # letters on average; English has 4.7, Pinyin without tones about 3
_PLAIN = 0.98  # of the letters are ASCII: other Latin languages have other words
_FEWEST_WORDS = 100
WORDS_LOOKED_AT = 4_000  # characters: some 700 words tell how a whole text is written
_LEET_WORDS = 0.1  # of all words


def named(text: str) -> Iterator[tuple[str, int]]:
    """Yield (code of a note, how many characters or words) of what cannot be undone.

    `private_use` characters mean something in one font only; `styled` letters are compared as
    ordinary ones; `unspaced` and `broken_words` leave no words to compare; `leet` has digits in
    the place of letters.
    """
    private = 0 if text.isascii() else len(_PRIVATE.findall(text[:LOOKED_AT]))
    if private >= max(_FEWEST, 0.01 * len(text[:LOOKED_AT])):
        yield "private_use", len(_PRIVATE.findall(text))
    if not text.isascii():
        styled = sum(map(len, _STYLED.findall(text)))
        if styled >= _FEWEST:
            yield "styled", styled
    yield from _words(text[:WORDS_LOOKED_AT], text)


def _words(head: str, text: str) -> Iterator[tuple[str, int]]:
    """Look at the Latin words of a text that mainly consists of them."""
    dense = len("".join(head.split()))
    if len(head.encode("ascii", "ignore")) < _MOSTLY * dense:
        return  # mainly in another script: no need to count words
    words = head.encode("ascii", "replace").translate(_LETTERS).split()
    letters = len(b"".join(words))
    others = 0 if head.isascii() else sum(map(str.isalpha, _ASCII.sub("", head)))
    if letters < _PLAIN * (letters + others):
        return
    if letters < 2 * _FEWEST_WORDS or letters < _MOSTLY * dense:
        return
    longest = max(map(len, words))  # the sum below looks at every word
    if (
        longest >= _LONG_RUN
        and sum(len(word) for word in words if len(word) >= _LONG_RUN) > _MOSTLY * letters
    ):
        yield "unspaced", letters
        return
    signs = sum(map(head.count, _LEET_SIGNS))  # each such word has one: the pattern is slow
    leet = len(_LEET.findall(head)) if signs >= _FEWEST else 0
    if leet >= max(_FEWEST, _LEET_WORDS * len(head.split())):
        yield "leet", len(_LEET.findall(text))
    elif len(words) >= _FEWEST_WORDS and letters < _SHORT_WORD * len(words):
        yield "broken_words", len(words)
