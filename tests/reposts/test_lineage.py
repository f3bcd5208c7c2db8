"""The order of versions, where each is from, and what it changed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import simhash_core as core
from simhash_core.checking import check
from simhash_core.reposts import (
    Reading,
    changes_between,
    clues,
    likely_sources,
    lineage,
    mark_worth_reading,
    overlap_of,
    read_versions,
    repost_groups,
    travels,
)
from simhash_core.reposts.lineage import MOST_EXACT, _exact, _nearest, _reverse_parts, shortest_line
from simhash_core.reposts.tracing import REPOST_SETTINGS, trace
from simhash_core.reposts.travels import Travel, _is_listed
from simhash_core.storage.library import ADDED_KEY
from tests.reposts.stories import SENTENCES, SOURCE, TITLE, WRITER, article, groups_of, text


def readings_of(*texts: str) -> list[Reading]:
    return read_versions([text(one, f"{row}") for row, one in enumerate(texts)])


def history(readings: list[Reading]):  # type: ignore[no-untyped-def]
    pairs = combinations(range(len(readings)), 2)
    return lineage(readings, {(a, b): overlap_of(readings[a], readings[b]) for a, b in pairs})


# --------------------------------------------------------------------------- changes
def test_changes_name_the_sentences_the_headline_and_the_lines() -> None:
    before = article(lines=(WRITER, SOURCE))
    new = "小编觉得，这样的坚持在今天实在太少见了。"
    after = article(0, 1, 2, 4, 5, 6, 7, 8, 9, head="最后的点灯人") + "\n" + new
    a, b = readings_of(before, after)
    made = changes_between(a, b, overlap_of(a, b))

    assert [after[slice(*place)] for place in made.added][-1] == new[:-1]
    assert SENTENCES[3][:-1] in [before[slice(*place)] for place in made.removed]
    assert (made.headline.before, made.headline.after) == (TITLE, "最后的点灯人")
    assert made.headline.what == "changed"
    assert made.writer.what == "dropped"
    assert made.source.what == "dropped"
    assert not made.reordered
    assert not made.unchanged


def test_same_text_in_other_form_or_order_is_unchanged() -> None:
    a, b = readings_of(article(), article().replace("，", ", ").replace("后来", "後來"))
    assert changes_between(a, b, overlap_of(a, b)).unchanged

    a, b = readings_of(article(), article(5, 6, 7, 8, 9, 0, 1, 2, 3, 4))
    made = changes_between(a, b, overlap_of(a, b))
    assert not made.added
    assert not made.removed
    assert made.reordered


def test_changed_words_make_a_sentence_reworded_and_moved_writers_stay() -> None:
    after = article().replace("成了游客拍照的地方", "成了旅客拍照的地方")
    a, b = readings_of(article(), after)
    made = changes_between(a, b, overlap_of(a, b))
    assert [after[slice(*place)] for place in made.reworded] == [
        "只有桥头这一盏留下来，成了旅客拍照的地方"
    ]
    assert not made.added
    moved = article() + "\n（李明采写）"
    a, b = readings_of(article(lines=(WRITER,)), moved)
    assert changes_between(a, b, overlap_of(a, b)).writer.what == "same"


# --------------------------------------------------------------------------- clues
def first_clue(a: str, b: str, **meta: str) -> tuple[str, int]:
    readings = read_versions([text(a, "城市晚报", **meta), text(b, "本地宝")])
    listed = clues(*readings, overlap_of(*readings))
    return (listed[0].code, listed[0].first) if listed else ("", -1)


def test_clues_say_which_of_two_texts_came_later() -> None:
    assert first_clue(article(), article(lines=("转载自《城市晚报》",))) == ("named", 0)
    assert first_clue(article() + "（2021年记）", article() + "（2019年记）") == ("years", 1)
    assert first_clue(article(0, 1, 2, 3, 4), article()) == ("longest", 1)
    plain = article() + '\n他说:"灯还亮着..."'
    assert first_clue(article() + "\n他说：“灯还亮着……”", plain) == ("tidied", 1)
    assert first_clue(article(), article()) == ("", -1)


# --------------------------------------------------------------------------- order
def test_dates_decide_the_order() -> None:
    documents = [
        text(article(0, 1, 2, 3, 4, 5), "c", date="2025-11-06"),
        text(article(), "a", date="2025-11-03 07:10"),
        text(article(0, 1, 2, 3, 4, 5, 6, 7), "b", date="2025-11-04 08:05"),
    ]
    (group,) = groups_of(*documents)

    assert group.rows == (1, 2, 0)
    assert group.basis == "dates"
    assert group.dates.level == "all"
    assert not group.conflict
    assert group.reasons[0].code == "date"
    assert {(link.source, link.version) for link in group.links} == {(1, 2), (2, 0)}


def test_copy_of_a_copy_is_from_the_copy() -> None:
    """What only the second version added is in the third."""
    added = "\n老张说，他最怕的是台风天，灯罩会被吹得粉碎。"
    documents = [
        text(article(), "a", date="2025-01-01"),
        text(article() + added, "b", date="2025-02-01"),
        text(article(2, 3, 4, 5, 6, 7) + added, "c", date="2025-03-01"),
        text(article(0, 1, 2, 3, 4, 5), "d", date="2025-04-01"),
    ]
    (group,) = groups_of(*documents)
    source = {link.version: link.source for link in group.links}

    assert source[1] == 0
    assert source[2] == 1
    assert group.rows == (0, 1, 2, 3)


def test_without_dates_revisions_lie_on_a_line() -> None:
    states = [article()]
    for row in (1, 3, 5, 7):  # each state rewrites one more sentence
        new = f"二〇{row}号修订稿把这一句完全改写成别的说法了。"
        states.append(states[-1].replace(SENTENCES[row], new))
    for seed in range(5):
        places = list(range(5))
        random.Random(seed).shuffle(places)
        order = [places[row] for row in history(readings_of(*(states[p] for p in places))).order]

        assert order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0])


def test_versions_of_the_same_words_are_parted_by_their_marks() -> None:
    """Two states that differ in punctuation alone do not change places by chance."""
    marked = article().replace("。", "！")
    states = [article(), marked, marked + "\n他的徒弟也老了，还在等下一个人来接过点灯杆！"]
    for seed in range(6):
        places = list(range(3))
        random.Random(seed).shuffle(places)
        order = [places[row] for row in history(readings_of(*(states[p] for p in places))).order]

        assert order in ([0, 1, 2], [2, 1, 0])


def test_version_without_a_date_follows_its_source() -> None:
    documents = [
        text(article(), "a", date="2025-01-01"),
        text(article(0, 1, 2, 3, 4, 5, 6), "b"),
        text("完全不同的另一篇文章。" + "春天的果园里开满了白色的花朵，蜜蜂飞来飞去。" * 3, "x"),
    ]
    (group,) = groups_of(*documents)

    assert group.rows == (0, 1)


def test_digest_of_two_texts_names_its_further_source() -> None:
    other = [
        f"第{name}条新闻讲的是城东新开的图书馆里发生的一件小事，" * 2 for name in "一二三四五六"
    ]
    documents = [
        text(article(), "a", date="2025-01-01"),
        text("\n".join(other), "b", date="2025-01-02"),
        text(article(0, 1, 2, 3, 4, 5) + "\n" + other[0], "c", date="2025-02-01"),
    ]
    (group,) = groups_of(*documents)

    assert group.rows == (0, 2)
    assert [(link.source, link.version, link.kind) for link in group.further_of(2)] == [
        (1, 2, "further")
    ]
    assert [one.row for one in group.others] == [1]


def test_real_revisions_are_in_order_by_the_years_of_their_names(samples: Path) -> None:
    paths = sorted((samples / "reposts").glob("rust-*.md"), reverse=True)
    documents = [text(path.read_text("utf-8"), path.name) for path in paths]
    groups = groups_of(*documents)
    names = [[documents[row].name for row in group.rows] for group in groups]

    assert ["rust-ch03-04-comments-2016.md", "rust-ch03-04-comments-2020.md",
            "rust-ch03-04-comments-2026.md"] in names  # fmt: skip
    assert all(of_group == sorted(of_group) for of_group in names)


def test_only_what_shares_text_with_the_question_is_an_answer() -> None:
    asked = text(article(0, 1, 2, 3, 4, 5), "question")
    original = text(article(), "original", date="2020-01-01")
    pear = text("梨树。" + "春天的果园里开满了白色的花朵，蜜蜂飞来飞去，十分热闹。" * 4, "pear")
    traced = trace([asked], [pear, original, text(pear.text + "又一年。", "pear 2")])

    assert [document.name for document in traced.result.documents] == ["question", "original"]
    assert traced.compared == 3
    assert [group.rows for group in traced.groups] == [(1, 0)]


def test_paragraph_travels_from_text_to_text() -> None:
    documents = [
        text(article(), "a", date="2025-01-01"),
        text(article(2, 3, 4, 5, 6), "b", date="2025-02-01"),
        text(article(3, 4, 5, 6), "c", date="2025-03-01"),
    ]
    result = check(documents, settings=REPOST_SETTINGS)
    (group,) = repost_groups(result)
    listed = travels(result, group.rows)

    assert listed[0].rows == (0, 1, 2)
    for one in listed:
        for row, (start, end) in zip(one.rows, one.places, strict=True):
            assert 0 <= start < end <= len(result.documents[row].text)


def test_the_length_of_a_passage_is_that_of_the_first_version_with_all_of_it() -> None:
    travel = Travel((4, 7, 9), ((0, 30), (10, 110), (5, 100)), (True, False, False))

    assert travel.length == 100
    assert replace(travel, parts=(True,) * 3).length == 30


@pytest.mark.parametrize(("end", "listed"), [(150, True), (149, False)])
def test_a_passage_of_which_half_is_listed_is_listed(end: int, listed: bool) -> None:
    travel = Travel((1, 2), ((100, end), (0, end - 100)), (False, False))

    assert _is_listed((1, (100, 200)), 2, [travel]) == listed


@pytest.mark.parametrize(("least", "found"), [(40, 1), (41, 0)])
def test_so_many_words_of_their_own_make_two_texts_versions(least, found, monkeypatch):
    """Too small a share of either text to link them; the words that both have, and nobody else."""
    monkeypatch.setattr("simhash_core.reposts.groups.REPOST_WORDS", least)
    both = " ".join(f"word{n}" for n in range(40))
    texts = [" ".join([*(f"{one}{n}" for n in range(300)), both]) for one in ("left", "right")]

    result = check([text(one, name) for one, name in zip(texts, "ab", strict=True)],
                   settings=REPOST_SETTINGS)  # fmt: skip

    assert len(repost_groups(result)) == found


@pytest.mark.long
def test_more_versions_than_are_compared_word_by_word_keep_their_order() -> None:
    times = [f"2025-01-01 {row // 60:02d}:{row % 60:02d}" for row in range(70)]
    documents = [
        text(article() + f"\n这是第{row:03d}份。", f"{row:03d}", date=time)
        for row, time in enumerate(times)
    ]
    (group,) = groups_of(*documents)

    assert group.rows == tuple(range(70))


def test_the_shortest_way_is_exact_up_to_so_many_points() -> None:
    """From the nearest point to the next is longer, and no turned part makes it the shortest."""

    def length(way: Sequence[int]) -> float:
        return float(distance[way[:-1], way[1:]].sum())

    draw, longer = np.random.default_rng(3), 0
    for _ in range(20):
        points = draw.random((MOST_EXACT, 6))
        distance = np.linalg.norm(points[:, None] - points[None], axis=-1)
        found = length(shortest_line(distance))
        assert found == pytest.approx(length(_exact(distance)))
        longer += found < length(_reverse_parts(distance, _nearest(distance, 0))) - 1e-9
    assert longer


# --------------------------------------------------------------------------- properties
@settings(max_examples=30, deadline=None)
@given(st.lists(st.sets(st.integers(0, 9), min_size=3), min_size=2, max_size=5), st.data())
def test_history_is_a_forest_in_the_order_of_time(rows, data):
    dates = [
        data.draw(st.sampled_from(["", "2025-01-01", "2025-02-01", "2025-03-01"])) for _ in rows
    ]
    readings = read_versions([
        text(article(*sorted(of_text)), str(at), date=date)
        for at, (of_text, date) in enumerate(zip(rows, dates, strict=True))
    ])  # fmt: skip
    made = history(readings)
    place = {row: at for at, row in enumerate(made.order)}

    assert sorted(made.order) == list(range(len(rows)))
    assert len({link.version for link in made.links}) == len(made.links)
    for link in made.links:
        assert place[link.source] < place[link.version]
        assert 0 <= link.share <= 1
        if dates[link.source] and dates[link.version] and not made.conflict:
            assert dates[link.source] <= dates[link.version]
    if all(dates) and not made.conflict:
        assert [dates[row] for row in made.order] == sorted(dates)


@settings(max_examples=30, deadline=None)
@example(MOST_EXACT + 8, 1)
@given(st.integers(3, 7), st.integers(0, 10**6))
def test_points_on_a_line_come_back_in_order(n: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    at = np.sort(draw.choice(1000, n, replace=False)).astype(float)
    places = draw.permutation(n)
    distance = np.abs(at[places][:, None] - at[places][None, :])
    line = [int(places[row]) for row in shortest_line(distance)]

    assert line in (list(range(n)), list(range(n))[::-1])


@pytest.mark.parametrize("content", ["", "字", "a", "\n\n", "…", "a b"])
def test_texts_without_words_are_read(content: str) -> None:
    readings = readings_of(content, article())
    overlap = overlap_of(*readings)

    assert overlap.only_b == len(readings[1])
    changes_between(*readings, overlap)
    clues(*readings, overlap)


def test_samples_of_the_package_are_traced() -> None:
    sources, _ = core.gather(core.samples()["reposts"])
    documents, _ = core.read([item for item in sources if item.name.endswith(".md")])
    traced = trace(documents)

    assert len(traced.groups) >= 7


def test_hit_that_adds_nothing_to_a_likelier_one_is_folded_where_chance_could_give_it() -> None:
    draw = random.Random(3)
    letters = "河边桥头灯火雨夜船码街老人孩子树叶风雪山路远近春秋天地玄黄宇宙洪荒日月盈昃"
    part = ["".join(draw.choices(letters, k=200)) for _ in range(7)]
    source, cousin = text("。".join(part[:4]), "source"), text("。".join([*part[:2], part[5]]), "c")
    second = text("。".join([part[4], part[6]]), "second")
    asked = text("。".join(part[:5]), "asked")
    result = check([asked], against=[source, cousin, second], settings=REPOST_SETTINGS)
    names = [document.name for document in result.documents]

    def looked_at(chance: float) -> list[str]:
        table = replace(result.table, chance=np.full(len(result.table), chance))
        right = table.pairs.right[mark_worth_reading(replace(result, table=table))]
        return sorted(names[row] for row in right.tolist())

    assert looked_at(1.0) == ["c", "second", "source"]
    assert looked_at(10.0) == ["second", "source"]


def test_text_that_is_known_by_the_same_name_is_no_version_of_itself() -> None:
    known = text(article(), "a.txt", **{ADDED_KEY: "86400"})
    copy = text(article(0, 1, 2, 3, 4, 5), "b.txt")
    traced = trace([text(article(), "a.txt")], [known, copy])

    assert [document.name for document in traced.result.documents] == ["a.txt", "b.txt"]
    assert traced.result.documents[0].meta[ADDED_KEY] == "86400"
    assert not trace([text(article(), "a.txt")], [known]).groups


@pytest.mark.parametrize("turned", [False, True])
def test_a_link_says_by_which_words_its_source_came_first(turned: bool) -> None:
    documents = [text(article(), "whole"), text(article(0, 1, 2, 3, 4), "part")]
    (group,) = groups_of(*documents[:: -1 if turned else 1])
    (link,) = group.links

    assert (link.source, link.version) == ((1, 0) if turned else (0, 1))
    assert "longest" in [clue.code for clue in link.reasons]
    assert all(clue.first == 0 for clue in link.reasons)


def test_without_a_history_the_source_is_what_shares_most() -> None:
    asked, much = text(article(), "asked"), text(article(0, 1, 2, 3, 4, 5, 6, 7), "much")
    little = text(article(0, 1, 2), "little")
    for against in ([much, little], [little, much]):
        traced = trace([asked], against)
        (likely,) = likely_sources(replace(traced, groups=()))

        assert traced.result.documents[likely.other].name == "much"
        assert likely.others == 1
        assert likely.share > 0.5
