"""yanyiwu/simhash: the weightiest words of a text vote with Jenkins hashes, at most 3 apart.

The published vector (five given keywords with weights) is reproduced bit for bit. Which words
are the keywords depends on cppjieba's tables, which differ a little from those of jieba.
"""

from __future__ import annotations

from collections.abc import Iterable

from ....text.keywords import keywords
from .foreign_hashes import jenkins
from .profile import Profile, vote

BITS, K = 64, 3
TOP = 5  # keywords in its demonstration


def fingerprint(text: str, *, top: int = TOP) -> int | None:
    """Return the signature of the `top` keywords of a text."""
    return of_keywords(keywords(text, top=top))


def of_keywords(weighed: Iterable[tuple[str, float]]) -> int | None:
    """Return the signature of given (word, weight), as `make_from_predefined_keywords` does."""
    return vote(((jenkins(word.encode()), weight) for word, weight in weighed), BITS)


YANYIWU = Profile("yanyiwu", "github.com/yanyiwu/simhash", BITS, K, fingerprint, ("keywords_only",))
