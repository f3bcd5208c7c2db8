"""From close pairs to shared passages: where text and passages meet."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from ..limits import Significance
from ..machine.memory import Stored
from ..model import F32, I32, I64, Bools, Document, DocumentFrequencies, Pairs, Passages, Stretches
from ..passages import coverage
from ..passages.align import FEWEST_TOKENS, align_whole
from ..passages.coverage import PairNumbers
from ..passages.holders import Holders, count_holders
from ..passages.tokenized import TokenizedText
from ..passages.winnow import containment_of_pairs
from ..policy import SHORT_TOKENS
from ..result import TONES, Guarantee, PairTable, VariantGroups
from ..settings import Settings
from ..simhash.neighbours import Neighbours, expand, measure_between
from ..text.lengths import count_units
from .aligning import Measured, sort_distinct, unite_pairs
from .chance import fill_chance
from .fingerprinting import FingerprintedBatch
from .run import Run, Texts
from .scope import Partners
from .tokenizing import winnow_texts, word_facts

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
    tones: I32  # (n, 3) units of each text that others share, by `TONES`
    common: VariantGroups  # passages that three or more texts hold
    near: Neighbours  # without the pairs that only many share
    guarantees: tuple[Guarantee, ...]
    frequencies: DocumentFrequencies | None

    def with_chance(self, texts: Texts, significance: Significance) -> Evidence:
        """Return the evidence with what chance alone would give in its table."""
        table = fill_chance(self.table, self.passages, texts.tokens.texts, significance)
        return replace(self, table=table)

    def only(self, rows: I64) -> Evidence:
        """Return the evidence of some texts: all that the table names."""
        number = np.zeros(len(self.counted), np.int64)
        number[rows] = np.arange(len(rows))
        pairs = self.table.pairs
        renumbered = replace(pairs, left=number[pairs.left], right=number[pairs.right])
        return replace(
            self,
            table=replace(self.table, pairs=renumbered),
            parts=self.parts[rows],
            counted=self.counted[rows],
            tones=self.tones[rows],
            common=self.common.renumbered(rows),
        )


class Stages(Protocol):
    """What an engine does with texts that it alone holds; rows are those of its signatures."""

    def contained(self, left: I64, right: I64) -> F32:
        """Return the containment of the winnowed hashes of some pairs."""

    def equal(self) -> I64:
        """Return the pairs of equal texts, int64 (e, 2)."""

    def candidates(self) -> I64:
        """Return the pairs worth aligning, int64 (c, 2), sorted."""

    def aligned(self, pairs: I64, listed: Bools) -> Measured:
        """Align pairs; of those that are not `listed` weak passages may be left out."""

    def with_whole(self, aligned: Measured, pairs: I64, equal: I64) -> Measured:
        """Add equal texts that are too short for the alignment."""


class Shared(NamedTuple):
    """What texts share: the table of pairs, their passages, and the stretches of aligned pairs."""

    table: PairTable
    passages: Passages  # `pair` = row of `table`
    pairs: I64  # those that were aligned, int64 (m, 2)
    stretches: Stretches  # `pair` = row of `pairs`
    near: Neighbours  # the close pairs that the table holds


def find_shared(
    stages: Stages, signed: FingerprintedBatch, near: Neighbours, settings: Settings
) -> Shared:
    """Check close pairs by their text, and find every pair that shares passages.

    Notes
    -----
    The table holds pairs inside the wide Hamming net, and pairs that share winnowed hashes or
    rare words in one place. The second are aligned; of them those without a passage stay only
    where they are inside the net too. Close pairs that share hashes and were not worth aligning
    have only what many hold: that passage tells of them, no row does unless a threshold was asked
    for. Weak passages are noted for pairs inside the net and with others; Compare finds the rest.
    """
    n = len(signed.background)
    if not settings.passages:
        none = np.zeros((0, 2), np.int64)
        nothing = Measured(Passages.join([]), PairNumbers.zeros(0), Stretches.join([]))
        joined = table_of(
            near, signed, none, nothing, contained=stages.contained, settings=settings
        )
        return Shared(*joined[:2], none, nothing.stretches, near)
    equal = stages.equal()
    pairs = unite_pairs(stages.candidates(), equal, n)
    aligned = stages.aligned(pairs, mark_close(pairs, near, settings, n))
    short = find_unaligned(aligned.passages, pairs, equal, n)
    aligned = stages.with_whole(aligned, pairs, short)
    table, passages, near = table_of(
        near, signed, pairs, aligned, contained=stages.contained, settings=settings
    )
    if settings.threshold is None:  # who asks for a threshold has the distances within it
        shorter = np.minimum(signed.lengths[table.pairs.left], signed.lengths[table.pairs.right])
        table = replace(table, steady=shorter >= SHORT_TOKENS)
    return Shared(table, passages, pairs, aligned.stretches, near)


class LocalStages:
    """The stages on this machine, with what they say of themselves on the way."""

    def __init__(self, texts: Texts, partners: Partners, run: Run) -> None:
        self._texts, self._partners, self._run = texts, partners, run
        self.frequencies = None if not run.settings.passages else partners.frequencies(self._tokens)
        self.facts: tuple[Guarantee, ...] = ()
        self.lost = 0  # pairs that cost more than a worker may spend

    @property
    def _tokens(self) -> Stored[TokenizedText]:
        return self._texts.tokens.texts

    def contained(self, left: I64, right: I64) -> F32:
        """Return the containment of some pairs; without passages only their texts are winnowed."""
        run, ends = self._run, np.stack([left, right])
        if run.settings.passages:
            return containment_of_pairs(self._texts.tokens.winnowed, left, right)
        needed, local = np.unique(ends, return_inverse=True)
        texts = [self._texts.counted[row].text for row in needed.tolist()]
        winnowed = winnow_texts(texts, settings=run.settings, pool=run.pool, scratch=run.scratch)
        return containment_of_pairs(winnowed, *local.reshape(ends.shape))

    def equal(self) -> I64:
        """Return the pairs of equal texts that are compared."""
        return self._compared(equal_pairs(self._texts.counted, self._tokens, self._texts.new))

    def candidates(self) -> I64:
        """Return the pairs worth aligning that are compared."""
        chosen = self._partners.candidates(self._texts, self._run)
        chosen = chosen.only(~self._texts.apart(*chosen.pairs.T))
        self.facts = chosen.guarantees
        return chosen.pairs

    def aligned(self, pairs: I64, listed: Bools) -> Measured:
        """Align pairs in tasks."""
        measured, self.lost = self._partners.align(
            self._tokens, pairs, self.frequencies, listed=listed, run=self._run
        )
        return measured

    def with_whole(self, aligned: Measured, pairs: I64, equal: I64) -> Measured:
        """Add equal texts that are too short for the alignment."""
        return add_whole(aligned, self._tokens, pairs, equal, n=len(self._texts))

    def _compared(self, pairs: I64) -> I64:
        return pairs[~self._texts.apart(*pairs.T)]


def match(
    texts: Texts, signed: FingerprintedBatch, near: Neighbours, partners: Partners, run: Run
) -> Evidence:
    """Find what the texts of a check share, on this machine."""
    stages = LocalStages(texts, partners, run)
    shared = find_shared(stages, signed, near, run.settings)
    if not run.settings.passages:
        counted = np.array([count_units(one.text) for one in texts.counted], np.int64)
        parts = np.zeros((len(texts), len(coverage.PARTS)), np.int32)
        tones, none = np.zeros((len(texts), len(TONES)), np.int32), VariantGroups.none()
        return Evidence(shared.table, shared.passages, parts, counted, tones, none, near, (), None)
    tokenized = texts.tokens.texts
    guarantees = (
        *stages.facts,
        *word_facts(tokenized),
        *([Guarantee("not_aligned", {"n": stages.lost})] if stages.lost else []),
        *partners.facts(),
    )
    held = holders_of(tokenized, shared)
    return Evidence(
        replace(shared.table, tones=held.of_pairs),
        shared.passages,
        coverage.parts_of_texts(tokenized, shared.pairs, shared.stretches),
        np.array([text.counted for text in tokenized], np.int64),
        held.of_texts,
        held.passages,
        shared.near,
        guarantees,
        stages.frequencies,
    )


def holders_of(tokenized: Sequence[TokenizedText], shared: Shared) -> Holders:
    """Count how many texts hold what each pair of the table shares."""
    n, pairs = len(tokenized), shared.table.pairs
    keys = pairs.left * n + pairs.right
    rows = np.searchsorted(keys, shared.pairs @ [n, 1])
    stretches = shared.stretches.of_pairs(rows[shared.stretches.pair])
    return count_holders(tokenized, np.stack([pairs.left, pairs.right], axis=1), stretches)


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


def find_unaligned(passages: Passages, pairs: I64, equal: I64, n: int) -> I64:
    """Return the pairs of equal texts without a passage: too short for the alignment."""
    have = np.isin(equal @ [n, 1], pairs[sort_distinct(passages.pair[~passages.weak])] @ [n, 1])
    return np.asarray(equal[~have])


def add_whole(
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
        measured, stretched = coverage.sum_up_pairs(sides, np.array([[0, 1]]), whole)
        numbers.put(row, measured)
        whole_passages.append(whole.of_pairs(row))
        whole_stretches.append(stretched.of_pairs(np.repeat(row, len(stretched))))
    return Measured(Passages.join(whole_passages), numbers, Stretches.join(whole_stretches))


def mark_close(pairs: I64, near: Neighbours, settings: Settings, n: int) -> Bools:
    """Return which pairs are close by either signature: listed whatever their texts share."""
    close = np.minimum(near.pairs.distance, near.batch_distance) <= settings.widest_net
    keys = near.pairs.left[close] * n + near.pairs.right[close]
    return np.isin(pairs @ [n, 1], keys)


def table_of(
    near: Neighbours,
    fingerprinted: FingerprintedBatch,
    pairs: I64,
    aligned: Measured,
    *,
    contained: Contained,
    settings: Settings,
) -> tuple[PairTable, Passages, Neighbours]:
    """Join close pairs and pairs with passages; passages then point into the table.

    The last are the close pairs that are left: see `find_shared`.
    """
    n, every = len(fingerprinted.background), aligned.passages
    counted = sort_distinct(every.pair[~every.weak])
    close, aligned_keys = near.pairs.left * n + near.pairs.right, pairs @ [n, 1]
    keys = sort_distinct(np.concatenate([close, aligned_keys[counted]]))
    left, right = keys // n, keys % n
    distance = measure_between(fingerprinted.background, left, right)
    batch_distance = measure_between(fingerprinted.batch, left, right)
    shares = np.full(len(keys), np.nan, np.float32)
    has_passage = np.isin(keys, aligned_keys[counted])
    if settings.passages or settings.text_check:
        looked = has_passage | (np.minimum(distance, batch_distance) <= settings.widest_net)
        shares[looked] = contained(left[looked], right[looked])
        has_row = ~(shares >= settings.candidate_share) | np.isin(keys, aligned_keys)
        has_row |= not settings.passages or settings.threshold is not None
        shares[~has_passage & (distance > settings.wide_net)] = np.nan
        keys, left, right, shares = keys[has_row], left[has_row], right[has_row], shares[has_row]
        distance, batch_distance = distance[has_row], batch_distance[has_row]
    key = aligned_keys[every.pair]
    in_table = np.isin(key, keys)
    passages = every.take(in_table).of_pairs(np.searchsorted(keys, key[in_table]))
    numbers = PairNumbers.zeros(len(keys))
    numbers.put(np.searchsorted(keys, aligned_keys[counted]), aligned.numbers.take(counted))
    table = PairTable(
        Pairs(left, right, distance),
        batch_distance,
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
    return table, passages, near.without_counted(~np.isin(close, keys))
