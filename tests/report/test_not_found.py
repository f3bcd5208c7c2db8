"""What finding nothing means: the texts that were looked at, and no others."""

from __future__ import annotations

import pytest

import simhash_core
from simhash_core.checking.pipeline import run_check
from simhash_core.i18n import translator
from simhash_core.library import LibraryScope, import_documents
from simhash_core.model import FETCHED_KEY, Document
from simhash_core.report import page_moment, say_not_found
from simhash_core.storage.library import Library

ONE = "It rained all night, and in the morning the river stood at the third step of the house."
OTHER = "The museum shows its ledgers on Thursdays to people who can name three kinds of rope."


def of(text: str, name: str, **meta: str) -> Document:
    return Document.from_text(text, name=name, **meta)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_sentence_names_what_was_looked_at(language):
    t = translator(language)
    page = of(OTHER, "page", url="http://a.example/", **{FETCHED_KEY: "2026-03-02T09:15:04Z"})
    alone = say_not_found(simhash_core.check([of(ONE, "a"), of(OTHER, "b")]), t)
    web = say_not_found(simhash_core.check([of(ONE, "a")], against=[page]), t)
    with Library.in_memory() as library:
        import_documents(library, "2024", [of(OTHER, f"b{n}") for n in range(2)])
        import_documents(library, "2025", [of(OTHER + " Or four.", "c")])
        searched = say_not_found(run_check([of(ONE, "a")], LibraryScope(library=library)), t)

    assert "2" in alone
    assert {"zh": "文库的 2 篇", "en": "the 2 texts of the library"}[language] in searched
    assert {"zh": "1 个网页", "en": "1 page was read"}[language] in web
    assert len({alone, web, searched}) == 3


@pytest.mark.parametrize("moment", ["", "yesterday", "2026-13-40T00:00:00Z"])
def test_moment_that_cannot_be_read_is_none(moment):
    assert page_moment(of(ONE, "a", **{FETCHED_KEY: moment})) is None
