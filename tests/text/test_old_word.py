"""Word before 2007 and Rich Text: every kind of text once, what nobody sees left out."""

from __future__ import annotations

import struct
import time

import pytest
from text.handmade import Run, code_of, compound, summary, word_97

from simhash_core.text.extract import extract
from simhash_core.text.extract.extracted import Extracted

SEEN = "Words that a reader sees on the page, and which are more than five."


def rtf(body: str, head: str = "") -> bytes:
    fonts = (
        r"{\fonttbl{\f0\fcharset0 Times;}{\f1\fcharset134 SimSun;}{\f2\fcharset136 MingLiU;}"
        r"{\f3\fcharset204 Cyr;}{\f4\fnil\cpg932 Gothic;}}"
    )
    colours = r"{\colortbl;\red255\green255\blue255;\red0\green0\blue0;\red250\green250\blue250;}"
    return f"{{\\rtf1\\ansi\\ansicpg936\\deff0{head}{fonts}{colours}{body}}}".encode("latin-1")


def read(data: bytes, suffix: str) -> Extracted:
    kind, found = extract(data, suffix=suffix)
    assert kind == suffix
    return found


def left_out(found: Extracted) -> dict[str, object]:
    return {note.code: note.params["n"] for note in found.notes}


# ------------------------------------------------------------------------------------- rtf


def test_rtf_reads_every_kind_of_text_once() -> None:
    body = (
        r"{\header HEAD\par}{\headerf HEAD\par}{\footer FOOT\par}"
        r"Plain {\field{\*\fldinst HYPERLINK x}{\fldrslt LINK}}{\footnote \chftn NOTE}\par"
        r"{\*\bkmkstart a}{\listtext 1.\tab}item{\shp{\*\shpinst{\sp{\sn w}{\sv 1}}"
        r"{\shptxt BOX\par}}{\shprslt{\*\do{\dptxbxtext BOX\par}}}} anchor\par"
        r"\trowd\intbl A1\cell B1\cell\row C1\par C2\cell D\cell\row\pard "
        r"tab\tab stop\line line\par {\upr{old}{\*\ud{new}}}\~{\*\unknown hidden}\par"
    )
    found = read(rtf(body), "rtf")

    assert found.text == (
        "Plain LINK\nitem anchor\nBOX\nA1\tB1\nC1\nC2\tD\ntab\tstop\nline\nnew\xa0\n"
        "NOTE\nHEAD\nFOOT\n"
    )
    assert found.notes == ()


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"\f1\'c8\'e7\'d3\'d0\'c0\'d7\'cd\'ac", "如有雷同"),
        (r"\f0\'c8\'e7", "如"),  # of the code page of the file
        (r"\f2\'b9\'70", b"\xb9\x70".decode("cp950")),
        (r"\f1\'d3d", b"\xd3d".decode("gbk")),  # the second byte is a letter
        (r"\f3\'cf\'f0", "Пр"),
        (r"\f4\'82\'a0", "あ"),
        (r"\u22914?\u26377?", "如有"),
        (r"\uc2\u22914\'c8\'e7\u26377xx\uc0\u38647\u21516", "如有雷同"),
        (r"\u-10179?\u-8704?", "\U0001f600"),
        (r"\u-8704?", "\ufffd"),
        ("\xc8\xe7\xd3\xd0", "如有"),  # as they are
        (r"\emdash\ldblquote a\rdblquote\bullet", "—“a”•"),
        (r"a\'zz b\|c", "azz bc"),
    ],
)
def test_rtf_decodes_what_its_fonts_say(written: str, text: str) -> None:
    assert read(rtf(written), "rtf").text == f"{text}\n"


@pytest.mark.parametrize(
    ("look", "seen"),
    [
        (r"\v", False),
        (r"\v0", True),
        (r"\cf1", False),
        (r"\cf3", False),
        (r"\cf2", True),
        (r"\cf1\highlight2", True),
        (r"\cf2\highlight2", False),
        (r"\cf1\plain", True),
        (r"\fs8", False),
        (r"\fs21", True),
        (r"\pard\cbpat2\cf1", True),
        (r"\trowd\clcbpat2\intbl\cf1", True),
        (r"\trowd\intbl\cf1", False),
    ],
)
def test_rtf_leaves_out_what_nobody_sees(look: str, seen: bool) -> None:
    found = read(rtf(SEEN + r"\par{" + look + r" zebra}\par"), "rtf")

    assert ("zebra" in found.text) == seen
    assert left_out(found) == ({} if seen else {"left_out": 5})


