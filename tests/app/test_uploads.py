"""Uploads are counted while they arrive, whatever order their requests come in."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import MutableMapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.app import uploads
from simhash_core.app.uploads import MOST_BYTES, UploadLimit, ledger

MB = 2**20
Message = MutableMapping[str, Any]


class Receiver:
    """Takes files in as Streamlit does: whole, and only once the body has come."""

    def __init__(self) -> None:
        self.held: defaultdict[str, int] = defaultdict(int)
        self.most = 0

    async def __call__(self, scope: Message, receive: Any, send: Any) -> None:
        session, size = scope["path"].split("/")[3], 0
        while True:
            message = await receive()
            size += message["size"]
            await asyncio.sleep(0)  # others arrive meanwhile
            if not message["more_body"]:
                break
        self.held[session] += size
        self.most = max(self.most, self.held[session])
        await send({"type": "http.response.start", "status": 204})

    def bytes_of(self, session: str) -> int:
        return self.held[session]


async def put(
    app: Any, session: str, size: int, *, stated: bool = True, method: str = "PUT"
) -> int:
    """Send a file of which nothing but its size is real; return the status."""
    parts = [{"type": "http.request", "size": part, "more_body": True} for part in (size, 0)]
    parts.append({"type": "http.request", "size": 0, "more_body": False})
    headers = [(b"content-length", str(size).encode())] if stated else []
    answers: list[Message] = []

    async def receive() -> Message:
        await asyncio.sleep(0)
        return parts.pop(0)

    async def send(message: Message) -> None:
        answers.append(message)

    path = f"/_stcore/upload_file/{session}/file"
    scope = {"type": "http", "method": method, "path": path, "headers": headers}
    await app(scope, receive, send)
    return int(answers[0]["status"])


def together(app: Any, *files: tuple[str, int]) -> list[int]:
    async def all_of_them() -> list[int]:
        return list(await asyncio.gather(*(put(app, *file) for file in files)))

    return asyncio.run(all_of_them())


@pytest.fixture
def receiver():
    for session in "ab":
        ledger.take_refused(session)
    return Receiver()


def test_files_too_much_together_are_refused_as_they_come_and_no_other_tab_is_touched(receiver):
    app = UploadLimit(receiver, receiver.bytes_of)
    statuses = together(app, *(("a", 48 * MB) for _ in range(8)), ("b", 48 * MB))

    assert statuses.count(413) == 2 and statuses.count(204) == 7
    assert statuses[-1] == 204 and ledger.take_refused("b") is None  # another tab
    assert receiver.most <= MOST_BYTES
    refused = ledger.take_refused("a")
    assert refused is not None and refused.files == 2
    assert ledger.take_refused("a") is None


def test_what_was_given_back_makes_room(receiver):
    app = UploadLimit(receiver, receiver.bytes_of)
    together(app, *(("a", 48 * MB) for _ in range(8)))
    receiver.held.clear()

    assert together(app, ("a", 48 * MB)) == [204]
    assert ledger.take_refused("a") is None  # the old refusal is no part of this


def test_a_file_of_unstated_size_is_refused_and_other_requests_pass(receiver):
    app = UploadLimit(receiver, receiver.bytes_of)
    assert asyncio.run(put(app, "a", MB, stated=False)) == 411
    assert receiver.most == 0
    # other requests pass
    app = UploadLimit(receiver, lambda session: MOST_BYTES)
    assert asyncio.run(put(app, "a", MB, method="DELETE")) == 204


@pytest.mark.long
@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 120 * MB)), max_size=12))
def test_no_order_brings_a_tab_above_the_limit(files):
    receiver = Receiver()
    app = UploadLimit(receiver, receiver.bytes_of)
    statuses = together(app, *files)
    around = uploads._MULTIPART * len(files)

    assert receiver.most <= MOST_BYTES + around
    for session in "ab":
        mine = [size for name, size in files if name == session]
        fine = [
            status == 204
            for status, (name, _) in zip(statuses, files, strict=True)
            if name == session
        ]
        assert all(fine) or sum(mine) > MOST_BYTES
    assert not ledger._arriving
