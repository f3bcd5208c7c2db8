"""jieba's dictionary and model as flat arrays, made once and kept beside the machine code."""

from __future__ import annotations

import contextlib
import importlib
import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from ..compiled import room_folder
from ..model import F64, I32, I64
from .cutting import CHARACTER_BITS, CHARACTERS, HIGH, LOW, NODE_BITS, NODES, SPREAD

ROOM = "text"
_NAMES = ("first", "slots", "weight", "emission")
_STATES = "BEMS"
_LEAST = -3.14e100  # jieba's logarithm of zero


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Words of Han as a trie in a hash table; see `cutting.cut_words` for the arrays."""

    first: I32
    slots: I64
    weight: F64
    emission: F64


@cache
def lexicon() -> Lexicon:
    """Return the tables, from the user's cache or made anew (about 1.5 s)."""
    folder = room_folder(ROOM)
    with contextlib.suppress(OSError, ValueError, EOFError):
        if folder is not None:
            # "c": pages are shared by all processes, and numba takes the arrays as writable ones
            files = (np.load(folder / f"{name}.npy", mmap_mode="c") for name in _NAMES)
            return Lexicon(*map(np.asarray, files))
    return made()


def write(folder: Path) -> None:
    """Make the tables and keep them in a folder."""
    tables = made()
    for name in _NAMES:
        np.save(folder / f"{name}.npy", getattr(tables, name))


def made() -> Lexicon:
    """Make the tables from jieba's files."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # jieba 0.42.1 looks for pkg_resources
        jieba = importlib.import_module("jieba")
        model = importlib.import_module("jieba.finalseg")
    frequency, total = jieba.Tokenizer.gen_pfdict(jieba.Tokenizer().get_dict_file())
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
