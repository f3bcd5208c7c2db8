"""What leaves of our own and other packages add under a name, by family.

A leaf is a package below this one that nothing imports, so its folder can be deleted. It says in
`OFFERS` of its `__init__` what it adds, family -> name -> where that lies, and is found without
being installed a second time. Other packages have entry points of the groups `leitong.<family>`:

    [project.entry-points."leitong.weightings"]
    rare = "my_package:rare"

Families are `weightings`, `formats` and `engines` (docs/contributing/adding.md); of leaves also
`commands` (a `cli.options.table.Command`), `profiles`, `pages` (of the script `pages/<name>.py`:
section of the navigation and icon), `guides` (for the help of a page), `ways` (of choosing what a
check is compared with: a module of the pages), `pairs` (engine -> what runs `leitong pairs` on it)
and `servers` (what the file of a server says, and the rules of who may be here).
Other packages are looked for when a name is asked for that Leitong itself does not have, or when
all names are listed: never at the start.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from .errors import BadInput

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


#: leaves that may be there
LEAVES = ("reposts", "web", "engines", "server", "lab")


@cache
def list_offers(family: str) -> Mapping[str, str]:
    """Return what the leaves add to a family, in their order: name -> `module:object`."""
    return {
        name: place
        for offers in _leaves().values()
        for name, place in offers.get(family, {}).items()
    }


@cache
def _leaves() -> dict[str, Mapping[str, Mapping[str, str]]]:
    """Return the offers of each leaf whose folder is there."""
    found = {}
    for leaf in LEAVES:
        try:
            found[leaf] = importlib.import_module(f".{leaf}", __package__).OFFERS
        except ModuleNotFoundError as error:
            if error.name != f"{__package__}.{leaf}":
                raise
        except AttributeError:  # a folder that holds no more than what Python compiled
            continue
    return found


def names(family: str) -> tuple[str, ...]:
    """Return what leaves and other packages add to a family, sorted."""
    return tuple(sorted({*list_offers(family), *_entries(family)}))


@cache
def extension(family: str, name: str) -> Any:
    """Return what a leaf or another package adds under a name, None where none does.

    Raises
    ------
    BadInput
        `extension`: it cannot be loaded.
    """
    if name in list_offers(family):
        module, _, attribute = list_offers(family)[name].partition(":")
        loaded = importlib.import_module(module)
        return getattr(loaded, attribute) if attribute else loaded
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
