"""Puts the loops of C into the wheel where a compiler can build them; without one it stays pure."""

from __future__ import annotations

import runpy
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LoopsHook(BuildHookInterface[Any]):
    """Runs before a wheel is packed, and before `pip install -e` writes its link."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the library in place; name the platform in the tag of a wheel that holds it."""
        root = Path(self.root)
        building = runpy.run_path(str(root / "simhash_core" / "machine" / "building.py"))
        library = building["build"]()
        if library is None:
            self.app.display_warning("no C compiler: the loops run by numba or as they stand")
            return
        build_data["artifacts"].append(f"/{library.relative_to(root).as_posix()}")
        if version != "editable":
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform}"
