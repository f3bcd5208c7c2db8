"""Candidates aligned in tasks: pairs of the same two texts once, and nothing else changes."""

import numpy as np
from oracles.tokenizing import tokenize
from prose import english, replaced

from simhash_core.checking import aligning
from simhash_core.errors import Unreadable
from simhash_core.machine.workers import shared_pool
from simhash_core.model import MOVED, SHARED, Stretches
from simhash_core.passages import coverage
from simhash_core.passages.coverage import PairNumbers
from simhash_core.passages.tokenized import document_frequencies
from simhash_core.settings import Settings
from simhash_core.text.normalize import normalize


def batch():
    """Return texts of which some are the same, in the same places or with a blank line more."""
    one, other = english(1, 150), english(2, 150)
    near = replaced(one, 0.1, 3)
    texts = [one, f"\n\n{one}", near, one, other, near, f"{other} {english(3, 40)}", one]
    return [tokenize(normalize(text), text) for text in texts]


def aligned(tokenized, pairs, listed):
    return aligning.align_pairs(
        tokenized,
        pairs,
        document_frequencies(tokenized),
        listed=listed,
        settings=Settings(),
        pool=shared_pool(),
        step=lambda *_: None,
    )


def test_copies_get_what_their_own_alignment_gives(monkeypatch):
    tokenized = batch()
    pairs = np.stack(np.triu_indices(len(tokenized), 1), axis=1).astype(np.int64)
    listed = np.arange(len(pairs)) % 3 == 0
    done, align_sides = [], aligning.align_sides

    def counting(sides, pairs, **how):
        done.append(len(pairs))
        return align_sides(sides, pairs, **how)

    monkeypatch.setattr(aligning, "align_sides", counting)
    (together, numbers, stretches), lost = aligned(tokenized, pairs, listed)

    assert sum(done) < len(pairs) * 3 / 4
    assert lost == 0
    separate = []
    for row in range(len(pairs)):
        (passages, alone, own), _ = aligned(tokenized, pairs[row : row + 1], listed[row : row + 1])
        mine = together.take(together.pair == row).of_pairs(np.zeros(len(passages), np.int64))
        for column, expected in zip(mine.columns(), passages.columns(), strict=True):
            np.testing.assert_array_equal(column, expected)
        of_pair = stretches.take(stretches.pair == row)
        for kind in (SHARED, MOVED):
            kept, every = of_pair.of_kind(kind).columns(), own.of_kind(kind).columns()
            for column, expected in zip(kept[1:], every[1:], strict=True):
                np.testing.assert_array_equal(column, expected)
        separate.append(own.of_pairs(np.full(len(own), row)))
        for column, expected in zip(
            numbers.take(np.array([row])).columns(), alone.columns(), strict=True
        ):
            np.testing.assert_array_equal(column, expected)
    of_all = coverage.parts_of_texts(tokenized, pairs, Stretches.join(separate))
    np.testing.assert_array_equal(coverage.parts_of_texts(tokenized, pairs, stretches), of_all)


def test_nothing_to_align_is_nothing():
    measured, lost = aligned(batch(), np.zeros((0, 2), np.int64), np.zeros(0, np.bool_))

    assert (len(measured.passages), len(measured.numbers.passages), lost) == (0, 0, 0)
    assert isinstance(measured.numbers, PairNumbers)


def test_lost_pairs_are_counted_with_their_copies(monkeypatch):
    def failing(function, tokenized, pairs, df, **_):
        yield 0, len(pairs), Unreadable("timeout", s=1)

    monkeypatch.setattr(aligning, "run_tasks", failing)
    pairs = np.array([[0, 2], [0, 5], [2, 3]])

    _, lost = aligned(batch(), pairs, np.ones(3, np.bool_))

    assert lost == 3
