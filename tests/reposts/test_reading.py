"""Headline, writer and source of a text."""

from __future__ import annotations

import pytest

from simhash_core.model import Document
from simhash_core.reposts import Head, head_of

BODY = "\n他每天黄昏沿着河走，把灯一盏盏点亮。\n后来路灯换成了电灯，只有桥头的一盏还留着。"


def head(text: str) -> Head:
    return head_of(Document.from_text(text, name="a"))


@pytest.mark.parametrize(
    ("line", "what", "read"),
    [
        ("本报记者 李明", "writer", "李明"),
        ("记者：李明 王小红", "writer", "李明 王小红"),
        ("作者：欧阳兰", "writer", "欧阳兰"),
        ("文/李明", "writer", "李明"),
        ("By Mary Ann Evans", "writer", "Mary Ann Evans"),
        ("Written by Tom O'Hara", "writer", "Tom O'Hara"),
        ("来源：城市晚报", "source", "城市晚报"),
        ("2025-11-03 07:10 来源：城市晚报 作者：李明", "source", "城市晚报"),
        ("本文转载自《城市晚报》", "source", "城市晚报"),
        ("转自公众号老城故事", "source", "公众号老城故事"),
        ("Source: City Evening Post", "source", "City Evening Post"),
        ("Originally published in The Evening Post", "source", "The Evening Post"),
    ],
)
def test_writer_and_source_are_read_from_the_head(line: str, what: str, read: str) -> None:
    mention = getattr(head(f"城中最后一座煤气路灯\n{line}{BODY}"), what)

    assert mention.text == read


def test_names_stand_at_their_places() -> None:
    text = f"# 城中最后一座煤气路灯\n来源：城市晚报 记者 李明{BODY}\n（记者王红）"
    of_text = head(text)

    for mention in (of_text.title, of_text.source, of_text.writer):
        assert text[mention.start : mention.end] == mention.text
    assert of_text.title.text == "城中最后一座煤气路灯"


def test_reporters_in_brackets_count_and_those_of_a_story_do_not() -> None:
    mention = head(f"路灯\n{'河边的老街上住着一位点灯人。' * 12}（记者李明）").writer
    assert mention.text == "李明"
    text = (
        "路灯\n"
        + "一天，记者来到河边，问他为什么还要每天点灯，他笑着没有回答，只是继续往前走。" * 5
    )
    assert head(text).writer is None


def test_text_without_a_headline_has_none_nor_a_writer_in_its_middle() -> None:
    assert head("他每天黄昏沿着河走，把灯一盏盏点亮。\n后来路灯换成了电灯。").title is None
    assert head("").title is None
    assert head(f"{'他每天黄昏沿着河走把灯一盏盏点亮' * 8}{BODY}").title is None
    assert head(f"{'Every evening he walked along the river ' * 8}{BODY}").title is None

    line = "\n河边的老街上住着一位点灯人。"
    middle = "\n记者：李明\n来源：城市晚报"
    assert head(f"路灯{line * 30}{middle}{line * 30}").writer is None
    assert head(f"路灯{line * 30}{middle}{line * 30}").source is None
    assert head(f"路灯{line * 30}{middle}").writer is not None
