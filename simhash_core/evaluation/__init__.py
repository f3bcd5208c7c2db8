"""Measurements on labelled collections; each returns tables of plain values."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from ..model import Progress
from .tables import Table

Evaluation = Callable[[argparse.Namespace, Progress | None], list[Table]]


def _calibration(options: argparse.Namespace, step: Progress | None) -> list[Table]:
    from .calibration import calibration

    return calibration(Path(options.root))


def _labels(options: argparse.Namespace, step: Progress | None) -> list[Table]:
    from .labels import evaluate_labels

    return evaluate_labels(Path(options.file))


EVALUATIONS: dict[str, Evaluation] = {"calibration": _calibration, "labels": _labels}
