"""The formats of a report, by name: what writes each, and what it is."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from ..i18n import translator
from ..model import Progress
from ..result import CheckResult, ThresholdView

if TYPE_CHECKING:  # of a command that writes no report
    from ..seen.exclusion_view import Excluder
    from .content import Report, Wanted


@dataclass(frozen=True, slots=True)
class Format:
    """One format of a report: the module that writes it, and what it is."""

    module: str
    media_type: str


FORMATS: Mapping[str, Format] = {
    "html": Format("html", "text/html"),
    "pdf": Format("pdf", "application/pdf"),
    "csv": Format("csv", "text/csv"),
    "json": Format("csv", "application/json"),
    "xlsx": Format("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}


def file_name(report: Report, format_name: str, language: str) -> str:
    """Return what the file of a report is called: class, kind, and whether names are in it."""
    from .words import Words

    return Words.of(report, language).file_name(format_name)


def write_report(report: Report, format_name: str, language: str) -> bytes:
    """Return a report as a file of one of `FORMATS`.

    Parameters
    ----------
    language : str   "zh" or "en"
    """
    # a command that writes no report starts sooner without the libraries of the formats
    module = import_module(f".{FORMATS[format_name].module}", __package__)
    written: bytes = getattr(module, f"write_{format_name}")(report, language)
    return written


# --------------------------------------------------------------------------- archives
STAGE = "report"


def list_wanted(result: CheckResult, wanted: Wanted, kinds: Sequence[str]) -> list[Wanted]:
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
    from .build import report_of

    t, taken, name = translator(language), set[str](), ""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for done, one in enumerate(wanted):
            if progress is not None:
                progress(STAGE, done, len(wanted))
            report = report_of(result, one, t, view=view, excluder=excluder)
            path, n = PurePosixPath(file_name(report, format_name, language)), 2
            name = path.name
            while name in taken:  # two people can be called the same
                name, n = f"{path.stem} ({n}){path.suffix}", n + 1
            taken.add(name)
            archive.writestr(name, write_report(report, format_name, language))
    return written.getvalue(), f"{PurePosixPath(name).stem or 'leitong'}.zip"
