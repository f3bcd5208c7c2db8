"""Which files are libraries."""

from __future__ import annotations

from pathlib import Path

from ..database import application_id
from .schema import LIBRARY


def is_library(path: Path) -> bool:
    """Return whether a file says that it is a library; False where it cannot be read."""
    return application_id(path) == LIBRARY.application_id
