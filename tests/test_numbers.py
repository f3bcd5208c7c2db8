"""Each unit of a text in one class: known answers, sums, and a slow judge unit by unit."""

import random
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import view_of
from prose import chinese, english, replaced

from simhash_core import CheckResult, Document, Settings, check, check_texts
from simhash_core.model import MOVED, SHARED, VERBATIM, Division, Skipped, Stretches
from simhash_core.numbers import (
    CLASSES,
    divide_pair,
    divide_rows,
    divide_text,
    divisions,
    expected_owners,
    expected_pairs,
    has_few_counted,
    likelihood,
    pairs_compared,
)
from simhash_core.passages import coverage
from simhash_core.passages.coverage import longest_order
from simhash_core.policy import OWN_DECADE
from simhash_core.seen import Excluder, Exclusions, exclude, find_gaps
from simhash_core.text.lengths import length_of


def paragraphs(*seeds: int, length: int = 120) -> str:
    return "\n\n".join(english(seed, length) for seed in seeds)


def apart(*seeds: int, between: int = 20) -> str:
    """Return paragraphs with another text between them, so that each is a passage of its own."""
    return paragraphs(*(seed for at, one in enumerate(seeds) for seed in (one, between + at)))


def two(a: str, b: str) -> CheckResult:
    return check_texts({"a": a, "b": b})


# --------------------------------------------------------------------------- known answers


def test_words_that_another_text_has_are_identical_and_the_rest_is_own():
    result = two(paragraphs(1, 2), paragraphs(1, 3))
    left, right = divide_pair(result, 0)

    assert (left.identical, left.reworded, left.moved, left.own) == (120, 0, 0, 120)
    assert left == right == divide_text(result, 0)
    assert (left.whole, left.unit, left.total) == (240, "words", 0.5)
    assert result.total_overlap[0] == result.table.coverage_a[0] == 0.5


def test_a_character_is_a_unit_and_so_is_a_word_between_characters():
    shared = chinese(1, 200)
    result = two(shared + " Python " + chinese(2, 99), shared)
    division = divide_text(result, 0)

    assert (division.unit, division.whole, division.identical) == ("characters", 300, 200)


def test_a_paragraph_in_another_place_is_moved_and_not_identical():
    result = two(apart(1, 2, 3), apart(3, 1, 2, between=50))
    left, right = divide_pair(result, 0)

    assert (left.identical, left.moved, left.own) == (240, 120, 360)
    assert (right.identical, right.moved, right.own) == (240, 120, 360)
    assert not left.unchanged


def test_a_replaced_word_makes_reworded_text_and_its_long_runs_stay_identical():
    source = english(1, 200)
    words = source.split()
    words[100] = "otherwise"
    left, _ = divide_pair(two(source, " ".join(words)), 0)

    assert (left.identical, left.reworded, left.moved) == (199, 1, 0)


def test_a_text_that_one_other_holds_is_identical_though_a_third_one_shuffled_it():
    whole, shuffled = apart(1, 2, 3), apart(3, 1, 2, between=50)
    result = check_texts({"a": whole, "b": whole, "c": shuffled})

    assert divide_text(result, 0).unchanged
    assert divide_rows(result, 0, 2)[0].moved == 120
    assert divide_text(result, 2).moved == 120


def test_a_template_is_left_out_of_the_counted_part():
    task = Document.from_text(english(9, 60), name="task")
    texts = [
        Document.from_text(f"{task.text}\n\n{paragraphs(1, other)}", name=str(other))
        for other in (2, 3)
    ]
    result = check(texts, templates=[task])
    division = divide_text(result, 0)

    assert (division.left_out, division.counted, division.whole) == (60, 240, 300)
    assert (division.identical, division.total) == (120, 0.5)


def test_what_is_excluded_is_left_out_and_nothing_of_it_is_counted():
    quoted = english(5, 40)
    texts = [f"{paragraphs(1, seed)}\n\n“{quoted}”" for seed in (2, 3)]
    result = check_texts({"a": texts[0], "b": texts[1]})
    seen = exclude(result, Exclusions(zones=("quotations",))).result

    assert divide_text(result, 0).identical == 160
    assert (divide_text(seen, 0).left_out, divide_text(seen, 0).identical) == (40, 120)
    assert divide_text(seen, 0).whole == divide_text(result, 0).whole == 280
    assert seen.total_overlap[0] == 0.5


