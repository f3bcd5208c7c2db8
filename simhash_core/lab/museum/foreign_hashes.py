"""Token hashes of other programs, in plain integers: compatible bit for bit, not fast."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...model import U64
from ...simhash.hashes import WORD_MASK, bkdr, token_hash, words_of

HALF_MASK = (1 << 32) - 1
BKDR_SEEDS = (31, 131, 1313, 13131, 131313)

_MURMUR64, _MURMUR32 = 0xC6A4A7935BD1E995, 0x5BD1E995
_JENKINS_START = 0xDEADBEEF
#: lookup3: (target, minus, rotation, plus) of mix, and (target, by, rotation) of final
_MIX = ((0, 2, 4, 1), (1, 0, 6, 2), (2, 1, 8, 0), (0, 2, 16, 1), (1, 0, 19, 2), (2, 1, 4, 0))
_FINAL = ((2, 1, 14), (0, 2, 11), (1, 0, 25), (2, 1, 16), (0, 2, 4), (1, 0, 14), (2, 1, 24))


def murmur64_signed(data: bytes) -> int:
    """MurmurHash64A with seed 0 whose last bytes are sign-extended, as in simhash-java.

    Notes
    -----
    Equal to MurmurHash64A where the bytes after the last full eight are ASCII; Chinese bigrams
    are six bytes of UTF-8, so for them it is another function.
    """
    h = (_MURMUR64 * len(data)) & WORD_MASK
    whole = len(data) // 8 * 8
    for at in range(0, whole, 8):
        k = int.from_bytes(data[at : at + 8], "little") * _MURMUR64 & WORD_MASK
        k = (k ^ k >> 47) * _MURMUR64 & WORD_MASK
        h = (h ^ k) * _MURMUR64 & WORD_MASK
    if rest := data[whole:]:
        for place, byte in enumerate(rest):
            h ^= _signed(byte) << 8 * place & WORD_MASK
        h = h * _MURMUR64 & WORD_MASK
    h = (h ^ h >> 47) * _MURMUR64 & WORD_MASK
    return h ^ h >> 47


def murmur32_signed(data: bytes) -> int:
    """MurmurHash2 (32 bits) with seed 0 and sign-extended last bytes, as in simhash-java."""
    h = len(data)
    whole = len(data) // 4 * 4
    for at in range(0, whole, 4):
        k = int.from_bytes(data[at : at + 4], "little") * _MURMUR32 & HALF_MASK
        k = (k ^ k >> 24) * _MURMUR32 & HALF_MASK
        h = h * _MURMUR32 & HALF_MASK ^ k
    rest = data[whole:]
    if rest:
        # with three bytes left it takes the last one for place 0, the one before for place 8 ...
        for place, byte in enumerate(reversed(rest)):
            h ^= _signed(byte) << 8 * place & HALF_MASK
        h = h * _MURMUR32 & HALF_MASK
    h = (h ^ h >> 13) * _MURMUR32 & HALF_MASK
    return h ^ h >> 15


def jenkins(data: bytes) -> int:
    """Bob Jenkins' lookup3 `hashlittle2` with seed 0: primary hash above, secondary below.

    References
    ----------
    burtleburtle.net/bob/c/lookup3.c (public domain).
    """
    state = [(_JENKINS_START + len(data)) & HALF_MASK] * 3
    at = 0
    while len(data) - at > 12:
        _add(state, data[at : at + 12])
        for target, minus, rotation, plus in _MIX:
            state[target] = (state[target] - state[minus]) & HALF_MASK
            state[target] ^= _rotated(state[minus], rotation)
            state[minus] = (state[minus] + state[plus]) & HALF_MASK
        at += 12
    if at < len(data):
        _add(state, data[at:])
        for target, by, rotation in _FINAL:
            state[target] ^= state[by]
            state[target] = (state[target] - _rotated(state[by], rotation)) & HALF_MASK
    return state[2] << 32 | state[1]


def java_bkdr(word: str, *, seed: int, bits: int) -> int:
    """Return the low bits of |BKDR| in Java's signed 64-bit arithmetic.

    Notes
    -----
    The original takes the remainder through a double, which loses low bits of hashes above 2^53:
    reproduced here. At 32 bits its cast to int makes half of the remainders negative, and the bits
    of a negative number are read as 0: such a word votes against every bit. At 64 bits its casts
    make no hash at all; then |BKDR| itself is returned.
    """
    value = bkdr(word, seed)
    if value >> 63:
        value = (1 << 64) - value
    if bits >= 64:
        return value
    low = int(float(value) % 2.0**bits)
    return 0 if low >> 31 else low


def _signed(byte: int) -> int:
    return byte - 256 if byte > 127 else byte


def _rotated(value: int, by: int) -> int:
    return (value << by | value >> (32 - by)) & HALF_MASK


def _add(state: list[int], data: bytes) -> None:
    for place in range(3):
        part = int.from_bytes(data[4 * place : 4 * place + 4], "little")
        state[place] = (state[place] + part) & HALF_MASK


def _registered(name: str, function: Callable[[bytes], int], width: int) -> None:
    @token_hash(name)
    def hash_all(vocabulary: Sequence[str], bits: int) -> U64:
        if words_of(bits) > 1 or bits > width:
            raise ValueError(f"{name} has {width} bits")
        values = [function(token.encode("utf-8", "replace")) for token in vocabulary]
        low = np.uint64(WORD_MASK >> (64 - bits))
        return np.array(values, dtype=np.uint64).reshape(-1, 1) & low


_registered("murmur64_signed", murmur64_signed, 64)
_registered("murmur32_signed", murmur32_signed, 32)
_registered("jenkins", jenkins, 64)
