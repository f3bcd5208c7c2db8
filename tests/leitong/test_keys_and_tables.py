"""Keys come back as they were given, missing texts are named, tables of any package are read."""

from __future__ import annotations

import json
import sqlite3
import warnings
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import leitong as lt
from leitong._given import Fields, choose_fields, texts_of
from tests.leitong.conftest import ALL, RAIN, SLEPT, frame, names

RECORDS = [{"id": 1, "body": RAIN}, {"id": 2, "body": SLEPT, "date": "2024-05-01"}]
CHOSEN = choose_fields("body", "id", ())


def keys(given: Any, columns: Fields = ALL) -> list[Any]:
    return [key.label for key in texts_of(given, columns).keys]


# --------------------------------------------------------------------------- keys


@pytest.mark.parametrize(
    ("given", "expected", "called"),
    [
        ([(7, RAIN), (9, SLEPT)], [7, 9], ["7", "9"]),
        ({7: RAIN, 9: SLEPT}, [7, 9], ["7", "9"]),
        ({("a", 1): RAIN, ("a", 2): SLEPT}, [("a", 1), ("a", 2)], ["('a', 1)", "('a', 2)"]),
        ({date(2024, 5, 1): RAIN, None: SLEPT}, [date(2024, 5, 1), None], ["2024-05-01", "None"]),
        ([RAIN, SLEPT], [0, 1], ["text 1", "text 2"]),
        (pd.Series([RAIN, SLEPT], index=[4, 2]), [4, 2], ["4", "2"]),
        (frame(), [0, 1], ["0", "1"]),
        (frame().set_index([[1, 2], ["x", "y"]]), [(1, "x"), (2, "y")], ["(1, 'x')", "(2, 'y')"]),
        (zip([1, 2], [RAIN, SLEPT], strict=True), [1, 2], ["1", "2"]),
    ],
    ids=["pairs", "dict", "tuples", "dates", "list", "series", "frame", "levels", "zip"],
)
def test_any_key_is_kept_and_shown(given: Any, expected: list[Any], called: list[str]) -> None:
    texts = texts_of(given)

    assert [key.label for key in texts.keys] == expected
    assert [document.name for document in texts.documents] == called


def test_pairs_join_back_to_the_frame() -> None:
    table = pd.DataFrame({"id": [31, 32, 33], "text": [RAIN, None, SLEPT]})
    result = lt.check(table, name="id")
    (pair,) = result.pairs()

    assert (pair["row_a"], pair["row_b"], pair["key_a"], pair["key_b"]) == (0, 2, 31, 33)
    joined = result.pairs().to_pandas().merge(table, left_on="key_b", right_on="id")
    assert joined["text"].tolist() == [SLEPT]
    assert (
        table["text"].iloc[pair["row_b"]]
        == SLEPT
        == result.passages(2, 0)[0]["text_b"] + SLEPT[len(RAIN) :]
    )
    again = result.at(result.threshold).without(min_match=2).passages()
    assert {(row["key_a"], row["key_b"]) for row in again} == {(31, 33)}


def test_texts_of_one_name_are_told_apart() -> None:
    table = pd.DataFrame({"title": ["A", "A"], "text": [RAIN, SLEPT]})
    result = lt.check(table, name="title", against=[("A", "They say: " + RAIN)])

    found = sorted((row["row_a"], row["row_b"]) for row in result.pairs())
    assert found == [(0, 1), (0, 2), (1, 2)]
    texts = result.texts()
    assert [(row["row"], row["reference"]) for row in texts] == [(0, False), (1, False), (2, True)]
    assert len(result.passages(0, 1)) == 1


