"""Normalisation in one pass over code points: what `normalize` does with most texts.

Loops that run compiled (`kernels`) and as they stand. A text that needs more than a table gives
(marks, invisible characters, look-alikes, spaced letters) is left to `normalize`.
"""

from __future__ import annotations

from ..model import I32, I64, U8

#: what a character needs, bits of one byte: left to `normalize`; its folded form is white space,
#: a line break, Han, longer than one character, Han of traditional script; an accented letter;
#: one that is dropped
LEFT, SPACE, BREAK, HAN, LONGER, VARIANT, ACCENTED, DROPPED = 1, 2, 4, 8, 16, 32, 64, 128
LONGEST = 4  # characters that one may become

SPACED_LETTERS = 5  # each followed by a gap, before the text may hold s p a c e d words
MANY_ACCENTS = 20  # from here on they may be a disguise
MANY_SIGNS = 20  # digits next to letters: from here on they may stand for letters


def space_run(kind: U8, raw: I32, at: int, stop: int) -> tuple[int, int, int]:
    """Return the end of a run of white space, what follows it, and its line breaks."""
    end, breaks, before = at, 0, 0
    while at < stop and kind[at] & (SPACE | DROPPED):
        if kind[at] & SPACE:
            if kind[at] & BREAK and not (raw[at] == 0x0A and before == 0x0D):
                breaks += 1
            before = raw[at]
            end = at + 1
        at += 1
    return end, at, breaks


def is_letter(point: int) -> bool:
    """Whether a folded character is a plain Latin letter."""
    return 0x61 <= point <= 0x7A


def is_sign(point: int) -> bool:
    """Whether a folded character may stand for a letter: a digit, @ or $."""
    return 0x30 <= point <= 0x39 or point == 0x40 or point == 0x24


def fold_one(
    raw: I32,
    kind: U8,
    begin: int,
    stop: int,
    fold: I32,
    longer: I32,
    code: I32,
    start: I32,
    end: I32,
    at: int,
) -> tuple[int, int]:
    """Fold one text; return the end of what was written and what is still to be done."""
    wrote, needs, accents, alone, since_gap, after_han = at, 0, 0, 0, 0, False
    signs = 0
    i = begin
    while i < stop:
        what = kind[i]
        if what & LEFT:
            return wrote, LEFT
        if what & SPACE:
            j, following, breaks = space_run(kind, raw, i, stop)
            letter = breaks == 0 and at > wrote and is_letter(code[at - 1])
            alone = (alone + 1 if since_gap == 1 else 1) if letter else 0
            if alone >= SPACED_LETTERS:
                return wrote, LEFT
            since_gap = 0
            if breaks > 1 or not (after_han and following < stop and kind[following] & HAN):
                for _ in range(2 if breaks > 1 else 1):
                    code[at] = 0x0A if breaks else 0x20
                    start[at], end[at] = i - begin, j - begin
                    at += 1
            after_han = False
            i = following
            continue
        if what & LONGER:
            row = fold[raw[i]]
            for k in range(LONGEST):
                if longer[row, k] == 0:
                    break
                code[at] = longer[row, k]
                start[at], end[at] = i - begin, i - begin + 1
                at += 1
                since_gap += 1
        elif not what & DROPPED:
            code[at] = fold[raw[i]]
            if at > wrote and since_gap > 0:
                before = code[at - 1]
                if is_sign(code[at]):
                    signs += is_letter(before)
                elif is_sign(before):
                    signs += is_letter(code[at])
            start[at], end[at] = i - begin, i - begin + 1
            at += 1
            since_gap += 1
        if not what & DROPPED:
            after_han = what & HAN != 0
        if what & ACCENTED:
            accents += 1
        if what & VARIANT:
            needs = VARIANT
        i += 1
    may_be_disguised = accents >= MANY_ACCENTS or signs >= MANY_SIGNS
    return at, needs | (ACCENTED if may_be_disguised else 0)


def fold_texts(
    raw: I32,
    kind: U8,
    indptr: I64,
    fold: I32,
    longer: I32,
    code: I32,
    start: I32,
    end: I32,
    ends: I64,
    needs: U8,
) -> None:
    """Fold some texts, one after the other.

    Parameters
    ----------
    raw : int32 (r,)
        Code points; text i is raw[indptr[i]:indptr[i + 1]].
    kind : uint8 (r,)
        What each character needs.
    fold : int32 (0x110000,)
        Folded form of each character, or its row in `longer`.
    longer : int32 (rows, LONGEST)
        Forms of more than one character, filled up with 0.
    code, start, end : int32 (room for all), written
        Folded characters and the range of the text that each stands for.
    ends : int64 (n + 1,), written
        Text i is code[ends[i]:ends[i + 1]].
    needs : uint8 (n,), written
        0, or what is still to be done: LEFT (nothing was written), VARIANT, and ACCENTED where
        only `disguises.edits` can tell whether the accents, or digits beside letters, are one.
    """
    at = 0
    ends[0] = 0
    for text in range(len(indptr) - 1):
        begin, stop = int(indptr[text]), int(indptr[text + 1])
        at, left = fold_one(raw, kind, begin, stop, fold, longer, code, start, end, at)
        needs[text] = left
        ends[text + 1] = at
