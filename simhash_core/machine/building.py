"""Builds the loops of C into one library, where there is a compiler; `python building.py` does it.

Runs before anything is installed: the standard library alone.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
#: what the library is made of, relative to the package
SOURCES = (
    "library/loops.c",
    "machine/loops.c",
    "machine/loops.h",
    "machine/ranges.h",
    "meaning/loops.c",
    "passages/flat/loops.c",
    "passages/loops.c",
    "simhash/loops.c",
    "simhash/search/loops.c",
    "text/loops.c",
    "translations/loops.c",
)
SUFFIX = {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so")
LIBRARY = PACKAGE / "machine" / f"loops.{SUFFIX}"
#: sums in the order and with the rounding of the readable twins: nothing contracted, no fast math
OPTIONS = ("-O3", "-std=gnu11", "-fPIC", "-shared", "-ffp-contract=off", "-fvisibility=hidden")
COMPILERS = ("cc", "gcc", "clang")


def sources_digest() -> str:
    """Return a name of the sources: a library of others is not used."""
    digest = hashlib.sha256()
    for name in SOURCES:
        digest.update(name.encode() + b"\0" + (PACKAGE / name).read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def compiler() -> list[str] | None:
    """Return the command of a C compiler: that of `CC`, or the first that is there."""
    if os.environ.get("CC"):
        return shlex.split(os.environ["CC"])
    return next(([name] for name in COMPILERS if shutil.which(name)), None)


def build() -> Path | None:
    """Build the library in place; None where no compiler can.

    Notes
    -----
    Replaces an older one in one step: processes that use it keep theirs.
    """
    command = compiler()
    if command is None:
        return None
    with tempfile.TemporaryDirectory(dir=LIBRARY.parent) as folder:
        fresh = Path(folder) / LIBRARY.name
        units = [str(PACKAGE / name) for name in SOURCES if name.endswith(".c")]
        name = f'-DLEITONG_SOURCES="{sources_digest()}"'
        libraries = [] if sys.platform == "win32" else ["-lm"]
        done = subprocess.run(
            [*command, *OPTIONS, name, "-o", str(fresh), *units, *libraries], check=False
        )
        if done.returncode or not fresh.is_file():
            return None
        fresh.replace(LIBRARY)
    return LIBRARY


if __name__ == "__main__":
    sys.exit(0 if build() else "no C compiler: the loops run by numba or as they stand")
