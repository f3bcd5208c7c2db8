"""Numbers, dates and errors as a reader of the page expects them. Sentences live in the locales."""

from __future__ import annotations

import html
from collections.abc import Mapping
from datetime import datetime

from simhash_core import LeitongError
from simhash_core.checking import format_families
from simhash_core.errors import Unreadable
from simhash_core.i18n import in_chinese
from simhash_core.notation import Notation
from simhash_core.seen import unseen_kinds
from simhash_core.text.lengths import length_of, unit_of

from .session import language, t


def esc(text: object) -> str:
    """Return text that is safe inside HTML."""
    return html.escape(str(text), quote=True)


def notation() -> Notation:
    """Return what writes numbers in the language of the page."""
    return Notation.of(language())


def number(value: int) -> str:
    """Return an integer with its thousands apart."""
    return notation().count(value)


def percent(share: float) -> str:
    """Return a share of 0..1 in whole percents; a part of a whole never reads as all or nothing."""
    return notation().percent(share)


def seconds(value: float) -> str:
    """Return a duration with one unit."""
    if value >= 90:
        return t("frame.minutes", minutes=f"{value / 60:.0f}")
    return t("frame.seconds", seconds=f"{value:.1f}" if value < 9.95 else f"{value:.0f}")


def date_time(moment: datetime) -> str:
    """Return a date with its time."""
    if in_chinese(language()):
        return moment.strftime("%Y-%m-%d %H:%M")
    return f"{moment.day} {moment:%b %Y, %H:%M}"


def short_date(moment: datetime) -> str:
    """Return a date with its time; the year only where it is another one."""
    day = t(
        "frame.day", month=f"{moment:%b}" if language() == "en" else moment.month, day=moment.day
    )
    if moment.year != datetime.now(moment.tzinfo).year:
        return t("frame.day_of_year", day=day, year=moment.year)
    return f"{day} {moment:%H:%M}"


def file_size(n: int) -> str:
    """Return a number of bytes in megabytes."""
    return f"{max(n / 1e6, 0.1):.1f} MB"


def length(n: int, unit: str) -> str:
    """Return a length in the unit of its text, `characters` or `words`."""
    return notation().length(n, unit)


def length_text(text: str) -> str:
    """Return the length of a whole text, in the unit of its language."""
    whole = length_of(text)
    return length(whole.n, whole.unit)


def text_language(text: str) -> str:
    """Return the `lang` of a text for fonts, justification and hyphens."""
    return "zh-CN" if unit_of(text) == "characters" else "en"


def say_expected(expected: float) -> str:
    """Return an expectation in words, rounded to one digit since it is an estimate."""
    return notation().expected(expected)


def cluster_name(index: int, *, title: bool = False) -> str:
    """Return what the cluster with this index is called, "—" for none; `title` for a heading."""
    return notation().cluster(index, title=title)


def note_text(code: str, params: Mapping[str, object]) -> str:
    """Return the sentence for a reason or a note of reading; unknown codes show themselves."""
    shown = dict(params)
    if "enc" in shown:
        shown["enc"] = encoding_name(str(shown["enc"]))
    sentence = t(f"notes.{code}", **shown)
    kinds = unseen_kinds(shown) if code in ("left_out", "hidden_text") else ()
    if not kinds:
        return sentence
    listed = t("notes.kinds.join").join(t(f"document.seen.kind.{kind}").lower() for kind in kinds)
    return t("notes.kinds", sentence=sentence, kinds=listed)


def formats_text() -> str:
    """Return what kinds of files are read, as a list in a sentence."""
    mark = "、" if in_chinese(language()) else ", "
    return mark.join(t(f"formats.{family}") for family in format_families())


def encoding_name(encoding: str) -> str:
    """Return an encoding as people write it."""
    plain = encoding.lower().replace("_", "-").removesuffix("-sig")
    return {"cp1252": "Windows-1252", "cp950": "Big5", "big5": "Big5"}.get(plain, plain.upper())


def error_text(error: LeitongError) -> str:
    """Return the sentence for what went wrong; it names no command to type."""
    key = f"{'notes' if isinstance(error, Unreadable) else 'error'}.{error.code}"
    shown = t(f"{key}.on_page", **error.params)
    return t(key, **error.params) if shown == f"{key}.on_page" else shown
