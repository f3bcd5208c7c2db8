"""What new texts are compared with: each other, references, what an earlier check left, a library.

This is the only place where these differ. A `Scope` says what is asked for; reading its texts gives
them as numbers, and the `Partners` of the new ones: which pairs are compared, and what is known of
them before. `TextScope` has all texts at hand; `library.LibraryScope` searches for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ..limits import Significance
from ..meaning.search import NearReferences
from ..meaning.vectors import wants_meaning
from ..model import I64, Bools, Document, DocumentFrequencies, Fingerprints, Passages, Stretches
from ..passages import coverage
from ..passages.candidates import Candidates, candidates
from ..passages.coverage import PairNumbers
from ..passages.tokenized import TokenizedText, document_frequencies
from ..policy import BATCH_FROM
from ..result import CheckResult, Guarantee, Meanings, PairTable
from ..settings import Settings
from ..simhash.neighbours import Neighbours
from ..version import __version__
from .aligning import Measured, align_pairs, unite_pairs
from .chance import sampled_significance
from .misread import compare_as_meant, misreadings_of
from .own_runs import choose_again, measure_again
from .run import Run, Texts
from .templates import find_templates
from .tokenizing import tokenize_batch

#: guarantees of a check that did not look at every pair of its texts
_IN_PART = ("only_against", "archive_searched")


class Scope(Protocol):
    """What the new texts of a check are compared with."""

    @property
    def inside(self) -> bool:
        """Whether new texts are compared with each other too."""

    def settled(self, settings: Settings) -> Settings:
        """Return the settings of such a check."""

    def read(
        self, documents: Sequence[Document], templates: Sequence[Document], run: Run
    ) -> tuple[Texts, Partners]:
        """Read the new texts and those they are compared with, all without the templates."""


class Partners(Protocol):
    """The texts that new ones are compared with, and what is known of their pairs before."""

    @property
    def near_references(self) -> NearReferences | None:
        """The references whose sentences are near to new texts, None where all are at hand."""

    def near(self, near: Neighbours, signature: Fingerprints, new: int) -> Neighbours:
        """Return the close pairs, with what is true of all texts that were looked at."""

    def candidates(self, texts: Texts, run: Run) -> Candidates:
        """Return the pairs worth aligning."""

    def frequencies(self, tokenized: Sequence[TokenizedText]) -> DocumentFrequencies | None:
        """Return in how many texts features occur, None of too few texts."""

    def align(
        self,
        tokenized: Sequence[TokenizedText],
        pairs: I64,
        df: DocumentFrequencies | None,
        *,
        listed: Bools,
        run: Run,
    ) -> tuple[Measured, int]:
        """Align pairs, as `align_pairs` does."""

    def listed(self, table: PairTable, meanings: Meanings | None, texts: Texts) -> I64:
        """Return the rows of the texts that the result holds, ascending."""

    def significance(self, texts: Texts, df: DocumentFrequencies | None, run: Run) -> Significance:
        """Return how strong the findings are that chance alone would give."""

    def translations(self, texts: Texts, rows: I64, run: Run) -> Meanings | None:
        """Return what words find across languages, None where vectors of sentences lead.

        `rows` were those of the texts before.
        """

    def facts(self) -> tuple[Guarantee, ...]:
        """Say what was taken over."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TextScope:
    """New texts among each other, and against references that are at hand.

    Attributes
    ----------
    references : sequence of Document
        Compared with the new texts, not with each other.
    inside : bool
        Whether new texts are compared with each other too.
    same_author : bool
        Whether texts by one person are compared; False turns the setting on.
    earlier : CheckResult, optional
        Of some of these texts: only pairs with another text are aligned, where settings and
        version are the same.
    """

    references: Sequence[Document] = ()
    inside: bool = True
    same_author: bool = True
    earlier: CheckResult | None = None

    def settled(self, settings: Settings) -> Settings:
        """Return the settings of such a check."""
        return settings if self.same_author else replace(settings, skip_same_person=True)

    def read(
        self, documents: Sequence[Document], templates: Sequence[Document], run: Run
    ) -> tuple[Texts, Partners]:
        """Read all texts at once."""
        settings, new = run.settings, len(documents)
        every = [*documents, *self.references]
        noted, counted = run("templates", find_templates, every, templates, settings=settings)
        tokens = run(
            "tokens",
            tokenize_batch,
            counted,
            settings=settings,
            pool=run.pool,
            step=run.step,
            places=settings.passages,
            scratch=run.room_for(counted),
        )
        noted, counted, tokens = run(
            "tokens", compare_as_meant, noted, counted, tokens, settings=settings
        )
        both = (noted, counted)
        texts = Texts.of(both, tokens, new=new, inside=self.inside, settings=settings)
        return texts, TextPartners(Earlier.of(self.earlier, texts.documents, settings))