def test_texts_that_share_or_compare_nothing_are_all_their_own() -> None:
    result = check_texts({"a": english(1, 100), "b": english(2, 100), "c": english(1, 100)})
    assert [one.shared for one in divide_rows(result, 0, 1)] == [0, 0]
    assert [one.counted for one in divide_rows(result, 0, 1)] == [100, 100]
    assert divide_rows(result, 2, 0)[0].unchanged
    a = english(1, 100)
    result = check(
        [Document.from_text(a, name=name) for name in "ab"], settings=Settings(passages=False)
    )
    assert divide_text(result, 0).own == divide_text(result, 0).whole == 100


# --------------------------------------------------------------------------- sums

PIECES = [english(seed, 40) for seed in range(6)] + [chinese(seed, 60) for seed in range(3)]


@pytest.mark.long
@settings(max_examples=40)
@given(st.lists(st.lists(st.integers(0, len(PIECES) - 1), max_size=6), min_size=2, max_size=4))
def test_classes_are_disjoint_and_sum_to_the_text_by_a_slow_judge(picked):
    texts = ["\n\n".join(PIECES[i] for i in of_text) or "nothing" for of_text in picked]
    result = check_texts({str(row): text for row, text in enumerate(texts)})
    stretches = Excluder(result).stretches()

    for row, text in enumerate(texts):
        division = divide_text(result, row)

        assert division.whole == length_of(text).n
        assert division.own + division.shared == division.counted
        assert result.total_overlap[row] == np.float32(division.total)
        assert result.identical_overlap[row] == np.float32(division.share("identical"))
        assert judged(result, stretches, row) == [getattr(division, name) for name in CLASSES]
    for at in range(len(result.table)):
        left, right = divide_pair(result, at)
        assert result.table.coverage_a[at] == np.float32(left.total)
        assert result.table.coverage_b[at] == np.float32(right.total)
        shared = left.shared + right.shared
        assert shared == 0 or result.table.identical[at] == np.float32(
            (left.identical + right.identical) / shared
        )


def judged(result: CheckResult, stretches: Stretches, row: int) -> list[int]:
    """Count the units of one text by class, unit by unit and pair by pair."""
    text = view_of(result.documents[row].text)
    pairs, counts = result.table.pairs, dict.fromkeys(CLASSES, 0)
    for start, end in zip(text.start.tolist(), text.end.tolist(), strict=True):
        found = set()
        for at in range(len(pairs)):
            ends = int(pairs.left[at]), int(pairs.right[at])
            if row not in ends:
                continue
            kinds = {
                int(stretches.kind[i])
                for i in range(len(stretches))
                if stretches.pair[i] == at
                and stretches.side[i] == ends.index(row)
                and stretches.start[i] <= start
                and end <= stretches.end[i]
            }
            if SHARED in kinds:
                assert not {VERBATIM, MOVED} <= kinds
                moved, same = MOVED in kinds, VERBATIM in kinds
                found.add("moved" if moved else "identical" if same else "reworded")
        best = [name for name in ("identical", "reworded", "moved") if name in found]
        counts[best[0] if best else "own"] += 1
    return list(counts.values())


@given(st.lists(st.tuples(*(st.integers(0, 50),) * 5), max_size=5))
def test_divisions_put_the_rest_into_own_text_and_what_is_left_out(rows):
    table = np.array(rows, np.int32).reshape(-1, 5)
    counted = table[:, :4].sum(axis=1)

    assert (divisions(table[:, :3], counted, table.sum(axis=1)) == table).all()


@pytest.mark.parametrize("rate", [0.05, 0.2])
def test_reworded_texts_divide_too(rate):
    source = english(3, 300)
    result = two(source, replaced(source, rate, 3) + " " + english(4, 100))
    division, other = divide_pair(result, 0)

    assert division.identical and division.reworded and division.counted == 300
    assert other.counted == 400
    assert division.total == pytest.approx(float(result.table.coverage_a[0]))


# --------------------------------------------------------------------------- order


