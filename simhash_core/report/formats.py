"""The formats of a report, by name: what writes each, and what it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .content import Report
from .words import Words

Write = Callable[[Report, str], bytes]


@dataclass(frozen=True, slots=True)
class Format:
    """One format of a report. `write(report, language)` returns the whole file."""

    write: Write
    media_type: str


# Each writer loads its library when it is used: a command that writes no report starts sooner.
def _html(report: Report, language: str) -> bytes:
    from .html import write_html

    return write_html(report, language)


def _csv(report: Report, language: str) -> bytes:
    from .csv import write_csv

    return write_csv(report, language)


def _json(report: Report, language: str) -> bytes:
    from .csv import write_json

    return write_json(report, language)


def _pdf(report: Report, language: str) -> bytes:
    from .pdf import write_pdf

    return write_pdf(report, language)


def _xlsx(report: Report, language: str) -> bytes:
    from .xlsx import write_xlsx

    return write_xlsx(report, language)


FORMATS: Mapping[str, Format] = {
    "html": Format(_html, "text/html"),
    "pdf": Format(_pdf, "application/pdf"),
    "csv": Format(_csv, "text/csv"),
    "json": Format(_json, "application/json"),
    "xlsx": Format(_xlsx, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}


def file_name(report: Report, format_name: str, language: str) -> str:
    """Return what the file of a report is called: class, kind, and whether names are in it."""
    return Words.of(report, language).file_name(format_name)


def write_report(report: Report, format_name: str, language: str) -> bytes:
    """Return a report as a file of one of `FORMATS`.

    Parameters
    ----------
    language : str   "zh" or "en"
    """
    return FORMATS[format_name].write(report, language)
