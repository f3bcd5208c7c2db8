"""The textbook: words, their frequency, 64 bits, at most 3 apart.

References
----------
Charikar, Similarity estimation techniques from rounding algorithms, STOC 2002; Manku, Jain,
Das Sarma, Detecting near-duplicates for web crawling, WWW 2007 (the 64 bits, the 3 and the blocks).
"""

from __future__ import annotations

from ....simhash.hashes import token_hashes
from ....text.normalize import normalized_text
from ....text.tokenize import tokenizer
from .profile import Profile, vote

BITS, K = 64, 3


def fingerprint(text: str) -> int | None:
    """Return the signature that the preset `classic` gives, whatever the length of the text."""
    counts = tokenizer().counts(normalized_text(text))
    hashes = token_hashes(list(counts), bits=BITS)[:, 0].tolist() if counts else []
    return vote(zip(hashes, counts.values(), strict=True), BITS)


CLASSIC = Profile("classic", "Charikar 2002; Manku, Jain, Das Sarma 2007", BITS, K, fingerprint)
