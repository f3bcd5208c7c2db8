"""Chinese words cut over flat tables: jieba's algorithm, word for word.

The loops over code points are the readable twins of those in C (`native`). Words are the path of
highest probability through all words of the dictionary; characters that it leaves alone are joined
by a hidden Markov model. Sums are made in jieba's order, so that ties fall alike. The dictionary
and the model are made into flat arrays once, and kept in the user's cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.metadata
import math
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .. import folders
from ..machine.native import in_c
from ..machine.once import once
from ..model import F64, I32, I64, U8
from .segment import load_jieba

#: the Han that jieba's dictionary and model know
LOW, HIGH = 0x4E00, 0x9FD5
CHARACTERS = HIGH - LOW + 1
CHARACTER_BITS, NODE_BITS = 15, 20
NODES = 1 << NODE_BITS
SPREAD = 0x9E3779B  # odd and below 2^28: times a key below 2^35 it stays in 63 bits

#: what a character is: no Han, the first of a word, inside a word
NO_HAN, HEAD, INSIDE = 0, 1, 2
BEGIN, END, MIDDLE, SINGLE = 0, 1, 2, 3  # in the order of jieba's letters, which decides ties

_NAMES = ("first", "slots", "weight", "emission")
_STATES = "BEMS"
_LEAST = -3.14e100  # jieba's logarithm of zero


def child(slots: I64, node: int, character: int) -> int:
    """Return the node that a character leads to; 0 for none.

    `slots` is a hash table of (node, character, child) packed into one number, linear probing.
    """
    key = node << CHARACTER_BITS | character
    at = (key * SPREAD >> CHARACTER_BITS) & (len(slots) - 1)
    while slots[at] != 0:
        if slots[at] >> NODE_BITS == key:
            return int(slots[at] & (NODES - 1))
        at = (at + 1) & (len(slots) - 1)
    return 0


def is_word(code: I32, first: I32, slots: I64, weight: F64, begin: int, stop: int) -> bool:
    """Whether code[begin:stop] is a word of the dictionary."""
    node = int(first[code[begin] - LOW])
    for at in range(begin + 1, stop):
        if node == 0:
            return False
        node = child(slots, node, int(code[at]) - LOW)
    return node != 0 and weight[node] <= 0.0


def best_path(
    code: I32,
    first: I32,
    slots: I64,
    weight: F64,
    begin: int,
    stop: int,
    score: F64,
    last: I64,
) -> None:
    """Fill last[k] with the last character of the word that begins at begin + k."""
    score[stop - begin] = 0.0
    for at in range(stop - 1, begin - 1, -1):
        best, where, seen = 0.0, at, False
        node, end = int(first[code[at] - LOW]), at
        while node != 0:
            if weight[node] <= 0.0:
                value = weight[node] + score[end + 1 - begin]
                if not seen or value >= best:  # on a tie the longer word
                    best, where, seen = value, end, True
            end += 1
            if end == stop:
                break
            node = child(slots, node, int(code[end]) - LOW)
        if not seen:
            best = weight[0] + score[at + 1 - begin]
        score[at - begin] = best
        last[at - begin] = where


def join_singles(code: I32, emission: F64, begin: int, stop: int, back: U8, head: U8) -> None:
    """Mark the words that jieba's hidden Markov model makes of single characters.

    Rows of `emission` are characters, columns states; the last five rows are the logarithms of
    the transitions, one row a state, and of the beginning.
    """
    row, moves, start = int(code[begin]) - LOW, CHARACTERS, CHARACTERS + 4
    b = emission[start, BEGIN] + emission[row, BEGIN]
    e = emission[start, END] + emission[row, END]
    m = emission[start, MIDDLE] + emission[row, MIDDLE]
    s = emission[start, SINGLE] + emission[row, SINGLE]
    for at in range(begin + 1, stop):
        row, to = int(code[at]) - LOW, 4 * (at - begin)
        b_of_e = e + emission[moves + END, BEGIN] + emission[row, BEGIN]
        b_of_s = s + emission[moves + SINGLE, BEGIN] + emission[row, BEGIN]
        e_of_b = b + emission[moves + BEGIN, END] + emission[row, END]
        e_of_m = m + emission[moves + MIDDLE, END] + emission[row, END]
        m_of_b = b + emission[moves + BEGIN, MIDDLE] + emission[row, MIDDLE]
        m_of_m = m + emission[moves + MIDDLE, MIDDLE] + emission[row, MIDDLE]
        s_of_e = e + emission[moves + END, SINGLE] + emission[row, SINGLE]
        s_of_s = s + emission[moves + SINGLE, SINGLE] + emission[row, SINGLE]
        back[to + BEGIN] = SINGLE if b_of_s >= b_of_e else END
        back[to + END] = MIDDLE if e_of_m >= e_of_b else BEGIN
        back[to + MIDDLE] = MIDDLE if m_of_m >= m_of_b else BEGIN
        back[to + SINGLE] = SINGLE if s_of_s >= s_of_e else END
        b, e, m, s = (
            max(b_of_s, b_of_e),
            max(e_of_m, e_of_b),
            max(m_of_m, m_of_b),
            max(s_of_s, s_of_e),
        )
    state = SINGLE if s >= e else END
    for at in range(stop - 1, begin - 1, -1):
        head[at] = HEAD if state in (BEGIN, SINGLE) else INSIDE
        if at > begin:
            state = int(back[4 * (at - begin) + state])
    head[begin] = HEAD  # of unknown characters the best path may begin in the middle of a word


def cut_singles(
    code: I32,
    first: I32,
    slots: I64,
    weight: F64,
    emission: F64,
    begin: int,
    stop: int,
    back: U8,
    head: U8,
) -> None:
    """Mark the words of characters that the best path leaves alone."""
    if stop - begin == 1 or is_word(code, first, slots, weight, begin, stop):
        head[begin:stop] = HEAD
    else:
        join_singles(code, emission, begin, stop, back, head)


def cut_run(
    code: I32,
    first: I32,
    slots: I64,
    weight: F64,
    emission: F64,
    begin: int,
    stop: int,
    score: F64,
    last: I64,
    back: U8,
    head: U8,
) -> None:
    """Mark the words of a run of Han."""
    best_path(code, first, slots, weight, begin, stop, score, last)
    at, singles = begin, -1
    while at < stop:
        after = int(last[at - begin]) + 1
        if after - at == 1:
            if singles < 0:
                singles = at
        else:
            if singles >= 0:
                cut_singles(code, first, slots, weight, emission, singles, at, back, head)
                singles = -1
            head[at] = HEAD
            head[at + 1 : after] = INSIDE
        at = after
    if singles >= 0:
        cut_singles(code, first, slots, weight, emission, singles, stop, back, head)


def is_rare(point: int) -> bool:
    """Whether a code point is Han that jieba does not know: a word by itself."""
    if point < 0x3007 or 0x4E00 <= point <= 0x9FD5:
        return False
    if point <= 0x9FFF:
        return point == 0x3007 or 0x3400 <= point <= 0x4DBF or point >= 0x9FD6
    return 0xF900 <= point <= 0xFAFF or 0x20000 <= point <= 0x3134F


def cut_words(
    code: I32,
    indptr: I64,
    first: I32,
    slots: I64,
    weight: F64,
    emission: F64,
    score: F64,
    last: I64,
    back: U8,
    head: U8,
) -> None:
    """Say of every character of some texts whether it is Han and begins a word.

    Parameters
    ----------
    code : int32 (c,)
        Normalised texts, one after the other; text i is code[indptr[i]:indptr[i + 1]].
    first : int32 (CHARACTERS,)
        Node of each character at the beginning of a word.
    slots : int64 (2^k,)
        See `child`.
    weight : float64 (nodes,)
        log(frequency) - log(total) of a word, 1 for what only begins words; weight[0] is that of
        an unknown character.
    emission : float64 (CHARACTERS + 5, 4)
        See `join_singles`.
    score, last, back : float64 (t + 1,), int64 (t,), uint8 (4 t,)
        Room to work in, for a text of t characters.
    head : uint8 (c,), written

    Notes
    -----
    Cost O(c) for words of bounded length.
    """
    for text in range(len(indptr) - 1):
        at, stop = int(indptr[text]), int(indptr[text + 1])
        while at < stop:
            point = int(code[at])
            if point < LOW or point > HIGH:
                head[at] = HEAD if is_rare(point) else NO_HAN
                at += 1
                continue
            end = at + 1
            while end < stop and LOW <= code[end] <= HIGH:
                end += 1
            cut_run(code, first, slots, weight, emission, at, end, score, last, back, head)
            at = end


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Words of Han as a trie in a hash table; see `cutting.cut_words` for the arrays."""

    first: I32
    slots: I64
    weight: F64
    emission: F64


