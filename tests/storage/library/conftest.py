"""A library on each database, empty: what a test asks of one it asks of both."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import pytest
from postgres_server import server, without_library

from simhash_core.storage.library import Library


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Return the address of a server that the tests started."""
    with server() as address:
        yield address


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.long)])
def address(request, tmp_path) -> str:
    """Return where a library can be made."""
    if request.param == "sqlite":
        return str(tmp_path / "texts.library")
    return without_library(request.getfixturevalue("postgres"))


@pytest.fixture
def opened(address) -> Iterator[Callable[..., Library]]:
    """Return `opened(owner)`: opens one library, made on first use."""
    with contextlib.ExitStack() as stack:

        def open_library(owner: str = "editor") -> Library:
            return stack.enter_context(Library.open(address, owner=owner, create=True))

        yield open_library


@pytest.fixture
def library(opened) -> Library:
    """Return an empty library of one owner."""
    return opened()
