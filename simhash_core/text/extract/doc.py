"""Word 97 to 2003 and WPS Writer, from the piece table; Word 6 and 95 from their one run of text.

Text boxes follow the text, then notes, headers and footers; what cannot be seen is left out, as
in .docx, whether the letters or their styles say so.

References
----------
[MS-DOC] 2.4.1 (retrieving text), 2.5 (Fib), 2.6 (single property modifiers), 2.9.38 (Clx),
2.9.33 (ChpxFkp), 2.9.176 (PapxFkp), 2.9.271 (STSH), 2.9.260 (STD), 2.8.22 (PlcfHdd).
"""

from __future__ import annotations

import bisect
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

from ...errors import Unreadable
from ..decode import decode
from .compound import Compound, name_damage
from .extracted import (
    LEAST_SIZE,
    MOST_CHARACTERS,
    WHITE,
    Collected,
    Colour,
    Extracted,
    is_alike,
    limit_length,
    read_gloss,
)

_STORIES = ("main", "footnotes", "headers", "macros", "comments", "endnotes", "boxes", "head_boxes")
_SEPARATORS = 6  # stories in front of the headers: the lines above notes
_MOST_RUNS = 500_000
_MOST_PLACES = 4 * MOST_CHARACTERS  # with what is deleted and codes of fields
_PAGE = 512  # bytes of formatting
_MAGICS = (0xA5DC, 0xA5EC, 0xA697, 0xA699)
_WORD_97 = 0xC0  # version of the format
_ENCRYPTED, _SECOND_TABLE = 0x0100, 0x0200  # flags

# places in the head (FibRgFcLcb97), each an offset and a length
_STYLES, _HEADERS, _CHARACTERS, _PARAGRAPHS, _PIECES = 0xA2, 0xF2, 0xFA, 0x102, 0x1A2
_OF_PARAGRAPHS, _OF_LETTERS = 1, 2  # kinds of styles
_MOST_STYLES = 0xFFE
_MOST_BASES = 50  # styles that one is based on, each on the next
_OPPOSITE, _SAME = 0x81, 0x80  # of what the style says

_OPERANDS = {0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2, 7: 3}  # kind of a modifier -> bytes
_PALETTE: Sequence[Colour | None] = (
    *(None, (0, 0, 0), (0, 0, 255), (0, 255, 255), (0, 255, 0), (255, 0, 255), (255, 0, 0)),
    *((255, 255, 0), WHITE, (0, 0, 128), (0, 128, 128), (0, 128, 0), (128, 0, 128)),
    *((128, 0, 0), (128, 128, 0), (128, 128, 128), (192, 192, 192)),
)
_CODE_PAGES = {
    int(number, 16): codec
    for number, codec in re.findall(
        r"(\w+) (\w+)",
        "404 cp950 C04 cp950 804 gb18030 1004 gb18030 411 cp932 412 cp949 419 cp1251 405 cp1250 "
        "415 cp1250 408 cp1253 41F cp1254",
    )
}
_MAC = 256
_MOST_HIGH = 0.15  # of the bytes of a text in Western letters

_PICTURE, _COMMENT, _CELL = "\x01", "\x05", "\x07"
_FIELD, _RESULT, _FIELD_END = "\x13", "\x14", "\x15"
_MEANT = {
    **dict.fromkeys(map(ord, "\x00\x02\x03\x04\x06\x08\x1f"), ""),
    **dict.fromkeys(map(ord, "\x0b\x0c\x0d\x0e"), "\n"),
    0x1E: "-",
}
_SPECIAL = re.compile(f"([{_PICTURE}{_COMMENT}{_CELL}{_FIELD}{_RESULT}{_FIELD_END}])")
_FAR = 1 << 62


def extract(data: bytes, *, encoding: str = "") -> Extracted:
    """Return the text of a .doc that is seen.

    Raises
    ------
    Unreadable
        "encrypted", "legacy_doc" for what is older than Word 6, "scanned", "damaged".
    """
    file = Compound(data)
    word = file.stream("WordDocument")
    if not word:
        raise Unreadable("damaged", detail="no WordDocument stream")
    with name_damage():
        magic, version = struct.unpack_from("<2H", word)
        (flags,) = struct.unpack_from("<H", word, 10)
        if magic not in _MAGICS:
            raise Unreadable("legacy_doc")
        if flags & _ENCRYPTED:
            raise Unreadable("encrypted")
        if version < _WORD_97:
            return Extracted(limit_length(_read_before_97(word)), "", file.meta())
        second = flags & _SECOND_TABLE or "0Table" not in file
        table = file.stream("1Table" if second and "1Table" in file else "0Table")
        return _Word(word, table).collected().extracted(file.meta())


