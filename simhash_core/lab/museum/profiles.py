"""Fingerprints of other programs, bit for bit, with every quirk of theirs.

References
----------
Charikar, Similarity estimation techniques from rounding algorithms, STOC 2002; Manku, Jain,
Das Sarma, Detecting near-duplicates for web crawling, WWW 2007 (the 64 bits, the 3 and the blocks).
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np

from ... import schemas
from ...errors import BadInput
from ...model import U64, Document
from ...simhash.hashes import WORD_MASK, bkdr, token_hash, token_hashes, words_of
from ...text.characters import HAN
from ...text.normalize import normalized_text
from ...text.segment import Segmenter, segmenter
from ...text.tokenize import stop_list, tokenizer

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


BITS = 64  # of all but lyq


@dataclass(frozen=True, slots=True)
class Profile:
    """How one program makes and compares signatures.

    Attributes
    ----------
    name, source : str
        What users type, and whose program or text it is.
    bits : int
    k : int
        The source's own threshold: alike up to this many differing bits.
    fingerprint : callable
        Text to signature, its first bit the most significant; None where a text has no feature.
    quirks : tuple of str
        Codes of what differs from the textbook, kept on purpose.
    """

    name: str
    source: str
    bits: int
    k: int
    fingerprint: Callable[[str], int | None]
    quirks: tuple[str, ...] = ()

    def alike(self, a: int, b: int) -> bool:
        """Whether the source calls two signatures similar."""
        return (a ^ b).bit_count() <= self.k


def vote(weighed: Iterable[tuple[int, float]], bits: int, *, above: float = 0) -> int | None:
    """Add +w or -w for every bit of every hash; a bit is 1 iff its sum is more than `above`.

    Parameters
    ----------
    weighed
        (hash, weight); integers stay exact.
    bits
    above

    Returns
    -------
    int or None
        None where there was nothing to vote.
    """
    sums: list[float] = [0] * bits
    empty = True
    for value, weight in weighed:
        empty = False
        for bit in range(bits):
            sums[bit] += weight if value >> (bits - 1 - bit) & 1 else -weight
    if empty:
        return None
    signature = 0
    for total in sums:
        signature = signature << 1 | (total > above)
    return signature


# --------------------------------------------------------------------------- the textbook
# Words, their frequency, 64 bits, at most 3 apart.


def _classic(text: str) -> int | None:
    """Return the signature that the preset `classic` gives, whatever the length of the text."""
    counts = tokenizer().counts(normalized_text(text))
    hashes = token_hashes(list(counts), bits=BITS)[:, 0].tolist() if counts else []
    return vote(zip(hashes, counts.values(), strict=True), BITS)


CLASSIC = Profile("classic", "Charikar 2002; Manku, Jain, Das Sarma 2007", BITS, 3, _classic)


# --------------------------------------------------------------------------- lyq's Java tool


WIDTHS = (8, 16, 32, 64)
_LEFT_OUT = ("wn", "wd")


@dataclass(frozen=True, slots=True)
class Pieces:
    """What one text comes to before it votes."""

    pieces: int
    dropped: int
    words: Counter[str]  # counted occurrences
    voting: Counter[str]  # occurrences of counted words, dropped ones included


def read_pieces(text: str) -> Pieces:
    """Split pre-segmented text as the tool does."""
    parts = "".join(text.splitlines()).split(" ")
    while len(parts) > 1 and not parts[-1]:
        parts.pop()  # Java drops empty pieces at the end alone
    tagged = [part for part in parts if "/" in part]
    counted = [part for part in tagged if not any(mark in part for mark in _LEFT_OUT)]
    words = Counter(map(_word, counted))
    voting = Counter(word for word in map(_word, tagged) if word in words)
    return Pieces(len(parts), len(tagged) - len(counted), words, voting)


def lyq(*, bits: int = 32, seed: int = 31, support: float = 0.5) -> Profile:
    """Return the profile of the tool, for text that ICTCLAS has segmented as `word/tag`.

    Raises
    ------
    BadInput
        Code `profile_parameter`: a width, seed or support that the tool does not have.

    Notes
    -----
    Kept with every quirk, because its published similarities (0.75 and 0.875 for three news texts
    that have nothing to do with each other) follow from them:

    - lines are joined without a space, so the last word of a line and the first of the next are
      one piece;
    - a word votes once an occurrence with its frequency as weight: its weight is the *square* of
      its count;
    - pieces whose text contains `wn` or `wd` are not counted (meant: the tags of 、 and ，; any
      Latin word with these letters goes too), all other punctuation stays;
    - pieces without a tag are skipped but stay in the denominator of the frequency;
    - BKDR with seed 31 leaves words of one or two characters below 2^20: the first 11 or 12 bits
      are 0 in every text;
    - the threshold of half the bits is chance level.
    """
    for name, value, good in (
        ("bits", bits, bits in WIDTHS),
        ("seed", seed, seed in BKDR_SEEDS),
        ("support", support, 0 <= support < 1),
    ):
        if not good:
            raise BadInput("profile_parameter", name=name, value=value)

    def fingerprint(text: str) -> int | None:
        read = read_pieces(text)
        # frequency times occurrences, both over one denominator: integers decide the same signs
        return vote(
            (
                (java_bkdr(word, seed=seed, bits=bits), read.words[word] * count)
                for word, count in read.voting.items()
            ),
            bits,
        )

    # similar iff equal bits > bits * support
    k = math.ceil(bits * (1 - support)) - 1
    quirks = ("squared", "joined_lines", "wn_wd", "chance_threshold", "short_hashes")
    return Profile("lyq", "lyq, SimHash in Java", bits, k, fingerprint, quirks)


def lyq_similarity(a: int, b: int, bits: int) -> float:
    """Return the share of equal bits: 0.5 for unrelated texts, so shown nowhere else."""
    return (bits - (a ^ b).bit_count()) / bits


def _word(piece: str) -> str:
    return piece.partition("/")[0]


LYQ = lyq()


# ------------------------------------------------------------------------- the PyPI package simhash
# github.com/1e0ng/simhash: lower-cased letters and digits run together, shingles of four,
# counted; the last 64 bits of MD5.


_WIDTH = 4  # letters of a shingle
_KEPT = re.compile(r"[\w\u4e00-\u9fcc]+")


def _pypi(text: str) -> int | None:
    """Return the value of `Simhash(text)`.

    Notes
    -----
    A text of fewer than four letters is one shingle, and so is an empty one. The package raises
    OverflowError under NumPy 2 where a shingle occurs more than 255 times; this does not.
    """
    content = "".join(_KEPT.findall(text.lower()))
    starts = range(max(len(content) - _WIDTH + 1, 1))
    counts = Counter(content[at : at + _WIDTH] for at in starts)
    hashes = token_hashes(list(counts), bits=BITS, algorithm="md5")[:, 0].tolist()
    return vote(zip(hashes, counts.values(), strict=True), BITS)


#: 2: the default tolerance of its index
PYPI = Profile("1e0ng", "github.com/1e0ng/simhash 2.1.2", BITS, 2, _pypi, ("shingles",))


# --------------------------------------------------------------------------- simhash-java
# github.com/sing1ee/simhash-java: character bigrams, MurmurHash. Two quirks: a bit needs a sum
# above 1, not above 0, which biases signatures to 0, and the last bytes of a token enter the hash
# sign-extended.


_LEAST = 1  # sums must be above it
_HASHES: dict[int, Callable[[bytes], int]] = {32: murmur32_signed, 64: murmur64_signed}


def sing1ee_fingerprint(text: str, *, bits: int = 64) -> int | None:
    """Return `simhash64` or `simhash32` of a text segmented by its `BinaryWordSeg`.

    Notes
    -----
    Its first bit is the least significant; a printed number is the same.
    """
    counts = Counter(bigrams(text))
    weighed = ((_HASHES[bits](token), count) for token, count in counts.items())
    return vote(weighed, bits, above=_LEAST)


def bigrams(text: str) -> list[bytes]:
    """Return neighbouring UTF-16 units as UTF-8; half of a surrogate pair becomes `?`, as in Java.

    Empty for texts of fewer than two units.
    """
    units = text.encode("utf-16-le", "surrogatepass")
    pairs = (units[at : at + 4] for at in range(0, len(units) - 2, 2))
    return [_encoded(pair) for pair in pairs]


def _encoded(pair: bytes) -> bytes:
    token = pair.decode("utf-16-le", "surrogatepass") if _whole(pair) else None
    if token is not None:
        return token.encode("utf-8", "replace")
    halves = (pair[:2], pair[2:])
    return b"".join(
        b"?" if 0xD8 <= half[1] <= 0xDF else half.decode("utf-16-le").encode() for half in halves
    )


def _whole(pair: bytes) -> bool:
    """Whether neither unit is half of a surrogate pair without its other half."""
    high, low = (0xD8 <= pair[1] <= 0xDB, 0xDC <= pair[3] <= 0xDF)
    stray = 0xDC <= pair[1] <= 0xDF or 0xD8 <= pair[3] <= 0xDB
    return high == low and not stray


SING1EE = Profile(
    "sing1ee",
    "github.com/sing1ee/simhash-java",
    BITS,
    3,
    sing1ee_fingerprint,
    ("above_one", "signed_tail", "bigrams"),
)


# --------------------------------------------------------------------------- yanyiwu/simhash
# The weightiest words of a text vote with Jenkins hashes. The published vector (five given
# keywords with weights) is reproduced bit for bit. Which words are the keywords depends on
# cppjieba's tables, which differ a little from those of jieba.


_TOP = 5  # keywords in its demonstration
_HAN_RUN, _LATIN_RUN = re.compile(f"[{HAN}]+"), re.compile(r"[A-Za-z0-9]+")


def _yanyiwu(text: str, *, top: int = _TOP) -> int | None:
    """Return the signature of the `top` keywords of a text."""
    return of_keywords(_keywords(text, top=top))


def of_keywords(weighed: Iterable[tuple[str, float]]) -> int | None:
    """Return the signature of given (word, weight), as `make_from_predefined_keywords` does."""
    return vote(((jenkins(word.encode()), weight) for word, weight in weighed), BITS)


def _keywords(text: str, *, top: int) -> list[tuple[str, float]]:
    """Return the `top` words (word, weight), heaviest first.

    Notes
    -----
    weight = n(t, d) * idf(t) with the table that ships with jieba; a word it does not hold gets
    the table's mean, as cppjieba does (jieba itself takes the median). The text is taken as it
    is, capitals included. Single characters and function words are no keywords. Equal weights
    are ordered by their word.
    """
    idf, unknown = _frequencies()
    words = _segmenter()(" ".join(_HAN_RUN.findall(text))) + _LATIN_RUN.findall(text)
    counts = Counter(word for word in words if len(word) > 1 and word.casefold() not in stop_list())
    weighed = [(word, count * idf.get(word, unknown)) for word, count in counts.items()]
    return sorted(weighed, key=lambda pair: (-pair[1], pair[0]))[:top]


@functools.cache
def _segmenter() -> Segmenter:
    return segmenter()


@functools.cache
def _frequencies() -> tuple[dict[str, float], float]:
    """Return idf by word and its mean."""
    text = (resources.files("jieba") / "analyse" / "idf.txt").read_text(encoding="utf-8")
    idf = {word: float(value) for word, value in (line.split() for line in text.splitlines())}
    return idf, sum(idf.values()) / len(idf)


YANYIWU = Profile("yanyiwu", "github.com/yanyiwu/simhash", BITS, 3, _yanyiwu, ("keywords_only",))


PROFILES: dict[str, Profile] = {
    profile.name: profile for profile in (CLASSIC, LYQ, PYPI, SING1EE, YANYIWU)
}


def profile_data(documents: Sequence[Document], profile: Profile) -> dict[str, Any]:
    """Return the fingerprints that another program would compute, as `report.fingerprints` does."""
    rows = []
    for document in documents:
        value = profile.fingerprint(document.text)
        digits = None if value is None else f"{value:0{profile.bits // 4}x}"
        rows.append({"name": document.name, "id": document.id, "fingerprint": digits})
    return {
        "schema": schemas.FINGERPRINT,
        "bits": profile.bits,
        "recipe": profile.name,
        "source": profile.source,
        "threshold": profile.k,
        "quirks": list(profile.quirks),
        "documents": rows,
    }
