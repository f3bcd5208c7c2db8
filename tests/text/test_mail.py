"""Mail and saved pages: the text of the message, what is attached beside it."""

from __future__ import annotations

import contextlib
import struct
import time
from email.message import EmailMessage

import pytest
from text.handmade import code_of, compound, outlook

from simhash_core.errors import Unreadable
from simhash_core.text.extract import extract
from simhash_core.text.extract import mail as mail_reader
from simhash_core.text.extract.extracted import Extracted
from simhash_core.text.extract.mail import (
    expand_rich_text,
    list_attached_to_eml,
    list_attached_to_msg,
)

TEXT = "如有雷同，纯属巧合。老师把两份作业放在一起看，一行一行地读。"


def mail(text: str = TEXT, charset: str = "utf-8") -> EmailMessage:
    message = EmailMessage()
    message["Subject"], message["From"] = "读书报告 report", "Wu <wu@example.org>"
    message["Date"] = "Mon, 04 May 2026 10:00:00 +0800"
    message.set_content(text, charset=charset)
    return message


def read(data: bytes, suffix: str = "eml") -> Extracted:
    kind, found = extract(data, suffix=suffix)
    assert kind == suffix
    return found


@pytest.mark.parametrize("charset", ["utf-8", "gb18030", "gb2312", "big5"])
def test_eml_gives_the_text_of_the_message(charset: str) -> None:
    text = "電腦與網路，純屬巧合" if charset == "big5" else TEXT
    found = read(mail(text, charset).as_bytes())

    assert found.text.strip() == text
    assert found.meta["title"] == "读书报告 report"
    assert found.meta["author"] == "Wu <wu@example.org>"


def test_eml_prefers_plain_text_and_reads_the_page_where_there_is_none() -> None:
    both = mail("plain words of it")
    both.add_alternative("<p>words <b>of</b> the page", subtype="html")
    page = EmailMessage()
    page.set_content(f"<p>{TEXT}<p style='color:white'>zebra", subtype="html")
    found = read(page.as_bytes())

    assert read(both.as_bytes()).text.strip() == "plain words of it"
    assert found.text.strip() == TEXT
    assert [note.code for note in found.notes] == ["left_out"]


def test_eml_joins_lines_that_flow() -> None:
    head = b"Content-Type: text/plain; charset=utf-8; format=flowed%s\n\n"
    lines = b"one two \nthree\n\nfour \n"

    assert read(head % b"" + lines).text == "one two three\n\nfour "
    assert read(head % b"; delsp=yes" + "如有 \n雷同".encode()).text == "如有雷同"


def test_what_is_attached_is_taken_and_pictures_of_the_text_are_not() -> None:
    message = mail()
    message.add_alternative("<p>page<img src='cid:x'>", subtype="html")
    page = message.get_payload(1)
    page.add_related(b"\x89PNG", "image", "png", cid="<x>", filename="logo.png")
    message.make_mixed()
    message.add_attachment(b"docx bytes", "application", "x", filename="作业 1.docx")
    message.add_attachment("words of a text", filename="a.txt")
    message.add_attachment(b"sign", "application", "pkcs7-signature", filename="smime.p7s")
    inner = mail("the text of the message inside")
    inner.add_attachment(b"deep", "application", "x", filename="deep.docx")
    message.add_attachment(inner)
    found = list_attached_to_eml(message.as_bytes())

    assert [(name, data[:4]) for name, data in found] == [
        ("作业 1.docx", b"docx"),
        ("a.txt", b"word"),
        ("读书报告 report.eml", b"Subj"),
    ]
    assert read(message.as_bytes()).text.strip() == TEXT
    assert [name for name, _ in list_attached_to_eml(found[2][1])] == ["deep.docx"]


@pytest.mark.parametrize(
    "data",
    [
        b"Subject: =?utf-8?b?\xff?=\n\nwords of a message that goes on",
        b"From: \xff\xfe\nContent-Type: text/plain; charset=no-such\n\nwords",
        b"Content-Type: text/plain; charset=utf-8\n\n\xc8\xe7\xd3\xd0\xc0\xd7\xcd\xac",
        b"Content-Type: multipart/mixed; boundary=x\n\n--x\nno end",
        b"Content-Type: multipart/mixed\n\nno boundary",
        b"no header at all",
    ],
)
def test_eml_that_is_broken_is_read_as_far_as_it_goes(data: bytes) -> None:
    assert isinstance(read(data), Extracted)
    assert list_attached_to_eml(data) == []


def test_eml_of_many_parts_is_refused() -> None:
    part = b"--x\n\nwords\n"
    data = b"Content-Type: multipart/mixed; boundary=x\n\n" + part * 600 + b"--x--"
    with pytest.raises(Unreadable) as caught:
        list_attached_to_eml(data)
    assert (caught.value.code, caught.value.params) == ("archive_limit", {"limit": "count"})


@pytest.mark.parametrize(
    ("head", "title"),
    [
        (b"Subject: =?gb2312?B?tsHK6bGouOY=?= one", "读书报告 one"),
        ("Subject: 读书报告是老师布置的作业".encode("gbk"), "读书报告是老师布置的作业"),
        ("Subject: 读书报告".encode(), "读书报告"),
        (b"Subject: =?no-such?b?tsHK6Q==?=", "=?no-such?b?tsHK6Q==?="),
        (b"Subject: plain\n folded", "plain folded"),
    ],
)
def test_subject_is_decoded_however_it_is_written(head: bytes, title: str) -> None:
    assert read(head + b"\n\nwords of the message").meta["title"] == title