MAKE_SECONDS = 0.3  # the tables, in C; 4 without


def is_made() -> bool:
    """Return whether the tables lie in the cache, so that they need not be made first."""
    with contextlib.suppress(OSError, RuntimeError):
        folder = _folder()
        return all((folder / f"{name}.npy").is_file() for name in _NAMES)
    return False


@once
def lexicon() -> Lexicon:
    """Return the tables, from the user's cache or made anew in `MAKE_SECONDS`."""
    folder = _folder()
    with contextlib.suppress(OSError, ValueError, EOFError):
        files = (np.load(folder / f"{name}.npy", mmap_mode="r") for name in _NAMES)
        return Lexicon(*map(np.asarray, files))  # all processes share the pages
    tables = made()
    with contextlib.suppress(OSError, RuntimeError):  # a full disk, no home
        keep(tables, folder)
    return tables


def _folder() -> Path:
    return folders.cache_folder() / f"words-{_digest()}"


def _digest() -> str:
    """Return a name of what the tables are made of: this file, and jieba's version."""
    shape = Path(__file__).read_bytes() + importlib.metadata.version("jieba").encode()
    return hashlib.sha256(shape).hexdigest()[:16]


def keep(tables: Lexicon, folder: Path) -> None:
    """Keep the tables in a folder, each file in one step: other processes may do the same.

    Tables of other versions beside it are removed.
    """
    for old in folder.parent.glob("words-*"):
        shutil.rmtree(old, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    for name in _NAMES:
        fresh = folder / f"{name}.{os.getpid()}.npy"
        np.save(fresh, getattr(tables, name))
        fresh.replace(folder / f"{name}.npy")


def made() -> Lexicon:
    """Make the tables from jieba's files."""
    jieba = load_jieba()
    model = importlib.import_module("jieba.finalseg")
    dictionary = jieba.Tokenizer().get_dict_file()
    if in_c():  # a tenth of the time
        with dictionary:
            native = importlib.import_module("simhash_core.text.native")
            first, slots, weight = native.trie(dictionary.read())
        return Lexicon(first, slots, weight, _emission(model))
    frequency, total = jieba.Tokenizer.gen_pfdict(dictionary)
    return Lexicon(*_trie(frequency, math.log(total)), _emission(model))


def _trie(frequency: Mapping[str, int], log_total: float) -> tuple[I32, I64, F64]:
    """Number the beginnings of all words of Han; jieba's table holds every one of them."""
    han = (word for word in frequency if all(LOW <= ord(one) <= HIGH for one in word))
    number = {word: node for node, word in enumerate(sorted(han, key=len), 1)}
    if len(number) >= NODES:
        raise ValueError("the dictionary has too many words")
    first = np.zeros(CHARACTERS, np.int32)
    weight = np.ones(len(number) + 1)
    weight[0] = math.log(1) - log_total
    entries = []
    for word, node in number.items():
        if frequency[word]:
            weight[node] = math.log(frequency[word]) - log_total
        character = ord(word[-1]) - LOW
        if len(word) == 1:
            first[character] = node
        else:
            entries.append((number[word[:-1]] << CHARACTER_BITS | character) << NODE_BITS | node)
    return first, _hashed(np.array(entries, np.int64)), weight


def _hashed(entries: I64) -> I64:
    """Put entries into a hash table with linear probing, at most half full."""
    slots = np.zeros(1 << max(1, 2 * len(entries) - 1).bit_length(), np.int64)
    mask = len(slots) - 1
    place = ((entries >> NODE_BITS) * SPREAD >> CHARACTER_BITS) & mask
    while len(entries):
        free = slots[place] == 0
        slots[place[free]] = entries[free]  # of several for one place the last stays
        left = slots[place] != entries
        entries, place = entries[left], (place[left] + 1) & mask
    return slots


def _emission(model: object) -> F64:
    """Return the logarithms of the model: characters, transitions, beginning; states BEMS."""
    table = np.full((CHARACTERS + 5, len(_STATES)), _LEAST)
    start, moves, emits = (getattr(model, f"{name}_P") for name in ("start", "trans", "emit"))
    for column, state in enumerate(_STATES):
        for character, value in emits[state].items():
            if LOW <= ord(character) <= HIGH:
                table[ord(character) - LOW, column] = value
        for row, before in enumerate(_STATES):
            table[CHARACTERS + row, column] = moves[before].get(state, _LEAST)
        table[CHARACTERS + 4, column] = start[state]
    return table
