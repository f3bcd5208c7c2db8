"""PDF by pdfium: lines joined to paragraphs, running heads left out.

pdfium is not thread-safe and is C++: it runs in the worker processes only.
"""

from __future__ import annotations

import contextlib
import ctypes
import html
import re
import statistics
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby, islice, pairwise
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from ...errors import Unreadable
from ...model import F64, U8, Difference, Note
from .extracted import (
    MOST_CHARACTERS,
    Extracted,
    drop_empty,
    limit_length,
    make_writable,
    merge_ranges,
    note_left_out,
)
from .ink import Inkless, Lettering, boxes_of, draw_grey, find_inkless, per_mille, place_boxes
from .ink import said_in as lettered
from .paragraphs import reflow
from .picture import MOST_KEPT, MOST_SIDE, limit_pages, page_picture
from .reading_order import arrange_lines
from .unseen_text import Drawn, address_of

_LEAST_PAGE = 20  # bytes of a file for each of its pages; fewer, and it shows one page many times
_OBJECTS = 50_000  # looked at in any file, and as many more as it has bytes
_DRAWING, _BYTES_A_SECOND = 1.0, 1_000_000  # seconds of drawing pages, and bytes for one more
_RENDERED = 150  # dots an inch at which a page is recognised; more costs time and gains nothing
_SCANNED = 20  # characters a page; fewer, beside a picture, and the page is a scan
_UNMAPPED = 0.3  # share of characters without a meaning in Unicode that makes a text useless
_PAGE_OF_PICTURE = 0.5  # of its area
_FEW_TYPED = 500  # characters; so many beside a picture of a page are no page of text
_PRIVATE = re.compile("[\ue000-\uf8ff\ufffd\U000f0000-\U0010ffff]")
_FEW_PIECES = 4  # hidden pieces of one kind on a page; from there on they are one finding
_NO_LETTER = "\ufffd\ufffe\x02"  # what pdfium gives for hyphens and for nothing
_SHORT = 12  # letters of such a piece; between longer ones nobody reads
_AROUND = (8, 30)  # letters before and behind a hidden piece that show where it stands
_MOST_SAID = 240  # characters of what the file says at one place
_MOST_PLACES = 40  # of one file
_SHOWN = 100  # dots an inch of those
_INDENT = (9.0, 60.0)  # points right of the margin at which a paragraph begins
LEAST_PAGES = 3  # for running heads
LEAST_LEFT = 0.5  # of the characters, when running heads are out
_EDGE_LINES = 2  # at the top and the bottom of a page, where running heads stand
_MOST_STREAMS, _MOST_INFLATED, _MOST_PACKETS = 50, 10_000_000, 50
_OBJECT_STREAM = re.compile(rb"/ObjStm\b[^>]{0,200}>>\s{0,4}stream\r?\n")
_LONGEST_NOTICE = 1_000  # characters of a page that says nothing but which program is needed
_NOTICE = re.compile(
    r"If this message is not eventually replaced|this PDF portfolio in|"
    r"(?:PDF|document|file) is (?:protected|encrypted)\b.{0,200}(?:reader|viewer|Acrobat|app)\b|"
    r"need (?:a (?:different|compatible|later version)|another).{0,60}(?:reader|viewer)|"
    r"如果此消息最终没有|如果(?:该|此|这条)?消息.{0,20}(?:未|没有)被?替换|"
    r"(?:Acrobat|阅读器|查看器).{0,60}PDF\s?(?:文件)?(?:包|组合|作品集)|PDF\s?(?:文件)?(?:包|组合).{0,60}Acrobat|"
    r"(?:文件|文档|PDF)\s?(?:已)?受(?:到)?保护.{0,200}(?:阅读器|查看器|Acrobat)|"
    r"Falls diese Meldung nicht|Si ce message n[’']est pas",
    re.I,
)
_NUMBER = re.compile(r"\d+")
_NOTE = re.compile(r"\s*[1-9]\d?\s+(?=[^\W\d_])(?![a-zà-ÿ])")  # a footnote begins with a capital
_ENDED = re.compile(r"[.!?:;…。！？：；][\"'”’)\]]*\s*$")
_PAGE_NUMBER = re.compile(
    r"[-–—·.\s]*(?:第\s*)?(?:page\s*|p\.\s*)?(?:\d{1,4}|[ivxlc]{1,7})"
    r"(?:\s*页)?(?:\s*(?:of|/|共)\s*\d{1,4}(?:\s*页)?)?[-–—·.\s]*",
    re.I,
)


