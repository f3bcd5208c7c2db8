"""simhash-java (github.com/sing1ee/simhash-java): character bigrams, MurmurHash, `> 1`.

Two quirks are kept: a bit needs a sum above 1, not above 0, which biases signatures to 0, and
the last bytes of a token enter the hash sign-extended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from .foreign_hashes import murmur32_signed, murmur64_signed
from .profile import Profile, vote

K = 3
LEAST = 1  # sums must be above it
_HASHES: dict[int, Callable[[bytes], int]] = {32: murmur32_signed, 64: murmur64_signed}


def fingerprint(text: str, *, bits: int = 64) -> int | None:
    """Return `simhash64` or `simhash32` of a text segmented by its `BinaryWordSeg`.

    Notes
    -----
    Its first bit is the least significant; a printed number is the same.
    """
    counts = Counter(bigrams(text))
    weighed = ((_HASHES[bits](token), count) for token, count in counts.items())
    return vote(weighed, bits, above=LEAST)


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
    64,
    K,
    fingerprint,
    ("above_one", "signed_tail", "bigrams"),
)
