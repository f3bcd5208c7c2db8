"""`reposts`: which texts go back to one, and which was likely first."""

from __future__ import annotations

import json
from collections.abc import Sequence

from simhash_core.errors import BadInput
from simhash_core.library import check_against
from simhash_core.model import Progress, Skipped
from simhash_core.reposts import REPOST_SETTINGS, Group, Traced, Version, trace, trace_hits

from . import _html
from ._given import Columns, Given, Texts, is_frame, texts_of
from ._language import language_of, spoken
from ._library import Library
from ._tables import Table, skipped_columns, table

SCHEMA = "leitong.versions/1"


class Reposts:
    """Versions of texts, in groups that go back to one text each; made by `leitong.reposts`.

    `len(found)` is the number of groups. An order rests on dates and on what the words say, and
    can be wrong: `certain` says where nothing but a weak clue speaks.

    Attributes
    ----------
    core : simhash_core.reposts.Traced
        All of it, with the sentences that each version changed.
    language : str
        "zh" or "en": of messages and the view in a notebook.

    Examples
    --------
    >>> import leitong as lt
    >>> words = "it rained all night and in the morning the river stood at the third".split()
    >>> story = " ".join(word + str(n) for n in range(4) for word in words)
    >>> found = lt.reposts({"2024-05-01": story, "2024-05-03": "Copied. " + story})
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
        return _html.reposts_view(self.core, self.language)

    def versions(self, *, rows: bool = False) -> Table:
        """Return one row a version, group by group, in the order in which they likely appeared.

        Returns
        -------
        pandas.DataFrame, or list of dict
            `group`, `place`: numbers from 1; `name`; `title`, `author`, `date`, `url`,
            `collection`: "" where unknown; `date_from`: where the date was read; `asked`: it was
            asked about; `words`; `source`: name of the version it was likely taken from; `share`:
            0..1 of its words that the source has; `certain`: more than a weak clue says so;
            `of_first`: share of its words that the first version has; `added`, `removed`,
            `reworded`: sentences, against the first version.

        Examples
        --------
        >>> import leitong as lt
        >>> words = "it rained all night and in the morning the river stood at the third".split()
        >>> story = " ".join(word + str(n) for n in range(4) for word in words)
        >>> found = lt.reposts({"2024-05-01": story, "2024-05-03": "Copied. " + story})
        >>> [(row["name"], row["source"]) for row in found.versions(rows=True)]
        [('2024-05-01', ''), ('2024-05-03', '2024-05-01')]
        """
        listed = self._rows()
        return table({key: [row[key] for row in listed] for key in _COLUMNS}, rows=rows)

    def skipped(self, *, rows: bool = False) -> Table:
        """Return one row for each text that takes no part, with columns as in `Result.skipped`.

        Examples
        --------
        >>> import leitong as lt
        >>> found = lt.reposts(["one two three four five", "six seven eight nine ten", "short"])
        >>> [row["code"] for row in found.skipped(rows=True)]
        ['too_short']
        """
        return table(skipped_columns(self._skipped, self.language), rows=rows)

    def to_json(self) -> str:
        """Return the versions as JSON, with the columns of `versions`.

        Examples
        --------
        >>> import json, leitong as lt
        >>> found = lt.reposts(["one two three four five", "six seven eight nine ten"])
        >>> json.loads(found.to_json())["versions"]
        []
        """
        data = {
            "schema": SCHEMA,
            "version": self.core.result.version,
            "compared": self.core.compared,
            "versions": self._rows(),
        }
        return json.dumps(data, ensure_ascii=False, indent=1)

    def _rows(self) -> list[dict[str, object]]:
        return [
            _row(self.core, at, place, group)
            for at, group in enumerate(self.core.groups, 1)
            for place in range(len(group.versions))
        ]


def reposts(
    given: Given,
    *,
    text: str | None = None,
    name: str | None = None,
    meta: Sequence[str] = (),
    against: Given | Library | None = None,
    collections: Sequence[str] | None = None,
    language: str | None = None,
    progress: Progress | None = None,
) -> Reposts:
    """Find earlier and later versions of texts, and which was likely first.

    Parameters
    ----------
    given, text, name, meta
        As in `leitong.check`. Dates are read from metadata, names and the texts.
    against : as `given`, or Library, optional
        Where versions are looked for. By default the texts are compared with each other.
    collections : sequence of str, optional
        Of a library: only these.
    language : str, optional
        "zh" or "en".
    progress : callable, optional
        progress(stage, done, total)

    Raises
    ------
    LeitongError
        As `leitong.check`.

    Examples
    --------
    >>> import leitong as lt
    >>> words = "it rained all night and in the morning the river stood at the third".split()
    >>> story = " ".join(word + str(n) for n in range(4) for word in words)
    >>> found = lt.reposts([("ours", story)], against={"theirs": "Copied. " + story})
    >>> len(found), [row["asked"] for row in found.versions(rows=True) if row["name"] == "ours"]
    (1, [True])
    """
    columns = Columns(text, name, tuple(meta))
    with spoken(language):
        speaks = language_of(language)
        asked = texts_of(given, columns, settings=REPOST_SETTINGS, progress=progress)
        if not asked.documents and not asked.skipped:
            raise BadInput("given_nothing")
        if isinstance(against, Library):
            first = check_against(
                asked.documents,
                against.core,
                collections=collections,
                settings=REPOST_SETTINGS,
                progress=progress,
            )
            held = against.core.collections()
            n = sum(row.texts for row in held if collections is None or row.name in collections)
            traced = trace_hits(first, compared=n, progress=progress)
            return Reposts(traced, skipped=asked.skipped, language=speaks)
        others = Texts()
        if against is not None:
            others = texts_of(against, columns if is_frame(against) else Columns())
        traced = trace(asked.documents, others.documents, progress=progress)
    return Reposts(traced, skipped=(*asked.skipped, *others.skipped), language=speaks)


_COLUMNS = (
    *("group", "place", "name", "title", "author", "date", "date_from", "url", "collection"),
    *("asked", "words", "source", "share", "certain", "of_first", "added", "removed", "reworded"),
)


def _row(traced: Traced, number: int, place: int, group: Group) -> dict[str, object]:
    version, documents = group.versions[place], traced.result.documents
    document, head = documents[version.row], version.head
    link, meta = version.link, document.meta
    values = (
        *(number, place + 1, document.name, head.title.text if head.title else head.title_given),
        meta.get("author", "") or (head.writer.text if head.writer else ""),
        version.moment.shown if version.moment else "",
        version.moment.source if version.moment else "",
        *(meta.get("url", ""), meta.get("archive_collection", "")),
        *(version.row < traced.asked, version.words),
        documents[link.source].name if link else "",
        round(float(link.share), 4) if link else None,
        group.certain if link is None else link.certain,
        round(float(version.of_first), 4) if place else None,
        *_changed(version),
    )
    return dict(zip(_COLUMNS, values, strict=True))


def _changed(version: Version) -> tuple[int | None, int | None, int | None]:
    """Return how many sentences were added, removed and reworded; of the first version nothing."""
    made = version.changes
    return (len(made.added), len(made.removed), len(made.reworded)) if made else (None, None, None)
