"""What a person may leave out of the count of a finished check, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import asdict, dataclass, fields, replace
from functools import cache, lru_cache
from typing import Any

from ..checking.templates import template_spans
from ..errors import BadInput
from ..model import ZONE_KINDS as ZONE_KINDS  # pages take it from the door
from ..model import Zone
from ..passages.tokenized import TokenizedText
from ..result import CheckResult

#: everything that can be switched on and off, in the order in which a reason is given
SWITCHES = (
    *("template", "passages", "variants"),
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
    min_match: int = 0
    sources: tuple[str, ...] = ()
    same_person: bool = False
    same_group: bool = False

    def __post_init__(self) -> None:
        unknown = sorted(set(self.zones) - set(ZONE_KINDS))
        if unknown:
            raise BadInput("exclusion", names=", ".join(unknown), allowed=", ".join(ZONE_KINDS))
        if not 0 <= self.min_match <= MOST_SHORT:
            raise BadInput("exclusion_range", n=self.min_match)

    def __bool__(self) -> bool:
        return self != Exclusions()

    @property
    def on(self) -> tuple[str, ...]:
        """The switches that are on, in the order of `SWITCHES`."""
        state = {
            "template": self.templates,
            "passages": self.passages,
            "variants": self.variants,
            "short": self.min_match,
            "sources": self.sources,
            "same_person": self.same_person,
            "same_group": self.same_group,
        }
        return tuple(name for name in SWITCHES if state.get(name, name in self.zones))

    def to_data(self) -> dict[str, Any]:
        """Return plain values for a file."""
        held = asdict(self).items()
        return {name: list(one) if isinstance(one, tuple) else one for name, one in held}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Exclusions:
        """Read what `to_data` gave; a name that is none of ours is passed over."""
        given: dict[str, Any] = {
            spec.name: tuple(data[spec.name]) if spec.type == "tuple[str, ...]" else data[spec.name]
            for spec in fields(cls)
            if spec.name in data
        }
        return cls(**given)


def turn_switch(exclusions: Exclusions, switch: str, value: Any = None) -> Exclusions:
    """Return the exclusions with one switch turned: off where it is on, else on.

    `value` is what a switch with a value is turned to: a length, texts or ids.
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
    "short": ("min_match", 0),
    "sources": ("sources", ()),
    "same_person": ("same_person", False),
    "same_group": ("same_group", False),
}


# --------------------------------------------------------------------------- the ranges of a text

#: ranges that do not count: row of a document -> half-open code points
Ranges = Mapping[int, Sequence[tuple[int, int]]]


class ExcludedRanges:
    """The ranges of one check; zones and templates are looked for once."""

    def __init__(
        self, result: CheckResult, tokenized: Sequence[TokenizedText], variants: Ranges
    ) -> None:
        self._variants, self._n = variants, len(tokenized)
        documents, settings = result.documents, result.settings

        def given(text: str, kind: str) -> list[tuple[Zone, ...]]:
            spans = template_spans(tokenized, [text], settings=settings)
            return [tuple(Zone(a, b, kind, "aligned") for a, b in of_text) for of_text in spans]

        def found(kind: str) -> list[tuple[Zone, ...]]:
            from ..text.zones import zones

            return [zones(document.text, [kind]) for document in documents]

        self._zones = cache(found)
        self._given = lru_cache(maxsize=64)(given)

    def with_variants(self, variants: Ranges) -> ExcludedRanges:
        """Return the same ranges with others that were given to all."""
        other = copy(self)
        other._variants = variants
        return other

    def of(self, exclusions: Exclusions) -> list[tuple[Zone, ...]]:
        """Return the ranges left out of each document, the first switch that applies as kind."""
        layers: list[Sequence[Sequence[Zone]]] = [
            *(self._given(text, "template") for text in exclusions.templates),
            *(self._given(text, "passages") for text in exclusions.passages),
        ]
        if exclusions.variants:
            given = (self._variants.get(row, ()) for row in range(self._n))
            layers.append([[Zone(a, b, "variants", "given") for a, b in some] for some in given])
        layers += [self._zones(kind) for kind in ZONE_KINDS if kind in exclusions.zones]
        return [
            flatten_zones([zone for layer in layers for zone in layer[row]])
            for row in range(self._n)
        ]


def flatten_zones(layers: Sequence[Zone]) -> tuple[Zone, ...]:
    """Return disjoint ranges in order; where several cover a place, the first switch names it."""
    rank = {kind: number for number, kind in enumerate(SWITCHES)}
    cuts = sorted({place for zone in layers for place in (zone.start, zone.end)})
    at = {place: number for number, place in enumerate(cuts)}
    owners: list[Zone | None] = [None] * max(len(cuts) - 1, 0)
    for zone in sorted(layers, key=lambda zone: (-rank[zone.kind], -zone.start)):
        owners[at[zone.start] : at[zone.end]] = [zone] * (at[zone.end] - at[zone.start])
    spans: list[Zone] = []
    for start, end, owner in zip(cuts, cuts[1:], owners, strict=False):
        if owner is None:
            continue
        before = spans[-1] if spans else None
        named = (owner.kind, owner.reason)
        if before and before.end == start and (before.kind, before.reason) == named:
            spans[-1] = replace(before, end=end)
        else:
            spans.append(replace(owner, start=start, end=end))
    return tuple(spans)
