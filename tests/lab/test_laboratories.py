"""The laboratories' figures are those of the fingerprint and of the check, never a second sum."""

from __future__ import annotations

import math

import numpy as np
import pytest

import simhash_core as core
from simhash_core import Settings
from simhash_core.checking.fingerprinting import (
    collection_stats,
    explain_document,
    fingerprint_batch,
)
from simhash_core.checking.tokenizing import count_texts
from simhash_core.lab import laboratories
from simhash_core.lab.laboratories import EXAMPLES, Trace, solve_example
from simhash_core.model import Document
from simhash_core.result import CheckResult
from simhash_core.seen import entry_of
from simhash_core.simhash.fingerprint import to_bits
from simhash_core.simhash.hashes import token_hashes

ZH = "时间像一把刻刀，把老师额上的皱纹刻得一天比一天深，也把我们的名字刻进了毕业册。"
EN = "Teaching was never just pouring knowledge from one container into another; a teacher's patience cannot be stored on a server."  # noqa: E501
LATER = EN.replace("container", "vessel")
MIXED = "用 SimHash 比较两篇文章 compare two texts，共 12 页。"
WIDTHS = (8, 16, 32, 64, 128, 256)


@pytest.fixture(scope="module")
def result() -> CheckResult:
    """A real check of the sample essays, with a batch signature."""
    sources, _ = core.gather(core.samples()["essays"])
    documents, _ = core.read([source for source in sources if not source.name.endswith("csv")])
    return core.check(documents)


def follow(text: str, bits: int = 128, **changes: object) -> Trace:
    return laboratories.traces((text,), settings=Settings(bits=bits, **changes))[0]


@pytest.mark.parametrize("text", [ZH, EN, MIXED, "", "，。 12 34"])
def test_pieces_are_the_words_where_they_stand(text: str) -> None:
    traced = follow(text)

    assert [p.start for p in traced.pieces] == sorted(p.start for p in traced.pieces)
    for piece in traced.pieces:
        assert text[piece.start : piece.end].casefold().replace("’", "'") == piece.token
        assert piece.row == -1 or traced.explanation.tokens[piece.row] == piece.token
    assert sum(p.row >= 0 for p in traced.pieces) == int(traced.explanation.counts.sum())


def test_stop_words_stay_in_sight_and_traditional_text_points_into_itself() -> None:
    traced = follow("the cat sat on the mat", stop_words=True, weighting="tf")
    silent = {piece.token for piece in traced.pieces if piece.row < 0}
    assert "the" in silent
    assert "cat" not in silent
    assert traced.length == sum(piece.row >= 0 for piece in traced.pieces)
    text = "教師的耐心，刻進了畢業冊。"
    traced = follow(text)
    assert {text[p.start : p.end] for p in traced.pieces} >= {"教師", "耐心"}
    assert "教师" in traced.explanation.tokens


@pytest.mark.parametrize("bits", WIDTHS)
@pytest.mark.parametrize("weighting", ["background", "tf", "uniform"])
def test_trace_is_the_fingerprint(bits: int, weighting: str) -> None:
    settings = Settings(bits=bits, weighting=weighting, min_tokens=1)
    (traced,) = laboratories.traces((ZH,), settings=settings)
    features = count_texts([traced.document.text], settings)
    fingerprinted = fingerprint_batch(
        [traced.document], features, settings=settings, step=lambda *_: None
    )
    why = traced.explanation

    assert (to_bits(fingerprinted.background.words[0], bits) == why.bits).all()
    assert (why.votes.sum(axis=0) == why.sums).all()
    assert (traced.hashes == to_bits(token_hashes(why.tokens, bits=bits), bits)).all()
    assert ((traced.hashes * 2 - 1) * why.weights[:, None] == why.votes).all()


