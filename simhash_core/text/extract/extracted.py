"""What every extractor returns, and the limits every extractor keeps.

And whether letters stand out from what is behind them, which several formats have to decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from ...errors import Unreadable
from ...model import Note, PagePicture

MOST_CHARACTERS = 2_000_000  # of one document, about four thousand printed pages
_MOST_SPANS = 200  # places listed in one note
_MOST_SHOWN = 4_000  # characters of what was left out that go with its note
LEAST_SIZE = 4.0  # points; smaller letters are a grey line to the eye
FEWEST_LETTERS = 20  # of a kind, before it is worth a note
PICTURE_WORTH = 100  # characters; less text than that a picture, and the pictures may be the text

_OVER = re.compile(r"\\o(?:\\a[lrcd])?\s*\(")  # sets its arguments over each other

Colour = tuple[int, int, int]  # red, green, blue, 0 to 255

WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)

_LEAST_CONTRAST = 1.25  # readable text has 4.5 (WCAG 2.2, 1.4.3); grey E6E6E6 on white has 1.25
_SAME_HUE = 0x40  # red on green may have no contrast of brightness and is seen
_PALE_CONTRAST, _PALE = 1.1, 0.8  # both pale and that near: yellow on white


@dataclass(frozen=True, slots=True)
class Extracted:
    """The text of one file with its properties and notes."""

    text: str
    encoding: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    pictures: tuple[PagePicture, ...] = ()
    written: str = ""  # what the file says, where a reader sees something else


@dataclass(slots=True)
class Collected:
    """The text of one file while it is read, and what is left out of it."""

    parts: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)  # words that nobody sees
    deleted: int = 0  # characters of tracked deletions
    comments: int = 0
    pictures: int = 0
    notes: list[Note] = field(default_factory=list)
    length: int = 0  # characters added, seen or not

    def add(self, text: str, *, hidden: bool = False) -> None:
        """Add text; white space stays in its place whatever it looks like.

        Raises
        ------
        Unreadable
            "too_long" as soon as it is: a broken file may name one stretch many times.
        """
        if not text:
            return
        self.length += len(text)
        if self.length > MOST_CHARACTERS:
            raise Unreadable("too_long", n=MOST_CHARACTERS)
        (self.hidden if hidden and not text.isspace() else self.parts).append(text)

    def end_line(self) -> None:
        """Begin a new line unless one has just begun."""
        if self.parts and not self.parts[-1].endswith("\n"):
            self.parts.append("\n")

    def end_cell(self) -> None:
        """End the cell of a table: the next one follows in the same line."""
        if self.parts and self.parts[-1] == "\n":
            self.parts[-1] = "\t"
        else:
            self.parts.append("\t")

    def end_row(self) -> None:
        """End the row of a table, behind the end of its last cell."""
        if self.parts and self.parts[-1] == "\t":
            self.parts[-1] = "\n"
        else:
            self.end_line()

    def add_once(self, part: Collected, seen: set[str]) -> None:
        """Add a header or a footer, which every section repeats."""
        text = "".join(part.parts)
        key = text.strip()
        if key in seen:
            return
        seen.add(key)
        self.hidden += part.hidden
        if key:
            self.end_line()
            self.add(text)

    def seen(self) -> tuple[str, tuple[Note, ...]]:
        """Return the text, and what is hidden as a note; it is the text where nothing is seen."""
        text = limit_length("".join(self.parts))
        if not self.hidden or any(map(str.isalnum, text)):
            return text, note_left_out(self.hidden)
        text = limit_length("\n".join(self.hidden))
        return text, (Note("hidden_text", {"n": len("".join(text.split()))}),)

    def extracted(self, meta: Mapping[str, str]) -> Extracted:
        """Return the text with its notes; where nothing is seen, what is hidden is the text.

        Raises
        ------
        Unreadable
            "too_long", or "scanned" where there are pictures and no word at all.
        """
        text, notes = self.seen()
        letters = sum(map(str.isalnum, text))
        if self.pictures and not letters:
            raise Unreadable("scanned")
        counts = {
            "deleted": self.deleted if self.deleted >= FEWEST_LETTERS else 0,
            "comments": self.comments,
            "pictures": self.pictures if letters < PICTURE_WORTH * self.pictures else 0,
        }
        counted = (Note(code, {"n": n}) for code, n in counts.items() if n)
        return Extracted(text, "", meta, (*notes, *counted, *self.notes))


def limit_length(text: str) -> str:
    """Return the text, or raise `Unreadable("too_long")` beyond `MOST_CHARACTERS`."""
    if len(text) > MOST_CHARACTERS:
        raise Unreadable("too_long", n=MOST_CHARACTERS)
    return text


def make_writable(text: str) -> str:
    """Return text in which halves of characters beyond the basic plane are joined, or U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def finding(code: str, spans: Sequence[tuple[int, int]], n: int) -> tuple[Note, ...]:
    """Return one note for all places of a kind, none for none.

    `params["spans"]` lists the first places, `start` and `end` are the very first.
    """
    if not spans:
        return ()
    listed = tuple(spans[:_MOST_SPANS])
    return (Note(code, {"n": n, "spans": listed}, *listed[0]),)


