"""Tables of texts on a cluster: read, sorted by name, and numbered."""

from __future__ import annotations

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
        JSON Lines or Parquet with the columns name and text, a file or a folder.

    Raises
    ------
    BadInput
        `table_columns`: no column of names, or none of texts.

    Notes
    -----
    Rows follow the names, byte by byte, then the ids of the texts: neither the number of files
    nor that of machines changes them.
    """
    kind = FORMATS.get(source.rstrip("/").rsplit(".", 1)[-1].lower(), "parquet")
    table = stages.spark.read.format(kind).load(source)
    named = named_columns(table.columns, file=source)
    if "name" not in named.values():
        raise BadInput("table_columns", name=source, columns=", ".join(table.columns)[:200])
    fields = tuple(field for field in named.values() if field in ("name", "text"))
    wanted = {field: table.columns[at] for at, field in named.items()}
    plain = table.select(*(F.col(f"`{wanted[field]}`").cast("string") for field in fields))
    read = stages.stage(
        "read", lambda: stages.mapped(plain, texts.read_rows, texts.ROWS, fields=fields)
    )
    return _numbered(stages, read.where("code is null")), read.where("code is not null").select(
        "name", "code"
    )


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