@dataclass(frozen=True, slots=True)
class _Page:
    lines: list[str]
    whole: list[str]  # with what cannot be seen
    hidden: list[str]  # pieces of text that cannot be seen
    pictures: bool
    scanned: bool = False  # a picture, and hardly any text beside it
    layered: bool = False  # text that a program laid over or under a picture of it
    comments: int = 0
    files: int = 0
    astray: int = 0  # letters under a picture that stand beside its ink
    unchecked: bool = False  # whether hidden text was not looked for everywhere
    places: tuple[Difference, ...] = ()


@dataclass(slots=True)
class _Effort:
    """What may still be done to find hidden text in one file: more for a larger one.

    A few kilobytes can draw a million lines, or one page as often.
    """

    objects: int  # to be looked at
    seconds: float  # of drawing pages
    letters: int = 2 * MOST_CHARACTERS  # white space that goes aside

    @classmethod
    def of(cls, data: bytes) -> _Effort:
        return cls(_OBJECTS + len(data), _DRAWING + len(data) / _BYTES_A_SECOND)

    def spend_letters(self, count: int) -> None:
        """Raise `Unreadable("too_long")` where a file has too many letters."""
        self.letters -= count
        if self.letters < 0:
            raise Unreadable("too_long", n=MOST_CHARACTERS)

    def spend(self, drawn: Drawn) -> bool:
        """Return whether all of a page was looked at, and it can be drawn."""
        self.objects -= drawn.count
        if not drawn.whole or drawn.seconds > self.seconds:
            return False
        self.seconds -= drawn.seconds
        return True


def extract(
    data: bytes, *, encoding: str = "", recognised: Mapping[str, Sequence[str]] | None = None
) -> Extracted:
    """Return the text of a PDF; `recognised` are the lines of pages that are pictures.

    Raises
    ------
    Unreadable
        "encrypted" (unless the empty password opens it), "scanned", "damaged".
    """
    document, effort = _open(data), _Effort.of(data)
    try:
        if document.get_formtype() == pdfium.FORMTYPE_XFA_FULL:
            return Extracted(limit_length(_read_answers(document)), "", _read_meta(document))
        if _is_portfolio(document, data):
            raise Unreadable("viewer")
        pages = [
            _read_page(document, number, effort, (recognised or {}).get(str(number)))
            for number in range(len(document))
        ]
        meta, attached = _read_meta(document), pdfium.FPDFDoc_GetAttachmentCount(document)
        # pages on which the eye sees something else than the file says
        different = [number for number, page in enumerate(pages) if page.places][:MOST_KEPT]
        pictures = tuple(
            page_picture(number, document[number].render(scale=_SHOWN / 72).to_pil())
            for number in different
        )
    finally:
        document.close()
    bare, letters = sum(map(_is_bare, pages)), sum(map(_typed, pages))
    if 2 * bare > len(pages) and letters < _SCANNED * len(pages):
        raise Unreadable("scanned")
    text, hidden = _join_seen(pages)
    if _is_unmapped(text):
        raise Unreadable("unmapped")
    if len(text) < _LONGEST_NOTICE and _NOTICE.search(" ".join(text.split())):
        raise Unreadable("viewer")
    counts = {
        "scanned_pages": sum(page.scanned for page in pages),
        "text_layer": sum(page.layered and not page.astray for page in pages),
        "comments": sum(page.comments for page in pages),
        "embedded": attached + sum(page.files for page in pages),
        "unchecked": sum(page.unchecked for page in pages),
    }
    counted = (Note(code, {"n": n}) for code, n in counts.items() if n)
    astray = sum(page.astray for page in pages)  # words under pictures, where no ink is
    under = {"n": astray, "places": _list_places(pages, only="under_picture")}
    notes = (*hidden, *((Note("under_picture", under),) if astray else ()), *counted)
    whole = reflow(_without_running_heads([page.whole for page in pages]))
    same = whole == text or _is_unmapped(whole)
    written = "" if same else limit_length(whole)  # where another text is seen
    return Extracted(text, "", meta, notes, pictures, written=written)


