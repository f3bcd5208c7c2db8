"""Words that were misread are compared as meant, where another text says what was meant."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from simhash_core.checking.misread import (
    Misreading,
    Sources,
    compare_as_meant,
    misreadings,
    misreadings_of,
    read_document,
    read_whole,
    replace_misreadings,
    undo_misreadings,
    words_as_read,
)
from simhash_core.checking.pipeline import check, run_check
from simhash_core.checking.tokenizing import read_text, tokenize_batch
from simhash_core.library import LibraryScope
from simhash_core.machine.workers import shared_pool
from simhash_core.model import Document, Note
from simhash_core.seen import Exclusions, exclude
from simhash_core.seen.comparison import compare
from simhash_core.settings import Settings
from simhash_core.storage import Project
from simhash_core.storage.library import Library, prepare
from simhash_core.text.normalize import normalize

SETTINGS = Settings()
ENGLISH = (
    "The harbour master keeps a ledger of every vessel that enters before dawn, and he writes "
    "the names of their captains in a careful hand that nobody else can imitate."
)
CHINESE = "港务长把每一艘天亮以前进港的船记在账上，用谁也学不来的字写下船长的名字，今年也是这样。"


def recognised(text: str, name: str = "scan") -> Document:
    return replace(Document.from_text(text, name=name), notes=(Note("ocr", {"n": 1}),))


def found(text: str, *others: str) -> list[tuple[str, str]]:
    documents = [Document.from_text(other, name=str(n)) for n, other in enumerate(others)]
    tokens = [read_text(other, SETTINGS) for other in others]
    scan = recognised(text)
    words, read = words_as_read(scan, SETTINGS), read_text(text, SETTINGS)
    return [
        (text[one.start : one.end], one.meant)
        for one in misreadings(words, read, Sources(documents, tokens, SETTINGS))
    ]


@pytest.mark.parametrize(
    ("right", "wrong", "meant"),
    [
        ("master", "rnaster", "master"),
        ("vessel", "vesscl", "vessel"),
        ("captains", "captans", "captains"),
        ("before dawn", "beforedawn", "before dawn"),
        ("nobody", "no body", "nobody"),
        ("The harbour", "Tbe harbour", "the"),
        ("imitate.", "imitatc.", "imitate"),
    ],
)
def test_a_misread_word_is_found(right: str, wrong: str, meant: str) -> None:
    text = ENGLISH.replace(right, wrong)
    ((seen, said),) = found(text, ENGLISH)

    assert said == meant
    assert seen in wrong


def test_a_misread_character_is_found_and_a_number_is_never_changed() -> None:
    assert found(CHINESE.replace("今年", "令年"), CHINESE) == [("令", "今")]
    text = "In the year 1998 the harbour froze and no vessel left it for a month."
    assert found(text.replace("1998", "1993"), text) == []
    assert found(text.replace("1998", "l998"), text) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("dawn", "noon"), ("vessel", "ship"), ("careful ", ""), ("every vessel", "every 3 vessels")],
)
def test_other_words_are_no_misreadings(right: str, wrong: str) -> None:
    assert found(ENGLISH.replace(right, wrong), ENGLISH) == []


def test_a_text_is_not_read_along_another_recognised_one() -> None:
    scan, other = recognised(ENGLISH.replace("master", "rnaster")), recognised(ENGLISH, "other")
    batch = tokenize_batch(
        [scan, other], settings=SETTINGS, pool=shared_pool(), step=lambda *_: None
    )
    noted, _, same = compare_as_meant([scan, other], [scan, other], batch, settings=SETTINGS)

    assert noted == [scan, other]
    assert same is batch


def test_two_words_that_were_read_as_one_have_their_own_places() -> None:
    text = "keeps a ledgerof every"
    form = undo_misreadings(normalize(text), [Misreading(8, 16, "ledger of")])
    tokens = read_document(
        replace_misreadings(recognised(text), [Misreading(8, 16, "ledger of")]), SETTINGS
    )

    assert form.text == "keeps a ledger of every"
    assert [text[i:j] for i, j in zip(tokens.start, tokens.end, strict=True)] == [
        *("keeps", "a", "ledger", "of", "every")
    ]
    assert np.all(np.diff(form.start) >= 0)
    assert np.all(np.diff(form.end) >= 0)


def test_what_a_text_carries_is_read_back() -> None:
    wanted = [Misreading(4, 9, "words"), Misreading(12, 14, "of it")]
    document = replace_misreadings(recognised(ENGLISH), wanted)
    again = replace_misreadings(document, wanted[:1])

    assert misreadings_of(document) == wanted
    assert misreadings_of(again) == wanted[:1]
    assert replace_misreadings(again, []).notes == recognised(ENGLISH).notes


def test_counts_are_those_of_the_text_as_read() -> None:
    scan = recognised(ENGLISH.replace("master", "rnaster"))
    marked = replace_misreadings(scan, [Misreading(12, 19, "master")])
    before, after = read_whole(scan, SETTINGS), read_whole(marked, SETTINGS)

    assert before[0].vocabulary == after[0].vocabulary
    assert not np.array_equal(before[1].token, after[1].token)
    assert np.array_equal(after[1].token, read_text(ENGLISH, SETTINGS).token)


@pytest.fixture(scope="module")
def essay(samples: Path) -> str:
    return (samples / "sources" / "emma-clarke.txt").read_text("utf-8")


def test_a_scan_of_a_text_is_identical_with_it(essay: str) -> None:
    wrong = essay.replace("the", "tbe").replace("m", "rn")
    clean = Document.from_text(essay, name="clean")
    plain = check([clean, Document.from_text(wrong, name="scan")])
    scanned = check([clean, recognised(wrong)])

    assert plain.identical_overlap.max() < 0.6
    assert scanned.identical_overlap.min() > 0.95
    (note,) = (one for one in scanned.documents[1].notes if one.code == "misread")
    assert int(str(note.params["n"])) > 50
    compared = compare(*scanned.documents, settings=scanned.settings, result=scanned)
    assert compared.division[0].identical == scanned.division[0][0]


def test_other_texts_of_a_batch_stay_as_they_are(essay: str) -> None:
    texts = [essay, essay.replace("grader", "machine"), essay[:900] + ENGLISH]
    clean = [Document.from_text(text, name=str(n)) for n, text in enumerate(texts)]
    without = check(clean)
    beside = check([*clean, recognised(essay.replace("the", "tbe"))])
    rows_of_both = {
        (int(a), int(b)): row
        for row, (a, b) in enumerate(
            zip(beside.table.pairs.left, beside.table.pairs.right, strict=True)
        )
    }

    assert beside.documents[:3] == without.documents
    for row, pair in enumerate(
        zip(without.table.pairs.left.tolist(), without.table.pairs.right.tolist(), strict=True)
    ):
        other = rows_of_both[pair]
        assert beside.table.identical[other] == without.table.identical[row]
        assert beside.table.coverage_a[other] == without.table.coverage_a[row]


def test_an_earlier_check_gives_the_same(essay: str) -> None:
    clean = [Document.from_text(essay, name="clean"), Document.from_text(ENGLISH, name="other")]
    scan = recognised(essay.replace("the", "tbe"))
    first = check([*clean, scan])
    again = check([*clean, scan], earlier=first)

    assert again.documents == first.documents
    assert np.array_equal(again.identical_overlap, first.identical_overlap)


def test_two_texts_alone_are_compared_as_meant(essay: str) -> None:
    clean, scan = Document.from_text(essay, name="a"), recognised(essay.replace("the", "tbe"))
    compared = compare(clean, scan)

    assert compared.identical > 0.99
    assert misreadings_of(compared.b)
    assert compared.a == clean


def test_what_an_earlier_check_has_found_goes_with_it(essay: str) -> None:
    scan = recognised(essay.replace("the", "tbe"))
    first = check([Document.from_text(essay, name="clean"), scan])
    alone = check([first.documents[1], recognised(ENGLISH, "other")])

    assert misreadings_of(first.documents[1])
    assert not misreadings_of(alone.documents[0])


def test_a_stored_result_is_shown_as_it_was_found(essay: str) -> None:
    scan = recognised(essay.replace("the", "tbe"))
    found = check([Document.from_text(essay, name="clean"), scan])
    project = Project.in_memory()
    project.save_result(found)
    stored = project.result()

    assert stored is not None
    assert misreadings_of(stored.documents[1]) == misreadings_of(found.documents[1])
    assert exclude(stored, Exclusions()).result.division.tolist() == found.division.tolist()
    shown = compare(*stored.documents, result=stored)
    assert shown.stretches.columns()[2].tolist() == (
        compare(*found.documents, result=found).stretches.columns()[2].tolist()
    )


def test_a_scan_is_found_in_a_library(essay: str, tmp_path: Path) -> None:
    with Library.open(tmp_path / "press.library", owner="a", create=True) as library:
        library.add("essays", [prepare(Document.from_text(essay, name="clean"))])
        result = run_check([recognised(essay.replace("the", "tbe"))], LibraryScope(library=library))

    assert result.identical_overlap[0] > 0.95
    assert misreadings_of(result.documents[0])
