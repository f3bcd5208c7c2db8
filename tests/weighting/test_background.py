"""The default profile: its known answers, its caps, and tables that rebuild byte for byte."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.model import CorpusStats, Features
from simhash_core.settings import Settings
from simhash_core.weighting import WEIGHTINGS, quantise
from simhash_core.weighting.background import TABLES, background_idf, idf_of

PROFILE = json.loads(
    (Path(__file__).parents[1] / "vectors" / "background_profile.json").read_text("utf-8")
)
FOLDER = Path(__file__).parents[2] / "simhash_core" / "weighting" / "background"
NOTHING = CorpusStats(0, {})


def one_document(counts: dict[str, int]) -> Features:
    size = len(counts)
    return Features(
        tuple(counts),
        np.array([0, size]),
        np.arange(size, dtype=np.int32),
        np.array(list(counts.values()), dtype=np.int32),
        np.array([sum(counts.values())]),
    )


def weigh(counts: dict[str, int]) -> dict[str, int]:
    features = one_document(counts)
    weights = WEIGHTINGS["background"](features, NOTHING, Settings())
    return dict(zip(features.vocabulary, quantise(weights).tolist(), strict=True))


@pytest.mark.parametrize("case", PROFILE["signatures"], ids=lambda case: case["hex"][:8])
def test_background_gives_the_known_integer_weights(case: dict) -> None:
    assert weigh(Counter(case["tokens"].split())) == case["weights"]


@pytest.mark.parametrize(("word", "idf"), PROFILE["idf"].items())
def test_background_gives_the_known_idf(word: str, idf: float) -> None:
    assert background_idf().get(word, 5.0) == pytest.approx(idf, abs=0.0005)


def test_background_depends_on_no_batch_and_counts_up_to_eight() -> None:
    features = one_document({"雷同": 2, "word": 1})
    other = CorpusStats(100, {"雷同": 100, "word": 1})
    alone, among = (
        WEIGHTINGS["background"](features, stats, Settings()) for stats in (NOTHING, other)
    )
    assert np.array_equal(alone, among)
    weights = [weigh({"雷同": count})["雷同"] for count in (1, 2, 7, 8, 9, 10_000)]
    assert weights[0] < weights[1] < weights[2] < weights[3]
    assert weights[3] == weights[4] == weights[5]


@given(st.text(min_size=1), st.integers(1, 10**6))
def test_weights_lie_between_0_and_the_caps(token: str, count: int) -> None:
    highest = round(65536 * (1 + np.log(8)) * 5)
    assert 0 <= weigh({token: count})[token] <= highest


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_a_more_frequent_word_never_weighs_more(a: int, b: int) -> None:
    rare, common = sorted((a, b))
    assert 0.0 <= idf_of(common, 10**6) <= idf_of(rare, 10**6) <= 5.0


def test_the_two_tables_share_no_word() -> None:
    assert len(background_idf()) == sum(PROFILE["listed"].values())
    assert all(0.0 <= idf < 5.0 for idf in background_idf().values())


@pytest.mark.parametrize("name", TABLES)
def test_tables_state_their_source_and_size(name: str) -> None:
    lines = (FOLDER / name).read_text("utf-8").splitlines()
    head = dict(line[2:].split("\t") for line in lines if line.startswith("# "))
    assert int(head["total"]) == PROFILE["totals"][name]
    assert int(head["words"]) == len(lines) - len(head) == PROFILE["listed"][name]
    assert len(head["sha256"]) == 64


@pytest.mark.parametrize("name", TABLES)
def test_tables_rebuild_byte_for_byte(name: str, tmp_path: Path) -> None:
    pytest.importorskip("symspellpy", reason="only needed to build the tables")
    from simhash_core.weighting.background import build

    source = build.CHINESE if name == "zh.tsv" else build.ENGLISH
    build.build(*source, tmp_path / name, chinese=name == "zh.tsv")
    assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes()
