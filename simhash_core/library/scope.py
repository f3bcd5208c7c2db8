"""A check of new texts against a library: the ordinary one, with what a search returned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..checking.authorship import with_person
from ..checking.needs import room_for_tokens
from ..checking.pipeline import Early, check
from ..checking.retrieved import Retrieved
from ..checking.templates import without_templates
from ..checking.translating import demand_dictionary
from ..checking.translation_rows import ArchiveTranslations
from ..memory import Scratch, budget
from ..model import Document, Progress, Skipped
from ..policy import CANDIDATE_SHARE, MIN_RUN
from ..result import CheckResult
from ..settings import Settings
from ..storage.library import ROW_KEY, Library
from ..workers import shared_pool
from .archive_statistics import archive_frequencies, archive_tails, tails_for
from .index import LibraryIndex
from .retrieval import NewTexts, Retrieval, retrieve
from .translated import archive_translations


def check_against(
    documents: Sequence[Document],
    library: Library,
    *,
    collections: Sequence[str] | None = None,
    settings: Settings = Settings(),  # noqa: B008  frozen
    compare_inside: bool = True,
    same_author: bool = True,
    templates: Sequence[Document] = (),
    skipped: Sequence[Skipped] = (),
    index: LibraryIndex | None = None,
    progress: Progress | None = None,
    early: Early | None = None,
    memory: int | None = None,
) -> CheckResult:
    """Find what new texts share with the texts of a library, and with each other.

    Parameters
    ----------
    documents : sequence of Document
    library : Library
        Its texts are never compared with each other.
    collections : sequence of str, optional
        Only with the texts of these; by default with all.
    compare_inside : bool
        Whether new texts are compared with each other too.
    same_author : bool
        Whether texts by one author are compared. An author is a number, a name, or what a text
        says of its author.
    templates, skipped, progress, early, memory
        As in `check`.
    index : LibraryIndex, optional
        An open index of the library; by default the one beside it.

    Returns
    -------
    CheckResult
        Of the library it holds the texts that share something; `meta["archive_collection"]` of
        such a document names its collection, `meta["archive_key"]` its key.

    Raises
    ------
    StoreError
        `store_missing` for a collection that does not exist; what opening a library raises.

    Notes
    -----
    The chance of a finding is that of all pairs looked at, new texts times archive texts, not of
    the few that were aligned.
    """
    step = progress or _silent
    demand_dictionary(settings)
    if not same_author:
        documents = [with_person(document) for document in documents]
        settings = replace(settings, skip_same_person=True)
    if index is None or not index.fits(settings):
        index = LibraryIndex(library, settings=settings)
    index.refresh(step)
    documents, counted = without_templates(documents, templates, settings=settings)
    limit = budget() if memory is None else memory
    room = room_for_tokens(counted, budget=limit, workers=shared_pool().workers)
    batch = index.tokenized(counted, step, Scratch(room))
    new = index.new_texts(counted, step, batch)
    archive = index.archive(collections)
    retrieval = retrieve(
        new,
        archive,
        share=min(CANDIDATE_SHARE, settings.containment),
        bits=index.settings.bits,
        within=settings.threshold or 0,
        widest=settings.wide_net,
        step=step,
    )
    translated = ArchiveTranslations.of([])
    if settings.translated:
        translated = archive_translations(
            counted,
            library,
            collections=collections,
            settings=settings,
            by_author=not same_author,
            step=step,
        )
    keys = np.union1d(retrieval.key, np.array(translated.others, np.int64))
    references = library.documents(keys.tolist())
    if not same_author:
        references = [with_person(document) for document in references]
    number = {int(one.meta[ROW_KEY]): row for row, one in enumerate(references)}
    tails = tails_for(archive_tails(index, step), _looked_at(retrieval, new, inside=compare_inside))
    retrieved = Retrieved(
        pairs=_numbered(retrieval, references),
        frequencies=archive_frequencies(archive, new.texts),
        distances=retrieval.distances,
        complete_up_to=retrieval.complete_up_to,
        tails=tails,
        inside=compare_inside,
        guarantees=retrieval.guarantees,
        translations=translated.renamed(number),
        # the index always winnows by the default, a check by its settings
        tokenized=batch if settings.min_run == MIN_RUN else None,
    )
    return check(
        documents,
        settings=settings,
        against=references,
        templates=templates,
        skipped=skipped,
        retrieved=retrieved,
        compare_inside=compare_inside,
        progress=progress,
        early=early,
        memory=memory,
    )


def _numbered(retrieval: Retrieval, references: Sequence[Document]) -> np.ndarray:
    """Return the pairs by number of the reference; texts removed meanwhile are left out."""
    keys = np.array([int(document.meta[ROW_KEY]) for document in references], np.int64)
    number = np.searchsorted(keys, retrieval.key)
    there = np.isin(retrieval.key, keys)
    return np.stack([retrieval.query[there], number[there]], axis=1)


def _looked_at(retrieval: Retrieval, new: NewTexts, *, inside: bool) -> dict[str, int]:
    """Return how many pairs of texts of each language are looked at."""
    languages = [text.language for text in new.texts]
    pairs = dict(retrieval.compared)
    if inside:
        for language in pairs:
            n = languages.count(language)
            pairs[language] += n * (n - 1) // 2
    return pairs


def _silent(stage: str, done: int, total: int) -> None:
    """No-op progress callback."""
