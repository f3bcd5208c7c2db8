"""What goes in comes out: rows, texts, fingerprints, counts, removals, owners."""

from __future__ import annotations

import numpy as np
import pytest
from library_texts import text

from simhash_core import Document
from simhash_core.errors import StoreError
from simhash_core.model import Note, text_id
from simhash_core.storage.library import ADDED_KEY, COLLECTION_KEY, ROW_KEY, Added, Library, prepare

TEXTS = [
    text(f"text number {n} of a few words", name=f"{n}.txt", author=f"作者{n}") for n in range(5)
]


def without_arrival(document: Document) -> dict[str, str]:
    return {key: value for key, value in document.meta.items() if key != ADDED_KEY}


def test_texts_come_back_as_they_went_in(library):
    added = library.add("essays", TEXTS)
    keys = [one.key for one in added]

    assert all(one.is_new for one in added) and keys == sorted(set(keys))
    documents = library.documents(reversed(keys))
    assert [document.text for document in documents] == [
        given.document.text for given in reversed(TEXTS)
    ]
    first = documents[-1]
    assert without_arrival(first) == {
        "author": "作者0",
        ROW_KEY: str(keys[0]),
        COLLECTION_KEY: "essays",
    }
    assert float(first.meta[ADDED_KEY]) > 0
    row = library.rows([keys[3]])[0]
    assert (row.id, row.name, row.author) == (TEXTS[3].document.id, "3.txt", "作者3")
    assert (row.collection, row.chars, row.language) == ("essays", len(documents[1].text), "en")


def test_everything_of_a_document_is_stored(library):
    words = "如有雷同\ud800\x00，纯属巧合。"
    notes = (Note("lookalikes", {"n": 3}, 0, 2), Note("short"))
    meta = {"title": "\x00t", "group": "甲", "date": "2024-05-01", "keywords": "a\ud800"}
    given = Document(text_id(words), "b\ud800\x00/c.md", words, "md", "gbk", "zh", meta, notes)

    (added,) = library.add("名\ud800", [prepare(given)])
    (held,) = library.documents([added.key])

    assert without_arrival(held) == {**meta, ROW_KEY: str(added.key), COLLECTION_KEY: "名\ud800"}
    for field in ("id", "name", "text", "format", "encoding", "language", "notes"):
        assert getattr(held, field) == getattr(given, field)
    assert library.rows(collection="名\ud800")[0].title == "\x00t"


def test_adding_again_adds_nothing(library):
    first = library.add("essays", TEXTS)
    again = library.add("essays", [*TEXTS, text("one more"), text("one more", name="b")])

    assert again[:5] == [Added(one.key, False) for one in first]
    assert again[5].is_new and again[6] == Added(again[5].key, False)
    assert len(library.rows()) == 6


def test_one_text_in_two_collections_is_two_rows_and_one_body(library):
    (a,), (b,) = library.add("one", TEXTS[:1]), library.add("two", TEXTS[:1])

    assert [row.key for row in library.rows()] == [a.key, b.key]
    assert [row.collection for row in library.rows()] == ["one", "two"]
    library.remove([a.key])
    assert library.documents([a.key, b.key])[0].text == TEXTS[0].document.text
    assert dict(library.counts([a.key, b.key])).keys() == {b.key}


def test_fingerprints_come_in_bulk(library):
    keys = [one.key for one in library.add("essays", [*TEXTS, prepare(Document.from_text("x"))])]
    held, words = library.fingerprints()

    assert held.tolist() == keys[:5] and words.dtype == np.uint64
    np.testing.assert_array_equal(words, [given.fingerprint for given in TEXTS])
    assert library.fingerprints(after=keys[2])[0].tolist() == keys[3:5]
    assert library.fingerprints(after=keys[5])[1].shape == (0, 0)
    assert library.newest() == keys[5]


def test_fingerprints_of_any_bits_come_back(library):
    words = np.array([[0] * 4, [2**64 - 1] * 4, [2**63] * 4, [1, 2**63 - 1, 2**63, 0]], np.uint64)
    library.add("essays", [prepare(TEXTS[n].document, row) for n, row in enumerate(words)])

    np.testing.assert_array_equal(library.fingerprints()[1], words)


