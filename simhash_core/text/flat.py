"""Many texts as one array: normalised, cut into words and counted without strings for tokens.

Gives what `normalize` gives text by text. Which texts are done by table and which by `normalize` is
decided by the characters they hold: what needs more than a table gives (marks, invisible
characters, look-alikes, spaced letters) is left to `normalize`.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..machine.compiled import loops_of
from ..machine.once import once
from ..machine.ranges import EMPTY, grow_table, strings_of
from ..model import I32, I64, U8, Bools, Features, Normalized
from .characters import DROPPED as DROPPED_CHARACTER
from .characters import HAN, hard_pieces
from .classes import points_of
from .disguises import edits, is_covering
from .normalize import fold_character, normalize, simplify_text, variant_trigger
from .segment import Segmenter
from .tokenize import Tokenizer, features_of_rows

LOOPS = loops_of("text/loops.c")

_SLOTS = 1 << 14  # of the table of words at first
UNKNOWN = 255
CHARACTERS = Path(__file__).with_name("characters.npz")
_MOST_LONGER = 2048  # rows; Unicode 16 has 1,300 such characters

_HAN = re.compile(f"[{HAN}]")
_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
_ACCENTED = (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))

#: what a character needs, bits of one byte: left to `normalize`; its folded form is white space,
#: a line break, Han, longer than one character, Han of traditional script; an accented letter;
#: one that is dropped
LEFT, SPACE, BREAK, IS_HAN, LONGER, VARIANT, ACCENTED, DROPPED = 1, 2, 4, 8, 16, 32, 64, 128
LONGEST = 4  # characters that one may become


#: what a character is: no Han, the first of a word, inside a word
NO_HAN, HEAD, INSIDE = 0, 1, 2


@dataclass(frozen=True, slots=True, eq=False)
class FlatTexts:
    """n normalised texts.

    Attributes
    ----------
    code : int32 (c,)
        Code points of all texts.
    indptr : int64 (n + 1,)
        Text i is code[indptr[i]:indptr[i + 1]].
    start, end : int32 (c,)
        Range of its own raw text that each character stands for.
    """

    code: I32
    indptr: I64
    start: I32
    end: I32


class CharacterTable:
    """What each character needs and becomes, the same for every text.

    Read from `CHARACTERS`, which `build_characters` makes; what is not in it is learnt on demand.

    Attributes
    ----------
    kind : uint8 (0x110000,)
        Bits of what a character needs, or `UNKNOWN`.
    fold : int32 (0x110000,)
        Folded form of each character, or its row in `longer`.
    longer : int32 (rows, LONGEST)
        Forms of more than one character, filled up with 0.
    """

    def __init__(self, *, known: bool = True) -> None:
        self.kind = np.full(0x110000, UNKNOWN, np.uint8)
        self.fold = np.arange(0x110000, dtype=np.int32)
        self.longer = np.zeros((_MOST_LONGER, LONGEST), np.int32)
        self.rows = 0  # of `longer` that are taken
        self._learning = threading.Lock()
        if known:
            with np.load(CHARACTERS) as stored:
                self.kind[: len(stored["kind"])] = stored["kind"]
                self.fold[stored["changed"]] = stored["fold"]
                self.rows = len(stored["longer"])
                self.longer[: self.rows] = stored["longer"]

    def kinds(self, raw: I32) -> U8:
        """Return what each of some characters needs."""
        kind = self.kind[raw]
        unknown = raw[kind == UNKNOWN]
        if len(unknown):
            with self._learning:  # two threads would write different characters into one row
                for point in np.unique(unknown).tolist():
                    self._learn(point)
            kind = self.kind[raw]
        return kind

    def _learn(self, point: int) -> None:
        if self.kind[point] == UNKNOWN:
            self.kind[point] = self._kind(point)

    def _kind(self, point: int) -> int:
        character = chr(point)
        if DROPPED_CHARACTER.match(character):
            return DROPPED
        # after an "e", marks and what is dropped make one hard piece with it
        piece = next(hard_pieces(f"e{character}"), None)
        folded = None if 0xD800 <= point < 0xE000 else fold_character(character)
        if folded is None or is_covering(character) or (piece is not None and piece[0] == 0):
            return LEFT
        if piece is not None:
            return self._long(point, folded)
        self.fold[point] = ord(folded)
        kind = SPACE if folded.isspace() else 0
        kind |= BREAK if folded in _BREAKS else 0
        if _HAN.match(folded):
            kind |= IS_HAN | (VARIANT if variant_trigger().match(folded) else 0)
        return kind | (ACCENTED if point in _ACCENTED else 0)

    def _long(self, point: int, folded: str) -> int:
        """Note a form of several characters, all of them plain and final."""
        for character in folded:
            self._learn(ord(character))
        final = all(
            self.kind[ord(one)] in (0, ACCENTED) and self.fold[ord(one)] == ord(one)
            for one in folded
        )
        if not final or not 0 < len(folded) <= LONGEST or self.rows == _MOST_LONGER:
            return LEFT
        self.longer[self.rows, : len(folded)] = list(map(ord, folded))
        self.fold[point] = self.rows
        self.rows += 1
        return LONGER | (ACCENTED if point in _ACCENTED else 0)


_table = once(CharacterTable)


def flatten(texts: Sequence[str], *, fold_variants: bool = True) -> FlatTexts:
    """Normalise some texts; see `normalize`, whose text and map this gives."""
    table = _table()
    raw, indptr = code_points_of(texts)
    kind = table.kinds(raw)
    room = len(raw) + (LONGEST - 1) * int(np.count_nonzero(kind & LONGER))
    code, start, end = (np.empty(room, np.int32) for _ in range(3))
    ends, needs = np.zeros(len(texts) + 1, np.int64), np.zeros(len(texts), np.uint8)
    tables = (len(texts), table.fold, table.longer)
    LOOPS.fold_texts(raw, kind, indptr, *tables, code, start, end, ends, needs)
    size = int(ends[-1])
    flat = FlatTexts(code[:size], ends, start[:size], end[:size])
    others = {}
    for row in np.flatnonzero(needs).tolist():
        need, text = int(needs[row]), texts[row]
        if need & LEFT or (need & ACCENTED and next(edits(text), None) is not None):
            others[row] = normalize(text, fold_variants=fold_variants)
        elif fold_variants and need & VARIANT and not _simplify(flat, row):
            others[row] = normalize(text)
    return _replace_rows(flat, others) if others else flat


def _replace_rows(flat: FlatTexts, others: Mapping[int, Normalized]) -> FlatTexts:
    """Return the texts with some of them normalised otherwise."""
    parts: list[tuple[I32, I32, I32]] = []
    at = 0
    for row in sorted(others):
        span, other = slice(at, flat.indptr[row]), others[row]
        parts.append((flat.code[span], flat.start[span], flat.end[span]))
        parts.append((points_of(other.text), other.start, other.end))
        at = flat.indptr[row + 1]
    parts.append((flat.code[at:], flat.start[at:], flat.end[at:]))
    sizes = np.diff(flat.indptr)
    sizes[list(others)] = [len(other.text) for other in others.values()]
    code, start, end = (np.concatenate(column) for column in zip(*parts, strict=True))
    return FlatTexts(code, _running_sums(sizes), start, end)


def _simplify(flat: FlatTexts, row: int) -> bool:
    """Turn traditional script into simplified; False where that changes the length."""
    span = slice(flat.indptr[row], flat.indptr[row + 1])
    before = flat.code[span]
    after = points_of(simplify_text(before.tobytes().decode("utf-32-le", "surrogatepass")))
    if len(after) != len(before):
        return False
    flat.code[span] = after
    return True


def heads(flat: FlatTexts, segment: Segmenter) -> U8:
    """Return which characters are Han and begin a word, uint8 (c,): NO_HAN, HEAD or INSIDE.

    Parameters
    ----------
    segment
        Cuts runs of Han with a space between them into words, the spaces among them.
    """
    head = np.zeros(len(flat.code), np.uint8)
    han = np.flatnonzero(is_han(flat.code))
    if not len(han):
        return head
    begins = np.isin(han, flat.indptr[:-1])
    begins[0] = True
    begins[1:] |= np.diff(han) > 1
    runs = np.insert(flat.code[han], np.flatnonzero(begins)[1:], 0x20)
    words = segment(runs.astype("<i4").tobytes().decode("utf-32-le"))
    lengths = np.array([len(word) for word in words if word != " "], np.int64)
    head[han] = INSIDE
    head[han[np.concatenate([[0], np.cumsum(lengths)[:-1]])]] = HEAD
    return head


def is_han(code: I32) -> Bools:
    """Return which characters `heads` takes for Han."""
    known = code == 0x3007
    for low, high in ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0xF900, 0xFAFF), (0x20000, 0x3134F)):
        known = known | (code >= low) & (code <= high)
    return np.asarray(known)


def count_texts(texts: Sequence[str], cut: Tokenizer, *, fold_variants: bool = True) -> Features:
    """Count the tokens of some raw texts."""
    flat = flatten(texts, fold_variants=fold_variants)
    return count_flat(flat, heads(flat, cut.segment), cut)


def count_flat(flat: FlatTexts, head: U8, cut: Tokenizer) -> Features:
    """Count the tokens of normalised texts, whose words `head` gives."""
    n, room = len(flat.indptr) - 1, len(flat.code)
    first, last, entry_of, word, count = (np.empty(room, np.int32) for _ in range(5))
    table, ends = np.full(_SLOTS, EMPTY, np.int64), np.zeros(n + 1, np.int64)

    state = np.zeros(2, np.int64)  # texts and distinct words that are done
    while True:
        counted = (table, len(table), first, last, entry_of, word, count, ends)
        LOOPS.count_words(flat.code, head, flat.indptr, n, *counted, state)
        if state[0] == n:
            break
        table = grow_table(table)
    words = int(state[1])
    strings = strings_of(flat.code, first[:words], last[:words])
    return features_of_rows(cut, strings, word[: ends[-1]], count[: ends[-1]], ends)


def code_points_of(texts: Sequence[str]) -> tuple[I32, I64]:
    """Return the characters of all texts, and where each of them begins and ends."""
    return points_of("".join(texts)), _running_sums(map(len, texts))


def _running_sums(sizes: Iterable[int]) -> I64:
    lengths = np.fromiter(sizes, np.int64)
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
