"""What a person may leave out of the count of a finished check, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from ..errors import BadInput
from ..text.zones import ZONE_KINDS as ZONE_KINDS  # pages take it from the door

#: everything that can be switched on and off, in the order in which a reason is given
SWITCHES = (
    *("template", "passages", "variants", "common"),
    *ZONE_KINDS,
    *("short", "sources", "same_person", "same_group"),
)
#: under which a project keeps the rules in force
RULES_KEY = "exclusions.rules"
MOST_SHORT = 500  # of `min_match`


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusions:
    """What does not count. Plain values only: `asdict` and JSON give it back unchanged.

    Attributes
    ----------
    zones : tuple of str
        Kinds of `ZONE_KINDS` that do not count.
    templates, passages : tuple of str
        Texts that everybody was given, and single passages left out wherever they stand.
    variants : bool
        Leave out the ranges that the caller hands to the view as given to all.
    common_share : float
        Leave out what more than this share of the batch holds; 0 leaves nothing out.
    min_match : int
        Shortest passage that counts: characters of Han, words of other scripts.
    sources : tuple of str
        Ids of documents that are no source: no pair with one of them counts.
    same_person, same_group : bool
        Leave out the pairs of one author, of one group.
    """

    zones: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    variants: bool = False
    common_share: float = 0.0
    min_match: int = 0
    sources: tuple[str, ...] = ()
    same_person: bool = False
    same_group: bool = False

    def __post_init__(self) -> None:
        unknown = sorted(set(self.zones) - set(ZONE_KINDS))
        if unknown:
            raise BadInput("exclusion", names=", ".join(unknown), allowed=", ".join(ZONE_KINDS))
        if not (0 <= self.common_share < 1 and 0 <= self.min_match <= MOST_SHORT):
            raise BadInput("exclusion_range", share=self.common_share, n=self.min_match)

    def __bool__(self) -> bool:
        return self != Exclusions()

    @property
    def on(self) -> tuple[str, ...]:
        """The switches that are on, in the order of `SWITCHES`."""
        state = {
            "template": self.templates,
            "passages": self.passages,
            "variants": self.variants,
            "common": self.common_share,
            "short": self.min_match,
            "sources": self.sources,
            "same_person": self.same_person,
            "same_group": self.same_group,
        }
        return tuple(name for name in SWITCHES if state.get(name, name in self.zones))

    def to_data(self) -> dict[str, Any]:
        """Return plain values for a file."""
        return {name: _plain(value) for name, value in asdict(self).items()}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Exclusions:
        """Read what `to_data` gave; names of a later version are not an error."""
        given: dict[str, Any] = {
            spec.name: tuple(data[spec.name]) if spec.type == "tuple[str, ...]" else data[spec.name]
            for spec in fields(cls)
            if spec.name in data
        }
        return cls(**given)


def turned(exclusions: Exclusions, switch: str, value: Any = None) -> Exclusions:
    """Return the exclusions with one switch turned: off where it is on, else on.

    `value` is what a switch with a value is turned to: a share, a length, texts or ids.
    """
    if switch in ZONE_KINDS:
        kinds = set(exclusions.zones) ^ {switch}
        return replace(exclusions, zones=tuple(kind for kind in ZONE_KINDS if kind in kinds))
    name, off = _FIELDS[switch]
    on = True if value is None else value
    changes: dict[str, Any] = {name: off if switch in exclusions.on and value is None else on}
    return replace(exclusions, **changes)


_FIELDS: dict[str, tuple[str, Any]] = {
    "template": ("templates", ()),
    "passages": ("passages", ()),
    "variants": ("variants", False),
    "common": ("common_share", 0.0),
    "short": ("min_match", 0),
    "sources": ("sources", ()),
    "same_person": ("same_person", False),
    "same_group": ("same_group", False),
}


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
