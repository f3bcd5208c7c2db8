"""What a person may leave out of the count of a finished check, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import Any

import numpy as np

from ..checking.templates import template_spans
from ..errors import BadInput
from ..model import I64, Bools
from ..passages.cut import token_ranges
from ..passages.tokenized import TokenizedText
from ..policy import COMMON_FEWEST
from ..result import CheckResult
from ..text.zones import ZONE_KINDS as ZONE_KINDS  # pages take it from the door
from ..text.zones import Zone, zones

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


# --------------------------------------------------------------------------- the ranges of a text

#: ranges that do not count: row of a document -> half-open code points
Ranges = Mapping[int, Sequence[tuple[int, int]]]


class ExcludedRanges:
    """The ranges of one check; zones, templates and common phrases are looked for once."""

    def __init__(
        self, result: CheckResult, tokenized: Sequence[TokenizedText], variants: Ranges
    ) -> None:
        self._result, self._texts, self._variants = result, tokenized, variants
        self._zones: dict[str, list[tuple[Zone, ...]]] = {}
        self._given = lru_cache(maxsize=64)(self._given_spans)
        self._common = lru_cache(maxsize=8)(self._common_spans)

    def with_variants(self, variants: Ranges) -> ExcludedRanges:
        """Return the same ranges with others of variant groups."""
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
            layers.append([self._variant_spans(row) for row in range(len(self._texts))])
        if exclusions.common_share:
            layers.append(self._common(exclusions.common_share))
        layers += [self._zones_of(kind) for kind in ZONE_KINDS if kind in exclusions.zones]
        return [
            flattened([zone for layer in layers for zone in layer[row]])
            for row in range(len(self._texts))
        ]

    def _zones_of(self, kind: str) -> list[tuple[Zone, ...]]:
        if kind not in self._zones:
            documents = self._result.documents
            self._zones[kind] = [zones(document.text, [kind]) for document in documents]
        return self._zones[kind]

    def _given_spans(self, text: str, kind: str) -> list[tuple[Zone, ...]]:
        spans = template_spans(self._texts, [text], settings=self._result.settings)
        return [tuple(Zone(a, b, kind, "aligned") for a, b in of_text) for of_text in spans]

    def _variant_spans(self, row: int) -> tuple[Zone, ...]:
        return tuple(Zone(a, b, "variants", "given") for a, b in self._variants.get(row, ()))

    def _common_spans(self, share: float) -> list[tuple[Zone, ...]]:
        """Return what more than a share of the batch holds, by the passages of the check."""
        least = max(COMMON_FEWEST, int(share * len(self._texts)) + 1)
        return [
            tuple(
                Zone(int(text.start[a]), int(text.end_attached[b - 1]), "common", "share")
                for a, b in _stretches(held + 1 >= least)
            )
            for text, held in zip(self._texts, self._holders(), strict=True)
        ]

    def _holders(self) -> list[I64]:
        """Return for each token of each text how many other texts share it."""
        passages, table = self._result.passages, self._result.table.pairs
        pairs = np.stack([table.left, table.right], axis=1)
        holders = [np.zeros(len(text), np.int64) for text in self._texts]
        solid = passages.take(~passages.weak)
        for side, start, end in ((0, solid.a_start, solid.a_end), (1, solid.b_start, solid.b_end)):
            rows = pairs[solid.pair, side]
            first, last = token_ranges(self._texts, rows, start, end)
            for at in np.split(np.arange(len(rows)), np.flatnonzero(np.diff(solid.pair)) + 1):
                if len(at):
                    row = int(rows[at[0]])
                    held = np.zeros(len(self._texts[row]), np.bool_)
                    for a, b in zip(first[at].tolist(), last[at].tolist(), strict=True):
                        held[a:b] = True
                    holders[row] += held
        return holders


def flattened(layers: Sequence[Zone]) -> tuple[Zone, ...]:
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


def _stretches(mask: Bools) -> list[tuple[int, int]]:
    """Return the runs of True as half-open ranges."""
    edges = np.diff(np.concatenate([[0], mask.astype(np.int8), [0]]))
    ends = np.flatnonzero(edges > 0), np.flatnonzero(edges < 0)
    return list(zip(*(end.tolist() for end in ends), strict=True))
