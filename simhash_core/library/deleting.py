"""Removed texts deleted for good: from the library, its backups and its index."""

from __future__ import annotations

import shutil

from ..settings import Settings
from ..storage.library import Library, Purged
from .index import LibraryIndex, default_folder


def purge_library(library: Library) -> Purged:
    """Delete every trace of what was removed from a library.

    The index of the usual settings is written anew without these texts; those of other settings
    and of stems are removed and made again when they are needed.
    """
    purged = library.purge()
    usual = LibraryIndex(library, settings=Settings())
    usual.forget()
    place = default_folder(library)
    if place is not None and place.is_dir():
        for folder in place.glob(f"{library.owner[:12]}-*"):
            if folder != usual.folder.path:
                shutil.rmtree(folder, ignore_errors=True)
    return purged
