"""Reworded sentences beside the old ones, equal substitutions together, and excerpts."""

from __future__ import annotations

from simhash_core.model import Document
from simhash_core.reposts import (
    Excerpt,
    changes_between,
    excerpt_of,
    head_of,
    overlap_of,
    read_versions,
    rewordings,
)
from simhash_core.reposts.rewordings import tokens_of
from tests.reposts.stories import SENTENCES, article, text

RULES = "\n".join(
    f"第{n}条规定由交通部负责检查{what}，并向社会公布结果。"
    for n, what in zip("一二三四", ("车辆", "船舶", "桥梁", "隧道"), strict=True)
)


def made(before: Document, after: Document):  # type: ignore[no-untyped-def]
    a, b = read_versions([before, after])
    return rewordings(before, after, changes_between(a, b, overlap_of(a, b)))


def test_equal_substitutions_are_counted_together() -> None:
    later = RULES.replace("交通部", "交通运输部").replace("隧道", "涵洞")
    found = made(text(RULES, "a"), text(later, "b"))

    assert [(one.before, one.after, one.count) for one in found.substitutions] == [
        ("交通部", "交通运输部", 4)
    ]
    assert found.others == 1
    assert len(found.sentences) == 4


def test_parts_and_tokens_joined_are_the_sentences() -> None:
    found = made(text(RULES, "a"), text(RULES.replace("交通部", "交通运输部"), "b"))
    parts = found.sentences[0]
    assert "".join(part.before for part in parts) == RULES.split("\n")[0][:-1]
    assert "".join(part.after for part in parts if not part.equal) == "交通运输部"
    for sentence in ("他说：“it's 3.5 米”。", "", " a  b\tc", "修表匠"):
        assert "".join(tokens_of(sentence)) == sentence


def excerpt(before: str, after: str) -> Excerpt | None:
    a, b = read_versions([text(before, "a"), text(after, "b")])
    return excerpt_of(a, b, overlap_of(a, b))


def test_excerpt_says_what_it_keeps_unless_it_is_most_of_a_text() -> None:
    found = excerpt(article(), article(1, 2, 8))
    assert len(found.stretches) == 2
    assert 0.2 < found.shared / found.whole < 0.4
    assert all(0 <= start < end <= 1 for start, end in found.stretches)
    other = "证券交易所昨日公布了新的上市规则，审核时间缩短到三十天。" * 4
    assert excerpt(article(), article(0, 1, 2, 3, 4, 5, 6)) is None
    assert excerpt(article(), SENTENCES[0] + other) is None
    assert excerpt(article(), "") is None


def test_comment_of_a_page_is_no_sentence_and_no_time_is_part_of_a_name() -> None:
    before = text("标题\n作者：王某 昨日消息\n<!-- INFO END -->\n" + article(), "a")
    a, b = read_versions([before, text(article(), "b")])
    changed = changes_between(a, b, overlap_of(a, b))
    writer = head_of(before).writer

    assert writer.text == "王某"
    assert all("INFO" not in before.text[start:end] for start, end in changed.removed)