def test_counts_come_back(library):
    keys = [one.key for one in library.add("essays", TEXTS)]
    held = dict(library.counts(keys[1:]))

    assert sorted(held) == keys[1:]
    assert held[keys[1]].tokens == tuple(TEXTS[1].counted.tokens)
    np.testing.assert_array_equal(held[keys[1]].count, TEXTS[1].counted.count)


def test_removed_texts_are_in_no_answer_and_are_listed(library):
    keys = [one.key for one in library.add("essays", TEXTS)]
    assert library.removed() == (0, [])
    assert library.remove([keys[1], keys[3], 999]) == 2
    seq, gone = library.removed()

    assert gone == [keys[1], keys[3]]
    left = [keys[0], keys[2], keys[4]]
    assert [row.key for row in library.rows()] == left
    assert library.fingerprints()[0].tolist() == left
    assert library.documents([keys[1]]) == []
    assert library.removed(seq) == (seq, [])
    (back,) = library.add("essays", [TEXTS[1]])
    assert back.is_new and back.key > max(keys)


@pytest.mark.long
def test_rows_are_listed_in_parts(library):
    keys = [one.key for one in library.add("essays", TEXTS)]
    library.add("other", [text("elsewhere")])

    assert [row.key for row in library.rows(collection="essays", limit=2)] == keys[:2]
    assert [row.key for row in library.rows(collection="essays", after=keys[1])] == keys[2:]
    assert library.rows(collection="none") == []
    many = [text(f"words {n}") for n in range(1200)]
    every = [one.key for one in library.add("many", many)]
    assert [row.key for row in library.rows(every)] == every


def test_search_by_name_ignores_case_and_takes_signs_as_they_are(library):
    library.add(
        "essays",
        [
            text("a", name="Über_100%.txt", title="Bridges"),
            text("b", name="uber.txt", author="陈明"),
            text("c", name="c", url="https://paper.example/a"),
        ],
    )

    def names(words, **where):
        return [row.name for row in library.rows(words=words, **where)]

    assert names("ÜBER") == ["Über_100%.txt"]
    assert names("r_1") == ["Über_100%.txt"] and names("%") == ["Über_100%.txt"]
    assert names("bridges") == ["Über_100%.txt"] and names("陈") == ["uber.txt"]
    assert names("PAPER.example") == ["c"]
    assert names("", collection="essays", limit=2) == ["Über_100%.txt", "uber.txt"]
    assert names("b", collection="other") == []


def test_collections_are_counted(library):
    library.add_collection("empty")
    library.add("essays", TEXTS)
    empty, essays = library.collections()

    assert (empty.name, empty.texts, empty.size) == ("empty", 0, 0)
    assert (essays.name, essays.texts) == ("essays", 5)
    assert essays.chars == sum(len(given.document.text) for given in TEXTS)
    assert essays.size > 0 and essays.changed >= essays.added
    assert library.remove_collection("essays") == 5
    assert [row.name for row in library.collections()] == ["empty"]
    assert library.rows() == [] and len(library.removed()[1]) == 5
    library.add("essays", TEXTS[:1])
    assert len(library.rows(collection="essays")) == 1
    with pytest.raises(StoreError, match="store_missing"):
        library.remove_collection("none")


def test_missing_library_is_not_made(tmp_path):
    with pytest.raises(StoreError, match="store_missing"):
        Library.open(tmp_path / "b", owner="editor")
    with pytest.raises(ValueError, match="owner"):
        Library.open(tmp_path / "b", owner="", create=True)


