"""Files to documents, documents to a result: composes all other rooms."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..clustering import clusters
from ..extensions import names
from ..folders import application_folder
from ..memory import Scratch, budget
from ..model import I64, Document, Note, Progress, Skipped
from ..numbers import divisions
from ..passages.coverage import shares_of
from ..policy import BATCH_FROM as BATCH_FROM  # pages take them from the door
from ..policy import SHORT_TOKENS as SHORT_TOKENS
from ..result import CheckResult, Comparison, Guarantee
from ..settings import WEIGHTING_NAMES, Settings
from ..simhash.neighbours import Neighbours, neighbours
from ..text.extract import EXTRACTORS
from ..text.gathering import Source as Source
from ..text.gathering import gather_sources
from ..text.reading import read_sources
from ..variants.groups import variant_groups
from ..version import __version__
from ..workers import shared_pool
from . import comparison
from .authorship import outside, pairs_of_same_author, same_author
from .duration import estimate, prepare
from .earlier import Earlier
from .fingerprinting import fingerprint_batch
from .matching import match, table_without_text
from .needs import room_for_tokens
from .retrieved import Listed, Retrieved
from .significance import significance_of
from .templates import whole_units, without_templates
from .thresholds import limits, links
from .tokenizing import NO_FEATURES, tokenize_batch
from .translating import demand_dictionary, translation_facts, translations_of

#: early(pairs): (row, row, distance in bits), before their texts are compared
Early = Callable[[list[tuple[int, int, int]]], None]


def formats() -> tuple[str, ...]:
    """Return the suffixes that can be read, without dots, archives included."""
    return (*sorted((*EXTRACTORS, *names("formats"))), "zip")


def weightings() -> tuple[str, ...]:
    """Return the names of the weightings, the default first."""
    return (*WEIGHTING_NAMES, *names("weightings"))


def samples() -> dict[str, list[Path]]:
    """Return the sample collections, each as its files."""
    root = application_folder() / "sample_docs"
    return {
        name: sorted(path for path in (root / name).iterdir() if path.name != "truth.csv")
        for name in ("essays", "reposts")
        if (root / name).is_dir()
    }


def gather(paths: Iterable[str | Path]) -> tuple[list[Source], list[Skipped]]:
    """List what a check of files, folders and archives would read, and what it would not."""
    return gather_sources([Path(path) for path in paths], pool=shared_pool())


def uploads(files: Iterable[tuple[str, bytes]]) -> tuple[list[Source], list[Skipped]]:
    """List what a check of files in memory would read; each is (relative name, content)."""
    return gather_sources(
        [Source(name=name, data=data) for name, data in files], pool=shared_pool()
    )


def read(
    sources: Sequence[Source],
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
    progress: Progress | None = None,
    main_text: bool = False,
) -> tuple[list[Document], list[Skipped]]:
    """Read every source in its own limited process; a bad one becomes a `Skipped` row.

    With `main_text`, of web pages the article alone.
    """
    return read_sources(
        sources,
        pool=shared_pool(),
        settings=settings,
        progress=progress or _silent,
        main_text=main_text,
    )


def check(
    documents: Sequence[Document],
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
    against: Sequence[Document] = (),
    templates: Sequence[Document] = (),
    skipped: Sequence[Skipped] = (),
    earlier: CheckResult | None = None,
    retrieved: Retrieved | None = None,
    compare_inside: bool = True,
    progress: Progress | None = None,
    early: Early | None = None,
    memory: int | None = None,
) -> CheckResult:
    """Find which of `documents` are alike, by how much, and where.

    Parameters
    ----------
    documents : sequence of Document
    against : sequence of Document    references: compared with `documents`, not with each other
    templates : sequence of Document  what everybody was given: text they contain counts nowhere
    settings : Settings
    skipped : sequence of Skipped     carried into the result
    earlier : CheckResult, optional   of some of these texts: only pairs with another text are
        aligned, where settings and version are the same
    retrieved : Retrieved, optional   the references are what a search of an archive returned:
        only its pairs are aligned, and references that share nothing are not in the result;
        `documents` are those searched for, with their template text noted
    compare_inside : bool             whether `documents` are compared with each other too
    progress : callable, optional     progress(stage, done, total); may raise `Cancelled`
    early : callable, optional        early(pairs), once, before texts are aligned: (row, row,
        bits) of the pairs that fingerprints alone bring within the threshold, closest first
    memory : int, optional            bytes that the check and its workers should not exceed; by
        default `memory.budget()`. What goes beyond it lies in a temporary file

    Returns
    -------
    CheckResult
    """
    step, clock = progress or _silent, _Stages()
    demand_dictionary(settings)
    if estimate(documents, settings=settings, against=against).preparation:
        prepare("passages", urgent=True)  # while the words are counted
    first_reference, documents = len(documents), [*documents, *against]
    with clock.stage("templates"):
        documents, counted = without_templates(
            documents,
            templates,
            settings=settings,
            searched=0 if retrieved is None else first_reference,
        )
    who = {"person": settings.skip_same_person, "group": settings.skip_same_group}
    apart, alone = same_author(documents, **who), pairs_of_same_author(documents, **who)
    if not compare_inside:
        apart = outside(first_reference, apart)
    if retrieved is not None:
        settings = replace(settings, batch_signature=False)  # an archive is no batch
    memory = budget() if memory is None else memory
    room = room_for_tokens(counted, budget=memory, workers=shared_pool().workers)
    scratch = Scratch(room)
    with clock.stage("tokens"):
        tokenized = tokenize_batch(
            counted,
            settings=settings,
            pool=shared_pool(),
            step=step,
            places=settings.passages or retrieved is not None,
            scratch=scratch,
            known=retrieved.tokenized if retrieved is not None else None,
        )
    with clock.stage("fingerprints"):
        fingerprinted = fingerprint_batch(counted, tokenized.features, settings=settings, step=step)
    tokenized = replace(tokenized, features=NO_FEATURES)  # counted, and the largest table so far
    with clock.stage("pairs"):
        at_least = max(settings.wide_net, settings.threshold or 0)
        near = neighbours(
            fingerprinted.background,
            fingerprinted.batch,
            first_reference=first_reference,
            at_least=at_least,
            step=step,
        ).without(apart)
        if retrieved is not None:
            near = retrieved.near(near, fingerprinted.background, first_reference)
    if early is not None:
        early(_by_fingerprint(documents, near, settings))
    with clock.stage("passages"):
        evidence = match(
            counted,
            tokenized,
            fingerprinted,
            near,
            first_reference=first_reference,
            apart=apart,
            earlier=Earlier.of(earlier, documents, settings),
            retrieved=retrieved,
            scratch=scratch,
            settings=settings,
            pool=shared_pool(),
            step=step,
        )
    lengths, archive = fingerprinted.lengths, None
    if retrieved is not None:
        listed = Listed.of(
            documents,
            tokenized,
            fingerprinted,
            evidence,
            new=first_reference,
            translations=retrieved.translations,
        )
        documents, tokenized, fingerprinted = (
            listed.documents,
            listed.tokenized,
            listed.fingerprinted,
        )
        evidence, lengths, archive = listed.evidence, listed.lengths, listed.translations
    with clock.stage("significance"):
        significance, table = significance_of(
            evidence,
            tokenized,
            first_reference=first_reference,
            tails=retrieved.tails if retrieved else None,
            settings=settings,
            pool=shared_pool(),
            step=step,
        )
    with clock.stage("clusters"):
        step("clusters", 0, 1)
        chosen = limits(table, near.distances, near.batch_distances, settings)
        joined, by_passages = links(table, chosen.threshold, chosen.batch_threshold)
        words = fingerprinted.background.words
        groups = clusters(joined, len(documents), words, by_passages=by_passages)
        step("clusters", 1, 1)
    with clock.stage("translated"):
        translations = translations_of(
            counted if retrieved is None else counted[:first_reference],
            first_reference=first_reference,
            apart=apart,
            archive=archive,
            settings=settings,
            pool=shared_pool(),
            step=step,
        )
    with clock.stage("variants"):
        shared = variant_groups(evidence.table.pairs, evidence.passages, len(documents))
    return CheckResult(
        documents=tuple(_noted(documents, lengths, settings.min_tokens)),
        skipped=tuple(skipped),
        settings=settings,
        fingerprints=fingerprinted.background,
        batch_fingerprints=fingerprinted.batch,
        stats=fingerprinted.stats,
        lengths=lengths,
        table=table,
        passages=evidence.passages,
        complete_up_to=near.complete_up_to,
        distances=near.distances,
        batch_distances=near.batch_distances,
        significance=significance,
        limits=chosen,
        clusters=tuple(groups),
        total_overlap=shares_of(evidence.parts, evidence.counted),
        identical_overlap=shares_of(evidence.parts[:, :1], evidence.counted),
        variant_groups=shared,
        guarantees=(
            *near.guarantees,
            *evidence.guarantees,
            *([Guarantee("same_author", {"n": alone})] if alone else []),
            *([] if compare_inside else [Guarantee("only_against")]),
            *([_on_disk(scratch, memory)] if scratch.written else []),
            *translation_facts(translations),
        ),
        frequencies=evidence.frequencies,
        timings=clock.seconds,
        references=len(documents) - first_reference,
        version=__version__,
        translations=translations,
        division=divisions(
            evidence.parts,
            evidence.counted,
            whole_units(documents, evidence.counted, settings=settings),
        ),
    )


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


def compare(
    a: Document,
    b: Document,
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
    result: CheckResult | None = None,
) -> Comparison:
    """Compare two texts; with a `result`, by its statistics and thresholds."""
    return comparison.compare(a, b, settings=settings, result=result)


def _by_fingerprint(
    documents: Sequence[Document], near: Neighbours, settings: Settings
) -> list[tuple[int, int, int]]:
    """Return the pairs within the threshold as far as fingerprints alone can choose it."""
    table = table_without_text(near)
    chosen = limits(table, near.distances, near.batch_distances, settings)
    rows = np.flatnonzero(table.within(chosen.threshold, chosen.batch_threshold))
    rows = rows[np.argsort(near.pairs.distance[rows], kind="stable")]
    columns = (near.pairs.left, near.pairs.right, near.pairs.distance)
    return list(zip(*(column[rows].tolist() for column in columns), strict=True))


def _noted(documents: Sequence[Document], lengths: I64, least: int) -> list[Document]:
    """Add what the length of each text means for its fingerprint."""
    noted = list(documents)
    for row in np.flatnonzero(lengths < max(least, SHORT_TOKENS)).tolist():
        note = Note("short", {"n": SHORT_TOKENS})
        if lengths[row] < least:  # of other scripts no word is counted, however long the text
            other = documents[row].language == "other"
            note = Note("other_language") if other else Note("no_fingerprint", {"n": least})
        noted[row] = replace(noted[row], notes=(*noted[row].notes, note))
    return noted


def _on_disk(scratch: Scratch, memory: int) -> Guarantee:
    """Say how much of the check lay in a temporary file, and what it had in memory."""
    gigabytes = {"disk": scratch.written / 2**30, "memory": memory / 2**30}
    return Guarantee("on_disk", {name: float(f"{n:.2g}") for name, n in gigabytes.items()})


class _Stages:
    """Seconds of each stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, code: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds[code] = time.perf_counter() - start


def _silent(stage: str, done: int, total: int) -> None:
    """No-op progress callback."""
