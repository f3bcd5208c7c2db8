"""Text in the form that is compared, with a map to every character of the original.

The recipe (its order matters): undo what disguises a whole text (`disguises`); drop control
and default-ignorable characters; NFKC; Latin look-alikes in mixed-script words; case folding; the
curly apostrophe to '; s p a c e d letters together; white space; Han from traditional to
simplified. `normalize` and `normalized_text` give the same text; the first also gives the map, the
second is faster.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable, Iterator

import numpy as np
import opencc

from ..model import I32, Normalized
from .characters import (
    CONTROLS,
    DROPPED,
    HAN,
    IGNORABLES,
    LOOKALIKES,
    POINTS,
    class_of,
    fold_text,
    hard_pieces,
)
from .disguises import edits

_HAN_RUN = re.compile(f"[{HAN}]+")
_LATIN = "A-Za-z\u00c0-\u024f"
IMITATORS = class_of("".join(LOOKALIKES))
_IMITATOR = re.compile(f"[{IMITATORS}]")
_LETTERS = re.compile(f"[{_LATIN}{IMITATORS}]+")
#: the whole word consists of Latin letters and their look-alikes, at least one of each
_WORD_EDGE = re.compile(r"[^\W\d_]")
_TO_LATIN = str.maketrans(LOOKALIKES)

_BREAK = "\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
_NARROW = "\t\x1f\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"  # the rest, but for the space
_ONE_BREAK = re.compile(f"\r\n|[{_BREAK}]")
# Both begin with a class, which lets `re` leap from space to space.
_ODD_SPACE = re.compile(r"\s(?:\s+|(?<![ \n]))")
_SPACE_IN_HAN = re.compile(rf"[ \n](?<=[{HAN}][ \n])(?=[{HAN}])")
_GAP = f"[ {_NARROW}]"  # listed: `re` tests a set faster than a negated class
#: l i k e   t h i s: at least six single letters in a line
SPACED = re.compile(rf"(?<![^\W_])[A-Za-z](?:{_GAP}+[A-Za-z]){{5,}}(?![^\W_])")
MAYBE_SPACED = re.compile(rf"{_GAP}[A-Za-z]{_GAP}+[A-Za-z]{_GAP}")  # leaps, where SPACED walks
_GAPS = re.compile(rf"{_GAP}+")
_CLOSED = "\u2060"  # stands for a closed gap until it goes; all others are dropped before
_CLOSING = re.compile(_CLOSED)
# One test that most texts pass: nothing in them is dropped, all white space is " " and "\n".
# `re` walks what a set holds beyond the basic plane piece by piece: here it is one piece.
_BASIC_IGNORABLES = IGNORABLES[: IGNORABLES.index("\U0001bca0")]
_UNUSUAL = re.compile(
    f"[{CONTROLS}{_BASIC_IGNORABLES}{POINTS}{_NARROW}{_BREAK[1:]}\U0001bca0-\U000e0fff]"
)
_LAST_HAN = re.compile(f"[{HAN}]")

#: What Chinese typing is full of, one character for one: done first, the rest is usually NFKC.
_WIDTH = tuple(zip("，：；（）！？\u3000\xa0％～", ",:;()!?  %~", strict=True))

#: Characters that OpenCC changes only inside phrases and that simplified text does not use in
#: those phrases. (坏 么 俱 would also be changed in some, wrongly in simplified text: 打坏了.)
_ONLY_IN_PHRASES = "沈藉衹哩覆甦彷瞭"


def normalized_text(text: str, *, fold_variants: bool = True) -> str:
    """Return the text of `normalize` without the map.

    Notes
    -----
    ASCII and text that is already in NFKC but for Chinese punctuation take short cuts;
    a technical book passes at 29 MB/s in Chinese and 17 MB/s in English (CPU time).
    """
    for pattern, replace in edits(text):
        text = pattern.sub(replace, text)
    if text.isascii():
        usual = not _UNUSUAL.search(text)
        text = (text if usual else DROPPED.sub("", text)).casefold()
        return _squeeze_space(_mark_gaps(text).replace(_CLOSED, ""), usual=usual)
    for wide, narrow in _WIDTH:
        text = text.replace(wide, narrow)
    usual = not _UNUSUAL.search(text)
    text = unicodedata.normalize("NFKC", text if usual else DROPPED.sub("", text))
    text = _fold_case(_LETTERS.sub(_unmask, text) if _IMITATOR.search(text) else text)
    text = _squeeze_space(_mark_gaps(text).replace(_CLOSED, ""), usual=usual)
    text = _SPACE_IN_HAN.sub("", text)
    return simplify_text(text) if fold_variants else text


def normalize(text: str, *, fold_variants: bool = True) -> Normalized:
    """Return the form that is compared and its map into `text`.

    Parameters
    ----------
    fold_variants
        Whether traditional characters become simplified ones (OpenCC t2s), in every run of Han
        that holds at least one character only traditional script uses.

    Returns
    -------
    Normalized
        Both arrays int32, non-decreasing; a character stands for `text[start[i]:end[i]]`.

    Notes
    -----
    Idempotent but for a few phrases in which OpenCC keeps a traditional character
    (乾隆). A line break between two Han characters is a wrapped line and goes; an empty line
    stays. Linear time.
    """
    work = _Mapped(text)
    for pattern, replace in edits(text):
        work.edit(pattern, replace)
    work.fold(hard_pieces, _fold_wide, lambda piece: _fold_wide(DROPPED.sub("", piece)))
    if _IMITATOR.search(work.text):
        work.text = _LETTERS.sub(_unmask, work.text)
    work.fold(hard_pieces, _fold_case, _fold_case)
    work.text = _mark_gaps(work.text)
    work.edit(_CLOSING, lambda _: "")
    work.edit(_ODD_SPACE, _space)
    work.edit(_SPACE_IN_HAN, lambda _: "")
    if fold_variants:
        work.runs(simplify_text)
    return Normalized(work.text, work.start, work.end)


def fold_character(character: str) -> str | None:
    """Return the folded form of a character that combines with none; None for a look-alike."""
    wide = _fold_wide(character)
    return None if _IMITATOR.search(wide) else _fold_case(wide)


def _fold_wide(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _fold_case(text: str) -> str:
    return fold_text(text).replace("\u2019", "'")


class _Mapped:
    """A text during normalisation, with the raw range of every character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.start: I32 = np.arange(len(text), dtype=np.int32)
        self.end: I32 = self.start + np.int32(1)

    def fold(
        self,
        pieces: Callable[[str], Iterator[tuple[int, int]]],
        easy: Callable[[str], str],
        difficult: Callable[[str], str],
    ) -> None:
        """Fold the pieces by `difficult`, the text between them, one for one, by `easy`."""
        done, edits, at = [], [], 0
        for i, j in pieces(self.text):
            done.append(easy(self.text[at:i]))
            done.append(difficult(self.text[i:j]))
            edits.append((i, j, len(done[-1])))
            at = j
        done.append(easy(self.text[at:]))
        self._move(edits)
        self.text = "".join(done)

    def edit(self, pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str]) -> None:
        """Replace the matches."""
        done, edits, at = [], [], 0
        for match in pattern.finditer(self.text):
            i, j = match.span()
            done += [self.text[at:i], replace(match)]
            edits.append((i, j, len(done[-1])))
            at = j
        if edits:
            self._move(edits)
            self.text = "".join(done) + self.text[at:]

    def runs(self, convert: Callable[[str], str]) -> None:
        """Convert the text; a run of Han whose length changes is mapped as a whole."""
        after = convert(self.text)
        if len(after) == len(self.text):
            self.text = after
            return
        self.edit(_HAN_RUN, lambda match: convert(match[0]))

    def _move(self, edits: list[tuple[int, int, int]]) -> None:
        """Rebuild the map after characters [i, j) became `size` characters, for each edit."""
        edits = [(i, j, size) for i, j, size in edits if (i, j, size) != (i, i + 1, 1)]
        if not edits:
            return
        starts, ends, at = [], [], 0
        for i, j, size in edits:
            starts.append(self.start[at:i])
            ends.append(self.end[at:i])
            if size:
                last = j
                while last > i + 1 and DROPPED.match(self.text, last - 1):
                    last -= 1
                starts.append(np.full(size, self.start[i], dtype=np.int32))
                ends.append(np.full(size, self.end[last - 1], dtype=np.int32))
            at = j
        self.start = np.concatenate([*starts, self.start[at:]])
        self.end = np.concatenate([*ends, self.end[at:]])


