"""The same statements in other words in a batch: which pairs are compared, what chance gives."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple, Self, TypeVar

import numpy as np

from .. import limits
from ..errors import Unreadable
from ..limits import Tail
from ..machine.memory import split_by_size
from ..machine.workers import WorkerPool
from ..model import (
    F32,
    F64,
    I16,
    I32,
    I64,
    PASSAGE_KINDS,
    U8,
    Bools,
    Document,
    KeptVectors,
    Pairs,
    Passages,
    Progress,
)
from ..policy import (
    FEW_PAIRS,
    MEANING_COVERED,
    MEANING_DECADE,
    MEANING_KEPT,
    MEANING_LIKELY,
    MEANING_ONE_TASK,
    MEANING_PAIRS,
    MEANING_SAMPLED,
    MEANING_SCORE,
    MEANING_UNRELATED,
    MEANING_UNRELATED_MOST,
    SAMPLED_PAIRS,
)
from ..result import Guarantee, Meanings
from .align import (
    FEWEST,
    SEED,
    Free,
    Passage,
    Sample,
    Vectors,
    align_pairs,
    hubs_of,
    samples_of,
    summary_lead,
)
from .likely import likely_pairs
from .units import Units, units_of
from .vectors import UNIVERSAL, Encoder

STAGE = "meaning"
#: percent of the stage at which its parts begin and end
READING, LEARNING, CHOOSING, ALIGNING = (0, 65), (65, 70), (70, 80), (80, 100)
TASK_SECONDS = 300.0  # for one task
#: vectors made in one task, and without a worker; a sentence of words that no vocabulary holds
#: costs twenty times as much as another, and a task of such may not reach `TASK_SECONDS`
TASK_UNITS, INLINE_UNITS = 2_000, 1_000
#: vectors that take one worker as long as another one needs for the rows of common word pieces
SHARED_UNITS = 3_000
TASK_PRODUCTS, INLINE_PRODUCTS = 60e6, 60e6  # of vectors of a task that measures hubs: .6 s
TASK_CELLS, INLINE_CELLS = 20e6, 20e6  # of pairs aligned in one task: about a second

_SUMMARY = PASSAGE_KINDS.index("summary")

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Apart = Callable[[I64, I64], Bools]


class Found(NamedTuple):
    """One pair with passages: document rows, left < right."""

    left: int
    right: int
    passages: list[Passage]


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """What words have found already: the pairs of a table, and their passages by its rows."""

    pairs: Pairs
    passages: Passages


@dataclass(frozen=True, slots=True, eq=False)
class NearReferences:
    """Texts of a library whose sentences are near to those of new texts.

    Attributes
    ----------
    pairs : int64 (m, 2)
        Row of a new text and key of the other; once the other is a document of the check, its row.
    texts : int
        Texts of the library that the new ones were compared with.
    waiting : int
        Texts of it that have no vectors yet.
    read : dict
        Vectors of the new texts, by their sentences.
    """

    pairs: I64
    texts: int
    waiting: int
    read: Mapping[tuple[str, ...], I16]

    @property
    def others(self) -> I64:
        """The second of each pair, once each, ascending."""
        return np.unique(self.pairs[:, 1])

    def renamed(self, numbers: Mapping[int, int]) -> NearReferences:
        """Return the same with other numbers of the second texts, without those that have none."""
        rows = [(row, numbers[key]) for row, key in self.pairs.tolist() if key in numbers]
        return replace(self, pairs=np.array(rows, np.int64).reshape(-1, 2))

    @classmethod
    def joined(cls, parts: Sequence[NearReferences | None], sizes: Sequence[int]) -> Self | None:
        """Return those of several libraries as if it were one; None where none was looked at.

        `sizes` are how many references each library gives: the rows of the second follow.
        """
        firsts = np.concatenate([[0], np.cumsum(sizes)])
        held = [(one, first) for one, first in zip(parts, firsts, strict=False) if one is not None]
        if not held:
            return None
        return cls(
            np.concatenate([one.pairs + np.array([0, first]) for one, first in held]),
            sum(one.texts for one, _ in held),
            sum(one.waiting for one, _ in held),
            {units: rows for one, _ in held for units, rows in one.read.items()},
        )

    def narrowed(self, apart: Apart, first_reference: int) -> Apart:
        """Return what marks all other pairs with references too."""
        wide = max(int(self.pairs.max(initial=0)) + 1, first_reference)
        near = self.pairs @ [wide, 1]

        def outside(left: I64, right: I64) -> Bools:
            """Mark the pairs that are not compared."""
            far = (right >= first_reference) & ~np.isin(left * wide + right, near)
            far |= right >= max(wide, first_reference)
            return np.asarray(apart(left, right) | far)

        return outside


def meanings_of(
    documents: Sequence[Document],
    shared: Shared,
    *,
    first_reference: int,
    apart: Apart,
    pool: WorkerPool,
    step: Progress,
    near: NearReferences | None = None,
    kept: KeptVectors | None = None,
    encoder: Encoder = UNIVERSAL,
) -> Meanings:
    """Return the passages of a batch that say the same in other words.

    Parameters
    ----------
    documents
        What counts of each text.
    shared
        Passages that count are looked at no more, in the pairs that share them.
    first_reference
        Row from which texts are not compared with each other.
    apart
        Marks the pairs that are not compared.
    near
        Of a library: of the references only these are compared, each with its new texts.
    kept
        Vectors of an earlier check, which are not made again; those of this one take their place.
    encoder
        Makes the vectors of sentences.

    Raises
    ------
    BadInput
        What the encoder raises.

    Notes
    -----
    Up to `MEANING_PAIRS` pairs are all aligned; above, of each new text those with the
    `MEANING_LIKELY` texts that are likeliest by their strongest sentences, and a random sample that
    says what chance gives. The result is the same whatever the number of workers. Texts of a
    library that are not near are weaker than those that are: the chance of a finding is that among
    the pairs at hand.
    """
    units = [units_of(document.text) for document in documents]
    belonging = len(units) if near is None else first_reference  # a library keeps its own
    kept = kept or KeptVectors()
    forget_other_vectors(kept, units[:belonging])
    able = np.flatnonzero(np.array([len(one) for one in units], np.int64) >= FEWEST)
    beyond = 0  # pairs with texts of a library that are not at hand
    if near is not None:
        apart = near.narrowed(apart, first_reference)
        beyond = near.texts * int((able < first_reference).sum()) - len(near.pairs)
        able = able[(able < first_reference) | np.isin(able, near.others)]
    possible = sum(len(rights) for _, rights in _pairs(able, first_reference, apart))
    free = _free(units, shared)
    looked_at = _some(able, first_reference, apart, free) if possible else False
    if not looked_at:
        none = np.zeros(0, np.float32)
        return as_result([], [], tail_of(none, 0), none, 0, possible + beyond)
    batch = _Batch(units, able, pool, step)
    read = {**find_kept_vectors(kept, units, encoder), **(near.read if near else {})}
    rows = batch.embedded(encoder, read)
    keep_vectors(kept, units[:belonging], rows[:belonging], encoder)
    vectors = batch.with_hubs(rows)
    pairs, sampled = _choose_pairs(rows, able, first_reference, apart, possible, batch)
    by_pair, best, closest = batch.aligned(vectors, pairs, sampled, free)
    unrelated = sampled & ~np.isin(pairs @ [len(units), 1], [a * len(units) + b for a, b in free])
    unrelated &= best < MEANING_SCORE
    tail = tail_of(best[unrelated], possible)
    one_task = near is None and says_one_thing(best[unrelated])
    made = as_result(
        [] if one_task else by_pair, units, tail, closest[unrelated], len(pairs), possible + beyond
    )
    summarised, lead = _summaries(units, rows, shared)
    return replace(made, summarised=summarised, summary_lead=lead, one_task=one_task)


def vectors_of(
    units: Sequence[Units],
    encoder: Encoder,
    *,
    pool: WorkerPool,
    step: Progress,
    read: Mapping[tuple[str, ...], I16] = MappingProxyType({}),
) -> list[I16]:
    """Return the vectors of each text, none of texts with fewer than `FEWEST` units.

    `read` are vectors that were made before, by the sentences of a text.
    """
    able = np.flatnonzero(np.array([len(one) for one in units], np.int64) >= FEWEST)
    if not len(able):
        return [np.zeros((0, 1), np.int16)] * len(units)
    return _Batch(units, able, pool, step).embedded(encoder, read)


def find_kept_vectors(
    kept: KeptVectors, units: Sequence[Units], encoder: Encoder
) -> dict[tuple[str, ...], I16]:
    """Return the vectors of those texts of which an earlier check kept them, by their sentences."""
    if kept.recipe != encoder.recipe or not kept.rows:
        return {}
    width, found = encoder.embed([]).shape[1], {}
    for one in units:
        rows = kept.rows.get(_digest_sentences(one))
        if rows is not None and rows.shape == (len(one), width):
            found[one.sentences] = rows
    return found


def forget_other_vectors(kept: KeptVectors, units: Sequence[Units]) -> None:
    """Forget the vectors of texts that are not among those of a check."""
    present = set(map(_digest_sentences, units)) if kept.rows else set()
    kept.rows = {digest: rows for digest, rows in kept.rows.items() if digest in present}


def keep_vectors(
    kept: KeptVectors, units: Sequence[Units], rows: Sequence[I16], encoder: Encoder
) -> None:
    """Put the vectors of the first texts of a check in place of those that were kept.

    Of as many as have no more than `MEANING_KEPT` sentences.
    """
    ends = np.cumsum([len(one) for one in rows])
    texts = int(np.searchsorted(ends, MEANING_KEPT, side="right"))
    held = zip(units[:texts], rows[:texts], strict=True)
    kept.rows = {_digest_sentences(one): of_text for one, of_text in held if len(of_text)}
    kept.recipe = encoder.recipe


def _digest_sentences(units: Units) -> str:
    joined = "\n".join(units.sentences).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(joined, digest_size=16).hexdigest()


def meaning_facts(
    meanings: Meanings | None, near: NearReferences | None, *, encoder: Encoder = UNIVERSAL
) -> tuple[Guarantee, ...]:
    """Say which pairs were looked at, and by what; `near` are texts of a library."""
    if meanings is None:
        return ()
    if not meanings.possible:
        return (Guarantee("meaning_no_pairs"), *_waiting(near))
    likely = meanings.compared < meanings.possible
    counts = {"n": meanings.compared, "of": meanings.possible}
    return (
        Guarantee("meaning_likely" if likely else "meaning_all", counts),
        *([Guarantee("meaning_one_task")] if meanings.one_task else []),
        *_of_library(near),
        Guarantee("meaning_by", {"name": encoder.name, "recipe": encoder.recipe}),
        Guarantee("meaning_limits"),
    )


def _of_library(near: NearReferences | None) -> tuple[Guarantee, ...]:
    """Say what of a library was compared, and what waits."""
    if near is None:
        return ()
    return (Guarantee("meaning_library", {"n": near.texts}), *_waiting(near))


def _waiting(near: NearReferences | None) -> tuple[Guarantee, ...]:
    """Say how many texts of a library have no vectors yet."""
    if near is None or not near.waiting:
        return ()
    return (Guarantee("meaning_library_waiting", {"n": near.waiting}),)


# --------------------------------------------------------------------------- which pairs


def _pairs(able: I64, first_reference: int, apart: Apart) -> Iterator[tuple[int, I64]]:
    """Yield each row with the later ones that it may be compared with, int64 (r,)."""
    for left in able[able < first_reference].tolist():
        rights = able[able > left]
        yield left, rights[~apart(np.full(len(rights), left, np.int64), rights)]


def _some(able: I64, first_reference: int, apart: Apart, free: dict[tuple[int, int], Free]) -> bool:
    """Return whether any two texts have enough units that words have not found already."""
    for left, rights in _pairs(able, first_reference, apart):
        for right in rights.tolist():
            if (left, right) not in free:
                return True
            if min(side.sum() for side in free[left, right]) >= FEWEST:
                return True
    return False


def _choose_pairs(
    rows: Sequence[I16], able: I64, first_reference: int, apart: Apart, possible: int, batch: _Batch
) -> tuple[I64, Bools]:
    """Return the pairs to align, int64 (m, 2), sorted, and which are a random sample of all."""
    if possible <= MEANING_PAIRS:
        parts = [
            np.stack([np.full(len(rights), left), rights], axis=1)
            for left, rights in _pairs(able, first_reference, apart)
        ]
        pairs = np.concatenate(parts).astype(np.int64)
        return pairs, np.ones(len(pairs), np.bool_)
    queries = able[able < first_reference]
    likely = likely_pairs(rows, queries, apart, most=MEANING_LIKELY, mapped=batch.chosen)
    drawn = _draw_pairs(able, first_reference, apart)
    wide = len(rows)
    keys, of_sample = np.union1d(likely @ [wide, 1], drawn @ [wide, 1]), drawn @ [wide, 1]
    return np.stack([keys // wide, keys % wide], axis=1), np.isin(keys, of_sample)


def _draw_pairs(able: I64, first_reference: int, apart: Apart) -> I64:
    """Return random pairs that may be compared, int64 (s, 2), left < right."""
    rng = np.random.default_rng(SEED)
    queries = able[able < first_reference]
    a, b = (rng.choice(rows, 4 * SAMPLED_PAIRS) for rows in (queries, able))
    pairs = np.sort(np.stack([a, b], axis=1)[a != b], axis=1)
    pairs = pairs[~apart(pairs[:, 0], pairs[:, 1])]
    _, first = np.unique(pairs, axis=0, return_index=True)
    return np.asarray(pairs[np.sort(first)[:SAMPLED_PAIRS]])


def _free(units: Sequence[Units], shared: Shared) -> dict[tuple[int, int], Free]:
    """Return for each pair with counted passages which units of both texts lie outside them."""
    solid = np.flatnonzero(~shared.passages.weak)
    pair = shared.passages.pair[solid]
    starts = np.flatnonzero(np.diff(pair, prepend=-1))
    free = {}
    for low, high in pairwise([*starts.tolist(), len(pair)]):
        row, held = int(pair[low]), solid[low:high]
        ends = int(shared.pairs.left[row]), int(shared.pairs.right[row])
        of = shared.passages
        free[ends] = (
            ~covered(_places(units[ends[0]]), (of.a_start[held], of.a_end[held])),
            ~covered(_places(units[ends[1]]), (of.b_start[held], of.b_end[held])),
        )
    return free


def covered(places: tuple[I32, I32], ranges: tuple[I32, I32]) -> Bools:
    """Return which places lie in some ranges by `MEANING_COVERED` of their characters, bool (n,).

    Both are starts and ends, half-open.
    """
    order = np.argsort(ranges[0], kind="stable")
    low, high = (side[order].astype(np.int64) for side in ranges)
    if not len(low):
        return np.zeros(len(places[0]), np.bool_)
    high = np.maximum.accumulate(high)
    low = np.maximum(low, np.concatenate([low[:1], high[:-1]]))  # what lies in two counts once
    before = np.concatenate([[0], np.cumsum(np.maximum(high - low, 0))])

    def inside(place: I32) -> I64:
        at = np.searchsorted(low, place, side="right") - 1
        return np.where(at < 0, 0, before[at] + np.clip(high[at], low[at], place) - low[at])

    start, end = places
    return np.asarray(inside(end) - inside(start) >= MEANING_COVERED * (end - start))


def _summaries(units: Sequence[Units], rows: Sequence[I16], shared: Shared) -> tuple[I64, F32]:
    """Return the pairs whose counted passages are all summaries, and the best lead of each.

    int64 (s, 2), left < right, and float32 (s,), nan where it is not known (`summary_lead`).
    """
    passages = shared.passages
    counted, summary = ~passages.weak, passages.kind == _SUMMARY
    other = np.unique(passages.pair[counted & ~summary])
    alone = np.flatnonzero(counted & summary & ~np.isin(passages.pair, other))
    leads: dict[tuple[int, int], float] = {}
    for row in alone.tolist():
        pair = int(passages.pair[row])
        ends = int(shared.pairs.left[pair]), int(shared.pairs.right[pair])
        lead = _lead_of([units[end] for end in ends], [rows[end] for end in ends], passages, row)
        leads[ends] = float(np.fmax(leads.get(ends, np.nan), lead))
    pairs = np.array(list(leads), np.int64).reshape(-1, 2)
    return pairs, np.array(list(leads.values()), np.float32)


def _lead_of(units: Sequence[Units], rows: Sequence[I16], passages: Passages, row: int) -> float:
    """Return the lead of one summary; the shorter of its two stretches is the summary."""
    low = [int(passages.a_start[row]), int(passages.b_start[row])]
    high = [int(passages.a_end[row]), int(passages.b_end[row])]
    if min(map(len, rows)) < FEWEST:  # no vectors were made
        return float("nan")
    inside = [
        covered(_places(of_text), (np.array([start], np.int32), np.array([end], np.int32)))
        for of_text, start, end in zip(units, low, high, strict=True)
    ]
    short = int(high[1] - low[1] < high[0] - low[0])
    return summary_lead(rows[short], inside[short], rows[1 - short][inside[1 - short]])


def _places(units: Units) -> tuple[I32, I32]:
    return units.start, units.end


# --------------------------------------------------------------------------- in workers


class _Batch:
    """The texts of one check that have units enough, and the work on them."""

    def __init__(self, units: Sequence[Units], able: I64, pool: WorkerPool, step: Progress) -> None:
        self.units, self.able, self.pool, self.step = units, able.tolist(), pool, step

    def embedded(self, encoder: Encoder, read: Mapping[tuple[str, ...], I16]) -> list[I16]:
        """Return the vectors of each text; none of texts that have too few units.

        `read` are vectors that were made before, by the sentences of a text.
        """
        wanted = [self.units[row].sentences for row in self.able]
        fresh = dict.fromkeys(one for text in wanted if text not in read for one in text)
        sentences, number = list(fresh), {one: at for at, one in enumerate(fresh)}
        # another worker makes rows of word pieces too: that must be less than what it takes over
        most = TASK_UNITS if len(fresh) > SHARED_UNITS else len(fresh) + 1
        bounds = split_by_size(np.ones(len(fresh), np.int64), most)
        tasks = [(encoder, sentences[low:high]) for low, high in bounds]
        made = self.mapped(_embed_task, tasks, READING, inline=len(fresh) <= INLINE_UNITS)
        every = np.concatenate(made) if made else np.zeros((0, 1), np.int16)
        vectors = {
            text: every[[number[one] for one in text]] for text in wanted if text not in read
        }
        vectors.update(read)
        width = vectors[wanted[0]].shape[1]
        rows = [np.zeros((0, width), np.int16)] * len(self.units)
        for row, sentences in zip(self.able, wanted, strict=True):
            rows[row] = vectors[sentences]
        return rows

    def with_hubs(self, rows: Sequence[I16]) -> list[Vectors]:
        """Return the texts with how near their units are to other texts."""
        scripts = [one.script[: len(held)] for one, held in zip(self.units, rows, strict=True)]
        samples = samples_of(rows, scripts)
        hubs = [np.zeros(len(one), np.float64) for one in rows]
        if samples:
            sizes = np.array([len(rows[row]) for row in self.able], np.int64)
            cost = sizes * max(len(one.text) for one in samples.values())
            tasks: list[HubTask] = []
            for low, high in split_by_size(cost, TASK_PRODUCTS):
                part = self.able[low:high]
                held = np.concatenate([rows[row] for row in part])
                script = np.concatenate([scripts[row] for row in part])
                tasks.append((np.repeat(part, sizes[low:high]), held, script, samples))
            made = self.mapped(_hub_task, tasks, LEARNING, inline=cost.sum() <= INLINE_PRODUCTS)
            of_texts = np.split(np.concatenate(made), np.cumsum(sizes)[:-1])
            for row, hub in zip(self.able, of_texts, strict=True):
                hubs[row] = hub
        return [Vectors(*one) for one in zip(rows, scripts, hubs, strict=True)]

    def aligned(
        self,
        vectors: Sequence[Vectors],
        pairs: I64,
        sampled: Bools,
        free: dict[tuple[int, int], Free],
    ) -> tuple[list[Found], F32, F32]:
        """Return the passages of pairs, and of each its best score and its greatest cosine.

        The best score of those that are not `sampled` may be less than it is, and not listed.
        """
        size = np.array([len(one) for one in vectors], np.int64)
        cost = size[pairs[:, 0]] * size[pairs[:, 1]]
        bounds = list(split_by_size(cost, TASK_CELLS))
        tasks = [
            _align_task_of(vectors, pairs[low:high], sampled[low:high], free)
            for low, high in bounds
        ]
        made = self.mapped(_align_task, tasks, ALIGNING, inline=cost.sum() <= INLINE_CELLS)
        by_pair, numbers = [], np.zeros((2, len(pairs)), np.float32)
        for (low, high), (passages, of_pairs) in zip(bounds, made, strict=True):
            numbers[:, low:high] = of_pairs
            for row, of_pair in passages:
                left, right = pairs[low + row].tolist()
                by_pair.append(Found(left, right, of_pair))
        return by_pair, numbers[0], numbers[1]

    def chosen(self, function: Callable[[Item], Answer], tasks: Sequence[Item]) -> list[Answer]:
        """Return what a function that looks for likely pairs says of each task."""
        return self.mapped(function, tasks, CHOOSING, inline=False)

    def mapped(
        self,
        function: Callable[[Item], Answer],
        tasks: Sequence[Item],
        percent: tuple[int, int],
        *,
        inline: bool,
    ) -> list[Answer]:
        """Return what a function says of each task, by workers where there is enough to do."""
        answers: Iterable[Answer | Unreadable] = (
            map(function, tasks) if inline else self.pool.map(function, tasks, seconds=TASK_SECONDS)
        )
        low, high = percent
        self.step(STAGE, low, 100)
        made = []
        for done, answer in enumerate(answers, 1):
            if isinstance(answer, Unreadable):
                raise answer
            made.append(answer)
            self.step(STAGE, low + (high - low) * done // len(tasks), 100)
        return made


def _embed_task(task: tuple[Encoder, list[str]]) -> I16:
    """Return the vectors of some sentences; runs in a worker."""
    encoder, sentences = task
    return encoder.embed(sentences)


def _hub_task(task: HubTask) -> F64:
    """Measure the hubs of the units of some texts; runs in a worker."""
    return hubs_of(*task)


#: whose some units are, their vectors and scripts, units of the batch
HubTask = tuple[I64, I16, U8, dict[int, Sample]]
#: some texts, pairs of them, which are sampled, units that words have not found by row of pairs
AlignTask = tuple[list[Vectors], I64, Bools, dict[int, Free]]


def _align_task_of(
    vectors: Sequence[Vectors], pairs: I64, sampled: Bools, free: dict[tuple[int, int], Free]
) -> AlignTask:
    """Return the texts of some pairs, each once, and what of them is free."""
    held, number = np.unique(pairs, return_inverse=True)
    ends = {row: (left, right) for row, (left, right) in enumerate(pairs.tolist())}
    known = {row: free[both] for row, both in ends.items() if both in free}
    return [vectors[row] for row in held.tolist()], number.reshape(pairs.shape), sampled, known


def _align_task(task: AlignTask) -> tuple[list[tuple[int, list[Passage]]], F32]:
    """Align the pairs of one task; runs in a worker."""
    return align_pairs(*task)


# --------------------------------------------------------------------------- as columns of a result


def as_result(
    by_pair: Sequence[Found],
    units: Sequence[Units],
    tail: Tail | None,
    closest: F32,
    compared: int,
    possible: int,
) -> Meanings:
    """Return passages as columns, sorted by pair and place.

    Parameters
    ----------
    closest
        Greatest cosine of each unrelated pair that says what chance gives.
    """
    rows, answers, held = [], [], []
    for left, right, passages in by_pair:
        a, b = units[left], units[right]
        for one in sorted(passages, key=lambda passage: passage.rect):
            held.append(one)
            a0, a1, b0, b1 = one.rect
            rows.append((left, right, a.start[a0], a.end[a1 - 1], b.start[b0], b.end[b1 - 1]))
            i, j = one.answers.units.T
            answers.append(np.stack([a.start[i], a.end[i], b.start[j], b.end[j]], axis=1))
    columns = np.array(rows, np.int64).reshape(-1, 6).T
    score = np.array([one.score for one in held], np.float32)
    none = np.zeros(0, np.float32)
    a_start, a_end, b_start, b_end = (column.astype(np.int32) for column in columns[2:])
    return Meanings(
        left=columns[0].copy(),
        right=columns[1].copy(),
        a_start=a_start,
        a_end=a_end,
        b_start=b_start,
        b_end=b_end,
        score=score,
        chance=limits.chance_of(score, tail),
        by_words=np.zeros(len(held), np.bool_),
        compared=compared,
        possible=possible,
        first=np.cumsum([0, *(len(one) for one in answers)]).astype(np.int64),
        answers=np.concatenate([np.zeros((0, 4), np.int32), *answers]),
        closeness=np.concatenate([none, *(one.answers.closeness for one in held)]),
        next_best=np.concatenate([none, *(one.answers.next_best for one in held)]),
        unrelated=unrelated_of(closest),
    )


def says_one_thing(best: F32) -> bool:
    """Whether unrelated texts answer one question: too many of them say somewhat the same.

    `best` is of pairs without a listed finding. Never where fewer than `FEW_PAIRS` were seen.
    """
    enough = len(best) >= FEW_PAIRS
    return enough and float((best >= MEANING_SAMPLED).mean()) >= MEANING_ONE_TASK


def tail_of(best: F32, pairs: int) -> Tail | None:
    """Return how strong the findings of unrelated pairs are, None for too few of them.

    `best` is of pairs without a listed finding: what is listed is what is looked for. Where many
    unrelated pairs are listed, those below them are strong as well, and the number says so.
    """
    return limits.tail_of(best, np.zeros_like(best), pairs=pairs, per_decade=MEANING_DECADE)


def unrelated_of(closest: F32) -> F32:
    """Return how near the nearest sentences of unrelated pairs are, sorted; none of too few."""
    if len(closest) < MEANING_UNRELATED:
        return np.zeros(0, np.float32)
    rng = np.random.default_rng(SEED)
    return np.sort(rng.permutation(closest)[:MEANING_UNRELATED_MOST])
