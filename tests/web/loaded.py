"""Asked of a worker process: what of the web it has loaded."""

from __future__ import annotations

import sys


def loaded(_: int) -> list[str]:
    """Return the modules that could send something."""
    return [
        name for name in sys.modules if name == "urllib3" or name.startswith("simhash_core.web.")
    ]
