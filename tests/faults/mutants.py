"""Sound files of every format that is read, and seeded damage done to them.

Damage knows what it damages: members of archives are changed before they are packed, streams of
PDF before they are compressed, so that it reaches the parsers behind the check sums.
"""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import json
import lzma
import random
import re
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path

import docx
import openpyxl
import pyarrow
import pyarrow.parquet
import pytest
from reportlab import rl_config
from reportlab.lib.pagesizes import A5
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from text.handmade import (
    ODF_SLIDES,
    book,
    held,
    opendocument,
    outlook,
    ppt,
    pptx,
    rar,
    record,
    seven_zip,
    shape,
    summary,
    wide,
    word_97,
    zip_of_parts,
)

SAMPLES = Path(__file__).parents[2] / "sample_docs"
_LETTERS = 1500  # of a text: small files are mutated where it matters
_ZIPPED = ("docx", "zip", "xlsx", "odt", "odp", "pptx", "epub", "pages")
_COMPOUND = ("doc", "ppt", "msg")
_NUMBERS = (b"0", b"-1", b"65536", b"4294967295", b"-2147483649", b"99999999999999999999")
_MARKS = (b"<", b">", b"/>", b"<!--", b"]]>", b"&#0;", b"&#x110000;", b"\x00", b"\xff\xfe", b'"')
_SEPARATORS = (b",", b"\n", b"\r", b"\\u0000", b"\\ud800", b"{", b"[" * 3000, b"(" * 3000)


def seeds() -> dict[str, list[bytes]]:
    """Return suffix -> sound files."""
    texts = [_english(), _chinese()]
    encodings = ("utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "gb18030", "big5hkscs")
    plain = [text.encode(name, "replace") for name in encodings for text in texts]
    return {
        "txt": [*plain, texts[0].encode("cp1252", "replace"), texts[0].encode("cp037", "replace")],
        "md": [b"# One\n\n```\ncode\n```\n" + text.encode() for text in texts],
        "html": [_page(text, name) for text in texts for name in ("utf-8", "gb18030")],
        "docx": [*map(_word, texts), (SAMPLES / "essays" / "01-陈思远.docx").read_bytes()],
        "pdf": [_pdf(text, packing) for text in texts for packing in (0, 1)],
        "zip": [_archive(texts, packing) for packing in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)],
        "csv": [_csv(texts).encode(name) for name in ("utf-8", "gb18030")],
        "jsonl": ["\n".join(json.dumps(row) for row in _rows(texts)).encode()],
        "parquet": [_parquet(texts, packing) for packing in ("none", "snappy", "zstd")],
        "xlsx": [_sheet(texts)],
        **_documents(texts),
        **_holders(texts),
    }


def _documents(texts: list[str]) -> dict[str, list[bytes]]:
    """Return files of other programs, and of those that made the ones before."""
    lines = [[line for line in text.splitlines() if line] for text in texts]
    slide = "".join(f"{shape(line)}" for line in lines[0])
    body = "".join(f"<text:p>{line}<text:s/><text:note/></text:p>" for line in lines[0])
    page = f"<draw:page><draw:frame><draw:text-box>{body}</draw:text-box></draw:frame></draw:page>"
    return {
        "rtf": [_rich(text) for text in texts],
        "doc": [_old_word(text) for text in texts],
        "odt": [opendocument(body, automatic="<style:style style:name='Z'/>")],
        "odp": [opendocument(page, kind=ODF_SLIDES)],
        "pptx": [pptx(f">{slide}", f' show="0">{slide}')],
        "ppt": [_old_slides(text) for text in texts],
        "epub": [book(text) for text in texts],
        "pages": [zip_of_parts(QuickLook__Preview_pdf=_pdf(texts[0], 1), Index__Document_iwa="x")],
        "mhtml": [_saved_page(text) for text in texts],
        "tex": [f"\\section{{One}}\n{text}\n$a+b$ \\cite{{x}}".encode() for text in texts],
        "ipynb": [_notebook(text) for text in texts],
    }


def _holders(texts: list[str]) -> dict[str, list[bytes]]:
    """Return what holds other files."""
    members = [("a/one.txt", texts[0].encode()), ("二.txt", texts[1].encode("gb18030"))]
    short = [(name, content[:100]) for name, content in members]
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    tar = packed.getvalue()
    return {
        "eml": [_mail(text) for text in texts],
        "msg": [_outlook(text) for text in texts],
        "tar": [tar],
        "gz": [gzip.compress(tar, mtime=0), gzip.compress(texts[0].encode(), mtime=0)],
        "bz2": [bz2.compress(tar)],
        "xz": [lzma.compress(tar)],
        "7z": [seven_zip(*short)],
        "rar": [rar(*members)],
    }


