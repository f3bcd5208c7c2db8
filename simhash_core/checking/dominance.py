"""Whether one word decides a fingerprint by itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..policy import DOMINANT
from ..result import BitExplanation
from ..weighting.annotated import ANNOTATED, dominance
from ..weighting.annotated import DOMINANT as DOMINANT_IN_PAPERS

_TOPIC = ("topic", "topic_sum", "topic_density")


@dataclass(frozen=True, slots=True)
class Dominance:
    """The heaviest word of a text.

    `share` is max w^2 / sum w^2, 0 for a text without weight; from `limit` on the word decides so
    many bits alone that a distance depends more on it than on the rest of the text.
    """

    token: str
    share: float
    limit: float

    @property
    def above(self) -> bool:
        """Whether a distance of this text calls for a caution."""
        return self.share > self.limit


def dominance_of(explanation: BitExplanation, *, weighting: str) -> Dominance:
    """Return the heaviest word of one text and its share of the squared weights.

    Parameters
    ----------
    explanation : BitExplanation
    weighting : str    the papers' weights are held to 0.1, all others to 0.25
    """
    papers = weighting in ANNOTATED or weighting in _TOPIC
    limit = DOMINANT_IN_PAPERS if papers else DOMINANT
    if not explanation.tokens:
        return Dominance("", 0.0, limit)
    weights = explanation.weights.astype(np.float64)
    share = dominance(weights, np.array([0, len(weights)], np.int64))
    return Dominance(explanation.tokens[0], float(share[0]), limit)
