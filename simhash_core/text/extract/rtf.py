"""Rich Text, in one pass without recursion.

Bytes are decoded by the character set of their font, as Word and WPS write Chinese; `\\u` stands
before its replacement. Footnotes follow the text, headers and footers come last; what cannot be
seen is left out, as in .docx. List numbers and formulas are not text.

References
----------
Rich Text Format Specification 1.9.1.
"""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass, field

from ...errors import Unreadable
from .extracted import (
    LEAST_SIZE,
    WHITE,
    Collected,
    Colour,
    Extracted,
    drop_empty,
    is_alike,
    read_gloss,
)

_TOKEN = re.compile(
    rb"\\(?:([a-zA-Z]{1,32})(-?[0-9]{1,10})? ?|'([0-9a-fA-F]{2})|([^a-zA-Z]))"
    rb"|([{}])|[\r\n]++|([^\\{}\r\n]++)",
    re.S,
)
_CODE_PAGES = {65001: "utf-8", 10000: "mac_roman", 0: ""}
_CHARACTER_SETS = {
    int(number): codec
    for number, codec in re.findall(
        r"(\d+) (\w+)",
        "77 mac_roman 128 cp932 129 cp949 130 johab 134 gb18030 136 cp950 161 cp1253 162 cp1254 "
        "163 cp1258 177 cp1255 178 cp1256 186 cp1257 204 cp1251 222 cp874 238 cp1250",
    )
}
_PAGES = {b"mac": "mac_roman", b"pc": "cp437", b"pca": "cp850", b"ansi": "cp1252"}

#: groups that hold no text of the document
_NO_TEXT = frozenset(
    b"""
    fonttbl colortbl stylesheet info pict fldinst listtext pntext themedata colorschememapping
    datastore latentstyles listtable listoverridetable revtbl rsidtbl generator xmlnstbl objdata
    objclass objname sp bkmkstart bkmkend annotation atnid atnauthor atntime atndate atnref atnicn
    nonshppict shprslt nonesttables filetbl template xe tc txe rxe ftnsep ftnsepc ftncn aftnsep
    aftnsepc aftncn pgdsctbl mmathPr wgrffmtfilter datafield formfield falt panose fontemb userprops
    docvar passwordhash protusertbl background upr
    """.split()
)
#: groups that may be passed over by who does not know them, and hold text all the same
_STARRED_TEXT = frozenset(
    b"shppict shptxt shpinst shp do dptxbxtext fldrslt footnote nesttableprops ud".split()
)
_NOTES = frozenset(b"footnote".split())
_HEADS = frozenset(b"header headerl headerr headerf footer footerl footerr footerf".split())
_BOXES = frozenset(b"shptxt dptxbxtext".split())
_TABLES = {
    b"fonttbl": "fonts",
    b"colortbl": "colours",
    b"info": "info",
    b"creatim": "created",
    b"fldinst": "code",
    b"sp": "property",
}
_WORD_ART = "gtextUNICODE"  # the property of a shape that holds its letters
_META = {b"title": "title", b"author": "author", b"operator": "editor", b"keywords": "keywords"}
_LINES = frozenset(b"par line sect page column".split())
_CHARACTERS = {
    b"tab": "\t",
    b"emdash": "—",
    b"endash": "–",
    b"bullet": "•",
    b"lquote": "‘",
    b"rquote": "’",
    b"ldblquote": "“",
    b"rdblquote": "”",
    b"zwj": "\u200d",
    b"zwnj": "\u200c",
    b"emspace": "\u2003",
    b"enspace": "\u2002",
    b"qmspace": "\u2005",
}
_SIGNS = {b"~": "\u00a0", b"_": "-", b"{": "{", b"}": "}", b"\\": "\\", b"\n": "\n", b"\r": "\n"}
_GROUNDS = frozenset(b"highlight cb chcbpat".split())
_CHANNELS = (b"red", b"green", b"blue")
_MOST_DEPTH = 10_000
_MOST_HELD = 10_000  # characters of the code of a field, or of a property
_USUAL_SIZE = 24  # half points


@dataclass(slots=True)
class _Group:
    """What a group takes over from the one around it."""

    out: Collected
    skipped: bool = False
    table: str = ""  # of the head of the document, or what else takes the text of the group
    unread: bool = False  # in something that is passed over as a whole
    font: int = 0
    hidden: bool = False
    deleted: bool = False
    colour: int = 0
    ground: int = 0  # behind the letters
    block: int = 0  # behind the paragraph
    size: int = _USUAL_SIZE
    in_table: bool = False
    replacement: int = 1  # characters behind a `\u` for readers without Unicode


def extract(data: bytes, *, encoding: str = "") -> Extracted:
    """Return the text of a .rtf that is seen; notes behind it, headers and footers at the end."""
    begin = data.find(b"{\\rtf")
    if begin < 0:
        raise Unreadable("damaged", detail="not an rtf file")
    reader = _Reader()
    reader.read(data[begin:])
    return reader.extracted()


