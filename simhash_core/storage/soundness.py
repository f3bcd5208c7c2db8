"""Whether the parts of a stored result fit each other, so that no page meets a row that is not."""

from __future__ import annotations

from typing import Any

from ..result import CheckResult, Cluster, VariantGroups


def is_sound(result: CheckResult) -> bool:
    """Return whether sizes agree and every row that is named exists."""
    n, m = len(result.documents), len(result.table)
    pairs, passages = result.table.pairs, result.passages
    sizes = (
        (n, (result.fingerprints.words, result.fingerprints.valid, result.lengths)),
        (n, (result.total_overlap, result.identical_overlap)),
        (n if len(result.division) else 0, (result.division,)),  # none in files of earlier versions
        (m if len(result.table.parts) else 0, (result.table.parts,)),
        (m, (pairs.left, pairs.right, pairs.distance)),
        (m, tuple(column for column in _columns(result.table) if column.ndim == 1)),
        (len(passages), passages.columns()),
    )
    if any(len(column) != size for size, columns in sizes for column in columns):
        return False
    if result.batch_fingerprints is not None and len(result.batch_fingerprints) != n:
        return False
    if not (_below(pairs.left, n) and _below(pairs.right, n) and _below(passages.pair, m)):
        return False
    inside = (
        0 <= result.references <= n and len(result.distances.counts) == result.distances.bits + 1
    )
    whole = all(_is_whole(cluster, n) for cluster in result.clusters)
    return inside and whole and _fits(result.variant_groups, n)


def _columns(table: Any) -> list[Any]:
    """Return the arrays of a pair table, those of later versions included."""
    held = (getattr(table, name) for name in table.__dataclass_fields__ if name != "pairs")
    return [column for column in held if hasattr(column, "ndim")]


def _below(rows: Any, n: int) -> bool:
    return len(rows) == 0 or bool(rows.min() >= 0 and rows.max() < n)


def _fits(groups: VariantGroups, n: int) -> bool:
    """Whether the groups cut the rows of their witnesses, and every witness is a document."""
    columns = (groups.document, groups.start, groups.end, groups.part)
    first = groups.first
    cut = len(first) > 0 and first[0] == 0 and all(len(column) == first[-1] for column in columns)
    return bool(cut) and bool((first[1:] >= first[:-1]).all()) and _below(groups.document, n)


def _is_whole(cluster: Cluster, n: int) -> bool:
    rows = {*cluster.members, cluster.centre, *cluster.centres, *cluster.weakest[:2]}
    rows |= {row for bridge in cluster.bridges for row in bridge}
    return len(cluster.members) == len(cluster.centres) and all(0 <= row < n for row in rows)