# --------------------------------------------------------------------------- missing


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ([RAIN, None, SLEPT], "text 2"),
        ([RAIN, float("nan"), SLEPT], "text 2"),
        ([RAIN, np.float32("nan"), SLEPT], "text 2"),
        ([RAIN, np.datetime64("NaT"), SLEPT], "text 2"),
        ({"a": RAIN, "b": pd.NaT, "c": SLEPT}, "b"),
        ([("a", RAIN), (3, None), ("c", SLEPT)], "3"),
        (pd.Series([RAIN, pd.NA, SLEPT], dtype="string"), "1"),
        (pd.DataFrame({"text": [RAIN, np.nan, SLEPT]}), "1"),
        ([{"text": RAIN}, {"title": "no text"}, {"text": SLEPT}], "1"),
    ],
    ids=lambda value: str(value)[:24].replace("\n", " "),
)
def test_missing_text_is_skipped_by_name(given: Any, missing: str) -> None:
    found = texts_of(given)

    assert [(row.name, row.code) for row in found.skipped] == [(missing, "missing")]
    assert [document.text for document in found.documents] == [RAIN, SLEPT]


# --------------------------------------------------------------------------- records, other tables


def test_records_are_a_table_and_json_without_them_is_none(tmp_path: Path) -> None:
    assert keys(RECORDS, CHOSEN) == keys(iter(RECORDS), CHOSEN) == [1, 2]
    assert names(RECORDS) == ["0", "1"]
    assert texts_of(RECORDS).documents[1].meta == {"date": "2024-05-01"}
    for name, content in (
        ("a.json", json.dumps(RECORDS, indent=1)),
        ("lines.json", "\n".join(map(json.dumps, RECORDS))),
    ):
        (tmp_path / name).write_text(content, "utf-8")
        found = texts_of(tmp_path / name, CHOSEN)
        assert [document.text for document in found.documents] == [RAIN, SLEPT]
        assert names(tmp_path / name) == [f"{name}#1", f"{name}#2"]
    (tmp_path / "a.json").write_text('{"name": "package"}', "utf-8")
    assert [row.code for row in texts_of(tmp_path / "a.json").skipped] == ["unsupported"]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_columns_of_a_file_can_be_chosen(tmp_path: Path, kind: str) -> None:
    table = pd.DataFrame({"id": [1, 2], "text": ["x", "y"], "said": [RAIN, SLEPT]})
    path = tmp_path / f"a.{kind}"
    if kind == "jsonl":
        table.to_json(path, orient="records", lines=True)
    else:
        (table.to_csv if kind == "csv" else table.to_parquet)(path, index=False)

    found = texts_of(path, choose_fields("said", "id", ()))
    assert [(one.name, one.text) for one in found.documents] == [("1", RAIN), ("2", SLEPT)]
    gaps = texts_of(path, choose_fields("text", None, ()))  # "x" and "y" are too short
    assert [row.code for row in gaps.skipped] == ["too_short", "too_short"]
    with lt.Library(tmp_path / "a.library", create=True) as library:
        assert library.add("all", path, text="said").added == 2
    with pytest.raises(lt.LeitongError, match="no column"):
        lt.check(path, text="else", language="en")


def test_rows_of_a_file_are_counted_as_those_of_its_frame(tmp_path: Path) -> None:
    table = pd.DataFrame({"id": [31, 32, 33], "text": [RAIN, None, SLEPT]})
    table.to_csv(tmp_path / "a.csv", index=False)

    (pair,) = lt.check(tmp_path / "a.csv", name="id").pairs()
    assert (pair["row_a"], pair["row_b"]) == (0, 2)
    assert table["text"].iloc[pair["row_b"]] == SLEPT


def test_tables_of_arrow_and_queries_are_checked() -> None:
    arrow = pytest.importorskip("pyarrow")
    table = arrow.Table.from_pylist([*RECORDS[:1], dict(RECORDS[1], date=None)])
    base = sqlite3.connect(":memory:")
    base.execute("create table said (id integer, body text)")
    base.executemany("insert into said values (:id, :body)", RECORDS)

    for given in (
        table,
        table.to_reader(),
        table.to_batches()[0],
        base.execute("select * from said"),
    ):
        assert keys(given, CHOSEN) == [1, 2]
    assert names(table["body"]) == ["text 1", "text 2"]
    with pytest.raises(lt.LeitongError) as caught:
        lt.check(table, text="words", language="en")
    assert str(caught.value) == "There is no column words; the columns are: id, body"


