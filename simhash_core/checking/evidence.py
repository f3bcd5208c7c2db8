"""From close pairs to shared passages: where text and passages meet."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..memory import Scratch
from ..model import (
    F32,
    I32,
    I64,
    Bools,
    Document,
    DocumentFrequencies,
    Pairs,
    Passages,
    Progress,
    Stretches,
)
from ..passages import coverage
from ..passages.align import align_whole
from ..passages.candidates import Candidates, candidates
from ..passages.coverage import PairNumbers
from ..passages.frequencies import document_frequencies
from ..passages.pairwise import FEWEST_TOKENS
from ..passages.tokenized import TokenizedText
from ..passages.winnow import containment_of_pairs
from ..policy import BATCH_FROM, CANDIDATE_SHARE
from ..result import Guarantee, PairTable
from ..settings import Settings
from ..simhash.groups import expand
from ..simhash.neighbours import Neighbours, between
from ..text.lengths import length_of
from ..workers import WorkerPool
from .aligning import Measured, distinct
from .earlier import Earlier, align_new
from .fingerprinting import FingerprintedBatch
from .meanings import word_facts
from .tokenizing import TokenizedBatch, winnow_texts

if TYPE_CHECKING:
    from .retrieved import Retrieved

#: contained(left, right): `containment_of_pairs` of some rows
Contained = Callable[[I64, I64], F32]

MOST_EQUAL_PAIRS = 200_000  # of equal texts; more are linked to the first of each group alone


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What the passage engine adds to the pairs of a batch."""

    table: PairTable
    passages: Passages  # `pair` = row of `table`
    parts: I32  # (n, 3) units of each text that others share, by `coverage.PARTS`
    counted: I64  # (n,) units of each text that count
    guarantees: tuple[Guarantee, ...]
    frequencies: DocumentFrequencies | None


def match(
    documents: Sequence[Document],
    batch: TokenizedBatch,
    fingerprinted: FingerprintedBatch,
    near: Neighbours,
    *,
    first_reference: int,
    apart: Callable[[I64, I64], Bools],
    earlier: Earlier | None,
    retrieved: Retrieved | None = None,
    scratch: Scratch | None = None,
    settings: Settings,
    pool: WorkerPool,
    step: Progress,
) -> Evidence:
    """Check close pairs by their text, and find every pair that shares passages.

    Rows from `first_reference` on are references: pairs between two of them are left out, and so
    are those that `apart(left, right)` marks. What `earlier` knows is not aligned again. Where the
    references were `retrieved` from an archive, its pairs and frequencies are used.

    Notes
    -----
    The table holds pairs inside the wide Hamming net, and pairs that share winnowed hashes or
    rare words in one place. The second are aligned; of them those without a passage stay only
    where they are inside the net too. Weak passages are noted for pairs inside the net and for
    pairs with others; Compare finds those of the rest.
    """
    if not (settings.passages or settings.text_check):
        return without_text(documents, near)
    tokenized, winnowed = batch.texts, batch.winnowed
    if not settings.passages:
        return by_text_check(
            documents,
            near,
            lambda left, right: _contained(documents, left, right, settings, pool, scratch),
            settings.wide_net,
        )
    equal = equal_pairs(documents, tokenized, first_reference)
    chosen = _candidates(batch, retrieved, first_reference, settings, step)
    equal = equal[~apart(*equal.T)]
    pairs = united(chosen.pairs, equal, len(tokenized))
    pairs = pairs[~apart(*pairs.T)]
    df = document_frequencies(tokenized) if len(tokenized) >= BATCH_FROM else None
    df = retrieved.frequencies if retrieved else df
    if earlier is not None:
        pairs, df = united(pairs, earlier.listed(), len(tokenized)), earlier.result.frequencies
    aligned, lost = align_new(
        earlier,
        tokenized,
        pairs,
        df,
        listed=inside(pairs, near, settings, len(tokenized)),
        settings=settings,
        pool=pool,
        step=step,
    )
    short = not_aligned(aligned.passages, pairs, equal, len(tokenized))
    aligned = with_whole(aligned, tokenized, pairs, short, n=len(tokenized))
    table, passages = table_of(
        near,
        fingerprinted,
        pairs,
        aligned,
        contained=lambda left, right: containment_of_pairs(winnowed, left, right),
        wide_net=settings.wide_net,
    )
    parts = coverage.parts_of_texts(tokenized, pairs, aligned.stretches)
    counted = np.array([text.counted for text in tokenized], np.int64)
    guarantees = (
        *chosen.guarantees,
        *word_facts(tokenized),
        *([Guarantee("not_aligned", {"n": lost})] if lost else []),
        *([Guarantee("earlier", {"n": earlier.texts})] if earlier else []),
    )
    return Evidence(table, passages, parts, counted, guarantees, df)


