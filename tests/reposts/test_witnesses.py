"""Dates and words as two witnesses: what each says, and what is said where they disagree."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simhash_core.model import Document
from simhash_core.reposts import (
    Group,
    Traced,
    overlap_of,
    read_date,
    read_versions,
    repost_data,
    trace,
    verdict,
    write_reposts,
)
from simhash_core.reposts.command import finds
from simhash_core.reposts.direction import Direction, _coherence, direction, measures
from simhash_core.reposts.witnesses import (
    FALSE_DATE,
    MEASURED,
    Witness,
    find_doubted,
    find_to_check,
    level_of,
    order_by_dates,
    rate_by_words,
)
from simhash_core.storage.library import ADDED_KEY
from tests.reposts.stories import SENTENCES, article, groups_of, text

#: another story, of which nothing stands in the lamplighter's
FOREIGN = (
    "证券交易所昨日公布了新的上市规则，审核时间缩短到三十天。",
    "分析人士认为利率政策将继续支持制造业的中长期贷款。",
    "央行数据显示，外汇储备在第三季度略有回升。",
    "多家银行下调了存款利率，幅度在十个基点左右。",
)


def chain(dates: Sequence[str]) -> Group:
    """Return the group of a story and two that name it as their source, with these dates."""
    named = ("转载自《城市晚报》",)
    texts = (
        ("城市晚报", article()),
        ("江城生活", article(0, 1, 2, 3, 4, 5, 6, lines=named) + "\n" + FOREIGN[0] + FOREIGN[1]),
        ("晨报", article(0, 1, 2, 3, lines=named) + "\n" + "".join(FOREIGN)),
    )
    documents = [
        text(content, name, date=date) for (name, content), date in zip(texts, dates, strict=True)
    ]
    (group,) = groups_of(*documents)
    return group


def test_dates_and_words_are_two_witnesses() -> None:
    group = chain(["2021-03-03", "2021-03-05", "2021-03-07"])
    assert group.words.first == group.dates.first == group.original == 0
    assert group.dates.order == (0, 1, 2)
    assert not group.conflict
    assert group.check is None

    group = chain(["2021-03-03", "2021-03-05", "2021-03-01"])
    assert (group.dates.first, group.words.first) == (2, 0)
    assert group.conflict
    assert group.check == 2
    assert not group.certain

    group = chain(["", "", ""])
    assert group.dates.level == "none"
    assert group.dates.first is None
    assert group.words.first == group.original == 0
    assert not group.conflict
    assert not group.certain
    groups = [chain(dates) for dates in (["", "", ""], ["2021-03-09", "2021-03-05", "2021-03-01"])]
    assert groups[0].words == groups[1].words


def test_turning_two_texts_round_turns_the_answer_and_equal_ones_say_nothing() -> None:
    a, b = read_versions([text(article(), "a"), text(article(0, 1, 2, 3) + FOREIGN[0], "b")])
    overlap = overlap_of(a, b)
    there, back = direction(a, b, overlap), direction(b, a, overlap.turned())
    assert there.log_odds == pytest.approx(-back.log_odds)
    assert there.turned().kinds == pytest.approx(back.kinds)
    for name, value in measures(a, b, overlap).items():
        assert value == pytest.approx(-measures(b, a, overlap.turned())[name])
    a, b = read_versions([text(article(), "a"), text(article(), "b")])
    assert direction(a, b, overlap_of(a, b)).log_odds == 0
    assert level_of(0.99, [direction(a, b, overlap_of(a, b))], 1000, "characters") == "open"


def test_a_passage_in_another_text_does_not_say_who_had_it_first() -> None:
    """What tells versions of a text apart was never learnt from two texts with one paragraph."""
    host = "".join(FOREIGN) * 3
    passage = article(0, 1)
    a, b = read_versions([text(article(), "a"), text(host + "\n" + passage, "b")])
    assert any(measures(a, b, overlap_of(a, b)).values())
    evidence = direction(a, b, overlap_of(a, b))

    assert set(evidence.kinds.values()) == {0.0}
    assert level_of(0.9, [evidence], 1000, "characters") == "open"


def test_words_replaced_throughout_leave_a_version_and_no_passage() -> None:
    """Fewer than half of the words stand in shared runs, but from the first to the last."""
    words = [f"word{n}" for n in range(480)]
    replaced = [f"other{n}" if n % 10 < 6 else word for n, word in enumerate(words)]
    both = [text(" ".join([*words, "2021"]), "a"), text(" ".join([*replaced, "2024"]), "b")]
    a, b = read_versions(both)
    shared = overlap_of(a, b)

    assert shared.shared_a.mean() < 0.5
    assert direction(a, b, shared).kinds["years"] > 0


@pytest.mark.parametrize(("shared", "known"), [(39, False), (40, True)])
def test_coherence_needs_so_many_shared_words(shared: int, known: bool) -> None:
    """What a text alone has comes back in what both share, which itself never does."""
    both = [f"word{n}" for n in range(shared)]
    (reading,) = read_versions([text(" ".join([*both, *both[:13]]), "a")])
    marks = np.arange(len(reading)) < shared

    assert (_coherence(reading, marks) > 0) == known


def test_a_year_in_one_of_two_texts_says_nothing() -> None:
    words = " ".join(f"word{n}" for n in range(200))
    for first, second in ((words, f"{words} 2021"), (f"{words} 2021", words)):
        a, b = read_versions([text(first, "a"), text(second, "b")])
        assert measures(a, b, overlap_of(a, b))["years"] == 0.0
        assert measures(b, a, overlap_of(b, a))["years"] == 0.0


def test_short_texts_are_little_to_judge_from() -> None:
    """Two kinds of traces and a likelihood of 99 %: how sure that is depends on the length."""
    traces = [Direction(4.0, {"longer": 2.0, "returns": 2.0}, act=False)]
    named = [Direction(4.0, {"longer": 2.0, "named": 3.0}, act=False)]
    levels = [level_of(0.99, traces, length, "characters") for length in (50, 199, 200, 399, 400)]

    assert levels == ["open", "open", "unsure", "unsure", "fair"]
    assert level_of(0.99, named, 50, "characters") == "unsure"
    assert [level_of(0.99, traces, n, "words") for n in (39, 40, 99, 100)] == [
        *("open", "unsure", "unsure", "fair")
    ]


def test_likelihoods_of_the_first_sum_to_one() -> None:
    odds = np.array([[0, 2, 3], [-2, 0, 1], [-3, -1, 0]], float)
    distance = np.array([[0, 10, 20], [10, 0, 10], [20, 10, 0]], float)
    likely = rate_by_words(odds, distance, [0, 1, 2])

    assert likely.sum() == pytest.approx(1)
    assert int(likely.argmax()) == 0


@pytest.mark.parametrize(
    ("sources", "words", "first", "denied"),
    [
        (("name", "name"), (0.1, 0.9), 1, (0,)),  # 0.9 x 0.2 is more than 0.1
        (("name", "name"), (0.3, 0.7), 0, ()),
        (("hand", "page"), (0.1, 0.9), 0, ()),  # a person's date stands
        (("page", "name"), (0.1, 0.9), 1, (1,)),  # the weaker date is denied
    ],
)
def test_false_dates_are_weighed_with_their_source(sources, words, first, denied):
    days = ("2021-03-01", "2021-03-03")
    moments = [read_date(day, source=source) for day, source in zip(days, sources, strict=True)]

    named = Witness((1, 0), words[1], "unsure")
    assert find_doubted(named, np.array(words), moments) == (first, denied)
    left_open = Witness((1, 0), words[1], "open")
    assert find_doubted(left_open, np.array(words), moments) == (0, ())


def test_dates_that_may_be_the_same_name_no_first_and_the_weaker_is_checked() -> None:
    moments = [read_date("2021-03", source="page"), read_date("2021-03-03", source="page"), None]
    assert order_by_dates(moments).level == "none"
    assert order_by_dates([moments[1], None]).first is None
    assert order_by_dates([read_date("2020", source="page"), moments[1], None]).level == "some"
    assert order_by_dates([read_date("2020", source="page"), moments[1]]).first == 0

    named, page = (read_date("2021-03-01", source=source) for source in ("name", "page"))
    assert find_to_check(0, 1, [page, named], [0, 0]) == 1
    assert find_to_check(0, 1, [named, page], [0, 0]) == 0
    assert find_to_check(0, 1, [page, page], [5.0, 9.0]) == 1
    assert find_to_check(0, 1, [page, page], [9.0, 5.0]) == 0


def test_arrival_in_the_library_bears_dates_out() -> None:
    def received(days: Sequence[int]) -> Group:
        documents = [
            Document.from_text(
                article() if at == 0 else article(0, 1, 2, 3, 4, 5, 6, 7),
                name=f"{at}",
                date=f"2021-03-0{3 + at}",
                **{ADDED_KEY: str(day * 86400.0)},
            )
            for at, day in enumerate(days)
        ]
        (group,) = groups_of(*documents)
        return group

    assert received([10, 12]).certain
    assert not received([12, 10]).certain


def test_every_source_of_dates_has_a_doubt_and_every_level_a_rate() -> None:
    assert set(FALSE_DATE) == {"hand", "page", "table", "details", "text", "address", "name"}
    assert FALSE_DATE["hand"] == min(FALSE_DATE.values())
    assert MEASURED["fair"].right / MEASURED["fair"].groups >= 0.85
    assert 0.6 <= MEASURED["unsure"].right / MEASURED["unsure"].groups < 0.85


# --------------------------------------------------------------------------- a watched folder
def test_day_at_a_watched_folder_tells_every_find_once() -> None:
    """Ninety-six quarters of an hour: now and then a file comes, or comes again."""
    start = datetime(2026, 3, 2, tzinfo=UTC)
    clock = [start]
    original = text(article(), "original", date="2026-03-01")
    pear = text("梨树。" + "春天的果园里开满了白色的花朵，蜜蜂飞来飞去。" * 4, "pear")
    copy = text(article(0, 1, 2, 3, 4, 5) + "\n", "copy", date="2026-03-02")
    longer = text(copy.text + SENTENCES[7], "copy", date="2026-03-02")
    arrivals = {0: [], 9: [pear], 30: [copy], 31: [copy], 60: [longer], 61: [pear, copy]}

    def batches() -> Iterator[list[Path]]:
        for quarter in range(96):
            clock[0] = start + timedelta(minutes=15 * quarter)
            if quarter in arrivals:
                yield [Path(str(quarter))]

    def find(asked: Sequence[Document]) -> Traced:
        return trace(asked, [original])

    found = list(
        finds(
            batches(),
            read=lambda paths: arrivals[int(paths[0].name)],
            trace=find,
            now=lambda: clock[0],
        )
    )

    assert [(one.document.id, one.other.name) for one in found] == [
        (copy.id, "original"),
        (longer.id, "original"),
    ]
    assert [one.at - start for one in found] == [timedelta(hours=7.5), timedelta(hours=15)]
    assert all(one.share > 0.5 for one in found)
    assert found[0].earlier


# --------------------------------------------------------------------------- one story
def _keys(key: str, **params: object) -> str:
    """Stand for a catalogue: the key of a sentence, and what it names."""
    return f"{key} {params.get('name', '')}"


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sets(st.integers(0, 9), min_size=3), min_size=2, max_size=5),
    st.booleans(),
    st.data(),
)
def test_all_that_is_written_names_the_same_first_version_or_leaves_it_open(rows, naming, data):
    days = st.sampled_from(["", "2025-01-01", "2025-01", "2025-02-01", "2025-03-01"])
    lines = ("转载自《0》",) if naming else ()
    documents = [
        text(article(*sorted(of_text), lines=lines if at else ()), str(at), date=data.draw(days))
        for at, of_text in enumerate(rows)
    ]
    traced = trace(list({document.id: document for document in documents}.values()))
    names = [document.name for document in traced.result.documents]
    written = repost_data(traced, t=_keys)
    sheet = write_reposts(traced, "csv", _keys).decode("utf-8-sig")
    lines_of_sheet = list(csv.DictReader(io.StringIO(sheet)))
    for number, (group, record) in enumerate(zip(traced.groups, written["groups"], strict=True), 1):
        sentence, _, named = verdict(group, _keys, names.__getitem__).partition(" ")
        versions = [
            row for row in written["versions"] if (row["group"], row["role"]) == (number, "version")
        ]
        of_sheet = [
            row
            for row in lines_of_sheet
            if row["reposts.table.group "] == str(number)
            and row["reposts.table.role "] == "reposts.role.version "
        ]
        listed = [row["reposts.table.name "] for row in of_sheet]
        taken = {edge["version"] for edge in written["edges"] if edge["kind"] == "source"}

        assert [row["name"] for row in versions] == listed == [names[row] for row in group.rows]
        assert record["conflict"] == sentence.startswith("reposts.says.conflict")
        if group.first is None:
            assert (record["first"], named, record["why_first"]) == ("", "", [])
            assert not group.certain
            continue
        assert record["first"] == named == listed[0] == names[group.first]
        assert named not in taken
        witnesses = group.dates, group.words
        assert group.first in [one.first for one in witnesses]
        if group.dates.level == "all":
            assert group.first == group.dates.first


def test_sentences_that_hardly_share_a_word_have_no_length() -> None:
    """Of a copy with every other word replaced one side may keep no sentence at all."""
    sentence = "the lamp was lit by an old man who walked along the harbour every evening number"
    before = " ".join(f"{sentence} {n}." for n in range(8))
    tokens = before.split()
    for at in range(0, len(tokens), 8):  # half of the words, in whole stretches of sentences
        tokens[at : at + 5] = [f"other{at}{k}" for k in range(5)]
    a, b = read_versions([text(before, "a"), text(" ".join(tokens), "b")])
    shared = overlap_of(a, b)
    assert measures(a, b, shared)["sentence"] == 0.0
    assert abs(direction(a, b, shared).kinds["grew"]) < 3
