"""Files in the formats of programs that are not at hand, made byte by byte."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

import openpyxl
import pytest
from reportlab.pdfgen.canvas import Canvas

from simhash_core.errors import Unreadable
from simhash_core.text.extract import extract

_SECTOR, _SMALL, _LEAST = 512, 64, 4096  # bytes; shorter streams lie in small sectors
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_TEXT_AT = 8192  # in the stream of a Word document
_STORIES = 8

#: text, modifiers of its letters, modifiers of its paragraph
Run = tuple[str, bytes, bytes]


def compound(streams: Mapping[str, bytes]) -> bytes:
    """Return a compound file of streams; a path with a slash lies in a storage."""
    names: list[tuple[str, ...]] = [()]
    for path in streams:
        parts = tuple(path.split("/"))
        names += [p for n in range(1, len(parts) + 1) if (p := parts[:n]) not in names]
    small, small_table, places = b"", list[int](), dict[tuple[str, ...], tuple[int, int]]()
    chains = [b"", b"", b""]  # directory, table of the small sectors, small sectors
    for name in names[1:]:
        content = streams.get("/".join(name))
        if content and len(content) < _LEAST:
            places[name] = (len(small_table), len(content))
            small_table += _chain(len(small_table), -(-len(content) // _SMALL))
            small += content.ljust(-(-len(content) // _SMALL) * _SMALL, b"\0")
        elif content:
            places[name] = (len(chains), len(content))  # the number of its chain, for now
            chains.append(content)
    chains[0] = bytes(128 * len(names))
    chains[1] = struct.pack(f"<{len(small_table)}I", *small_table)
    chains[2] = small
    sizes = [-(-len(chain) // _SECTOR) for chain in chains]
    tables = -(-(sum(sizes) + 8) // (_SECTOR // 4))
    starts = list(accumulate(sizes, initial=tables))
    places |= {
        name: (starts[place], size) for name, (place, size) in places.items() if size >= _LEAST
    }
    places[()] = (starts[2] if small else _END, len(small))
    chains[0] = b"".join(_entry(number, names, places) for number in range(len(names)))
    table = [_FAT] * tables
    for size in sizes:
        table += _chain(len(table), size)
    table += [_FREE] * (tables * (_SECTOR // 4) - len(table))
    header = bytes.fromhex("d0cf11e0a1b11ae1") + struct.pack(
        "<16x5H6x9I",
        *(0x3E, 3, 0xFFFE, 9, 6),
        *(0, tables, starts[0], 0, _LEAST, starts[1] if small else _END, sizes[1], _END, 0),
    )
    header += struct.pack("<109I", *range(tables), *[_FREE] * (109 - tables))
    bodies = (chain.ljust(size * _SECTOR, b"\0") for chain, size in zip(chains, sizes, strict=True))
    return header + struct.pack(f"<{len(table)}I", *table) + b"".join(bodies)


def _chain(start: int, length: int) -> list[int]:
    """Return the entries of sectors that follow each other."""
    return [*range(start + 1, start + length), _END][: max(length, 0)]


def _entry(
    number: int, names: Sequence[tuple[str, ...]], places: Mapping[tuple[str, ...], tuple[int, int]]
) -> bytes:
    name = names[number]
    children = [n for n, other in enumerate(names) if other and other[:-1] == name]
    siblings = [n for n, other in enumerate(names) if other and name and other[:-1] == name[:-1]]
    later = [n for n in siblings if n > number]
    encoded = f"{name[-1] if name else 'Root Entry'}\0".encode("utf-16-le")
    kind = 5 if not name else 1 if children else 2
    links = (_FREE, later[0] if later else _FREE, children[0] if children else _FREE)
    start, size = places.get(name, (0, 0))
    return encoded.ljust(64, b"\0") + struct.pack(
        "<H2B3I36xIQ", len(encoded), kind, 1, *links, start, size
    )


def word_97(
    main: Sequence[Run],
    *,
    flags: int = 0,
    heads: Sequence[Run] = (),
    summary: bytes = b"",
    pieces: int = 1,
    **stories: Sequence[Run],
) -> bytes:
    """Return a Word document: one piece of UTF-16, a page for letters and one for paragraphs.

    More pieces than one begin where the first does and end where it ends, backwards too.

    `stories` are footnotes, comments, endnotes, boxes; of `heads` each is a header.
    """
    order = (main, stories.get("footnotes", ()), heads, (), stories.get("comments", ()))
    order = (*order, stories.get("endnotes", ()), stories.get("boxes", ()), ())
    runs = [run for story in order for run in story]
    text = "".join(run[0] for run in runs)
    ends = list(accumulate((2 * len(run[0]) for run in runs), initial=_TEXT_AT))
    letters, paragraphs = (
        _page(ends, [run[part] for run in runs], width) for part, width in ((1, 1), (2, 13))
    )
    places = [0, len(text)] * pieces
    clx = struct.pack("<BI", 2, 4 * len(places) + 8 * (len(places) - 1))
    clx += struct.pack(f"<{len(places)}i", *places)
    clx += struct.pack("<HIH", 0, _TEXT_AT, 0) * (len(places) - 1)
    plc = struct.pack("<2I", _TEXT_AT, ends[-1])
    places = [0] * 7 + list(accumulate(len(run[0]) for run in heads)) if heads else []
    tables = (
        (0x1A2, clx),
        (0xFA, plc + struct.pack("<I", 2)),
        (0x102, plc + struct.pack("<I", 3)),
        (0xF2, struct.pack(f"<{len(places)}I", *places)),
    )
    head, table = bytearray(2 * 512), b""
    for place, content in tables:
        struct.pack_into("<2I", head, place, len(table), len(content))
        table += content
    struct.pack_into("<5H", head, 0, 0xA5EC, 0xC1, 0, 0x409, 0)
    struct.pack_into("<H", head, 10, 0x200 | flags)
    struct.pack_into("<2I", head, 24, _TEXT_AT, ends[-1])
    lengths = (sum(len(run[0]) for run in story) for story in order)
    struct.pack_into(f"<{_STORIES}i", head, 0x4C, *lengths)
    word = (bytes(head) + letters + paragraphs).ljust(_TEXT_AT, b"\0") + text.encode("utf-16-le")
    streams = {"WordDocument": word, "1Table": table}
    return compound({**streams, "\x05SummaryInformation": summary} if summary else streams)


def _page(ends: Sequence[int], modifiers: Sequence[bytes], width: int) -> bytes:
    """Return a page of formatting; modifiers lie at its end, their places in its middle."""
    count = len(modifiers)
    page = bytearray(_SECTOR)
    struct.pack_into(f"<{count + 1}I", page, 0, *ends)
    at = _SECTOR - 2
    for number, listed in enumerate(modifiers):
        if not listed:
            continue
        if width == 1:
            stored = bytes([len(listed)]) + listed
        else:  # a style in front; the length counts pairs of bytes
            stored = b"\0" + bytes([(len(listed) + 3) // 2]) + b"\0\0" + listed
        at -= len(stored) + len(stored) % 2
        page[at : at + len(stored)] = stored
        page[4 * (count + 1) + width * number] = at // 2
    page[-1] = count
    return bytes(page)


def summary(**properties: str) -> bytes:
    """Return a stream of properties: title, author, keywords, editor."""
    names = {"title": 2, "author": 4, "keywords": 5, "editor": 8}
    stored = [(1, struct.pack("<2I", 2, 65001))]
    for name, value in properties.items():
        encoded = value.encode() + b"\0"
        stored.append((names[name], struct.pack("<2I", 30, len(encoded)) + encoded))
    offsets = accumulate((len(value) for _, value in stored), initial=8 + 8 * len(stored))
    listed = b"".join(
        struct.pack("<2I", name, at) for (name, _), at in zip(stored, offsets, strict=False)
    )
    values = b"".join(value for _, value in stored)
    section = struct.pack("<2I", 8 + len(listed) + len(values), len(stored)) + listed + values
    return bytes(28) + bytes(16) + struct.pack("<I", 48) + section


def zipped(members: Mapping[str, str | bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", packing) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return data.getvalue()


def workbook(*sheets: Sequence[Sequence[object]], **properties: str) -> bytes:
    """Return a workbook of sheets, each a list of rows."""
    book, data = openpyxl.Workbook(), io.BytesIO()
    for number, rows in enumerate(sheets):
        sheet = book.create_sheet() if number else book.worksheets[0]
        for row in rows:
            sheet.append(row)
    for name, value in properties.items():
        setattr(book.properties, name, value)
    book.save(data)
    return data.getvalue()


def drawn(*pages: Callable[[Canvas], None], **options: object) -> bytes:
    """Return a PDF of pages, each as a function draws it."""
    data = io.BytesIO()
    canvas = Canvas(data, **options)
    for number, draw in enumerate(pages):
        if number:
            canvas.showPage()
        draw(canvas)
    canvas.save()
    return data.getvalue()


def docx_of(body: str, spaces: str, **members: str) -> bytes:
    """Return a Word document; keys of other members use __ for / and _xml for the suffix."""
    main = f"<w:document {spaces}><w:body>{body}</w:body></w:document>"
    parts = {"[Content_Types].xml": "<Types/>", "word/document.xml": main}
    for name, content in members.items():
        parts[f"word/{name.replace('__', '/').replace('_xml', '.xml')}"] = content
    return zipped(parts)


# --------------------------------------------------------------------------- OpenDocument

ODF_SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "text", "style", "table", "drawing", "presentation", "meta", "manifest")
) + (
    ' xmlns:draw="urn:draw" xmlns:fo="urn:fo" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    ' xmlns:xlink="http://www.w3.org/1999/xlink"'
)


ODF_TEXT = "application/vnd.oasis.opendocument.text"


ODF_SLIDES = "application/vnd.oasis.opendocument.presentation"


def opendocument(body: str, *, automatic: str = "", kind: str = ODF_TEXT, **members: str) -> bytes:
    inner = "presentation" if kind == ODF_SLIDES else "text"
    content = (
        f"<office:document-content {ODF_SPACES}><office:automatic-styles>{automatic}"
        f"</office:automatic-styles><office:body><office:{inner}>{body}</office:{inner}>"
        "</office:body></office:document-content>"
    )
    parts = {"mimetype": kind, "content.xml": content}
    parts |= {name.replace("__", "/").replace("_", "."): one for name, one in members.items()}
    return zipped(parts)


# --------------------------------------------------------------------------- slides

PPTX_NAMES = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)


_KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def relations(*listed: tuple[str, str]) -> str:
    rows = "".join(
        f'<Relationship Id="r{n}" Type="{_KIND}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(listed)
    )
    return f'<Relationships xmlns="urn:relations">{rows}</Relationships>'


def shape(text: str, role: str = "", properties: str = "") -> str:
    place = f'<p:nvSpPr><p:nvPr><p:ph type="{role}"/></p:nvPr></p:nvSpPr>' if role else ""
    run = f"<a:r><a:rPr {properties}/><a:t>{text}</a:t></a:r>"
    return f"<p:sp>{place}<p:txBody><a:p>{run}</a:p></p:txBody></p:sp>"


def pptx(*slides: str, order: str = "r0 r1", more: Mapping[str, str | bytes] = {}) -> bytes:
    ids = "".join(f'<p:sldId id="1" r:id="{name}"/>' for name in order.split())
    parts = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations(("officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": f"<p:presentation {PPTX_NAMES}>{ids}</p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations(
            *(("slide", f"slides/slide{n}.xml") for n in range(len(slides)))
        ),
    }
    for n, slide in enumerate(slides):
        parts[f"ppt/slides/slide{n}.xml"] = f"<p:sld {PPTX_NAMES} {slide}</p:sld>"
    return zipped({**parts, **more})


def record(kind: int, body: bytes, *, version: int = 0, instance: int = 0) -> bytes:
    return struct.pack("<2HI", version | instance << 4, kind, len(body)) + body


def held(kind: int, *children: bytes, instance: int = 0) -> bytes:
    return record(kind, b"".join(children), version=15, instance=instance)


def wide(text: str) -> bytes:
    return record(0x0FA0, text.encode("utf-16-le"))


def ppt(objects: list[bytes], *, encrypted: bool = False, user: bool = True) -> bytes:
    """Return a file of objects; the first is the document, the number of each its place."""
    stream, places = b"", []
    for one in objects:
        places.append(len(stream))
        stream += one
    directory = len(stream)
    body = struct.pack("<I", 1 | len(places) << 20) + struct.pack(f"<{len(places)}I", *places)
    stream += record(0x1772, body)
    edit = len(stream)
    stream += record(0x0FF5, struct.pack("<7I", 0, 0, 0, directory, 1, 0, 0) + bytes(4 * encrypted))
    stream += bytes(64)
    streams = {"PowerPoint Document": stream, "\x05SummaryInformation": summary(title="T")}
    if user:
        streams["Current User"] = record(0x0FF6, bytes(8) + struct.pack("<I", edit) + bytes(8))
    return compound(streams)


# --------------------------------------------------------------------------- archives, mail, books


def number(value: int) -> bytes:
    """Return a number as .7z (below 128), RAR 5 and the index of a library write it.

    Seven bits a byte, the lowest first; the eighth says that more follow.
    """
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def rar(*members: tuple[str, bytes], packed: str = "") -> bytes:
    """Return a RAR 5 archive; nothing in it is compressed, though one member says so."""

    def block(body: bytes, data: bytes = b"") -> bytes:
        head = number(len(body)) + body
        return struct.pack("<I", zlib.crc32(head)) + head + data

    files = b""
    for name, content in members:
        raw = name.encode()
        body = b"\x02\x02" + number(len(content)) + b"\x04" + number(len(content)) + b"\x00"
        method = number(5 << 7) if name == packed else b"\x00"
        body += struct.pack("<I", zlib.crc32(content)) + method + b"\x00" + number(len(raw)) + raw
        files += block(body, content)
    return b"Rar!\x1a\x07\x01\x00" + block(b"\x01\x00\x00") + files + block(b"\x05\x00\x00")


def seven_zip(*members: tuple[str, bytes]) -> bytes:
    """Return a 7z archive; nothing in it is compressed, members are below 128 bytes."""
    n = len(members)
    sizes = bytes(len(content) for _, content in members)
    names = "".join(f"{name}\0" for name, _ in members).encode("utf-16-le")
    header = b"\x01\x04\x06\x00" + bytes([n, 0x09]) + sizes + b"\x00"  # packed streams
    header += b"\x07\x0b" + bytes([n, 0]) + b"\x01\x01\x00" * n  # a folder a stream, copied
    header += b"\x0c" + sizes + b"\x00" + b"\x08\x00" + b"\x00"  # one file a stream
    assert len(names) < 127
    header += b"\x05" + bytes([n, 0x11, len(names) + 1, 0]) + names + b"\x00\x00"
    packed = b"".join(content for _, content in members)
    start = struct.pack("<2QI", len(packed), len(header), zlib.crc32(header))
    head = b"7z\xbc\xaf\x27\x1c\x00\x04" + struct.pack("<I", zlib.crc32(start)) + start
    return head + packed + header


def outlook(page: int = 936, **properties: bytes) -> bytes:
    """Return a message; properties are named by number and kind, with A for what is attached."""
    stated = struct.pack("<2I", 0x3FFD0003, 6) + struct.pack("<2I", page, 0)
    streams = {"__properties_version1.0": bytes(32) + stated}
    for name, value in properties.items():
        folder, _, number = name.rpartition("_")
        path = "".join(f"__attach_version1.0_#0000000{place}/" for place in folder[1:])
        streams[f"{path}__substg1.0_{number}"] = value
    return compound(streams)


PACKAGE = """<package><metadata><title>T</title><creator>Wu</creator></metadata><manifest>
<item id="b" href="two%20b.xhtml"/><item id="a" href="one.xhtml#x"/><item id="c" href="c.css"/>
<item id="d" href="../../gone.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/>
<itemref idref="c"/>
<itemref idref="d"/><itemref idref="a"/><itemref idref="none"/></spine></package>"""


def zip_of_parts(**members: str | bytes) -> bytes:
    """Return a zip; keys use __ for / and the last _ for the dot."""
    names = (name.replace("__", "/").rpartition("_") for name in members)
    listed = (f"{stem}.{ending}" if stem else ending for stem, _, ending in names)
    return zipped(dict(zip(listed, members.values(), strict=True)))


def book(text: str, *, package: str = PACKAGE, **more: str) -> bytes:
    container = '<c><rootfile full-path="OEBPS/book.opf"/></c>'
    head = "<!DOCTYPE html><html xmlns='http://www.w3.org/1999/xhtml'><body>"
    parts = {
        "_mimetype": "application/epub+zip",
        "META-INF__container_xml": container,
        "OEBPS__book_opf": package,
        "OEBPS__two b_xhtml": f"{head}<p>second</p></body></html>",
        "OEBPS__one_xhtml": f"{head}<h1>First</h1><p>{text}</p></body></html>",
    }
    return zip_of_parts(**{**parts, **more})


# --------------------------------------------------------------------------- PDF


def pdf(*objects: str | bytes, root: int = 1) -> bytes:
    """Return a PDF of some objects, numbered from 1."""
    made, places = bytearray(b"%PDF-1.7\n"), []
    for number, content in enumerate(objects, 1):
        places.append(len(made))
        body = content.encode() if isinstance(content, str) else content
        made += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(made)
    made += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    made += b"".join(b"%010d 00000 n \n" % place for place in places)
    made += b"trailer <</Size %d /Root %d 0 R>>\n" % (len(objects) + 1, root)
    return bytes(made + b"startxref\n%d\n%%%%EOF" % start)


def page_of(content: bytes, *filters: str) -> bytes:
    """Return a PDF of one page with a stream as its content."""
    named = "".join(f"/{name}" for name in filters)
    head = f"<</Length {len(content)} /Filter [{named}]>>\nstream\n".encode()
    return pdf(
        "<</Type /Catalog /Pages 2 0 R>>",
        "<</Type /Pages /Kids [3 0 R] /Count 1>>",
        "<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R>>",
        head + content + b"\nendstream",
    )


def code_of(data: bytes, suffix: str) -> str:
    """Return why a file is refused."""
    with pytest.raises(Unreadable) as caught:
        extract(data, suffix=suffix)
    return caught.value.code
