"""The same names as `kernels`, not compiled."""

from __future__ import annotations

from ...ranges import hash_of, number_ranges, place_of, rehash
from ..grams import winnow_texts

__all__ = ["hash_of", "number_ranges", "place_of", "rehash", "winnow_texts"]
