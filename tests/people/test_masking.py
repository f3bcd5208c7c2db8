"""Names are hidden inside texts as whole names, and nothing else is changed."""

from __future__ import annotations

import itertools
import re
import unicodedata

import opencc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.i18n import translator
from simhash_core.model import Document, Skipped
from simhash_core.people.authorship import find_person_names
from simhash_core.people.masking import Hider, Mask, build_hider
from simhash_core.report.names import one_line
from simhash_core.signs import make_visible


def written(name: str, **meta: str) -> Document:
    return Document.from_text("x", name=name, **meta)


CLASS = [
    written("张三_123400_assignsubmission_file_/读书报告.docx"),
    written("作业.docx", person="王力", number="2023001"),
    written("The.txt", person="高原", number="20230777"),
    written("新建 Microsoft Word 文档.docx", author="Microsoft Office User"),
    written("homework final.txt", person="Mark Will"),
    written("03.pdf", author="Emma Clarke"),
    written("1.docx", person="刘子墨、欧阳小红"),
    written("2.docx", author="Li, Na"),
    written("3.docx", person="Sean O’Brien"),
    written("4.docx", person="José Müller"),
    written("5.docx", person="阿不都·买买提"),
    written("6.docx", author="林老师", editor="微软用户"),
]


@pytest.fixture(scope="module")
def hide() -> Hider:
    return build_hider(
        CLASS, translator("zh"), others=["赵一诺", "A-2023099"], reviewers=["林老师"]
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        # one person in several spellings
        ("刘子墨写的，劉子墨写的，刘 子 墨写的", "[姓名]写的，[姓名]写的，[姓名]写的"),
        ("By Emma Clarke, form 9", "By [姓名], form 9"),
        ("CLARKE, Emma; Clarke Emma", "[姓名]; [姓名]"),
        ("emma_clarke emma.clarke EmmaClarke", "[姓名] [姓名] [姓名]"),
        ("Ｅｍｍａ　Ｃｌａｒｋｅ’s", "[姓名]’s"),
        ("Li Na and Na Li, LI Na", "[姓名] and [姓名], [姓名]"),
        ("O'Brien, Sean; Sean O’Brien", "[姓名]; [姓名]"),
        ("Jose Muller, José Müller", "[姓名], [姓名]"),
        ("阿不都·买买提说，欧阳小红说", "[姓名]说，[姓名]说"),
        ("张三_123400", "[姓名]_[学号]"),
        ("赵一诺没有交", "[姓名]没有交"),
        # whole names only
        ("王力宏唱歌，张三丰练拳", "王力宏唱歌，张三丰练拳"),
        ("王力认为，王力和李四", "[姓名]认为，[姓名]和李四"),
        ("王力红说，国王力排众议，小王力气大", "王力红说，国王力排众议，小王力气大"),
        ("the dilemma of Clarkeson", "the dilemma of Clarkeson"),
        # names that are also words
        ("高原上的风，青藏高原", "高原上的风，青藏高原"),
        ("姓名：高原 组员：高原、王力", "姓名：[姓名] 组员：[姓名]、[姓名]"),
        ("高原同学说", "[姓名]同学说"),
        ("the mark will be; The Mark Will Be", "the mark will be; The Mark Will Be"),
        ("says Mark Will today", "says [姓名] today"),
        # parts of names
        ("Emma said, 子墨说", "Emma said, 子墨说"),
        ("Name: Emma\n我叫子墨", "Name: [姓名]\n我叫[姓名]"),
        # words of file names, and who is nobody
        ("作业和读书报告：the final homework", "作业和读书报告：the final homework"),
        ("新建 Microsoft Word 文档，The Office User", "新建 Microsoft Word 文档，The Office User"),
        ("林老师说", "林老师说"),
        # numbers and addresses
        ("学号 2023001。20230011，1.2023001", "学号 [学号]。20230011，1.2023001"),
        ("共 123400 元，学号：123400", "共 123400 元，学号：[学号]"),
        ("a.b+c@school.example.org，２０２３０７７７", "[邮箱]，[学号]"),
        ("a-2023099 和 A-20230991", "[学号] 和 A-20230991"),
        ("", ""),
    ],
)
def test_whole_names_inside_a_text_are_replaced(hide: Hider, text: str, shown: str) -> None:
    assert hide(text).cut(0, len(text)) == shown


def test_doubtful_places_are_found_and_can_be_overruled(hide: Hider) -> None:
    text = "高原上的风，张三说。"
    doubtful, sure = hide.ranges_in(text)
    id_ = Document.from_text(text).id
    turned = Hider(hide.names, hide.labels, frozenset({(id_, 0), (id_, sure.start)}))

    assert (doubtful.sure, sure.sure) == (False, True)
    assert turned(text).cut(0, len(text)) == "[姓名]上的风，张三说。"
    assert turned(text + " ").cut(0, len(text)) == "高原上的风，[姓名]说。", "another text"


def test_a_teacher_who_wrote_the_template_is_no_pupil() -> None:
    documents = [written("1", author="孙晓梅"), written("2", author="周雨桐")]
    person = [written("1", person="孙晓梅")]

    assert set(find_person_names(documents, reviewers=["孙晓梅"]).full) == {"周雨桐"}
    assert set(find_person_names(person, reviewers=["孙晓梅"]).full) == {"孙晓梅"}


