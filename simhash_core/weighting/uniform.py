"""Every distinct token weighs the same."""

from __future__ import annotations

import numpy as np

from ..model import F64, CorpusStats, Features
from ..settings import Settings
from .registry import weighting


@weighting("uniform")
def uniform(features: Features, stats: CorpusStats, settings: Settings) -> F64:
    """Return w = 1 for every entry, F64 (nnz,)."""
    return np.ones(len(features.token))
