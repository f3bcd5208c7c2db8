"""Tables of words are made ahead in a process of their own, which says how far it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from simhash_core.checking import word_tables
from simhash_core.errors import Cancelled
from simhash_core.text import dictionary


def test_each_table_has_a_way_to_be_made(cache, monkeypatch):
    """The making of the dictionary itself is tried in test_dictionary."""
    called: list[str] = []
    for name in ("concept_table", "load"):
        monkeypatch.setattr(dictionary, name, lambda *_, name=name: called.append(name))

    with pytest.raises(SystemExit) as ended:
        word_tables.make(*word_tables.NAMES)

    assert ended.value.code == int(dictionary.data_file() is not None)  # nothing was stored
    assert called == ["concept_table", "load"]


def test_without_the_extra_there_is_none_to_be_made(cache, monkeypatch):
    monkeypatch.setattr(dictionary, "data_file", lambda: None)

    assert word_tables.list_missing() == ()
    word_tables.prepare([], lambda *_: None)


@pytest.mark.long
def test_who_stops_it_ends_its_process(cache):
    def stop(*_: object) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        word_tables.prepare(word_tables.NAMES[:1], stop)


@pytest.mark.long
def test_what_cannot_be_stored_is_said(cache: Path, monkeypatch: pytest.MonkeyPatch):
    if dictionary.data_file() is None:
        pytest.skip("needs the dictionary")
    cache.write_bytes(b"")  # a file where the folder should be

    with pytest.raises(word_tables.NotPrepared):
        word_tables.prepare(["concepts"], lambda *_: None)