def test_rtf_counts_what_it_does_not_read_and_takes_its_properties() -> None:
    body = (
        r"{\info{\title \'d7\'f7\'ce\'c4}{\author Wu}{\creatim\yr2026\mo5\dy4\hr1}}"
        rf"{SEEN}{{\deleted struck out by somebody}}{{\*\annotation c}}{{\pict 00ff}}\par"
    )
    found = read(rtf(body), "rtf")

    assert found.text == f"{SEEN}\n"
    assert left_out(found) == {"deleted": 22, "comments": 1, "pictures": 1}
    assert found.meta == {"title": "作文", "author": "Wu", "date": "2026-05-04"}


def test_rtf_of_which_nothing_is_seen_is_compared() -> None:
    found = read(rtf(rf"{{\v {SEEN}}}\par"), "rtf")

    assert found.text == SEEN
    assert [note.code for note in found.notes] == ["hidden_text"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (r"{\pict 00ff}", "scanned"),
        ("{" * 20_000 + "x", "damaged"),
        ("word " * 500_000, "too_long"),
    ],
)
def test_rtf_that_cannot_be_read_is_named(body: str, code: str) -> None:
    assert code_of(rtf(body), "rtf") == code


@pytest.mark.parametrize(
    "body",
    [r"\bin999999999 x", "{" * 9_000, r"\u", "\\", r"{\fonttbl{\f-1\fcharset999999 x;", "}}}}x"],
)
def test_rtf_that_is_broken_ends_soon(body: str) -> None:
    began = time.perf_counter()
    extract(rtf(body), suffix="rtf")
    assert time.perf_counter() - began < 2


def test_rtf_and_doc_are_told_under_any_suffix() -> None:
    for suffix in ("txt", "doc", "docx", "wps", ""):
        assert extract(rtf(SEEN), suffix=suffix)[0] == "rtf"
    data = word_97([run(f"{SEEN}\r")])
    for suffix in ("wps", "dot", "docx", "txt", "ppt", ""):
        assert extract(data, suffix=suffix) == ("doc", read(data, "doc"))
    assert extract(SEEN.encode(), suffix="doc")[0] == "txt"


# ------------------------------------------------------------------------------------- doc

VANISH, DELETED = b"\x3c\x08\x01", b"\x00\x08\x01"
WHITE_INK, PALE, BLACK_INK = b"\x42\x2a\x08", b"\x70\x68\xfa\xfa\xfa\x00", b"\x42\x2a\x01"
TINY, USUAL = b"\x43\x4a\x06\x00", b"\x43\x4a\x15\x00"
MARKED_BLACK, MARKED_WHITE = b"\x0c\x2a\x01", b"\x0c\x2a\x08"
DARK_BLOCK, IN_TABLE, ROW_END = b"\x2d\x44\x20\x00", b"\x16\x24\x01", b"\x16\x24\x01\x17\x24\x01"
DARK_SHADE = b"\x71\xca\x0a" + bytes(4) + bytes([10, 10, 60, 0]) + bytes(2)


def run(text: str, letters: bytes = b"", paragraph: bytes = b"") -> Run:
    return text, letters, paragraph


def test_doc_reads_every_kind_of_text_once() -> None:
    main = [
        run("Plain \x13 HYPERLINK \x01 \x14LINK\x15 汉字\x02\r"),
        run("tab\tstop\x0bline\x1ebreak\x1f\r"),
        run("A1\x07B1\x07", paragraph=IN_TABLE),
        run("\x07", paragraph=ROW_END),
        run("C1\rC2\x07\x07", paragraph=IN_TABLE),
        run("\x07", paragraph=ROW_END),
        run("last\r"),
    ]
    data = word_97(
        main,
        footnotes=[run("\x02 NOTE\r")],
        endnotes=[run("END\r")],
        heads=[run("HEAD\r"), run("HEAD\r"), run("FOOT\r")],
        boxes=[run("BOX\r\r")],
        comments=[run("\x05a comment\r"), run("\x05another\r")],
        summary=summary(title="作文", author="Wu", editor="Li"),
    )
    found = read(data, "doc")

    assert found.text == (
        "Plain LINK 汉字\ntab\tstop\nline-break\nA1\tB1\nC1\nC2\t\nlast\nBOX\n\n NOTE\nEND\n"
        "HEAD\nFOOT\n"
    )
    assert left_out(found) == {"comments": 2}
    assert found.meta == {"title": "作文", "author": "Wu", "editor": "Li"}


