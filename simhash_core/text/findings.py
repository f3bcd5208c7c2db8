"""Manipulations that keep a text from matching: letters disguised, spaced, interleaved."""

from __future__ import annotations

import re

import numpy as np

from ..model import U16, Note
from .characters import CONTROLS, LOOKALIKES
from .classes import BLANK, LETTER, SUSPECT, classes_of, held, mark
from .disguises import hair_spaces, marked_letters, named, small_capitals
from .extract.extracted import finding, joined
from .normalize import MAYBE_SPACED, SPACED, masked_words

# Joiners and variation selectors belong to emoji and to Indic and Arabic script; a mark of byte
# order, a soft hyphen or a tag does not belong to any. Left out: \u200c \u200d \ufe00-\ufe0f.
_INVISIBLES = (
    f"{CONTROLS}\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\U000e0000-\U000e007f"
)
_FULLWIDTHS = "\uff21-\uff3a\uff41-\uff5a"
_INVISIBLE = re.compile(f"[{_INVISIBLES}]")
_FULLWIDTH = re.compile(f"[{_FULLWIDTHS}]")
_JOINER = re.compile("[\u200c\u200d](?<=[\u2e80-\u9fffA-Za-z].)(?=[\u2e80-\u9fffA-Za-z])")
# looked for first; nearly all texts hold none of these
mark(SUSPECT, _INVISIBLES, _FULLWIDTHS, "\u200c\u200d", *LOOKALIKES)


def findings(text: str, classes: U16 | None = None) -> tuple[Note, ...]:
    """Return one note for each kind of manipulation found.

    Parameters
    ----------
    classes
        Those of the characters of `text`, where at hand.

    Returns
    -------
    tuple of Note
        Codes `invisible` (zero-width and control characters), `lookalikes` (letters of other
        scripts in Latin words), `spaced` (a b s t r a c t: at least six letters in a row),
        `fullwidth` (Latin letters), `marks`, `narrow_spaces` and those of `disguises.named`, which
        tell of the whole text. `params["n"]` counts characters, `params["spans"]` lists
        the first places.
    """
    classes = classes_of(text) if classes is None else classes
    spaced = _spans(SPACED, text) if _has_single_letters(text, classes) else []
    others = _whole_text(text, classes)
    if not held(classes) & SUSPECT:
        return (*_note("spaced", spaced), *others)
    masked = sorted(
        [*masked_words(text), *((i, j, j - i) for i, j in small_capitals(text))],
        key=lambda span: span[0],
    )
    letters = sum(count for _, _, count in masked)
    return (
        *_note("invisible", joined(sorted(_spans(_INVISIBLE, text) + _spans(_JOINER, text)))),
        *finding("lookalikes", [(start, end) for start, end, _ in masked], letters),
        *_note("spaced", spaced),
        *_note("fullwidth", _spans(_FULLWIDTH, text)),
        *others,
    )


def _has_single_letters(text: str, classes: U16) -> bool:
    """Whether two neighbouring words are single letters, as all of s p a c e d words are."""
    letter, blank = (classes & np.uint16(bit) != 0 for bit in (LETTER, BLANK))
    single = np.flatnonzero(blank[:-2] & letter[1:-1] & blank[2:]) + 1
    # the gap between two of them may be wide
    near = zip(single[:-1].tolist(), single[1:].tolist(), strict=True)
    return any(text[a + 1 : b].isspace() for a, b in near) and bool(MAYBE_SPACED.search(text))


def _whole_text(text: str, classes: U16) -> tuple[Note, ...]:
    """Return what is seen of a text as a whole."""
    marked, hair = marked_letters(text, classes), hair_spaces(text)
    return (
        *((Note("marks", {"n": marked}),) if marked else ()),
        *finding("narrow_spaces", hair, len(hair)),
        *(Note(code, {"n": n}) for code, n in named(text, classes)),
    )


def _spans(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    # single classes and the merging here: `re` leaps over text only for a pattern without "+"
    return joined(match.span() for match in pattern.finditer(text))


def _note(code: str, spans: list[tuple[int, int]]) -> tuple[Note, ...]:
    return finding(code, spans, sum(end - start for start, end in spans))
