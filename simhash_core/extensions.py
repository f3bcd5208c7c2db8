"""What other packages add under a name: entry points of the groups `leitong.<family>`.

    [project.entry-points."leitong.weightings"]
    rare = "my_package:rare"

Families are `weightings`, `formats` and `engines` (docs/contributing/adding.md). They are looked
for when a name is asked for that Leitong itself does not have, or when all names are listed: never
at the start.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from .errors import BadInput

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def names(family: str) -> tuple[str, ...]:
    """Return what other packages add to a family, sorted."""
    return tuple(sorted(_entries(family)))


@cache
def extension(family: str, name: str) -> Any:
    """Return what another package adds under a name, None where none does.

    Raises
    ------
    BadInput
        `extension`: it cannot be loaded.
    """
    entry = _entries(family).get(name)
    if entry is None:
        return None
    try:
        return entry.load()
    except Exception as error:  # code of another package: whatever it raises is its fault
        about = {"name": name, "package": origin(family, name)}
        raise BadInput("extension", **about, detail=f"{type(error).__name__}: {error}") from error


def origin(family: str, name: str) -> str:
    """Return the package that adds a name, and its version; "" where none does."""
    entry = _entries(family).get(name)
    if entry is None or entry.dist is None:
        return ""
    return f"{entry.dist.name} {entry.dist.version}"


@cache
def _entries(family: str) -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # 20 ms: only where somebody asks

    return {entry.name: entry for entry in entry_points(group=f"leitong.{family}")}
