"""A session of Spark, and the stages of one run as Parquet that are not computed twice."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import pyarrow as pa
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import DataFrame, SparkSession

from ..errors import BadInput
from ..model import Progress
from ..version import __version__
from .batches import table_of

BATCH_ROWS = 256  # of a batch: texts with their tokens are some 30 KB each
#: what a session needs that is not the cluster's to decide
SETTINGS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH_ROWS),
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.parquet.compression.codec": "zstd",
}
#: what a worker says of a missing package, or of a Python that is not the driver's
_CAUSE = re.compile(r"(ModuleNotFoundError|ImportError|\[PYTHON_VERSION_MISMATCH\])[^\n]*")


def session(master: str, *, settings: Mapping[str, str] | None = None) -> SparkSession:
    """Return a session on a cluster: `local[2]`, `spark://host:7077`, `yarn`, or `sc://host`.

    Notes
    -----
    The workers run the interpreter of `PYSPARK_PYTHON`; by default the path of this one, so that
    a system Python without the packages is not taken.

    Raises
    ------
    BadInput
        `engine_session`: no Java, or no cluster at this address. `engine_workers`: a worker cannot
        run this package.
    """
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("leitong")
    builder = builder.remote(master) if master.startswith("sc://") else builder.master(master)
    for name, value in {**SETTINGS, **(settings or {})}.items():
        builder = builder.config(name, value)
    try:
        spark: SparkSession = builder.getOrCreate()
    except (PySparkException, OSError) as error:
        raise BadInput("engine_session", master=master, reason=type(error).__name__) from error
    for name, value in SETTINGS.items():  # of a session that was there before
        spark.conf.set(name, value)
    _try_worker(spark)
    return spark


def _try_worker(spark: SparkSession) -> None:
    """Let one worker import what every stage needs, before anything is computed."""
    try:
        spark.range(1).mapInArrow(_import_stages, "id long").collect()
    except PySparkException as error:
        raise BadInput("engine_workers", reason=_cause(str(error))) from error


def _import_stages(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Import this package where the task runs; numpy comes with it."""
    from . import check  # noqa: F401

    yield from batches


def _cause(message: str) -> str:
    """Return the line that says what is wrong from the traceback of a worker."""
    cause = _CAUSE.search(message)
    return cause[0] if cause else message.strip().splitlines()[-1][:200]


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


def fetched(frame: DataFrame, *order: str) -> pa.Table:
    """Return a table of the cluster on the driver, sorted by some columns."""
    table = frame.toArrow().combine_chunks()
    return table.sort_by([(name, "ascending") for name in order]) if order else table
