"""Pairs and components of fingerprints on a cluster: nothing of a row stays on the driver."""

from __future__ import annotations

import math

import numpy as np
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from ..errors import BadInput
from ..model import I64, Pairs
from . import hamming
from .batches import WORD, array, word_schema
from .local import component_table
from .stages import Stages, fetch_table

TILE_ROWS = 65_536  # of a chunk: two of them are compared in a second or two
LEAST_TILED = 4_096  # rows from which tiles are worth a second task
DRIVER_PAIRS = 50_000_000  # 0.8 GB of links: more are joined on the cluster


def pairs_within(
    stages: Stages,
    words: DataFrame,
    *,
    bits: int,
    k: int,
    name: str = "",
    hot_rows: int = hamming.HOT_ROWS,
) -> tuple[DataFrame, DataFrame]:
    """Return equal rows and close pairs, as `simhash.search.all_pairs` does.

    Parameters
    ----------
    words : DataFrame
        row and word_0, word_1, ... of the rows that have a fingerprint.
    name : str
        Put before the names of the stages.
    hot_rows : int
        Rows of a bucket from which it is cut by a second hash.

    Returns
    -------
    equal : DataFrame
        row, first: the rows whose fingerprint an earlier row has, and the first such row.
    pairs : DataFrame
        left, right, distance: between first rows, distance >= 1, each once.

    Raises
    ------
    BadInput
        `bad_distance`.
    """
    if not 0 <= k <= bits:
        raise BadInput("bad_distance", k=k, bits=bits)
    columns = [column for column in words.columns if column.startswith(WORD)]
    first = words.groupBy(*columns).agg(F.min("row").alias("row"))
    distinct = stages.stage(f"{name}distinct", lambda: first)
    renamed = distinct.withColumnRenamed("row", "first")
    equal = stages.stage(
        f"{name}equal",
        lambda: words.join(renamed, columns).where("row > first").select("row", "first"),
    )

    def near() -> DataFrame:
        if k == 0:
            return stages.mapped(distinct.limit(0), hamming.join_buckets, hamming.PAIRS,
                                 bits=bits, k=k)  # fmt: skip
        if hamming.routes_of(bits, k):
            return _by_blocks(stages, distinct, len(columns), bits, k, hot_rows)
        return _by_tiles(stages, distinct, len(columns), k)

    return equal, stages.stage(f"{name}near", near)


def groups_and_pairs(equal: DataFrame, pairs: DataFrame, n: int) -> tuple[I64, Pairs]:
    """Return what `pairs_within` found on the driver: the group of each row, and sorted pairs."""
    same, close = fetch_table(equal, "row"), fetch_table(pairs, "left", "right")
    group = np.arange(n)
    group[array(same, "row")] = array(same, "first")
    distance = array(close, "distance").astype(np.uint16)
    return group, Pairs(array(close, "left"), array(close, "right"), distance)


def _by_blocks(
    stages: Stages, words: DataFrame, wide: int, bits: int, k: int, hot_rows: int
) -> DataFrame:
    counts = stages.mapped(words, hamming.count_keys, hamming.KEY_COUNTS, bits=bits, k=k)
    crowded = counts.groupBy("route", "key").agg(F.sum("rows").alias("rows"))
    table = fetch_table(crowded.where(F.col("rows") > hot_rows))
    route, key = array(table, "route"), array(table, "key")
    hot = {
        at: np.sort(key[route == at])
        for at, held in enumerate(hamming.routes_of(bits, k))
        if hamming.second_routes(held, bits, k)
    }
    schema = f"{hamming.BUCKETS}, {word_schema(wide)}"
    sent = stages.mapped(words, hamming.scatter, schema, bits=bits, k=k, hot=hot)
    buckets = stages.together(sent, "route", "part", "key", "rest")
    return stages.mapped(buckets, hamming.join_buckets, hamming.PAIRS, bits=bits, k=k)


def _by_tiles(stages: Stages, words: DataFrame, wide: int, k: int) -> DataFrame:
    rows = words.count()
    chunks = max(math.ceil(rows / TILE_ROWS), 3 if rows >= LEAST_TILED else 1)
    schema = f"{hamming.TILES}, {word_schema(wide)}"
    sent = stages.mapped(words, hamming.scatter_to_tiles, schema, chunks=chunks)
    tiles = stages.together(sent, "tile")
    return stages.mapped(tiles, hamming.scan_tiles, hamming.PAIRS, k=k, chunks=chunks)


def components(
    stages: Stages, links: DataFrame, *, name: str = "", most: int = DRIVER_PAIRS
) -> DataFrame:
    """Return row, component of every row that `links` (left, right) joins to another.

    A component is called by its first row. Up to `most` links are joined on the driver.
    """

    def on_driver() -> DataFrame:
        table = fetch_table(links.select("left", "right"))
        return stages.frame(component_table(array(table, "left"), array(table, "right")))

    few = links.count() <= most
    make = on_driver if few else lambda: _by_rounds(stages, links, name)
    return stages.stage(f"{name}components", make)


def _by_rounds(stages: Stages, links: DataFrame, name: str) -> DataFrame:
    """Pass the smallest row on to neighbours and jump to what that row has, until nothing changes.

    Notes
    -----
    Each round is a stage, which also cuts the plan off from the rounds before. Jumping halves the
    way to the smallest row: a chain of n rows takes about log2 n rounds.
    """
    both = links.select(F.col("left").alias("row"), F.col("right").alias("other")).union(
        links.select(F.col("right").alias("row"), F.col("left").alias("other"))
    )
    edges = stages.stage(f"{name}edges", lambda: both.distinct())
    labels = stages.stage(
        f"{name}round-0",
        lambda: edges.groupBy("row").agg(F.least(F.min("other"), F.col("row")).alias("component")),
    )
    for number in range(1, 64):
        labels, before = _round(stages, edges, labels, f"{name}round-{number}"), labels
        moved = labels.join(before.withColumnRenamed("component", "was"), "row")
        if moved.where("component <> was").limit(1).count() == 0:
            break
    return labels.select("row", "component")


def _round(stages: Stages, edges: DataFrame, labels: DataFrame, name: str) -> DataFrame:
    other = labels.select(F.col("row").alias("other"), F.col("component").alias("theirs"))
    smallest = edges.join(other, "other").groupBy("row").agg(F.min("theirs").alias("theirs"))
    joined = labels.join(smallest, "row")
    passed = joined.select("row", F.least("component", "theirs").alias("component"))
    jump = passed.select(F.col("row").alias("component"), F.col("component").alias("beyond"))
    jumped = passed.join(jump, "component", "left")
    least = F.least("component", F.coalesce("beyond", "component"))
    return stages.stage(name, lambda: jumped.select("row", least.alias("component")))
