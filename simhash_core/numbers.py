"""Every number of a text: each of its units in one class, and all lengths and shares from those.

**Unit.** A token: one character of Han or kana, one word of any other script. The same unit stands
above and below every fraction line, so a share and the two lengths beside it always divide. White
space and punctuation are no unit.

**Division.** Every unit of a text is in exactly one class, the first that applies:

============= =====================================================================================
`left_out`    in a range that does not count: a template, or what a reader excluded
`moved`       shared, in a passage that stands in another order in the other text
`identical`   shared, in a run that the other text has word for word
`reworded`    shared otherwise: in a reworded passage without its longer gaps
`own`         all others
============= =====================================================================================

    whole   = counted + left_out
    counted = identical + reworded + moved + own
    shared  = identical + reworded + moved
    total   = shared / counted

`counted` is the only denominator. Of a pair, the division of each text is by what the other one
shares: A in B and B in A have different denominators and are never added. Of a text against all
others, a unit is in the class that says most of all pairs that share it: identical, then reworded,
then moved. So a text that one other holds whole is identical though a third one has shuffled it.

Weak passages and summaries count nowhere. Neither do passages of the same meaning: they are apart,
never in a bar or a total, and a unit inside of one stays in the class that it has here.

**After exclusions** a unit keeps its class as far as a passage that is left holds it; all that was
shared otherwise is own text, or left out. What was identical stays so, however short the rest is.

A share is only shown where enough counts: see `has_few_counted`.

How these numbers are written is in `notation`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .model import I32, I64, Bools, Division, Unit
from .policy import CASE_UNITS, COMMON_TEXTS, FEW_COUNTED, FEW_COUNTED_SHARE, LONG_RUN, OWN_DECADE
from .policy import CHANCE_TEXTS as CHANCE_TEXTS  # pages take it from here
from .result import DIVISION, CheckResult, known_chance, preset_of
from .text.lengths import unit_of as unit_of  # pages take it from here

#: classes of what is shared, in the order in which every bar and every sum shows them
SHARED_CLASSES = ("identical", "reworded", "moved")
CLASSES = DIVISION  # (*SHARED_CLASSES, "own", "left_out")


def divide_text(result: CheckResult, row: int) -> Division:
    """Return a text of a check divided by what all the others share of it.

    Parameters
    ----------
    result
        A check, or the `result` of an `ExclusionView`: then after exclusions.
    row
        Of the text.
    """
    return Division.of(result.division[row].tolist(), unit_of(result.documents[row].text))


def divide_pair(result: CheckResult, table_row: int) -> tuple[Division, Division]:
    """Return both texts of a pair, each divided by what the other one shares of it.

    Parameters
    ----------
    result
        As in `divide_text`.
    table_row
        Of `result.table`; the first division is that of its left text. -1 for a pair that is not
        listed is no row: see `divide_rows`.
    """
    pairs = result.table.pairs
    rows = int(pairs.left[table_row]), int(pairs.right[table_row])
    left, right = (
        replace_parts(divide_text(result, row), result.table.parts[table_row, side].tolist())
        for side, row in enumerate(rows)
    )
    return left, right


def divide_rows(result: CheckResult, a: int, b: int) -> tuple[Division, Division]:
    """Return `divide_pair` of two rows of documents in this order; all own where not listed."""
    pairs, low, high = result.table.pairs, min(a, b), max(a, b)
    table_rows = np.flatnonzero((pairs.left == low) & (pairs.right == high))
    if not len(table_rows):
        return replace_parts(divide_text(result, a), (0, 0, 0)), replace_parts(
            divide_text(result, b), (0, 0, 0)
        )
    left, right = divide_pair(result, int(table_rows[0]))
    return (left, right) if a == low else (right, left)


def replace_parts(division: Division, parts: Sequence[int]) -> Division:
    """Return a text with other units shared, given by `SHARED_CLASSES`; the rest is its own."""
    unshared = division.counted - sum(parts)
    return Division.of([*parts, unshared, division.left_out], division.unit)


def divisions(parts: I32, counted: I64, whole: I64) -> I32:
    """Return the units of texts by `CLASSES`, int32 (n, 5).

    Parameters
    ----------
    parts : int32 (n, 3)
        Units by `SHARED_CLASSES`.
    counted, whole : int64 (n,)
    """
    unshared = counted - parts.sum(axis=1)
    return np.column_stack([parts, unshared, whole - counted]).astype(np.int32)


def has_few_counted(division: Division) -> bool:
    """Return whether too little of a text is left to give a share of it (`FEW_COUNTED`).

    Never of a text of which nothing is left out, however short it is. What is left is shown in
    words instead; in a sum, a rank or the data the number stays.
    """
    return bool(_few(division.counted, division.left_out))


def few_rows(result: CheckResult) -> Bools:
    """Return the same of every text of a check, bool (n,)."""
    division = result.division.astype(np.int64)
    return np.asarray(_few(division[:, :-1].sum(axis=1), division[:, -1]))


def _few(counted: I64 | int, left_out: I64 | int) -> Bools | bool:
    least = np.maximum(FEW_COUNTED, FEW_COUNTED_SHARE * (counted + left_out))
    return (left_out > 0) & (counted < least)


def highest_total(result: CheckResult) -> int:
    """Return the row of the text with the highest total overlap, -1 where none has a share.

    Of the texts that were asked about, those of which enough counts.
    """
    totals = np.where(few_rows(result), -1.0, result.total_overlap)[: result.checked]
    return int(np.argmax(totals)) if totals.max(initial=-1.0) >= 0 else -1


def longest_run(result: CheckResult, row: int) -> int:
    """Return the longest stretch of a text that another one has without any change, in its units.

    The one length of this kind that is shown of a text: no change inside, so that a reader finds
    it in both. 0 where all that it shares is reworded.
    """
    table = result.table
    mine = (table.pairs.left == row) | (table.pairs.right == row)
    return int(table.longest[mine].max(initial=0))


def unit_of_all(result: CheckResult) -> Unit:
    """Return what the texts of a check are counted in together: words where each one is."""
    words = all(unit_of(document.text) == "words" for document in result.documents)
    return "words" if words else "characters"


# --------------------------------------------------------------------------- pairs


def count_pairs(new: int, beside: int, *, inside: bool = True, apart: int = 0) -> int:
    """Return how many pairs of texts a check compares: the one number that every place shows.

    Parameters
    ----------
    new
        Texts that are asked about.
    beside
        Texts that each of these is compared with, and that are never compared with each other.
    inside
        Whether new texts are compared with each other too.
    apart
        Pairs by one author among these, which the settings leave out.
    """
    return (new * (new - 1) // 2 if inside else 0) + new * beside - apart


def pairs_compared(result: CheckResult) -> int:
    """Return how many pairs of texts were compared; of a library all its texts that were searched.

    Two texts are compared by their fingerprints, their passages, or both; a short text has no
    fingerprint, so `result.distances.total` can be smaller.
    """
    facts = {fact.code: fact.params for fact in result.guarantees}
    searched, same = facts.get("archive_searched"), facts.get("same_author")
    return count_pairs(
        result.checked,
        int(str(searched["texts"])) if searched else result.references,
        inside="only_against" not in facts,
        apart=int(str(same["n"])) if same else 0,
    )


# --------------------------------------------------------------------------- chance

SOME_PAIRS, MOST_CLASSES = 0.5, 1000  # from which pairs are counted, and up to which classes are


@dataclass(frozen=True, slots=True)
class Likelihood:
    """What chance says about a pair: a sentence `frame.likelihood.<code>` with its numbers.

    `own_often`: as much as only these two hold, about `texts` pairs of such a class hold without
    copying; `own_seldom`: one pair in `texts` such classes does; `own_never`: in a thousand none.
    `long`: its longest run is longer than unrelated texts have; `short`: they sometimes do;
    `common`: `texts` texts have its longest passage; `fingerprint`: no passage, only close prints.
    """

    code: str
    n: int = 0  # longest identical run, or what only these two hold
    unit: Unit = "characters"
    texts: int = 0


def expected_pairs(result: CheckResult, table_row: int) -> float | None:
    """Return `known_chance` of a pair, None where nothing can be said."""
    chance = float(known_chance(result, [table_row])[0])
    return None if np.isnan(chance) else chance


def expected_meanings(result: CheckResult, expected: float) -> float | None:
    """Return the same for a passage of the same meaning, of which that many are expected."""
    few = len(result.documents) < CHANCE_TEXTS
    return None if few or np.isnan(expected) else float(expected)


def likelihood(result: CheckResult, table_row: int) -> Likelihood | None:
    """Return what can be said of a pair; None in a small check.

    A long run is no chance; a pair that is a case is judged by what only its texts hold, another by
    its longest passage.
    """
    if len(result.documents) < CHANCE_TEXTS:
        return None
    table = result.table
    if not table.passages[table_row]:
        return Likelihood("fingerprint")
    left = int(table.pairs.left[table_row])
    texts = _texts_with_longest(result, table_row, left)
    longest, unit = int(table.longest[table_row]), unit_of(result.documents[left].text)
    if texts < COMMON_TEXTS and longest >= LONG_RUN[unit]:
        return Likelihood("long", longest, unit)
    expected, own = expected_owners(result, table_row), int(table.own[table_row])
    if expected is not None and own >= CASE_UNITS[preset_of(result.documents[left])]:
        return _of_owners(expected, own, unit)
    if texts >= COMMON_TEXTS:
        return Likelihood("common", longest, unit, texts)
    return Likelihood("short", longest, unit)


def expected_owners(result: CheckResult, table_row: int) -> float | None:
    """Return how many pairs of the class would hold as much alone if nobody had copied.

    None in a check of fewer than `CHANCE_TEXTS` texts and where holders were not counted.

    Notes
    -----
    The pairs of this class that hold anything alone, ten times fewer for every `OWN_DECADE` words.
    """
    table = result.table
    if len(result.documents) < CHANCE_TEXTS or not len(table.tones):
        return None
    own = int(table.own[table_row])
    if not own:
        return None
    preset = preset_of(result.documents[int(table.pairs.left[table_row])])
    pairs = int(((table.own > 0) & (table.passages > 0)).sum())
    return float(pairs * 10.0 ** (-(own - 1) / OWN_DECADE[preset]))


def _of_owners(expected: float, own: int, unit: Unit) -> Likelihood:
    """Return a number of pairs in words: how many, or one in how many classes."""
    if expected >= SOME_PAIRS:
        return Likelihood("own_often", own, unit, max(round(expected), 1))
    classes = float(f"{1 / expected:.1g}") if expected > 0 else np.inf
    if classes >= MOST_CLASSES:
        return Likelihood("own_never", own, unit)
    return Likelihood("own_seldom", own, unit, int(classes))


def _texts_with_longest(result: CheckResult, table_row: int, left: int) -> int:
    """Return how many texts have most of the longest passage of a pair."""
    passages, groups = result.passages, result.variant_groups
    rows = np.flatnonzero((passages.pair == table_row) & ~passages.weak)
    longest = rows[np.argmax((passages.a_end - passages.a_start)[rows])]
    start, end = int(passages.a_start[longest]), int(passages.a_end[longest])
    inside = np.minimum(groups.end, end) - np.maximum(groups.start, start)
    here = np.flatnonzero((groups.document == left) & (2 * inside >= end - start))
    of_groups = np.searchsorted(groups.first, here, side="right") - 1
    return int(np.diff(groups.first)[of_groups].max(initial=0))
