"""Which ranges of each text do not count, and by which switch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import lru_cache

import numpy as np

from ..model import I64, Bools
from ..passages.cut import token_ranges
from ..passages.tokenized import TokenizedText
from ..policy import COMMON_FEWEST
from ..result import CheckResult
from ..text.zones import ZONE_KINDS, Zone, zones
from .exclusions import SWITCHES, Exclusions
from .templates import template_spans

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
