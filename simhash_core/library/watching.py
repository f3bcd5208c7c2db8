"""A folder that is watched: the files that are put there, as they come."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Iterator
from pathlib import Path

from ..errors import BadInput

_QUIET = 1000  # milliseconds without a change, so that a copy that goes on is not cut in two
_LONGEST = 10_000  # milliseconds of changes without a pause
_STOP = 500  # milliseconds until a stop is noticed


def changed_files(folder: Path, *, stop: threading.Event) -> Iterator[list[Path]]:
    """Yield the folder once, then the files that were added or changed; ends once `stop` is set.

    What is put there while the caller is busy with an earlier answer comes with the next one.
    Links are not followed. Where the system announces no changes, as on network shares, the
    environment variable `WATCHFILES_FORCE_POLLING` makes it look by itself.

    Raises
    ------
    BadInput
        `watching` where the extra `library` is not installed.
    KeyboardInterrupt
    """
    if importlib.util.find_spec("watchfiles") is None:
        raise BadInput("watching")
    import watchfiles

    every = watchfiles.watch(
        folder,
        step=_QUIET,
        debounce=_LONGEST,
        rust_timeout=_STOP,
        stop_event=stop,
        yield_on_timeout=True,
    )
    begun = False
    for changes in every:
        if not begun:  # the watch is on: from here nothing is missed
            begun = True
            yield [folder]
            continue
        paths = (Path(path) for change, path in changes if change != watchfiles.Change.deleted)
        files = sorted(path for path in paths if path.is_file() and not path.is_symlink())
        if files:
            yield files