def mutant(data: bytes, suffix: str, dice: random.Random, other: bytes) -> bytes:
    """Return a file with damage of one kind, or of two."""
    if suffix in _ZIPPED and dice.random() < 0.7:
        return _within_archive(data, dice)
    if suffix in _COMPOUND and dice.random() < 0.6:
        return _places_changed(data, dice)
    if suffix == "pdf" and dice.random() < 0.6:
        return dice.choice((_within_streams, _numbers_changed))(data, dice)
    damaged = _damaged(data, dice, other)
    return _damaged(damaged, dice, other) if dice.random() < 0.3 else damaged


# --------------------------------------------------------------------------- damage


def _damaged(data: bytes, dice: random.Random, other: bytes) -> bytes:
    """Return bytes that were flipped, cut, put elsewhere, repeated, or mixed with another file."""
    if not data:
        return bytes(dice.randbytes(50))
    begin, end = sorted(dice.randrange(len(data) + 1) for _ in range(2))
    part, made = data[begin:end], bytearray(data)
    kind = dice.randrange(9)
    if kind == 0:
        for _ in range(dice.choice((1, 4, 64))):
            made[dice.randrange(len(made))] ^= 1 << dice.randrange(8)
    elif kind == 1:
        for _ in range(dice.choice((1, 4, 64))):
            made[dice.randrange(len(made))] = dice.choice((0, 10, 32, 127, 128, 255))
    elif kind == 2:
        del made[begin:]
    elif kind == 3:
        del made[begin : begin + dice.randrange(1, 200)]
    elif kind == 4:
        made[end:end] = part[: 2**16] * dice.choice((1, 2, 40))
    elif kind == 5:
        made[begin:] = other[dice.randrange(len(other)) :]
    elif kind == 6:
        made[begin : begin + 200] = bytes(len(made[begin : begin + 200]))
    elif kind == 7:
        made[begin:begin] = dice.choice((*_MARKS, *_NUMBERS, *_SEPARATORS)) * dice.choice((1, 300))
    else:
        made[:0] = dice.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"%PDF-1.7\n", b"PK\x03\x04", b"\n"))
    return bytes(made)


def _within_archive(data: bytes, dice: random.Random) -> bytes:
    """Return an archive of which one member was changed, taken out, doubled or renamed."""
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(held, "w") as made:
        members = [(info.filename, archive.read(info)) for info in archive.infolist()]
        at = dice.randrange(len(members))
        kind = dice.randrange(8)
        for number, (name, content) in enumerate(members):
            if number != at:
                made.writestr(name, content, zipfile.ZIP_DEFLATED)
            elif kind == 1:
                made.writestr(name + dice.choice(("/", "x", ".zip", "\x00")), content)
            elif kind > 1:
                changed = _markup_damaged if content[:1] == b"<" else _damaged
                content = changed(content, dice, members[at - 1][1] or b"other")
                made.writestr(name, content, dice.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA)))
    return held.getvalue()


def _markup_damaged(data: bytes, dice: random.Random, other: bytes) -> bytes:
    """Return markup of which an element was taken out, doubled, nested or changed in a value."""
    tags = list(re.finditer(rb"<[^<>]*>", data))
    values = list(re.finditer(rb'"[^"<>]*"', data))
    first, last = sorted(dice.choices(tags, k=2), key=lambda match: match.start())
    kind = dice.randrange(6)
    if kind == 0:
        return data[: first.start()] + data[last.end() :]
    if kind == 1:
        return data[: last.end()] + data[first.start() : last.end()] * 50 + data[last.end() :]
    if kind == 2:
        opening = re.match(rb"<([\w:]+)", first[0])
        name = opening[1] if opening else b"w:p"
        nested = b"<" + name + b">"
        deep = nested * 5000 + b"x" + nested.replace(b"<", b"</") * 5000
        return data[: last.end()] + deep + data[last.end() :]
    if kind == 3 and values:
        value = dice.choice(values)
        put = dice.choice((*_NUMBERS, b"", b"x" * 100_000, b"../../../etc/passwd"))
        return data[: value.start() + 1] + put + data[value.end() - 1 :]
    if kind == 4:
        entity = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "' + b"&a;" * 50 + b'">]>'
        return data[: tags[0].end()] + entity + data[tags[0].end() :]
    return _damaged(data, dice, other)


