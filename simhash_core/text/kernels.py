"""The loops of this room over code points, compiled: one source, two speeds."""

from __future__ import annotations

from ..machine import ranges
from ..machine.kernels import BOOL, BYTES, F64, F64_2, I32, I32_2, I64, INT, Kernels
from . import cutting, flat

ROOM = Kernels("text")
ROOM.keep(cutting.write)

# nothing is allocated: without counting references a call with arrays costs nothing
_BARE = {"_nrt": False}
_TABLES = (I32, I64, F64)  # first, slots, weight
_WORK = (F64, I64, BYTES, BYTES)  # score, last, back, head

# callees first
space_run = ROOM.inner((BYTES, I32, INT, INT), **_BARE)(flat.space_run)
is_letter = ROOM.inner((INT,), **_BARE)(flat.is_letter)
is_sign = ROOM.inner((INT,), **_BARE)(flat.is_sign)
fold_one = ROOM.inner((I32, BYTES, INT, INT, I32, I32_2, I32, I32, I32, INT), **_BARE)(
    flat.fold_one
)
fold_texts = ROOM.entry((I32, BYTES, I64, I32, I32_2, I32, I32, I32, I64, BYTES), **_BARE)(
    flat.fold_texts
)

child = ROOM.inner((I64, INT, INT), **_BARE)(cutting.child)
is_word = ROOM.inner((I32, *_TABLES, INT, INT), **_BARE)(cutting.is_word)
best_path = ROOM.inner((I32, *_TABLES, INT, INT, F64, I64), **_BARE)(cutting.best_path)
join_singles = ROOM.inner((I32, F64_2, INT, INT, BYTES, BYTES), **_BARE)(cutting.join_singles)
cut_singles = ROOM.inner((I32, *_TABLES, F64_2, INT, INT, BYTES, BYTES), **_BARE)(
    cutting.cut_singles
)
cut_run = ROOM.inner((I32, *_TABLES, F64_2, INT, INT, *_WORK), **_BARE)(cutting.cut_run)
is_rare = ROOM.inner((INT,), **_BARE)(cutting.is_rare)
cut_words = ROOM.entry((I32, I64, *_TABLES, F64_2, *_WORK), **_BARE)(cutting.cut_words)

latin_class = ROOM.inner((INT,), **_BARE)(flat.latin_class)
hash_of = ROOM.inner((I32, INT, INT), **_BARE)(ranges.hash_of)
place_of = ROOM.inner((I32, INT, INT, I64, I32, I32, INT), **_BARE)(ranges.place_of)
next_word = ROOM.inner((I32, BYTES, INT, INT, BOOL), **_BARE)(flat.next_word)
rehash = ROOM.entry((I64, I64), **_BARE)(ranges.rehash)
_COUNTED = (I64, I32, I32, I32, I32, I32, I64)  # table, first, last, entry_of, word, count, ends
count_words = ROOM.entry((I32, BYTES, I64, INT, *_COUNTED, INT), **_BARE)(flat.count_words)
