"""What a lesson looks into: one text step by step, the sources' examples, a moved threshold."""

from .sweep import IndexCost, Sweep, borderline, entry_of, index_cost, index_costs, sweep
from .trace import (
    Piece,
    Pushed,
    Rulers,
    Spread,
    Trace,
    bits_pushed,
    block_stripe,
    edit_spread,
    flipped,
    rulers,
    trace,
    trace_data,
    traces,
)
from .worked import EXAMPLES, Example, Solution, example_votes, solve_example

__all__ = [
    "EXAMPLES",
    "Example",
    "IndexCost",
    "Piece",
    "Pushed",
    "Rulers",
    "Solution",
    "Spread",
    "Sweep",
    "Trace",
    "bits_pushed",
    "block_stripe",
    "borderline",
    "edit_spread",
    "entry_of",
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
]
