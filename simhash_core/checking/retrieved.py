"""What a search of an archive has settled before a check: the pairs, and what chance gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..limits import Tail
from ..model import I64, Distances, Document, DocumentFrequencies, Fingerprints
from ..passages.candidates import Candidates
from ..result import Guarantee
from ..simhash.neighbours import Neighbours
from ..simhash.search import distance_counts
from .evidence import Evidence
from .fingerprinting import FingerprintedBatch
from .tokenizing import TokenizedBatch
from .translation_rows import ArchiveTranslations


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Retrieved:
    """The references of a check come from an archive, which was searched for them.

    Attributes
    ----------
    pairs : int64 (m, 2)
        Row of a new text and number of a reference: the pairs to align.
    frequencies : DocumentFrequencies, optional
        Of the archive, in place of those of the batch.
    distances : Distances
        Of all pairs of a new text and a text of the archive.
    complete_up_to : int
        Of those every one within so many bits is among the references.
    tails : dict
        By language, how strong findings between unrelated texts are, for all pairs looked at.
    inside : bool
        Whether the new texts are compared with each other too.
    guarantees : tuple
    translations : ArchiveTranslations, optional
        By row of a new text and number of a reference.
    tokenized : TokenizedBatch, optional
        The new texts, where the search has tokenised them as the check would.
    """

    pairs: I64
    frequencies: DocumentFrequencies | None
    distances: Distances
    complete_up_to: int
    tails: Mapping[str, Tail]
    inside: bool
    guarantees: tuple[Guarantee, ...]
    translations: ArchiveTranslations | None = None
    tokenized: TokenizedBatch | None = None

    def candidates(self, new: int, inside: Candidates | None) -> Candidates:
        """Return the pairs to align: those of the archive, and those among the new texts."""
        across = self.pairs + np.array([0, new])
        if inside is None:
            return Candidates(across, self.guarantees)
        pairs = np.concatenate([inside.pairs, across])
        order = np.lexsort((pairs[:, 1], pairs[:, 0]))
        return Candidates(pairs[order], (*self.guarantees, *inside.guarantees))

    def near(self, near: Neighbours, fingerprints: Fingerprints, new: int) -> Neighbours:
        """Return close pairs with what is true of the whole archive.

        The references are those texts of the archive that are alike: their distances say nothing
        about chance, those of all archive texts do.
        """
        reach = min(near.complete_up_to, self.complete_up_to)
        counts = self.distances.counts
        if self.inside:
            words, valid = fingerprints.words[:new], fingerprints.valid[:new]
            counts = counts + distance_counts(words, bits=fingerprints.bits, valid=valid).counts
        distances = Distances(counts, self.distances.bits, self.distances.sampled)
        close = replace(near, complete_up_to=reach, distances=distances)
        return close.without(
            lambda left, right: np.asarray((near.pairs.distance > reach) & (right >= new))
        )


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """A check reduced to its new texts and to the references that share something."""

    documents: list[Document]
    tokenized: TokenizedBatch
    fingerprinted: FingerprintedBatch
    evidence: Evidence
    lengths: I64
    translations: ArchiveTranslations | None

    @classmethod
    def of(
        cls,
        documents: Sequence[Document],
        tokenized: TokenizedBatch,
        fingerprinted: FingerprintedBatch,
        evidence: Evidence,
        *,
        new: int,
        translations: ArchiveTranslations | None = None,
    ) -> Listed:
        """Leave out the references that neither the table nor a possible translation names."""
        pairs, background = evidence.table.pairs, fingerprinted.background
        named = np.zeros(len(documents), np.bool_)
        named[:new] = True
        named[pairs.right] = True
        translated = translations.others if translations else []
        named[np.array(translated, np.int64) + new] = True
        rows, number = np.flatnonzero(named), np.cumsum(named) - 1
        listed = rows.tolist()
        renumbered = replace(pairs, left=number[pairs.left], right=number[pairs.right])
        return cls(
            [documents[row] for row in listed],
            replace(
                tokenized,
                texts=tokenized.texts.take(listed if tokenized.texts else []),
                winnowed=tokenized.winnowed.take(listed if tokenized.winnowed else []),
            ),
            replace(
                fingerprinted,
                background=replace(
                    background, words=background.words[rows], valid=background.valid[rows]
                ),
            ),
            replace(
                evidence,
                table=replace(evidence.table, pairs=renumbered),
                parts=evidence.parts[rows],
                counted=evidence.counted[rows],
            ),
            fingerprinted.lengths[rows],
            translations.renamed({one: int(number[one + new]) for one in translated})
            if translations
            else None,
        )
