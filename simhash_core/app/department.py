"""Whether this is the server of a department, which a leaf runs, and who uses it.

Without the file that `VARIABLE` names one person uses the application, and nobody signs in.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from ..extensions import extension

VARIABLE = "LEITONG_SERVER"  # environment of the server process: the file


@dataclass(frozen=True, slots=True)
class Limits:
    """What one server, and one person on it, may use; 0 is no limit."""

    checks: int = 2
    checks_a_person: int = 1
    minutes: int = 60
    megabytes: int = 2_000


def find_department() -> Any:
    """Return the `server.department.Department` of this server, None where one person uses it.

    Raises
    ------
    ModuleNotFoundError
        There is a file, and the leaf that would ask people to sign in is gone.
    """
    if not os.environ.get(VARIABLE):
        return None
    held = extension("servers", "department")
    if held is None:
        raise ModuleNotFoundError(f"{VARIABLE} is set, and simhash_core.server is not there")
    return held.read_department()


def find_person(owner: str) -> Any:
    """Return the `server.department.Person` with a key; None where nobody has to sign in."""
    return extension("servers", "department").person_of(owner) if find_department() else None
