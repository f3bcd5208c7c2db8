"""What is common in an archive, and what chance gives in it."""

import numpy as np
import pytest

from simhash_core import Document
from simhash_core.library.archive_statistics import (
    _bound_tail,
    archive_frequencies,
    archive_tails,
    greatest_frequencies,
    greatest_tails,
)
from simhash_core.library.index import LibraryIndex
from simhash_core.limits import Tail
from simhash_core.model import DocumentFrequencies
from simhash_core.passages.tokenized import document_frequencies, weight_factors
from simhash_core.policy import SAMPLED_STRENGTH
from simhash_core.settings import Settings
from simhash_core.storage.library import Library, prepare
from tests.library_texts import opened_index
from tests.prose import chinese, english


def silent(stage, done, total):
    pass


def index_of(texts):
    library = Library.in_memory()
    library.add("a", [prepare(Document.from_text(text)) for text in texts])
    return opened_index(library)


def tokens(index, texts):
    return index.new_texts([Document.from_text(text) for text in texts], silent).texts


def test_weights_are_those_of_a_batch_of_the_archive():
    texts = [english(seed, 90) for seed in range(30)]
    index = index_of(texts)
    tokenized = tokens(index, texts)

    of_archive, of_batch = archive_frequencies(index.archive(), ()), document_frequencies(tokenized)

    for one in tokenized:
        np.testing.assert_allclose(
            weight_factors(of_archive, one), weight_factors(of_batch, one), atol=1e-5
        )
    assert len(of_archive.feature) < len(of_batch.feature) / 5


def test_a_formula_of_one_language_stays_one_beside_many_texts_of_the_other():
    formula = "第一条为了规范市场秩序保护公民法人和其他组织的合法权益制定本条例。"
    texts = [english(seed, 90) for seed in range(60)]
    index = index_of([*texts, *(formula + chinese(seed, 80) for seed in range(10))])
    (one,) = tokens(index, [formula])

    factors = weight_factors(archive_frequencies(index.archive(), ()), one)

    assert (factors[:-1] == 0).all()  # the last character alone is no pair


def test_words_of_one_prompt_weigh_less_where_all_new_texts_hold_them():
    prompt = "Discuss whether volcanic glaciers threaten coastal harbours tomorrow. "
    index = index_of([english(seed, 90) for seed in range(30)])
    new = tokens(index, [prompt + english(100 + seed, 60) for seed in range(25)])

    few, many = (archive_frequencies(index.archive(), new[:n]) for n in (5, 25))

    volcanic = tokens(index, [prompt])[0]
    assert weight_factors(few, volcanic)[2:8].min() == 1
    assert weight_factors(many, volcanic).max() == 0


def test_few_texts_have_no_frequencies_and_no_tails():
    index = index_of([english(seed, 90) for seed in range(4)])

    assert archive_frequencies(index.archive(), tokens(index, [english(9, 50)])) is None
    assert archive_tails(index, silent) == {}


def test_tails_are_measured_once_and_scaled_to_the_pairs_looked_at():
    index = index_of([english(seed, 90) for seed in range(30)])
    measured = []

    def step(stage, done, total):
        measured.append(stage)

    first = archive_tails(index, step)
    assert "chance" in measured
    measured.clear()

    assert archive_tails(index, step) == first
    assert not measured


def test_tails_are_measured_anew_when_the_archive_is_four_times_as_large():
    with Library.in_memory() as library:

        def grown(texts):
            library.add("a", [prepare(Document.from_text(english(n, 90))) for n in texts])
            index.refresh()
            before = index.folder.manifest().generation
            archive_tails(index, silent)
            return index.folder.manifest().generation > before

        index = LibraryIndex(library, settings=Settings())
        parts = range(25), range(25, 100), range(100, 101)
        assert list(map(grown, parts)) == [True, False, True]


def test_an_archive_without_chance_findings_has_a_bound():
    tail = Tail(pairs=1, sampled=500, anchor=0.0, share=0.01, per_decade=0.7, summaries=0.0)

    none = _bound_tail(tail, np.zeros(500, np.float32))
    some = _bound_tail(tail, np.array([0, 5, 4.5] + [0] * 497, np.float32))

    assert (none.anchor, none.share) == (SAMPLED_STRENGTH, 1 / 500)
    assert (some.anchor, some.share) == (4.5, 2 / 500)
    assert none.expected(np.array([SAMPLED_STRENGTH + 0.7]))[0] == pytest.approx(1 / 5000)


def test_several_archives_say_what_is_most_common_and_what_chance_gives_most():
    common = DocumentFrequencies(1_000_000, np.array([3, 7], np.int32), np.array([400_000, 9]))
    other = DocumentFrequencies(1_000_000, np.array([7, 9], np.int32), np.array([500_000, 1]))
    joined = greatest_frequencies([None, common, other])
    few = Tail(pairs=3, sampled=9, anchor=4.0, share=0.01, per_decade=0.7, summaries=0.0)
    many = Tail(pairs=5, sampled=9, anchor=5.0, share=0.01, per_decade=0.7, summaries=0.0)

    assert joined.feature.tolist() == [3, 7, 9]
    assert joined.count.tolist() == [400_000, 500_000, 1]
    assert greatest_frequencies([None, None]) is None
    tails = greatest_tails([{"zh": few, "en": few}, {"zh": many}])
    assert (tails["zh"].anchor, tails["zh"].pairs) == (5.0, 8)
    assert (tails["en"].anchor, tails["en"].pairs) == (4.0, 3)
