"""Tokens counted over code points, without a string for any of them.

Loops that run compiled (`kernels`) and as they stand.
"""

from __future__ import annotations

from ..model import I32, I64, U8
from ..ranges import EMPTY, hash_of, place_of
from .cutting import HEAD, INSIDE

LETTER, JOINER = 1, 2  # of a Latin word; the mark between two of its letters


def latin_class(point: int) -> int:
    """Return whether a character is a letter or digit of a Latin word or joins two."""
    if 0x61 <= point <= 0x7A or 0x30 <= point <= 0x39:
        return LETTER
    return JOINER if point in (0x27, 0x5F) else 0


def next_word(code: I32, head: U8, at: int, stop: int, latin: bool) -> tuple[int, int]:
    """Return the range of the next word of Han or, where asked, of Latin letters."""
    while at < stop:
        if latin:
            if latin_class(int(code[at])) == LETTER:
                end = at + 1
                while end < stop:
                    what = latin_class(int(code[end]))
                    if what == JOINER and end + 1 < stop:
                        what = latin_class(int(code[end + 1]))
                        what = LETTER if what == LETTER else 0
                    if what != LETTER:
                        break
                    end += 1
                return at, end
        elif head[at] == HEAD:
            end = at + 1
            while end < stop and head[end] == INSIDE:
                end += 1
            return at, end
        at += 1
    return stop, stop


def count_words(
    code: I32,
    head: U8,
    indptr: I64,
    text: int,
    table: I64,
    first: I32,
    last: I32,
    entry_of: I32,
    word: I32,
    count: I32,
    ends: I64,
    words: int,
) -> tuple[int, int]:
    """Count the distinct words of texts from one on until the table is half full.

    Parameters
    ----------
    code : int32 (c,)
        Normalised texts; text i is code[indptr[i]:indptr[i + 1]].
    head : uint8 (c,)
        From `cutting.cut_words`.
    text, words
        Texts and distinct words that are done.
    table : int64 (2^k,), written
        Hash table of the words: hash << 32 | number, or EMPTY.
    first, last : int32 (c,), written
        Where each distinct word stands first, in order of first appearance: in every text those
        of Han come before those of Latin letters.
    entry_of : int32 (c,), written
        Entry of each word in the latest text that has it.
    word, count : int32 (c,), written
        Distinct words of each text and how often they occur, in order of appearance.
    ends : int64 (n + 1,), written
        Text i has word[ends[i]:ends[i + 1]].

    Returns
    -------
    text, words
        Texts and distinct words that are done now.
    """
    while text + 1 < len(indptr):
        begins, stop = int(indptr[text]), int(indptr[text + 1])
        if 2 * (words + stop - begins) > len(table):
            break
        oldest = entries = int(ends[text])
        for script in range(2):
            at = begins
            while True:
                begin, at = next_word(code, head, at, stop, script == 1)
                if begin == at:
                    break
                key = hash_of(code, begin, at)
                place = place_of(code, begin, at, table, first, last, key)
                if table[place] == EMPTY:
                    table[place] = key << 32 | words
                    first[words], last[words], entry_of[words] = begin, at, -1
                    words += 1
                number = int(table[place]) & 0xFFFFFFFF
                entry = int(entry_of[number])
                if entry < oldest:
                    entry = entries
                    entry_of[number] = entry
                    word[entry], count[entry] = number, 0
                    entries += 1
                count[entry] += 1
        text += 1
        ends[text] = entries
    return text, words
