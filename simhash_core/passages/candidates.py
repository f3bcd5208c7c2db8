"""Which pairs are worth aligning, and what is certain to be among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..machine.memory import sizes_of
from ..model import I64, Bools, Progress
from ..policy import AFFORDABLE_TOKENS, MANY_HOLDERS, SCORED_PAIRS, SEARCH_BUDGET
from ..result import Guarantee
from .blocks import RULES, Weights
from .rare_words import PairScores, join
from .tokenized import TokenizedText
from .winnow import HeldHashes, HolderLimits, Winnowed, mark_witnesses, pairs_sharing

LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Pairs to align, int64 (m, 2) sorted, left < right, and what is certain to be among them."""

    pairs: I64
    guarantees: tuple[Guarantee, ...]

    def __len__(self) -> int:
        return len(self.pairs)

    def only(self, compared: Bools) -> Candidates:
        """Return some of the pairs, bool (m,); the others are not compared and not counted."""
        gone = int(np.count_nonzero(~compared))
        facts = []
        for fact in self.guarantees:
            counted = {"passages_all": ("n",), "passages_rare": ("pairs", "possible")}
            less = {name: int(str(fact.params[name])) - gone for name in counted.get(fact.code, ())}
            facts.append(replace(fact, params={**fact.params, **less}))
        return Candidates(self.pairs[compared], tuple(facts))


def candidates(
    tokenized: Sequence[TokenizedText],
    winnowed: Sequence[Winnowed],
    *,
    queries: int,
    share: float,
    step: Progress,
) -> Candidates:
    """Return the pairs of the first `queries` documents with all later ones worth aligning.

    Parameters
    ----------
    share
        Share of the winnowed hashes of the smaller set; pairs with so many in common are
        candidates.

    Notes
    -----
    All pairs where that is cheap. Otherwise pairs that share winnowed hashes, pairs whose blocks
    share rare words (`rare_words`), and the most likely others within the budget.
    """
    step("candidates", 0, queries)
    size = sizes_of(tokenized)
    every = list_affordable(size, queries)
    if every is not None:
        step("candidates", queries, queries)
        return every
    scores, facts = _scored(tokenized, queries, step)
    alike, common = find_sharing(winnowed, queries=queries, share=share, budget=SEARCH_BUDGET)
    chosen = chosen_of(size, scores, alike, queries=queries, share=share)
    return Candidates(chosen.pairs, (*chosen.guarantees, *facts, *common))


def list_affordable(size: I64, queries: int) -> Candidates | None:
    """Return all pairs of texts of `size` tokens, None where they are too many to align."""
    n = len(size)
    partners = np.where(np.arange(n) < queries, n - 1, queries)
    if float(size @ partners) > AFFORDABLE_TOKENS:
        return None
    left, right = np.triu_indices(n, 1)
    pairs = np.stack([left, right], axis=1)[left < queries]
    facts = (Guarantee("passages_all", {"n": len(pairs)}),) if len(pairs) else ()
    return Candidates(pairs, facts)


