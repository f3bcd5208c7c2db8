"""Puts the loops of C into the wheel; without any compiler it stays pure.

With LEITONG_WHEEL in the environment, a key of `TARGETS` in simhash_core/machine/building.py, the
wheel is that of another platform.
"""

from __future__ import annotations

import os
import runpy
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LoopsHook(BuildHookInterface[Any]):
    """Runs before a wheel is packed, and before `pip install -e` writes its link."""

    def dependencies(self) -> list[str]:
        """Ask for a compiler where there is none, or none for the platform that is wanted."""
        building = self._building()
        wanted = os.environ.get("LEITONG_WHEEL") or building["compiler"]() is None
        return [building["ZIG"]] if wanted else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the library in place; name the platform in the tag of a wheel that holds it."""
        tag = os.environ.get("LEITONG_WHEEL", "")
        library = self._building()["build"](tag)
        if library is None:
            self.app.display_warning("no C compiler: the loops run as they are read, slowly")
            return
        build_data["artifacts"].append(f"/{library.relative_to(Path(self.root)).as_posix()}")
        if version != "editable":
            platform = tag or sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform}"

    def _building(self) -> dict[str, Any]:
        return runpy.run_path(str(Path(self.root, "simhash_core", "machine", "building.py")))