# ------------------------------------------------------------------------------ white space


def _space(match: re.Match[str]) -> str:
    """Return what a run of white space becomes."""
    breaks = len(_ONE_BREAK.findall(match[0]))
    return ("\n\n" if breaks > 1 else "\n") if breaks else " "


def _mark_gaps(text: str) -> str:
    """Mark the gaps between spaced letters, one mark a character.

    The narrowest gaps of a stretch part letters, wider ones part words.
    """
    if not MAYBE_SPACED.search(text):
        return text
    return SPACED.sub(_mark_gap, text)


def _mark_gap(match: re.Match[str]) -> str:
    narrow = min(map(len, _GAPS.findall(match[0])))
    return _GAPS.sub(lambda gap: _CLOSED * narrow if len(gap[0]) == narrow else gap[0], match[0])


def _squeeze_space(text: str, *, usual: bool) -> str:
    """Put `_space` in the place of white space; in a usual text that is quick."""
    if not usual:
        return _ODD_SPACE.sub(_space, text)
    while "  " in text:
        text = text.replace("  ", " ")
    text = text.replace(" \n", "\n").replace("\n ", "\n")
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text


# ------------------------------------------------------------------------------ look-alikes


def _unmask(match: re.Match[str]) -> str:
    """Return a word with its look-alikes as the Latin letters they imitate."""
    return match[0].translate(_TO_LATIN) if is_masked(match) else match[0]