def list_attached(data: bytes) -> list[tuple[str, bytes]]:
    """Return name and bytes of the files of a portfolio, none of another PDF.

    Raises
    ------
    Unreadable
        "encrypted", "damaged".
    """
    document = _open(data)
    try:
        if not _is_portfolio(document, data):
            return []
        files = (document.get_attachment(n) for n in range(document.count_attachments()))
        return [(file.get_name(), bytes(file.get_data())) for file in files]
    except pypdfium2.PdfiumError as error:
        raise Unreadable("damaged", detail="a file of a portfolio") from error
    finally:
        document.close()


def _is_portfolio(document: pypdfium2.PdfDocument, data: bytes) -> bool:
    """Whether the document is a cover around the files that are attached to it."""
    if not document.count_attachments():
        return False
    if b"/Collection" in data:
        return True
    for match in islice(_OBJECT_STREAM.finditer(data), _MOST_STREAMS):
        with contextlib.suppress(zlib.error):
            stream = zlib.decompressobj().decompress(data[match.end() :], _MOST_INFLATED)
            if b"/Collection" in stream:
                return True
    return False


def _read_answers(document: pypdfium2.PdfDocument) -> str:
    """Return what was written into a form that only Acrobat shows."""
    count, size = pdfium.FPDF_GetXFAPacketCount(document), ctypes.c_ulong()
    packets = []
    for number in range(min(max(count, 0), _MOST_PACKETS)):
        pdfium.FPDF_GetXFAPacketContent(document, number, None, 0, size)
        buffer = ctypes.create_string_buffer(min(size.value, _MOST_INFLATED))
        pdfium.FPDF_GetXFAPacketContent(document, number, buffer, len(buffer), size)
        packets.append(buffer.raw)
    data = re.search(
        rb"<(?:\w+:)?data\b[^>]*(?<!/)>(.*?)</(?:\w+:)?data\s*>", b"".join(packets), re.S
    )
    leaves = re.findall(rb"<([\w.:-]+)[^>]*>([^<]+)</\1\s*>", data[1]) if data else []
    text = "\n".join(html.unescape(value.decode("utf-8", "replace")) for _, value in leaves)
    if not any(map(str.isalnum, text)):
        raise Unreadable("viewer")
    return text


def _list_places(pages: Sequence[_Page], *, only: str = "") -> tuple[tuple[object, ...], ...]:
    """Return the places of a kind, or all others, as notes hold them."""
    places = chain.from_iterable(page.places for page in pages)
    wanted = [one for one in places if (one.kind == "under_picture") == bool(only)]
    return tuple(map(tuple, wanted[:_MOST_PLACES]))


def parts(data: bytes) -> list[str]:
    """Return the number of every page that is a picture with little text, or none, beside it.

    Raises
    ------
    Unreadable
        As `extract` does, and "too_many_pages".
    """
    document, effort = _open(data), _Effort.of(data)
    try:
        pages = [_read_page(document, number, effort) for number in range(len(document))]
    finally:
        document.close()
    # what only recognition tells
    bare = (page.scanned or _is_bare(page) or _is_unmapped("".join(page.lines)) for page in pages)
    return limit_pages([str(number) for number, one in enumerate(bare) if one])


def lettering(data: bytes) -> Lettering:
    """Return some lines of each font; raises `Unreadable` as `extract` does."""
    document = _open(data)
    try:
        return Lettering.of(document)
    finally:
        document.close()


def said_in(data: bytes, part: str, places: F64) -> list[tuple[str, bool]]:
    """Return what the file says in some places of a page, and whether under a picture.

    `places` is float64 (n, 4): left, top, right, bottom as shares of the page.
    """
    document = _open(data)
    try:
        return lettered(document[int(part)], places)
    except pypdfium2.PdfiumError:
        return [("", False)] * len(places)
    finally:
        document.close()


def picture(data: bytes, part: str) -> U8:
    """Return a page as it is looked at, uint8 (height, width).

    Raises
    ------
    Unreadable
        "damaged".
    """
    document = _open(data)
    try:
        return draw_grey(document[int(part)], dpi=_RENDERED, most=MOST_SIDE)
    except pypdfium2.PdfiumError as error:
        raise Unreadable("damaged", detail="a page cannot be shown") from error
    finally:
        document.close()


