"""Exact search in Hamming space: all pairs, stored queries, and the count at each distance."""

from .index import BlockIndex, pairs_between
from .linear import counts_between, distance_counts
from .pairing import SearchResult, all_pairs
from .plan import Plan, block_plan, choose_plan, linear_plan

__all__ = [
    "BlockIndex",
    "Plan",
    "SearchResult",
    "all_pairs",
    "block_plan",
    "choose_plan",
    "counts_between",
    "distance_counts",
    "linear_plan",
    "pairs_between",
]
