"""A real server of uvicorn, to which requests come too slowly."""

from __future__ import annotations

import asyncio
import socket
import threading
from typing import Any

import pytest
import uvicorn

from simhash_core.app import deadlines
from simhash_core.app.deadlines import with_deadline

HOST = "127.0.0.1"
PLACE = b" / HTTP/1.1\r\nHost: a\r\n"
MANY = 10.0  # seconds of a busy machine


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer with the size of the body; at /early before it has come, at /later past the limit."""
    size, more = 0, scope["path"] != "/early"
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, more = size + len(message["body"]), message["more_body"]
    await asyncio.sleep(0.6 if scope["path"] == "/later" else 0)
    body = str(size).encode()
    length = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": length})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture(scope="module")
def port():
    config = uvicorn.Config(application, ws="none", lifespan="off", log_level="critical")
    config.load()
    config.http_protocol_class = with_deadline(config.http_protocol_class)
    server = uvicorn.Server(config)
    with pytest.MonkeyPatch.context() as patch, socket.create_server((HOST, 0)) as listening:
        patch.setattr(deadlines, "SECONDS", 0.3)
        patch.setattr(deadlines, "LEAST_BYTES", 100)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield listening.getsockname()[1]
        server.should_exit = True
        thread.join()


@pytest.fixture
def line(port):
    """What opens a connection and sends something."""
    opened: list[socket.socket] = []

    def connected(sent: bytes) -> socket.socket:
        made = socket.create_connection((HOST, port), MANY)
        opened.append(made)
        made.sendall(sent)
        return made

    yield connected
    for one in opened:
        one.close()


def all_of(line: socket.socket) -> bytes:
    """Return what comes until the other end closes; a time without end raises."""
    got = b""
    try:
        while part := line.recv(4096):
            got += part
    except ConnectionResetError:
        pass
    return got


@pytest.mark.long
@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET",
        b"GET" + PLACE + b"X-a: ",
        b"POST" + PLACE + b"Content-Length: 4000\r\n\r\n{",
        b"POST" + PLACE + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
        # a second request on the way while the first is answered
        b"GET" + PLACE + b"\r\nPOST" + PLACE + b"Content-Length: 4000\r\n\r\n{",
        # a body that goes on after its answer
        b"POST" + PLACE.replace(b"/ ", b"/early ") + b"Content-Length: 4000\r\n\r\n{",
    ],
)
def test_what_does_not_come_is_not_waited_for(line, sent):
    assert b" 200 " in all_of(line(sent)) or b"GET" + PLACE + b"\r\n" not in sent


@pytest.mark.parametrize("body", [False, True])
def test_drops_keep_nothing_open(line, body):
    begun = b"POST" + PLACE + b"Content-Length: 4000\r\n" + (b"\r\n" if body else b"X-a: ")
    dripping = line(begun)
    dripping.settimeout(0.05)
    with pytest.raises(ConnectionError):
        for _ in range(200):  # ten seconds
            dripping.sendall(b"x")
            try:
                if not dripping.recv(1):
                    raise ConnectionResetError
            except TimeoutError:
                pass


@pytest.mark.long
def test_a_body_that_comes_as_it_should_has_all_the_time_it_needs(line):
    sending = line(b"POST" + PLACE + b"Content-Length: 1000\r\nConnection: close\r\n\r\n")
    sending.settimeout(0.1)
    for _ in range(9):  # three times the limit
        sending.sendall(b"x" * 100)
        with pytest.raises(TimeoutError):
            sending.recv(1)
    sending.settimeout(MANY)
    sending.sendall(b"x" * 100)

    assert all_of(sending).endswith(b"1000")


@pytest.mark.long
def test_a_complete_request_waits_for_its_answer(line):
    asked = line(b"GET" + PLACE.replace(b"/ ", b"/later ") + b"Connection: close\r\n\r\n")

    assert b" 200 " in all_of(asked)
