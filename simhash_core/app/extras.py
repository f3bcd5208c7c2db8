"""Parts that can be downloaded later, from the page: the models of other words and of scans.

What is fetched are the packages that the extra of that name asks for, by the installer of Python
and from where it fetches everything. Nothing of a text takes part in it.
"""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec

from ..errors import BadInput
from ..machine.isolation import in_bundle
from ..model import Progress
from . import department

DISTRIBUTION = "leitong"
_MB = 1_000_000
_RAW_SINCE = (24, 1)  # version of pip that prints how far it is in lines
_STEP = re.compile(r"Progress (\d+) of (\d+)")
_BROKEN = "after connection broken"  # by which pip says that it reaches nobody
_DETAIL = 200  # characters of its words that are shown


def can_download() -> bool:
    """Return whether a reader may add parts: not to a bundle, and not to a server for many."""
    if in_bundle() or find_spec("pip") is None or department.find_department() is not None:
        return False
    try:
        return bool(version(DISTRIBUTION))
    except PackageNotFoundError:
        return False


def list_packages(extra: str) -> list[str]:
    """Return what an extra asks for, as pip reads it; what that asks for in turn is there."""
    from packaging.requirements import Requirement

    asked = [Requirement(line) for line in requires(DISTRIBUTION) or ()]
    return [
        f"{one.name}{one.specifier}"
        for one in asked
        if one.marker and one.marker.evaluate({"extra": extra}) and not one.marker.evaluate()
    ]


def download_extra(extra: str, progress: Progress) -> None:
    """Download and install an extra; what `progress` raises ends it.

    Parameters
    ----------
    extra
        `meaning` or `ocr`.
    progress
        Called with the stage `download`, and the megabytes there of all of a file, or 0 of 0.

    Raises
    ------
    BadInput
        `download_offline` where nothing can be reached, else `download_failed` with the last words
        of pip. What was installed before stays as it was.
    """
    progress("download", 0, 0)
    raw = tuple(map(int, version("pip").split(".")[:2])) >= _RAW_SINCE
    command = [sys.executable, "-P", "-m", "pip", "install", "--no-deps", "--no-input"]
    command += ["--retries", "1", "--timeout", "10", "--disable-pip-version-check"]
    command += ["--progress-bar", "raw" if raw else "off", *list_packages(extra)]
    said, done, total = list[str](), 0, 0
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if step := _STEP.match(line):
                    done, total = (-(-int(part) // _MB) for part in step.groups())
                elif line.strip():
                    said.append(line.strip())
                progress("download", done, total)
        except BaseException:
            process.kill()
            raise
    importlib.invalidate_caches()
    if process.returncode:
        if any(_BROKEN in line for line in said):
            raise BadInput("download_offline")
        raise BadInput("download_failed", detail=said[-1][:_DETAIL] if said else "")