def _join_seen(pages: Sequence[_Page]) -> tuple[str, tuple[Note, ...]]:
    """Return the text that is seen, and a note on what is not; all of it where nothing is seen."""
    lines = _move_footnotes(_without_running_heads([page.lines for page in pages]))
    text = limit_length(reflow(lines))
    hidden = [piece for page in pages for piece in page.hidden]
    places = {"places": differences} if (differences := _list_places(pages)) else {}
    if not hidden or any(map(str.isalnum, text)):
        return text, tuple(replace(n, params={**n.params, **places}) for n in note_left_out(hidden))
    text = limit_length(reflow(_without_running_heads([page.whole for page in pages])))
    return text, (Note("hidden_text", {"n": len("".join(text.split())), **places}),)


def _open(data: bytes) -> pypdfium2.PdfDocument:
    try:
        document = pypdfium2.PdfDocument(data)
        if len(document) == 0:
            raise Unreadable("damaged", detail="no pages")
        if len(document) * _LEAST_PAGE > len(data):
            raise Unreadable("damaged", detail="more pages than it can hold")
    except pypdfium2.PdfiumError as error:
        message = str(error).lower()
        if "password" in message or "security" in message:
            raise Unreadable("encrypted") from error
        raise Unreadable("damaged", detail="not a PDF that can be opened") from error
    return document


def _read_page(
    document: pypdfium2.PdfDocument,
    number: int,
    effort: _Effort,
    recognised: Sequence[str] | None = None,
) -> _Page:
    """Read one page; a page that cannot be opened is empty, the others count.

    Of one whose picture was recognised those lines are what is seen.
    """
    try:
        page = document[number]
        remarks = _Remarks()
        for index in range(max(pdfium.FPDFPage_GetAnnotCount(page), 0)):
            annotation = pdfium.FPDFPage_GetAnnot(page, index)
            if annotation:
                _take_remark(annotation, remarks)
                pdfium.FPDFPage_CloseAnnot(annotation)
        if remarks.drawn and pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY) == 1:
            page.close()
            page = document[number]  # pdfium shows what it flattened when the page is opened again
        text_page = page.get_textpage()
    except pypdfium2.PdfiumError:
        return _Page([], [], [], pictures=False)
    try:
        shown = _read_shown(page, text_page, number, effort)
    finally:
        text_page.close()
        page.close()
    whole = [*shown.whole, *remarks.lines]
    if recognised is not None:
        return _Page(list(recognised), whole, [], pictures=False)
    lines = [*shown.lines, *remarks.lines]
    return replace(shown, lines=lines, whole=whole, comments=remarks.comments, files=remarks.files)


def _read_shown(
    page: pypdfium2.PdfPage, text_page: pypdfium2.PdfTextPage, number: int, effort: _Effort
) -> _Page:
    """Tell what is seen of a page from what is not."""
    count = text_page.count_chars()
    effort.spend_letters(count)
    text = text_page.get_text_range(errors="replace") if count else ""
    owners = [address_of(pdfium.FPDFText_GetTextObject(text_page, index)) for index in range(count)]
    drawn = Drawn.of(page, owners, most=effort.objects)
    letters = list(text) if len(text) == count else _read_letters(text_page)
    checked = effort.spend(drawn)
    bare = find_inkless(page, text_page, letters, owners, drawn) if checked else Inkless()
    unseen = [
        "blank" if index in bare.blank else drawn.hidden.get(owner, "")
        for index, owner in enumerate(owners)
    ]
    lines = _split_lines(text, text_page)
    seen, pieces = lines, list[_Piece]()
    if any(unseen):
        letters = _read_letters(text_page)
        shown_text, at, pieces = _split_seen(letters, owners, unseen)
        seen = _split_lines(shown_text, text_page, at)
    if checked and (blocks := arrange_lines(page, text_page, letters, owners, unseen, drawn)):
        seen = [
            "\u3000" + line if indent else line
            for block in blocks
            for (line, _), indent in zip(block, _find_indents([at for _, at in block]), strict=True)
        ]
        lines = lines if any(unseen) else seen
    sheet = _Sheet(page, text_page, number, letters, unseen)
    places = sheet.of_pieces(pieces)
    if bare.astray:  # words under a picture that shows others
        places.append(sheet.difference("under_picture", bare.astray))
    typed = sum(len(line.strip()) for line in seen)
    layered = sum(owner in drawn.layered for owner in owners) >= _SCANNED
    return _Page(
        seen,
        lines,
        ["".join(letters[index] for index in piece.indices) for piece in pieces],
        pictures=drawn.pictures,
        scanned=drawn.pictured >= _PAGE_OF_PICTURE and not layered and typed < _FEW_TYPED,
        layered=layered,
        astray=len(bare.astray),
        unchecked=not checked and count > 0,
        places=tuple(places),
    )