def chosen_of(
    size: I64, scores: PairScores, alike: I64, *, queries: int, share: float
) -> Candidates:
    """Return the pairs that reach the floor of their score, those alike, and the likeliest."""
    n = len(size)
    certain = np.unique(np.concatenate([alike, scores.pairs[scores.above >= 0]]) @ [n, 1])
    chosen = np.union1d(certain, _likeliest(scores, certain, size))
    pairs = np.stack([chosen // n, chosen % n], axis=1)
    counts = {
        "pairs": len(pairs),
        "possible": queries * (2 * n - queries - 1) // 2,
        "next": len(pairs) - len(certain),
        "share": share,
        "words": RULES["en"].width,
        "han": RULES["zh"].width,
    }
    return Candidates(pairs, (Guarantee("passages_rare", counts), Guarantee("passages_likely")))


def find_sharing(
    winnowed: Sequence[Winnowed], *, queries: int, share: float, budget: float = SEARCH_BUDGET
) -> tuple[I64, tuple[Guarantee, ...]]:
    """Return the pairs (m, 2) that are worth aligning by their hashes, and what many texts hold.

    Cost: one sort of all hashes and the sum of squared document frequencies, at most twice
    `budget`.
    """
    size = sizes_of(winnowed)
    values = np.concatenate([np.empty(0, np.uint64), *(text.value for text in winnowed)])
    _, number = np.unique(values, return_inverse=True)
    text = np.repeat(np.arange(len(winnowed)), size)
    held = np.bincount(number)
    limits = limit_holders(len(winnowed), *np.unique(held, return_counts=True), budget=budget)
    witness = mark_witnesses(number, text, references=queries)
    hashes = HeldHashes(text, number, held[number], witness)
    pairs = pairs_sharing(hashes, size, share, limits, left=queries, right=0, references=queries)
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    common = {"n": int(np.count_nonzero(held > limits[0])), "most": limits[0]}
    return pairs[order], (Guarantee("held_by_many", common),) if common["n"] else ()


def limit_holders(
    texts: int, held: I64, hashes: I64, *, budget: float = SEARCH_BUDGET
) -> HolderLimits:
    """Return how many of so many texts hold what not yet many hold, and what is followed.

    What many hold is a passage of them all and says nothing about two of them: a page in 1,000
    texts is compared 1,000 times with those that have it first, not 499,500 times.

    Parameters
    ----------
    held : int64 (h,)       numbers of texts, ascending
    hashes : int64 (h,)     how many hashes are held by so many
    """
    visits = np.cumsum(hashes * held.astype(np.float64) ** 2)
    over = held[visits > 2 * budget]
    followed = int(over[0]) - 1 if len(over) else texts
    return min(MANY_HOLDERS, followed), followed


def _scored(
    tokenized: Sequence[TokenizedText], queries: int, step: Progress
) -> tuple[PairScores, tuple[Guarantee, ...]]:
    """Join the texts of each language separately, English by words and Chinese by characters."""
    languages = np.array([text.language for text in tokenized])
    parts: list[PairScores] = []
    facts: list[Guarantee] = []
    everything, joined = queries * len(tokenized) <= SCORED_PAIRS, 0

    def overall(stage: str, done: int, total: int) -> None:
        """Report on all languages together."""
        ours = stage == "candidates"
        step(stage, joined + done if ours else done, queries if ours else total)

    for language in LANGUAGES:
        rows = np.flatnonzero(languages == language)
        of_language = int(np.count_nonzero(rows < queries))
        scores, weights = join(
            [tokenized[row] for row in rows.tolist()],
            rule=RULES[language],
            queries=of_language,
            budget=SEARCH_BUDGET,
            everything=everything,
            step=overall,
        )
        joined += of_language
        parts.append(PairScores(rows[scores.pairs], scores.above))
        facts += _list_omitted(language, weights)
    if len(np.unique(languages)) > 1:
        facts.append(Guarantee("passages_languages"))
    return PairScores.of(parts), tuple(facts)


def _list_omitted(language: str, weights: Weights) -> list[Guarantee]:
    """Say what the budget cut."""
    if not weights.features:
        return []
    params = {"n": weights.features, "most": weights.most, "share": weights.share}
    return [Guarantee(f"words_left_out_{language}", params)]


def _likeliest(scores: PairScores, certain: I64, size: I64) -> I64:
    """Return keys of the best other pairs, as many as are affordable beside the certain ones."""
    n = len(size)
    spent = int(size[certain // n].sum() + size[certain % n].sum())
    others = np.flatnonzero(~np.isin(scores.pairs @ [n, 1], certain))
    best = others[np.argsort(-scores.above[others], kind="stable")]
    cost = spent + np.cumsum(size[scores.pairs[best]].sum(axis=1))
    return np.asarray(scores.pairs[best[cost <= AFFORDABLE_TOKENS]] @ [n, 1])
