"""Pairs worth aligning, found on a cluster and chosen on the driver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from ..model import I64
from ..passages.blocks import RULES, compared_blocks, surprise, within_budget
from ..passages.candidates import LANGUAGES, all_affordable, chosen_of, too_frequent
from ..passages.rare_words import PairScores
from ..policy import SCORED_PAIRS, SEARCH_BUDGET
from . import tiles
from .batches import array
from .stages import Stages, fetched
from .tiles import Grid


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """The texts of one check: as numbers on the cluster, and what the driver knows of each."""

    stages: Stages
    texts: DataFrame  # `texts.TEXTS`
    facts: pa.Table  # `texts.FACTS`, by row
    grid: Grid


def candidates(collection: Collection, spreads: Callable[[], DataFrame], *, share: float) -> I64:
    """Return the pairs worth aligning, int64 (m, 2), sorted.

    Parameters
    ----------
    spreads : callable
        Returns how features are spread over blocks and texts, by unit; asked for where not all
        pairs are aligned.
    share : float
        Share of the winnowed hashes of the smaller set from which a pair is a candidate.
    """
    size = array(collection.facts, "tokens")
    every = all_affordable(size, len(size))
    if every is not None:
        return every.pairs
    scores, alike = _scores(collection, spreads()), _alike(collection, share)
    return chosen_of(size, scores, alike, queries=len(size), share=share).pairs


def _weighed(
    facts: pa.Table, spreads: DataFrame
) -> tuple[dict[str, tiles.Weighed], dict[str, int]]:
    """Return the weights of the features of each unit, and the floor of a score."""
    tokens = array(facts, "tokens")
    languages = np.array(facts.column("language").to_pylist(), np.str_)
    weights, floors = {}, {}
    for unit in LANGUAGES:
        size = tokens[languages == unit]
        rule = RULES[unit]
        table = fetched(spreads.where(F.col("unit") == unit), "feature")
        count, blocks = array(table, "count"), array(table, "blocks")
        total = max(int(count.sum()), 1)
        weight = surprise(count, total, width=rule.width, margin=rule.margin)
        weight[array(table, "documents") < 2] = 0
        visits = blocks * (blocks - blocks / 2)
        held = within_budget(
            weight, in_blocks=blocks, visits=visits, share=count / total, budget=SEARCH_BUDGET
        )
        chosen = np.flatnonzero(held.weight)
        feature = array(table, "feature").astype(np.int32)
        weights[unit] = feature[chosen], held.weight[chosen]
        of_unit = int(((size + rule.width - 1) // rule.width).sum())
        floors[unit] = rule.floor(compared_blocks(of_unit, of_unit))
    return weights, floors


def _scores(collection: Collection, spreads: DataFrame) -> PairScores:
    """Join the texts by rare words."""
    stages, grid = collection.stages, collection.grid
    weights, floors = _weighed(collection.facts, spreads)
    everything = collection.facts.num_rows**2 <= SCORED_PAIRS

    def joined() -> DataFrame:
        sent = stages.mapped(
            collection.texts, tiles.scatter_blocks, tiles.BLOCKS, weights=weights, grid=grid
        )
        grouped = stages.together(sent, "unit", "tile")
        options = {"floors": floors, "everything": everything, "grid": grid}
        return stages.mapped(grouped, tiles.join_tiles, tiles.SCORES, **options)

    table = fetched(stages.stage("rare_words", joined))
    pairs = np.stack([array(table, "left"), array(table, "right")], axis=1)
    return PairScores.of([PairScores(pairs, array(table, "above"))])


def _alike(collection: Collection, share: float) -> I64:
    """Return pairs that share winnowed hashes, int64 (m, 2)."""
    stages, grid = collection.stages, collection.grid
    exploded = stages.mapped(collection.texts, tiles.explode_hashes, tiles.HASHES)
    grouped = stages.together(exploded, "value")
    held = stages.stage("hashes", lambda: stages.mapped(grouped, tiles.hold, tiles.HELD))
    counts = fetched(held.groupBy("held").agg(F.count("value").alias("rows")), "held")
    times, rows = array(counts, "held"), array(counts, "rows")
    single = int(array(collection.facts, "hashes").sum() - rows.sum())
    texts, hashes = np.append(1, times), np.append(single, rows // times)
    most = too_frequent(texts, hashes, budget=SEARCH_BUDGET)

    def joined() -> DataFrame:
        followed = held.where(F.col("held") < float(most)).select("value", "row", "hashes")
        sent = stages.mapped(followed, tiles.scatter_hashes, tiles.HASH_TILES, grid=grid)
        tiled = stages.together(sent, "tile")
        return stages.mapped(tiled, tiles.share_tiles, tiles.ALIKE, share=share, grid=grid)

    table = fetched(stages.stage("alike", joined), "left", "right")
    return np.stack([array(table, "left"), array(table, "right")], axis=1)
