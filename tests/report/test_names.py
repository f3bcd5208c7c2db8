"""Names in small places keep both ends, and leave out what all of them share."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.model import Document
from simhash_core.report.names import columns, cut_middle, name_files, name_texts


@pytest.mark.parametrize("width", [8, 15, 40])
@pytest.mark.parametrize(
    "name", ["ch07-04-bringing-paths__2018", "一个很长很长的中文文件名2018", "a"]
)
def test_a_shortened_name_keeps_both_ends_and_fits(name, width):
    short = cut_middle(name, width)
    assert columns(short) <= width
    assert short[0] == name[0] and short[-1] == name[-1]
    assert short == name or "…" in short


def test_names_leave_out_what_all_share_and_texts_only_compared_with_carry_a_mark():
    long = [f"kaisery__ch0{n}-bringing-paths-into-scope__2018-12-31.md" for n in range(3)]
    naming = name_files(long)
    assert naming.prefix == "kaisery__"
    assert naming.stems[0] == "ch00-bringing-paths-into-scope__2018-12-31"
    assert naming.whole == tuple(long)
    # endings stay where they tell names apart
    assert name_files(["a.txt", "a.docx"]).stems == ("a.txt", "a.docx")
    assert name_files(["a.txt", "b.docx"]).stems == ("a", "b")
    assert name_files([]).stems == ()
    # an archive of few authors is called by its files
    articles = [hand_in(f"{n}.txt", person="Ann Lee") for n in range(4)]
    assert name_texts(articles).names == ("0.txt", "1.txt", "2.txt", "3.txt")
    # texts that are only compared with carry a mark
    both = [hand_in("a.txt"), hand_in("old/a.txt", person="Ann Lee")]
    assert name_texts(both, references=1, mark="reference").stems == ("a", "[reference] Ann Lee")
    # a long name shows where it differs from the one most like it
    long = "-".join(["part"] * 12)
    stems = name_files([f"{long}-{year}-{long}" for year in (2017, 2018)]).stems
    assert len(set(stems)) == 2 and all(columns(stem) <= 60 for stem in stems)
    assert "2017" in stems[0] and "2018" in stems[1]


def hand_in(path: str, **meta: str) -> Document:
    return replace(Document.from_text("text", name=path), meta=meta)


def test_a_text_is_called_by_who_wrote_it_and_told_apart_by_number_or_file():
    zipped = "class.zip/{}_1_assignsubmission_file_/{}"
    naming = name_texts(
        [
            hand_in(
                zipped.format("张三", "读书报告.docx"), person="张三", number="20", title="untitled"
            ),
            hand_in(zipped.format("李四", "1.pdf"), person="李四"),
            hand_in("late/李五.docx"),
        ]
    )
    assert naming.names == ("张三", "李四", "late/李五.docx")
    assert naming.stems == ("张三", "李四", "李五")
    assert naming.files == ("读书报告.docx", "1.pdf", "")
    assert naming.whole[0] == "张三 · 20 · class.zip/张三_1_assignsubmission_file_/读书报告.docx"
    # two of one name are told apart by number and two texts of one by file
    same_name = [hand_in("a/1.docx", person="Ann Lee", number="7"),
                 hand_in("b/1.docx", person="Ann Lee", number="9")]  # fmt: skip
    assert name_texts(same_name).names == ("Ann Lee 7", "Ann Lee 9")
    assert name_texts(same_name).files == ("1.docx", "1.docx")
    versions = [
        hand_in("a/first.docx", person="Ann Lee"),
        hand_in("a/final.docx", person="Ann Lee"),
    ]
    assert name_texts([*versions, hand_in("c.txt", person="Bo")]).names == (
        "Ann Lee · first", "Ann Lee · final", "Bo",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("mark", "short"),
    [
        ("reference", "[reference] Barthol…de Vries"),
        ("a collection 2025", "[a collection… Meer de Vries"),
    ],
)
def test_a_mark_stays_whole_before_a_name_that_is_shortened(mark, short):
    both = [hand_in("a.txt"), hand_in("old/a.txt", person="Bartholomew van der Meer de Vries")]
    assert name_texts(both, references=1, mark=mark).short(1) == short


@given(st.lists(st.text("ab/.-", min_size=1, max_size=50), min_size=1, max_size=8, unique=True))
def test_names_of_files_stay_apart(paths):
    assert len(set(name_texts([hand_in(path) for path in paths]).stems)) == len(paths)