def test_trace_equals_explain_document() -> None:
    settings = Settings(bits=64, weighting="tfidf")
    document = Document("x", "", EN)
    stats = collection_stats([document, Document("y", "", ZH)], settings=settings)
    why, length = explain_document(document, settings=settings, stats=stats)
    (traced,) = laboratories.traces((EN,), settings=settings, stats=stats)

    assert traced.explanation.tokens == why.tokens
    assert (traced.explanation.votes == why.votes).all()
    assert traced.length == length


def test_weight_is_base_times_what_repeating_does() -> None:
    traced = follow("cat cat cat mat", weighting="tf")
    why = traced.explanation
    factor = dict(zip(why.tokens, why.weights / traced.base, strict=True))

    assert factor == {"cat": 3.0, "mat": 1.0}


def test_flipped_lists_the_bits_that_changed() -> None:
    old, new, narrow = follow(EN), follow(LATER), follow(EN, 64)
    bits = laboratories.find_flipped(old.explanation, new.explanation)

    assert len(bits) == laboratories.similarity_measures(old, new).distance > 0
    assert (old.explanation.bits[bits] != new.explanation.bits[bits]).all()
    assert len(laboratories.find_flipped(old.explanation, narrow.explanation)) == 0
    assert len(laboratories.find_flipped(old.explanation, old.explanation)) == 0


def test_similarity_measures_measure_what_they_name() -> None:
    a, b = follow(EN, weighting="uniform"), follow(LATER, weighting="uniform")
    measured = laboratories.similarity_measures(a, b)
    first, second = ({p.token for p in each.pieces} for each in (a, b))
    shared = len(first & second)
    assert measured.jaccard == shared / len(first | second)
    assert measured.true_cosine == pytest.approx(shared / math.sqrt(len(first) * len(second)))
    assert measured.cosine[0] == math.cos(math.pi * measured.distance / 128)
    assert measured.cosine[1] < measured.cosine[0] < measured.cosine[2]
    assert measured.only_a == ("container",)
    assert measured.only_b == ("vessel",)
    assert measured.minhash == pytest.approx(measured.jaccard, abs=0.15)  # of 100 draws
    with pytest.raises(ValueError, match="different widths"):
        laboratories.similarity_measures(a, follow(EN, 64))
    measured = laboratories.similarity_measures(follow(""), follow("  "))
    assert (measured.distance, measured.jaccard, measured.true_cosine) == (0, 0.0, 0.0)
    assert laboratories.edit_sensitivity(follow("")).distinct == 0


def test_chance_of_unrelated_pairs_is_the_binomial() -> None:
    pair = laboratories.count_chance_pairs(2, 64)
    ways = [math.comb(64, differing) for differing in range(4)]

    assert len(pair) == 65
    assert pair[3] == pytest.approx(sum(ways) / 2**64)
    assert pair[-1] == 1
    million = laboratories.count_chance_pairs(10**6, 64)
    assert million[3] < 0.01 < million[4]  # 3 of 64 is the rule for a million pages
    assert million[9] == pytest.approx(890, rel=0.01)
    assert (laboratories.count_chance_pairs(34, 256) <= 561).all()


def test_search_of_ten_million_texts_is_that_of_the_planner() -> None:
    plan = laboratories.plan_search(10**7, 3, 64)

    assert plan.name == "C(4,1)"
    assert plan.candidates["linear"] == 10**7 * (10**7 - 1) / 2
    met = 4 * plan.candidates["linear"] / 2**16
    assert plan.candidates["C(4,1)"] == pytest.approx(met, rel=0.05)
    assert plan.seconds["C(4,1)"] < plan.seconds["linear"] / 1000


