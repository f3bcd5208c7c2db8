"""What is common in an archive, and how strong findings between unrelated texts of it are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np

from ..checking.chance import aligned_sample, tails_of, unrelated_pairs
from ..checking.tokenizing import tokenize_batch
from ..limits import Tail
from ..machine.workers import shared_pool
from ..model import F32, F64, I32, I64, DocumentFrequencies, Progress, report_nothing
from ..passages.blocks import places_of
from ..passages.tokenized import TokenizedText, document_frequencies, languages_of
from ..policy import (
    ARCHIVE_GROWTH,
    ARCHIVE_SAMPLE,
    ARCHIVE_SAMPLED,
    BATCH_FROM,
    SAMPLED_PAIRS,
    SAMPLED_STRENGTH,
    SAMPLED_TOKENS,
)
from ..settings import Settings
from .index import LibraryIndex
from .segments import LANGUAGES, UNITS, Archive

_SCALE = 1_000_000  # of shares written as counts
_SEED = 20_261_121


def archive_frequencies(
    archive: Archive, new: Sequence[TokenizedText]
) -> DocumentFrequencies | None:
    """Return how common features are among the texts that are compared, None of too few texts.

    Notes
    -----
    A feature counts with the largest of three shares: of the archive's texts in English, of those
    in Chinese, and of the new texts where these are a batch. So neither the formulae of a small
    language are lost among texts of the other, nor the words of one prompt in a large archive.
    Only features in more than a third of the texts weigh less (`passages.frequencies`), hence
    only those are listed; others count as if one text held them, which weighs the same.
    """
    if len(archive.key) + len(new) < BATCH_FROM:
        return None
    parts = [_shares_in_language(archive, language) for language in LANGUAGES]
    if len(new) >= BATCH_FROM:
        batch = document_frequencies(new)
        parts.append((batch.feature, batch.count / batch.n))
    feature, share = _greatest_values([(held[of > 1 / 3], of[of > 1 / 3]) for held, of in parts])
    return DocumentFrequencies(_SCALE, feature, np.round(share * _SCALE).astype(np.int64))


def _greatest_values(parts: Iterable[tuple[I32, I64 | F64]]) -> tuple[I32, F64]:
    """Return each feature of some parts once, ascending, and the greatest value that it has."""
    every = [(np.empty(0, np.int32), np.empty(0)), *parts]
    feature, at = np.unique(np.concatenate([held for held, _ in every]), return_inverse=True)
    greatest = np.zeros(len(feature))
    np.maximum.at(greatest, at, np.concatenate([values for _, values in every]))
    return feature, greatest


def archive_tails(index: LibraryIndex, step: Progress) -> dict[str, Tail]:
    """Return the tails of findings between unrelated texts of the archive, of one pair each.

    They are measured on a sample of its texts when a check first asks for them, and again when it
    has `ARCHIVE_GROWTH` times as many texts.
    """
    folder, manifest = index.folder, index.folder.manifest()
    if not 0 < manifest.texts <= ARCHIVE_GROWTH * manifest.measured:
        measured = _measure_tails(index, step)
        tails = {language: asdict(tail) for language, tail in measured.items()}
        with folder.writing():
            folder.put(replace(folder.manifest(), tails=tails, measured=manifest.texts))
        return measured
    return {language: Tail(**values) for language, values in manifest.tails.items()}  # type: ignore[arg-type]


def greatest_frequencies(parts: Sequence[DocumentFrequencies | None]) -> DocumentFrequencies | None:
    """Return how common features are in the archive where they are most common; each as above."""
    held = [(one.feature, one.count) for one in parts if one is not None]
    feature, count = _greatest_values(held)
    return DocumentFrequencies(_SCALE, feature, count.astype(np.int64)) if held else None


def greatest_tails(parts: Sequence[Mapping[str, Tail]]) -> dict[str, Tail]:
    """Return, by language, the tail under which chance gives most, for the pairs of all."""
    tails: dict[str, Tail] = {}
    for language in LANGUAGES:
        held = [one[language] for one in parts if language in one]
        if held:
            most = max(held, key=lambda tail: np.log10(tail.share) + tail.anchor / tail.per_decade)
            tails[language] = replace(most, pairs=sum(one.pairs for one in held))
    return tails


def _shares_in_language(archive: Archive, language: str) -> tuple[I32, F64]:
    """Return features in more than a third of the texts of one language, and their shares."""
    texts = sum(len(one.row) for one in archive.units(language))
    parts = []
    for unit in (unit for unit, of_unit in UNITS.items() if of_unit == language):
        stored = archive.units(unit)
        # what a third of all texts hold, a third of the texts of some segment hold
        frequent = [one.postings.feature[one.held > len(one.row) / 3] for one in stored]
        features = np.unique(np.concatenate([np.empty(0, np.int32), *frequent]))
        total = np.zeros(len(features), np.int64)
        for one in stored:
            at, there = places_of(one.postings.feature, features)
            total[there] += one.held[at[there]]
        parts.append((features, total))
    feature, count = _greatest_values(parts)
    return feature, count / max(texts, 1)


def _measure_tails(index: LibraryIndex, step: Progress) -> dict[str, Tail]:
    """Align random pairs of the archive's own texts."""
    archive = index.archive()
    df = archive_frequencies(archive, ())
    if df is None:
        return {}
    drawn = np.random.default_rng(_SEED).permutation(archive.key[archive.admitted])
    documents = index.library.documents(sorted(drawn[:ARCHIVE_SAMPLE].tolist()))
    settings = Settings(dictionary=index.settings.dictionary)
    batch = tokenize_batch(documents, settings=settings, pool=shared_pool(), step=report_nothing)
    pairs = unrelated_pairs(
        batch.texts,
        batch.winnowed,
        queries=len(batch.texts),
        most=ARCHIVE_SAMPLED,
        tokens=SAMPLED_TOKENS * ARCHIVE_SAMPLED / SAMPLED_PAIRS,
    )

    sample = aligned_sample(
        batch.texts,
        pairs,
        df,
        settings=settings,
        pool=shared_pool(),
        step=lambda _, done, total: step("chance", done, total),  # a stage of its own
    )
    tails = tails_of(batch.texts, pairs, sample, len(pairs))
    languages = languages_of(batch.texts, pairs)
    return {name: _bound_tail(tail, sample[0, languages == name]) for name, tail in tails.items()}


def _bound_tail(tail: Tail, strength: F32) -> Tail:
    """Return a tail that says at most how many findings chance gives, where few pairs have one.

    Unrelated texts of many subjects hardly ever share anything, but an archive is looked at in
    very many pairs. The rate at the weakest finding is then that of the sample, of none that of one
    finding at the least strength that the sample could have shown.
    """
    if tail.estimated:
        return tail
    positive = strength[strength > 0]
    anchor = float(positive.min()) if len(positive) else SAMPLED_STRENGTH
    return replace(tail, anchor=anchor, share=max(len(positive), 1) / tail.sampled)
