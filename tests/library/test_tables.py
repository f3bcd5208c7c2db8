"""Rows of tables become documents with what their columns say, whatever the table is."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from simhash_core.errors import BadInput
from simhash_core.library.tables import describes, rows_of
from simhash_core.model import Document

ENGLISH = "The ferry leaves at seven and nobody on the quay waves to it any more."
CHINESE = "渡轮七点离开，码头上再也没有人向它挥手。"
ROWS = [
    {
        "title": "Ferry",
        "author": "A",
        "date": "2024-05-01",
        "url": "https://a.example",
        "text": ENGLISH,
    },
    {"title": "渡轮", "author": "甲, 乙", "date": "", "url": "", "text": f"{CHINESE}\n“{CHINESE}”"},
]


def write_csv(path: Path, rows, *, encoding="utf-8", mark=",", columns=None) -> Path:
    columns = columns or {name: name for name in rows[0]}
    lines = [mark.join(columns.values())]
    for row in rows:
        cells = (str(row[name]).replace('"', '""') for name in columns)
        lines.append(mark.join(f'"{cell}"' for cell in cells))
    path.write_bytes("\r\n".join(lines).encode(encoding))
    return path


def write_json_lines(path: Path, rows) -> Path:
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return path


def write_parquet(path: Path, rows, *, group=None) -> Path:
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path, row_group_size=group)
    return path


WRITERS = {"csv": write_csv, "jsonl": write_json_lines, "parquet": write_parquet}


@pytest.mark.parametrize("kind", WRITERS)
def test_each_format_gives_the_same_texts(kind, tmp_path):
    first, second = rows_of(WRITERS[kind](tmp_path / f"news.{kind}", ROWS))

    assert (first.text, second.text) == (ROWS[0]["text"], ROWS[1]["text"])
    assert first.name == f"news.{kind}#1 Ferry"
    wanted = {"title": "Ferry", "author": "A", "date": "2024-05-01", "url": "https://a.example"}
    assert dict(first.meta) == wanted
    assert dict(second.meta) == {"title": "渡轮", "author": "甲, 乙"}
    assert (first.language, second.language) == ("en", "zh")


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16", "utf-8-sig"])
def test_columns_are_recognised_in_chinese_and_in_its_encodings(encoding, tmp_path):
    titles = {"title": "标题", "author": "作者", "date": "发布时间", "url": "链接", "text": "正文"}
    rows = [*ROWS, *({**ROWS[1], "text": CHINESE * n} for n in range(2, 9))]
    path = write_csv(tmp_path / "a.csv", rows, encoding=encoding, mark=";", columns=titles)
    documents = list(rows_of(path))

    assert [document.text for document in documents] == [row["text"] for row in rows]
    assert documents[1].meta["title"] == "渡轮"


def test_row_without_words_is_named_and_the_others_go_on(tmp_path):
    rows = [{**ROWS[0], "text": "too short"}, {**ROWS[0], "text": ""}, ROWS[0]]
    short, empty, whole = rows_of(write_json_lines(tmp_path / "a.jsonl", rows))

    assert (short.name, short.code) == ("a.jsonl#1 Ferry", "too_short")
    assert (empty.name, empty.code) == ("a.jsonl#2 Ferry", "empty")
    assert isinstance(whole, Document)


def test_parquet_of_many_groups_is_read_in_order(tmp_path):
    rows = [{"name": f"n{n}", "body": f"{ENGLISH} {n}", "published": None} for n in range(2500)]
    path = write_parquet(tmp_path / "a.parquet", rows, group=1100)

    assert [document.name for document in rows_of(path)] == [row["name"] for row in rows]


@pytest.mark.parametrize("kind", WRITERS)
def test_table_without_texts_says_which_columns_it_has(kind, tmp_path):
    path = WRITERS[kind](tmp_path / f"a.{kind}", [{"colour": "red", "size": 3}])

    with pytest.raises(BadInput) as fault:
        list(rows_of(path))
    assert fault.value.code == "table_columns"
    assert fault.value.params["columns"] == "colour, size"


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.jsonl", b'{"text": "cut o'), ("a.jsonl", b"[1, 2]"), ("a.parquet", b"PAR1 and no more")],
)
def test_damaged_table_is_refused(name, data, tmp_path):
    (tmp_path / name).write_bytes(data)

    with pytest.raises(BadInput, match="table_damaged"):
        list(rows_of(tmp_path / name))


def test_rows_are_called_by_their_id(tmp_path):
    table = tmp_path / "archive.csv"
    table.write_text("id,title,body\na6687,Filters,one text\n,Other,another text\n", "utf-8")

    assert [one.name for one in rows_of(table)] == [
        "archive.csv#a6687 Filters",
        "archive.csv#2 Other",
    ]
    details = tmp_path / "details.csv"
    details.write_text("id,name\n7,a.txt\n", "utf-8")
    assert not describes(details)


def test_a_table_of_two_encodings_is_read(tmp_path):
    table, words = tmp_path / "mixed.csv", "河水涨到了第三级台阶，第二天早晨又退了下去。" * 20
    table.write_bytes(f"text\n{words}\n".encode() + f"{words}\n".encode("gb18030"))

    first, *_ = rows_of(table)
    assert isinstance(first, Document)
    assert first.text == words
