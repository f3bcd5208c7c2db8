"""`WebSearch`: rare sentences of texts, shown first, then sent to a search service."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import simhash_core
from simhash_core.errors import BadInput
from simhash_core.library import import_documents
from simhash_core.schemas import json_text
from simhash_core.settings import Settings
from simhash_core.storage import find_owner_key, web_folder
from simhash_core.web import (
    DELAY,
    EACH,
    MOST_SENTENCES,
    Searched,
    Sentence,
    SentLog,
    page_record,
    rarest_sentences,
    require_web,
    search_web,
    service_of,
    web_data,
    web_findings,
)

from ._given import Given, texts_of
from ._language import language_of, spoken
from ._library import Library
from ._progress import Follow, followed
from ._result import Result
from ._tables import Record, Table, table_of


class WebSearch:
    """Where texts may be from: their rarest sentences, looked for on the web.

    Making one sends nothing: it chooses sentences. Look at `sentences`, `strike` what is to stay
    here, then `send`. Needs the extra `web`, and a search service with the JSON interface of
    SearXNG whose address somebody has entered. What was not found may still have a source: few
    sentences are looked for, by one service, on pages that are public today.

    Parameters
    ----------
    given : as in `leitong.check`
    service : str, optional
        Address such as "http://localhost:8888". By default the one that was entered with
        `leitong web service` or in the application; without any, nothing is ever sent.
    each : int
        Sentences of one text, at most; of all texts together at most 100.
    private : sequence of str
        Names that must not leave this computer: sentences that hold one are not proposed.
    language : str, optional
        "zh" or "en".

    Attributes
    ----------
    service : str
        "" where none was entered.
    core : simhash_core.web.Searched
        What was sent and what came back; empty before `send`.

    Raises
    ------
    LeitongError
        As `leitong.check`; `BadInput` where no sentence is worth asking for.

    Examples
    --------
    >>> search = lt.WebSearch({"mine": rain})
    >>> search
    <leitong.WebSearch: 1 sentence of 1 text, nothing sent>
    >>> search.sentences()[0]["words"] == rain
    True
    """

    def __init__(
        self,
        given: Given,
        *,
        service: str | None = None,
        each: int = EACH,
        private: Sequence[str] = (),
        language: str | None = None,
    ) -> None:
        with spoken(language):
            self.language = language_of(language)
            self._folder = web_folder(find_owner_key())
            self.service = service_of(self._folder) if service is None else service
            texts = texts_of(given)
            self._documents, self._skipped = texts.documents, texts.skipped
            self._struck: set[int] = set()
            self._sentences = rarest_sentences(
                texts.documents, each=each, most=MOST_SENTENCES, private=private
            )
            if not self._sentences:
                raise BadInput("web_none")
        self.core = Searched()

    def __repr__(self) -> str:
        n, texts = len(self._sentences), len(self._documents)
        sent = len(self.core.asked)
        state = f"{sent} sent, {len(self.core.pages)} pages read" if sent else "nothing sent"
        counted = f"{n} sentence{'s' * (n != 1)} of {texts} text{'s' * (texts != 1)}"
        return f"<leitong.WebSearch: {counted}, {state}>"

    def __len__(self) -> int:
        return len(self._sentences)

    def sentences(self) -> Table[Record]:
        """Return one row a sentence, in the order in which they are sent.

        Columns: `number` from 1; `text`: name; `words`: what is sent, to the letter; `start`,
        `end`: half-open range of characters in the text; `surprise`: how rare its words are, in
        nats; `struck`: it stays here.

        >>> search.sentences()[0]["number"]
        1
        """
        held = self._sentences
        columns = {
            "number": list(range(1, len(held) + 1)),
            "text": [one.name for one in held],
            "words": [one.words for one in held],
            "start": [one.start for one in held],
            "end": [one.end for one in held],
            "surprise": [round(one.surprise, 2) for one in held],
            "struck": [number in self._struck for number in range(1, len(held) + 1)],
        }
        return Table(columns)

    def strike(self, *numbers: int) -> Self:
        """Keep sentences here, by their numbers.

        >>> search.strike(1).sentences()[0]["struck"]
        True
        """
        with spoken(self.language):
            for number in numbers:
                if not 1 <= number <= len(self._sentences):
                    raise BadInput("web_number", number=number, n=len(self._sentences))
        self._struck.update(numbers)
        return self

    def send(
        self,
        *,
        delay: float = DELAY,
        library: Library | None = None,
        collection: str = "web",
        settings: Settings | None = None,
        progress: Follow = None,
    ) -> Result | None:
        """Send what is not struck, one by one, and check the texts against the pages found.

        Every request is noted before it is made (`leitong.web_log`).

        Parameters
        ----------
        delay : float
            Seconds between two sentences.
        library : Library, optional
            Where the pages are kept, with address and moment, in `collection`.
        settings : Settings, optional
        progress : bool or callable, optional
            As in `leitong.check`.

        Returns
        -------
        Result or None
            The pages are its references. None where no page was read.

        Raises
        ------
        LeitongError
            `BadInput` without a service, or with every sentence struck: nothing was sent.

        Examples
        --------
        >>> try:
        ...     search.strike(1).send()
        ... except lt.LeitongError as error:
        ...     print(error.code)
        web_off
        """
        with spoken(self.language), followed(progress, self.language) as step:
            service = require_web(self.service)
            left = self._left()
            if not left:
                raise BadInput("web_none")
            self.core = search_web(
                left, service=service, folder=self._folder, delay=delay, progress=step
            )
            pages = self.core.pages
            if library is not None and pages:
                import_documents(library.core, collection, pages, progress=step)
            self._result = None
            if pages:
                self._result = simhash_core.check(
                    self._documents,
                    against=pages,
                    compare_inside=False,
                    settings=settings or Settings(),
                    skipped=self._skipped,
                    progress=step,
                )
        return None if self._result is None else Result(self._result, language=self.language)

    def findings(self) -> Table[Record]:
        """Return one row for each page that shares something with a text; none before `send`.

        Columns: `text`: name; `url`, `title`; `fetched`: the moment as of which the page said so,
        UTC; `share`: 0..1 of the text; `longest`: words or characters of Chinese in a row;
        `formula`: chance alone could have given it.

        >>> search.findings()
        []
        """
        records = [] if self._result is None else web_findings(self._result)
        names = ("text", "url", "title", "fetched", "share", "longest", "formula")
        return Table({name: [row[name] for row in records] for name in names})

    def pages(self) -> Table[Record]:
        """Return one row a page that was read: `url`, `title`, `fetched` and `chars`.

        >>> search.pages()
        []
        """
        held = [{**page_record(one), "chars": len(one.text)} for one in self.core.pages]
        names = ("url", "title", "fetched", "chars")
        return Table({name: [row[name] for row in held] for name in names})

    def to_json(self) -> str:
        """Return all of it as JSON, schema `leitong.web/1`.

        >>> import json
        >>> json.loads(search.to_json())["sentences"][0]["sent"]
        False
        """
        data = web_data(
            self._sentences, service=self.service, searched=self.core, result=self._result
        )
        return json_text(data)

    _result: Any = None  # of the check against the pages

    def _left(self) -> list[Sentence]:
        numbered = enumerate(self._sentences, start=1)
        return [one for number, one in numbered if number not in self._struck]


def web_log() -> Table[Record]:
    """Return what left this computer to search the web, one row a request, oldest first.

    Columns: `at`: UTC; `kind`: search or page; `to`: host:port; `what`: the words that were sent,
    or the address that was asked for. `leitong web log --delete` deletes it.

    >>> lt.web_log()
    []
    """
    entries = SentLog(web_folder(find_owner_key())).entries()
    return table_of(entries, ("at", "kind", "to", "what"))
