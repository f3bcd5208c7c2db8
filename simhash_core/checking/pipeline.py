"""Files to documents, documents to a result: composes all other rooms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..clustering import clusters, links
from ..limits import Limits, Significance
from ..meaning.search import Shared, meaning_facts, meanings_of
from ..meaning.vectors import demand_meaning
from ..meaning.vectors import meaning_installed as meaning_installed
from ..meaning.vectors import wants_meaning as wants_meaning
from ..model import I64, Document, KeptVectors, Note, Progress, Skipped
from ..numbers import divisions
from ..passages.coverage import shares_of
from ..policy import BATCH_FROM as BATCH_FROM  # pages take them from the door
from ..policy import SHORT_TOKENS as SHORT_TOKENS
from ..result import CheckResult, Cluster, Guarantee, Meanings, VariantGroups
from ..settings import Settings
from ..simhash.neighbours import Neighbours, neighbours
from ..variants.groups import variant_groups
from ..version import __version__
from .chance import limits as limits_of
from .evidence import Evidence, match
from .fingerprinting import FingerprintedBatch, fingerprint_batch
from .run import Run, Texts
from .scope import ALONE, Partners, Scope, TextScope
from .templates import whole_units


def check(
    documents: Sequence[Document],
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
    against: Sequence[Document] = (),
    templates: Sequence[Document] = (),
    skipped: Sequence[Skipped] = (),
    earlier: CheckResult | None = None,
    compare_inside: bool = True,
    progress: Progress | None = None,
    memory: int | None = None,
) -> CheckResult:
    """Find which of `documents` are alike, by how much, and where.

    Parameters
    ----------
    against, compare_inside, earlier
        `references`, `inside` and `earlier` of a `TextScope`.
    settings, templates, skipped, progress, memory
        As in `run_check`, which takes any `Scope`.
    """
    return run_check(
        documents,
        TextScope(references=against, inside=compare_inside, earlier=earlier),
        settings=settings,
        templates=templates,
        skipped=skipped,
        progress=progress,
        memory=memory,
    )


def run_check(
    documents: Sequence[Document],
    scope: Scope = ALONE,
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
    templates: Sequence[Document] = (),
    skipped: Sequence[Skipped] = (),
    progress: Progress | None = None,
    memory: int | None = None,
    vectors: KeptVectors | None = None,
) -> CheckResult:
    """Find what documents share, with each other and with those of a scope.

    `templates` were given to everybody: text they contain counts nowhere. `progress`, `memory` and
    `vectors` are those of a `Run`.
    """
    run = Run(scope.settled(settings), progress, memory, vectors)
    demand_meaning(run.settings)
    if run.settings.translated and not wants_meaning(run.settings):
        from ..translations.search import demand_dictionary

        demand_dictionary(run.settings)
    texts, partners = scope.read(documents, templates, run)
    signed = run("fingerprints", sign, texts, run)
    texts = texts.without_counts()
    near = run("pairs", close_pairs, texts, signed, partners, run)
    evidence = run("passages", match, texts, signed, near, partners, run)
    meanings = run("meaning", same_meaning, texts, evidence, partners, run)
    rows = partners.listed(evidence.table, meanings, texts)
    texts, signed, evidence = texts.only(rows), signed.only(rows), evidence.only(rows)
    chance = run("significance", partners.significance, texts, evidence.frequencies, run)
    evidence = evidence.with_chance(texts, chance)
    limits, joined = run("clusters", group, evidence, signed, run)
    words, of_words = None, tuple[Guarantee, ...]()
    if run.settings.translated:
        from ..translations.search import translation_facts

        words = run("translated", partners.translations, texts, rows, run)
        of_words = translation_facts(words)
    variants = run("variants", variant_groups, evidence.table.pairs, evidence.passages, len(texts))
    facts = (
        *(*texts.facts(), *run.facts(), *of_words),
        *meaning_facts(meanings, partners.near_references),
    )
    meanings = words if meanings is None else meanings.renumbered(rows).with_words(words)
    findings = Findings(evidence, chance, limits, joined, meanings, variants)
    return result_of(texts, signed, findings, skipped=skipped, facts=facts, run=run)


def check_texts(
    texts: Mapping[str, str] | Iterable[str],
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
) -> CheckResult:
    """Check strings: {name: text}, or texts that are then called text 1, text 2, ..."""
    if not isinstance(texts, Mapping):
        texts = {f"text {number}": text for number, text in enumerate(texts, 1)}
    documents = [Document.from_text(text, name=name) for name, text in texts.items()]
    return check(documents, settings=settings)


# --------------------------------------------------------------------------- stages


def sign(texts: Texts, run: Run) -> FingerprintedBatch:
    """Return the fingerprints of what counts of each text."""
    features = texts.tokens.features
    return fingerprint_batch(texts.counted, features, settings=run.settings, step=run.step)


def close_pairs(
    texts: Texts, signed: FingerprintedBatch, partners: Partners, run: Run
) -> Neighbours:
    """Return the pairs that are close by either signature, as far out as a table can hold them."""
    near = neighbours(
        signed.background,
        signed.batch,
        first_reference=texts.new,
        at_least=run.settings.widest_net,
        step=run.step,
    )
    return partners.near(near.without(texts.apart), signed.background, texts.new)


def group(evidence: Evidence, signed: FingerprintedBatch, run: Run) -> tuple[Limits, list[Cluster]]:
    """Choose the threshold, and join the texts that it or their passages link."""
    run.step("clusters", 0, 1)
    table, near, words = evidence.table, evidence.near, signed.background.words
    chosen = limits_of(table, near.distances, near.batch_distances, run.settings)
    joined, by_passages = links(table, chosen.threshold, chosen.batch_threshold)
    groups = clusters(joined, len(words), words, by_passages=by_passages)
    run.step("clusters", 1, 1)
    return chosen, groups


def same_meaning(texts: Texts, evidence: Evidence, partners: Partners, run: Run) -> Meanings | None:
    """Return the passages that say the same in other words, where no counted passage lies."""
    if not wants_meaning(run.settings):
        run.vectors.rows.clear()
        return None
    return meanings_of(
        texts.counted,
        Shared(evidence.table.pairs, evidence.passages),
        first_reference=texts.new,
        apart=texts.apart,
        near=partners.near_references,
        kept=run.vectors,
        pool=run.pool,
        step=run.step,
    )


# --------------------------------------------------------------------------- the result


class Findings(NamedTuple):
    """What a check finds about its texts."""

    evidence: Evidence
    chance: Significance
    limits: Limits
    clusters: list[Cluster]
    meanings: Meanings | None
    variants: VariantGroups


def result_of(
    texts: Texts,
    signed: FingerprintedBatch,
    findings: Findings,
    *,
    skipped: Sequence[Skipped],
    facts: Sequence[Guarantee],
    run: Run,
) -> CheckResult:
    """Return all of it as plain data."""
    evidence, settings = findings.evidence, run.settings
    near = evidence.near
    whole = whole_units(texts.documents, evidence.counted, settings=settings)
    return CheckResult(
        documents=tuple(_note_short_texts(texts.documents, signed.lengths, settings.min_tokens)),
        skipped=tuple(skipped),
        settings=settings,
        fingerprints=signed.background,
        batch_fingerprints=signed.batch,
        stats=signed.stats,
        lengths=signed.lengths,
        table=evidence.table,
        passages=evidence.passages,
        complete_up_to=near.complete_up_to,
        distances=near.distances,
        batch_distances=near.batch_distances,
        significance=findings.chance,
        limits=findings.limits,
        clusters=tuple(findings.clusters),
        total_overlap=shares_of(evidence.parts, evidence.counted),
        identical_overlap=shares_of(evidence.parts[:, :1], evidence.counted),
        variant_groups=findings.variants,
        guarantees=(*near.guarantees, *evidence.guarantees, *facts),
        frequencies=evidence.frequencies,
        timings=run.seconds,
        references=len(texts) - texts.new,
        version=__version__,
        meanings=findings.meanings,
        division=divisions(evidence.parts, evidence.counted, whole),
        tones=evidence.tones,
        common=evidence.common,
    )


def _note_short_texts(documents: Sequence[Document], lengths: I64, least: int) -> list[Document]:
    """Add what the length of each text means for its fingerprint."""
    noted = list(documents)
    for row in np.flatnonzero(lengths < max(least, SHORT_TOKENS)).tolist():
        note = Note("short", {"n": SHORT_TOKENS})
        if lengths[row] < least:  # of other scripts no word is counted, however long the text
            other = documents[row].language == "other"
            note = Note("other_language") if other else Note("no_fingerprint", {"n": least})
        noted[row] = replace(noted[row], notes=(*noted[row].notes, note))
    return noted
