"""Reworded texts of a library: found by their sentences, kept beside the index, purged with it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ngrams import NgramEncoder, reworded, sentences, written

from simhash_core import CheckResult, Document, Settings
from simhash_core.checking import pipeline
from simhash_core.checking.pipeline import run_check
from simhash_core.cli import against
from simhash_core.cli.entry import run
from simhash_core.errors import BadInput, Cancelled
from simhash_core.i18n import translator
from simhash_core.library import (
    LibraryIndex,
    LibraryScope,
    make_sentences,
    purge_library,
    sentences_made_now,
    verify_sentences,
    waiting_sentences,
)
from simhash_core.library import scope as scope_room
from simhash_core.library import sentences as room
from simhash_core.library.segments import SENTENCES
from simhash_core.meaning.likely import COARSE_SCALE, coarse, nearest_texts
from simhash_core.meaning.search import meanings_of
from simhash_core.meaning.vectors import SCALE, WIDEST, rounded, unit
from simhash_core.result import Meanings
from simhash_core.storage import owner_key
from simhash_core.storage.library import Library, Prepared, prepare

ON = Settings(meaning="on", passages=False)
AUTO = replace(ON, meaning="auto")
TEXTS = 18  # too few to measure what chance gives, which takes seconds
SOURCES = [sentences(seed, 14) for seed in range(TEXTS)]


def stored(rows: list[list[str]], name: object) -> Prepared:
    return prepare(Document.from_text(written(rows), name=str(name), author=f"author {name}"))


def copy_of(seed: int, **details: str) -> Document:
    """A new text that says five sentences of a stored one in other words."""
    rows = sentences(1000 + seed, 14)
    rows[4:9] = reworded(SOURCES[seed][6:11], 99)
    return Document.from_text(written(rows), name=f"copy of {seed}", **details)


@pytest.fixture(autouse=True)
def by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """The encoder of the tests in place of the model."""

    def with_encoder(*given: object, **options: object) -> Meanings:
        return meanings_of(*given, **options, encoder=NgramEncoder())  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "meanings_of", with_encoder)
    monkeypatch.setattr(pipeline, "demand_meaning", lambda settings: None)
    monkeypatch.setattr(room, "UNIVERSAL", NgramEncoder())
    monkeypatch.setattr(room, "meaning_installed", lambda: True)
    monkeypatch.setattr(room, "MEANING_ARCHIVE", 2)
    monkeypatch.setattr(room, "MEANING_ARCHIVE_ALONE", 3)
    for place in (pipeline, scope_room, room):
        monkeypatch.setattr(place, "wants_meaning", lambda settings: settings.meaning != "off")


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    monkeypatch.setattr(room, "BATCH", 8)
    with Library.open(tmp_path / "texts.library", owner=owner_key(), create=True) as opened:
        opened.add("old", [stored(rows, at) for at, rows in enumerate(SOURCES[:15])])
        opened.add("late", [stored(rows, 15 + at) for at, rows in enumerate(SOURCES[15:])])
        yield opened


def checked(
    library: Library,
    *documents: Document,
    templates: Sequence[Document] = (),
    settings: Settings = ON,
    **scope: object,
) -> CheckResult:
    """Check by meaning alone, so that nothing is found by words before."""
    searched = LibraryScope(library=library, **scope)  # type: ignore[arg-type]
    return run_check(documents, searched, settings=settings, templates=templates)


def pairs(result: CheckResult) -> set[tuple[str, str]]:
    names = [document.name for document in result.documents]
    return {(names[a], names[b]) for a, b in result.meanings.pairs()}


def facts(result: CheckResult) -> dict[str, dict[str, object]]:
    return {fact.code: dict(fact.params) for fact in result.guarantees}


def rows_of(index: LibraryIndex) -> dict[int, list[list[int]]]:
    """Return the rows of each key."""
    held = {}
    for one in index.archive().segments:
        for at, key in enumerate(one.key.tolist()):
            low, high = one.vectors.first[at : at + 2].tolist()
            held[key] = one.vectors.rows[low:high].tolist()
    return held


# --------------------------------------------------------------------------- found


def test_a_reworded_text_of_a_library_is_found_and_read_in_full(library: Library) -> None:
    result = checked(library, copy_of(3), copy_of(16))

    assert pairs(result) == {("copy of 3", "3"), ("copy of 16", "16")}
    collections = {one.name: one.meta["archive_collection"] for one in result.documents[2:]}
    assert (collections["3"], collections["16"]) == ("old", "late")
    for row in range(2):
        places = result.meanings.answers[
            result.meanings.first[row] : result.meanings.first[row + 1]
        ]
        assert len(places) == 5
    assert result.meanings.possible == 1 + 2 * TEXTS
    assert result.meanings.compared <= 1 + 2 * 2
    assert facts(result)["meaning_library"] == {"n": TEXTS}
    assert "meaning_library_waiting" not in facts(result)
    assert not result.total_overlap.any()


def test_the_sentences_answer_as_in_a_check_of_both_texts(library: Library) -> None:
    meanings = checked(library, copy_of(3)).meanings
    wanted = stored(SOURCES[3], 3).text.hex()
    source = library.documents(row.key for row in library.rows() if row.id == wanted)[0]
    alone = meanings_of(
        [copy_of(3), source],
        _nothing_shared(),
        first_reference=1,
        apart=lambda left, right: np.zeros(len(left), np.bool_),
        pool=room.shared_pool(),
        step=lambda *_: None,
        encoder=NgramEncoder(),
    )

    assert meanings.answers.tolist() == alone.answers.tolist()
    assert meanings.closeness.tolist() == alone.closeness.tolist()


def _nothing_shared() -> object:
    from simhash_core import check
    from simhash_core.meaning.search import Shared

    result = check([], settings=Settings(meaning="off"))
    return Shared(result.table.pairs, result.passages)


def test_collections_authors_and_templates_apply(library: Library) -> None:
    copy = copy_of(3, author="author 3")
    task = Document.from_text(written(SOURCES[3][6:11]), name="task")

    assert pairs(checked(library, copy, collections=["old"])) == {("copy of 3", "3")}
    assert pairs(checked(library, copy, collections=["late"])) == set()
    assert pairs(checked(library, copy, same_author=False)) == set()
    assert pairs(checked(library, copy, templates=[task])) == set()


def test_what_words_have_found_is_not_found_again(library: Library) -> None:
    rows = sentences(2000, 14)
    rows[4:9] = SOURCES[3][6:11]
    copied = Document.from_text(written(rows), name="copied")

    result = run_check([copied], LibraryScope(library=library), settings=Settings(meaning="on"))

    assert result.total_overlap[0] > 0.3
    assert pairs(result) == set()


def test_reports_and_exclusions_know_what_a_library_gives(library: Library) -> None:
    from simhash_core.report.json import check_data
    from simhash_core.seen.exclusion_view import exclude
    from simhash_core.seen.exclusions import Exclusions

    result = checked(library, copy_of(3))
    (pair,) = check_data(result, translator("en"))["pairs"]

    assert (pair["a"], pair["b"], pair["coverage_a"]) == ("copy of 3", "3", 0)
    assert "meaning" in pair["evidence"]
    json.dumps(pair)
    without = Exclusions(templates=(written(SOURCES[3][6:11]),))
    assert len(exclude(result, without).result.meanings or ()) == 0


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_fact_has_a_sentence(library: Library, language: str) -> None:
    t = translator(language)
    result = checked(library, copy_of(3), settings=AUTO)

    for fact in result.guarantees:
        assert "guarantee." not in t(f"guarantee.{fact.code}", **fact.params)


# --------------------------------------------------------------------------- made and kept


def test_a_check_makes_some_and_one_that_asks_for_them_all(library, monkeypatch):
    monkeypatch.setattr(room, "MEANING_ARCHIVE_MADE", 8)
    waiting = [waiting_sentences(library)]
    for _ in range(2):
        result = checked(library, copy_of(16), settings=AUTO)
        waiting.append(waiting_sentences(library))

    assert waiting == [18, 10, 2]
    assert pairs(result) == set()
    assert facts(result)["meaning_library"] == {"n": 16}
    assert facts(result)["meaning_library_waiting"] == {"n": 2}
    assert pairs(checked(library, copy_of(16))) == {("copy of 16", "16")}


def test_an_import_makes_none(library: Library) -> None:
    from simhash_core.library import update_index

    update_index(library)

    assert waiting_sentences(library) == TEXTS


def test_a_check_says_what_it_waits_for(library, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(against, "meaning_installed", lambda: True)
    told: list[tuple[str, int, int]] = []
    assert sentences_made_now(library, Settings()) == TEXTS
    assert sentences_made_now(library, Settings(meaning="off")) == 0
    (tmp_path / "new.txt").write_text(copy_of(3).text, "utf-8")
    words = ["check", f"{tmp_path}/new.txt", "--against", f"{library.store.path}", "--lang", "en"]

    assert run(words) == 0
    said = f"Making sentence vectors of {TEXTS} of the {TEXTS} library texts that have none, once"
    assert said in capsys.readouterr().err
    assert run(words) == 0
    assert "vectors" not in capsys.readouterr().err
    run_check([copy_of(3)], LibraryScope(library=library), progress=lambda *step: told.append(step))
    assert "vectors" not in {stage for stage, *_ in told}


def test_a_making_that_is_stopped_goes_on(library, monkeypatch):
    monkeypatch.setattr(room, "BATCH", 4)
    reported = []

    def stop(stage: str, done: int, total: int) -> None:
        reported.append((stage, done, total))
        if len(reported) == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        make_sentences(library, step=stop)

    assert reported[0] == ("vectors", 4, TEXTS)
    assert waiting_sentences(library) == TEXTS - 8
    assert make_sentences(library) == TEXTS - 8
    whole = rows_of(room.sentence_index(library))
    monkeypatch.setattr(room, "BATCH", 5)
    again = LibraryIndex(library, settings=Settings(), folder=library.store.path.with_name("again"),
                         contents=room.sentence_index(library).contents)  # fmt: skip
    again.refresh()
    assert rows_of(again) == whole


def test_texts_without_sentences_and_empty_libraries_are_done_too(tmp_path: Path) -> None:
    with Library.in_memory() as library:
        short = Document.from_text("Short.", name="short")
        library.add("all", [prepare(short), stored(SOURCES[3], 3)])

        assert pairs(checked(library, copy_of(3))) == {("copy of 3", "3")}
        assert pairs(checked(library, short)) == set()
    with Library.in_memory() as library:
        assert pairs(checked(library, copy_of(3))) == set()


def test_another_recipe_has_rows_of_its_own(library, monkeypatch):
    make_sentences(library)
    monkeypatch.setattr(room, "UNIVERSAL", NgramEncoder(recipe="ngrams-2"))

    assert waiting_sentences(library) == TEXTS


# --------------------------------------------------------------------------- purged, damaged


def vectors_of(library: Library) -> Path:
    (folder,) = library.store.path.with_name(f"{library.store.path.name}.index").glob(
        f"*-{SENTENCES}-*"
    )
    return folder


def test_what_is_purged_leaves_no_vector(library: Library) -> None:
    make_sentences(library)
    before = rows_of(room.sentence_index(library))
    gone = library.keys(collections=["late"]).tolist()
    library.remove(gone)
    assert pairs(checked(library, copy_of(16))) == set()  # not even before it is purged

    purge_library(library)

    folder = vectors_of(library)
    keys = [key for path in folder.rglob("key.npy") for key in np.load(path).tolist()]
    rows = [row for path in folder.rglob("sentences.rows.npy") for row in np.load(path).tolist()]
    assert set(keys) == before.keys() - set(gone)
    assert len(rows) == sum(map(len, before.values())) - 14 * len(gone)
    assert not any(row in rows for key in gone for row in before[key])
    assert waiting_sentences(library) == 0  # the others are not made again
    assert pairs(checked(library, copy_of(3))) == {("copy of 3", "3")}


def test_damaged_and_missing_vectors_are_named_and_made_again(library: Library) -> None:
    make_sentences(library)
    whole = rows_of(room.sentence_index(library))
    path = sorted(vectors_of(library).rglob("sentences.rows.npy"))[0]
    data = bytearray(path.read_bytes())
    data[-5] ^= 1
    path.write_bytes(data)

    assert verify_sentences(library) == [path.parent.name]
    assert verify_sentences(library) == []
    assert rows_of(room.sentence_index(library)) == whole

    sorted(vectors_of(library).rglob("sentences.rows.npy"))[0].unlink()

    assert pairs(checked(library, copy_of(3))) == {("copy of 3", "3")}


def test_where_too_many_wait_a_check_makes_none(library, monkeypatch):
    monkeypatch.setattr(room, "MEANING_ARCHIVE_WAITING", TEXTS - 1)
    result = checked(library, copy_of(3), settings=AUTO)

    assert waiting_sentences(library) == TEXTS
    assert facts(result)["meaning_library_waiting"] == {"n": TEXTS}
    assert pairs(checked(library, copy_of(3))) == {("copy of 3", "3")}


def test_damaged_vectors_do_not_stop_a_purge(library: Library) -> None:
    make_sentences(library)
    path = sorted(vectors_of(library).rglob("key.npy"))[0]
    path.write_bytes(b"")
    library.remove(library.keys(collections=["late"]).tolist())

    purge_library(library)

    assert not path.exists()
    assert len(rows_of(room.sentence_index(library))) == 0
    assert pairs(checked(library, copy_of(3))) == {("copy of 3", "3")}


def test_without_the_extra_a_library_is_searched_by_words(library, monkeypatch):
    monkeypatch.undo()

    result = run_check([copy_of(3)], LibraryScope(library=library))

    assert result.meanings is None
    assert not any(code.startswith("meaning") for code in facts(result))
    assert waiting_sentences(library) == 0
    assert verify_sentences(library) == []
    with pytest.raises(BadInput, match="meaning"):
        make_sentences(library)


# --------------------------------------------------------------------------- the scan


def readable_nearest(queries: np.ndarray, rows: np.ndarray, first: np.ndarray) -> list[list[int]]:
    """Return what `nearest_texts` does, by integers one at a time."""
    return [
        [
            max(sum(int(a) * int(b) for a, b in zip(query, row, strict=True)) for row in text)
            for text in np.split(rows, first[1:-1])
        ]
        for query in queries
    ]


@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=8),
    st.integers(0, 4) | st.integers(63, 65),
    st.integers(1, 3),
    st.integers(0, 2**32 - 1),
)
def test_the_scan_is_what_integers_give_in_every_form_of_the_loop(sizes, queries, fours, seed):
    draw = np.random.default_rng(seed)
    rows = draw.integers(-127, 128, (sum(sizes), 4 * fours)).astype(np.int8)
    asked = draw.integers(-127, 128, (queries, 4 * fours)).astype(np.int8)
    first = np.cumsum([0, *sizes])
    expected = readable_nearest(asked, rows, first)

    for width in range(WIDEST + 1):
        nearest = nearest_texts(asked, rows, first, width=width)
        assert (nearest * COARSE_SCALE**2).tolist() == expected


def test_the_scan_is_exact_at_its_bound_and_bytes_say_what_vectors_say() -> None:
    most = np.full((2, 128), 127, np.int8)
    most[1] = -127
    nearest = nearest_texts(most, most, np.array([0, 1, 2])) * COARSE_SCALE**2
    assert nearest.tolist() == [[127**2 * 128, -(127**2) * 128], [-(127**2) * 128, 127**2 * 128]]

    draw = np.random.default_rng(1)
    rows = rounded(unit(draw.normal(size=(200, 128))))
    products = rows.astype(np.int64) @ rows.T / SCALE**2
    short = coarse(rows).astype(np.int64)
    assert np.abs(short @ short.T / COARSE_SCALE**2 - products).max() < 0.02
    assert coarse(np.array([[511, -512, 3, -3, 0]], np.int16)).tolist() == [[127, -127, 2, -1, 0]]