class _Piece(NamedTuple):
    """A stretch of the text: characters, and where their bytes lie."""

    first: int
    last: int
    offset: int
    narrow: bool  # a byte a character


class _Look(NamedTuple):
    """What formatting says about letters."""

    hidden: bool = False
    deleted: bool = False
    half_points: int = 0  # 0 where nothing says how large they are
    colour: Colour | None = None
    ground: Colour | None = None

    def is_unseen(self, ground: Colour | None) -> bool:
        """Whether nobody sees the letters; `ground` is behind the paragraph, None is unknown."""
        behind = self.ground or ground
        faint = self.colour is not None and behind is not None and is_alike(self.colour, behind)
        return self.hidden or 0 < self.half_points <= 2 * LEAST_SIZE or faint


class _Block(NamedTuple):
    """What formatting says about a paragraph."""

    shade: Colour | None = WHITE
    in_table: bool = False
    ends_row: bool = False
    style: int = 0

    @property
    def ground(self) -> Colour | None:
        """Return what lies behind its letters; cells have a ground of their own."""
        return None if self.in_table and self.shade == WHITE else self.shade


class _Style(NamedTuple):
    """What one style adds to the one it is based on."""

    basis: int
    letters: bytes
    paragraph: bytes


Formatted = TypeVar("Formatted", bytes, _Block)


@dataclass(frozen=True, slots=True)
class _Runs(Generic[Formatted]):
    """Offsets where formatting changes, and what it is from there on."""

    begins: list[int]
    values: list[Formatted]
    usual: Formatted

    @classmethod
    def of(
        cls,
        word: bytes,
        table: bytes,
        place: int,
        *,
        width: int,
        read: Callable[[bytes, int], Formatted],
        usual: Formatted,
    ) -> _Runs[Formatted]:
        """Read the pages of formatting that a table lists.

        Parameters
        ----------
        place
            Of the table, in the head of `word`.
        width
            Bytes of an entry of a page; the first one says where its modifiers lie.
        read
            Of a page and the place of the modifiers in it.
        """
        runs: list[tuple[int, Formatted]] = []
        for page in _read_pages(word, table, place):
            count = page[-1]
            if 4 * (count + 1) + width * count >= _PAGE:
                continue
            begins = struct.unpack_from(f"<{count}I", page)
            for number, begin in enumerate(begins):
                at = 2 * page[4 * (count + 1) + width * number]
                runs.append((begin, read(page, at) if at else usual))
            if len(runs) > _MOST_RUNS:
                raise Unreadable("damaged", detail="formatting")
        runs.sort(key=lambda run: run[0])
        return cls([begin for begin, _ in runs], [value for _, value in runs], usual)

    def at(self, byte: int) -> tuple[Formatted, int]:
        """Return what holds at a byte, and the byte where that ends."""
        index = bisect.bisect_right(self.begins, byte)
        until = self.begins[index] if index < len(self.begins) else _FAR
        return (self.values[index - 1] if index else self.usual), until