def test_frames_of_polars_and_relations_of_duckdb_are_checked() -> None:
    polars = pytest.importorskip("polars")
    duckdb = pytest.importorskip("duckdb")
    said = polars.DataFrame([dict(row, date=None) for row in RECORDS])

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for given in (said, said.lazy(), duckdb.sql("select * from said")):
            assert keys(given, CHOSEN) == [1, 2]
        assert names(said["body"]) == ["text 1", "text 2"]


# --------------------------------------------------------------------------- names of files


def test_patterns_homes_and_open_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "all").mkdir()
    for name, text in (("a.txt", RAIN), ("b.txt", SLEPT)):
        (tmp_path / "all" / name).write_text(text, "utf-8")

    for given in ("all/*.txt", "~/all/*.txt", ["all/*.txt"], "~/all", Path("~/all"), "**/*.txt"):
        assert sorted(names(given)) == ["a.txt", "b.txt"], given
    with Path("all/a.txt").open("rb") as binary, Path("all/b.txt").open(encoding="utf-8") as text:
        assert names(binary) == ["a.txt"]
        assert names([binary, text]) == ["a.txt", "b.txt"]
        assert lt.compare(binary, text).a == "a.txt"
    with pytest.raises(lt.LeitongError, match="no such file or folder: all/"):
        lt.check("all/*.docx", language="en")
    assert names(["Is it ** or * that it was?", "It was [not] that at all."]) == [
        "text 1",
        "text 2",
    ]


# --------------------------------------------------------------------------- HTML

PAGE = (
    "<!DOCTYPE html><html><head><meta charset=gb2312><title>Rain</title>"
    f"<style>p {{color: red}}</style></head><body><p>{RAIN}</p>"
    "<p>Über die Brücke kam niemand.</p><script>var x = 1</script></body></html>"
)


def test_html_is_read_as_html() -> None:
    table = pd.DataFrame({"id": [5, 6], "text": [PAGE, RAIN], "author": ["Li", "Wu"]})
    texts = texts_of(table, choose_fields(None, "id", ()))
    page = texts.documents[0]

    assert [key.label for key in texts.keys] == [5, 6] and page.name == "5"
    assert RAIN in page.text and "Über die Brücke" in page.text
    assert "<" not in page.text and "var x" not in page.text and "color" not in page.text
    assert (page.meta["author"], page.meta["title"]) == ("Li", "Rain")
    assert page.notes[0].code == "html_text"


def test_pieces_of_pages_are_html_and_articles_about_html_are_not() -> None:
    piece = f'<div class="post"><p>{RAIN}</p><p>Nobody slept.</p></div>\n'
    about = f"Write <div> and </div>, or <p> and </p>:\n\n```\n<ul><li>{RAIN}</li></ul>\n```\n"
    texts = texts_of({"piece": piece, "about": about, "less": f"a < b, b > c: {RAIN}"})

    assert [one.format for one in texts.documents] == ["html", "txt", "txt"]
    assert texts.documents[0].text.split() == (RAIN + " Nobody slept.").split()
    assert texts.documents[1].text == about


def test_tags_within_a_text_are_said_and_pages_without_words_named() -> None:
    loose = f"{RAIN}<br><br>Nobody <b>slept</b>.<br/>It was <a href='x'>said</a>."
    (one,) = texts_of([loose]).documents
    assert one.text == loose
    assert [(note.code, dict(note.params)) for note in one.notes] == [("html_tags", {"n": 7})]
    found = texts_of({"a": "<html><body><p> </p></body></html>", "b": RAIN})
    assert [(row.name, row.code) for row in found.skipped] == [("a", "empty")]
    assert [key.label for key in found.keys] == ["b"]