#: new texts, compared with each other alone
ALONE = TextScope()


@dataclass(frozen=True, slots=True, eq=False)
class TextPartners:
    """All texts are at hand; what an earlier check has compared is taken over."""

    earlier: Earlier | None

    @property
    def near_references(self) -> None:
        """All texts are at hand."""
        return

    def near(self, near: Neighbours, signature: Fingerprints, new: int) -> Neighbours:
        """Return the close pairs as they are: all texts were looked at."""
        return near

    def candidates(self, texts: Texts, run: Run) -> Candidates:
        """Return the pairs worth aligning, and those that the earlier check lists."""
        tokenized = texts.tokens.texts
        chosen = candidates(
            tokenized,
            texts.tokens.winnowed,
            queries=texts.new,
            share=run.settings.candidate_share,
            step=run.step,
        )
        if self.earlier is None:
            return chosen
        pairs = unite_pairs(chosen.pairs, self.earlier.listed(), len(tokenized))
        return Candidates(pairs, chosen.guarantees)

    def frequencies(self, tokenized: Sequence[TokenizedText]) -> DocumentFrequencies | None:
        """Return the frequencies of the batch; those of the earlier check stand."""
        if self.earlier is not None:
            return self.earlier.result.frequencies
        return document_frequencies(tokenized) if len(tokenized) >= BATCH_FROM else None

    def align(
        self,
        tokenized: Sequence[TokenizedText],
        pairs: I64,
        df: DocumentFrequencies | None,
        *,
        listed: Bools,
        run: Run,
    ) -> tuple[Measured, int]:
        """Align the pairs that the earlier check has not looked at."""
        if self.earlier is None:
            return align_new(tokenized, pairs, df, listed=listed, run=run)
        done = self.earlier.done(pairs)
        fresh, lost = align_new(tokenized, pairs[~done], df, listed=listed[~done], run=run)
        before = self.earlier.measured(tokenized, pairs[done], min_run=run.settings.min_run)
        return _join_measured(fresh, before, done), lost

    def listed(self, table: PairTable, meanings: Meanings | None, texts: Texts) -> I64:
        """Return all rows."""
        return np.arange(len(texts))

    def significance(self, texts: Texts, df: DocumentFrequencies | None, run: Run) -> Significance:
        """Estimate it from unrelated pairs of the batch."""
        return sampled_significance(texts, df, run)

    def translations(self, texts: Texts, rows: I64, run: Run) -> Meanings | None:
        """Look for them among all texts."""
        if wants_meaning(run.settings):
            return None
        from ..translations.search import translations_of

        return translations_of(
            texts.counted,
            first_reference=texts.new,
            apart=texts.apart,
            pool=run.pool,
            step=run.step,
        )

    def facts(self) -> tuple[Guarantee, ...]:
        """Say how many texts the earlier check has compared."""
        return (Guarantee("earlier", {"n": self.earlier.texts}),) if self.earlier else ()


def align_new(
    tokenized: Sequence[TokenizedText],
    pairs: I64,
    df: DocumentFrequencies | None,
    *,
    listed: Bools,
    run: Run,
) -> tuple[Measured, int]:
    """Align pairs of which nothing is known; those that alone share something by less strength."""
    again = choose_again(tokenized, pairs, df, run.settings)
    once = np.ones(len(pairs), np.bool_)
    once[again.rows] = False
    measured, lost = align_pairs(
        tokenized,
        pairs[once],
        df,
        listed=listed[once],
        settings=run.settings,
        pool=run.pool,
        step=run.step,
    )
    if once.all():
        return measured, lost
    return _join_measured(
        measured, measure_again(again, tokenized, pairs, df, run=run), ~once
    ), lost


