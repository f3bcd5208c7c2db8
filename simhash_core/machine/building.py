"""Builds the loops of C into one library, where there is a compiler; `python building.py` does it.

`python building.py win_amd64` builds that of another platform, with `ziglang` installed.

Runs before anything is installed: the standard library alone.
"""

from __future__ import annotations

import hashlib
import importlib.util
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
    "machine/growth.h",
    "machine/loops.c",
    "machine/loops.h",
    "machine/ranges.h",
    "meaning/encoder.c",
    "meaning/loops.c",
    "passages/loops.c",
    "simhash/loops.c",
    "simhash/search/loops.c",
    "text/loops.c",
    "translations/loops.c",
    "variants/loops.c",
)
SUFFIXES = {"win": "dll", "macosx": "dylib", "manylinux": "so"}
SUFFIX = {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so")
LIBRARY = PACKAGE / "machine" / f"loops.{SUFFIX}"
#: sums in the order and with the rounding of the oracles: nothing contracted, no fast math
OPTIONS = ("-O3", "-std=gnu11", "-fPIC", "-shared", "-ffp-contract=off", "-fvisibility=hidden")
COMPILERS = ("cc", "gcc", "clang")
#: a compiler for every platform that comes as a wheel; where no other is, the build asks for it
ZIG = "ziglang>=0.15,<0.18"
#: tag of a wheel -> what Zig calls the platform
TARGETS = {
    "macosx_11_0_arm64": "aarch64-macos.11.0",
    "macosx_11_0_x86_64": "x86_64-macos.11.0",
    "manylinux_2_17_aarch64": "aarch64-linux-gnu.2.17",
    "manylinux_2_17_x86_64": "x86_64-linux-gnu.2.17",
    "win_amd64": "x86_64-windows-gnu",
    "win_arm64": "aarch64-windows-gnu",
}


def sources_digest() -> str:
    """Return a name of the sources: a library of others is not used."""
    digest = hashlib.sha256()
    for name in SOURCES:
        digest.update(name.encode() + b"\0" + (PACKAGE / name).read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def compiler() -> list[str] | None:
    """Return the command of a C compiler: that of `CC`, the first that is there, or Zig's."""
    if os.environ.get("CC"):
        return shlex.split(os.environ["CC"])
    local = next(([name] for name in COMPILERS if shutil.which(name)), None)
    # "baseline": by itself it compiles for the processor that it runs on
    return local or ([*_zig(), "-mcpu=baseline"] if importlib.util.find_spec("ziglang") else None)


def build(tag: str = "") -> Path | None:
    """Build the library in place; None where no compiler can.

    Parameters
    ----------
    tag
        A key of `TARGETS`: the library of that platform, by Zig. By default that of this one.

    Notes
    -----
    Replaces an older one in one step: processes that use it keep theirs.
    """
    command = [*_zig(), "-target", TARGETS[tag]] if tag else compiler()
    if command is None:
        return None
    system = tag.partition("_")[0]
    library = LIBRARY.with_suffix(f".{SUFFIXES[system]}") if tag else LIBRARY
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        fresh = Path(folder) / library.name
        units = [str(PACKAGE / name) for name in SOURCES if name.endswith(".c")]
        name = f'-DLEITONG_SOURCES="{sources_digest()}"'
        libraries = [] if library.suffix == ".dll" else ["-lm"]
        done = subprocess.run(
            [*command, *OPTIONS, name, "-o", str(fresh), *units, *libraries], check=False
        )
        if done.returncode or not fresh.is_file():
            return None
        fresh.replace(library)
    return library


def _zig() -> list[str]:
    return [sys.executable, "-m", "ziglang", "cc", "-g0"]


if __name__ == "__main__":
    if sys.argv[1:] == ["--tags"]:
        sys.exit(print(*TARGETS))
    sys.exit(0 if build(*sys.argv[1:2]) else "no C compiler: a check cannot run without the loops")
