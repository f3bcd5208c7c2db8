"""A library at the door: added to, searched, checked against, emptied."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from leaves import complete

import leitong as lt
from tests.leitong.conftest import RAIN

STORY = " ".join(f"{word}{n}" for n in range(5) for word in RAIN.split())

REPORT = " ".join(f"{n}{word}" for n in range(5) for word in reversed(RAIN.split()))


@pytest.fixture
def library(tmp_path: Path) -> lt.Library:
    return lt.Library(tmp_path / "press.library", create=True)


def test_frames_are_added_with_their_metadata(library: lt.Library) -> None:
    table = pd.DataFrame({"body": [RAIN], "headline": ["Flood"], "date": ["2024-05-01"]})
    added = library.add("Post", table)

    (row,) = library.texts("flood")
    assert (added.added, row["collection"], row["title"], row["date"]) == (
        *(1, "Post", "Flood"),
        "2024-05-01",
    )


def test_a_folder_is_added_once_and_followed_with_its_table(
    library: lt.Library, essays: Path
) -> None:
    table = essays.parent / "table.csv"
    first_name, *_, last_name = sorted(path.name for path in essays.iterdir())
    table.write_text(f"file,author\n{first_name},Wu\n", "utf-8")
    first = library.update("class", essays, metadata=table)
    assert library.add("class", "essays").present == library.add("class", [essays]).present == 4
    (essays / last_name).unlink()
    second = library.update("class", essays, remove_gone=True)

    assert first.imported.added == 4
    assert second.gone == (last_name,)
    assert len(library) == 3
    assert len(library.texts("wu")) == 1
    (one,) = library.purge().ids
    assert library.checks_holding([one]) == []


def test_a_check_names_the_text_of_the_library(library: lt.Library) -> None:
    library.add("Post", {"old": STORY})
    library.add("News", {"other": "Nobody came to the old mill until the road was open again."})
    result = lt.check({"new": "They say: " + STORY}, against=library)

    assert [(row["a"], row["b"]) for row in result.pairs()] == [("new", "old")]
    empty = lt.check({"new": STORY}, against=library, collections=["News"])
    assert empty.pairs() == []


@complete
def test_several_libraries_are_asked_in_one_check(library: lt.Library, tmp_path: Path) -> None:
    library.add("Post", {"old": STORY})
    with lt.Library(tmp_path / "wiki.library", create=True) as wiki:
        wiki.add("Articles", {"rain": REPORT})
        new = {"new": f"They say: {STORY} {REPORT}"}
        both = lt.check(new, against=[library, wiki])
        one = lt.check(new, against=[library, wiki], collections=["Articles"])
        versions = lt.reposts({"2024-05-03 copy": "Copied. " + STORY}, against=[wiki, library])
        with pytest.raises(lt.LeitongError, match="Pots"):
            lt.check(new, against=[library, wiki], collections=["Pots"])

    assert sorted(row["b"] for row in both.pairs()) == ["old", "rain"]
    assert [row["b"] for row in one.pairs()] == ["rain"]
    assert {row["collection"] for row in versions.versions()} >= {"press: Post"}


@complete
def test_versions_are_found_in_a_library(library: lt.Library) -> None:
    library.add("Post", {"2024-05-01 flood": STORY})
    found = lt.reposts({"2024-05-03 copy": "Copied. " + STORY}, against=library)

    (first, second) = found.versions()
    assert (first["name"], first["collection"], first["asked"]) == (
        *("2024-05-01 flood", "Post"),
        False,
    )
    assert second["source"] == "2024-05-01 flood"


def test_what_is_removed_or_does_not_exist_is_in_no_answer(library: lt.Library) -> None:
    library.add("Post", {"old": STORY})
    library.remove(row["key"] for row in library.texts())
    assert lt.check({"new": STORY}, against=library).pairs() == []
    assert library.purge().texts == 1
    with pytest.raises(lt.LeitongError, match="Pots"):
        lt.check({"new": STORY}, against=library, collections=["Pots"])


def test_a_library_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(lt.LeitongError, match=r"no library pres\.library. create=True makes one"):
        lt.Library(tmp_path / "pres.library", language="en")
    assert not list(tmp_path.iterdir())


def test_the_library_of_the_user_is_made_by_itself() -> None:
    with lt.Library() as library:
        assert library.texts() == []