@dataclass(slots=True)
class _Word:
    """The text and the formatting of one file."""

    word: bytes
    table: bytes
    pieces: list[_Piece] = field(init=False)
    styles: list[_Style | None] = field(init=False)
    letters: _Runs[bytes] = field(init=False)  # modifiers
    blocks: _Runs[_Block] = field(init=False)
    looks: dict[tuple[int, bytes], _Look] = field(default_factory=dict)
    styled: dict[int, _Block] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pieces = _read_pieces(self.word, self.table)
        self.styles = _read_styles(self.word, self.table)
        self.letters = _Runs.of(
            self.word,
            self.table,
            _CHARACTERS,
            width=1,
            read=lambda page, at: page[at + 1 : at + 1 + page[at]],  # modifiers (ChpxFkp)
            usual=b"",
        )
        self.blocks = _Runs.of(
            self.word, self.table, _PARAGRAPHS, width=13, read=self._read_block, usual=_Block()
        )

    def collected(self) -> Collected:
        """Return the text of all stories, in reading order."""
        lengths = struct.unpack_from("<8i", self.word, 0x4C)
        begins = [sum(max(n, 0) for n in lengths[:at]) for at in range(len(lengths) + 1)]
        ends = dict(zip(_STORIES, pairwise(begins), strict=True))
        out = Collected()
        for name in ("main", "boxes", "footnotes", "endnotes"):
            out.end_line()
            self._add_story(out, *ends[name], boxed=name == "boxes")
        seen: set[str] = set()
        for begin, end in self._find_heads(*ends["headers"]):
            part = Collected()
            self._add_story(part, begin, end)
            out.deleted += part.deleted
            out.add_once(part, seen)
        out.end_line()
        self._add_story(out, *ends["head_boxes"], boxed=True)
        comments = Collected()
        self._add_story(comments, *ends["comments"])
        out.comments = comments.comments
        return out

    def _find_heads(self, begin: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield where each header and footer lies; every section has six of them."""
        place, length = struct.unpack_from("<2I", self.word, _HEADERS)
        count = min(length, len(self.table) - place) // 4
        if begin == end or count <= _SEPARATORS + 1:
            return
        reached = 0
        places = struct.unpack_from(f"<{count}I", self.table, place)
        for first, last in pairwise(places[_SEPARATORS:]):
            if reached <= first < last <= end - begin:
                reached = last
                yield begin + first, begin + last

    def _add_story(self, out: Collected, begin: int, end: int, *, boxed: bool = False) -> None:
        """Add the text between two characters; the ground of boxes is not looked for."""
        codes = _Codes()
        for text, look, block in self._read_chunks(begin, end):
            if look.deleted:
                out.deleted += len(text)
                continue
            hidden = look.is_unseen(None if boxed else block.ground)
            for part in _SPECIAL.split(text):
                if codes.take(part):
                    out.add(codes.shown, hidden=hidden)
                elif part == _CELL:
                    out.end_row() if block.ends_row else out.end_cell()
                elif part in (_PICTURE, _COMMENT):
                    out.pictures += part == _PICTURE
                    out.comments += part == _COMMENT
                else:
                    out.add(part.translate(_MEANT), hidden=hidden)

    def _read_chunks(self, begin: int, end: int) -> Iterator[tuple[str, _Look, _Block]]:
        """Yield stretches of one look."""
        for first, last, offset, narrow in self.pieces:
            low, high = max(first, begin), min(last, end)
            width = 1 if narrow else 2
            at = offset + (low - first) * width
            stop = min(offset + (high - first) * width, len(self.word))
            while low < high and at < stop:
                letters, letters_end = self.letters.at(at)
                block, block_ends = self.blocks.at(at)
                until = min(stop, letters_end, block_ends)
                codec = "cp1252" if narrow else "utf-16-le"
                look = self._find_look(block.style, letters)
                yield self.word[at:until].decode(codec, "replace"), look, block
                at = until

    def _find_look(self, style: int, letters: bytes) -> _Look:
        """Return what letters look like in a paragraph of a style."""
        key = style, letters
        if key not in self.looks:
            look = _Look()
            chosen = [
                struct.unpack("<H", operand)[0]
                for code, operand in _read_modifiers(letters)
                if code == 0x4A30  # sprmCIstd
            ]
            for one in (style, *chosen[-1:]):
                for part in self._style_chain(one):
                    look = _change_look(look, part.letters)
            self.looks[key] = _change_look(look, letters)
        return self.looks[key]

    def _read_block(self, page: bytes, at: int) -> _Block:
        """Read what is said about a paragraph (PapxFkp), and what its style says."""
        size = 2 * page[at] - 1
        if page[at] == 0:
            at += 1
            size = 2 * page[at]
        (style,) = struct.unpack_from("<H", page, at + 1)
        if style not in self.styled:
            block = _Block(style=style)
            for part in self._style_chain(style):
                block = _change_block(block, part.paragraph)
            self.styled[style] = block
        return _change_block(self.styled[style], page[at + 3 : at + 1 + size])

    def _style_chain(self, number: int) -> list[_Style]:
        """Return a style and those it is based on, the last of them first."""
        chain: list[_Style] = []
        seen: set[int] = set()
        while number < len(self.styles) and number not in seen and len(chain) < _MOST_BASES:
            style = self.styles[number]
            if style is None:
                break
            chain.append(style)
            seen.add(number)
            number = style.basis
        return chain[::-1]


@dataclass(slots=True)
class _Codes:
    """The fields that are open: their codes are no text."""

    codes: list[str | None] = field(default_factory=list)  # None behind the code: its result
    shown: str = ""  # what the code that has just ended shows by itself

    def take(self, part: str) -> bool:
        """Take what belongs to a field; whether it does."""
        self.shown = ""
        if part == _FIELD:
            self.codes.append("")
        elif part == _RESULT:
            if self.codes:
                self.codes[-1] = None
        elif part == _FIELD_END:
            code = self.codes.pop() if self.codes else None
            if code and not self._is_open():
                self.shown = read_gloss(code)
        elif self._is_open():
            if self.codes[-1] is not None:
                self.codes[-1] += part
        else:
            return False
        return True

    def _is_open(self) -> bool:
        return any(code is not None for code in self.codes)


def _read_pieces(word: bytes, table: bytes) -> list[_Piece]:
    """Return the stretches of the text in their order."""
    place, length = struct.unpack_from("<2I", word, _PIECES)
    clx = table[place : place + length]
    at = 0
    while at < len(clx) and clx[at] == 1:  # modifiers of pieces
        (size,) = struct.unpack_from("<H", clx, at + 1)
        at += 3 + size
    if at >= len(clx) or clx[at] != 2:  # the text lies in one run
        first, last = struct.unpack_from("<2I", word, 0x18)
        return [_Piece(0, max(last - first, 0), first, narrow=True)]
    (size,) = struct.unpack_from("<I", clx, at + 1)
    listed = clx[at + 5 : at + 5 + size]
    count = (len(listed) - 4) // 12
    if not 0 < count <= _MOST_RUNS:
        raise Unreadable("damaged", detail="piece table")
    places = struct.unpack_from(f"<{count + 1}I", listed)
    if places[-1] > _MOST_PLACES or list(places) != sorted(places):
        raise Unreadable("damaged", detail="piece table")
    pieces = []
    for number, (first, last) in enumerate(pairwise(places)):
        (offset,) = struct.unpack_from("<I", listed, 4 * (count + 1) + 8 * number + 2)
        narrow = bool(offset & 0x40000000)
        offset &= 0x3FFFFFFF
        pieces.append(_Piece(first, last, offset // 2 if narrow else offset, narrow))
    return pieces


def _read_pages(word: bytes, table: bytes, place: int) -> Iterator[bytes]:
    """Yield the pages of formatting, each once."""
    begin, length = struct.unpack_from("<2I", word, place)
    listed = table[begin : begin + length]
    count = max(len(listed) - 4, 0) // 8
    seen: set[int] = set()
    for number in range(count):
        (page,) = struct.unpack_from("<I", listed, 4 * (count + 1) + 4 * number)
        at = (page & 0x3FFFFF) * _PAGE
        if at not in seen and len(word) >= at + _PAGE:
            seen.add(at)
            yield word[at : at + _PAGE]


def _read_modifiers(listed: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the code and the operand of every property that is changed."""
    at = 0
    while at + 2 < len(listed):
        (code,) = struct.unpack_from("<H", listed, at)
        kind = code >> 13
        size = 1 + listed[at + 2] if kind == 6 else _OPERANDS[kind]
        operand = listed[at + 2 : at + 2 + size]
        at += 2 + size
        if len(operand) == size:
            yield code, operand


def _change_look(look: _Look, modifiers: bytes) -> _Look:
    """Return what letters look like after what is said about them."""
    styled = look
    for code, operand in _read_modifiers(modifiers):
        if code == 0x083C:  # sprmCFVanish
            look = look._replace(hidden=_resolve_switch(operand[0], styled.hidden))
        elif code == 0x0800:  # sprmCFRMarkDel
            look = look._replace(deleted=_resolve_switch(operand[0], styled.deleted))
        elif code == 0x2A42:  # sprmCIco
            look = look._replace(colour=_palette_colour(operand[0]))
        elif code == 0x6870:  # sprmCCv
            look = look._replace(colour=_read_colour(operand))
        elif code == 0x4A43:  # sprmCHps
            look = look._replace(half_points=struct.unpack("<H", operand)[0])
        elif code == 0x2A0C:  # sprmCHighlight
            look = look._replace(ground=_palette_colour(operand[0]) or look.ground)
        elif code in (0x4866, 0xCA71):  # sprmCShd80, sprmCShd
            look = look._replace(ground=_read_shade(operand) or look.ground)
    return look


def _resolve_switch(value: int, styled: bool) -> bool:
    """Return what a switch says that may ask for what its style says, or for the opposite."""
    return {_SAME: styled, _OPPOSITE: not styled}.get(value, value == 1)


def _change_block(block: _Block, modifiers: bytes) -> _Block:
    """Return what holds for a paragraph after what is said about it."""
    for code, operand in _read_modifiers(modifiers):
        if code == 0x2416:  # sprmPFInTable
            block = block._replace(in_table=bool(operand[0]))
        elif code == 0x2417:  # sprmPFTtp
            block = block._replace(ends_row=bool(operand[0]))
        elif code in (0x442D, 0xC64D):  # sprmPShd80, sprmPShd
            block = block._replace(shade=_read_shade(operand))
    return block


def _read_styles(word: bytes, table: bytes) -> list[_Style | None]:
    """Return the styles by number; None for one that is empty, or neither for text."""
    place, length = struct.unpack_from("<2I", word, _STYLES)
    sheet = table[place : place + length]
    if len(sheet) < 6:
        return []
    head, count, fixed = struct.unpack_from("<3H", sheet)
    at = 2 + head
    styles: list[_Style | None] = []
    while len(styles) < min(count, _MOST_STYLES) and at + 2 <= len(sheet):
        (size,) = struct.unpack_from("<H", sheet, at)
        styles.append(_read_style(sheet[at + 2 : at + 2 + size], fixed))
        at += 2 + size
    return styles


def _read_style(stored: bytes, fixed: int) -> _Style | None:
    """Read a style (STD), whose first `fixed` bytes are followed by its name."""
    if len(stored) < fixed + 2 or fixed < 6:
        return None
    (packed,) = struct.unpack_from("<H", stored, 2)
    kind, basis = packed & 0xF, packed >> 4
    (name,) = struct.unpack_from("<H", stored, fixed)
    at = fixed + 2 + 2 * name + 2
    parts: list[bytes] = []
    while at + 2 <= len(stored) and len(parts) < 2:
        at += at % 2
        (size,) = struct.unpack_from("<H", stored, at) if at + 2 <= len(stored) else (0,)
        parts.append(stored[at + 2 : at + 2 + size])
        at += 2 + size
    if kind == _OF_PARAGRAPHS and parts:
        return _Style(basis, b"".join(parts[1:]), parts[0][2:])  # behind its own number
    return _Style(basis, parts[0], b"") if kind == _OF_LETTERS and parts else None


def _palette_colour(number: int) -> Colour | None:
    return _PALETTE[number] if number < len(_PALETTE) else None


def _read_colour(stored: bytes) -> Colour | None:
    """Return a colour, None for an automatic one."""
    red, green, blue, automatic = stored[:4]
    return None if automatic else (red, green, blue)


def _read_shade(operand: bytes) -> Colour | None:
    """Return the colour that a shading makes, None for a pattern; white for none."""
    if len(operand) == 2:
        (packed,) = struct.unpack("<H", operand)
        front, back, pattern = (
            _palette_colour(packed & 31),
            _palette_colour(packed >> 5 & 31),
            packed >> 10,
        )
    elif len(operand) == 11:  # its length stands in front
        front, back = _read_colour(operand[1:]), _read_colour(operand[5:])
        (pattern,) = struct.unpack_from("<H", operand, 9)
    else:
        return None
    if pattern > 1:
        return None
    return (front or (0, 0, 0)) if pattern else (back or WHITE)


def _read_before_97(word: bytes) -> str:
    """Return the text of Word 6 and 95: a byte a character, in the code page of its language."""
    first, last = struct.unpack_from("<2I", word, 0x18)
    (language,) = struct.unpack_from("<H", word, 6)
    (system,) = struct.unpack_from("<H", word, 0x14)
    raw = word[first:last]
    codec = "mac_roman" if system == _MAC else _CODE_PAGES.get(language, "cp1252")
    if codec == "cp1252" and sum(byte > 0xBF for byte in raw) > _MOST_HIGH * len(raw):
        text = decode(raw).text  # the code page is that of the fonts
    else:
        text = raw.decode(codec, "replace")
    text = re.sub("\x13[^\x13-\x15]*+\x14?|\x15", "", text)  # codes of fields
    text = text.replace("\x07\x07", "\n").translate({**_MEANT, 7: "\t"})
    return text.translate({1: "", 5: ""})