def _split_lines(
    text: str, text_page: pypdfium2.PdfTextPage, places: Sequence[int] | None = None
) -> list[str]:
    """Split a page into lines; one that is indented gets an ideographic space in front.

    pdfium gives one character for every index, line ends included, unless some lie beyond the
    basic plane; then indents are not looked at. `places` are the indices of a text that holds only
    some of them.
    """
    raw = text.split("\n")
    lines = [line.replace("\t\r", " ").strip("\r ") for line in raw]
    if places is None and len(text) != text_page.count_chars():
        return lines
    lefts: list[float | None] = []
    at = 0
    for line in raw:
        blank = len(line) - len(line.lstrip())
        index = at + blank if places is None or not line.strip() else places[at + blank]
        lefts.append(text_page.get_charbox(index)[0] if line.strip() else None)
        at += len(line) + 1
    return [
        "\u3000" + line if indent else line
        for line, indent in zip(lines, _find_indents(lefts), strict=True)
    ]


def _find_indents(lefts: Sequence[float | None]) -> list[bool]:
    """Which lines begin right of the margin; three in a row are a column, not paragraphs."""
    places = [round(left) for left in lefts if left is not None]
    if not places:
        return [False] * len(lefts)
    margin = statistics.mode(places)
    indents: list[bool] = []
    for place, lines in groupby(lefts, lambda left: None if left is None else round(left)):
        count = sum(1 for _ in lines)
        inside = place is not None and _INDENT[0] < place - margin < _INDENT[1]
        indents += [inside and count < 3] * count
    return indents


def _is_unmapped(text: str) -> bool:
    """Whether too many characters have no meaning in Unicode."""
    return len(_PRIVATE.findall(text)) > _UNMAPPED * max(len(text), 1)


def _is_bare(page: _Page) -> bool:
    """Whether a page shows pictures and hardly a letter."""
    return page.pictures and _typed(page) < _SCANNED


def _typed(page: _Page) -> int:
    return sum(len(line.strip()) for line in page.lines)


def _read_meta(document: pypdfium2.PdfDocument) -> dict[str, str]:
    properties = document.get_metadata_dict(skip_empty=True)
    return drop_empty(
        title=properties.get("Title"),
        author=properties.get("Author"),
        date=_iso_date(properties.get("CreationDate", "")),
        modified=_iso_date(properties.get("ModDate", "")),
        keywords=properties.get("Keywords"),
    )


