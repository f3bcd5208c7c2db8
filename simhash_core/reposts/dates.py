"""When a text appeared, as far as its details, its name, its address or its head say so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from ..model import DATE_FROM, Document

_PAGES = ("html", "htm", "mhtml", "mht", "xhtml")
_PLAIN = ("", "txt", "md")
_HEAD_LINES = 10  # not blank: where a text of the press says when it appeared
_HEAD_LINE = 80  # characters: a longer line is already the text
_FIRST_YEAR, _LAST_YEAR = 1800, 2199
_NUMERIC = re.compile(
    r"(?<![\d.])(?P<y>\d{4})\s*(?:[-/.年])\s*(?P<m>\d{1,2})(?!\d)"
    r"(?:\s*(?:[-/.月])\s*(?P<d>\d{1,2})(?!\d)\s*日?)?(?:月)?"
    r"(?:[T\s_]*(?P<h>\d{1,2})[:：时](?P<min>\d{2})(?:[:：]\d{2}(?:\.\d+)?)?\s*"
    r"(?P<zone>Z|[+-]\d{2}:?\d{2})?)?"
)
_COMPACT = re.compile(r"(?<!\d)(?P<y>\d{4})(?P<m>0[1-9]|1[0-2])(?P<d>[0-2]\d|3[01])(?!\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?P<name>{'|'.join(_MONTHS)})[a-z]*\.?"
_DAY_FIRST = re.compile(rf"(?<!\d)(?P<d>\d{{1,2}})\s+{_MONTH},?\s+(?P<y>\d{{4}})(?!\d)", re.I)
_MONTH_FIRST = re.compile(rf"\b{_MONTH}\s+(?P<d>\d{{1,2}}),?\s+(?P<y>\d{{4}})(?!\d)", re.I)
_YEAR = re.compile(r"(?<![\d.])(?P<y>(?:18|19|20|21)\d\d)(?![\d.]*\d)")
_DATELINE = re.compile(
    r"来源|稿源|发布|发表|时间|日期|记者|作者|编辑|更新|转自|转载|原载|首发"
    r"|source|published|posted|updated|\bdate\b|^\W*by\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Moment:
    """A half-open range of time that a text appeared in, as narrow as its date tells.

    `source` says where the date is from: `hand` (corrected by a person), `page` (as a web page
    says it was published), `table` (a column, or given from Python), `details` (of a file),
    `name`, `address` or `text`. Without a zone the time counts as UTC, and the range of one that
    has a clock time is widened by nothing: such dates are compared as they are written. `claimed`:
    only the text in question says so, no record of an archive and no person.
    """

    start: datetime
    end: datetime
    source: str
    shown: str  # as it is written out: 2025, 2025-11, 2025-11-03 or 2025-11-03 07:10
    claimed: bool = False

    def before(self, other: Moment) -> bool:
        """Return whether this moment certainly comes before the other."""
        return self.end <= other.start


def moment_of(document: Document) -> Moment | None:
    """Return when a text appeared: by its details, else its name, its address or its head."""
    meta = document.meta
    if meta.get(DATE_FROM) == "hand":  # also that nothing is known: what the name says is refuted
        return read_date(meta.get("date", ""), source="hand")
    for source, text, bare in (
        (_find_date_source(document), meta.get("date", ""), True),
        ("name", document.name, True),
        ("address", meta.get("url", ""), False),
    ):
        moment = read_date(text, source=source, bare_year=bare)
        if moment is not None:
            return moment
    return moment_in_head(document)


def moment_in_head(document: Document) -> Moment | None:
    """Return when the head of a text says that it appeared."""
    for line in _head(document.text):
        if _DATELINE.search(line) or _is_mostly_date(line):
            moment = read_date(line, source="text", bare_year=False)
            if moment is not None:
                return moment
    return None


def _find_date_source(document: Document) -> str:
    """Return who gave the date among the details of a text; plain text itself has none."""
    if document.meta.get(DATE_FROM):
        return document.meta[DATE_FROM]
    if document.format in _PAGES:
        return "page"
    return "table" if document.format in _PLAIN else "details"


def read_date(text: str, *, source: str = "details", bare_year: bool = True) -> Moment | None:
    """Return the first date in a text, None where there is none that exists.

    Parameters
    ----------
    bare_year
        Whether a year alone is a date.
    """
    patterns = (_NUMERIC, _COMPACT, _DAY_FIRST, _MONTH_FIRST, *((_YEAR,) if bare_year else ()))
    for pattern in patterns:
        for match in pattern.finditer(text):
            moment = _moment(match.groupdict(), source)
            if moment is not None:
                return moment
    return None


def remove_day(name: str) -> str:
    """Return a name without the day that begins or ends it, and what parts the two.

    >>> [remove_day(name) for name in ("城市晚报 2026-03-02", "20260302_daily", "report-2016")]
    ['城市晚报', 'daily', 'report-2016']
    """
    for pattern in (_NUMERIC, _COMPACT):
        for match in pattern.finditer(name):
            if match["d"] and (match.start() == 0 or match.end() == len(name)):
                return (name[: match.start()] + name[match.end() :]).strip(" _-.（）()[]【】")
    return name


def _moment(parts: Mapping[str, str | None], source: str) -> Moment | None:
    year = int(parts["y"] or 0)
    name = parts.get("name")
    month = parts.get("m") or (str(_MONTHS.index(name.lower()) + 1) if name else None)
    day, hour, minute = parts.get("d"), parts.get("h"), parts.get("min")
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    try:
        if month is None:
            begin = datetime(year, 1, 1, tzinfo=UTC)
            return Moment(begin, begin.replace(year=year + 1), source, f"{year}")
        if day is None:
            begin = datetime(year, int(month), 1, tzinfo=UTC)
            end = (begin + timedelta(days=31)).replace(day=1)
            return Moment(begin, end, source, f"{begin:%Y-%m}")
        begin = datetime(year, int(month), int(day), tzinfo=UTC)
        if hour is None or minute is None:
            return Moment(begin, begin + timedelta(days=1), source, f"{begin:%Y-%m-%d}")
        begin = begin.replace(hour=int(hour), minute=int(minute))
    except ValueError:  # no such day
        return None
    shown = f"{begin:%Y-%m-%d %H:%M}"
    begin = begin.replace(tzinfo=_zone(parts.get("zone"))).astimezone(UTC)
    return Moment(begin, begin + timedelta(minutes=1), source, shown)


def _zone(written: str | None) -> timezone:
    if not written or written == "Z":
        return UTC
    digits = written.replace(":", "")
    offset = timedelta(hours=int(digits[1:3]), minutes=int(digits[3:5]))
    return timezone(-offset if digits[0] == "-" else offset)


def _head(text: str) -> Iterator[str]:
    """Yield the first lines of a text that are too short to be a paragraph of it."""
    seen = 0
    for line in text[: _HEAD_LINES * 400].splitlines():
        stripped = line.strip()
        if stripped:
            seen += 1
            if len(stripped) <= _HEAD_LINE:
                yield stripped
        if seen >= _HEAD_LINES:
            return


def _is_mostly_date(line: str) -> bool:
    """Return whether a line holds a date and little else."""
    for pattern in (_NUMERIC, _DAY_FIRST, _MONTH_FIRST):
        match = pattern.search(line)
        if match and 2 * len(match[0].strip()) >= len(line):
            return True
    return False
