"""Puts into the wheel what no checkout holds: the loops of C, and Traditional Chinese.

With LEITONG_WHEEL in the environment, a key of `TARGETS` in simhash_core/machine/building.py, the
wheel is that of another platform. Without any compiler it stays pure.
"""

from __future__ import annotations

import os
import runpy
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildHook(BuildHookInterface[Any]):
    """Runs before a wheel is packed, and before `pip install -e` writes its link."""

    def dependencies(self) -> list[str]:
        """Ask for OpenCC; for a compiler where there is none, or none for the wanted platform."""
        opencc = [one for one in self.metadata.core.dependencies if one.startswith("opencc")]
        building = self._run("machine", "building.py")
        wanted = os.environ.get("LEITONG_WHEEL") or building["compiler"]() is None
        return [*opencc, building["ZIG"]] if wanted else opencc

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the library in place; name the platform in the tag of a wheel that holds it."""
        if version != "editable":  # a checkout makes catalogues when they are read
            self._catalogues = tempfile.TemporaryDirectory()
            locales = self._run("locales", "traditional.py")
            locales["write_catalogues"](Path(self._catalogues.name))
            inside = f"simhash_core/locales/{locales['TARGET']}/LC_MESSAGES"
            build_data["force_include"][self._catalogues.name] = inside
        tag = os.environ.get("LEITONG_WHEEL", "")
        library = self._run("machine", "building.py")["build"](tag)
        if library is None:
            self.app.display_warning(
                "no C compiler: nothing can be checked; install one, or ziglang"
            )
            return
        build_data["artifacts"].append(f"/{library.relative_to(Path(self.root)).as_posix()}")
        if version != "editable":
            platform = tag or sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the catalogues that were made."""
        if version != "editable":
            self._catalogues.cleanup()

    def _run(self, *path: str) -> dict[str, Any]:
        return runpy.run_path(str(Path(self.root, "simhash_core", *path)))
