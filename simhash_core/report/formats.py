"""The formats of a report, by name: what writes each, and what it is."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from ..i18n import translator
from ..model import Progress
from ..result import CheckResult, ThresholdView
from ..seen.exclusion_view import Excluder
from .build import report_of
from .content import Report, Wanted
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


# --------------------------------------------------------------------------- archives
STAGE = "report"


def for_readers(result: CheckResult, wanted: Wanted, kinds: Sequence[str]) -> list[Wanted]:
    """Return what each report is asked to show: of `person`, one a text in a confirmed case."""
    asked = result.checked
    confirmed = {
        key
        for pair, decision in wanted.decisions.items()
        if decision.verdict == "confirmed"
        for key in pair
    }
    rows = [row for row in range(asked) if result.documents[row].id in confirmed]
    each: list[Wanted] = []
    for kind in kinds:
        of_kind = [(row,) for row in rows] if kind == "person" else [()]
        each += [replace(wanted, kind=kind, rows=chosen) for chosen in of_kind]
    return each


def write_archive(
    result: CheckResult,
    wanted: Sequence[Wanted],
    format_name: str,
    language: str,
    *,
    view: ThresholdView | None = None,
    excluder: Excluder | None = None,
    progress: Progress | None = None,
) -> tuple[bytes, str]:
    """Return reports as a ZIP archive, and what it is called.

    Parameters
    ----------
    wanted
        One for each report, in their order; the archive is called as the last of them.
    progress
        Called as progress("report", reports done, reports of all).
    """
    t, taken, name = translator(language), set[str](), ""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for done, one in enumerate(wanted):
            if progress is not None:
                progress(STAGE, done, len(wanted))
            report = report_of(result, one, t, view=view, excluder=excluder)
            name = _free(file_name(report, format_name, language), taken)
            archive.writestr(name, write_report(report, format_name, language))
    return written.getvalue(), f"{PurePosixPath(name).stem or 'leitong'}.zip"


def _free(name: str, taken: set[str]) -> str:
    """Return a name that no report of the archive has: two people can be called the same."""
    path, chosen, n = PurePosixPath(name), name, 2
    while chosen in taken:
        chosen, n = f"{path.stem} ({n}){path.suffix}", n + 1
    taken.add(chosen)
    return chosen
