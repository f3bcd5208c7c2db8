"""One page, from a real server on loopback: slow, failing, redirecting, huge, packed, hostile."""

from __future__ import annotations

import socket
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from simhash_core.errors import Unreadable
from simhash_core.machine.workers import WorkerPool
from simhash_core.model import FETCHED_KEY
from simhash_core.web import SentLog, fetching
from simhash_core.web.fetching import MOST_PAGE, Request, ask, page
from tests.web.server import (
    ARTICLE,
    Web,
    article,
    body,
    bomb,
    dripping,
    endless,
    serving_web,
    silent,
    status,
)

RequestFor = Callable[[str], Request]
pytestmark = pytest.mark.long


def refusal(request: Request) -> Unreadable:
    with pytest.raises(Unreadable) as refused:
        page(request)
    return refused.value


def test_page_is_read_with_its_address_moment_and_encoding(web, request_for) -> None:
    web.pages["/ledgers"] = article()
    read = page(request_for("/ledgers"))

    assert all(sentence in read.text for sentence in ARTICLE)
    assert "Shop" not in read.text
    assert read.meta["url"] == web.address + "/ledgers"
    assert len(read.meta[FETCHED_KEY]) == len("2026-03-02T09:15:04Z")
    assert read.name == "127.0.0.1/ledgers"

    text = "<p>" + "".join(["夜里的河水涨到第三级台阶，渡船停在对岸没有人去看它。"] * 12) + "</p>"
    web.pages["/gbk"] = body(text.encode("gb18030"), "text/html; charset=gb18030")

    assert "渡船停在对岸" in page(request_for("/gbk")).text


def test_request_carries_nothing_of_the_user(web: Web, request_for: RequestFor) -> None:
    web.pages["/a"] = article()
    page(request_for("/a"))
    (headers,) = web.headers

    assert not {"Cookie", "Referer", "Authorization", "From"} & headers.keys()
    assert headers["Host"] == f"127.0.0.1:{web.port}"


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_redirect_is_followed_and_told(web: Web, request_for: RequestFor, code: int) -> None:
    web.pages |= {"/old": status(code, Location="/new page"), "/new%20page": article()}
    read = page(request_for("/old"))

    assert read.meta["url"] == web.address + "/new%20page"
    assert [one.what for one in SentLog(request_for("/").folder).entries()] == [
        web.address + "/old",
        web.address + "/new%20page",
    ]


def test_redirects_without_end_are_given_up(web: Web, request_for: RequestFor) -> None:
    web.pages["/loop"] = status(302, Location="/loop")

    assert refusal(request_for("/loop")).code == "web_redirects"
    assert len(web.paths) == 6


@pytest.mark.parametrize(
    "target", ["http://127.0.0.1:{port}/", "http://localhost:{port}/", "http://[::1]:{port}/",
               "http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/"],
)  # fmt: skip
def test_redirect_to_a_private_address_is_refused(web, request_for, target):
    """The server is exempt, another one on this machine is not."""
    with serving_web() as inner:
        inner.pages["/"] = article(title="secret of this machine")
        address = target.format(port=inner.port)
        web.pages["/out"] = status(302, Location=address)
        code = refusal(request_for("/out")).code

        assert code in ("web_private", "web_port")
        assert inner.paths == []


def test_private_address_is_not_even_connected_to(web: Web, tmp_path: Path) -> None:
    """Without the exemption of the tests, at a port that pages have."""
    web.pages["/"] = article()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simhash_core.web.addresses.PORTS", frozenset((web.port,)))
        assert refusal(Request(web.address, tmp_path)).code == "web_private"

    assert web.paths == []


def test_name_is_resolved_once_so_that_it_cannot_turn(web, request_for, monkeypatch):
    """What was looked at is what is connected to: a second answer would be another machine."""
    with serving_web() as inner:
        web.pages["/page"] = article()
        inner.pages["/page"] = article(title="secret")
        ports = iter([web.port, inner.port, inner.port])
        asked = []

        def turning(host: str, *rest: object, **_: object) -> list[object]:
            asked.append(host)
            return [(2, 1, 6, "", ("127.0.0.1", next(ports)))]

        place = ("turning.example", web.port)
        monkeypatch.setattr(socket, "getaddrinfo", _only_for("turning.example", turning))
        request = Request(f"http://turning.example:{web.port}/page", Path(request_for("/").folder),
                          exempt=frozenset((place,)))  # fmt: skip
        read = page(request)

    assert "Skarvøy" in read.text
    assert asked == ["turning.example"]
    assert inner.paths == []
    assert web.headers[-1]["Host"] == f"turning.example:{web.port}"


def _only_for(name: str, answer: Callable[..., object]) -> Callable[..., object]:
    usual = socket.getaddrinfo
    return lambda host, *rest, **named: (
        answer(host) if host == name else usual(host, *rest, **named)
    )


@pytest.mark.parametrize("code", [204, 401, 403, 404, 429, 500, 503])
def test_status_that_is_no_page_is_told(web: Web, request_for: RequestFor, code: int) -> None:
    web.pages["/a"] = status(code)
    reason = refusal(request_for("/a"))

    assert (reason.code, reason.params) == ("web_status", {"status": code})


