"""Classes of characters by which normalisation and tokens are defined.

Everything that depends on the Unicode version is computed from `unicodedata`, so the classes
and the functions always agree.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator

#: Han as the recipe has it: unified ideographs, extensions A to G, compatibility, U+3007
HAN = "\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"

#: control characters that are not white space
CONTROLS = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"

#: Default_Ignorable_Code_Point (DerivedCoreProperties), all of it invisible
IGNORABLES = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)

#: vowel signs, marks of recitation and lengthening of Hebrew and Arabic: readers supply them
POINTS = (
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u0652\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
)

DROPPED = re.compile(f"[{CONTROLS}{IGNORABLES}{POINTS}]")

#: Letters that look like a Latin one and survive NFKC, in the case they look alike in. Chosen
#: from confusables.txt of UTS #39 (Unicode, Inc.); letters whose likeness is weak are left out.
LOOKALIKES = {
    **dict(zip("АВЕЅІЈКМНОРСТУХԌԚԜҮѴ", "ABESIJKMHOPCTYXGQWYV", strict=True)),
    **dict(zip("авеѕіјкмнорстухһԁԛԝѵҽԍ", "abesijkmhopctyxhdqwveg", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True)),
    **dict(zip("αικνορυϲϳ", "aiknopucj", strict=True)),
    **dict(zip("օոսհցԼՍՏ", "onuhgLUS", strict=True)),  # Armenian
    **dict(zip("ᎠᎡᎢᎪᎫᎬᎳᎷᎻᏀᏃᏆᏎᏒᏙᏚᏞᏟᏢᏦ", "DRTAJEWMHGZISRVSLCPK", strict=True)),
    **dict(zip("ɑɡɩǀꞁᴄᴏᴜᴠᴡᴢ", "agillcouvwz", strict=True)),
}

# old forms that case folding turns into a look-alike
LOOKALIKES |= dict(zip("\u1c80\u1c82\u1c83\u1c84\u1c85\u0345", "boctti", strict=True))
# What case folding turns into a look-alike is one too, else folding twice would differ.
LOOKALIKES |= {
    other: LOOKALIKES[other.casefold()]
    for letter in list(LOOKALIKES)
    for other in (letter.upper(), letter.lower())
    if other not in LOOKALIKES and other.casefold() in LOOKALIKES
}


def class_of(characters: str) -> str:
    """Return the body of a regex class for a sorted set of characters, as ranges."""
    points = sorted(set(map(ord, characters)))
    ranges: list[list[int]] = []
    for point in points:
        if ranges and point == ranges[-1][1] + 1:
            ranges[-1][1] = point
        else:
            ranges.append([point, point])
    return "".join(f"\\U{a:08x}-\\U{b:08x}" if a < b else f"\\U{a:08x}" for a, b in ranges)


def fold_text(text: str) -> str:
    """Return NFKC and case folding, repeated until nothing changes (twice is enough)."""
    while True:
        once = unicodedata.normalize("NFKC", text.casefold())
        if once == text:
            return text
        text = once


def hard_pieces(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of text whose folding is not one character for one.

    A piece is a character with everything that may combine with it to the left, or a single
    character whose folded form is longer. Between such pieces folding works character by
    character and keeps the length (tested over the whole of Unicode).
    """
    coarse, exact = _hard()
    done = 0
    for near in coarse.finditer(text):
        at = near.start()
        if at < done:
            continue
        match = (at > done and exact.match(text, at - 1)) or exact.match(text, at)
        if match:
            done = match.end()
            yield match.span()


@functools.cache
def _hard() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return a quick pattern for where hard pieces may be, and the exact one."""
    extending, longer = [], []
    for character in sorted(_second_halves().union(_changing())):
        if _extends(character):
            extending.append(character)
        elif len(fold_text(unicodedata.normalize("NFKC", character))) != 1:
            longer.append(character)
    marks = class_of("".join(extending)) + CONTROLS + IGNORABLES + POINTS
    more = class_of("".join(longer))
    # `re` looks up the basic plane in a bitmap but walks a list beyond it: keep that list short
    basic = class_of("".join(c for c in extending + longer if ord(c) < 0x10000))
    coarse = f"[{CONTROLS}{IGNORABLES}{POINTS}{basic}\U00010000-\U0001ffff]"
    return re.compile(coarse), re.compile(f"[^{marks}]?[{marks}]+|[{more}]")


@functools.cache
def _second_halves() -> frozenset[str]:
    """Starters that compose with the character before them (NFC_Quick_Check = Maybe)."""
    halves = set(map(chr, [*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)]))  # of Hangul
    for character in _changing():
        parts = unicodedata.decomposition(character).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            halves.add(chr(int(parts[1], 16)))
    return frozenset(halves)


@functools.cache
def _changing() -> str:
    """Return what folding or parting changes, and what combines, but for Han and Hangul.

    Of all others the folded form is themselves. Not looked at: Han of the basic plane, Hangul,
    and what lies above: one-to-one ideographs and dropped characters.
    """
    blocks = (0x80, 0x3400), (0x4DC0, 0x4E00), (0xA000, 0xAC00), (0xD7A4, 0xD800), (0xF900, 0x20000)
    combining, decomposition = unicodedata.combining, unicodedata.decomposition
    every = [chr(point) for block in blocks for point in range(*block)]
    return "".join(c for c in every if combining(c) or decomposition(c) or c.casefold() != c)


def _extends(character: str) -> bool:
    """Whether a character, folded or not, may combine with the one before it."""
    if unicodedata.combining(character):
        return True
    for form in (character, character.casefold()):
        first = unicodedata.normalize("NFKD", form)[0]
        if unicodedata.combining(first) or first in _second_halves():
            return True
    return False
