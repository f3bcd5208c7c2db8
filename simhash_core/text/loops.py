"""The readable loops under the names of the compiled ones."""

from __future__ import annotations

from ..ranges import rehash
from .counting import count_words
from .cutting import cut_words
from .folding import fold_texts

__all__ = ["count_words", "cut_words", "fold_texts", "rehash"]