def _candidates(
    batch: TokenizedBatch,
    retrieved: Retrieved | None,
    first_reference: int,
    settings: Settings,
    step: Progress,
) -> Candidates:
    """Return the pairs worth aligning; those with an archive are given."""
    texts, hashes = batch.texts, batch.winnowed
    if retrieved is not None:
        texts, hashes = texts[:first_reference], hashes[:first_reference]
        if not retrieved.inside:
            return retrieved.candidates(first_reference, None)
    share = min(CANDIDATE_SHARE, settings.containment)
    chosen = candidates(texts, hashes, queries=first_reference, share=share, step=step)
    return retrieved.candidates(first_reference, chosen) if retrieved else chosen


def equal_pairs(
    documents: Sequence[Document], tokenized: Sequence[TokenizedText], first_reference: int
) -> I64:
    """Return pairs of equal texts, int64 (e, 2), however common their words are.

    Equal are documents of one id, and texts of the same tokens that are long enough to be
    compared. Of too many copies each is paired with the first alone.
    """
    first: dict[bytes, int] = {}
    group = np.arange(len(tokenized))
    for row, (document, one) in enumerate(zip(documents, tokenized, strict=True)):
        if len(one):
            group[row] = first.setdefault(equality(document.id, one), row)
    return pairs_of_equal(group, first_reference)


def equality(name: str, text: TokenizedText) -> bytes:
    """Return what equal texts have in common; `name` is the id of the document."""
    if len(text) < FEWEST_TOKENS:
        return name.encode()
    return hashlib.blake2b(text.token.tobytes(), digest_size=16).digest()


def pairs_of_equal(group: I64, first_reference: int) -> I64:
    """Return the pairs of each group of equal texts; `group` is the first row of each."""
    none = np.zeros(0, np.int64)
    pairs, _ = expand(group, Pairs(none, none, none.astype(np.uint16)), limit=MOST_EQUAL_PAIRS)
    reported = pairs.left < first_reference
    return np.stack([pairs.left[reported], pairs.right[reported]], axis=1)


def not_aligned(passages: Passages, pairs: I64, equal: I64, n: int) -> I64:
    """Return the pairs of equal texts without a passage: too short for the alignment."""
    have = np.isin(equal @ [n, 1], pairs[distinct(passages.pair[~passages.weak])] @ [n, 1])
    return np.asarray(equal[~have])


def with_whole(
    aligned: Measured,
    tokenized: Sequence[TokenizedText] | Mapping[int, TokenizedText],
    pairs: I64,
    equal: I64,
    *,
    n: int,
) -> Measured:
    """Add pairs of n equal texts as passages of the whole; the numbers change in place."""
    passages, numbers, stretches = aligned
    whole_passages, whole_stretches = [passages], [stretches]
    for left, right in equal.tolist():
        row = np.searchsorted(pairs @ [n, 1], [left * n + right])
        whole = align_whole(tokenized[left], tokenized[right])
        sides = [tokenized[left], tokenized[right]]
        measured, stretched = coverage.of_pairs(sides, np.array([[0, 1]]), whole)
        numbers.put(row, measured)
        whole_passages.append(whole.of_pairs(row))
        whole_stretches.append(stretched.of_pairs(np.repeat(row, len(stretched))))
    return Measured(Passages.join(whole_passages), numbers, Stretches.join(whole_stretches))


def inside(pairs: I64, near: Neighbours, settings: Settings, n: int) -> Bools:
    """Return which pairs are close by either signature: listed whatever their texts share."""
    widest = max(settings.wide_net, settings.threshold or 0)
    close = np.minimum(near.pairs.distance, near.batch_distance) <= widest
    keys = near.pairs.left[close] * n + near.pairs.right[close]
    return np.isin(pairs @ [n, 1], keys)