def _join_measured(fresh: Measured, before: Measured, done: Bools) -> Measured:
    """Return what was aligned now and what is `done`, by row of all pairs."""
    numbers, passages, stretches = PairNumbers.zeros(len(done)), [], []
    for chosen, part in ((~done, fresh), (done, before)):
        rows = np.flatnonzero(chosen)
        numbers.put(rows, part.numbers)
        passages.append(part.passages.of_pairs(rows[part.passages.pair]))
        stretches.append(part.stretches.of_pairs(rows[part.stretches.pair]))
    return Measured(Passages.join(passages), numbers, Stretches.join(stretches))


@dataclass(frozen=True, slots=True, eq=False)
class Earlier:
    """An earlier result by the rows of the texts now: `row[i]` is -1 for a new text, int64 (n,)."""

    result: CheckResult
    row: I64

    @classmethod
    def of(
        cls, result: CheckResult | None, documents: Sequence[Document], settings: Settings
    ) -> Earlier | None:
        """Return what can be taken over; None where another check would not find the same.

        Notes
        -----
        Taken over are pairs of which both texts are unchanged, under equal settings, by the same
        version, with the same text left out as a template. Common phrases weigh as they did:
        the frequencies of the earlier batch are used for new pairs too.
        """
        if result is None or result.version != __version__:
            return None
        if any(fact.code in _IN_PART for fact in result.guarantees):
            return None
        same = {name: getattr(settings, name) for name in ("translated", "meaning", "ocr")}
        before = replace(result.settings, **same)
        if before != settings:
            return None
        if settings.skip_same_person or settings.skip_same_group or not settings.passages:
            return None  # pairs were left out by names, which can change
        if (result.frequencies is None) != (len(documents) < BATCH_FROM):
            return None
        rows = {_key(document): row for row, document in enumerate(result.documents)}
        return cls(result, np.array([rows.get(_key(document), -1) for document in documents]))

    @property
    def texts(self) -> int:
        """How many texts the earlier check has compared with each other."""
        return int((self.row >= 0).sum())

    def done(self, pairs: I64) -> Bools:
        """Return which pairs the earlier check has looked at, bool (m,)."""
        sides = self.row[pairs]
        compared = sides.min(axis=1) < self.result.checked
        return np.asarray((sides >= 0).all(axis=1) & compared)

    def listed(self) -> I64:
        """Return the pairs with passages, by the rows now, int64 (c, 2), left < right, sorted."""
        now: dict[int, list[int]] = {}
        for at, row in enumerate(self.row.tolist()):
            now.setdefault(row, []).append(at)
        table = self.result.table.pairs
        held = np.unique(self.result.passages.pair)
        sides = zip(table.left[held].tolist(), table.right[held].tolist(), strict=True)
        pairs = {
            (min(a, b), max(a, b))
            for left, right in sides
            for a in now.get(left, ())
            for b in now.get(right, ())
        }
        return np.array(sorted(pairs), np.int64).reshape(-1, 2)

    def passages(self, pairs: I64) -> Passages:
        """Return the passages of pairs, `pair` being the row of `pairs`."""
        table, n = self.result.table.pairs, len(self.result.documents)
        sides = self.row[pairs]
        keys = np.sort(sides, axis=1) @ [n, 1]
        of_table = table.left * n + table.right
        at = np.searchsorted(of_table, keys)
        listed = at < len(of_table)
        listed[listed] = of_table[at[listed]] == keys[listed]
        first, last = (
            np.where(listed, np.searchsorted(self.result.passages.pair, at, side), 0)
            for side in ("left", "right")
        )
        count = last - first
        rows = np.repeat(np.arange(len(pairs)), count)
        inside = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
        taken = self.result.passages.take(np.repeat(first, count) + inside).of_pairs(rows)
        turned = sides[rows, 0] > sides[rows, 1]
        return Passages.join([taken.take(~turned), taken.take(turned).turned()])

    def measured(self, tokenized: Sequence[TokenizedText], pairs: I64, *, min_run: int) -> Measured:
        """Return the passages of pairs, and what they amount to."""
        passages = self.passages(pairs)
        return Measured(
            passages, *coverage.sum_up_pairs(tokenized, pairs, passages, min_run=min_run)
        )


def _key(document: Document) -> tuple[object, ...]:
    """Return what makes a text the same one: its content, and what of it counts nowhere."""
    left_out = ((one.start, one.end) for one in document.notes if one.code == "template")
    misread = ((one.start, one.end, one.meant) for one in misreadings_of(document))
    return document.id, *sorted(left_out), *misread