@pytest.mark.parametrize(
    ("letters", "paragraph", "seen"),
    [
        (VANISH, b"", False),
        (b"\x3c\x08\x00", b"", True),
        (b"\x3c\x08\x80", b"", True),  # as its style says
        (WHITE_INK, b"", False),
        (PALE, b"", False),
        (BLACK_INK, b"", True),
        (WHITE_INK + MARKED_BLACK, b"", True),
        (BLACK_INK + MARKED_BLACK, b"", False),
        (WHITE_INK + MARKED_WHITE, b"", False),
        (WHITE_INK + DARK_SHADE, b"", True),
        (WHITE_INK, DARK_BLOCK, True),
        (WHITE_INK, IN_TABLE, True),  # cells have a ground of their own
        (TINY, b"", False),
        (USUAL, b"", True),
    ],
)
def test_doc_leaves_out_what_nobody_sees(letters: bytes, paragraph: bytes, seen: bool) -> None:
    runs = [run(f"{SEEN}\r"), run("zebra", letters, paragraph), run("\r")]
    found = read(word_97(runs), "doc")

    assert ("zebra" in found.text) == seen
    assert left_out(found) == ({} if seen else {"left_out": 5})


def test_doc_counts_deletions_and_pictures() -> None:
    runs = [run(f"{SEEN}\r\x01"), run("struck out by somebody", DELETED), run("\r")]
    found = read(word_97(runs), "doc")

    assert "struck" not in found.text
    assert left_out(found) == {"deleted": 22, "pictures": 1}


def test_doc_of_word_95_is_read_in_the_code_page_of_its_language() -> None:
    text = "如有雷同，纯属巧合。\x07\x07老师\x13 PAGE \x14读\x15\r".encode("gb18030")
    head = bytearray(0x300)
    struct.pack_into("<5H", head, 0, 0xA5DC, 0x68, 0, 0x804, 0)
    struct.pack_into("<2I", head, 0x18, len(head), len(head) + len(text))
    found = read(compound({"WordDocument": bytes(head) + text}), "doc")

    assert found.text == "如有雷同，纯属巧合。\n老师读\n"


@pytest.mark.parametrize(
    ("data", "suffix", "code"),
    [
        (word_97([run(SEEN)], flags=0x100), "doc", "encrypted"),
        (compound({"EncryptedPackage": b"x" * 90, "EncryptionInfo": b"y"}), "docx", "encrypted"),
        (compound({"WordDocument": b"\xff\xff" + bytes(900)}), "doc", "legacy_doc"),
        (compound({"CONTENTS": b"CHNKWKS" + bytes(900)}), "wps", "works"),
        (compound({"MN0": bytes(900)}), "wps", "works"),
        (compound({"Workbook": bytes(900)}), "xls", "legacy_xls"),
        (compound({"PP40": bytes(900)}), "ppt", "legacy_ppt"),
        (compound({"PerfectOffice_MAIN": bytes(900)}), "wpd", "wordperfect"),
        (compound({"HwpSummaryInformation": bytes(900)}), "hwp", "hwp"),
        (compound({"Something": bytes(900)}), "txt", "unsupported"),
        (word_97([run(SEEN)])[:1200], "doc", "damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "doc", "damaged"),
        (b"\xdb\xa5\x2d\x00" + bytes(600), "doc", "legacy_doc"),
        (b"<?xml version='1.0'?><?mso-application progid='Word.Document'?>", "doc", "legacy_doc"),
        (bytes(range(256)) * 9, "doc", "damaged"),
        (b"\xffWPC" + bytes(90), "wpd", "wordperfect"),
        (b"CAJ\0" + bytes(90), "caj", "caj"),
        (b"AT&TFORM" + bytes(90), "djvu", "djvu"),
    ],
)
def test_what_is_not_read_says_what_to_do(data: bytes, suffix: str, code: str) -> None:
    assert code_of(data, suffix) == code


def test_streams_in_a_circle_and_pieces_upon_each_other_are_refused() -> None:
    data = bytearray(word_97([run(f"{SEEN}\r")]))
    at = data.index("WordDocument".encode("utf-16-le"))
    struct.pack_into("<Q", data, at + 120, 0xFFFFFFF0)  # its size
    assert code_of(bytes(data), "doc") == "damaged"
    data = word_97([run(f"{SEEN * 30}\r")], pieces=1_000)
    assert code_of(data, "doc") == "damaged"
