"""What can be checked, and the sentence that says what to pass instead of what cannot."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import leitong as lt
from leitong._given import choose_fields, texts_of
from tests.leitong.conftest import RAIN, SLEPT, frame, names
from tests.prose import chinese


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((RAIN, SLEPT), ["text 1", "text 2"]),
        ((text for text in (RAIN, SLEPT)), ["text 1", "text 2"]),
        (iter([("a", RAIN), ("b", SLEPT)]), ["a", "b"]),
        ({"a": RAIN, "b": SLEPT}.items(), ["a", "b"]),
        (np.array([RAIN, SLEPT]), ["text 1", "text 2"]),
        ([lt.Document.from_text(RAIN, name="a"), SLEPT], ["a", "text 2"]),
        (lt.Document.from_text(RAIN, name="a"), ["a"]),
        (pd.Series([RAIN, SLEPT]), ["0", "1"]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_collections_of_texts(given: Any, expected: list[str]) -> None:
    assert names(given) == expected


def test_frame_is_checked_by_its_texts_never_by_its_columns() -> None:
    result = lt.check(frame(date=["2024-01-01", "2024-02-01"]), name="id")

    assert repr(result) == "<leitong.Result: 2 texts, 1 pair, 1 cluster>"
    assert [document.name for document in result.core.documents] == ["law-1", "law-2"]
    assert result.core.documents[1].text == SLEPT


def test_columns_of_a_frame_become_metadata_whose_headings_may_be_chinese() -> None:
    table = frame(date=pd.to_datetime(["2024-01-01", None]), paper=["Post", None])
    first, second = texts_of(table, choose_fields(None, "id", ["paper"])).documents
    assert dict(first.meta) == {"date": "2024-01-01", "paper": "Post"}
    assert dict(second.meta) == {}
    table = pd.DataFrame({"编号": [1], "正文": ["昨夜下了一整夜的雨，河水涨到第三级台阶。"]})
    assert names(table) == ["0"]
    assert names(frame()[lambda rows: rows["id"] == "law-2"]) == ["1"]


def test_anything_with_named_columns_is_a_table() -> None:
    class Table:
        columns = ("content", "file")

        def __getitem__(self, name: str) -> list[str]:
            return {"content": [RAIN], "file": ["a.txt"]}[name]

    assert names(Table()) == ["a.txt"]


def test_files_and_folders(essays: Path) -> None:
    listed = sorted(path.name for path in essays.iterdir())

    assert sorted(names("essays")) == sorted(names(essays)) == listed
    assert sorted(names([str(path) for path in essays.iterdir()])) == listed
    assert sorted(names(pd.Series([str(path) for path in essays.iterdir()]))) == listed


def test_folders_are_found_after_the_caller_has_moved(
    essays: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names("essays")  # the workers are there now, and stand here
    other = tmp_path / "other"
    (other / "more").mkdir(parents=True)
    (other / "more" / "a.txt").write_text(RAIN, encoding="utf-8")
    monkeypatch.chdir(other)

    assert names("more") == names(["more"]) == ["a.txt"]


def test_archives_and_tables_of_texts(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("a.txt", RAIN)
    frame().to_csv(tmp_path / "laws.csv", index=False)

    assert names(tmp_path / "all.zip") == ["all.zip/a.txt"]
    assert names(tmp_path / "laws.csv") == ["laws.csv#law-1", "laws.csv#law-2"]


def test_texts_are_read_like_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(RAIN, encoding="utf-8")
    (from_file,) = texts_of(tmp_path / "a.txt").documents
    (from_text,) = texts_of({"a.txt": RAIN}).documents

    assert (from_text.id, from_text.language) == (from_file.id, from_file.language)


def test_empty_and_short_texts_are_named_as_those_of_files_are() -> None:
    result = lt.check({"none": "", "blank": " \n", "few": "only three words", "rain": RAIN})

    assert [(one["name"], one["code"]) for one in result.skipped()] == [
        ("none", "empty"),
        ("blank", "empty"),
        ("few", "too_short"),
    ]


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        ("just one string", "given_string", "“just one string” is no file"),
        (RAIN * 100, "given_string", "To check texts, pass several"),
        ("missing.docx", "given_no_file", "no such file or folder: missing.docx"),
        (Path("nowhere"), "given_no_file", "no such file or folder: nowhere"),
        (["a.txt", "b.txt"], "given_no_file", "a.txt, b.txt"),
        ([Path("a"), RAIN], "given_no_file", "no such file or folder: a"),
        (None, "given_kind", "NoneType is no collection of texts"),
        (float("nan"), "given_kind", "float is no collection"),
        (b"bytes", "given_kind", "bytes is no collection"),
        (3, "given_kind", "int is no collection"),
        (io.StringIO(RAIN), "given_kind", "StringIO is no collection"),
        ([], "given_nothing", "nothing to check"),
        ({}, "given_nothing", "nothing to check"),
        ([None, float("nan")], "given_missing", "All 2 texts are missing: None or NaN"),
        ([{"id": 1, "text": RAIN}, 3], "given_value", "Text 2 (text 2) is int"),
        ([([1], RAIN)], "given_value", "Text 1 (text 1) is tuple"),
        ([(RAIN, 3)], "given_value", "Text 1 (text 1) is int"),
        (pd.DataFrame({RAIN: [SLEPT]}), "given_columns", "the columns are: It rained all n"),
        ([RAIN, b"bytes"], "given_bytes", 'decode("utf-8")'),
        ([RAIN, 3], "given_value", "Text 2 (text 2) is int"),
        ({"text": [RAIN, SLEPT]}, "given_value", "Text 1 (text) is list"),
        ([("a", RAIN, 1)], "given_value", "is tuple"),
        (pd.DataFrame({"id": [1], "words": [RAIN]}), "given_columns", "id, words"),
    ],
    ids=lambda value: str(value)[:24].replace("\n", " "),
)
def test_what_is_refused_and_what_to_pass(given: Any, code: str, said: str) -> None:
    with pytest.raises(lt.LeitongError) as caught:
        lt.check(given, language="en")

    assert caught.value.code == code
    assert said in str(caught.value)


def test_paths_and_texts_are_not_mixed(essays: Path) -> None:
    with pytest.raises(lt.LeitongError) as caught:
        lt.check(["essays", RAIN, SLEPT], language="en")

    assert str(caught.value).startswith("1 of 3 items name files that are there, such as ")


@pytest.mark.parametrize(
    ("given", "chosen", "code"),
    [
        (frame(), {"text": "body"}, "given_no_column"),
        (frame(), {"name": "Id"}, "given_no_column"),
        (frame(), {"meta": ["year"]}, "given_no_column"),
        ([RAIN], {"text": "text"}, "given_no_table"),
    ],
)
def test_columns_that_are_not_there(given: Any, chosen: dict[str, Any], code: str) -> None:
    with pytest.raises(lt.LeitongError) as caught:
        lt.check(given, **chosen)

    assert caught.value.code == code


def test_refusals_are_said_in_the_language_that_is_asked_for() -> None:
    with pytest.raises(lt.LeitongError, match="不是一组文本"):
        lt.check(None, language="zh")  # type: ignore[arg-type]
    with pytest.raises(lt.LeitongError, match="one of zh, en"):
        lt.check([RAIN], language="fr")


def test_files_are_under_those_who_handed_them_in(tmp_path):
    hand_ins = (("陈思远", 31001, "1.txt"), ("陈思远", 31001, "终稿.txt"), ("李青", 31002, "1.txt"))
    for person, number, file in hand_ins:
        path = tmp_path / f"{person}_{number}_assignsubmission_file_" / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(chinese(number, 400), "utf-8")
    result = lt.check(tmp_path)

    assert sorted(Path(one.name).name for one in result.core.documents) == ["1.txt", "终稿.txt"]
    assert {one.meta["person"] for one in result.core.documents} == {"陈思远", "李青"}
    assert [row["code"] for row in result.skipped()] == ["earlier_version"]
