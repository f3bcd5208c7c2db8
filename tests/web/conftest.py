"""A service and pages on loopback, and what may be asked of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from simhash_core.web import search
from simhash_core.web.fetching import Request
from tests.web.server import Web, serving_web


@pytest.fixture
def web() -> Iterator[Web]:
    with serving_web() as served:
        yield served


@pytest.fixture
def allowed(web: Web, monkeypatch: pytest.MonkeyPatch) -> Web:
    """The server, whose pages a search may fetch: the one exception there is."""
    monkeypatch.setattr(search, "EXEMPT", frozenset((web.place,)))
    return web


@pytest.fixture
def request_for(web: Web, tmp_path: Path) -> Callable[[str], Request]:
    """`request_for("/a")`: ask for a page of the server, which is exempt."""
    return lambda path: Request(web.address + path, tmp_path, exempt=frozenset((web.place,)))
