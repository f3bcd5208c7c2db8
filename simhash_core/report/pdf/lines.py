"""Lines of mixed Chinese and Latin text: where they may break, and what stands where.

A line breaks between words, and before and after a Chinese character, but never before a mark that
closes nor after one that opens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from . import fonts

#: never first on a line
CLOSING = frozenset("，。、；：？！…—·）】》〉」』〕”’％‰％,.;:?!)]}%ーゝゞ々")
#: never last on a line
OPENING = frozenset("（【《〈「『〔“‘([{￥$＄")


#: marks that Chinese and Latin text share
MARKS = frozenset("“”‘’…—·")
_CHINESE = (("\u2e80", "\u9fff"), ("\uf900", "\ufaff"), ("\uff00", "\uffef"),
            ("\U00020000", "\U0003ffff"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    """How a run is set. `kind` is the kind of its passage, "" outside."""

    size: float = 8.6
    serif: bool = False
    bold: bool = False
    dim: bool = False
    kind: str = ""
    raised: bool = False
    link: str = ""
    wide: bool = False  # a mark beside a Chinese character: full width


@dataclass(frozen=True, slots=True)
class Span:
    """Text in one style."""

    text: str
    style: Style


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Characters of one style and one font at one place of a line; `x` in points."""

    x: float
    width: float
    text: str
    font: str
    thicken: bool
    style: Style


Letter = tuple[str, Style]


def break_lines(
    spans: Sequence[Span], width: float, *, indent: float = 0.0
) -> list[tuple[Glyphs, ...]]:
    """Set text on lines of at most `width` points, the first one indented."""
    lines: list[tuple[Glyphs, ...]] = []
    line: list[Letter] = []
    used = indent
    for word in _words(spans):
        if word[0][0] == "\n":
            lines.append(_set(line, indent if not lines else 0.0))
            line, used = [], 0.0
            continue
        wide = sum(map(advance, word))
        if line and used + wide > width + 0.01:
            lines.append(_set(line, indent if not lines else 0.0))
            line, used = [], 0.0
        for letter in word if wide > width else ():
            if used + advance(letter) > width and line:
                lines.append(_set(line, indent if not lines else 0.0))
                line, used = [], 0.0
            line.append(letter)
            used += advance(letter)
        if wide <= width and (line or word[0][0] != " "):
            line += word
            used += wide
    if line or not lines:
        lines.append(_set(line, indent if not lines else 0.0))
    return lines


def advance(letter: Letter) -> float:
    """Return how far a letter moves the pen, in points."""
    character, style = letter
    face = fonts.face(character, serif=style.serif, bold=style.bold, wide=style.wide)
    return fonts.width(character, face.font) * _size(style)


def _size(style: Style) -> float:
    return style.size * 0.68 if style.raised else style.size


def _words(spans: Sequence[Span]) -> Iterator[list[Letter]]:
    """Yield what stays together on a line; a space or a line end alone."""
    word: list[Letter] = []
    for span in spans:
        whole = span.text.replace("\t", " ")
        for at, character in enumerate(whole):
            style = span.style
            if character in MARKS and any(map(is_chinese, whole[max(at - 1, 0) : at + 2])):
                style = replace(style, wide=True)
            letter = (character if character == "\n" else fonts.settable(character), style)
            if letter[0] in " \n":
                if word:
                    yield word
                yield [letter]
                word = []
                continue
            if word and _may_break(word[-1], letter):
                yield word
                word = []
            word.append(letter)
    if word:
        yield word


def _may_break(before: Letter, after: Letter) -> bool:
    left, right = before[0], after[0]
    if before[1].raised or after[0] in CLOSING or left in OPENING:
        return False  # the number of a passage stays with its first character
    return _is_single(left) or _is_single(right)


def _is_single(character: str) -> bool:
    """Whether a line may break before and after this character."""
    return is_chinese(character) or character in MARKS


def is_chinese(character: str) -> bool:
    """Whether a character is Chinese or Japanese, or a mark of full width."""
    return any(low <= character <= high for low, high in _CHINESE)


def _set(letters: Sequence[Letter], x: float) -> tuple[Glyphs, ...]:
    """Join letters of one style and one font."""
    placed: list[Glyphs] = []
    while letters and letters[-1][0] == " ":
        letters = letters[:-1]
    for character, style in letters:
        face = fonts.face(character, serif=style.serif, bold=style.bold, wide=style.wide)
        wide = advance((character, style))
        last = placed[-1] if placed else None
        if last and (last.style, last.font) == (style, face.font):
            placed[-1] = replace(last, text=last.text + character, width=last.width + wide)
        else:
            placed.append(Glyphs(x, wide, character, face.font, face.thicken, style))
        x += wide
    return tuple(placed)
