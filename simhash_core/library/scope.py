"""New texts against a library: a scope whose texts are searched for instead of at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

import numpy as np

from ..checking.aligning import Measured
from ..checking.misread import compare_as_meant
from ..checking.run import Run, Texts
from ..checking.scope import Partners, align_new
from ..checking.templates import find_templates
from ..checking.tokenizing import TokenizedBatch, tokenize_batch
from ..limits import Significance, Tail
from ..meaning.search import NearReferences
from ..meaning.vectors import wants_meaning
from ..model import I64, Bools, Distances, Document, DocumentFrequencies, Fingerprints
from ..passages.candidates import Candidates, candidates
from ..passages.tokenized import TokenizedText
from ..people.authorship import adopt_author
from ..policy import MIN_RUN
from ..result import Guarantee, Meanings, PairTable
from ..settings import Settings
from ..simhash.neighbours import Neighbours
from ..simhash.search import distance_counts
from ..storage.library import COLLECTION_KEY, ROW_KEY, Library
from ..text.dictionary import data_file
from ..translations.search import ArchiveTranslations, translations_of
from .archive_statistics import (
    archive_frequencies,
    archive_tails,
    greatest_frequencies,
    greatest_tails,
)
from .index import LibraryIndex
from .retrieval import NewTexts, Retrieval, retrieve
from .sentences import most_made, near_references
from .translated import archive_translations


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LibraryScope:
    """New texts among each other, and against those of a library that are worth it.

    The result of `run_check` holds of the library the texts that share something;
    `meta["archive_collection"]` of such a document names its collection, `meta["archive_key"]` its
    key. The chance of a finding is that of all pairs looked at, new texts times archive texts, not
    of the few that were aligned. A collection that does not exist is `store_missing`.

    Attributes
    ----------
    library : Library
        Its texts are never compared with each other.
    collections : sequence of str, optional
        Only with the texts of these; by default with all.
    inside : bool
        Whether new texts are compared with each other too.
    same_author : bool
        Whether texts by one author are compared: a number, a name, or what a text says of itself.
    index : LibraryIndex, optional
        An open index of the library; by default the one beside it.
    further : sequence of LibraryScope
        More libraries, each searched as if it were alone, with its own collections and index.
    """

    library: Library
    collections: Sequence[str] | None = None
    inside: bool = True
    same_author: bool = True
    index: LibraryIndex | None = None
    further: Sequence[LibraryScope] = ()

    def settled(self, settings: Settings) -> Settings:
        """Return the settings of such a check: an archive is no batch."""
        by_author = settings.skip_same_person or not self.same_author
        return replace(settings, batch_signature=False, skip_same_person=by_author)

    def read(
        self, documents: Sequence[Document], templates: Sequence[Document], run: Run
    ) -> tuple[Texts, Partners]:
        """Read the new texts, search the library for them, and read what it returns."""
        if self.same_author and run.settings.skip_same_person:
            return replace(self, same_author=False).read(documents, templates, run)
        settings = run.settings
        if not self.same_author:
            documents = [adopt_author(document) for document in documents]
        index = self._current_index(run)
        noted, counted = run("templates", find_templates, documents, templates, settings=settings)
        batch = run(
            "tokens",
            tokenize_batch,
            counted,
            settings=index.settings,
            pool=run.pool,
            step=run.step,
            scratch=run.room_for(counted),
        )
        retrieved, references = run("search", self._search, counted, batch, index, run)
        if self.further:
            parts = [(self.library.name, retrieved, references)]
            for other in self.further:
                following = replace(other, inside=False, same_author=self.same_author)
                of_other = following._current_index(run)
                answer = run("search", following._search, counted, batch, of_other, run)
                parts.append((other.library.name, *answer))
            retrieved, references = _join_libraries(parts)
        both = run("templates", find_templates, references, templates, settings=settings)
        noted, counted = [*noted, *both[0]], [*counted, *both[1]]
        tokens = run(
            "tokens",
            tokenize_batch,
            counted,
            settings=settings,
            pool=run.pool,
            step=run.step,
            scratch=run.room_for(counted),
            # the index always winnows by the default, a check by its settings
            earlier=batch if settings.min_run == MIN_RUN else None,
        )
        new = len(documents)
        noted, counted, tokens = run(
            "tokens", compare_as_meant, noted, counted, tokens, settings=settings
        )
        texts = Texts.of((noted, counted), tokens, new=new, inside=self.inside, settings=settings)
        return texts, retrieved

    def _current_index(self, run: Run) -> LibraryIndex:
        """Return the index with all that the library holds by now."""
        index = self.index
        if index is None or not index.fits(run.settings):
            index = LibraryIndex(self.library, settings=run.settings)
        run("search", index.refresh, run.step)
        return index

    def _search(
        self, counted: Sequence[Document], batch: TokenizedBatch, index: LibraryIndex, run: Run
    ) -> tuple[Retrieved, list[Document]]:
        """Return what the library holds for new texts, and these texts of it."""
        settings, step = run.settings, run.step
        new = index.new_texts(counted, step, batch)
        archive = index.archive(self.collections)
        retrieval = retrieve(
            new,
            archive,
            share=settings.candidate_share,
            bits=index.settings.bits,
            within=settings.threshold or 0,
            widest=settings.wide_net,
            step=step,
        )
        translated, near = ArchiveTranslations.of([]), None
        if wants_meaning(settings):
            near = near_references(
                counted,
                self.library,
                collections=self.collections,
                most=most_made(settings),
                kept=run.vectors,
                step=step,
            )
        if settings.translated and needs_words(near):
            translated = archive_translations(
                counted,
                self.library,
                collections=self.collections,
                settings=settings,
                by_author=not self.same_author,
                step=step,
            )
        others = [translated.others, near.others.tolist() if near else []]
        keys = np.union1d(retrieval.key, np.concatenate(others).astype(np.int64))
        references = self.library.documents(keys.tolist())
        if not self.same_author:
            references = [adopt_author(document) for document in references]
        number = {int(one.meta[ROW_KEY]): row for row, one in enumerate(references)}
        held = np.array(list(number), np.int64)
        there = np.isin(retrieval.key, held)  # others were removed meanwhile
        at = np.searchsorted(held, retrieval.key[there])
        looked_at = _count_pairs(retrieval, new, inside=self.inside)
        tails = archive_tails(index, step)
        retrieved = Retrieved(
            pairs=np.stack([retrieval.query[there], at], axis=1),
            frequencies_of_archive=archive_frequencies(archive, new.texts),
            distances=retrieval.distances,
            complete_up_to=retrieval.complete_up_to,
            tails={name: replace(tail, pairs=looked_at[name]) for name, tail in tails.items()},
            inside=self.inside,
            guarantees=retrieval.guarantees,
            translated=translated.renamed(number),
            near_references=near
            and near.renamed({key: row + len(counted) for key, row in number.items()}),
        )
        return retrieved, references


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Retrieved:
    """The partners of new texts that an archive was searched for.

    Attributes
    ----------
    pairs : int64 (m, 2)
        Row of a new text and number of a reference: the pairs to align.
    frequencies_of_archive : DocumentFrequencies, optional
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
    translated : ArchiveTranslations
        By row of a new text and number of a reference.
    near_references : NearReferences, optional
        By rows; None where the same meaning is not looked for.
    """

    pairs: I64
    frequencies_of_archive: DocumentFrequencies | None
    distances: Distances
    complete_up_to: int
    tails: Mapping[str, Tail]
    inside: bool
    guarantees: tuple[Guarantee, ...]
    translated: ArchiveTranslations
    near_references: NearReferences | None

    def near(self, near: Neighbours, signature: Fingerprints, new: int) -> Neighbours:
        """Return close pairs with what is true of the whole archive.

        The references are those texts of the archive that are alike: their distances say nothing
        about chance, those of all archive texts do.
        """
        reach = min(near.complete_up_to, self.complete_up_to)
        counts = self.distances.counts
        if self.inside:
            words, valid = signature.words[:new], signature.valid[:new]
            counts = counts + distance_counts(words, bits=signature.bits, valid=valid).counts
        distances = Distances(counts, self.distances.bits, self.distances.sampled)
        close = replace(near, complete_up_to=reach, distances=distances)
        return close.without(
            lambda left, right: np.asarray((near.pairs.distance > reach) & (right >= new))
        )

    def candidates(self, texts: Texts, run: Run) -> Candidates:
        """Return the pairs to align: those of the archive, and those among the new texts."""
        new = texts.new
        across = self.pairs + np.array([0, new])
        if not self.inside:
            return Candidates(across, self.guarantees)
        inside = candidates(
            texts.tokens.texts[:new],
            texts.tokens.winnowed[:new],
            queries=new,
            share=run.settings.candidate_share,
            step=run.step,
        )
        pairs = np.concatenate([inside.pairs, across])
        order = np.lexsort((pairs[:, 1], pairs[:, 0]))
        return Candidates(pairs[order], (*self.guarantees, *inside.guarantees))

    def frequencies(self, tokenized: Sequence[TokenizedText]) -> DocumentFrequencies | None:
        """Return the frequencies of the archive: its texts that are alike are no sample of it."""
        return self.frequencies_of_archive

    def align(
        self,
        tokenized: Sequence[TokenizedText],
        pairs: I64,
        df: DocumentFrequencies | None,
        *,
        listed: Bools,
        run: Run,
    ) -> tuple[Measured, int]:
        """Align pairs, of which nothing is known."""
        return align_new(tokenized, pairs, df, listed=listed, run=run)

    def listed(self, table: PairTable, meanings: Meanings | None, texts: Texts) -> I64:
        """Return the new texts, and those that the table or a finding apart from it names."""
        named = np.zeros(len(texts), np.bool_)
        named[: texts.new] = True
        named[table.pairs.right] = True
        named[np.array(self.translated.others, np.int64) + texts.new] = True
        if meanings is not None:
            named[meanings.right] = True
        return np.flatnonzero(named)

    def significance(self, texts: Texts, df: DocumentFrequencies | None, run: Run) -> Significance:
        """Return what the archive says: the texts that are listed are no sample of it."""
        return Significance(self.tails)

    def translations(self, texts: Texts, rows: I64, run: Run) -> Meanings | None:
        """Look for them among the new texts, and add those of the library."""
        if not needs_words(self.near_references):
            return None
        number = {row - texts.new: at for at, row in enumerate(rows.tolist())}
        return translations_of(
            [] if wants_meaning(run.settings) else texts.counted[: texts.new],
            first_reference=texts.new,
            apart=texts.apart,
            archive=self.translated.renamed(number),
            pool=run.pool,
            step=run.step,
        )

    def facts(self) -> tuple[Guarantee, ...]:
        """Say nothing: what the search guarantees goes with its candidates."""
        return ()


def needs_words(near: NearReferences | None) -> bool:
    """Return whether words look across languages in a library: not all of it has vectors."""
    return data_file() is not None and (near is None or near.waiting > 0)


def _join_libraries(
    parts: Sequence[tuple[str, Retrieved, list[Document]]],
) -> tuple[Retrieved, list[Document]]:
    """Return what several libraries hold for new texts as if it were one.

    Collections are called by their library too. Where the libraries differ, what is said of chance
    is said of the one in which it gives most.
    """
    references: list[Document] = []
    pairs, translated = [], []
    for name, one, held in parts:
        before = len(references)
        pairs.append(one.pairs + np.array([0, before]))
        numbers = {number: number + before for number in range(len(held))}
        translated.append(one.translated.renamed(numbers))
        for document in held:
            called = f"{PurePath(name).stem}: {document.meta[COLLECTION_KEY]}"
            named = {**document.meta, COLLECTION_KEY: called}
            references.append(replace(document, meta=named))
    every = [one for _, one, _ in parts]
    whole = np.concatenate(pairs)
    return (
        replace(
            every[0],
            pairs=whole[np.lexsort((whole[:, 1], whole[:, 0]))],
            frequencies_of_archive=greatest_frequencies(
                [one.frequencies_of_archive for one in every]
            ),
            distances=replace(
                every[0].distances,
                counts=sum((one.distances.counts for one in every[1:]), every[0].distances.counts),
            ),
            complete_up_to=min(one.complete_up_to for one in every),
            tails=greatest_tails([one.tails for one in every]),
            guarantees=tuple(fact for one in every for fact in one.guarantees),
            translated=ArchiveTranslations.of(translated),
            near_references=NearReferences.joined(
                [one.near_references for one in every], [len(held) for _, _, held in parts]
            ),
        ),
        references,
    )


def _count_pairs(retrieval: Retrieval, new: NewTexts, *, inside: bool) -> dict[str, int]:
    """Return how many pairs of texts of each language are looked at."""
    languages = [text.language for text in new.texts]
    pairs = dict(retrieval.compared)
    if inside:
        for language in pairs:
            n = languages.count(language)
            pairs[language] += n * (n - 1) // 2
    return pairs
