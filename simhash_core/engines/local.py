"""A check of a table of texts on this machine, and the tables that every engine writes of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ..checking.pipeline import run_check
from ..clustering import links
from ..errors import BadInput
from ..graphs import component_labels
from ..library.tables import is_table, rows_of
from ..limits import Limits
from ..model import I64, Document, Fingerprints, Passages, Skipped
from ..result import PairTable
from ..settings import Settings
from .alignment import PASSAGE
from .batches import fingerprint_columns, table_of


def check(source: str, folder: str, *, settings: Settings) -> dict[str, pa.Table]:
    """Check the texts of a table; write what is found as Parquet and return it.

    Parameters
    ----------
    source : str
        JSON Lines or Parquet with the columns name and text: a file, or a folder of them.
    folder : str
        Where the tables are written, one file each.

    Raises
    ------
    BadInput
        `engine_options`, or that the source is no table of texts.
    """
    refuse(settings)
    texts, skipped = documents(Path(source))
    searched = replace(settings, meaning="off")  # no table holds what it would find
    result = run_check(texts, settings=searched, skipped=skipped)
    tables = {
        "documents": table_of({"row": np.arange(len(texts)), **_strings(texts, "name", "id")}),
        "skipped": table_of(_strings(skipped, "name", "code")),
        "fingerprints": fingerprint_table(result.fingerprints, result.batch_fingerprints),
        "overlap": overlap_table(
            np.arange(len(texts)), result.total_overlap, result.identical_overlap
        ),
        **tables_of(result.table, result.passages, result.limits, result.complete_up_to),
        "not_searched": list_unsearched(settings, on_cluster=False),
    }
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        pq.write_table(table, Path(folder) / f"{name}.parquet")
    return tables


def documents(source: Path) -> tuple[list[Document], list[Skipped]]:
    """Return the texts of a table sorted by name, byte by byte, and what is no text."""
    files = [source]
    if source.is_dir():
        files = sorted(path for path in source.rglob("*") if is_table(path))
    if not files:
        raise BadInput("table_damaged", name=source.name)
    read = [row for file in files for row in rows_of(file)]
    texts = [one for one in read if isinstance(one, Document)]
    skipped = [one for one in read if isinstance(one, Skipped)]
    texts.sort(key=lambda one: (one.name.encode("utf-8", "surrogatepass"), one.id))
    return texts, sorted(skipped, key=lambda one: one.name)


def _strings(records: Sequence[Document | Skipped], *names: str) -> dict[str, pa.Array]:
    """Return some fields of records, a column each."""
    return {name: pa.array([getattr(one, name) for one in records], pa.string()) for name in names}


# ----------------------------------------------------------------------- what a check leaves behind


#: columns of `PairTable` that every engine fills
PAIR_COLUMNS = (
    *("batch_distance", "containment", "coverage_a", "coverage_b"),
    *("identical", "longest", "passages"),
)


def refuse(settings: Settings) -> None:
    """Refuse what no engine computes.

    Raises
    ------
    BadInput
        `engine_options`.
    """
    wanted = ("skip_same_person", "skip_same_group", "translated")
    names = [f"{name.replace('_', '-')}=on" for name in wanted if getattr(settings, name)]
    names += ["meaning=on"] if settings.meaning == "on" else []
    if names:
        raise BadInput("engine_options", names=", ".join(names))


def list_unsearched(settings: Settings, *, on_cluster: bool) -> pa.Table:
    """Return what a check of files looks for and an engine does not, by code.

    `meaning`; `second_look` at pairs that alone share something; `holders`: how many texts hold
    what two share, without which common text joins components too.
    """
    wanted = {
        "meaning": settings.meaning == "auto",
        "second_look": on_cluster and settings.strength is None,
        "holders": on_cluster,
    }
    codes = [code for code, left_out in wanted.items() if left_out and settings.passages]
    return table_of({"code": pa.array(codes, pa.string())})


def pair_table(table: PairTable) -> pa.Table:
    """Return the listed pairs: rows of both texts, distances and what they share."""
    pairs = table.pairs
    ends = {"left": pairs.left, "right": pairs.right, "distance": pairs.distance}
    return table_of({**ends, **{name: getattr(table, name) for name in PAIR_COLUMNS}})


def passage_table(table: PairTable, passages: Passages) -> pa.Table:
    """Return the passages of the listed pairs; ranges are code points of each text."""
    ends = {"left": table.pairs.left[passages.pair], "right": table.pairs.right[passages.pair]}
    rows = table_of({**ends, **{name: getattr(passages, name) for name in PASSAGE}})
    order = ("left", "right", "a_start", "b_start", "a_end", "b_end", "kind")
    return rows.sort_by([(name, "ascending") for name in order])


def fingerprint_table(background: Fingerprints, batch: Fingerprints | None) -> pa.Table:
    """Return both signatures of each text, words as signed integers of the same bits."""
    columns = fingerprint_columns(background, batch)
    return table_of({"row": np.arange(len(background)), **columns})


def component_table(left: I64, right: I64) -> pa.Table:
    """Return the rows that are linked, ascending, and the first row of the component of each."""
    rows, place = np.unique(np.concatenate([left, right]), return_inverse=True)
    labels = component_labels(place[: len(left)], place[len(left) :], len(rows))
    return table_of({"row": rows, "component": rows[labels]})


def tables_of(
    table: PairTable, passages: Passages, limits: Limits, complete_up_to: int
) -> dict[str, pa.Table]:
    """Return the tables that follow from the listed pairs: components join what is linked."""
    joined, _ = links(table, limits.threshold, limits.batch_threshold)
    facts = {
        "threshold": limits.threshold,
        "batch_threshold": limits.batch_threshold,
        "complete_up_to": complete_up_to,
    }
    return {
        "pairs": pair_table(table),
        "passages": passage_table(table, passages),
        "components": component_table(joined.left, joined.right),
        "facts": table_of({name: np.array([held]) for name, held in facts.items()}),
    }


def overlap_table(row: I64, total: object, identical: object) -> pa.Table:
    """Return the share of each text that others hold, where there is any."""
    held = np.asarray(total) > 0
    columns = {"total": np.asarray(total)[held], "identical": np.asarray(identical)[held]}
    return table_of({"row": row[held], **columns})
