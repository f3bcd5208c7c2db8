"""Texts that are nearly the same as wholes: what brute force finds, and what a group is."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from simhash_core.checking import group_near_duplicates
from simhash_core.graphs import component_labels
from simhash_core.model import report_nothing
from simhash_core.text.normalize import normalized_text


def group(texts: list[str], similarity: float = 0.8) -> list[list[int]]:
    step = report_nothing
    return group_near_duplicates(len(texts), texts.__getitem__, similarity=similarity, step=step)


def made_up(words: int, changed: int, chance: Random) -> list[str]:
    """Return a text, a copy with some words replaced, and a copy of that."""
    vocabulary = ["".join(chance.choices("abcdefghijklmnop", k=7)) for _ in range(2_000)]
    text = chance.choices(vocabulary, k=words)
    made = [" ".join(text)]
    for _ in range(2):
        for _ in range(changed):
            text[chance.randrange(words)] = chance.choice(vocabulary)
        made.append(" ".join(text))
    return made


@pytest.mark.parametrize("similarity", [0.5, 0.8, 0.95])
def test_groups_are_those_of_all_pairs_counted(similarity: float) -> None:
    chance = Random(7)
    texts = [one for n in range(90) for one in made_up(40 + n, 1 + n % 6, chance)]
    plain = [normalized_text(text).replace("\n", " ") for text in texts]
    sets = [{one[at : at + 5] for at in range(len(one) - 4)} for one in plain]
    alike = [
        (a, b)
        for a, b in combinations(range(len(texts)), 2)
        if len(sets[a] & sets[b]) >= similarity * len(sets[a] | sets[b])
    ]
    label = component_labels(*map(list, zip(*alike, strict=True)), len(texts))  # type: ignore[arg-type]
    wanted: dict[int, list[int]] = {}
    for row, name in enumerate(label.tolist()):
        wanted.setdefault(name, []).append(row)

    assert 10 < len(alike) < 300
    assert group(texts, similarity) == [rows for rows in wanted.values() if len(rows) > 1]


def test_texts_without_a_shingle_are_like_their_copies_alone() -> None:
    assert group([]) == group(["one"]) == group(["abc", "abd"]) == []
    assert group(["", "n/a", "", "n/a", "\u200b\u200b", "\u200b\u200b"]) == [[1, 3]]


def test_texts_are_read_once_and_again_only_where_they_may_be_alike() -> None:
    chance = Random(3)
    texts = [one for n in range(40) for one in made_up(60 + n, 40 if n else 1, chance)]
    asked = list[int]()

    def read_text(row: int) -> str:
        asked.append(row)
        return texts[row]

    groups = group_near_duplicates(len(texts), read_text, similarity=0.8, step=report_nothing)

    assert groups == [[0, 1, 2]]
    assert asked == [*range(len(texts)), 0, 1, 2]


def test_case_width_script_and_white_space_count_nowhere() -> None:
    text = "如有雷同，纯属巧合。Any LIKENESS is by chance alone, 绝无影射之意。"
    other = "如有雷同，純屬巧合。Ａny likeness\n is by chance  alone, 絕無影射之意。"
    assert group([text, "Nobody came to the old mill.", other], 1.0) == [[0, 2]]


def test_one_word_in_a_form_that_all_share_joins_them_at_once() -> None:
    form = " ".join(f"field{n} of the form" for n in range(60))
    rows = [form.replace("field7", f"answer{n}") for n in range(3_000)]
    assert [len(one) for one in group(rows)] == [3_000]
