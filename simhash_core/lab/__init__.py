"""The lab: measurements, the museum of the sources, and the laboratories.

Nothing of it is part of a check, and nothing of the product imports it. Measurements are run by
`leitong evaluate`; each returns tables of plain values, written by whoever shows them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..model import Progress


class Code(str):
    """A cell that is a key of the catalogue domain `evaluate`, not a value."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Table:
    """One table; `code` and the column names are keys of the catalogue domain `evaluate`."""

    code: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[object, ...]]
    ok: bool = True  # False: something that has a known answer came out different


Evaluation = Callable[[argparse.Namespace, Progress | None], list[Table]]


def _calibration(options: argparse.Namespace, step: Progress | None) -> list[Table]:
    from .measurements.calibration import calibration

    return calibration(Path(options.root))


def _pan(options: argparse.Namespace, step: Progress | None) -> list[Table]:
    from ..settings import Settings
    from .measurements.pan import evaluate_pan, tables

    result = evaluate_pan(
        Path(options.root),
        Path(options.output) if options.output else None,
        settings=Settings(strength=options.strength, dictionary=options.dictionary),
        progress=step,
        df_mode="batch" if options.frequencies else "none",
    )
    return tables(result)


def _batch(options: argparse.Namespace, step: Progress | None) -> list[Table]:
    from ..settings import Settings
    from .measurements.batches import evaluate_batch

    return evaluate_batch(
        Path(options.root),
        against=options.against,
        settings=Settings(strength=options.strength, dictionary=options.dictionary),
        progress=step,
    )


def _batches(options: argparse.Namespace, step: Progress | None) -> list[Table]:
    from ..settings import Settings
    from .measurements.batches import evaluate_batches

    return evaluate_batches(
        [Path(root) for root in options.roots],
        count=options.count,
        size=options.size,
        seed=options.seed,
        settings=Settings(strength=options.strength, dictionary=options.dictionary),
        progress=step,
    )


def _labels(options: argparse.Namespace, step: Progress | None) -> list[Table]:
    from .laboratories.labels import evaluate_labels

    return evaluate_labels(Path(options.file))


def _families(options: argparse.Namespace, step: Progress | None) -> list[Table]:
    from .measurements.experiment import families_tables

    root = Path(options.root) if options.root else None
    return families_tables(
        root, scale=options.scale, seed=options.seed, rate=options.false_rate, step=step
    )


def _costs(options: argparse.Namespace, step: Progress | None) -> list[Table]:
    from .museum.structures.costs import SIZES, cost_tables

    return cost_tables(options.n or SIZES, options.k)


def _seeds(options: argparse.Namespace, step: Progress | None) -> list[Table]:
    from .museum.papers.rows import seeds_table

    return [seeds_table(step)]


def _variants(options: argparse.Namespace, step: Progress | None) -> list[Table]:
    from .measurements.variants import evaluate_variants

    root = Path(options.root) if options.root else None
    return evaluate_variants(root, batches=options.count, seed=options.seed, progress=step)


def _reposts(options: argparse.Namespace, step: Progress | None) -> list[Table]:
    from .measurements.reposts import evaluate_reposts

    return evaluate_reposts(
        Path(options.root) if options.root else None,
        queries=options.count,
        chains_most=options.chains,
        archive=options.size,
        seed=options.seed,
        progress=step,
    )


def _translated(options: argparse.Namespace, step: Progress | None) -> list[Table]:
    from .measurements.translated import evaluate_translated

    hosts = [Path(name) if name else None for name in (options.hosts, options.hosts_english)]
    return evaluate_translated(
        Path(options.chinese),
        Path(options.english),
        hosts=(hosts[0], hosts[1]),
        year=options.year,
        part=options.part,
        keep_latin=options.keep_latin,
        count=options.count,
        pairs=options.pairs,
        library=options.library,
        seed=options.seed,
        progress=step,
    )


def _meaning(options: argparse.Namespace, step: Progress | None) -> list[Table]:
    from .measurements.meaning import evaluate_meaning

    return evaluate_meaning(
        Path(options.root) if options.root else None,
        hosts=[Path(name) for name in options.hosts],
        lengths=options.lengths,
        texts=options.texts,
        seed=options.seed,
        topics=Path(options.topics) if options.topics else None,
        corpora=[Path(name) for name in options.corpora],
        pairs=options.pairs,
        progress=step,
    )


def _classes(options: argparse.Namespace, step: Progress | None) -> list[Table]:
    from .measurements.classes import evaluate_classes

    return evaluate_classes(
        [Path(folder) for folder in options.folders],
        pieces=options.pieces,
        seed=options.seed,
        progress=step,
    )


EVALUATIONS: dict[str, Evaluation] = {
    "batch": _batch,
    "batches": _batches,
    "calibration": _calibration,
    "classes": _classes,
    "costs": _costs,
    "families": _families,
    "labels": _labels,
    "meaning": _meaning,
    "pan": _pan,
    "reposts": _reposts,
    "seeds": _seeds,
    "translated": _translated,
    "variants": _variants,
}