def _iso_date(text: str) -> str:
    """Turn `D:20140707211821Z` into ISO 8601 (ISO 32000-1, 7.9.4)."""
    match = re.match(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(?:(\d\d)(\d\d)(\d\d)?)?", text)
    if not match:
        return ""
    day = "-".join(part for part in match.groups()[:3] if part)
    clock = ":".join(part for part in match.groups()[3:] if part)
    return f"{day}T{clock}" if clock and len(day) == 10 else day


# ------------------------------------------------------------------------------- annotations

_READ = frozenset((pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_STAMP))
_NOT_SHOWN = (
    pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW | pdfium.FPDF_ANNOT_FLAG_INVISIBLE
)


@dataclass(slots=True)
class _Remarks:
    """What stands on a page beside its content."""

    lines: list[str] = field(default_factory=list)  # of boxes without an appearance
    drawn: bool = False  # whether annotations with an appearance hold text
    comments: int = 0
    files: int = 0


def _take_remark(annotation: Any, remarks: _Remarks) -> None:
    kind = pdfium.FPDFAnnot_GetSubtype(annotation)
    if pdfium.FPDFAnnot_GetFlags(annotation) & _NOT_SHOWN:
        return
    if kind == pdfium.FPDF_ANNOT_FILEATTACHMENT:
        remarks.files += 1
    elif kind in _READ:
        appearance = pdfium.FPDFAnnot_GetAP(
            annotation, pdfium.FPDF_ANNOT_APPEARANCEMODE_NORMAL, None, 0
        )
        if appearance > 2:  # more than the end of a string
            remarks.drawn = True
        elif kind == pdfium.FPDF_ANNOT_FREETEXT:
            remarks.lines += ["", *_read_string(annotation, b"Contents").splitlines()]
        elif kind == pdfium.FPDF_ANNOT_WIDGET and _read_string(annotation, b"FT") == "Tx":
            remarks.lines += ["", *_read_string(annotation, b"V").splitlines()]
    elif kind not in (pdfium.FPDF_ANNOT_LINK, pdfium.FPDF_ANNOT_POPUP):
        remarks.comments += bool(_read_string(annotation, b"Contents").strip())


def _read_string(annotation: Any, key: bytes) -> str:
    size = pdfium.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    buffer = ctypes.create_string_buffer(size)
    pointer = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
    pdfium.FPDFAnnot_GetStringValue(annotation, key, pointer, size)
    return buffer.raw[:size].decode("utf-16-le", "replace").rstrip("\0")


# -------------------------------------------------------------------------- what is not seen


@dataclass(frozen=True, slots=True)
class _Piece:
    """Hidden letters in a row."""

    kind: str
    indices: list[int]


def _read_letters(text_page: pypdfium2.PdfTextPage) -> list[str]:
    """Return one character for every index."""
    points = (
        pdfium.FPDFText_GetUnicode(text_page, index) for index in range(text_page.count_chars())
    )
    return [
        chr(point) if 0 < point < 0x110000 and not 0xD800 <= point < 0xE000 else "\ufffd"
        for point in points
    ]


def _split_seen(
    letters: Sequence[str], owners: Sequence[int], unseen: Sequence[str]
) -> tuple[str, list[int], list[_Piece]]:
    """Return the letters of a page that are seen, their indices, and the others.

    Spaces and line ends that pdfium made stay, one between two words; where hidden words with
    spaces stood inside a line, a space remains.
    """
    shown_text: list[str] = []
    places: list[int] = []
    pieces: list[_Piece] = []
    after_hidden = False
    for index, letter in enumerate(letters):
        shown = letter
        if unseen[index]:
            if not after_hidden or pieces[-1].kind != unseen[index]:
                pieces.append(_Piece(unseen[index], []))
            pieces[-1].indices.append(index)
            after_hidden = True
            shown = " " if letter.isspace() else ""
        elif owners[index]:
            after_hidden = False
        elif after_hidden:
            pieces[-1].indices.append(index)
        if after_hidden and shown in (" ", "\r", "\n"):
            before = shown_text[-1] if shown_text else "\n"
            # white space behind white space goes; a line may end behind a space
            shown = "" if before == "\n" or (before.isspace() and shown == " ") else shown
        if shown:
            shown_text.append(shown)
            places.append(index)
    return "".join(shown_text).rstrip(), places, pieces


@dataclass(frozen=True, slots=True)
class _Sheet:
    """Where the letters of a page stand, for those who want to look."""

    page: pypdfium2.PdfPage
    text_page: pypdfium2.PdfTextPage
    number: int
    letters: Sequence[str]
    unseen: Sequence[str]

    def of_pieces(self, pieces: Sequence[_Piece]) -> list[Difference]:
        """Return a place for each hidden piece; for many of a kind, the first stands for all."""
        kinds: dict[str, list[_Piece]] = {}
        for piece in pieces:
            if any(not self.letters[index].isspace() for index in piece.indices):
                kinds.setdefault(piece.kind, []).append(piece)
        listed = []
        for kind, group in kinds.items():
            letters = sum(len(piece.indices) for piece in group)
            if len(group) < _FEW_PIECES:
                listed += [self.difference(kind, piece.indices) for piece in group]
            elif letters < _SHORT * len(group):
                listed.append(self._join_woven(kind, group))
            else:
                listed.append(
                    self.difference(kind, [one for piece in group for one in piece.indices])
                )
        return listed

    def difference(self, kind: str, indices: Sequence[int]) -> Difference:
        """Return the place of some letters."""
        file_text = self._file_text(indices)
        n = sum(not self.letters[index].isspace() for index in indices)
        return Difference(kind, self.number, self._box(indices), n, 1, "", file_text[:_MOST_SAID])

    def _join_woven(self, kind: str, group: Sequence[_Piece]) -> Difference:
        """Return the first of many pieces with the letters around it."""
        first = group[0].indices
        start = max(first[0] - _AROUND[0], 0)
        around = range(start, min(first[-1] + _AROUND[1], len(self.letters)))
        hidden = [bool(self.unseen[index]) for index in around]
        text = self._file_text(around)
        seen = "".join(letter for letter, out in zip(text, hidden, strict=True) if not out)
        marks = [(at, at + 1) for at, out in enumerate(hidden) if out]
        n = sum(not self.letters[index].isspace() for one in group for index in one.indices)
        box = self._box([index for index in around if not self.unseen[index]] or list(around))
        return Difference(
            kind, self.number, box, n, len(group), seen, text, tuple(merge_ranges(marks))
        )

    def _file_text(self, indices: Sequence[int]) -> str:
        """Return letters, one for each index."""
        letters = (self.letters[index] for index in indices)
        file_text = "".join(" " if one.isspace() or one in _NO_LETTER else one for one in letters)
        return make_writable(file_text)

    def _box(self, indices: Sequence[int]) -> tuple[int, int, int, int]:
        solid = [index for index in indices if not self.letters[index].isspace()] or [*indices]
        return per_mille(place_boxes(self.page, boxes_of(self.text_page, solid)))


# ---------------------------------------------------------------------------- running heads


def _without_running_heads(pages: list[list[str]]) -> list[list[str]]:
    """Drop lines that repeat at the edge of most pages, and bare page numbers there.

    One or two pages have no running heads: what repeats there is a refrain. Nor has a document
    that would lose most of its text: its pages are alike.
    """
    if len(pages) < LEAST_PAGES:
        return pages
    stripped = [[line for line in lines if line.strip()] for lines in pages]
    edges = (
        [*lines[:_EDGE_LINES], *lines[max(_EDGE_LINES, len(lines) - _EDGE_LINES) :]]
        for lines in stripped
    )
    seen = Counter(key for lines in edges for key in set(map(_key, lines)))
    enough = max(2, len(pages) * 0.4)
    numbered = _are_numbered(stripped)

    def goes(line: str) -> bool:
        if numbered and _PAGE_NUMBER.fullmatch(line.strip()):
            return True
        return seen[_key(line)] >= enough and len(line) < 120

    remaining = []
    for lines in stripped:
        first, last = 0, len(lines)
        while first < min(_EDGE_LINES, last) and goes(lines[first]):
            first += 1
        while last > max(first, len(lines) - _EDGE_LINES) and goes(lines[last - 1]):
            last -= 1
        remaining.append(lines[first:last])
    left, before = (sum(map(len, chain.from_iterable(lines))) for lines in (remaining, stripped))
    return remaining if left >= LEAST_LEFT * before else pages


def _move_footnotes(pages: list[list[str]]) -> list[list[str]]:
    """Move footnotes that cut a sentence between two pages behind the text.

    They are the last lines of a page, whole sentences that are numbered in order, where the line
    above ends none and the next page goes on with a small letter. A bare page number below goes
    with them.
    """
    notes: list[str] = []
    moved = []
    for lines, after in zip(pages, [*pages[1:], []], strict=True):
        body = [line for line in lines if line.strip()]
        following = next((line.strip() for line in after if line.strip()), "")
        end = len(body) - bool(body and _PAGE_NUMBER.fullmatch(body[-1].strip()))
        starts = [at for at in range(end) if _NOTE.match(body[at])]
        numbers = [int(_NUMBER.findall(body[at])[0]) for at in starts]
        rest = (numbers[n:] for n in range(len(starts)))
        counting = (part == list(range(part[0], part[0] + len(part))) for part in rest)
        first = next((at for at, one in zip(starts, counting, strict=True) if one), end)
        cut = following[:1].islower() and 0 < first < end and not _ENDED.search(body[first - 1])
        if cut and end - first <= first and _ENDED.search(body[end - 1]):
            notes += body[first:]
            body = body[:first]
        moved.append(body if cut else lines)
    return [*moved, notes] if notes else pages


def _key(line: str) -> str:
    """A line with its numbers blanked: the same running head on every page."""
    return _NUMBER.sub("#", " ".join(line.split()))


def _are_numbered(pages: Sequence[Sequence[str]]) -> bool:
    """Whether most pages begin or end with nothing but a number, and it grows."""
    numbers = [
        int(numbers_of_edge[-1])
        for lines in pages
        for edge in (*lines[:1], *lines[-1:])
        if _PAGE_NUMBER.fullmatch(edge.strip()) and (numbers_of_edge := _NUMBER.findall(edge)[:1])
    ]
    if len(numbers) * 2 < len(pages):
        return False
    steps = [b - a for a, b in pairwise(numbers)]
    return bool(steps) and statistics.median(steps) == 1