@dataclass(slots=True)
class _Reader:
    """One file while it is read."""

    body: Collected = field(default_factory=Collected)
    notes: Collected = field(default_factory=Collected)
    box: Collected = field(default_factory=Collected)  # of this paragraph, which it follows
    heads: list[Collected] = field(default_factory=list)
    fonts: dict[int, str] = field(default_factory=dict)
    colours: list[Colour | None] = field(default_factory=list)
    shaded_rows: bool = False  # whether cells of this row have a colour of their own
    shaded_pages: bool = False
    meta: dict[str, str] = field(default_factory=dict)
    page: str = "cp1252"
    font: int = 0  # where nothing else is said
    stack: list[_Group] = field(default_factory=list)
    group: _Group = field(init=False)
    fresh: bool = False  # behind the brace that opens a group
    starred: bool = False  # behind `\*`
    passed: int = 0  # characters to pass over, which repeat a `\u`
    raw: bytearray = field(default_factory=bytearray)  # not yet decoded
    high: int = 0  # first half of a surrogate pair
    channels: dict[bytes, int] = field(default_factory=dict)
    code: str = ""  # of the field that is open
    named: str = ""  # property of a shape

    def __post_init__(self) -> None:
        self.group = _Group(self.body)

    def read(self, data: bytes) -> None:
        at = 0
        while at < len(data):
            match = _TOKEN.match(data, at)
            if match is None:  # a lone backslash at the end
                break
            at = match.end()
            word, number, byte, sign, brace, plain = match.groups()
            if brace:
                self._take_brace(brace)
                continue
            if byte is not None:
                if self.passed:
                    self.passed -= 1
                else:
                    self.raw.append(int(byte, 16))
            elif plain is not None:
                cut = min(self.passed, len(plain))
                self.passed -= cut
                if self.group.table == "colours":
                    for _ in range(plain.count(b";")):
                        red, green, blue = (
                            self.channels.get(name, 0) for name in (b"red", b"green", b"blue")
                        )
                        self.colours.append((red, green, blue) if self.channels else None)
                        self.channels = {}
                else:
                    self.raw += plain[cut:]
            elif sign == b"*":
                self.starred = self.fresh  # elsewhere in a group it means nothing
            elif sign is not None:
                self._add_character(_SIGNS.get(sign, ""))
            elif word is not None:
                value = int(number) if number else None
                if word == b"bin":
                    at += max(value or 0, 0)
                self._take_word(word, value)
                self.starred = False
            else:
                continue
            self.fresh = False
        self._flush()

    def extracted(self) -> Extracted:
        """Return the parts in their order."""
        out, seen = self.body, set[str]()
        self._end_paragraph()
        if self.notes.parts:
            out.end_line()
            out.parts += self.notes.parts
        out.hidden += self.notes.hidden
        for head in self.heads:
            out.add_once(head, seen)
        out.end_line()
        for part in (self.notes, *self.heads):
            out.deleted += part.deleted
        return out.extracted(drop_empty(**self.meta))

    # ---------------------------------------------------------------------------- tokens

    def _take_brace(self, brace: bytes) -> None:
        self._flush()
        self.passed, self.starred = 0, False
        self.fresh = brace == b"{"
        if brace == b"}":
            if self.stack:
                ended, self.group = self.group, self.stack.pop()
                if ended.table == "code" != self.group.table:
                    self.code, code = "", self.code
                    self._add(read_gloss(code))
            return
        if len(self.stack) > _MOST_DEPTH:
            raise Unreadable("damaged", detail="nested too deep")
        self.stack.append(self.group)
        self.group = copy.copy(self.group)

    def _take_word(self, word: bytes, value: int | None) -> None:
        group = self.group
        if word == b"u" and value is not None:
            self._take_unicode(value)
            self.passed = group.replacement
        elif word in _NO_TEXT or (self.starred and word not in _STARRED_TEXT):
            self._enter_hidden(word)
        elif word == b"ud":
            group.skipped = False  # says again what stands before it in its group
        elif word in _NOTES and not group.skipped:
            self._flush()
            group.out = self.notes
            self.notes.end_line()
        elif word in _HEADS and not group.skipped:
            self._flush()
            group.out = Collected()
            self.heads.append(group.out)
        elif word in _BOXES and not group.skipped:
            self._flush()
            group.out = self.box
        elif group.table == "property":
            self._flush()
            if word == b"sn":
                self.named, self.group.table = "", "name"
            elif word == b"sv" and self.named == _WORD_ART and not self.group.unread:
                self.group.out, self.group.skipped, self.group.table = self.box, False, ""
        elif group.table and group.table != "code":
            self._take_head(word, value)
        else:
            self._take_format(word, value)

    def _enter_hidden(self, word: bytes) -> None:
        """Begin a group that holds no text."""
        self._flush()
        group = self.group
        if not group.skipped:
            self.body.comments += word == b"annotation"
            self.body.pictures += word == b"pict"
        self.shaded_pages |= word == b"background"
        group.unread = group.skipped
        group.skipped = True
        group.table = _TABLES.get(word, group.table)

    # ---------------------------------------------------------------------------- meaning

    def _take_head(self, word: bytes, value: int | None) -> None:
        """Take what the tables in front of the text say."""
        group, number = self.group, value or 0
        if group.table == "fonts":
            if word == b"f":
                group.font = number
            elif word == b"fcharset":
                self.fonts.setdefault(group.font, _CHARACTER_SETS.get(number, ""))
            elif word == b"cpg":
                self.fonts[group.font] = _CODE_PAGES.get(number, f"cp{number}")
        elif group.table == "colours" and word in _CHANNELS:
            self.channels[word] = min(max(number, 0), 255)
        elif group.table == "info":
            group.table = _META.get(word, _TABLES.get(word, "info"))
        elif group.table == "created" and word in (b"yr", b"mo", b"dy"):
            date = self.meta.get("date", "")
            self.meta["date"] = f"{date}-{number:02}" if date else f"{number:04}"
        if word in _CHARACTERS:
            self._add_character(_CHARACTERS[word])

    def _take_format(self, word: bytes, value: int | None) -> None:
        """Take what changes the text or its looks."""
        if word in _CHARACTERS:
            self._add_character(_CHARACTERS[word])
        elif word in _LINES:
            self._add_character("\n")
            if word != b"line" and not self.group.skipped:
                self._end_paragraph()
        elif word in (b"cell", b"nestcell", b"row", b"nestrow"):
            self._flush()
            if not self.group.skipped:
                self.group.out.end_cell() if word.endswith(b"cell") else self.group.out.end_row()
        elif word == b"uc":
            self.group.replacement = max(value or 0, 0)
        elif word == b"ansicpg" and value:
            self.page = _CODE_PAGES.get(value, f"cp{value}")
        elif word in _PAGES:
            self.page = _PAGES[word]
        elif word == b"deff":
            self.font = self.group.font = value or 0
        else:
            self._take_look(word, value)

    def _take_look(self, word: bytes, value: int | None) -> None:
        """Take what letters look like from here on."""
        group, number = self.group, value or 0
        self._flush()
        if word == b"f":
            group.font = number
        elif word == b"v":
            group.hidden = value != 0
        elif word == b"deleted":
            group.deleted = value != 0
        elif word == b"cf":
            group.colour = number
        elif word == b"fs":
            group.size = _USUAL_SIZE if value is None else number
        elif word in _GROUNDS:
            group.ground = number
        elif word == b"cbpat":
            group.block = number
        elif word == b"intbl":
            group.in_table = True
        elif word == b"pard":
            group.block, group.in_table = 0, False
        elif word == b"trowd":
            self.shaded_rows = False
        elif word == b"clcbpat":
            self.shaded_rows = True
        elif word == b"plain":
            group.font, group.size = self.font, _USUAL_SIZE
            group.hidden, group.colour, group.ground = False, 0, 0

    def _end_paragraph(self) -> None:
        """Put a text box behind the paragraph that holds it."""
        if self.box.parts and self.group.out is not self.box:
            self.body.end_line()
            self.body.parts += self.box.parts
            self.body.end_line()
            self.box.parts.clear()
        self.body.hidden += self.box.hidden
        self.box.hidden.clear()

    # ---------------------------------------------------------------------------- text

    def _take_unicode(self, value: int) -> None:
        self._flush()
        point = value & 0xFFFF if value < 0 else value
        if 0xD800 <= point < 0xDC00:
            self.high = point
            return
        if 0xDC00 <= point < 0xE000:
            pair = 0x10000 + ((self.high - 0xD800) << 10) + point - 0xDC00
            point = pair if self.high else 0xFFFD
        self.high = 0
        if 0 < point < 0x110000:
            self._add_character(chr(point))

    def _add_character(self, text: str) -> None:
        self._flush()
        self._add(text)

    def _flush(self) -> None:
        """Decode the bytes that wait; whatever changes font or place comes after it."""
        if not self.raw:
            return
        raw, self.raw = bytes(self.raw), bytearray()
        for name in (self.fonts.get(self.group.font) or self.page, self.page, "gb18030"):
            try:
                self._add(raw.decode(name))
                return
            except (UnicodeDecodeError, LookupError):
                continue
        self._add(raw.decode("cp1252", "replace"))

    def _add(self, text: str) -> None:
        group = self.group
        if group.table == "code":
            self.code = (self.code + text)[:_MOST_HELD]
        elif group.table == "name":
            self.named = (self.named + text)[:_MOST_HELD]
        elif group.table in _META.values():
            self.meta[group.table] = (self.meta.get(group.table, "") + text)[:_MOST_HELD]
        elif group.skipped:
            return
        elif group.deleted:
            group.out.deleted += len(text)
        else:
            group.out.add(text, hidden=self._is_unseen())

    def _is_unseen(self) -> bool:
        group = self.group
        if group.hidden or 0 < group.size <= 2 * LEAST_SIZE:
            return True
        if not group.colour:
            return False
        colour, ground = self._colour(group.colour), self._colour(group.ground or group.block)
        if ground is None and (self.shaded_pages or (group.in_table and self.shaded_rows)):
            return False  # on a ground that is not looked for
        return colour is not None and is_alike(colour, ground or WHITE)

    def _colour(self, number: int) -> Colour | None:
        return self.colours[number] if 0 <= number < len(self.colours) else None
