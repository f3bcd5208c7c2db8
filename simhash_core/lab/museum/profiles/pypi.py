"""The PyPI package `simhash` (github.com/1e0ng/simhash) as it treats a text.

Lower-cased letters and digits run together, shingles of four, counted; the last 64 bits of MD5.
"""

from __future__ import annotations

import re
from collections import Counter

from ....simhash.hashes import token_hashes
from .profile import Profile, vote

BITS, K = 64, 2  # K: the default tolerance of its index
WIDTH = 4
_KEPT = re.compile(r"[\w\u4e00-\u9fcc]+")


def fingerprint(text: str) -> int | None:
    """Return the value of `Simhash(text)`.

    Notes
    -----
    A text of fewer than four letters is one shingle, and so is an empty one. The package raises
    OverflowError under NumPy 2 where a shingle occurs more than 255 times; this does not.
    """
    content = "".join(_KEPT.findall(text.lower()))
    starts = range(max(len(content) - WIDTH + 1, 1))
    counts = Counter(content[at : at + WIDTH] for at in starts)
    hashes = token_hashes(list(counts), bits=BITS, algorithm="md5")[:, 0].tolist()
    return vote(zip(hashes, counts.values(), strict=True), BITS)


PYPI = Profile("1e0ng", "github.com/1e0ng/simhash 2.1.2", BITS, K, fingerprint, ("shingles",))
