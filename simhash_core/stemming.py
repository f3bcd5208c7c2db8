"""Stems of English words."""

from __future__ import annotations

import threading

#: one stemmer a thread: a stemmer keeps the word that it works on in itself
_stemmers = threading.local()


def stem_english(word: str) -> str:
    """Return the stem of an English word in lower case, with plain apostrophes."""
    if not hasattr(_stemmers, "english"):
        import snowballstemmer

        _stemmers.english = snowballstemmer.stemmer("english")
    return str(_stemmers.english.stemWord(word))