@pytest.mark.long
@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.integers(1, 9), st.integers(0, 30), st.integers(1, 9)),
        max_size=7,
    )
)
def test_the_longest_order_is_the_heaviest_chain_that_rises(picks):
    spans = sorted(((a, a + n), (b, b + m)) for a, n, b, m in picks)

    def rises(chain):
        return all(x[1][0] < y[1][0] for x, y in pairwise(chain))

    best = max(
        sum(a[1] - a[0] for a, _ in chain)
        for size in range(len(spans) + 1)
        for chain in combinations(spans, size)
        if rises(chain)
    )
    found = [spans[i] for i in longest_order(spans)]

    assert rises(found)
    assert sum(a[1] - a[0] for a, _ in found) == best


def test_the_longest_order_of_thousands_is_quick_and_nothing_is_zero() -> None:
    shuffled = random.Random(5).sample(range(20_000), 20_000)
    chain = longest_order([((i, i + 1), (b, b + 1)) for i, b in enumerate(shuffled)])
    assert 200 < len(chain) < 400  # about 2 sqrt(n) for a random permutation
    none = Stretches.join([])
    assert coverage.parts_of_texts([view_of("one two")], np.zeros((0, 2), int), none).sum() == 0


# --------------------------------------------------------------------------- chance


@pytest.fixture(scope="module")
def class_of_60() -> CheckResult:
    """Sixty texts: a copied paragraph, one with words replaced, and a sentence that seven have."""
    sentence = english(777, 30)
    texts = [english(1000 + seed, 200) for seed in range(60)]
    texts[0] += "\n\n" + english(500, 100)
    texts[1] += "\n\n" + english(500, 100)
    words = english(501, 80).split()
    texts[2] += "\n\n" + " ".join(words)
    words[5::12] = [f"otherwise{at}" for at in range(len(words[5::12]))]
    texts[3] += "\n\n" + " ".join(words)
    for row in range(10, 17):
        texts[row] += "\n\n" + sentence
    return check_texts(texts)


def said(result: CheckResult, a: int, b: int) -> str:
    pairs = result.table.pairs
    rows = np.flatnonzero((pairs.left == a) & (pairs.right == b))
    return likelihood(result, int(rows[0])).code


def test_chance_is_judged_by_the_longest_passage_and_falls_each_decade(class_of_60) -> None:
    assert said(class_of_60, 0, 1) == "long"
    assert said(class_of_60, 2, 3) == "own_never"
    assert said(class_of_60, 10, 16) == "common"

    table = class_of_60.table
    rows = np.flatnonzero(table.own > 0)
    expected = [expected_owners(class_of_60, int(row)) for row in rows]
    alone = int((table.own[table.passages > 0] > 0).sum())
    assert expected == pytest.approx(alone * 10 ** (-(table.own[rows] - 1) / OWN_DECADE["en"]))
    assert expected_owners(class_of_60, int(np.flatnonzero(table.own == 0)[0])) is None


def test_of_fewer_than_50_texts_nothing_is_said_about_chance():
    copied = english(100, 120)
    texts = [f"{copied}\n\n{english(seed, 300)}" if seed < 2 else english(seed, 420)
             for seed in range(49)]  # fmt: skip
    result = check_texts(texts)

    assert result.table.passages[0] > 0
    assert likelihood(result, 0) is None
    assert expected_pairs(result, 0) is None
    assert expected_owners(result, 0) is None


@pytest.mark.parametrize(
    ("counted", "left_out", "few"),
    [
        (26, 233, True),  # a worksheet without its questions
        (40, 0, False),  # a short text, all of it
        (49, 1, True),
        (50, 1, False),
        (99, 901, True),  # less than a tenth
        (100, 900, False),
        (0, 30, True),
    ],
)
def test_no_share_of_the_little_that_is_left(counted, left_out, few):
    division = Division(counted, 0, 0, 0, left_out, "words")

    assert has_few_counted(division) is few


def test_what_was_not_looked_for_is_told_from_the_result():
    text = "The ferry leaves at seven and the harbour lights are still on when we cross. " * 9
    against = [Document.from_text(text[40:], name="old.txt")]
    scans = [Skipped("a.pdf", "needs_ocr"), Skipped("b.pdf", "scanned"), Skipped("c.doc", "empty")]
    held = check(
        [Document.from_text(text, name="new.txt")],
        against=against,
        skipped=scans,
        settings=Settings(meaning="off"),
    )

    assert find_gaps(held) == [("both", {}), ("alone", {}), ("scans", {"n": 2})]
    assert pairs_compared(held) == 1
