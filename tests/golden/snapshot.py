"""What a golden run lists, as a small JSON file with one pair a line."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from golden.collection import Collection

from simhash_core import CheckResult
from simhash_core.cases import passage_cases
from simhash_core.model import NO_DISTANCE, PASSAGE_KINDS, Passages
from simhash_core.result import pair_cases

FOLDER = Path(__file__).parent
UNRELATED = "unrelated"

Snapshot = Mapping[str, Any]


def snapshot(batch: Collection, result: CheckResult) -> Snapshot:
    """Return what is compared, as it is stored: sorted by name, floats of three digits."""
    names = [document.name for document in result.documents]
    thresholds = {
        "threshold": result.threshold,
        "batch_threshold": result.batch_threshold,
        "complete_up_to": result.complete_up_to,
        "expected_false_pairs": round(result.expected_false_pairs, 3),
        "rows": len(result.table),
    }
    return {
        "texts": batch.digest(),
        "thresholds": thresholds,
        "guarantees": {one.code: _rounded(one.params) for one in result.guarantees},
        "clusters": sorted(sorted(names[row] for row in one.members) for one in result.clusters),
        "pairs": sorted(_pairs(batch, result), key=lambda pair: (pair["a"], pair["b"])),
        "passages": sorted([one.units, *(names[row] for row in one.members)]
                           for one in passage_cases(result)),
        "translations": sorted(_translations(result)),
    }  # fmt: skip


def _pairs(batch: Collection, result: CheckResult) -> list[dict[str, Any]]:
    """Return the listed pairs, each with the relation that was planted."""
    table, passages = result.table, result.passages.take(~result.passages.weak)
    names, case = [document.name for document in result.documents], pair_cases(result)
    rows = []
    for row in np.flatnonzero(table.listed(result.threshold, result.batch_threshold)).tolist():
        kinds = Counter(PASSAGE_KINDS[kind] for kind in passages.kind[passages.pair == row])
        ends = [names[table.pairs.left[row]], names[table.pairs.right[row]]]
        shares = [_share(table.coverage_a[row]), _share(table.coverage_b[row])]
        (a, share_a), (b, share_b) = sorted(zip(ends, shares, strict=True))
        rows.append(
            {
                "a": a,
                "b": b,
                "distance": _bits(table.pairs.distance[row]),
                "batch_distance": _bits(table.batch_distance[row]),
                "coverage_a": share_a,
                "coverage_b": share_b,
                "longest": int(table.longest[row]),
                "passages": " + ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())),
                "places": _places(passages.take(passages.pair == row), turned=a != ends[0]),
                "own": int(table.own[row]),
                "case": bool(case[row]),
                "planted": batch.relations.get((a, b), UNRELATED),
            }
        )
    return rows


def _translations(result: CheckResult) -> list[list[Any]]:
    """Return names, places and score of each passage that a dictionary found."""
    names, seen = [document.name for document in result.documents], result.meanings
    if seen is None or not result.settings.translated:
        return []
    columns = (seen.left, seen.right, seen.a_start, seen.a_end, seen.b_start, seen.b_end)
    rows = zip(*(column.tolist() for column in columns), seen.score.tolist(), strict=True)
    return [[names[a], names[b], *places, round(score, 1)] for a, b, *places, score in rows]


def _places(passages: Passages, *, turned: bool) -> str:
    """Return a digest of where the passages of a pair stand in its first and its second name."""
    sides = [
        np.stack([passages.a_start, passages.a_end], axis=1),
        np.stack([passages.b_start, passages.b_end], axis=1),
    ]
    ordered = np.concatenate(sides[::-1] if turned else sides, axis=1).astype("<i8")
    ordered = ordered[np.lexsort(ordered.T[::-1])]
    return hashlib.sha256(ordered.tobytes()).hexdigest()[:8]


def path(run: str) -> Path:
    """Return the file of a run."""
    return FOLDER / f"{run}.json"


def load(run: str) -> Snapshot:
    """Return the stored snapshot; of a file that is missing, an empty one."""
    if not path(run).exists():
        empty: dict[str, Any] = {
            key: [] for key in ("clusters", "pairs", "passages", "translations")
        }
        return {"texts": "", "thresholds": {}, "guarantees": {}, **empty}
    stored: Snapshot = json.loads(path(run).read_text("utf-8"))
    return stored


def save(run: str, taken: Snapshot) -> None:
    """Write a snapshot, one line an entry."""
    parts = []
    for name, value in taken.items():
        if isinstance(value, dict):
            lines = [f"{_line(key)}: {_line(entry)}" for key, entry in value.items()]
            value = "{\n" + ",\n".join(f"  {line}" for line in lines) + "\n }"
        elif isinstance(value, list):
            value = "[\n" + ",\n".join(f"  {_line(entry)}" for entry in value) + "\n ]"
        else:
            value = _line(value)
        parts.append(f" {_line(name)}: {value}")
    path(run).write_text("{\n" + ",\n".join(parts) + "\n}\n", "utf-8", newline="\n")


def differences(stored: Snapshot, taken: Snapshot) -> list[str]:
    """Return a line for everything that appeared, vanished or changed."""
    lines = [
        f"changed  {name}: {_line(stored.get(name))} -> {_line(taken[name])}"
        for name in ("texts", "thresholds", "guarantees", "passages", "translations")
        if stored.get(name) != taken[name]
    ]
    for word, first, second in (("vanished", stored, taken), ("appeared", taken, stored)):
        groups = [group for group in first["clusters"] if group not in second["clusters"]]
        lines += [f"{word} cluster: {', '.join(group)}" for group in groups]
    before, after = ({(p["a"], p["b"]): p for p in one["pairs"]} for one in (stored, taken))
    lines += [f"vanished {_line(before[key])}" for key in before if key not in after]
    lines += [f"appeared {_line(after[key])}" for key in after if key not in before]
    for key in before:
        if key in after and before[key] != after[key]:
            changed = [f for f in after[key] if before[key].get(f) != after[key][f]]
            values = [f"{f} {before[key].get(f)} -> {after[key][f]}" for f in changed]
            lines.append(f"changed  {' / '.join(key)}: {', '.join(values)}")
    return lines


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _rounded(params: Mapping[str, object]) -> dict[str, object]:
    return {key: round(v, 3) if isinstance(v, float) else v for key, v in params.items()}


def _share(value: np.float32) -> float:
    return round(float(value), 3)


def _bits(distance: np.uint16) -> int | None:
    return None if distance == NO_DISTANCE else int(distance)
