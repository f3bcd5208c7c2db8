"""Two texts that may be translations: paragraphs side by side, words that answer on a click.

translated(passages, names, words, key=...)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simhash_core.translations import TranslatedPassage

from .. import register

_mount = register(
    "translated", '<div class="tr"></div>', styles_of=("shared",), scripts=("shared/dom.js",)
)

#: a piece of text, and the number of the pair of words that it belongs to, -1 for none
Run = tuple[str, int]
Span = tuple[int, int]


def translated(
    texts: tuple[str, str],
    passages: Sequence[TranslatedPassage],
    *,
    names: tuple[str, str],
    languages: tuple[str, str],
    facts: Sequence[str],
    words: Mapping[str, str],
    key: str,
) -> None:
    """Draw possible translations; `facts` says what is known of each."""
    shown = [
        {"fact": fact, "rows": _rows(texts, one), "stems": [word.stem for word in one.words]}
        for one, fact in zip(passages, facts, strict=True)
    ]
    data: dict[str, Any] = {"passages": shown, "names": names, "langs": languages}
    _mount(key=key, data={**data, "words": dict(words)})


def _rows(texts: tuple[str, str], one: TranslatedPassage) -> list[list[list[Run]]]:
    """Return both cells of each row as runs of text."""
    spans = [[word.a for word in one.words], [word.b for word in one.words]]
    return [
        [_runs(text, span, of_side) for text, span, of_side in zip(texts, row, spans, strict=True)]
        for row in one.rows
    ]


def _runs(text: str, span: Span, words: Sequence[Span]) -> list[Run]:
    runs: list[Run] = []
    at, end = span
    inside = sorted(
        (word, number) for number, word in enumerate(words) if at <= word[0] and word[1] <= end
    )
    for (low, high), number in inside:
        if low >= at:
            runs += [(text[at:low], -1), (text[low:high], number)]
            at = high
    return [(part, number) for part, number in (*runs, (text[at:end], -1)) if part]