@pytest.mark.parametrize(("words", "about"), [(20, 12.9), (100, 5.8), (500, 2.6)])
def test_spread_of_equal_words_is_the_rule_of_thumb(words: int, about: float) -> None:
    """128 bits, n equal words: f sqrt(2 / n) / pi (calibration: 5.8 at 100, 2.6 at 500)."""
    texts = [" ".join(f"w{n}x{text}" for n in range(words)) for text in range(12)]
    spreads = [laboratories.edit_sensitivity(follow(text, weighting="uniform")) for text in texts]

    assert spreads[0].distinct == words
    assert spreads[0].expected == pytest.approx(about, rel=0.02)
    # equal whole weights make the sums even: ties to 0 cost up to a tenth of the flips
    mean = np.mean([each.mean for each in spreads])
    assert mean == pytest.approx(spreads[0].expected, rel=0.2)
    assert all(0 < each.deviation < each.mean for each in spreads)


def test_spread_measures_real_replacements() -> None:
    traced = follow(EN, weighting="uniform")
    flips = [
        len(
            laboratories.find_flipped(
                traced.explanation,
                follow(EN.replace(word, f"{word}zq"), weighting="uniform").explanation,
            )
        )
        for word in ("knowledge", "pouring", "patience", "server", "container", "stored")
    ]
    measured = laboratories.edit_sensitivity(traced)

    assert measured.mean == pytest.approx(np.mean(flips), abs=2 * measured.deviation)


@pytest.mark.parametrize(("bits", "k"), [(64, 3), (256, 60), (8, 3), (8, 20)])
def test_blocks_cover_every_bit_once(bits: int, k: int) -> None:
    a, b = follow(EN, bits).explanation, follow(LATER, bits).explanation
    blocks = laboratories.block_differences(a.bits, b.bits, k)

    assert len(blocks) == min(k + 1, bits)
    assert sum(block.width for block in blocks) == bits
    assert sum(block.differing for block in blocks) == len(laboratories.find_flipped(a, b))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.code)
def test_worked_examples_come_to_what_the_sources_print(example: laboratories.Example) -> None:
    assert solve_example(example) == example.expected


def test_worked_examples_are_the_table() -> None:
    assert {example.code: example.source for example in EXAMPLES} == {
        "csdn": "S0", "six_bits": "S0", "seven_bits": "S0", "five_bits": "S4", "one_word": "S1",
        "eight_sums": "S1", "cat_mat": "S0",
    }  # fmt: skip
    with pytest.raises(ValueError, match="no votes"):
        laboratories.example_votes(next(e for e in EXAMPLES if e.fingerprints))


# ----------------------------------------------------------------------- thresholds


def test_sweep_agrees_with_every_single_threshold(result: CheckResult) -> None:
    swept = laboratories.sweep(result)
    assert result.batch_distances is not None

    for k in (0, 3, 20, result.threshold, result.threshold + 5, 100, swept.complete_up_to):
        view = core.view_at_threshold(result, k)
        rows = np.flatnonzero(view.within)
        touched = np.union1d(result.table.pairs.left[rows], result.table.pairs.right[rows])

        assert swept.pairs[k] == len(rows), k
        assert swept.documents[k] == len(touched), k
        assert ((swept.entry <= k) == view.within).all(), k


def test_entry_without_batch_signature_is_the_distance() -> None:
    sources, _ = core.gather(core.samples()["reposts"])
    documents, _ = core.read([source for source in sources if not source.name.endswith("csv")])
    plain = core.check(documents, settings=Settings.of("reposts"))
    known = plain.table.pairs.distance <= plain.complete_up_to

    assert (entry_of(plain)[known] == plain.table.pairs.distance[known]).all()


def test_borderline_takes_the_nearest_on_both_sides(result: CheckResult) -> None:
    swept = laboratories.sweep(result)
    k = result.threshold
    inside, outside = laboratories.find_borderline(swept, k, count=5)
    entry = swept.entry

    assert (entry[inside] <= k).all()
    assert (entry[outside] > k).all()
    assert entry[inside].min() >= np.sort(entry[entry <= k])[-len(inside)]
    assert entry[outside].max() <= np.sort(entry[entry > k])[len(outside) - 1]
