"""Names in zip archives that do not say how they are written."""

from __future__ import annotations

import io
import struct
import unicodedata
import zipfile
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from text.handmade import zipped

from simhash_core.errors import Unreadable
from simhash_core.text.extract.names import decode_names, member_names
from simhash_core.text.extract.zipped import open_zip, read_member

#: classes as programs of many countries pack them
ARCHIVES = [
    ("cp437", "Müller Aufsatz.txt"),
    ("cp437", "François Lefèvre essay.txt|José Núñez ensayo.txt|Björn Åberg uppsats.txt"),
    ("cp437", "Zoë Brontë essay.txt|Señora Peña.txt"),
    ("cp437", "MÜLLER.docx"),
    ("cp437", "été.txt"),
    ("cp850", "Müller Aufsatz über Möwen.txt|Jürgen Groß Übung.txt"),
    ("cp850", "João Conceição.pdf"),
    ("cp850", "Søren Ørsted.txt"),
    ("cp1252", "Strauß Größe.docx|François – essai.txt"),
    ("cp852", "Łukasz Wiśniewski.txt|Żółć.txt"),
    ("cp852", "Kovács Győző dolgozat.txt"),
    ("cp857", "Ayşe Yılmaz ödev.txt|Çağrı.txt"),
    ("cp866", "Иванов сочинение.doc"),
    ("cp1251", "Анна Петрова.txt"),
    ("cp737", "Γιώργος εργασία.txt"),
    ("gb18030", "陈小明作文.txt|林美华读书心得.txt"),
    ("gb18030", "张伟.docx"),
    ("gb18030", "王喆 期末报告.docx"),
    ("gb18030", "翟羿.doc"),
    ("cp950", "陳小明作文.txt|林美華讀書心得.txt"),
    ("cp950", "許功蓋.txt"),
    ("cp932", "田中 太郎 作文.txt"),
    ("cp932", "さくら レポート.docx"),
    ("cp949", "김철수 과제.hwp|이영희 독후감.docx"),
    ("utf-8", "José.txt|李青作业.txt|Иванов.txt"),
]


@pytest.mark.parametrize(("encoding", "names"), ARCHIVES)
def test_one_encoding_is_chosen_over_all_names_of_an_archive(encoding: str, names: str) -> None:
    listed = names.split("|")

    assert decode_names([name.encode(encoding) for name in listed]) == listed


def zip_of(*members: tuple[bytes, bytes], utf8: str = "") -> zipfile.ZipFile:
    """Return a zip whose names are bytes without a flag; each with an extra field."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for at, (raw, extra) in enumerate(members):
            info = zipfile.ZipInfo(f"{at}" * len(raw))
            info.extra = extra
            archive.writestr(info, "words")
        if utf8:
            archive.writestr(utf8, "words")
    packed = data.getvalue()
    for at, (raw, _) in enumerate(members):
        packed = packed.replace(f"{at}".encode() * len(raw), raw)
    return zipfile.ZipFile(io.BytesIO(packed))


def unicode_path(raw: bytes, name: str) -> bytes:
    body = struct.pack("<BL", 1, zlib.crc32(raw)) + name.encode()
    return struct.pack("<HH", 0x7075, len(body)) + body


def test_the_name_in_unicode_counts_first_where_it_belongs_to_the_bytes() -> None:
    right = (b"__\x81_1.txt", unicode_path(b"__\x81_1.txt", "李青作业.txt"))
    renamed = (b"other.txt", unicode_path(b"before.txt", "李青作业.txt"))

    assert member_names(zip_of(right, renamed).infolist()) == ["李青作业.txt", "other.txt"]


def test_a_flag_counts_for_its_member_and_decomposed_names_are_composed() -> None:
    archive = zip_of(("Müller.txt".encode("cp437"), b""), utf8="陈小明.txt")
    assert member_names(archive.infolist()) == ["Müller.txt", "陈小明.txt"]
    raw = unicodedata.normalize("NFD", "Zoë Brontë.txt").encode()
    assert member_names(zip_of((raw, b"")).infolist()) == ["Zoë Brontë.txt"]


@given(st.lists(st.binary(max_size=12), max_size=4))
def test_any_bytes_are_a_name(raw: list[bytes]) -> None:
    assert len(decode_names(raw)) == len(raw)


def test_a_member_that_nothing_here_unpacks_says_so() -> None:
    packed = bytearray(zipped({"a.txt": "words"}, zipfile.ZIP_STORED))
    for head, at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        packed[packed.find(head) + at] = 9  # Deflate64
    archive = open_zip(io.BytesIO(bytes(packed)))

    with pytest.raises(Unreadable) as caught:
        read_member(archive, "a.txt", 100)
    assert caught.value.code == "packing"
