"""What does a page of a check of many texts and pairs weigh in the browser?

A real browser opens each page of a stored check and moves the threshold by one; every byte that it
receives is counted by what it is: the library of charts, the rest of the frame that Streamlit
serves, the fonts, and what the page itself sends through the websocket. Texts are made up: twenty
families of light edits of 400 words, and texts alone.
"""

from __future__ import annotations

import argparse
import base64
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from benchmarks._shared.report import Report, Table
from benchmarks._shared.stored_check import Opened, opened

QUICK = {"documents": 200, "pages": ["overview"]}
LIMIT = 5e6  # bytes without the library of charts
PAGES = ("overview", "review", "compare", "clusters", "variants", "threshold_lab")
KINDS = {"script": "program", "stylesheet": "program", "document": "program", "font": "fonts"}


@dataclass
class Received:
    """Bytes by kind, as they came."""

    bytes: Counter[str] = field(default_factory=Counter)
    kinds: dict[str, str] = field(default_factory=dict)  # of each request

    def answered(self, event: dict[str, Any]) -> None:
        """Note what a request is."""
        charts = "PlotlyChart" in event["response"]["url"]
        kind = KINDS.get(event["type"].lower(), "other")
        self.kinds[event["requestId"]] = "charts" if charts else kind

    def data(self, event: dict[str, Any]) -> None:
        """Count a part of an answer, before it is unpacked."""
        self.bytes[self.kinds.get(event["requestId"], "other")] += event["encodedDataLength"]

    def frame(self, event: dict[str, Any]) -> None:
        """Count what came through the websocket."""
        payload, binary = event["response"]["payloadData"], event["response"]["opcode"] == 2
        self.bytes["page"] += len(base64.b64decode(payload) if binary else payload.encode())


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--pages", nargs="+", default=list(PAGES))


def measure(options: argparse.Namespace) -> Report:
    """Open every page in a browser that has seen none."""
    rows: list[list[Any]] = []
    with opened(options.documents) as check:
        rows = [weighed(check, page) for page in options.pages]
    heads = ["page", "without charts, MB", "charts, MB", "program, MB", "fonts, MB",
             "page itself, kB", "a move of the threshold, kB"]  # fmt: skip
    note = (
        f"{check.documents:,} documents, {check.pairs:,} pairs listed. Nothing is packed on the "
        "way, as it does not leave the machine. Limit: 5 MB without the library of charts."
    )
    heaviest = max(row[1] for row in rows)
    return Report([Table(heads, rows)], [note], ratios={"limit / heaviest page": 5 / heaviest})


def weighed(check: Opened, page: str) -> list[Any]:
    """Return megabytes by kind of one page, and kilobytes of a move."""
    with received(check, page) as (tab, got):
        first = Counter(got.bytes)
        moved = None
        if tab.get_by_role("slider").count():
            tab.get_by_role("slider").first.focus()
            tab.keyboard.press("ArrowLeft")
            check.rest(tab)
            moved = (sum(got.bytes.values()) - sum(first.values())) / 1e3
    rest = sum(first.values()) - first["charts"]
    return [page, rest / 1e6, first["charts"] / 1e6, first["program"] / 1e6, first["fonts"] / 1e6,
            first["page"] / 1e3, moved]  # fmt: skip


@contextmanager
def received(check: Opened, page: str) -> Iterator[tuple[Any, Received]]:
    """Open a page in a browser of its own and count what comes."""
    context = check.browser.new_context(locale="en-GB", viewport={"width": 1440, "height": 900})
    tab, got = context.new_page(), Received()
    events = context.new_cdp_session(tab)
    events.on("Network.responseReceived", got.answered)
    events.on("Network.dataReceived", got.data)
    events.on("Network.webSocketFrameReceived", got.frame)
    events.send("Network.enable")
    check.visit(tab, page)
    yield tab, got
    context.close()
