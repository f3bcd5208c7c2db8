"""What is done for a library after an import, so that no check has to wait for it."""

from __future__ import annotations

from ..model import Progress
from ..settings import Settings
from ..storage.library import Library
from .archive_statistics import archive_tails
from .index import LibraryIndex


def update_index(
    library: Library,
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
    progress: Progress | None = None,
) -> int:
    """Take up what an import added, merge what should be merged, and measure what chance gives.

    Returns how many texts were added. Without this the next check does all but the merging.
    """
    step = progress or _silent
    index = LibraryIndex(library, settings=settings)
    added = index.refresh(step)
    index.tidy(step)
    archive_tails(index, step)
    return added


def _silent(stage: str, done: int, total: int) -> None:
    """No-op progress callback."""