#: answers that are no page -> the reason
REFUSED = [
    *(
        (body(b"MZ" + b"\0" * 4000, kind), "web_type")
        for kind in ("image/png", "application/zip", "application/octet-stream", "text/javascript")
    ),
    (body(b"MZ" + b"\0" * 4000, ""), "web_type"),
    (body(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 64), "scanned"),  # says it is a page
    *(
        (body(b"\x1f\x8b" * 900, Content_Encoding=packed), "web_type")  # was not asked for
        for packed in ("br", "zstd", "gzip, gzip", "compress")
    ),
    (body(b"no gzip at all", Content_Encoding="gzip"), "web_unreachable"),
    (body(b"<p>a</p>" * (MOST_PAGE // 8 + 1)), "too_large"),
]


@pytest.mark.parametrize(("answer", "code"), REFUSED)
def test_answer_that_is_no_page_is_refused_with_its_reason(web, request_for, answer, code):
    web.pages["/a"] = answer

    assert refusal(request_for("/a")).code == code


def test_size_that_is_not_announced_is_refused(web: Web, request_for: RequestFor) -> None:
    web.pages["/a"] = endless(web)

    assert refusal(request_for("/a")).code == "too_large"


def test_packed_bomb_is_unpacked_no_further_than_a_page_goes(web, request_for):
    web.pages["/a"] = bomb(300)
    tracemalloc.start()
    try:
        reason = refusal(request_for("/a"))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert reason.code == "too_large"
    assert peak < 5 * MOST_PAGE


@pytest.mark.parametrize("answers", [dripping, silent])
def test_page_that_comes_in_drops_is_given_up(web, request_for, monkeypatch, answers):
    monkeypatch.setattr(fetching, "_BODY_SECONDS", 0.2)
    web.pages["/a"] = answers(web)
    with WorkerPool(1) as pool:  # ends the process, whatever a library waits for
        (answer,) = pool.map(page, [request_for("/a")], seconds=3.0)

    assert isinstance(answer, Unreadable)
    assert answer.code == "timeout"


def test_nobody_at_an_address_and_a_bad_certificate_are_told(web, tmp_path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        place = closed.getsockname()[:2]
        request = Request(f"http://127.0.0.1:{place[1]}/", tmp_path, exempt=frozenset((place,)))

        assert refusal(request).code == "web_unreachable"

    request = Request(f"https://127.0.0.1:{web.port}/", tmp_path, exempt=frozenset((web.place,)))

    assert refusal(request).code == "web_unreachable"


HOSTILE = {
    "scripts": "<script>document.write('x')</script><img src=x onerror=alert(1)>",
    "deep": "<div>" * 20_000,
    "cells": "<table><tr><td>" * 3_000,
    "entities": "&lt;script&gt;alert(1)&lt;/script&gt;" * 50,
    "unclosed": "<!-- " + "a" * 50_000,
    "attributes": "<p " + " ".join(f"a{n}=1" for n in range(5_000)) + ">",
    "frames": '<iframe src="file:///etc/passwd"></iframe><base href="http://127.0.0.1/">',
    "refresh": '<meta http-equiv="refresh" content="0;url=http://127.0.0.1/">',
    "nulls": "\0" * 500 + "\u202e" * 500,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_page_is_text_or_a_named_row(web: Web, request_for: RequestFor, kind: str) -> None:
    web.pages["/a"] = article(extra=HOSTILE[kind])
    with WorkerPool(1) as pool:
        (answer,) = pool.map(page, [request_for("/a")], seconds=30.0)

    if isinstance(answer, Unreadable):
        assert answer.code in ("damaged", "memory", "timeout", "crashed", "too_long")
    else:
        assert ARTICLE[0] in answer.text
    assert web.paths == ["/a"]  # nothing that stands in a page is fetched


def test_log_that_cannot_be_written_keeps_everything_here(web: Web, tmp_path: Path) -> None:
    folder = tmp_path / "file"
    folder.write_text("in the way")

    for function in (page, ask):
        with pytest.raises(OSError, match="file"):
            function(Request(web.address, folder, "words", frozenset((web.place,))))

    assert web.paths == web.queries == []


def test_question_goes_out_to_the_letter(web: Web, tmp_path: Path) -> None:
    web.names("/a", "/b")
    words = "“夜里的河” & 50 % + #1 = ?"
    hits = ask(Request(web.address, tmp_path, words))

    assert web.queries == [words]
    assert [hit.url for hit in hits] == [web.address + "/a", web.address + "/b"]
    (entry,) = SentLog(tmp_path).entries()
    assert (entry.kind, entry.to, entry.what) == ("search", f"127.0.0.1:{web.port}", words)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (status(403), "web_status"),
        (status(429), "web_status"),
        (status(302, Location="http://other.example/search"), "web_status"),
        (body("<html>results</html>"), "web_answer"),
        (body("[]", "application/json"), "web_answer"),
        (body('{"results": {"a": 1}}', "application/json"), "web_answer"),
        (body('{"results": [{"title": "no address"}]}', "application/json"), "web_answer"),
        (body("[" * 100_000, "application/json"), "web_answer"),
        (body(b"\xff\xfe\0{", "application/json"), "web_answer"),
        (body(b" " * (3 * 2**20), "application/json"), "too_large"),
    ],
)
def test_service_that_does_not_speak_the_interface_is_told(web, tmp_path, answer, code):
    web.search = answer

    with pytest.raises(Unreadable, match=code):
        ask(Request(web.address, tmp_path, "words"))