def _within_streams(data: bytes, dice: random.Random) -> bytes:
    """Return a PDF of which one stream was changed and compressed again."""
    streams = list(re.finditer(rb"\nstream\n(.*?)endstream", data, re.DOTALL))
    found = dice.choice(streams)
    content = found[1]
    try:
        plain, packed = zlib.decompress(content), True
    except zlib.error:
        plain, packed = content, False
    changed = _numbers_changed if dice.random() < 0.4 else _damaged_alone
    content = changed(plain, dice)
    content = zlib.compress(content) if packed else content
    before, after = data[: found.start(1)], data[found.end(1) :]
    at = before.rfind(b"/Length")
    right = re.sub(rb"/Length \d+", b"/Length %d" % len(content), before[at:], count=1)
    return before[:at] + right + content + after


def _places_changed(data: bytes, dice: random.Random) -> bytes:
    """Return a compound file in which some numbers of four bytes are others."""
    made = bytearray(data)
    for _ in range(dice.choice((1, 3, 20))):
        at = 4 * dice.randrange(len(made) // 4 - 1)
        (number,) = struct.unpack_from("<I", made, at)
        near = (number + dice.choice((-1, 1, 512, 1 << 30))) & 0xFFFFFFFF
        put = dice.choice((near, near, 0, 1, 0xFFFFFFFF, 0x7FFFFFFF, dice.randrange(1 << 32)))
        struct.pack_into("<I", made, at, put)
    return bytes(made)


def _damaged_alone(data: bytes, dice: random.Random) -> bytes:
    return _damaged(data, dice, data or b"other")


def _numbers_changed(data: bytes, dice: random.Random) -> bytes:
    """Return bytes in which some numbers are others: counts, lengths, places, references."""
    numbers = list(re.finditer(rb"\d+", data))
    if not numbers:
        return _damaged_alone(data, dice)
    made = data
    for match in sorted(dice.choices(numbers, k=3), key=lambda match: -match.start()):
        near = b"%d" % dice.randrange(12)  # of another object: loops of pages and fonts
        put = dice.choice((*_NUMBERS, near, near, near))
        made = made[: match.start()] + put + made[match.end() :]
    return made


# --------------------------------------------------------------------------- sound files


def _english() -> str:
    return (
        (SAMPLES / "essays" / "07-priya-nair.txt")
        .read_bytes()
        .decode("utf-8", "replace")[:_LETTERS]
    )


def _chinese() -> str:
    return "如有雷同，纯属巧合。老师把两份作业放在一起看，一行一行地读。\n\n" * 20


def _page(text: str, encoding: str) -> bytes:
    body = "".join(f"<p class=a>{line}</p>" for line in text.splitlines() if line)
    head = f"<meta charset={encoding}><style>.a {{color: #333}}</style><script>1 < 2</script>"
    table = "<table><tr><td>one<td>two</table><ul><li>a &amp; b<li>c</ul><!-- unseen -->"
    return f"<!doctype html><html>{head}<body>{body}{table}".encode(encoding, "xmlcharrefreplace")


def _word(text: str) -> bytes:
    document, held = docx.Document(), io.BytesIO()
    document.add_heading("One", 1)
    for line in filter(None, text.splitlines()):
        run = document.add_paragraph(line, style="List Bullet").add_run(" and more words")
        run.bold = run.font.hidden = True
    table = document.add_table(2, 2)
    table.cell(0, 0).text = "in a cell"
    document.sections[0].header.paragraphs[0].text = "head"
    document.save(held)
    return held.getvalue()


def _pdf(text: str, packing: int) -> bytes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rl_config, "useA85", 0)  # streams of bytes, as other programs write them
        return _pages(text, packing)


def _pages(text: str, packing: int) -> bytes:
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    held = io.BytesIO()
    canvas = Canvas(held, pagesize=A5, pageCompression=packing, invariant=1)
    canvas.setTitle("One")
    for page in range(2):
        canvas.bookmarkPage(str(page))
        canvas.addOutlineEntry(str(page), str(page))
        canvas.setFont("STSong-Light" if ord(max(text)) > 0x3000 else "Helvetica", 9)
        for number, line in enumerate(text.splitlines()[page::2]):
            canvas.drawString(30, 560 - 12 * number, line[:80])
        canvas.showPage()
    canvas.save()
    return held.getvalue()


