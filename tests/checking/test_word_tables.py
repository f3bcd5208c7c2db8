"""Tables of words are made ahead in a process of their own, which says how far it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from simhash_core.checking import word_tables
from simhash_core.errors import Cancelled
from simhash_core.text import cutting, dictionary


@pytest.mark.long
def test_what_is_missing_is_made_and_stored(cache):
    steps: list[tuple[str, int, int]] = []
    missing = word_tables.missing()
    assert missing[0] == "words"

    word_tables.prepare(["words"], lambda *step: steps.append(step))

    assert steps == [("words", 0, 1), ("words", 1, 1)]
    assert word_tables.missing() == missing[1:]
    assert np.array_equal(cutting.lexicon.__wrapped__().slots, cutting.made().slots)


def test_each_list_has_a_time_and_a_way_to_be_made(cache, monkeypatch):
    """The making of the dictionary itself is tried in test_dictionary."""
    called: list[str] = []
    for home, name in ((cutting, "lexicon"), (dictionary, "concept_table"), (dictionary, "load")):
        monkeypatch.setattr(home, name, lambda *_, name=name: called.append(name))

    with pytest.raises(SystemExit) as ended:
        word_tables.make(*word_tables.NAMES)

    assert ended.value.code == 1  # nothing was stored
    assert called == ["lexicon", "concept_table", "load"]
    assert set(word_tables.SECONDS) == set(word_tables.NAMES)


def test_without_the_extra_only_the_words_are_made(cache, monkeypatch):
    monkeypatch.setattr(dictionary, "data_file", lambda: None)

    assert word_tables.missing() == ("words",)


@pytest.mark.long
def test_who_stops_it_ends_its_process(cache):
    def stop(*_: object) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        word_tables.prepare(["words"], stop)


@pytest.mark.long
def test_what_cannot_be_stored_is_said(cache: Path):
    cache.mkdir()
    cutting._folder().write_bytes(b"")  # a file where the folder should be

    with pytest.raises(word_tables.NotPrepared):
        word_tables.prepare(["words"], lambda *_: None)
