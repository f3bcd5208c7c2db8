"""Results and reports as files: which format, and what writes it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from ..checking.exclusion_view import ExclusionView
from ..checking.metadata_score import Combined
from ..i18n import Translate
from ..people.class_list import Member
from ..report.build import report_of
from ..report.content import Wanted
from ..report.csv import pairs_csv
from ..report.formats import FORMATS, write_report
from ..report.json import to_json
from ..report.left_out import left_out_of
from ..result import CheckResult
from .output import write_bytes, write_text
from .terminal import print_result, progress

#: what `check` writes beside the table; every format of a report is one of them
CHECK_FORMATS = tuple(sorted({"json", "csv", *FORMATS}))


def write_check(
    result: CheckResult,
    options: argparse.Namespace,
    t: Translate,
    *,
    scores: Combined | None,
    view: ExclusionView | None,
    missing: Sequence[Member],
) -> None:
    """Write a result in the format that was named, else in that of the file's ending."""
    chosen = options.format or format_of(options.output)
    if chosen == "json":
        data = to_json(result, t, combined=scores, exclusions=view, missing=missing)
        write_text(data, options.output)
    elif chosen == "csv":
        write_text(pairs_csv(result, t, combined=scores), options.output)
    elif chosen in FORMATS:
        now = datetime.now().astimezone()
        wanted = Wanted(
            kind="class",
            made=now,
            checked=now,
            title=options.title,
            anonymous=options.anonymous,
            left_out=left_out_of(view) if view else None,
        )
        with progress(t) as step:
            report = report_of(result, wanted, t, progress=step)
        write_bytes(write_report(report, chosen, options.language), options.output)
    else:
        shown = print_result(result, t, combined=scores, to_file=bool(options.output))
        if options.output:
            write_text(shown, options.output)


def format_of(output: str | None) -> str:
    """Return the format that the ending of a file asks for, "table" for any other."""
    ending = Path(output or "").suffix.lower().removeprefix(".")
    return ending if ending in CHECK_FORMATS else "table"