def _archive(texts: list[str], packing: int) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", packing) as archive:
        archive.writestr("a/one.txt", texts[0])
        archive.writestr("b/二.txt", texts[1].encode("gb18030"))
        archive.writestr("c.html", _page(texts[0], "utf-8"))
        archive.writestr("d.docx", _word(texts[1]))
    return held.getvalue()


def _rows(texts: list[str]) -> list[Mapping[str, str]]:
    return [
        {"title": f"{number}", "author": "Wu", "date": "2026-05-01", "text": text}
        for number, text in enumerate(texts * 3)
    ]


def _csv(texts: list[str]) -> str:
    rows = [["title", "author", "text"], *([r["title"], "Wu", r["text"]] for r in _rows(texts))]
    return "\n".join(",".join('"' + c.replace('"', '""') + '"' for c in row) for row in rows)


def _parquet(texts: list[str], packing: str) -> bytes:
    held, rows = io.BytesIO(), _rows(texts)
    table = pyarrow.table({name: [row[name] for row in rows] for name in rows[0]})
    pyarrow.parquet.write_table(table, held, compression=packing, row_group_size=4)
    return held.getvalue()


def _sheet(texts: list[str]) -> bytes:
    book, held = openpyxl.Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    sheet.append(["姓名", "班级", "note", "n"])
    for number in range(20):
        sheet.append([f"name {number}", "3", texts[number % 2][:80], number / 2])
    book.save(held)
    return held.getvalue()


def _rich(text: str) -> bytes:
    head = (
        r"{\rtf1\ansi\ansicpg936\deff0{\fonttbl{\f0\fcharset134 Song;}{\f1 Times;}}"
        r"{\colortbl;\red255\green255\blue255;}{\info{\title T}{\author Wu}}"
    )
    lines = [
        r"\f1 " + line
        if line.isascii()
        else "".join(rf"\'{byte:02x}" for byte in line.encode("gbk"))
        for line in text.encode("gbk", "replace").decode("gbk").splitlines()
    ]
    body = "".join(rf"\pard\f0 {line}{{\v\cf1 x}}\u22914?{{\footnote n}}\par" for line in lines)
    return (head + body + r"\trowd\intbl a\cell b\cell\row}").encode("ascii", "replace")


def _old_word(text: str) -> bytes:
    runs = [
        (f"{line}\r", b"\x42\x2a\x08" * (n % 2), b"") for n, line in enumerate(text.split("\n"))
    ]
    cells = [("a\x07b\x07", b"\x3c\x08\x01", b"\x16\x24\x01"), ("\x13 x\x14y\x15\r", b"", b"")]
    return word_97(
        [*runs[:12], *cells],
        heads=[("head\r", b"", b"")],
        footnotes=[("\x02 note\r", b"", b"")],
        summary=summary(title="T", author="Wu"),
    )


def _old_slides(text: str) -> bytes:
    persist = [record(0x03F3, struct.pack("<5I", n, 0, 0, 0, 0)) for n in (2, 3)]
    slides = held(0x0FF0, persist[0], wide(text[:300]), persist[1])
    art = held(0xF002, record(0xF00D, record(0x0FA8, b"in a box")))
    return ppt([held(0x03E8, slides), held(0x03EE, wide(text), art), held(0x03EE, art)])


def _saved_page(text: str) -> bytes:
    page = base64.encodebytes(_page(text, "gb18030"))
    head = b'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="x"\n\n--x\n'
    part = b"Content-Type: text/html; charset=gb2312\nContent-Transfer-Encoding: base64\n\n"
    return head + part + page + b"\n--x--\n"


def _notebook(text: str) -> bytes:
    cells = [
        {"cell_type": kind, "source": text.splitlines(keepends=True)}
        for kind in ("markdown", "code")
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}).encode()


def _mail(text: str) -> bytes:
    message = EmailMessage()
    message["Subject"], message["From"] = "读书报告", "Wu <wu@example.org>"
    message.set_content(text)
    message.add_alternative(_page(text, "utf-8").decode(), subtype="html")
    message.add_attachment(text.encode(), "text", "plain", filename="作业.txt")
    return message.as_bytes()


def _outlook(text: str) -> bytes:
    return outlook(
        _0037001F="读书报告".encode("utf-16-le"),
        _1000001E=text.encode("gbk", "replace"),
        _10130102=_page(text, "utf-8"),
        A0_3707001F="作业.txt".encode("utf-16-le"),
        A0_37010102=text.encode(),
    )
