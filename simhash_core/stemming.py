"""Stems of English words."""

from __future__ import annotations

import threading

import snowballstemmer


class _Stemmers(threading.local):
    """One stemmer a thread: a stemmer keeps the word that it works on in itself."""

    def __init__(self) -> None:
        self.english = snowballstemmer.stemmer("english")


_stemmers = _Stemmers()


def stem_english(word: str) -> str:
    """Return the stem of an English word in lower case, with plain apostrophes."""
    return str(_stemmers.english.stemWord(word))
