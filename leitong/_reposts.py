"""`reposts`: which texts go back to one, and which was likely first."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from simhash_core.errors import BadInput
from simhash_core.i18n import translator
from simhash_core.library import Reading, details_of
from simhash_core.model import Skipped
from simhash_core.notation import UNKNOWN, Notation
from simhash_core.reposts import (
    REPOST_SETTINGS,
    REPOST_TABLES,
    Traced,
    answer_sentence,
    likely_sources,
    list_texts,
    repost_data,
    trace,
    trace_library,
)
from simhash_core.schemas import json_text
from simhash_core.settings import Settings

from . import _html
from ._given import Given, Texts, choose_fields, takes_columns, texts_of
from ._language import language_of, spoken
from ._library import Against, libraries_of, scope_of
from ._progress import Follow, followed
from ._tables import Record, Table, skipped_table


class Reposts:
    """Versions of texts, in groups that go back to one text each; made by `leitong.reposts`.

    `len(found)` is the number of groups. What dates say and what the words say are kept apart
    (`groups`); `certain` only where a second witness bears the dates out.

    Attributes
    ----------
    core : simhash_core.reposts.Traced
        All of it, with the sentences that each version changed.
    language : str
        "zh" or "en": of messages and the view in a notebook.

    Examples
    --------
    >>> found
    <leitong.Reposts: 1 group, 2 versions>
    """

    def __init__(
        self, core: Traced, *, skipped: Sequence[Skipped] = (), language: str = "en"
    ) -> None:
        self.core, self.language = core, language
        self._skipped = tuple(skipped)

    def __repr__(self) -> str:
        groups, versions = len(self), sum(len(group.versions) for group in self.core.groups)
        return f"<leitong.Reposts: {groups} group{'s' * (groups != 1)}, {versions} versions>"

    def __len__(self) -> int:
        return len(self.core.groups)

    def _repr_html_(self) -> str:
        traced, write = self.core, Notation.of(self.language)
        t, documents = write.t, traced.result.documents
        listed = [
            (at, group, one, role)
            for at, group in enumerate(traced.groups, 1)
            for one, role in list_texts(group)
        ]
        lines = []
        for at, group, one, role in listed[: _html.ROWS]:
            link = one.link
            source = UNKNOWN if link is None else documents[link.source].name
            if role != "version":
                link = next(link for link in group.further if link.source == one.row)
                source = t(f"reposts.role.{role}")
            date = one.moment.shown if one.moment else UNKNOWN
            share = UNKNOWN if link is None else write.percent(link.share)
            lines.append((str(at), documents[one.row].name, date, source, share))
        names = ("group", "name", "date", "source", "share")
        heads = [t(f"python.column.{name}") for name in names]
        more = len(listed) - _html.ROWS
        return _html.draw_view(
            self.language,
            t("python.versions", n=len(traced.groups), versions=len(listed)),
            *(answer_sentence(traced, one, t) for one in likely_sources(traced)[: _html.ROWS]),
            _html.draw_table(heads, lines, words=4),
            t("python.more_versions", n=more) if more > 0 else "",
            t("python.order"),
        )

    def answers(self) -> Table[Record]:
        """Return one row for each text that was asked about and stands elsewhere.

        Columns: `asked`: name; `kind`: same (word for word), part (of a longer one), shared,
        translation, or common where the texts share only what others have as well; `nearest`: name
        of the text that it is nearest to; `title`, `date`, `url` of that; `share`: 0..1 of its
        words that the nearest has, `share_of_nearest` of the words of that; `others`: further texts
        that share enough; `earlier`: whether the nearest likely is, None where that is open;
        `date_claimed`: by its own date alone it would be the earlier one; `sentence`: all of it in
        words.

        >>> found = lt.reposts([("ours", story)], against={"2024-05-01": story})
        >>> [(row["kind"], row["nearest"]) for row in found.answers()]
        [('same', '2024-05-01')]
        """
        return self._table("answers")

    def versions(self) -> Table[Record]:
        """Return one row a version, group by group, in the order in which they likely appeared.

        Columns: `group`, `place`: numbers from 1; `role`: version, further (another source of the
        version below) or translation (what that may be one of); `name`; `title`, `author`, `date`,
        `url`, `collection`: "" where unknown; `date_from`: hand, page, table, details (of a file),
        name, address or text, asked for a text in question without one; `date_claimed`: only that
        text itself says so; `received`: day on which the library got it; `asked`: it was asked
        about; `words`; `source`: name of the version it was likely taken from; `share`: 0..1 of its
        words that the source has; `further`: its other sources; `certain`: more than a weak clue
        says so; `of_first`: share of its words that the first version has, `of_it`: of the words of
        that which it has; `compared_with`: the first version, of a text in question the nearest;
        `excerpt`: it prints less than half of that, in few stretches; `added`, `removed`,
        `reworded`: sentences, against that version (of an excerpt none is removed); `by_dates`,
        `by_words`: its place by each witness; `conflict`: they name two versions first.

        >>> [(row["name"], row["source"]) for row in found.versions()]
        [('2024-05-01', ''), ('2024-05-03', '2024-05-01')]
        """
        return self._table("versions")

    def groups(self) -> Table[Record]:
        """Return one row a group: both orders, and what they are worth.

        Columns: `group`, `versions`; `first`: name, "" where it is open; `certain`;
        `order_by_dates`, `order_by_words`: lists of names, the dates' only of dated ones;
        `conflict`; `check_date_of`: whose date to look at; `dates_level`: all, some (versions have
        none) or none; `words_level`: fair, unsure or open, which asks for length and kinds of
        traces as well; `words_likelihood`: 0..1, of the first by the words; `measured_right` of
        `measured_groups`: how often that level was right on texts of known order; `why_first`:
        codes of clues.

        >>> found.groups()[0]["order_by_dates"]
        ['2024-05-01', '2024-05-03']
        """
        return self._table("groups")

    def edges(self) -> Table[Record]:
        """Return one row for each version and its likely source.

        Columns: `group`, `source`, `version`: names; `kind`: source, further where a version took
        passages from a second text, or translation where it may be one; `share`: 0..1 of the words
        of the version; `certain`; `reasons`: codes of clues.

        >>> [(row["source"], row["version"]) for row in found.edges()]
        [('2024-05-01', '2024-05-03')]
        """
        return self._table("edges")

    def shares(self) -> Table[Record]:
        """Return one row for every two versions of a group that share text.

        Columns: `group`, `a`, `b`: names; `share_of_a`, `share_of_b`: 0..1 of each that the other
        has.

        >>> found.shares()[0]["share_of_a"]
        1.0
        """
        return self._table("shares")

    def skipped(self) -> Table[dict[str, str]]:
        """Return one row for each text that takes no part, with columns as in `Result.skipped`.

        >>> found = lt.reposts(["one two three four five", "six seven eight nine ten", "short"])
        >>> [row["code"] for row in found.skipped()]
        ['too_short']
        """
        return skipped_table(self._skipped, self.language)

    def to_json(self) -> str:
        """Return all of it as JSON, schema `leitong.reposts/3`: the rows of every table.

        >>> import json
        >>> found = lt.reposts(["one two three four five", "six seven eight nine ten"])
        >>> json.loads(found.to_json())["versions"]
        []
        """
        return json_text(self._data())

    def _data(self) -> dict[str, Any]:
        return repost_data(self.core, t=translator(self.language), skipped=self._skipped)

    def _table(self, name: str) -> Table[Record]:
        listed, columns = self._data()[name], REPOST_TABLES[name]
        return Table({one.name: [row[one.name] for row in listed] for one in columns})


def reposts(
    given: Given,
    *,
    text: str | None = None,
    name: str | None = None,
    meta: Sequence[str] = (),
    against: Against | None = None,
    metadata: str | os.PathLike[str] | None = None,
    collections: Sequence[str] | None = None,
    settings: Settings | None = None,
    language: str | None = None,
    progress: Follow = None,
) -> Reposts:
    """Find earlier and later versions of texts, and which was likely first.

    Parameters
    ----------
    given, text, name, meta
        As in `leitong.check`. Dates are read from metadata, names and the texts.
    against : as `given`, or Library, or several of these, optional
        Where versions are looked for. By default the texts are compared with each other.
    metadata : str or Path, optional
        CSV or TSV with what is known of the texts: title, author, paper, date, url, joined by their
        names. A date from it counts before any other.
    collections : sequence of str, optional
        Of a library: only these.
    settings : Settings, optional
        By default `Settings(preset="reposts")`, with `translated=True` where the extra `dictionary`
        is installed. Sentences of the same meaning are never looked for here.
    language : str, optional
        "zh" or "en".
    progress : bool or callable, optional
        As in `leitong.check`.

    Examples
    --------
    >>> found = lt.reposts([("ours", story)], against={"theirs": "Copied. " + story})
    >>> len(found), [row["asked"] for row in found.versions() if row["name"] == "ours"]
    (1, [True])
    """
    columns = choose_fields(text, name, meta)
    with spoken(language), followed(progress, language) as step:
        speaks = language_of(language)
        reading = Reading() if metadata is None else Reading(details=details_of(Path(metadata)))
        read_as = settings or REPOST_SETTINGS
        asked = texts_of(given, columns, settings=read_as, progress=step, articles=True)
        if not asked.documents and not asked.skipped:
            raise BadInput("given_nothing")
        documents = reading.named(asked.documents)
        libraries, given_others = libraries_of(against)
        if libraries:
            scope = scope_of(libraries, collections)
            traced = trace_library(documents, scope, settings=settings, progress=step)
            return Reposts(traced, skipped=asked.skipped, language=speaks)
        others = Texts()
        if given_others is not None:
            among = columns if takes_columns(given_others) else {}
            others = texts_of(given_others, among, articles=True)
        known = reading.named(others.documents)
        traced = trace(documents, known, settings=settings, progress=step)
    return Reposts(traced, skipped=(*asked.skipped, *others.skipped), language=speaks)
