"""A text in question: what it is nearest to, its sources, and what its own date is worth."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from simhash_core.i18n import translator
from simhash_core.model import Document
from simhash_core.reposts import LikelySource, Traced, likely_sources, repost_data, trace
from simhash_core.reposts.command import finds
from simhash_core.settings import Settings
from simhash_core.text.dictionary import data_file
from tests.reposts.stories import SENTENCES, article, text


def story(seed: int, sentences: int = 30) -> str:
    """Return a text that has next to nothing in common with that of another seed."""
    draw = random.Random(seed)
    syllables = [first + second for first in "bdfgklmnprst" for second in ("an", "e", "il", "or")]

    def word() -> str:
        return "".join(draw.choices(syllables, k=2))

    lines = [" ".join(word() for _ in range(11)) for _ in range(sentences)]
    return "\n".join(f"The {line}." for line in lines)


OPENING = story(999, 5)


def series(n: int = 5, opening: str = OPENING) -> list[Document]:
    """Return articles that begin with one standard paragraph; the first is the oldest."""
    return [
        text(f"Part {part}\n{opening}\n{story(part)}", f"part {part}", date=f"2022-0{part + 1}-01")
        for part in range(n)
    ]


def answer_to(asked: Document, *known: Document) -> tuple[Traced, LikelySource, str]:
    traced = trace([asked], known)
    (one,) = likely_sources(traced)
    return traced, one, traced.result.documents[one.other].name


def listed(traced: Traced) -> list[list[str]]:
    documents = traced.result.documents
    return [[documents[row].name for row in group.rows] for group in traced.groups]


# --------------------------------------------------------------------------- a series
@pytest.mark.parametrize("date", ["", "2023-01-01", "2020-01-01"])
@pytest.mark.parametrize("opening", [OPENING, story(999, 12)])
def test_copy_of_one_part_of_a_series_is_answered_with_that_part(date: str, opening: str) -> None:
    parts = series(opening=opening)
    asked = text(parts[3].text, "asked", **({"date": date} if date else {}))
    traced, one, nearest = answer_to(asked, *parts)
    (group,) = traced.groups
    (version,) = (one for one in group.versions if one.row == 0)

    assert (nearest, one.kind) == ("part 3", "same")
    assert (one.share, one.of_other) == (1.0, 1.0)
    assert set(listed(traced)[0]) == {"asked", "part 3"}
    assert version.compared == one.other
    assert version.changes.unchanged


def test_parts_of_a_series_are_no_versions_of_each_other() -> None:
    short = text(f"{OPENING}\n{story(50, 5)}", "short", date="2021-01-01")
    parts = series()
    traced, _, nearest = answer_to(text(parts[2].text, "asked"), *parts, short)
    assert nearest == "part 2"
    assert set(listed(traced)[0]) == {"asked", "part 2"}
    traced, one, _ = answer_to(text(f"{OPENING}\n{story(60)}", "new"), *series())
    assert not traced.groups
    assert one.kind == "common"
    assert one.share < 0.25
    assert trace(series()).groups == ()
    parts = series()
    assert listed(trace([*parts, text(parts[1].text, "copy", date="2024-01-01")])) == [
        ["part 1", "copy"]
    ]


def test_common_text_alone_is_no_alert() -> None:
    new, copy = text(f"{OPENING}\n{story(60)}", "new"), text(story(3), "copy")
    batches = [[Path("new")], [Path("copy")]]
    found = finds(
        batches,
        read=lambda paths: [new] if paths == batches[0] else [copy],
        trace=lambda asked: trace(asked, [*series(), text(story(3), "known")]),
        now=lambda: datetime(2026, 1, 1, tzinfo=UTC),
    )

    assert [(one.document.name, one.other.name, one.kind) for one in found] == [
        ("copy", "known", "same")
    ]


def test_paragraph_of_one_text_in_another_is_still_found() -> None:
    source = text(story(1), "source", date="2021-01-01")
    repost = text(story(1) + "\n" + story(70, 2), "repost", date="2021-05-01")
    taken = "\n".join(story(1).split("\n")[10:14])
    host = story(71)
    asked = text(f"{host[:700]}\n{taken}\n{host[700:]}", "asked", date="2022-01-01")
    traced, one, _ = answer_to(asked, source, repost)

    assert listed(traced) == [["source", "repost", "asked"]]
    assert (one.kind, one.earlier) == ("shared", True)


def test_nearest_is_named_and_compared_also_where_another_is_older() -> None:
    first = text(article(), "first", date="2020-01-01")
    second = text(article(0, 1, 2, 3, 4, 5, 6), "second", date="2021-01-01")
    traced, one, nearest = answer_to(text(second.text, "asked"), first, second)
    (group,) = traced.groups
    version = next(one for one in group.versions if one.row == 0)

    assert (nearest, one.kind) == ("second", "same")
    assert traced.result.documents[group.original].name == "first"
    assert version.compared == one.other


# --------------------------------------------------------------------------- without a date
@pytest.mark.parametrize("dated", [True, False])
@pytest.mark.parametrize("kept", [range(10), range(5), (0, 2, 4, 6, 8)])
def test_text_without_a_date_stands_last(kept: range, dated: bool) -> None:
    known = text(article(), "known", **({"date": "2021-03-03"} if dated else {}))
    traced = trace([text(article(*kept) + "\n小编有话说。", "asked")], [known])
    (group,) = traced.groups

    assert listed(traced) == [["known", "asked"]]
    assert [(link.source, link.version) for link in group.links] == [(1, 0)]
    assert not group.conflict
    assert group.dates.order == ((1, 0) if dated else ())


def test_text_that_another_names_as_its_source_may_be_older_without_a_date() -> None:
    """Fairly sure words are heard."""
    before = "\n".join(SENTENCES * 8) + '\n他说:"灯还亮着..."'
    later = "\n".join(SENTENCES * 4) + "\n转载自《城市晚报》\n他说：“灯还亮着……”"
    traced = trace(
        [text(before, "城市晚报")], [text(f"转载自《城市晚报》\n{later}（2021年）", "本地宝")]
    )
    (group,) = traced.groups

    if group.words.level == "fair":
        assert listed(traced) == [["城市晚报", "本地宝"]]


def test_younger_text_in_question_makes_no_false_alarm() -> None:
    """Unsure words make no text the first that says itself that it is younger."""
    known = text(article(0, 1, 2, 3, 4, 5, 6, 7), "known", date="2026-03-02")
    traced = trace([text(article(), "asked", date="2026-03-05")], [known])
    (group,) = traced.groups

    assert not group.conflict
    assert group.first == 1


# --------------------------------------------------------------------------- merged of two
@pytest.mark.parametrize("date", ["", "2023-01-01", "2020-01-01"])
def test_sources_of_a_merged_text_are_its_sources(date: str) -> None:
    parts = series()
    a, b = (part.text.split("\n") for part in (parts[1], parts[3]))
    merged = "\n".join([*a[:26], *b[18:]])
    asked = text(merged, "asked", **({"date": date} if date else {}))
    traced, one, _ = answer_to(asked, *parts)
    data = repost_data(traced, t=translator("en"))
    edges = {(edge["source"], edge["kind"]) for edge in data["edges"] if edge["version"] == "asked"}

    assert edges == {("part 1", "source"), ("part 3", "further")}
    assert [link.kind for link in one.further] == ["further"]
    assert len(data["groups"]) == 1
    assert [(row["name"], row["role"]) for row in data["versions"]] == [
        ("part 1", "version"), ("part 3", "further"), ("asked", "version"),
    ]  # fmt: skip
    assert data["versions"][2]["further"].startswith("part 3 ")
    assert "Further source: “Part 3”" in data["answers"][0]["sentence"]


# --------------------------------------------------------------------------- dates
def test_earlier_date_that_only_the_offered_text_claims_is_called_so() -> None:
    known = text(article(), "known", date="2022-05-11")
    traced, one, _ = answer_to(text(article(), "offered", date="2021-01-01"), known)
    (group,) = traced.groups
    data = repost_data(traced, t=translator("en"))

    assert one.claimed
    assert one.earlier is None
    assert group.first is None
    assert not group.certain
    assert not group.links[0].certain
    assert group.dates.level == "all"
    assert "claimed by the offered text only" in data["answers"][0]["sentence"]
    assert [row["date_claimed"] for row in data["versions"]] == [False, True]
    assert [(edge["source"], edge["version"]) for edge in data["edges"]] == [("known", "offered")]


def test_dates_that_were_copied_or_typed_are_no_claims() -> None:
    head = article(lines=("本报记者 李明  2021年3月1日",))
    traced, one, _ = answer_to(text(head, "pasted"), text(head, "known", date="2021-03-03"))
    assert (one.kind, one.earlier, one.claimed) == ("same", True, False)
    assert listed(traced) == [["known", "pasted"]]
    offered = text(article(), "offered", date="2021-01-01", date_from="hand")
    traced, one, _ = answer_to(offered, text(article(), "known", date="2022-05-11"))
    assert not one.claimed
    assert traced.groups[0].first == 0


@pytest.mark.parametrize("language", ["zh", "en"])
def test_answer_to_a_copy_is_one_sentence(language: str) -> None:
    known = text(article(), "known", date="2022-05-11")
    traced = trace([text(article(), "offered")], [known])
    (answer,) = repost_data(traced, t=translator(language))["answers"]
    said = {
        "zh": "此文与《城中最后一座煤气路灯》（2022-05-11）逐字相同。",
        "en": "This is word for word “城中最后一座煤气路灯”, 2022-05-11.",
    }

    assert answer["sentence"] == said[language]
    hidden = repost_data(traced, t=translator(language), anonymous=True)["answers"][0]
    assert "煤气" not in hidden["sentence"] + hidden["title"]


# --------------------------------------------------------------------------- translations
ENGLISH = (
    "The old man lived beside the river for forty years and walked along the bank every evening. "
    "His task was to light the gas lamps between the bridge and the harbour one after another. "
    "At twenty he received the long pole from the hands of his father. Later the city installed "
    "electric light and the gas lamps elsewhere were removed. Only the one at the head of the "
    "bridge was left, and tourists take photographs of it. The government wanted to move it into "
    "the museum. The residents nearby wrote a letter and asked to keep it in its place. "
)
CHINESE = (
    "老人在河边住了四十年，每天晚上都沿着河岸散步。他的任务是把大桥和港口之间的煤气灯一盏一盏点亮。"
    "二十岁时，他从父亲手里接过长长的杆子。后来城市安装了电灯，别处的煤气灯都拆除了。"
    "只有桥头的一盏留了下来，游客给它拍摄照片。政府想把它搬到博物馆。附近的居民写了一封信，要求把它留在原来的地方。"
)


@pytest.mark.skipif(data_file() is None, reason="needs the extra dictionary")
@pytest.mark.parametrize("turned", [False, True])
def test_translation_is_a_source_of_its_own_kind(turned: bool) -> None:
    known, asked = (CHINESE, ENGLISH) if turned else (ENGLISH, CHINESE)
    others = [text(story(7), "other"), text("梨树。" + "春天的果园里开满了白花。" * 9, "pear")]
    traced, one, nearest = answer_to(
        text(asked, "asked"), text(known, "known", date="2020-01-01"), *others
    )
    (group,) = traced.groups

    assert (nearest, one.kind, one.earlier) == ("known", "translation", True)
    assert one.share > 0.5
    assert [(link.source, link.version, link.kind) for link in group.further] == [
        (one.other, 0, "translation")
    ]
    given = trace([text(asked, "asked")], [text(known, "known")], settings=Settings.of("reposts"))
    assert not given.groups
    assert given.result.meanings is None


def test_vectors_of_sentences_are_never_made() -> None:
    settings = replace(Settings.of("reposts"), meaning="auto")
    traced = trace([text(story(1), "a")], [text(story(1), "b")], settings=settings)

    assert traced.result.settings.meaning == "off"
    assert traced.result.meanings is None
