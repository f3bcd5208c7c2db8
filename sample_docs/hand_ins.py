"""Hand-ins as pupils' programs save them: Word, OpenDocument, RTF, PDF, the text typed into Moodle.

Everything is stored, never deflated, so that each build gives the same bytes with any zlib.
Paragraphs are plain text, one string each.

References
----------
ECMA-376 part 1; OASIS OpenDocument 1.2; [MS-DOC] 2.5 and 2.9.38; [MS-CFB] 2.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable, Sequence
from datetime import datetime
from xml.sax.saxutils import escape
from zipfile import ZIP_STORED, ZipFile, ZipInfo

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_ODF = "urn:oasis:names:tc:opendocument:xmlns"
_SECTOR = 512
_LEAST_STREAM = 4096  # shorter ones would go into the small stream
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def stored(members: Iterable[tuple[str, bytes, datetime]]) -> bytes:
    """Return a zip archive of (name, content, time)."""
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_STORED) as archive:
        for name, content, when in members:
            info = ZipInfo(name, when.timetuple()[:6])
            info.create_system = 0  # the same on every machine
            archive.writestr(info, content)
    return buffer.getvalue()


def docx(paragraphs: Sequence[str], *, title: str, creator: str, when: datetime) -> bytes:
    """Return a Word document with the title and the author that its program gave it."""
    body = "".join(
        f'<w:p><w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'
        for text in paragraphs
    )
    document = f'{_XML}<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>'
    core = (
        f'{_XML}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{escape(title)}</dc:title><dc:creator>{escape(creator)}</dc:creator>"
        f'<dcterms:created xsi:type="dcterms:W3CDTF">{when:%Y-%m-%dT%H:%M:%SZ}</dcterms:created>'
        "</cp:coreProperties>"
    )
    kinds = "application/vnd.openxmlformats-"
    types = (
        f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="{kinds}package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        '<Override PartName="/word/document.xml" '
        f'ContentType="{kinds}officedocument.wordprocessingml.document.main+xml"/>'
        '<Override PartName="/docProps/core.xml" '
        f'ContentType="{kinds}package.core-properties+xml"/></Types>'
    )
    rels = (
        f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="word/document.xml"/>'
        f'<Relationship Id="rId2" Type="{_PACKAGE}/relationships/metadata/core-properties" '
        'Target="docProps/core.xml"/></Relationships>'
    )
    parts = {
        "[Content_Types].xml": types,
        "_rels/.rels": rels,
        "word/document.xml": document,
        "docProps/core.xml": core,
    }
    return stored((name, part.encode(), when) for name, part in parts.items())


def odt(paragraphs: Sequence[str], *, when: datetime) -> bytes:
    """Return an OpenDocument text."""
    kind = "application/vnd.oasis.opendocument.text"
    body = "".join(f"<text:p>{escape(text)}</text:p>" for text in paragraphs)
    content = (
        f'{_XML}<office:document-content xmlns:office="{_ODF}:office:1.0" '
        f'xmlns:text="{_ODF}:text:1.0" office:version="1.2"><office:body><office:text>{body}'
        "</office:text></office:body></office:document-content>"
    )
    manifest = (
        f'{_XML}<manifest:manifest xmlns:manifest="{_ODF}:manifest:1.0" manifest:version="1.2">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
        "</manifest:manifest>"
    )
    parts = {"mimetype": kind, "content.xml": content, "META-INF/manifest.xml": manifest}
    return stored((name, part.encode(), when) for name, part in parts.items())


def rtf(paragraphs: Sequence[str]) -> bytes:
    """Return a Rich Text file; what is not ASCII stands as UTF-16 numbers."""

    def written(text: str) -> str:
        units = struct.unpack(f"<{len(text.encode('utf-16-le')) // 2}h", text.encode("utf-16-le"))
        return "".join(chr(u) if 32 <= u < 127 else f"\\u{u}?" for u in units)

    body = "".join(f"{written(text)}\\par\r\n" for text in paragraphs)
    head = "{\\rtf1\\ansi\\ansicpg936\\uc1\\deff0{\\fonttbl{\\f0\\fnil Times New Roman;}}\r\n"
    return f"{head}{body}}}\r\n".encode("ascii")


def doc(paragraphs: Sequence[str]) -> bytes:
    """Return a document of Word 97: one piece of text in UTF-16, without any formatting."""
    text = "".join(f"{paragraph}\r" for paragraph in paragraphs)
    at = 1024
    clx = struct.pack("<BI2iHIH", 2, 16, 0, len(text), 0, at, 0)
    head = bytearray(at)
    struct.pack_into("<5H", head, 0, 0xA5EC, 0x00C1, 0, 0x0409, 0)
    struct.pack_into("<H", head, 10, 0x0200)  # its tables are in 1Table
    struct.pack_into("<2I", head, 24, at, at + 2 * len(text))
    struct.pack_into("<H", head, 32, 14)
    struct.pack_into("<H", head, 62, 22)
    struct.pack_into("<2i", head, 64, at + 2 * len(text), 0)
    struct.pack_into("<i", head, 76, len(text))
    struct.pack_into("<H", head, 152, 93)
    struct.pack_into("<2I", head, 154 + 8 * 33, 0, len(clx))
    return _compound({"1Table": clx, "WordDocument": bytes(head) + text.encode("utf-16-le")})


def _compound(streams: dict[str, bytes]) -> bytes:
    """Return a compound file of at most three streams; the last of them is the root of the tree."""
    table, entries, bodies = [_FAT, _END], [("Root Entry", 5, _END, 0)], b""
    for name, content in streams.items():
        sectors = -(-max(len(content), _LEAST_STREAM) // _SECTOR)
        start = len(table)
        table += [*range(start + 1, start + sectors), _END]
        entries.append((name, 2, start, sectors * _SECTOR))
        bodies += content.ljust(sectors * _SECTOR, b"\0")
    directory = b""
    for row, (name, kind, start, size) in enumerate(entries):
        encoded = f"{name}\0".encode("utf-16-le")
        left = row - 1 if row > 1 else _FREE
        child = len(entries) - 1 if row == 0 else _FREE
        directory += encoded.ljust(64, b"\0") + struct.pack(
            "<H2B3I36xIQ", len(encoded), kind, 1, left, _FREE, child, start, size
        )
    table += [_FREE] * (_SECTOR // 4 - len(table))
    header = bytes.fromhex("d0cf11e0a1b11ae1") + struct.pack(
        "<16x5H6x9I", 0x3E, 3, 0xFFFE, 9, 6, 0, 1, 1, 0, _LEAST_STREAM, _END, 0, _END, 0
    )
    header += struct.pack("<109I", 0, *[_FREE] * 108)
    fat = struct.pack(f"<{len(table)}I", *table)
    return header + fat + directory.ljust(_SECTOR, b"\0") + bodies


def online_text(paragraphs: Sequence[str]) -> bytes:
    """Return what Moodle saves of a text typed into its editor."""
    body = "".join(f"<p>{escape(text)}</p>" for text in paragraphs)
    return f'<!DOCTYPE html><html><head><meta charset="utf-8"></head><body>{body}</body></html>\n'.encode()


def pdf(
    paragraphs: Sequence[str], *, title: str | None, author: str | None, when: datetime
) -> bytes:
    """Return A4 pages in a font that every reader of PDF supplies; without a title, "untitled"."""
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    chinese = any("\u4e00" <= char <= "\u9fff" for char in paragraphs[0])
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    style = ParagraphStyle(
        "body",
        fontName="STSong-Light" if chinese else "Times-Roman",
        fontSize=12,
        leading=20,
        spaceAfter=6,
        wordWrap="CJK" if chinese else None,
        firstLineIndent=24 if chinese else 0,
    )
    buffer = io.BytesIO()
    pages = SimpleDocTemplate(
        buffer, title=title, author=author, margins=72, invariant=1, pageCompression=0
    )
    pages.build([Paragraph(escape(text), style) for text in paragraphs])
    return _dated(buffer.getvalue(), when)


def _dated(data: bytes, when: datetime) -> bytes:
    """Put a date into a PDF in place of the one that makes reportlab write the same bytes."""
    return data.replace(b"D:20000101000000", f"D:{when:%Y%m%d%H%M%S}".encode())


def scanned_pdf(picture: bytes, *, when: datetime) -> bytes:
    """Return a PDF of one page that is a picture (JPEG) and holds no text."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1, pageCompression=0)
    width, height = ImageReader(io.BytesIO(picture)).getSize()
    tall = A4[0] * height / width
    canvas.drawImage(ImageReader(io.BytesIO(picture)), 0, A4[1] - tall, A4[0], tall)
    canvas.showPage()
    canvas.save()
    return _dated(buffer.getvalue(), when)
