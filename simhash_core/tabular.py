"""Results as columns: what `CheckResult.pairs` and the table exports give out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .model import I64, NO_DISTANCE

if TYPE_CHECKING:
    from .model import CheckResult, ThresholdView

Columns = Mapping[str, list[Any]]


def listed_rows(result: CheckResult, view: ThresholdView | None = None) -> I64:
    """Return the rows of the pair table that are listed, most overlap first, then closest."""
    table = result.table
    listed = table.listed(result.threshold, result.batch_threshold) if view is None else view.listed
    rows = np.flatnonzero(listed)
    overlap = np.fmax(table.coverage_a, table.coverage_b)[rows]
    return np.asarray(rows[np.lexsort((table.pairs.distance[rows], -overlap))])


def pair_columns(result: CheckResult, view: ThresholdView | None = None) -> Columns:
    """Return the listed pairs column by column, most overlap first, then closest.

    Parameters
    ----------
    view
        The result at the threshold in force; by default the one that the check chose.
    """
    table, rows = result.table, listed_rows(result, view)
    names = [document.name for document in result.documents]
    distance = table.pairs.distance[rows]
    return {
        "a": [names[row] for row in table.pairs.left[rows].tolist()],
        "b": [names[row] for row in table.pairs.right[rows].tolist()],
        "distance": [None if d == NO_DISTANCE else d for d in distance.tolist()],
        "coverage_a": np.round(table.coverage_a[rows].astype(float), 4).tolist(),
        "coverage_b": np.round(table.coverage_b[rows].astype(float), 4).tolist(),
        "longest": table.longest[rows].tolist(),
        "passages": table.passages[rows].tolist(),
    }


def as_table(columns: Columns) -> Any:
    """Return columns as a pandas DataFrame, or as a list of rows where pandas is missing."""
    try:
        import pandas
    except ImportError:
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return pandas.DataFrame(dict(columns))
