"""Short names of witnesses, from the names of people where there are any."""

from __future__ import annotations

import pytest

from simhash_core.variants.witness import sigla


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (["01-陈思远.docx", "08-刘子墨.docx", "12-黄嘉怡.pdf"], ["陈", "刘", "黄"]),
        (["陈思远", "陈嘉怡", "刘子墨"], ["思", "嘉", "刘"]),
        (["陈嘉远", "陈嘉怡", "陈思远"], ["远", "怡", "思"]),
        (["欧阳修", "欧小华"], ["欧阳", "欧"]),
        (["作文一 王梓涵", "作文二 赵一诺", "作文三 孙浩然"], ["王", "赵", "孙"]),
        (["text 1", "text 2", "text 3"], ["甲", "乙", "丙"]),
        (["a", "a", "a"], ["甲", "乙", "丙"]),
        (["03-emma-clarke.pdf", "05-daniel-okafor.docx", "09-tom-whitfield.docx"],
         ["EC", "DO", "TW"]),
        (["emma clarke", "eric carter", "tom whitfield"], ["EmC", "ErC", "TW"]),
        (["essay-anna.txt", "essay-ben.txt", "essay-cleo.txt"], ["A", "B", "C"]),
    ],
)  # fmt: skip
def test_names_become_sigla(names: list[str], wanted: list[str]) -> None:
    assert sigla(names, han=True) == wanted


def test_blind_gives_letters() -> None:
    assert sigla(["陈思远", "刘子墨"], han=True, blind=True) == ["甲", "乙"]
    assert sigla(["Emma Clarke", "Tom Whitfield"], han=False, blind=True) == ["A", "B"]


def test_letters_do_not_repeat() -> None:
    assert sigla(["1"] * 60, han=False)[25:28] == ["Z", "A2", "B2"]
    assert len(set(sigla(["1"] * 300, han=True))) == 300


def test_letter_that_is_an_initial_is_not_given_again() -> None:
    assert sigla(["Anna", "Ben", "77"], han=False) == ["A", "B", "C"]
