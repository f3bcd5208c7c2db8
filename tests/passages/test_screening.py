"""The screen before the alignment: it may let pairs through, and never holds a passage back."""

from itertools import combinations

import numpy as np
import pytest
from passages.test_align import view_of
from prose import chinese, english, replaced

from simhash_core.passages import readable, screening
from simhash_core.passages.align import align_sides
from simhash_core.passages.frequencies import document_frequencies
from simhash_core.passages.options import AlignOptions
from simhash_core.passages.side import side_of

kernels = pytest.importorskip("simhash_core.passages.kernels")


def around(seed, middle, *, han=False):
    """Put a stretch between two stretches of other text."""
    write = chinese if han else english
    return f"{write(seed, 250)}\n\n{middle}\n\n{write(seed + 500, 150)}"


def of_english():
    copied, task = english(1, 120), english(2, 60)
    shortened = " ".join(copied.split(" ")[::3])
    texts = [around(10 + i, replaced(copied, share, i)) for i, share in enumerate((0, 0.2, 0.5))]
    texts += [around(20 + i, task) for i in range(3)]
    texts += [copied, shortened, english(3, 6), english(3, 6), "to be or not " * 40]
    return [*texts, "to be or not " * 45, around(30, english(1, 25)), *map(english, (4, 5), (9, 0))]


def of_chinese():
    copied, formula = chinese(1, 200), chinese(2, 30)
    texts = [
        around(10 + i, replaced(copied, share, i, han=True) + formula, han=True)
        for i, share in enumerate((0, 0.1, 0.3, 0.5))
    ]
    return [*texts, copied[:90], formula, chinese(3, 400) + formula, around(40, formula)]


@pytest.mark.parametrize("with_batch", [False, True])
@pytest.mark.parametrize(("language", "texts"), [("en", of_english()), ("zh", of_chinese())])
def test_no_passage_is_held_back(monkeypatch, language, texts, with_batch):
    tokenized = [view_of(text) for text in texts]
    df = document_frequencies(tokenized) if with_batch else None
    sides = [side_of(one, df) for one in tokenized]
    pairs = np.array(list(combinations(range(len(texts)), 2)))
    options = AlignOptions.for_language(language, frequencies=with_batch)

    passages = align_sides(sides, pairs, options=options)
    chosen = []
    for loops in (readable, kernels):
        monkeypatch.setattr(screening, "loops", loops)
        chosen.append(screening.worth_aligning(sides, pairs, options))

    with_passages = np.unique(passages.pair[~passages.weak])
    assert len(with_passages) > 3
    np.testing.assert_array_equal(*chosen)
    hopeful = np.logical_or(*chosen[0])
    assert hopeful[with_passages].all()
    assert np.count_nonzero(hopeful) < len(pairs) / 2


def test_long_texts_go_on_unseen(monkeypatch):
    monkeypatch.setattr(screening, "BOOK_TOKENS", 100)
    sides = [side_of(view_of(english(i, 120 - 40 * i)), None) for i in range(3)]
    options = AlignOptions.for_language("en", frequencies=False)

    hopeful, _ = screening.worth_aligning(sides, np.array([[0, 1], [1, 2]]), options)

    assert hopeful.tolist() == [True, False]
