"""The check and the search for pairs on a cluster of Spark.

The driver plans and holds what is listed; texts, tokens and hashes stay on the workers. Every
stage is a table in a folder that all machines see, so that a run that was stopped goes on where it
was. Workers need this package, numpy and pyarrow under the interpreter of `PYSPARK_PYTHON`.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from ..checking.chance import limits
from ..checking.tokenizing import prepare_dictionary
from ..errors import BadInput
from ..library.tables import named_columns
from ..model import I64, U64, Pairs, Progress, report_nothing
from ..settings import Settings
from ..weighting import FROZEN
from . import local, texts
from .batches import WORD, array, word_columns
from .check import Check
from .hamming import HOT_ROWS
from .pairs import DRIVER_PAIRS, components, groups_and_pairs, pairs_within
from .stages import Stages, fetch_table
from .tiles import CHUNK_TEXTS

BATCH_ROWS = 256  # of a batch: texts with their tokens are some 30 KB each
#: what a session needs that is not the cluster's to decide
SETTINGS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH_ROWS),
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.parquet.compression.codec": "zstd",
}
#: what a worker says of a missing package, or of a Python that is not the driver's
_CAUSE = re.compile(r"(ModuleNotFoundError|ImportError|\[PYTHON_VERSION_MISMATCH\])[^\n]*")
TASKS_A_CORE = 4  # a lost or slow task then costs little of the whole


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
    """Let one worker import this module, and with it what every stage needs."""
    try:
        spark.range(1).mapInArrow(_hand_back, "id long").collect()
    except PySparkException as error:
        raise BadInput("engine_workers", reason=_cause(str(error))) from error


def _hand_back(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from batches


def _cause(message: str) -> str:
    """Return the line that says what is wrong from the traceback of a worker."""
    cause = _CAUSE.search(message)
    return cause[0] if cause else message.strip().splitlines()[-1][:200]


def check(
    source: str,
    folder: str,
    *,
    settings: Settings,
    step: Progress | None = None,
    master: str = "local[*]",
    spark: SparkSession | None = None,
    partitions: int = 0,
    chunk: int = CHUNK_TEXTS,
) -> dict[str, pa.Table]:
    """Check the texts of a table; the tables are those of `local.check`.

    Parameters
    ----------
    source : str
        JSON Lines or Parquet with the columns name and text, where the cluster reads.
    folder : str
        Where stages and tables are written, for every machine to see. `stages-.../` in it may be
        deleted when nothing is to go on.
    master : str
        Address of the cluster; of a Spark Connect server with `sc://`.
    spark : SparkSession, optional
        Used instead of a session on `master`.
    partitions : int
        Tasks of a shuffle; by default some for each core.
    chunk : int
        Texts of one side of a tile.

    Raises
    ------
    BadInput
        `engine_options`; `engine_weighting`: weights that read the collection are not computed on
        a cluster.
    """
    stages = _stages_of_texts(source, folder, settings, spark or session(master), partitions, step)
    documents, skipped = _documents(stages, source)
    made = Check(stages, documents, settings, chunk=chunk)
    checked = made.run()
    near, shared = checked.shared.near, checked.shared
    chosen = limits(shared.table, near.distances, near.batch_distances, settings)
    signatures = checked.fingerprinted
    overlap = checked.overlap
    tables = {
        "documents": checked.facts.select(["row", "name", "id"]),
        "skipped": fetch_table(skipped, "name"),
        "fingerprints": local.fingerprint_table(signatures.background, signatures.batch),
        "overlap": local.overlap_table(
            *(array(overlap, name) for name in ("row", "total", "identical"))
        ),
        **local.tables_of(shared.table, shared.passages, chosen, near.complete_up_to),
        "not_searched": local.list_unsearched(settings, on_cluster=True),
    }
    for name, table in tables.items():
        stages.frame(table).coalesce(1).write.mode("overwrite").parquet(f"{folder}/{name}")
    return tables


def fingerprints(
    source: str,
    folder: str,
    *,
    settings: Settings,
    step: Progress | None = None,
    master: str = "local[*]",
    spark: SparkSession | None = None,
    partitions: int = 0,
) -> DataFrame:
    """Fingerprint the texts of a table: the first stages of `check`, and what `pairs` reads.

    Nothing of a text stays on the driver; the arguments are those of `check`.
    """
    stages = _stages_of_texts(source, folder, settings, spark or session(master), partitions, step)
    documents, _ = _documents(stages, source)
    made = Check(stages, documents, settings).fingerprints
    made.write.mode("overwrite").parquet(f"{folder}/fingerprints")
    return made


def _stages_of_texts(
    source: str,
    folder: str,
    settings: Settings,
    spark: SparkSession,
    partitions: int,
    step: Progress | None,
) -> Stages:
    local.refuse(settings)
    if settings.weighting not in FROZEN:
        raise BadInput("engine_weighting", weighting=settings.weighting)
    prepare_dictionary([], settings)
    source_files = _listing(spark, source)
    recipe = {"settings": dataclasses.asdict(settings), "source": source_files}
    tasks = partitions or _tasks(spark)
    return Stages(spark, folder, recipe, partitions=tasks, step=step or report_nothing)


def pairs(
    source: str,
    folder: str,
    *,
    k: int,
    step: Progress | None = None,
    master: str = "local[*]",
    spark: SparkSession | None = None,
    partitions: int = 0,
    hot_rows: int = HOT_ROWS,
    driver_pairs: int = DRIVER_PAIRS,
) -> dict[str, DataFrame]:
    """Find all pairs of fingerprints within k bits, and their components, as tables.

    Parameters
    ----------
    source : str
        Parquet with row (int64) and word_0, word_1, ... (int64, the bits of the words); rows that
        a column valid marks as having no fingerprint match nothing.
    hot_rows, driver_pairs : int
        Rows of a bucket from which it is cut again; links up to which the driver joins them.

    Returns
    -------
    dict of DataFrame
        equal (row, first), pairs (left, right, distance), components (row, component).

    Raises
    ------
    BadInput
        `fingerprints_columns`, `bad_distance`.
    """
    spark = spark or session(master)
    recipe = {"k": k, "source": _listing(spark, source)}
    words = _fingerprints(spark, source)
    stages = Stages(
        spark, folder, recipe, partitions=partitions or _tasks(spark), step=step or report_nothing
    )
    count = sum(name.startswith(WORD) for name in words.columns)
    equal, close = pairs_within(stages, words, bits=64 * count, k=k, hot_rows=hot_rows)
    same = equal.select(F.col("first").alias("left"), F.col("row").alias("right"))
    links = close.select("left", "right").union(same)
    joined = components(stages, links, most=driver_pairs)
    made = {"equal": equal, "pairs": close, "components": joined}
    for name, frame in made.items():
        frame.write.mode("overwrite").parquet(f"{folder}/{name}")
    return made


def pairs_of_words(
    words: U64, folder: str, *, k: int, spark: SparkSession, **options: Any
) -> tuple[I64, Pairs]:
    """Return `group` and pairs of fingerprints of the driver, as `all_pairs` does."""
    stages = Stages(spark, folder, {"words": len(words)}, partitions=1, step=report_nothing)
    frame = stages.of({"row": np.arange(len(words)), **word_columns(words)})
    frame.write.mode("overwrite").parquet(f"{folder}/fingerprints")
    made = pairs(f"{folder}/fingerprints", folder, k=k, spark=spark, **options)
    return groups_and_pairs(made["equal"], made["pairs"], len(words))


def _fingerprints(spark: SparkSession, source: str) -> DataFrame:
    words = spark.read.parquet(source)
    names = ["row", *sorted(name for name in words.columns if name.startswith(WORD))]
    kinds = dict(words.dtypes)
    # unsigned words would be read as decimals, and a cast to a long loses those with the top bit
    if len(names) < 2 or any(kinds.get(name) != "bigint" for name in names):
        raise BadInput("fingerprints_columns", found=", ".join(map(" ".join, words.dtypes))[:200])
    held = words.where("valid") if "valid" in kinds else words
    return held.select(*names)


def _tasks(spark: SparkSession) -> int:
    """Return into how many tasks a shuffle is cut."""
    try:
        cores = int(spark.sparkContext.defaultParallelism)
    except Exception:  # Spark Connect: the client does not see the machines
        return int(spark.conf.get("spark.sql.shuffle.partitions") or 200)
    return max(TASKS_A_CORE * cores, 8)


# ---------------------------------------------- tables of texts: read, sorted by name, and numbered


#: ending of a path -> format of Spark; a folder without one holds Parquet
FORMATS = {"jsonl": "json", "ndjson": "json", "json": "json", "parquet": "parquet"}


def _listing(spark: SparkSession, source: str) -> list[str]:
    """Return files, sizes and times of a source: what a run depends on."""
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(source)
    rows = files.select("path", "length", "modificationTime").collect()
    return sorted(f"{row['path']} {row['length']} {row['modificationTime']}" for row in rows)


def _documents(stages: Stages, source: str) -> tuple[DataFrame, DataFrame]:
    """Return the texts of a source with their rows, and what is no text (name, code).

    Parameters
    ----------
    source : str
        Columns name and text: files of JSON Lines by their ending, else Parquet, file or folder.

    Raises
    ------
    BadInput
        `table_columns`: no column of names, or none of texts; `table_damaged`: no JSON.

    Notes
    -----
    Rows follow the names, byte by byte, then the ids of the texts: neither the number of files
    nor that of machines changes them.
    """
    table = _table(stages.spark, source)
    named = named_columns(table.columns, file=source)
    if "name" not in named.values():
        raise BadInput("table_columns", name=source, columns=", ".join(table.columns)[:200])
    fields = tuple(field for field in named.values() if field in ("name", "text"))
    wanted = {field: table.columns[at] for at, field in named.items()}
    plain = table.select(*(F.col(f"`{wanted[field]}`").cast("string") for field in fields))
    read = stages.stage(
        "read", lambda: stages.mapped(plain, texts.read_rows, texts.ROWS, fields=fields)
    )
    skipped = read.where("code is not null").select("name", "code")
    return _numbered(stages, read.where("code is null")), skipped


def _table(spark: SparkSession, source: str) -> DataFrame:
    """Return a table as Spark reads it; of JSON Lines the first line says which columns it has."""
    kind = FORMATS.get(source.rstrip("/").rsplit(".", 1)[-1].lower(), "parquet")
    if kind == "parquet":
        return spark.read.parquet(source)
    first = spark.read.text(source).where("length(trim(value)) > 0").first()
    try:
        columns = list(json.loads(first["value"])) if first else []
    except ValueError as error:
        raise BadInput("table_damaged", name=source) from error
    # Spark would read all of it once more to find the types
    schema = ", ".join(f"`{name.replace('`', '``')}` string" for name in columns)
    return spark.read.schema(schema).json(source)


def _numbered(stages: Stages, read: DataFrame) -> DataFrame:
    """Sort texts by name and give each its row."""
    ranged = read.repartitionByRange(stages.partitions, "name", "id")
    ordered = ranged.sortWithinPartitions("name", "id").select("name", "id", "text")
    placed = stages.stage("sorted", lambda: stages.mapped(ordered, texts.number_rows, texts.SORTED))
    sizes = fetch_table(placed.groupBy("part").agg(F.count("place").alias("rows")), "part")
    first, before = {}, 0
    columns = (array(sizes, name).tolist() for name in ("part", "rows"))
    for part, rows in zip(*columns, strict=True):
        first[part], before = before, before + rows
    return stages.mapped(placed, texts.place_rows, texts.DOCUMENTS, first=first)