def test_names_of_attached_files_are_decoded_however_they_are_written() -> None:
    for written in (
        b'filename="=?gbk?B?1/fStS5kb2M=?="',
        b"filename*=utf-8''%E4%BD%9C%E4%B8%9A.doc",
    ):
        head = b"Content-Type: multipart/mixed; boundary=x\n\n--x\n"
        part = b"Content-Disposition: attachment; " + written + b"\n\nbytes\n--x--"
        assert list_attached_to_eml(head + part) == [("作业.doc", b"bytes")]


@pytest.mark.parametrize(
    "data",
    [
        b"Content-Type: text/plain" + b";" * 1_000_000 + b"\n\nwords",
        b"From: " + b"a@b, " * 300_000 + b"\n\nwords",
        b"Subject: " + b"=?utf-8?q?a?= " * 100_000 + b"\n\nwords",
        b"Content-Type: multipart/mixed; boundary=x\n\n" * 3_000,
        b"Content-Type: message/rfc822\n\n" * 20_000 + b"words",
        b"--x\n" * 200_000,
        b"Content-Transfer-Encoding: base64\n\n" + b"=" * 3_000_000,
    ],
)
def test_hostile_mail_ends_soon(data: bytes) -> None:
    began = time.perf_counter()
    for reader in (list_attached_to_eml, lambda data: extract(data, suffix="eml")):
        with contextlib.suppress(Unreadable):
            reader(data)
    assert time.perf_counter() - began < 5


# ------------------------------------------------------------------------------ saved pages

PAGE = (
    b"From: <Saved by Blink>\nMIME-Version: 1.0\n"
    b'Content-Type: multipart/related; type="text/html"; boundary="x"\n\n--x\n'
    b"Content-Type: text/html; charset=gb2312\nContent-Transfer-Encoding: quoted-printable\n\n"
    b"<p>=C8=E7=D3=D0=C0=D7=CD=AC=A1=A3<p>=C0=CF=CA=A6\n--x\nContent-Type: image/png\n\nx\n--x--"
)


@pytest.mark.parametrize("suffix", ["mhtml", "mht", "doc", "txt", ""])
def test_mhtml_gives_its_page_under_any_suffix(suffix: str) -> None:
    kind, found = extract(PAGE, suffix=suffix)

    assert (kind, found.text) == ("mhtml", "如有雷同。\n老师")


def test_mhtml_without_a_page_is_damaged() -> None:
    assert code_of(b"MIME-Version: 1.0\nContent-Type: image/png\n\nx", "mhtml") == "damaged"


# ------------------------------------------------------------------------------ Outlook


def test_msg_gives_the_text_of_the_message_and_what_is_attached() -> None:
    data = outlook(
        _0037001F="读书报告".encode("utf-16-le"),
        _0C1A001E="吴".encode("gbk"),
        _1000001E=f"{TEXT}\r\nWu".encode("gbk"),
        _10130102=b"<img src='cid:logo'>",
        A0_3707001F="作业.docx".encode("utf-16-le"),
        A0_37010102=b"docx bytes",
        A1_3704001E=b"LOGO.PNG",
        A1_3712001E=b"logo",
        A1_37010102=b"\x89PNG",
    )
    found = read(data, "msg")

    assert found.text == f"{TEXT}\nWu"
    assert found.meta == {"title": "读书报告", "author": "吴"}
    assert list_attached_to_msg(data) == [("作业.docx", b"docx bytes")]


def test_msg_reads_the_page_or_rich_text_where_there_is_no_plain_one() -> None:
    page = outlook(_10130102=f"<p>{TEXT}".encode())
    rich = outlook(_10090102=bytes.fromhex(HELLO))

    assert read(page, "msg").text == TEXT
    assert read(rich, "msg").text == "hello world\n"


def test_msg_inside_a_message_is_its_text() -> None:
    inner = "__attach_version1.0_#00000000/__substg1.0_3701000D/__substg1.0_"
    streams = {
        "__properties_version1.0": bytes(32),
        f"{inner}0037001F": "in/side".encode("utf-16-le"),
        f"{inner}1000001F": TEXT.encode("utf-16-le"),
    }
    assert list_attached_to_msg(compound(streams)) == [("in-side.txt", TEXT.encode())]


# the two examples of [MS-OXRTFCP] 3.1
HELLO = (
    "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d"
    "0a800fa0"
)
REPEATED = "1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0"


def test_rich_text_of_outlook_is_expanded_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (
        expand_rich_text(bytes.fromhex(HELLO))
        == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    )
    assert expand_rich_text(bytes.fromhex(REPEATED)) == b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"
    assert expand_rich_text(struct.pack("<4I", 20, 5, 0x414C454D, 0) + b"plain too") == b"plain"
    for cut in range(16, 40):
        expand_rich_text(bytes.fromhex(HELLO)[:cut])
    with pytest.raises(Unreadable):
        expand_rich_text(b"short")
    monkeypatch.setattr(mail_reader, "_MOST_RICH", 2_000)
    with pytest.raises(Unreadable) as caught:
        expand_rich_text(bytes(16) + (b"\0" + b"x" * 8) * 2_000)
    assert caught.value.code == "too_long"
