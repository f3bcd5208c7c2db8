"""The loops over all texts at once, compiled."""

from __future__ import annotations

import numpy as np

from ...machine import ranges
from ...machine.kernels import BOOLS, I32, I64, INT, U64, Kernels
from ...model import I32 as Ints
from ...model import I64 as Whole
from ...model import U64 as Words
from ...model import Bools
from ..winnow import BASE

ROOM = Kernels("places")

# nothing is allocated: without counting references a call with arrays costs nothing
_BARE = {"_nrt": False}
hash_of = ROOM.inner((I32, INT, INT), **_BARE)(ranges.hash_of)
place_of = ROOM.inner((I32, INT, INT, I64, I32, I32, INT), **_BARE)(ranges.place_of)
rehash = ROOM.entry((I64, I64), **_BARE)(ranges.rehash)
number_ranges = ROOM.entry((I32, I64, I64, INT, I64, I32, I32, I32, INT), **_BARE)(
    ranges.number_ranges
)


@ROOM.entry((U64, BOOLS, I64, I64, INT, U64, I32, I64, U64, I32, I32, I64), **_BARE)
def winnow_texts(
    token: Words,
    single: Bools,
    ptr: Whole,
    window: Whole,
    weight: int,
    hashes: Words,
    ends_of: Ints,
    slots: Whole,
    value: Words,
    first: Ints,
    last: Ints,
    ends: Whole,
) -> None:
    """See `winnow.winnow_texts`. One hash table a text; what earlier texts left counts as empty."""
    size, mask = 0, np.uint64(len(slots) - 1)
    for text in range(len(ptr) - 1):
        begin, stop, earlier = ptr[text], ptr[text + 1], size
        count, end, total = 0, begin, 0
        for at in range(begin, stop):
            while end < stop and total < weight:
                total += 1 if single[end] else 2
                end += 1
            if total < weight:
                break
            gram = np.uint64(0)
            for k in range(at, end):
                gram = gram * BASE + token[k]
            gram ^= gram >> np.uint64(29)
            gram *= np.uint64(0xBF58476D1CE4E5B9)
            hashes[count], ends_of[count] = gram ^ (gram >> np.uint64(32)), end - begin
            count += 1
            total -= 1 if single[at] else 2
        wide, least = min(window[text], count), -1
        for at in range(count - wide + 1 if count else 0):
            if least < at:
                least = at
                for k in range(at + 1, at + wide):
                    if hashes[k] < hashes[least]:
                        least = k
            elif hashes[at + wide - 1] < hashes[least]:
                least = at + wide - 1
            else:
                continue
            place = hashes[least] & mask
            while slots[place] > earlier and value[slots[place] - 1] != hashes[least]:
                place = (place + np.uint64(1)) & mask
            if slots[place] <= earlier:
                value[size], first[size] = hashes[least], -1
                size += 1
                slots[place] = size
        for at in range(count):
            place = hashes[at] & mask
            while slots[place] > earlier and value[slots[place] - 1] != hashes[at]:
                place = (place + np.uint64(1)) & mask
            if slots[place] > earlier and first[slots[place] - 1] < 0:
                first[slots[place] - 1], last[slots[place] - 1] = at, ends_of[at]
        ends[text + 1] = size