def is_masked(match: re.Match[str]) -> bool:
    """Whether a run of Latin and look-alike letters is a Latin word in disguise.

    It must hold at least three letters, one of them plain ASCII and one a look-alike, and must
    not be part of a longer word with letters of another kind (then it may be what it seems).
    """
    word, text = match[0], match.string
    plain = word.casefold()
    if len(plain) < 3 or not _IMITATOR.search(word) or not re.search("[a-z]", plain):
        return False
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    foreign = [c for c in (before, after) if c and not _LAST_HAN.match(c)]
    return not any(_WORD_EDGE.match(c) for c in foreign)


def masked_words(text: str) -> list[tuple[int, int, int]]:
    """Return (start, end, look-alikes) of every Latin word in disguise."""
    if not _IMITATOR.search(text):
        return []
    return [
        (*match.span(), len(_IMITATOR.findall(match[0])))
        for match in _LETTERS.finditer(text)
        if is_masked(match)
    ]


# ------------------------------------------------------------------------------ simplified


@functools.cache
def _variants() -> tuple[Callable[[str], str], re.Pattern[str]]:
    """Return OpenCC's converter and the characters that make a run worth converting."""
    convert: Callable[[str], str] = opencc.OpenCC("t2s").convert
    basic = [*range(0x3400, 0x4DC0), *range(0x4E00, 0xA000)]
    alone = "\n".join(map(chr, basic))
    changed = [
        chr(p) for p, after in zip(basic, convert(alone)[::2], strict=True) if chr(p) != after
    ]
    trigger = class_of("".join(changed) + _ONLY_IN_PHRASES)
    # beyond the basic plane `re` tests sets one by one; all of it goes to OpenCC instead
    return convert, re.compile(f"[{trigger}]|[\U00020000-\U0003134f]")


def variant_trigger() -> re.Pattern[str]:
    """Return the pattern of Han that makes a run worth converting."""
    return _variants()[1]


def simplify_text(text: str) -> str:
    """Convert every run of Han that holds traditional script."""
    convert, trigger = _variants()
    if not trigger.search(text):
        return text
    return _HAN_RUN.sub(lambda m: convert(m[0]) if trigger.search(m[0]) else m[0], text)
