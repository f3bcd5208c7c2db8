"""The part of speech of words, by jieba's dictionary."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from importlib import resources

LATIN, UNKNOWN = "eng", "x"


def tags(words: Sequence[str], *, user_words: Sequence[str] = ()) -> list[str]:
    """Return the tag of each normalised word (ICTCLAS letters: n, v, a ...).

    Parameters
    ----------
    words
    user_words
        Lines of a user dictionary; their tags come before the dictionary's.

    Notes
    -----
    A word has one tag, its most frequent one, whatever its sentence: that needs no second
    segmentation and is the same for rjieba and jieba. Latin words are `eng`, others that the
    dictionary does not hold `x`.
    """
    user_tags = _tagged(user_words)
    dictionary = _dictionary()
    return [
        user_tags.get(word) or (LATIN if word.isascii() else dictionary.get(word, UNKNOWN))
        for word in words
    ]


@functools.cache
def _dictionary() -> dict[str, str]:
    text = (resources.files("jieba") / "dict.txt").read_text(encoding="utf-8")
    return _tagged(text.splitlines())


def _tagged(lines: Iterable[str]) -> dict[str, str]:
    """Return word -> tag of the dictionary lines that have one."""
    split = (line.split() for line in lines)
    return {parts[0]: parts[-1] for parts in split if len(parts) > 1 and not parts[-1].isdigit()}
