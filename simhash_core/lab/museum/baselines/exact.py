"""Exact copies by a cryptographic digest: one changed character gives another digest."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence

ALGORITHMS = ("md5", "sha1", "sha256")


def digest(text: str, *, algorithm: str = "md5") -> str:
    """Return the hexadecimal digest of a text in UTF-8.

    Raises
    ------
    ValueError
        An algorithm that is not offered.
    """
    if algorithm not in ALGORITHMS:
        raise ValueError(f"no digest {algorithm!r}")
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.new(algorithm, data, usedforsecurity=False).hexdigest()


def groups(texts: Sequence[str], *, algorithm: str = "md5") -> list[tuple[int, ...]]:
    """Return the rows of equal texts, groups of at least two, by their first row."""
    rows: defaultdict[str, list[int]] = defaultdict(list)
    for row, text in enumerate(texts):
        rows[digest(text, algorithm=algorithm)].append(row)
    return [tuple(group) for group in rows.values() if len(group) > 1]