def test_files_called_one_way_name_persons_also_where_they_were_not_read() -> None:
    listed = ["01-刘子墨.txt", "02-郑可欣.txt", "03-王梓涵.docx", "方案.docx", "读书报告.txt"]
    names = find_person_names([written(name) for name in listed])
    assert names.full == {"刘子墨": True, "郑可欣": True, "王梓涵": True}
    assert find_person_names([written(name) for name in listed[2:]]).full == {}
    unread = [Skipped("赵一诺_123409_assignsubmission_file_/扫描.pdf", "scan")]
    names = find_person_names([], skipped=unread)
    assert names.full == {"赵一诺": True} and names.numbers == {"123409"}


# --------------------------------------------------------------------------- properties
SPELLINGS = (
    *("刘子墨", "劉子墨", "刘 子 墨", "欧阳小红", "阿不都·买买提", "赵一诺"),
    *("Emma Clarke", "CLARKE, Emma", "emma.clarke", "Ｅｍｍａ　Ｃｌａｒｋｅ", "Na Li"),
    *("José Müller", "2023001", "20230777", "zhang@school.example"),
)
#: words of file names, names of others, halves of names: all of it stays
FILLING = st.sampled_from(
    (
        *(
            "作业",
            "读书报告",
            "The",
            "final",
            "新建",
            "文档",
            "Clarkeson",
            "子",
            "墨绿色",
            "202300",
        ),
        *(
            "王力宏",
            "青藏高原",
            "张三丰",
            "the mark will",
            "1",
            "\n",
            "\r\n",
            "\t",
            "🙂",
            "e\u0301",
        ),
    )
)


@given(
    parts=st.lists(
        st.tuples(st.lists(FILLING, max_size=4), st.sampled_from(SPELLINGS)), max_size=6
    ),
    cuts=st.lists(st.floats(0, 1), max_size=6),
)
def test_names_are_replaced_and_every_other_character_stays(
    hide: Hider, parts: list[tuple[list[str], str]], cuts: list[float]
) -> None:
    text = shown = ""
    for words, name in parts:
        filling = "".join(f"{word}，" for word in words)
        kind = "[邮箱]" if "@" in name else "[学号]" if name.isdecimal() else "[姓名]"
        text, shown = f"{text}{filling}。{name}。", f"{shown}{filling}。{kind}。"
    mask = hide(text)
    at = sorted({0, len(text), *(int(cut * len(text)) for cut in cuts)})

    assert mask.cut(0, len(text)) == make_visible(shown)
    pieces = [mask.cut(low, high) for low, high in itertools.pairwise(at)]
    assert "".join(pieces) == make_visible(shown), (
        "each place stands once, wherever a passage begins"
    )


LETTERS = st.characters(categories=("L", "N", "P", "Zs"), include_characters="\n@_王力高原张三")
TO_SIMPLIFIED = opencc.OpenCC("t2s").convert


def folded(text: str) -> list[str]:
    """Return the letters of a text word by word, in any order, case, width and script."""
    plain = TO_SIMPLIFIED(unicodedata.normalize("NFKC", text).casefold())
    bare = unicodedata.normalize("NFD", plain)
    words = re.findall(r"[^\W_]+", re.sub(r"[\u0300-\u036f]", "", bare))
    return sorted("".join(words))


@given(
    names=st.lists(st.text(LETTERS, min_size=1, max_size=12), max_size=4),
    rest=st.lists(st.text(LETTERS, max_size=20), min_size=5, max_size=5),
)
def test_whatever_is_replaced_is_a_name_and_apart_from_the_next(
    names: list[str], rest: list[str]
) -> None:
    documents = [written(f"{at}.txt", person=name) for at, name in enumerate(names)]
    one = build_hider(documents, translator("en"))
    text = "".join(part + name for part, name in zip(rest, [*names, "", "", "", ""], strict=False))
    mask = one(text)
    known = [folded(name) for name in one.names.full]
    parts = [folded(word) for name in one.names.full for word in re.split(r"\W+", name)]

    assert all(a[1] <= b[0] for a, b in itertools.pairwise(mask.spans))
    for found in one.ranges_in(text):
        stands = folded(text[found.start : found.end])
        assert 0 <= found.start < found.end <= len(text)
        if found.kind == "name" and found.sure:
            assert stands in known or stands in parts or any(map(set(stands).issubset, known))
    starts, ends = [0, *(s[1] for s in mask.spans)], [*(s[0] for s in mask.spans), len(text)]
    outside = "".join(text[a:b] for a, b in zip(starts, ends, strict=True))
    labels = list(one.labels.values())
    kept = re.sub("|".join(map(re.escape, labels)), "", mask.cut(0, len(text)))
    assert make_visible(outside) == kept or any(label in text for label in labels)


def test_names_across_runs_stand_once_and_marks_become_visible() -> None:
    mask = Mask("0123456789", ((3, 6, "X"),))
    for cut in range(11):
        assert mask.cut(0, cut) + mask.cut(cut, 10) in ("012X6789", "012X6789")
    assert mask.cut(4, 5) == ""
    nobody = build_hider([written("1.txt"), written("作业.docx")], translator("en"))
    assert nobody("一 1 作业").cut(0, 6) == "一 1 作业"
    assert make_visible("a\u202eb\x1b[2J\u2066") == "a[U+202E]b[U+001B][2J[U+2066]"
    assert make_visible("一\t二\n三") == "一\t二\n三"
    assert one_line("a\n\u200fb") == "a [U+200F]b"
