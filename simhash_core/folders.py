"""Where things lie: the folders of the user, and the application with its samples."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import platformdirs

NAME = "leitong"

_PACKAGE = Path(__file__).resolve().parent


def application_folder() -> Path:
    """Return the folder of `app.py`, `pages/` and `sample_docs/`: of a wheel or a checkout."""
    installed = _PACKAGE / "app" / "installed"
    return installed if installed.is_dir() else _PACKAGE.parent


def data_folder() -> Path:
    """Return the folder of what the user makes, the projects; `LEITONG_DATA` overrides it."""
    return _chosen("LEITONG_DATA", platformdirs.user_data_path(NAME, appauthor=False))


def state_folder() -> Path:
    """Return the folder for locks, logs and the browser profile; `LEITONG_STATE` overrides it."""
    return _chosen("LEITONG_STATE", platformdirs.user_state_path(NAME, appauthor=False))


def cache_folder() -> Path:
    """Return the folder for what can be made again; `LEITONG_CACHE` overrides it."""
    return _chosen("LEITONG_CACHE", platformdirs.user_cache_path(NAME, appauthor=False))


def private_folder(folder: Path) -> Path:
    """Make a folder that its owner alone can look into, as are those above it that were missing."""
    missing = [part for part in (folder, *folder.parents) if not part.exists()]
    for part in reversed(missing):
        part.mkdir(mode=0o700, exist_ok=True)
    with contextlib.suppress(OSError):  # made by someone else, who decides
        folder.chmod(0o700)
    return folder


def _chosen(variable: str, usual: Path) -> Path:
    return Path(os.environ[variable]) if os.environ.get(variable) else usual
