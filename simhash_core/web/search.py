"""The search itself: sentences go out one by one, the pages that the service names come in."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from ..errors import BadInput, Unreadable
from ..folders import private_folder, write_whole
from ..machine.workers import WorkerPool, shared_pool
from ..model import Document, Progress, Skipped, report_nothing
from .addresses import Place
from .sentences import Sentence

_FILE = "service.txt"
_LONGEST = 500


def service_of(folder: Path) -> str:
    """Return the address that was entered, "" where none was: then nothing is ever sent."""
    try:
        return service_address((folder / _FILE).read_text("utf-8"))
    except (OSError, ValueError, BadInput):
        return ""


def set_service(folder: Path, address: str) -> str:
    """Remember an address; return it as it is used.

    Raises
    ------
    BadInput
        `web_service`.
    """
    plain = service_address(address)
    with write_whole(private_folder(folder) / _FILE) as fresh:
        fresh.write_text(plain, "utf-8")
    return plain


def forget_service(folder: Path) -> None:
    """Forget the address: nothing can be sent from now on."""
    (folder / _FILE).unlink(missing_ok=True)


def service_address(address: str) -> str:
    """Return an address without `/search` and what follows it.

    Raises
    ------
    BadInput
        `web_service`: no address of http or https, or one with a password, which a log and a
        list of processes would show.
    """
    plain = address.strip()
    try:
        parts = urlsplit(plain)
        port, host = parts.port, parts.hostname
    except ValueError as error:
        raise BadInput("web_service") from error
    wrong = parts.scheme not in ("http", "https") or not host or parts.username is not None
    if wrong or port == 0 or len(plain) > _LONGEST or not plain.isprintable() or " " in plain:
        raise BadInput("web_service")
    path = parts.path.rstrip("/").removesuffix("/search").rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}"


DELAY = 2.0  # seconds between two sentences: a service is not to be flooded
MOST_SENTENCES = 100  # of one search
PAGES_EACH = 4  # pages fetched for a sentence, the best that the service names
MOST_PAGES = 100
_FAILURES = 3  # in a row, and the service is asked no more
_TICK = 0.1  # seconds until a stop is noticed

#: pages on this machine that tests may fetch; the product never fills it
EXEMPT: frozenset[Place] = frozenset()


@dataclass(frozen=True, slots=True)
class Asked:
    """A sentence that was sent, and the pages that the service named.

    `failure` is a code of `errors.UNREADABLE_CODES` where it gave no answer.
    """

    sentence: Sentence
    urls: tuple[str, ...] = ()
    failure: Skipped | None = None


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search came to.

    Attributes
    ----------
    asked
        The sentences that were sent.
    unsent
        Sentences that were not, since the service did not answer.
    pages
        What was read, each page once; `meta` says where (`url`) and when (`model.FETCHED_KEY`).
    skipped
        Pages that were not read, by their address.
    """

    asked: tuple[Asked, ...] = ()
    unsent: int = 0
    pages: tuple[Document, ...] = ()
    skipped: tuple[Skipped, ...] = ()

    @property
    def failures(self) -> tuple[Skipped, ...]:
        """Why the service gave no answer, once for each reason."""
        every = (one.failure for one in self.asked if one.failure is not None)
        return tuple({failure.code: failure for failure in every}.values())


def web_installed() -> bool:
    """Return whether the extra `web` is there."""
    return importlib.util.find_spec("urllib3") is not None


def require_web(service: str) -> str:
    """Return the address of the service as it is used.

    Raises
    ------
    BadInput
        `web_off` without an address, `web_service` for one that is none, `web_missing` without
        the extra.
    """
    if not service.strip():
        raise BadInput("web_off")
    plain = service_address(service)
    if not web_installed():
        raise BadInput("web_missing")
    return plain


def search_web(
    sentences: Sequence[Sentence],
    *,
    service: str,
    folder: Path,
    delay: float = DELAY,
    pool: WorkerPool | None = None,
    progress: Progress | None = None,
    wait: Callable[[float], None] = time.sleep,
) -> Searched:
    """Send sentences to a search service, one by one, and read the pages that it names.

    Parameters
    ----------
    sentences
        What a person has seen: each is sent to the letter, and nothing else of a text is.
    service
        Address of a service with the JSON interface of SearXNG.
    folder
        Of the log (`SentLog`), which holds every request before it is made.
    delay
        Seconds between two sentences.
    progress
        progress("web_ask", done, total), progress("web_pages", done, total); may raise
        `Cancelled`: then what was not sent stays here.

    Raises
    ------
    BadInput
        `web_off`, `web_service`, `web_missing`.
    OSError
        The log cannot be written: nothing is sent.

    Notes
    -----
    Requests run in the processes that read files, each of which is ended after a time; a page
    costs about what reading a saved page does.
    """
    from .fetching import SECONDS, Request, page

    address, step = require_web(service), progress or report_nothing
    workers = pool or shared_pool()
    asked: list[Asked] = []
    for done, sentence in enumerate(sentences):
        step("web_ask", done, len(sentences))
        for moment in _ticks(delay if done else 0.0):  # a stop is noticed on the way
            wait(moment)
            step("web_ask", done, len(sentences))
        asked.append(_ask_service(sentence, address, folder, workers))
        latest = asked[-_FAILURES:]
        if len(latest) == _FAILURES and all(one.failure is not None for one in latest):
            break
    step("web_ask", len(asked), len(sentences))
    urls = _to_fetch(asked)
    tasks = [Request(url, folder, exempt=EXEMPT) for url in urls]
    pages: dict[str, Document] = {}
    skipped = []
    step("web_pages", 0, len(urls))
    answers = workers.map(page, tasks, seconds=SECONDS)
    for done, (url, answer) in enumerate(zip(urls, answers, strict=True), start=1):
        if isinstance(answer, Unreadable):
            skipped.append(Skipped(url, answer.code, answer.params))
        else:
            pages.setdefault(answer.id, answer)
        step("web_pages", done, len(urls))
    unsent = len(sentences) - len(asked)
    return Searched(tuple(asked), unsent, tuple(pages.values()), tuple(skipped))


def _ask_service(sentence: Sentence, address: str, folder: Path, pool: WorkerPool) -> Asked:
    """Send one sentence."""
    from .fetching import SECONDS, Request, ask

    (answer,) = pool.map(ask, [Request(address, folder, sentence.words)], seconds=SECONDS)
    if isinstance(answer, Unreadable):
        return Asked(sentence, failure=Skipped(address, answer.code, answer.params))
    return Asked(sentence, tuple(hit.url for hit in answer))


def _to_fetch(asked: Sequence[Asked]) -> list[str]:
    """Return the pages to fetch, each once: the best for every sentence, then the second best."""
    ranked = (
        one.urls[place].partition("#")[0]
        for place in range(PAGES_EACH)
        for one in asked
        if place < len(one.urls)
    )
    return list(dict.fromkeys(ranked))[:MOST_PAGES]


def _ticks(seconds: float) -> Iterator[float]:
    left = seconds
    while left > 0:
        yield min(_TICK, left)
        left -= _TICK
