"""Chinese words as jieba cuts them, by jieba itself or by its faster port rjieba.

And the part of speech of words, by jieba's dictionary.
"""

from __future__ import annotations

import functools
import importlib.util
import io
import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from importlib import resources
from typing import Any

from ..machine.once import once
from .characters import HAN

# Han without U+4E00 to U+9FD5, which is jieba's re_han_default without its ASCII part
BEYOND = re.compile("[\u3007\u3400-\u4dbf\u9fd6-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")

REPEATED = re.compile(r"(.)\1\1")
#: a blank that somebody typed into a Chinese word of a user dictionary
_BLANK_INSIDE = re.compile(rf"(?<=[{HAN}])\s+(?=[{HAN}])")

#: runs with a space between them -> words, the spaces among them
Segmenter = Callable[[str], list[str]]

LATIN, UNKNOWN = "eng", "x"


def segmenter(user_words: Sequence[str] = (), *, pure: bool = False) -> Segmenter:
    """Return the function that cuts runs of Han into words.

    Parameters
    ----------
    user_words
        Lines of a jieba user dictionary: word, then optionally frequency and part of speech.
    pure
        Use jieba even where rjieba is installed.
    """
    # a user word without a frequency gets one that jieba derives from its tables
    cut = _jieba(user_words) if pure or not _has_rjieba() else _rjieba(user_words)

    def segment(runs: str) -> list[str]:
        if not BEYOND.search(runs):
            return cut(runs)
        words: list[str] = []
        at = 0
        for match in BEYOND.finditer(runs):
            if match.start() > at:
                words += cut(runs[at : match.start()])
            words.append(match[0])
            at = match.end()
        if at < len(runs):
            words += cut(runs[at:])
        return words

    return segment


def _has_rjieba() -> bool:
    return importlib.util.find_spec("rjieba") is not None


def _rjieba(user_words: Sequence[str]) -> Segmenter:
    import rjieba

    model = rjieba.Jieba()
    for word, frequency, tag in map(_entry, user_words):
        model.add_word(word, model.suggest_freq(word) if frequency is None else frequency, tag)
    cut: Callable[[str, bool], list[str]] = model.cut
    pure = functools.cache(lambda: _jieba(user_words))

    def segment(runs: str) -> list[str]:
        if not REPEATED.search(runs):
            return cut(runs, True)
        words: list[str] = []
        for run in re.split("( )", runs):
            words += pure()(run) if REPEATED.search(run) else cut(run, True)
        return words

    return segment


def _jieba(user_words: Sequence[str]) -> Segmenter:
    model = load_jieba().Tokenizer()
    # by itself it would read its tables back from a file in the temporary folder, where any user
    # of the machine can put one
    model.FREQ, model.total = model.gen_pfdict(model.get_dict_file())
    model.initialized = True
    lines = [" ".join(map(str, filter(None, _entry(line)))) for line in user_words]
    model.load_userdict(io.StringIO("\n".join(lines)))
    cut: Segmenter = model.lcut
    return cut


@once  # filters of warnings are those of the whole process: of two threads one may keep the other's
def load_jieba() -> Any:
    """Return the package jieba, which says nothing of its own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # jieba 0.42.1 looks for pkg_resources
        import jieba
    jieba.setLogLevel(60)  # it announces its dictionary on standard error
    return jieba


def _entry(line: str) -> tuple[str, int | None, str]:
    """Return (word, frequency or None, part of speech) of a user dictionary line."""
    word, *rest = _BLANK_INSIDE.sub("", line).split()
    frequency = int(rest.pop(0)) if rest and rest[0].isdigit() else None
    return word, frequency, rest[0] if rest else ""


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
