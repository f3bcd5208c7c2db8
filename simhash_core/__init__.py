"""Leitong 雷同: whether texts are alike, by how much, and where.

The front door. Pages, reports and users import from here and from nowhere deeper:

>>> from simhash_core import check, gather, read
>>> documents, skipped = read(gather(["essays/"]))
>>> result = check(documents, skipped=skipped)

Names are loaded on first use, so that a worker process pays only for the rooms it works in.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .version import __version__

if TYPE_CHECKING:
    from .checking.dominance import dominance_of
    from .checking.pipeline import (
        check,
        compare,
        formats,
        gather,
        read,
        samples,
        uploads,
        weightings,
    )
    from .checking.threshold_view import (
        at_threshold,
        distance_matrix,
        expected_before,
        expected_curve,
        expected_false,
        source_shares,
    )
    from .errors import Cancelled, InvalidSettings, LeitongError
    from .evaluation.costs import cost_tables
    from .evaluation.labels import (
        Label,
        Labels,
        answers_of,
        dump_labels,
        judged_entries,
        keep_answers,
        kept_answers,
        label_quality,
        label_rows,
        parse_labels,
        relabel,
        suggest_threshold,
        weighted_precision,
    )
    from .folders import state_folder
    from .i18n import LANGUAGES, negotiate, translator
    from .laboratory import (
        EXAMPLES,
        bits_pushed,
        block_stripe,
        borderline,
        edit_spread,
        example_votes,
        flipped,
        index_cost,
        index_costs,
        rulers,
        solve_example,
        sweep,
        trace,
        trace_data,
        traces,
    )
    from .model import CheckResult, Comparison, Document, Skipped, ThresholdView
    from .report.json import to_json
    from .settings import PRESETS, Settings

_HOME = {
    "folders": ("state_folder",),
    "checking.dominance": ("dominance_of",),
    "errors": ("Cancelled", "InvalidSettings", "LeitongError"),
    "evaluation.costs": ("cost_tables",),
    "evaluation.labels": (
        "Label",
        "Labels",
        "answers_of",
        "dump_labels",
        "judged_entries",
        "keep_answers",
        "kept_answers",
        "label_quality",
        "label_rows",
        "parse_labels",
        "relabel",
        "suggest_threshold",
        "weighted_precision",
    ),
    "i18n": ("LANGUAGES", "negotiate", "translator"),
    "laboratory": (
        "EXAMPLES",
        "bits_pushed",
        "block_stripe",
        "borderline",
        "edit_spread",
        "example_votes",
        "flipped",
        "index_cost",
        "index_costs",
        "rulers",
        "solve_example",
        "sweep",
        "trace",
        "trace_data",
        "traces",
    ),
    "model": ("CheckResult", "Comparison", "Document", "Skipped", "ThresholdView"),
    "checking.pipeline": (
        "check",
        "compare",
        "formats",
        "gather",
        "read",
        "samples",
        "uploads",
        "weightings",
    ),
    "report.json": ("to_json",),
    "settings": ("PRESETS", "Settings"),
    "checking.threshold_view": (
        "at_threshold",
        "distance_matrix",
        "expected_before",
        "expected_curve",
        "expected_false",
        "source_shares",
    ),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "EXAMPLES",
    "LANGUAGES",
    "PRESETS",
    "Cancelled",
    "CheckResult",
    "Comparison",
    "Document",
    "InvalidSettings",
    "Label",
    "Labels",
    "LeitongError",
    "Settings",
    "Skipped",
    "ThresholdView",
    "__version__",
    "answers_of",
    "at_threshold",
    "bits_pushed",
    "block_stripe",
    "borderline",
    "check",
    "compare",
    "cost_tables",
    "distance_matrix",
    "dominance_of",
    "dump_labels",
    "edit_spread",
    "example_votes",
    "expected_before",
    "expected_curve",
    "expected_false",
    "flipped",
    "formats",
    "gather",
    "index_cost",
    "index_costs",
    "judged_entries",
    "keep_answers",
    "kept_answers",
    "label_quality",
    "label_rows",
    "negotiate",
    "parse_labels",
    "read",
    "relabel",
    "rulers",
    "samples",
    "solve_example",
    "source_shares",
    "state_folder",
    "suggest_threshold",
    "sweep",
    "to_json",
    "trace",
    "trace_data",
    "traces",
    "translator",
    "uploads",
    "weighted_precision",
    "weightings",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
