"""Tables as rows of text."""

from __future__ import annotations

import io
import zipfile

import pytest
from text.handmade import workbook, zipped

from simhash_core.errors import Unreadable
from simhash_core.text.extract.rows import read_tables


@pytest.mark.parametrize(
    "data",
    [
        "学号,姓名\n1,王梓涵\n\n".encode(),
        "学号;姓名\r\n1;王梓涵\r\n".encode("utf-8-sig"),
        "学号\t姓名\n1\t王梓涵".encode("gb18030"),
        workbook([["学号", "姓名"], [1.0, "王梓涵"], [None, None]]),
    ],
)
def test_a_class_list_reads_the_same_in_every_format(data: bytes) -> None:
    suffix = "xlsx" if data[:2] == b"PK" else "csv"

    assert read_tables(data, suffix=suffix) == [[["学号", "姓名"], ["1", "王梓涵"]]]


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 nothing", b"no workbook"])
def test_what_is_no_workbook_is_damaged(data: bytes) -> None:
    with pytest.raises(Unreadable) as caught:
        read_tables(data, suffix="xlsx")

    assert caught.value.code == "damaged"


@pytest.mark.parametrize(
    "member", ["docProps/core.xml", "xl/styles.xml", "xl/worksheets/sheet1.xml"]
)
@pytest.mark.parametrize("broken", [b"<a", b"<a>" * 300 + b"</a>" * 300, b"<a/>"])
def test_a_workbook_with_broken_parts_is_damaged_or_read(member: str, broken: bytes) -> None:
    sound = zipfile.ZipFile(io.BytesIO(workbook([["学号", "姓名"]])))
    parts = {name: broken if name == member else sound.read(name) for name in sound.namelist()}
    try:
        rows = read_tables(zipped(parts), suffix="xlsx")
    except Unreadable as reason:
        assert reason.code == "damaged"
    else:
        assert rows in ([[["学号", "姓名"]]], [[]])