def test_nothing_of_one_owner_is_shown_to_another(opened):
    with opened("a") as mine, opened("b") as other:
        keys = [one.key for one in mine.add("essays", TEXTS)]
        job = mine.jobs.start("essays", ["secret.txt"])
        mine.freeze_statistics()
        mine.set_recipe("one")
        (theirs,) = other.add("essays", [TEXTS[0]])

        assert theirs.is_new and theirs.key not in keys
        assert [row.key for row in other.rows()] == [theirs.key]
        assert other.rows(keys) == [] and other.documents(keys) == []
        assert list(other.counts(keys)) == [] and other.rows(words="1.txt") == []
        assert other.fingerprints()[0].tolist() == [theirs.key]
        assert [document.id for document in other.every_document()] == [TEXTS[0].document.id]
        assert other.remove(keys) == 0 and other.purge(keys).texts == 0
        assert len(mine.rows()) == 5
        assert [row.texts for row in other.collections()] == [1]
        assert other.jobs.listed() == [] and other.jobs.items(job) == []
        assert other.statistics is None and other.recipe == ""
        assert other.stats().texts == 1 and other.replace_fingerprints([(keys[0], None)], "") == 0
        for change in (other.jobs.renew, lambda job: other.jobs.mark(job, [])):
            with pytest.raises(StoreError, match="store_missing"):
                change(job)
        mine.remove(keys[:2])
        assert other.removed() == (0, [])
        assert mine.recipe == "one" and "owner" not in repr(other.rows())
        assert list(mine.verify()) == [] and list(other.verify()) == []


def test_statistics_are_frozen(library):
    library.add("essays", [text("a b b"), text("b c"), text("c d"), prepare(TEXTS[0].document)])
    assert library.statistics is None
    stats = library.freeze_statistics()

    assert (stats.n, dict(stats.df)) == (4, {"b": 2, "c": 2})
    library.add("essays", [text("b e")])
    frozen = library.statistics
    assert (frozen.stats.n, dict(frozen.stats.df)) == (4, {"b": 2, "c": 2})
    assert library.stats().frozen == frozen.time and library.stats().frozen_texts == 4


def test_fingerprints_are_replaced_at_once(library):
    keys = [one.key for one in library.add("essays", TEXTS)]
    library.remove(keys[:1])
    other = [(key, np.array([key, 1, 2], np.uint64)) for key in keys[:4]] + [(keys[4], None)]

    assert library.replace_fingerprints(other, "two") == 4
    held, words = library.fingerprints()
    assert held.tolist() == keys[1:4] and words.tolist() == [[key, 1, 2] for key in keys[1:4]]
    assert library.recipe == "two" and list(library.verify()) == []


def test_stats_are_the_library_in_numbers(library):
    keys = [one.key for one in library.add("essays", TEXTS)]
    library.remove(keys[:1])
    stats = library.stats()

    assert (stats.collections, stats.texts, stats.removed, stats.newest) == (1, 4, 1, keys[-1])
    assert stats.size > 0 and stats.version == 1


def test_every_document_is_the_whole_library_in_order(library):
    keys = [one.key for one in library.add("essays", TEXTS)]
    library.add("other", [text("elsewhere")])
    library.remove(keys[:1])

    held = list(library.every_document())
    assert [document.id for document in held[:4]] == [given.document.id for given in TEXTS[1:]]
    assert held[:4] == library.documents(keys)
    assert [document.text for document in library.every_document("other")] == ["elsewhere"]


def test_keys_are_those_of_some_languages(library):
    texts = [text("a"), prepare(Document.from_text("b"), language="en"), text("c")]
    texts[2] = prepare(texts[2].document, language="zh")
    unknown, english, _ = (one.key for one in library.add("2025", texts))

    assert library.keys(languages="en mixed").tolist() == [unknown, english]
    assert library.keys(languages="en", after=unknown).tolist() == [english]


def test_keys_are_those_of_some_collections(library):
    first = [one.key for one in library.add("2025", [text("a"), text("b")])]
    second = [one.key for one in library.add("2026", [text("c")])]
    library.remove(first[:1])

    assert library.keys().tolist() == [first[1], *second]
    assert library.keys(after=first[1]).tolist() == second
    assert library.keys(collections=["2026"]).tolist() == second
    assert library.keys(collections=[]).tolist() == []
    with pytest.raises(StoreError, match="store_missing"):
        library.keys(collections=["2024"])
