"""A check against a library finds what a check against all of its texts finds."""

import numpy as np
import pytest

import simhash_core.checking.templates as templates_room
from simhash_core import Document, check
from simhash_core.checking.pipeline import run_check
from simhash_core.errors import StoreError
from simhash_core.library import LibraryScope
from simhash_core.library.scope import Retrieved
from simhash_core.model import NO_DISTANCE, Distances, Pairs
from simhash_core.settings import Settings
from simhash_core.simhash.neighbours import Neighbours
from simhash_core.storage.library import Library, prepare
from simhash_core.translations.search import ArchiveTranslations
from tests.prose import chinese, english, replaced


def essay(seed, words=400, **meta):
    return Document.from_text(english(seed, words), name=f"{seed}.txt", **meta)


ENGLISH = [essay(seed, author=f"author {seed}") for seed in range(30)]
CHINESE = [Document.from_text(chinese(seed, 700), name=f"中{seed}.txt") for seed in range(30)]


def part(document, low, high):
    """Some words, or characters where there are no words."""
    words = document.text.split(" ")
    return " ".join(words[low:high]) if len(words) > 1 else document.text[low:high]


NEW = [
    Document.from_text(
        english(200, 200) + " " + part(ENGLISH[4], 100, 200) + ". " + english(201, 200),
        name="copied.txt",
        author="AUTHOR 4",
    ),
    Document.from_text(replaced(ENGLISH[7].text, 0.25, 1), name="reworded.txt"),
    Document.from_text(ENGLISH[9].text, name="equal.txt"),
    Document.from_text(chinese(300, 300) + part(CHINESE[5], 100, 400), name="抄.txt"),
    essay(250),
    Document.from_text(part(essay(250), 50, 250), name="inside.txt"),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    path = tmp_path_factory.mktemp("library") / "texts.library"
    with Library.open(path, owner="a", create=True) as opened:
        opened.add("2024", [prepare(one) for one in ENGLISH])
        opened.add("2025", [prepare(one) for one in CHINESE])
        yield opened


def listed(result):
    """Names of the pairs with passages, and the longest of each."""
    table = result.table
    names = [document.name for document in result.documents]
    rows = np.flatnonzero(table.passages)
    return {
        (names[table.pairs.left[row]], names[table.pairs.right[row]]): int(table.longest[row])
        for row in rows
    }


def codes(result):
    return {guarantee.code: guarantee.params for guarantee in result.guarantees}


def test_findings_are_those_of_a_check_of_everything_and_name_their_collection(library) -> None:
    result = run_check(NEW, LibraryScope(library=library))
    assert listed(result) == listed(check(NEW, against=[*ENGLISH, *CHINESE]))
    assert listed(result).keys() == {
        ("copied.txt", "4.txt"),
        ("reworded.txt", "7.txt"),
        ("equal.txt", "9.txt"),
        ("抄.txt", "中5.txt"),
        ("250.txt", "inside.txt"),
    }
    assert codes(result)["archive_searched"]["texts"] == 60

    references = result.documents[len(NEW) :]
    assert result.references == len(references) == 4
    held = {document.name: document.meta["archive_collection"] for document in references}
    assert held == {"4.txt": "2024", "7.txt": "2024", "9.txt": "2024", "中5.txt": "2025"}
    assert len(result.lengths) == len(result.total_overlap) == len(result.documents)
    assert len(result.fingerprints) == len(result.documents)


def test_several_libraries_are_searched_as_if_they_were_one(library, tmp_path):
    """The same findings, numbers of pairs and names of all collections."""
    with (
        Library.open(tmp_path / "class.library", owner="a", create=True) as own,
        Library.open(tmp_path / "wiki.library", owner="b", create=True) as other,
    ):
        own.add("2024", [prepare(one) for one in ENGLISH])
        other.add("2024", [prepare(one) for one in (*CHINESE, ENGLISH[9])])
        further = [LibraryScope(library=other)]
        result = run_check(NEW, LibraryScope(library=own, further=further))
        nothing = run_check(NEW, LibraryScope(library=own, collections=[], further=further))
        again = run_check(NEW, LibraryScope(library=own, further=further, inside=False))

    whole = run_check(NEW, LibraryScope(library=library))
    assert listed(result) == listed(whole)
    places = sorted(
        (one.name, one.meta["archive_collection"]) for one in result.documents[len(NEW) :]
    )
    assert places == [
        ("4.txt", "class: 2024"),
        ("7.txt", "class: 2024"),
        ("9.txt", "class: 2024"),
        ("9.txt", "wiki: 2024"),
        ("中5.txt", "wiki: 2024"),
    ]
    assert {pair[1] for pair in listed(nothing)} == {"9.txt", "中5.txt", "inside.txt"}
    assert {pair[1] for pair in listed(again)} == {"4.txt", "7.txt", "9.txt", "中5.txt"}
    archive = result.distances.total - again.distances.total
    assert archive == len(NEW) * (len(NEW) - 1) // 2


def test_collections_authors_templates_and_settings_decide_what_is_searched(library):
    result = run_check(NEW, LibraryScope(library=library, collections=["2025"], inside=False))

    assert listed(result).keys() == {("抄.txt", "中5.txt")}
    with pytest.raises(StoreError, match="store_missing"):
        run_check(NEW, LibraryScope(library=library, collections=["2023"]))

    result = run_check(NEW, LibraryScope(library=library, same_author=False))

    assert ("copied.txt", "4.txt") not in listed(result)
    assert ("reworded.txt", "7.txt") in listed(result)

    template = Document.from_text(part(ENGLISH[4], 90, 210), name="task.txt")

    result = run_check(NEW[:1], LibraryScope(library=library), templates=[template])

    assert listed(result) == {}

    result = run_check(NEW[:1], LibraryScope(library=Library.in_memory()))

    assert listed(result) == {}
    assert result.references == 0

    result = run_check(
        NEW, LibraryScope(library=library), settings=Settings(bits=64, preset="reposts")
    )

    assert ("reworded.txt", "7.txt") in listed(result)
    assert result.fingerprints.bits == 64


def test_one_new_text_is_judged_by_all_pairs_looked_at(library):
    result = run_check(NEW[:1], LibraryScope(library=library))

    assert listed(result).keys() == {("copied.txt", "4.txt")}
    assert result.significance.tails["en"].pairs == 30
    assert result.distances.total == 60
    assert result.significance.state in ("estimated", "none")


def test_new_texts_are_tokenised_once(library):
    tokenised = []

    def step(stage, done, total):
        if stage == "tokens" and done == 0:
            tokenised.append(total)

    run_check([NEW[2]], LibraryScope(library=library), progress=step)
    with_search = tokenised[:]
    tokenised.clear()
    # another guarantee than that of the index needs other hashes: tokenised by the check as well
    run_check([NEW[2]], LibraryScope(library=library), settings=Settings(min_run=20), progress=step)

    assert with_search[0] == tokenised[0] == 1
    assert with_search[1] == tokenised[1] - 1


def test_memory_changes_nothing_of_what_is_found(library):
    whole, small = (
        run_check(NEW, LibraryScope(library=library)),
        run_check(NEW, LibraryScope(library=library), memory=0),
    )

    assert listed(small) == listed(whole)
    assert codes(small)["on_disk"]["disk"] > 0
    assert "on_disk" not in codes(whole)


def test_templates_are_looked_for_in_each_text_once(library, monkeypatch):
    looked_at = []
    spans_of = templates_room.template_spans

    def counting(tokenized, templates, *, settings):
        looked_at.extend(text.token.tobytes() for text in tokenized)
        return spans_of(tokenized, templates, settings=settings)

    monkeypatch.setattr(templates_room, "template_spans", counting)
    template = Document.from_text(part(ENGLISH[4], 120, 150), name="task.txt")
    result = run_check(NEW[:2], LibraryScope(library=library), templates=[template])

    assert len(looked_at) == len(set(looked_at)) == len(result.documents)
    assert [note.code for note in result.documents[0].notes].count("template") == 1


def test_completeness_is_not_claimed_beyond_what_the_library_was_searched_for(library):
    documents = [Document.from_text(english(seed, 300), name=f"{seed}") for seed in range(4)]
    result = check(documents, settings=Settings(threshold=20))
    counts = Distances(np.zeros(257, np.int64), 256)
    searched = Retrieved(
        pairs=np.zeros((0, 2), np.int64), frequencies_of_archive=None, distances=counts,
        complete_up_to=30, tails={}, inside=False, guarantees=(),
        translated=ArchiveTranslations.of([]), near_references=None,
    )  # fmt: skip
    distance = np.array([10, 40, 40], np.uint16)
    pairs = Pairs(np.array([0, 0, 0]), np.array([1, 2, 3]), distance)
    none = np.full(3, NO_DISTANCE, np.uint16)
    near = Neighbours(pairs, none, 80, result.distances, None, ())

    close = searched.near(near, result.fingerprints, 2)

    assert close.complete_up_to == 30
    assert close.pairs.right.tolist() == [1]
