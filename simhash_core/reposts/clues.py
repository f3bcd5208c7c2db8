"""Which of two versions came first, as far as their texts tell: clues, each with its numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from ..model import Bools
from ..passages.exact import grams_of
from .reading import RUN, Overlap, Reading, per_sentence

#: of the shorter version: what may be its own where the longer one holds it whole
OWN_WORDS = 0.02
LONGER = 1.1  # times as long: less is no difference
MINORITY = 0.5  # of both texts: below, what they share is a passage and not the text
AHEAD = 1.2  # times as many: less is no difference
REPLACED = 0.03  # of the words: lengths that differ by less leave room for replacements alone
DIFFERING = 0.02  # of the words: fewer differences say nothing
ERRORS = 1.0  # standard errors of a difference of two shares, from which it counts
FEWEST = 3  # words, or marks, from which a difference of two numbers counts
SHORT = 30  # words: of fewer own ones coherence counts less, fewer in sentences have no length
_LATEST = 2199
_YEAR = re.compile(r"\b(?:19|20|21)\d\d(?=\b|年)")
_HAN = r"\u3400-\u9fff"
#: careful typography beside its careless form
_TYPOGRAPHY: Mapping[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    name: (re.compile(careful), re.compile(careless))
    for name, careful, careless in (
        ("quotation", "[“”‘’]", "[\"']"),
        ("dash", "—", "--"),
        ("ellipsis", "…", r"\.\.\."),
        ("width", "[，。；：！？（）]", rf"[{_HAN}] ?[,.;:!?()]"),
        (
            "spacing",
            rf"[{_HAN}] [A-Za-z0-9`]|[A-Za-z0-9`] [{_HAN}]",
            rf"[{_HAN}][A-Za-z0-9`]|[A-Za-z0-9`][{_HAN}]",
        ),
        ("https", "https://", "http://"),
    )
}
_SAME_SHARE = 5e-4  # two shares that differ by less are equal


@dataclass(frozen=True, slots=True)
class Clue:
    """One thing that says which version came first: evidence, never a proof.

    `first` is 0 for the first of the two texts and 1 for the second. Codes: `named` (the other
    names it as its source), `years` (the other mentions a later year), `longest` (it holds the
    other whole, and more), `tidied` (the other has the more careful typography), `joins` (what
    both share fits the words around it better here), `fits` (words were replaced, and the ones that
    it has return in the rest of the text), `grew` (the other adds words inside shared sentences).
    """

    code: str
    first: int
    params: Mapping[str, object] = field(default_factory=dict)


_Rule = Callable[[Reading, Reading, Overlap], Clue | None]


def clues(a: Reading, b: Reading, overlap: Overlap) -> list[Clue]:
    """Return what points to the first of two versions, strongest kind of evidence first.

    Notes
    -----
    On revisions of a book in two languages (half of the chapters; `evaluate reposts`, 4a9efa0e)
    each kind was right in so many of the pairs that it speaks of: years 73 of 73, longest 86 %,
    tidied 77 %, grew 64 %.
    """
    rules: tuple[_Rule, ...] = (_link_named, _years, _longest, _tidied, _fits, _joins, _grew)
    return [clue for clue in (rule(a, b, overlap) for rule in rules) if clue is not None]


def _lower(code: str, of_a: float, of_b: float, **params: object) -> Clue | None:
    """Return a clue for the version with the lower number, None where they are equal."""
    return Clue(code, 0 if of_a < of_b else 1, params) if of_a != of_b else None


def _link_named(a: Reading, b: Reading, _: Overlap) -> Clue | None:
    by_a, by_b = source_named(a, b), source_named(b, a)
    if bool(by_a) == bool(by_b):
        return None
    return Clue("named", 1 if by_a else 0, {"name": by_a or by_b})


def source_named(one: Reading, other: Reading) -> str:
    """Return the source that a text names, where it is the other text and not itself."""
    mention = one.head.source
    if mention is None:
        return ""
    name = "".join(mention.text.split()).casefold()
    return mention.text if _is_called(other, name) and not _is_called(one, name) else ""


def _is_called(reading: Reading, name: str) -> bool:
    """Return whether a text goes by a name: that of its file, its publisher or its author."""
    document = reading.document
    fields = ("site", "source", "publisher", "author", "title", "person")
    called = [document.name, *(document.meta.get(field, "") for field in fields)]
    called = ["".join(one.split()).casefold() for one in called if one]
    return any(name in one or (len(one) > 1 and one in name) for one in called)


def _years(a: Reading, b: Reading, _: Overlap) -> Clue | None:
    latest = [latest_year(reading.document.text) for reading in (a, b)]
    if not all(latest):
        return None
    return _lower("years", *latest, year=max(latest))


def latest_year(text: str) -> int:
    years = (int(match[0]) for match in _YEAR.finditer(text))
    return max((year for year in years if year <= _LATEST), default=0)


def _longest(a: Reading, b: Reading, overlap: Overlap) -> Clue | None:
    """The longer one, where the shorter has next to nothing of its own."""
    short_is_a = len(a) < len(b)
    short, long = (a, b) if short_is_a else (b, a)
    own_words = overlap.only_a if short_is_a else overlap.only_b
    if not len(short) or len(long) < LONGER * len(short) or own_words > OWN_WORDS * len(short):
        return None
    return Clue("longest", 1 if short_is_a else 0, {"n": len(long) - len(short)})


def _tidied(a: Reading, b: Reading, _: Overlap) -> Clue | None:
    """The one with the less careful typography: editors tidy what they publish again."""
    total, kinds = tidied_kinds(a, b)
    return Clue("tidied", 0 if total > 0 else 1, {"kinds": kinds}) if total else None


def tidied_kinds(a: Reading, b: Reading) -> tuple[int, list[str]]:
    """Return for how many more kinds of marks the second text is the careful one; what differs."""
    total, kinds = 0, []
    for kind, patterns in _TYPOGRAPHY.items():
        shares = []
        for reading in (a, b):
            good, bad = (len(marks.findall(reading.document.text)) for marks in patterns)
            shares.append(good / (good + bad) if good + bad else -1.0)
        if min(shares) >= 0 and abs(shares[0] - shares[1]) > _SAME_SHARE:
            total += 1 if shares[1] > shares[0] else -1
            kinds.append(kind)
    return total, kinds


def _joins(a: Reading, b: Reading, overlap: Overlap) -> Clue | None:
    """The one whose other parts use the words of what both share, where that is a passage."""
    sides = _sides(a, b, overlap)
    if any(not shared.any() or shared.mean() > MINORITY for _, shared in sides):
        return None
    inside = np.unique(np.concatenate([own_terms(*side) for side in sides]))
    of_a, of_b = (
        np.intersect1d(inside, own_terms(reading, ~shared), assume_unique=True)
        for reading, shared in sides
    )
    alone_a, alone_b = len(np.setdiff1d(of_a, of_b)), len(np.setdiff1d(of_b, of_a))
    # the longer of two texts meets more words by chance
    rate_a, rate_b = alone_a / int((~sides[0][1]).sum()), alone_b / int((~sides[1][1]).sum())
    if max(alone_a, alone_b) < FEWEST or max(rate_a, rate_b) < AHEAD * min(rate_a, rate_b):
        return None
    return Clue("joins", 0 if rate_a > rate_b else 1, {"n": max(alone_a, alone_b)})


def own_terms(reading: Reading, chosen: Bools) -> np.ndarray:
    """Return the distinct words among the chosen ones: of Chinese, pairs of characters."""
    if reading.k != RUN["characters"] or len(reading) < 2:
        return np.unique(reading.word[chosen])
    return np.unique(grams_of(reading.word, 2)[chosen[:-1] & chosen[1:]])


def _fits(a: Reading, b: Reading, overlap: Overlap) -> Clue | None:
    """The one whose own words return in the text, where words were replaced one for one.

    A word put in another's place seldom returns. Editors who add, cut or tidy make a text more
    consistent instead, so of such pairs this says nothing.
    """
    alike = abs(len(a) - len(b)) <= REPLACED * max(len(a), len(b))
    differing = [reading.word[~shared] for reading, shared in _sides(a, b, overlap)]
    few = min(map(len, differing)) < max(FEWEST, DIFFERING * max(len(a), len(b)))
    if not alike or few or _tidied(a, b, overlap) is not None:
        return None
    rates, counts = [], []
    for words, (reading, shared) in zip(differing, _sides(a, b, overlap), strict=True):
        distinct = np.unique(words)
        rates.append(float(np.isin(distinct, reading.word[shared]).mean()))
        counts.append(len(distinct))
    pooled = float(np.dot(rates, counts)) / sum(counts)
    error = math.sqrt(pooled * (1 - pooled) * sum(1 / count for count in counts))
    if abs(rates[0] - rates[1]) <= ERRORS * error:
        return None
    return _lower("fits", -rates[0], -rates[1], share=max(rates))


def _sides(a: Reading, b: Reading, overlap: Overlap) -> tuple[tuple[Reading, Bools], ...]:
    return (a, overlap.shared_a), (b, overlap.shared_b)


def _grew(a: Reading, b: Reading, overlap: Overlap) -> Clue | None:
    """The one with fewer words of its own inside the sentences that both have."""
    inside = [own_in_sentences(*side)[0] for side in _sides(a, b, overlap)]
    return _lower("grew", *inside, n=abs(inside[0] - inside[1]))


def own_in_sentences(reading: Reading, shared: Bools) -> tuple[int, int, float]:
    """Return words of its own in sentences that both have, in others, and the former's length.

    The length is the mean, 0 where these sentences have too few words to tell.
    """
    lengths, common = np.diff(reading.sentence), per_sentence(reading, shared)
    both = (2 * common >= lengths) & (lengths > 0)
    unshared = lengths - common
    mean = float(lengths[both].mean()) if lengths[both].sum() >= SHORT else 0.0
    return int(unshared[both].sum()), int(unshared[~both].sum()), mean
