"""The sample classes: built from their sources, and planted is what their truth says."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from difflib import SequenceMatcher
from itertools import combinations
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from simhash_core import Document, gather, read
from simhash_core.checking import TextScope, run_check, sample_class
from simhash_core.checking import samples as collections
from simhash_core.people.authorship import list_hand_ins, name_documents
from simhash_core.people.roster import Member, read_class_list

Row = dict[str, str]
LANGUAGES = ("zh", "en")
#: characters in one piece that two texts of a planted pair share at least, by kind
LEAST = {
    "verbatim": {"zh": 90, "en": 300},
    "common source": {"zh": 90, "en": 300},
    "patchwork": {"zh": 90, "en": 300},
    "late": {"zh": 90, "en": 300},
    "connectives": {"zh": 60, "en": 150},
    "last year": {"zh": 300, "en": 1000},
    "whole": {"zh": 500, "en": 1400},
    "joint": {"zh": 500, "en": 1400},
    "duplicate": {"zh": 500, "en": 1400},
    "versions": {"zh": 150, "en": 400},
}
#: characters in one piece that texts share which were written apart
MOST = {"zh": 14, "en": 40}
WEAK = ("reworded", "translation")
FORMATS = {
    "docx": 23,
    "pdf": 11,
    "txt": 4,
    "html": 1,
    "doc": 1,
    "odt": 1,
    "rtf": 1,
    "jpg": 1,
    "": 2,
}


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def files(samples: Path, language: str) -> list[Row]:
    return rows(samples / "truth" / f"class-{language}-files.csv")


@pytest.fixture(scope="module")
def pairs(samples: Path, language: str) -> list[Row]:
    return rows(samples / "truth" / f"class-{language}.csv")


@pytest.fixture(scope="module")
def listed(language: str) -> list[Member]:
    file = sample_class(language).class_list
    return read_class_list(file, name=file.name)


@pytest.fixture(scope="module")
def handed_in(language: str, listed: list[Member]) -> list[Document]:
    """What is read of the archive and the late text, with the authors of the class list."""
    documents, _ = read(gather(collections()[f"class-{language}"])[0])
    return name_documents(documents, listed=listed)


@pytest.fixture(scope="module")
def sources(samples: Path, language: str) -> dict[str, str]:
    """The texts as they were written, without the task sheet, by name."""
    folder = samples / "sources" / "class" / language
    return {path.stem: path.read_text("utf-8") for path in folder.glob("*.txt")}


def rows(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def longest(a: str, b: str) -> int:
    """The length of the longest piece of two texts, white space aside, that they share."""
    a, b = "".join(a.split()), "".join(b.split())
    return SequenceMatcher(None, a, b, autojunk=False).find_longest_match().size


@pytest.mark.long
def test_the_classes_are_what_their_sources_say(
    samples: Path, building: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "truth").mkdir()
    (tmp_path / "sources").symlink_to(samples / "sources")
    monkeypatch.setattr(building, "HERE", tmp_path)
    building.school_classes()

    built = {path.relative_to(tmp_path) for path in (tmp_path / "class").rglob("*.*")}
    assert built == {path.relative_to(samples) for path in (samples / "class").rglob("*.*")}
    truths = {path.relative_to(tmp_path) for path in (tmp_path / "truth").iterdir()}
    for path in built | truths:
        assert (tmp_path / path).read_bytes() == (samples / path).read_bytes(), path


def test_a_class_is_small_enough_to_travel_with_the_program(samples: Path) -> None:
    size = sum(path.stat().st_size for path in (samples / "class").rglob("*.*"))

    assert size < 700_000


def test_a_class_has_forty_pupils_of_whom_two_are_missing(
    files: list[Row], handed_in: list[Document], listed: list[Member]
) -> None:
    pupils = {row["person"] for row in files if row["number"]}
    missing = {row["person"] for row in files if row["state"] == "missing"}
    unread = {"scan", "photo", "empty", "damaged"}
    readable = {row["person"] for row in files if row["state"] in ("text", "late")}
    rows_of_class = list_hand_ins(handed_in, [], listed)
    nothing = {one.member.person for one in rows_of_class if one.state == "missing"}

    assert (len(pupils), len(missing), len(readable)) == (40, 2, 34)
    assert Counter(row["format"] for row in files) == FORMATS
    assert {row["state"] for row in files} == {*unread, "text", "late", "last year", "missing"}
    assert missing | {row["person"] for row in files if row["state"] in unread} == nothing
    assert nothing == pupils - readable


def test_every_text_of_a_class_is_read_whatever_its_format(
    files: list[Row], sources: dict[str, str], handed_in: list[Document]
) -> None:
    """The .doc, .odt and .rtf give the same characters as the text they were made from."""
    wanted = {row["file"]: row["format"] for row in files if row["state"] in ("text", "late")}
    found = {document.name: document for document in handed_in}

    assert {name: document.format for name, document in found.items()} == wanted
    for name, kind in wanted.items():
        if kind in ("doc", "odt", "rtf"):
            text = "".join(found[name].text.split())
            assert text.endswith("".join(sources[found[name].meta["person"]].split())), name


def test_every_text_is_put_to_its_pupil(files: list[Row], handed_in: list[Document]) -> None:
    wanted = {row["file"]: row["person"] for row in files}

    for document in handed_in:
        assert document.meta["person"] == wanted[document.name], document.name
        assert document.meta["number"]


def test_planted_pairs_share_what_the_truth_says(
    samples: Path, language: str, pairs: list[Row], sources: dict[str, str]
) -> None:
    table = rows(samples / "sources" / "class" / language / "hand-ins.csv")
    text = {(row["name"], row["file"].rpartition("/")[2]): row["text"] for row in table}
    for pair in pairs:
        ends = ((pair["person_a"], pair["a"]), (pair["person_b"], pair["b"]))
        a, b = (sources[text[person, file.rpartition("/")[2]]] for person, file in ends)
        shared = longest(a, b)
        if pair["kind"] in WEAK:
            assert shared < LEAST["verbatim"][language], pair
        else:
            assert shared >= LEAST[pair["kind"]][language], pair


def test_nothing_else_is_shared_but_stock_sentences(
    samples: Path, language: str, pairs: list[Row], sources: dict[str, str]
) -> None:
    table = rows(samples / "sources" / "class" / language / "hand-ins.csv")
    text = {row["name"]: row["text"] for row in table if row["text"]}
    stems = sorted({row["text"] for row in table if row["text"]})
    planted = {frozenset((text[row["person_a"]], text[row["person_b"]])) for row in pairs}
    pieces: defaultdict[str, set[str]] = defaultdict(set)  # piece -> the texts that hold it
    for stem in stems:
        own = "".join(sources[stem].split())
        for sentence in sources["stock"].splitlines():
            own = own.replace("".join(sentence.split()), f"\n{stem}\n")
        for at in range(len(own) - MOST[language]):
            pieces[own[at : at + MOST[language] + 1]].add(stem)
    shared = {frozenset(ends) for held in pieces.values() for ends in combinations(held, 2)}
    drafts = {ends for ends in shared if len({stem.partition("-")[0] for stem in ends}) == 1}

    assert len(drafts) == 1  # of the one pupil who handed in two versions
    assert shared - drafts <= planted


@pytest.mark.long
def test_a_check_of_a_class_lists_what_was_planted(
    language: str, pairs: list[Row], handed_in: list[Document]
) -> None:
    """All but the translation, which shares no words."""
    beside = sample_class(language)
    task, last_year = (read(gather([path])[0])[0] for path in (beside.task, beside.last_year))
    result = run_check(handed_in, TextScope(references=tuple(last_year)), templates=task)
    names = [document.name.rpartition("/")[2] for document in result.documents]
    people = [document.meta.get("person", "") for document in result.documents]
    pairs_of_rows = np.stack([result.table.pairs.left, result.table.pairs.right], axis=1)
    listed = {
        frozenset(people[row] or names[row] for row in ends) for ends in pairs_of_rows.tolist()
    }
    for pair in pairs:
        if pair["kind"] in ("translation", "last year"):
            continue
        assert frozenset((pair["person_a"], pair["person_b"])) in listed, pair
    (old,) = [pair for pair in pairs if pair["kind"] == "last year"]
    assert frozenset((old["a"].rpartition("/")[2], old["person_b"])) in listed