def note_left_out(pieces: Sequence[str], *, code: str = "left_out") -> tuple[Note, ...]:
    """Return one note for all words that nobody sees, none for none.

    `params["n"]` counts characters, white space aside; `params["words"]` is their beginning.
    """
    shown = [" ".join(piece.split()) for piece in pieces if not piece.isspace()]
    n = sum(len(piece) - piece.count(" ") for piece in shown)
    return (Note(code, {"n": n, "words": _beginning(shown)}),) if n else ()


def _beginning(pieces: Sequence[str]) -> str:
    """Return the pieces as one text, cut where it gets too long to be looked at."""
    words, length = [], 0
    for piece in pieces:
        words.append(piece[: _MOST_SHOWN - length])
        length += len(piece) + 1
        if length >= _MOST_SHOWN:
            break
    return " ".join(words)


def merge_notes(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return the notes with those of one code as one: of a file and of the files inside it."""
    whole: dict[str, Note] = {}
    for note in notes:
        before = whole.get(note.code)
        if before is None:
            whole[note.code] = note
            continue
        params = {**before.params, **note.params}
        counts = [one.params.get("n") for one in (before, note)]
        if all(isinstance(n, int) for n in counts):
            params["n"] = sum(n for n in counts if isinstance(n, int))
        if "words" in params:
            params["words"] = _beginning([str(one.params["words"]) for one in (before, note)])
        whole[note.code] = replace(before, params=params)
    return tuple(whole.values())


def read_gloss(code: str) -> str:
    """Return the words that a field of Word sets a gloss over, as pinyin; "" for other fields.

    >>> read_gloss(r" EQ \\* jc2 \\o\\ad(\\s\\up 9(léi),雷)")
    '雷'
    """
    over_each_other = _OVER.search(code) if code.split(maxsplit=1)[:1] in (["EQ"], ["eq"]) else None
    if over_each_other is None:
        return ""
    depth, begin = 0, over_each_other.end()
    for at in range(begin, len(code)):
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        if depth < 0:
            return code[begin:at].strip()
        if not depth and code[at] in ",;":
            begin = at + 1
    return ""


def merge_ranges(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merge neighbouring ranges; the input is sorted."""
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def drop_empty(**meta: str | None) -> dict[str, str]:
    """Drop empty values, and white space around the others."""
    return {key: value.strip() for key, value in meta.items() if value and value.strip()}


def read_hex(text: str) -> Colour | None:
    """Return the colour of six hexadecimal digits; None for anything else."""
    try:
        red, green, blue = bytes.fromhex(text)
    except ValueError:
        return None
    return red, green, blue


def is_alike(colour: Colour, ground: Colour) -> bool:
    """Whether letters of a colour cannot be read on a ground."""
    light, dark = sorted((luminance(colour), luminance(ground)), reverse=True)
    contrast = (light + 0.05) / (dark + 0.05)
    if contrast < _PALE_CONTRAST and dark > _PALE:
        return True
    apart = max(abs(a - b) for a, b in zip(colour, ground, strict=True))
    return contrast < _LEAST_CONTRAST and apart <= _SAME_HUE


def luminance(colour: Colour) -> float:
    """Return the relative luminance, 0 to 1 (WCAG 2.2)."""
    shares = (channel / 255 for channel in colour)
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def blend_colours(colour: Colour, ground: Colour, alpha: float) -> Colour:
    """Return what is seen of a colour that covers a ground in part."""
    red, green, blue = (
        round(alpha * a + (1 - alpha) * b) for a, b in zip(colour, ground, strict=True)
    )
    return red, green, blue


@contextmanager
def whatever_is_wrong() -> Iterator[None]:
    """Raise `Unreadable` for every fault of a reader but the lack of memory.

    A file that no test has seen must not stop the others.
    """
    try:
        yield
    except (Unreadable, MemoryError):
        raise
    except RecursionError as error:
        raise Unreadable("damaged", detail="nested too deep") from error
    except Exception as error:
        raise Unreadable("damaged", detail=type(error).__name__) from error
