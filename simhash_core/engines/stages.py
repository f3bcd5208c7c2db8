"""The stages of one run on a cluster, as Parquet that is not computed twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pyarrow as pa
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

from ..model import Progress
from ..version import __version__
from .batches import table_of


class Stages:
    """Tables in a folder that every machine of the cluster can read and write.

    Parameters
    ----------
    spark : SparkSession
    folder : str
        A path or address of the cluster's file system; HDFS, S3 ... or a shared disk.
    recipe : mapping
        All that the tables depend on; the stages of each recipe have a folder of their own.
    partitions : int
        Into how many tasks a shuffle is cut.
    step : callable
        step(name, 0 or 1, 1) before and after each stage that is computed.
    """

    def __init__(
        self,
        spark: SparkSession,
        folder: str,
        recipe: Mapping[str, Any],
        *,
        partitions: int,
        step: Progress,
    ) -> None:
        self.spark, self.partitions = spark, partitions
        text = json.dumps({"version": __version__, **recipe}, sort_keys=True, default=str)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        self._folder, self._step = f"{folder.rstrip('/')}/stages-{digest}", step

    def stage(self, name: str, make: Callable[[], DataFrame]) -> DataFrame:
        """Return a stage: read where it is complete, else computed and written.

        Notes
        -----
        A stage is complete once Spark has marked it, after all of its files are in place.
        """
        path = f"{self._folder}/{name}"
        if not self._complete(path):
            self._step(name, 0, 1)
            make().write.mode("overwrite").parquet(path)
            self._step(name, 1, 1)
        return self.spark.read.parquet(path)

    def frame(self, table: pa.Table) -> DataFrame:
        """Return a table of the driver as one of the cluster."""
        return self.spark.createDataFrame(table)

    def of(self, columns: Mapping[str, Any]) -> DataFrame:
        """Return arrays of the driver as a table of the cluster."""
        return self.frame(table_of(columns))

    def together(self, frame: DataFrame, *keys: str) -> DataFrame:
        """Send the rows with equal keys to one task."""
        return frame.repartition(self.partitions, *keys)

    def mapped(
        self, frame: DataFrame, function: Callable[..., Any], schema: str, **options: Any
    ) -> DataFrame:
        """Apply a function of batches to every partition."""
        return frame.mapInArrow(partial(function, **options), schema)

    def _complete(self, path: str) -> bool:
        try:
            return bool(self.spark.read.text(f"{path}/_SUCCESS").columns)
        except AnalysisException:  # there is no such file
            return False


def fetch_table(frame: DataFrame, *order: str) -> pa.Table:
    """Return a table of the cluster on the driver, sorted by some columns."""
    table = frame.toArrow().combine_chunks()
    return table.sort_by([(name, "ascending") for name in order]) if order else table
