"""Texts of one subject that have nothing to do with each other, and laws that have."""

import csv
import random
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from oracles.tokenizing import tokenize, winnow

from simhash_core.lab.pan import read_text
from simhash_core.passages.align import align_many
from simhash_core.passages.candidates import candidates
from simhash_core.passages.tokenized import document_frequencies
from simhash_core.passages.winnow import containment_of_pairs
from simhash_core.policy import CANDIDATE_SHARE
from simhash_core.text.normalize import normalize

pytestmark = [pytest.mark.corpora, pytest.mark.slow]
PAIRS, MOST_FALSE = 1000, 10
REWORDED = 1


@cache
def read(folder, pattern):
    paths = sorted(folder.glob(pattern))
    texts = [read_text(path) for path in paths]
    return [p.stem for p in paths], [tokenize(normalize(text), text) for text in texts]


def table(path):
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def false_reworded(tokenized, pairs):
    """Return in how many pairs the batch's own frequencies still leave a reworded passage."""
    found = align_many(tokenized, np.array(pairs), df=document_frequencies(tokenized))
    return len(set(found.pair[~found.weak & (found.kind == REWORDED)].tolist()))


@pytest.mark.parametrize(
    ("book", "pattern"),
    [("en_rust_book", "*__2022-12-31*"), ("zh_rust_book", "kaisery*__2022-12-31*")],
)
def test_other_sections_of_a_book_share_hardly_a_passage(corpora, book, pattern):
    _, tokenized = read(corpora / book / "docs", pattern)
    long = [row for row, seen in enumerate(tokenized) if len(seen) >= 100]
    pairs = list(combinations(long, 2))

    assert false_reworded(tokenized, pairs) <= MOST_FALSE * len(pairs) / PAIRS


def test_other_statutes_share_hardly_a_passage(corpora):
    names, tokenized = read(corpora / "zh_laws_dev" / "docs", "*")
    rows = {name: row for row, name in enumerate(names)}
    related = {
        tuple(sorted((rows[line["a"]], rows[line["b"]])))
        for line in table(corpora / "zh_laws_dev" / "reference_overlap_k12.tsv")
    }
    drawn = random.Random(2026).sample(list(combinations(range(len(tokenized)), 2)), 2 * PAIRS)
    seen = [winnow(one) for one in tokenized]
    shared = containment_of_pairs(seen, *np.array(drawn).T)
    pairs = [p for p, c in zip(drawn, shared, strict=True) if p not in related and c < 0.05]

    assert false_reworded(tokenized, pairs[:PAIRS]) <= MOST_FALSE


def test_overlapping_statutes_are_candidates_without_all_pairs_and_show_their_text(corpora):
    names, tokenized = read(corpora / "zh_laws_dev" / "docs", "*")
    rows = {name: row for row, name in enumerate(names)}
    wanted = [
        (rows[line["a"]], rows[line["b"]])
        for line in table(corpora / "zh_laws_dev" / "reference_overlap_k12.tsv")
        if float(line["containment_max"]) >= 0.3
    ]
    chosen = candidates(
        tokenized,
        [winnow(one) for one in tokenized],
        queries=len(tokenized),
        share=CANDIDATE_SHARE,
        step=lambda *_: None,
    ).pairs
    found = align_many(tokenized, np.array(wanted), df=document_frequencies(tokenized))

    assert {tuple(sorted(pair)) for pair in wanted} <= set(map(tuple, chosen.tolist()))
    assert len(chosen) < 0.5 * len(tokenized) * (len(tokenized) - 1) / 2
    assert len(set(found.pair[~found.weak].tolist())) >= 0.97 * len(wanted)
