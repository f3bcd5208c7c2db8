"""One text traced step by step, the worked examples of the sources, a moved threshold."""

from .sweep import IndexCost, Sweep, borderline, index_cost, index_costs, sweep, sweep_csv
from .trace import (
    EditSensitivity,
    Piece,
    SimilarityMeasures,
    Trace,
    WordInfluence,
    block_differences,
    edit_sensitivity,
    flipped,
    similarity_measures,
    trace,
    trace_data,
    traces,
    word_influence,
)
from .worked import EXAMPLES, Example, Solution, example_votes, solve_example

__all__ = [
    "EXAMPLES",
    "EditSensitivity",
    "Example",
    "IndexCost",
    "Piece",
    "SimilarityMeasures",
    "Solution",
    "Sweep",
    "Trace",
    "WordInfluence",
    "block_differences",
    "borderline",
    "edit_sensitivity",
    "example_votes",
    "flipped",
    "index_cost",
    "index_costs",
    "similarity_measures",
    "solve_example",
    "sweep",
    "sweep_csv",
    "trace",
    "trace_data",
    "traces",
    "word_influence",
]
