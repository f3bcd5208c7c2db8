"""Fingerprints of other programs, bit for bit, with every quirk of theirs.

References
----------
Charikar, Similarity estimation techniques from rounding algorithms, STOC 2002; Manku, Jain,
Das Sarma, Detecting near-duplicates for web crawling, WWW 2007 (the 64 bits, the 3 and the blocks).
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from ... import schemas
from ...model import Document
from ...simhash.hashes import WORD_MASK, bkdr, token_hashes
from ...text.characters import HAN
from ...text.normalize import normalized_text
from ...text.segment import Segmenter, segmenter
from ...text.tokenize import stop_list, tokenizer

HALF_MASK = (1 << 32) - 1

_MURMUR64 = 0xC6A4A7935BD1E995
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
            h ^= (byte - 256 if byte > 127 else byte) << 8 * place & WORD_MASK
        h = h * _MURMUR64 & WORD_MASK
    h = (h ^ h >> 47) * _MURMUR64 & WORD_MASK
    return h ^ h >> 47


def jenkins(data: bytes) -> int:
    """Bob Jenkins' lookup3 `hashlittle2` with seed 0: primary hash above, secondary below.

    References
    ----------
    burtleburtle.net/bob/c/lookup3.c (public domain).
    """
    state = [(0xDEADBEEF + len(data)) & HALF_MASK] * 3

    def rotated(row: int, by: int) -> int:
        return (state[row] << by | state[row] >> (32 - by)) & HALF_MASK

    for at in range(0, len(data), 12):
        for place in range(3):
            part = data[at + 4 * place : min(at + 12, at + 4 * place + 4)]
            state[place] = (state[place] + int.from_bytes(part, "little")) & HALF_MASK
        if len(data) - at > 12:
            for target, minus, rotation, plus in _MIX:
                mixed = (state[target] - state[minus]) & HALF_MASK ^ rotated(minus, rotation)
                state[target] = mixed
                state[minus] = (state[minus] + state[plus]) & HALF_MASK
        else:
            for target, by, rotation in _FINAL:
                state[target] ^= state[by]
                state[target] = (state[target] - rotated(by, rotation)) & HALF_MASK
    return state[2] << 32 | state[1]


def java_bkdr(word: str, *, bits: int) -> int:
    """Return the low bits of |BKDR|, seed 31, in Java's signed 64-bit arithmetic.

    Notes
    -----
    The original takes the remainder through a double, which loses low bits of hashes above 2^53:
    reproduced here. At 32 bits its cast to int makes half of the remainders negative, and the bits
    of a negative number are read as 0: such a word votes against every bit. At 64 bits its casts
    make no hash at all; then |BKDR| itself is returned.
    """
    value = bkdr(word, 31)
    if value >> 63:
        value = (1 << 64) - value
    if bits >= 64:
        return value
    low = int(float(value) % 2.0**bits)
    return 0 if low >> 31 else low


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

    def data(self, documents: Sequence[Document]) -> dict[str, Any]:
        """Return the fingerprints that the program would compute, as `report.json` writes ours."""
        rows = []
        for document in documents:
            value = self.fingerprint(document.text)
            digits = None if value is None else f"{value:0{self.bits // 4}x}"
            rows.append({"name": document.name, "id": document.id, "fingerprint": digits})
        return {
            "schema": schemas.FINGERPRINT,
            "bits": self.bits,
            "recipe": self.name,
            "source": self.source,
            "threshold": self.k,
            "quirks": list(self.quirks),
            "documents": rows,
        }


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
    counts = Counter(tokenizer().tokens(normalized_text(text)))
    hashes = token_hashes(list(counts), bits=BITS)[:, 0].tolist() if counts else []
    return vote(zip(hashes, counts.values(), strict=True), BITS)


CLASSIC = Profile("classic", "Charikar 2002; Manku, Jain, Das Sarma 2007", BITS, 3, _classic)


# --------------------------------------------------------------------------- lyq's Java tool


_LEFT_OUT = ("wn", "wd")
LYQ_BITS = 32


def read_pieces(text: str) -> tuple[Counter[str], Counter[str]]:
    """Split pre-segmented text as the tool does: counted words, and those of all that vote."""
    parts = "".join(text.splitlines()).split(" ")
    tagged = [part for part in parts if "/" in part]
    counted = [part for part in tagged if not any(mark in part for mark in _LEFT_OUT)]
    words = Counter(part.partition("/")[0] for part in counted)
    voting = Counter(word for part in tagged if (word := part.partition("/")[0]) in words)
    return words, voting


def _lyq(text: str) -> int | None:
    """Return the signature of text that ICTCLAS has segmented as `word/tag`.

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
    - pieces without a tag are skipped; that they stay in the denominator of the frequency
      changes no sign;
    - BKDR with seed 31 leaves words of one or two characters below 2^20: the first 11 or 12 bits
      are 0 in every text;
    - the threshold of half the bits is chance level: similar iff equal bits > bits * 0.5.
    """
    words, voting = read_pieces(text)
    # frequency times occurrences, both over one denominator: integers decide the same signs
    weighed = (
        (java_bkdr(word, bits=LYQ_BITS), words[word] * count) for word, count in voting.items()
    )
    return vote(weighed, LYQ_BITS)


def lyq_similarity(a: int, b: int, bits: int) -> float:
    """Return the share of equal bits: 0.5 for unrelated texts, so shown nowhere else."""
    return (bits - (a ^ b).bit_count()) / bits


LYQ = Profile(
    "lyq",
    "lyq, SimHash in Java",
    LYQ_BITS,
    LYQ_BITS // 2 - 1,
    _lyq,
    ("squared", "joined_lines", "wn_wd", "chance_threshold", "short_hashes"),
)


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


def _sing1ee(text: str) -> int | None:
    """Return `simhash64` of a text segmented by its `BinaryWordSeg`.

    Notes
    -----
    Its first bit is the least significant; a printed number is the same.
    """
    counts = Counter(bigrams(text))
    return vote(((murmur64_signed(token), count) for token, count in counts.items()), BITS, above=1)


def bigrams(text: str) -> list[bytes]:
    """Return neighbouring UTF-16 units as UTF-8; half of a surrogate pair becomes `?`, as in Java.

    Empty for texts of fewer than two units.
    """
    units = text.encode("utf-16-le", "surrogatepass")
    return [_encoded(units[at : at + 4]) for at in range(0, len(units) - 2, 2)]


def _encoded(pair: bytes) -> bytes:
    """Return two units as UTF-8, a stray half of a surrogate pair as `?`."""
    try:
        return pair.decode("utf-16-le").encode()
    except UnicodeDecodeError:
        halves = (pair[:2].decode("utf-16-le", "replace"), pair[2:].decode("utf-16-le", "replace"))
        return "".join("?" if half == "\ufffd" else half for half in halves).encode()


SING1EE = Profile(
    "sing1ee",
    "github.com/sing1ee/simhash-java",
    BITS,
    3,
    _sing1ee,
    ("above_one", "signed_tail", "bigrams"),
)


# --------------------------------------------------------------------------- yanyiwu/simhash
# The weightiest words of a text vote with Jenkins hashes. The published vector (five given
# keywords with weights) is reproduced bit for bit. Which words are the keywords depends on
# cppjieba's tables, which differ a little from those of jieba.


_TOP = 5  # keywords in its demonstration
_HAN_RUN, _LATIN_RUN = re.compile(f"[{HAN}]+"), re.compile(r"[A-Za-z0-9]+")


def _yanyiwu(text: str) -> int | None:
    """Return the signature of the keywords of a text.

    Notes
    -----
    weight = n(t, d) * idf(t) with the table that ships with jieba; a word it does not hold gets
    the table's mean, as cppjieba does (jieba itself takes the median). The text is taken as it
    is, capitals included. Single characters and function words are no keywords. Equal weights
    are ordered by their word.
    """
    idf = _frequencies()
    unknown = sum(idf.values()) / len(idf)
    words = _segmenter()(" ".join(_HAN_RUN.findall(text))) + _LATIN_RUN.findall(text)
    counts = Counter(word for word in words if len(word) > 1 and word.casefold() not in stop_list())
    weighed = [(word, count * idf.get(word, unknown)) for word, count in counts.items()]
    return sign_keywords(sorted(weighed, key=lambda pair: (-pair[1], pair[0]))[:_TOP])


def sign_keywords(weighed: Iterable[tuple[str, float]]) -> int | None:
    """Return the signature of given (word, weight), as `make_from_predefined_keywords` does."""
    return vote(((jenkins(word.encode()), weight) for word, weight in weighed), BITS)


@functools.cache
def _segmenter() -> Segmenter:
    return segmenter()


@functools.cache
def _frequencies() -> dict[str, float]:
    """Return idf by word."""
    text = (resources.files("jieba") / "analyse" / "idf.txt").read_text(encoding="utf-8")
    return {word: float(value) for word, value in map(str.split, text.splitlines())}


YANYIWU = Profile("yanyiwu", "github.com/yanyiwu/simhash", BITS, 3, _yanyiwu, ("keywords_only",))


PROFILES: dict[str, Profile] = {
    profile.name: profile for profile in (CLASSIC, LYQ, PYPI, SING1EE, YANYIWU)
}
