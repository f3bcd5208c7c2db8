"""Which of two versions came first, as a likelihood: what edits leave behind, weighed.

The clues of `clues` say it in words; here every trace has a weight, learnt from texts whose order
is known. Dates play no part.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..model import Bools
from .clues import (
    LONGER,
    MINORITY,
    SHORT,
    latest_year,
    own_in_sentences,
    own_terms,
    source_named,
    tidied_kinds,
)
from .clues import OWN_WORDS as WHOLE
from .reading import Overlap, Reading

#: kind of trace -> its measures, each with its weight: log-odds for one unit. Learnt by
#: `lab.measurements.orders.learn` of commit 4a9efa0e, on the half of the chains not kept aside
WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "coherent": {"coherence": 3.449},
    "longer": {"length": -0.035, "own": 2.376, "whole": 0.899},
    "returns": {"returns": 0.638, "returns_reworded": 14.71},
    "tidied": {"tidied": 0.208, "tidied_reworded": 0.757},
    "grew": {"inside": -0.427, "new": 0.17, "new_reworded": -0.482, "sentence": -10.453},
    "years": {"years": 1.217},
    "amended": {"act_length": -5.609, "act_inside": 2.118},
}
#: named as a source by the other: an assumption of 95 in 100, no corpus at hand says how often it
#: misleads
NAMED = 3.0
FEWEST_TERMS, FEWEST_SHARED = 8, 40
STRETCHES = 6  # of what is shared, set against the rest of it
#: of the shared words: the rest are phrases that any two texts may have. Seen on ten paragraphs in
#: other chapters of a book and ten texts with half of the words replaced, then measured on all
IN_ONE_PLACE = 0.65
REWORDED = 8  # one word of eight inside shared sentences: a revision through and through
ARTICLES = 8  # numbered articles from which a text is an act; those are amended, not cut
_ARTICLE = re.compile(r"(?m)^[^\w\n]*第[一二三四五六七八九十百零0-9]+条")


@dataclass(frozen=True, slots=True)
class Direction:
    """How likely the first of two texts came first.

    `log_odds` is above 0 where it did; `kinds` holds the part of each kind of trace. `act` says
    that both are numbered acts, of which too few with a known order were at hand.
    """

    log_odds: float
    kinds: Mapping[str, float]
    act: bool

    def turned(self) -> Direction:
        """Return the same, seen from the other text."""
        kinds = {kind: -part for kind, part in self.kinds.items()}
        return Direction(-self.log_odds, kinds, self.act)


def direction(a: Reading, b: Reading, overlap: Overlap) -> Direction:
    """Weigh what says that `a` came before `b`.

    Notes
    -----
    A logistic model without a constant, so that turning the texts round turns the answer round.
    It was learnt from versions of a text: of two texts that share a passage alone it says nothing.
    O(w log w).
    """
    if _is_passage(overlap):
        kinds = dict.fromkeys(WEIGHTS, 0.0)
    else:
        measured = measures(a, b, overlap)
        kinds = {
            kind: sum(weight * measured[name] for name, weight in weights.items())
            for kind, weights in WEIGHTS.items()
        }
    kinds["named"] = NAMED * (bool(source_named(b, a)) - bool(source_named(a, b)))
    return Direction(sum(kinds.values()), kinds, is_act(a) and is_act(b))


def _is_passage(overlap: Overlap) -> bool:
    """Return whether most of what two texts share stands in less than half of either, in one place.

    Not where words were replaced throughout: what is left of a text is spread over it.
    """
    for shared in (overlap.shared_a, overlap.shared_b):
        places = np.flatnonzero(shared)
        most = round(IN_ONE_PLACE * len(places))
        if not most:
            continue
        stretches = places[most - 1 :] - places[: len(places) - most + 1]
        if stretches.min() >= MINORITY * len(shared):
            return False
    return True


def is_act(reading: Reading) -> bool:
    """Return whether a text is a numbered act."""
    return len(_ARTICLE.findall(reading.document.text)) >= ARTICLES


def measures(a: Reading, b: Reading, overlap: Overlap) -> dict[str, float]:
    """Return what is measured of a pair; every number changes its sign with the order of both."""
    sides = ((a, overlap.shared_a), (b, overlap.shared_b))
    lengths = max(len(a), 1), max(len(b), 1)
    unshared = overlap.only_a / lengths[0], overlap.only_b / lengths[1]
    length = math.log(lengths[0] / lengths[1])
    whole = float(unshared[1] < WHOLE and lengths[0] > LONGER * lengths[1])
    whole -= float(unshared[0] < WHOLE and lengths[1] > LONGER * lengths[0])
    fit = [_coherence(reading, shared) for reading, shared in sides]
    inside, new, sentence = zip(*(own_in_sentences(*side) for side in sides), strict=True)
    reworded = min(1.0, REWORDED * min(inside) / min(lengths))
    returns = _returns(sides[0], sides[1])
    tidied = float(tidied_kinds(a, b)[0])
    # a longer text holds more years, whenever it was written
    of_a, of_b = (latest_year(reading.document.text) for reading in (a, b))
    years = float(np.sign(of_b - of_a)) if of_a and of_b else 0.0
    kept_inside = math.log((1 + inside[1]) / (1 + inside[0]))
    added = math.log((1 + new[1]) / (1 + new[0]))
    act = float(is_act(a) and is_act(b))
    longer = not act and -years * length > math.log(LONGER)
    return {
        "coherence": fit[0] - fit[1],
        "length": length,
        "own": unshared[0] - unshared[1],
        "whole": whole,
        "returns": returns,
        "returns_reworded": reworded * returns,
        "tidied": tidied,
        "tidied_reworded": reworded * tidied,
        "inside": kept_inside,
        "new": added,
        "new_reworded": reworded * added,
        "sentence": math.log(sentence[0] / sentence[1]) if all(sentence) else 0.0,
        "years": years * (not longer),
        "act_length": act * length,
        "act_inside": act * kept_inside,
    }


def _coherence(reading: Reading, shared: Bools) -> float:
    """Return by how much better what a text alone has fits what both share, than that itself.

    The share of its words that return there, less the same of stretches of the shared part that
    are as long. Weighed twice: less for few words, and by the root of its share of the text.
    """
    unshared = int((~shared).sum())
    words = np.flatnonzero(shared)
    length = min(unshared, len(words) // 3)
    terms = own_terms(reading, ~shared)
    if len(terms) < FEWEST_TERMS or len(words) < FEWEST_SHARED or length < FEWEST_TERMS:
        return 0.0
    rate = float(np.isin(terms, own_terms(reading, shared)).mean())
    usual = []
    for start in np.linspace(0, len(words) - length, STRETCHES).astype(int).tolist():
        stretch = np.zeros(len(shared), np.bool_)
        stretch[words[start : start + length]] = True
        inner = own_terms(reading, stretch)
        if len(inner):
            usual.append(float(np.isin(inner, own_terms(reading, shared & ~stretch)).mean()))
    above = rate - (sum(usual) / len(usual) if usual else rate)
    return above * min(1.0, unshared / SHORT)


def _returns(*sides: tuple[Reading, Bools]) -> float:
    """Return how much more of the words of its own return in the first text than in the second."""
    rates = []
    for reading, shared in sides:
        distinct = np.unique(reading.word[~shared])
        if len(distinct) < 3:
            return 0.0
        rates.append(float(np.isin(distinct, reading.word[shared]).mean()))
    return rates[0] - rates[1]
