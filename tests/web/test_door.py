"""`WebSearch`: sentences first, then, on demand, the pages they stand on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import leitong as lt
from tests.web.server import ARTICLE, OWN, Web, one_source

ESSAY = {"essay": " ".join((OWN, *ARTICLE[:2]))}


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Web]:
    yield from one_source(monkeypatch, tmp_path / "data")


@pytest.mark.long
def test_search_from_sentences_to_findings(web: Web, tmp_path: Path) -> None:
    found = lt.WebSearch(ESSAY, service=web.address)
    words = [row["words"] for row in found.sentences()]
    assert web.queries == []

    with lt.Library(tmp_path / "pages.library", create=True) as library:
        result = found.strike(1).send(delay=0.0, library=library, collection="as of today")
        assert [row["url"] for row in library.texts()] == [web.address + "/ledgers"]

    assert isinstance(result, lt.Result)
    assert web.queries == words[1:]
    (row,) = found.findings()
    assert row["url"] == web.address + "/ledgers"
    assert row["share"] > 0.5
    assert [one["fetched"] for one in found.pages()] == [row["fetched"]]
    assert [one["what"] for one in lt.web_log()] == [*web.queries, row["url"]]
    data = json.loads(found.to_json())
    assert [one["sent"] for one in data["sentences"]] == [False] + [True] * (len(words) - 1)
    assert repr(found).endswith("sent, 1 pages read>")


@pytest.mark.long
def test_nothing_is_sent_without_a_service(web: Web) -> None:
    with pytest.raises(lt.LeitongError, match="--service"):
        lt.WebSearch(ESSAY, language="en").send()

    assert web.queries == web.paths == []


@pytest.mark.long
def test_search_without_pages_has_no_result_and_one_without_sentences_is_not_sent(web) -> None:
    web.names()
    found = lt.WebSearch(ESSAY, service=web.address)

    assert found.send(delay=0.0) is None
    assert found.findings() == []
    web.queries.clear()
    found = lt.WebSearch(ESSAY, service=web.address, language="en")
    found.strike(*range(1, len(found) + 1))

    with pytest.raises(lt.LeitongError):
        found.send(delay=0.0)
    with pytest.raises(lt.LeitongError, match="no sentence 99"):
        found.strike(99)
    assert web.queries == []


def test_text_without_sentences_is_refused() -> None:
    with pytest.raises(lt.LeitongError, match="long and rare"):
        lt.WebSearch(["one two three four five"], language="en")
