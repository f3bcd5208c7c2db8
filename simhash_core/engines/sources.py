"""Tables of texts on a cluster: read, sorted by name, and numbered."""

from __future__ import annotations

import json

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from ..errors import BadInput
from ..library.tables import named_columns
from . import texts
from .batches import array
from .stages import Stages, fetched

#: ending of a path -> format of Spark; a folder without one holds Parquet
FORMATS = {"jsonl": "json", "ndjson": "json", "json": "json", "parquet": "parquet"}


def listing(spark: SparkSession, source: str) -> list[str]:
    """Return files, sizes and times of a source: what a run depends on."""
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(source)
    rows = files.select("path", "length", "modificationTime").collect()
    return sorted(f"{row['path']} {row['length']} {row['modificationTime']}" for row in rows)


def documents(stages: Stages, source: str) -> tuple[DataFrame, DataFrame]:
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
    sizes = fetched(placed.groupBy("part").agg(F.count("place").alias("rows")), "part")
    first, before = {}, 0
    columns = (array(sizes, name).tolist() for name in ("part", "rows"))
    for part, rows in zip(*columns, strict=True):
        first[part], before = before, before + rows
    return stages.mapped(placed, texts.place_rows, texts.DOCUMENTS, first=first)
