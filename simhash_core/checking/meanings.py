"""Whether Chinese words count as what they mean: the setting, the dictionary and its record."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import BadInput
from ..model import Progress
from ..passages.tokenized import Concepts, TokenizedText
from ..passages.words import has_words
from ..policy import BATCH_FROM
from ..result import Guarantee
from ..settings import Settings
from ..text import dictionary
from ..text.characters import HAN

_HAN = re.compile(f"[{HAN}]")
_SAMPLE = 10_000  # characters of a text looked at


def concepts_for(settings: Settings) -> Concepts | None:
    """Return the function that says what words of Han count as, None where they stay words.

    The dictionary is loaded when the first text with Han asks.
    """
    if settings.dictionary == "off" or dictionary.data_file() is None:
        return None
    return _concepts


def prepare_dictionary(
    texts: Sequence[str], settings: Settings, step: Progress | None = None
) -> None:
    """Make the table of the dictionary where some Chinese texts need it and it is not there.

    Raises
    ------
    BadInput
        `dictionary` where the settings demand one and none is installed.
    """
    if settings.dictionary == "on" and dictionary.data_file() is None:
        raise BadInput("dictionary")
    if settings.dictionary != "off" and any(_HAN.search(text[:_SAMPLE]) for text in texts):
        dictionary.load(step)


def dictionary_source() -> tuple[str, str] | None:
    """Return name and licence of the dictionary that is installed, None for none."""
    return None if dictionary.data_file() is None else (dictionary.NAME, dictionary.LICENCE)


def word_facts(tokenized: Sequence[TokenizedText]) -> tuple[Guarantee, ...]:
    """Say what words of Chinese were compared by in a batch, where there are any.

    Fewer texts are compared by words as they are written, with a dictionary or without.
    """
    if len(tokenized) < BATCH_FROM:
        return ()
    if any(len(text.concept) for text in tokenized):
        loaded = dictionary.load()
        names = {"name": dictionary.NAME, "licence": dictionary.LICENCE}
        version = loaded.version if loaded else ""
        return (Guarantee("words_by_meaning", {**names, "version": version}),)
    if any(map(has_words, tokenized)):
        return (Guarantee("words_by_form"),)
    return ()


def _concepts(words: Sequence[str]) -> list[str]:
    loaded = dictionary.load()
    return [loaded.concept(word) for word in words] if loaded else [""] * len(words)