def united(pairs: I64, more: I64, n: int) -> I64:
    """Return the distinct pairs of both, int64 (c, 2), sorted."""
    keys = distinct(np.concatenate([pairs, more]) @ [n, 1])
    return np.stack([keys // n, keys % n], axis=1)


def table_of(
    near: Neighbours,
    fingerprinted: FingerprintedBatch,
    pairs: I64,
    aligned: Measured,
    *,
    contained: Contained,
    wide_net: int,
) -> tuple[PairTable, Passages]:
    """Join close pairs and pairs with passages; passages then point into the table."""
    n, every = len(fingerprinted.background), aligned.passages
    counted = distinct(every.pair[~every.weak])
    close, shared = (
        near.pairs.left * n + near.pairs.right,
        pairs[counted, 0] * n + pairs[counted, 1],
    )
    keys = distinct(np.concatenate([close, shared]))
    left, right = keys // n, keys % n
    key = pairs[every.pair, 0] * n + pairs[every.pair, 1]
    in_table = np.isin(key, keys)
    passages = every.take(in_table).of_pairs(np.searchsorted(keys, key[in_table]))
    numbers = PairNumbers.zeros(len(keys))
    numbers.put(np.searchsorted(keys, pairs[counted] @ [n, 1]), aligned.numbers.take(counted))
    distance = between(fingerprinted.background, left, right)
    looked = (distance <= wide_net) | (numbers.passages > 0)
    shares = np.full(len(keys), np.nan, np.float32)
    shares[looked] = contained(left[looked], right[looked])
    table = PairTable(
        Pairs(left, right, distance),
        between(fingerprinted.batch, left, right),
        shares,
        numbers.coverage_a,
        numbers.coverage_b,
        numbers.identical,
        numbers.longest,
        numbers.passages,
        np.zeros(len(keys), np.float32),
        np.full(len(keys), np.nan, np.float32),
        numbers.parts,
    )
    return table, passages


def _contained(
    documents: Sequence[Document],
    left: I64,
    right: I64,
    settings: Settings,
    pool: WorkerPool,
    scratch: Scratch | None,
) -> F32:
    """Return the containment of some pairs; only texts in one of them are winnowed."""
    ends = np.stack([left, right])
    needed, local = np.unique(ends, return_inverse=True)
    texts = [documents[row].text for row in needed.tolist()]
    winnowed = winnow_texts(texts, settings=settings, pool=pool, scratch=scratch)
    return containment_of_pairs(winnowed, *local.reshape(ends.shape))


def by_text_check(
    documents: Sequence[Document], near: Neighbours, contained: Contained, wide_net: int
) -> Evidence:
    """The text check alone: containment of the pairs in the wide net, no alignment."""
    plain = without_text(documents, near)
    return replace(plain, table=table_by_text_check(near, contained, wide_net))


def table_by_text_check(near: Neighbours, contained: Contained, wide_net: int) -> PairTable:
    """Return the close pairs with the containment of those in the wide net."""
    plain = table_without_text(near)
    rows = np.flatnonzero(near.pairs.distance <= wide_net)
    shares = plain.containment.copy()
    shares[rows] = contained(near.pairs.left[rows], near.pairs.right[rows])
    return replace(plain, containment=shares)


def without_text(documents: Sequence[Document], near: Neighbours) -> Evidence:
    """Return what is shown of close pairs of texts that were not compared."""
    counted = np.array([length_of(document.text).n for document in documents], np.int64)
    parts = np.zeros((len(documents), len(coverage.PARTS)), np.int32)
    return Evidence(table_without_text(near), Passages.join([]), parts, counted, (), None)


def table_without_text(near: Neighbours) -> PairTable:
    """Return close pairs that share nothing that is known."""
    m = len(near.pairs)
    share, count = np.zeros(m, np.float32), np.zeros(m, np.int32)
    unknown = np.full(m, np.nan, np.float32)
    columns = (unknown, share, share, share, count, count, share, unknown)
    parts = np.zeros((m, 2, len(coverage.PARTS)), np.int32)
    return PairTable(near.pairs, near.batch_distance, *columns, parts)
