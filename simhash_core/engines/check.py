"""The stages of a check on a cluster, each as a table of the cluster (`checking.evidence.Stages`).

The driver holds some 150 bytes a text (fingerprints, sizes), the pairs that are listed and their
passages; never a text or its tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from ..checking.aligning import Measured, copy_measured, distinct_work
from ..checking.evidence import Shared, add_whole, find_shared, pairs_of_equal
from ..checking.fingerprinting import FingerprintedBatch, recipe_of
from ..model import F32, I64, Bools, CorpusStats, DocumentFrequencies, Fingerprints
from ..passages.blocks import RULES, compared_blocks, keep_within_budget, surprise
from ..passages.candidates import LANGUAGES, chosen_of, limit_holders, list_affordable
from ..passages.coverage import PairNumbers
from ..passages.rare_words import PairScores
from ..passages.tokenized import TokenizedText
from ..policy import BATCH_FROM, SCORED_PAIRS, SEARCH_BUDGET, SHARED_WORDS
from ..settings import Settings
from ..simhash.neighbours import Neighbours, neighbours
from ..simhash.search import SearchResult
from ..simhash.search.plan import linear_plan
from . import alignment, texts, tiles
from .batches import WORD, array, binary_fields, records_in, words_in
from .batches import table_of as table_of_columns
from .pairs import groups_and_pairs, pairs_within
from .stages import Stages, fetch_table
from .texts import FREQUENCIES, STEP
from .tiles import CHUNK_TEXTS, Grid


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """What a check leaves on the driver."""

    facts: pa.Table  # one row a text: see `texts.FACTS`
    fingerprinted: FingerprintedBatch
    shared: Shared
    overlap: pa.Table  # row, total, identical


class Check:
    """One check; each stage is made when something asks for it."""

    def __init__(
        self, stages: Stages, documents: DataFrame, settings: Settings, *, chunk: int = CHUNK_TEXTS
    ) -> None:
        self._stages, self._settings, self._chunk = stages, settings, chunk
        self._documents = documents

    # ------------------------------------------------------------------ texts and fingerprints

    @cached_property
    def texts(self) -> DataFrame:
        """Texts as numbers, `texts.TEXTS`."""
        return self._stages.stage(
            "texts",
            lambda: self._stages.mapped(
                self._documents, texts.tokenize_rows, texts.TEXTS, settings=self._settings
            ),
        )

    @cached_property
    def facts(self) -> pa.Table:
        """What the driver knows of each text, by row."""
        names = [column.split()[0] for column in texts.FACTS.split(", ")]
        return fetch_table(self.texts.select(*names), "row")

    @property
    def _grid(self) -> Grid:
        return Grid.of(self.facts.num_rows, self._chunk)

    def _stats(self) -> CorpusStats:
        """Count the texts of each word; only words that enough texts share are fetched."""
        n = self.texts.count()
        if not self._settings.batch_signature or n < BATCH_FROM:
            return CorpusStats(n, {})
        counted = self._stages.mapped(
            self.texts.select("words"), texts.count_words, texts.WORD_COUNTS
        )
        summed = counted.groupBy("word").agg(F.sum("documents").alias("documents"))
        words = self._stages.stage("words", lambda: summed)
        common = fetch_table(words.where(F.col("documents") > SHARED_WORDS * n), "word")
        counts = (common.column(name).to_pylist() for name in ("word", "documents"))
        return CorpusStats(n, dict(zip(*counts, strict=True)))

    @cached_property
    def fingerprints(self) -> DataFrame:
        """Both signatures of each text."""
        stats = self._stats()
        schema = texts.fingerprint_schema(
            max(1, self._settings.bits // 64),
            batch=self._settings.batch_signature and stats.n >= BATCH_FROM,
        )
        counted = self.texts.select("row", "words", "counts", "length")
        return self._stages.stage(
            "fingerprints",
            lambda: self._stages.mapped(
                counted, texts.fingerprint_rows, schema, settings=self._settings, stats=stats
            ),
        )

    @cached_property
    def fingerprinted(self) -> FingerprintedBatch:
        """The fingerprints of all texts; their words stay on the cluster."""
        table = fetch_table(self.fingerprints, "row")
        stats = CorpusStats(self.facts.num_rows, {})
        recipe, bits = recipe_of(self._settings, stats), self._settings.bits
        background = Fingerprints(words_in(table), array(table, "valid"), bits, recipe)
        batch = None
        names = [name for name in table.column_names if name.startswith("batch_")]
        if names:
            held = table.select(names)
            held = held.rename_columns([name.removeprefix("batch_") for name in names])
            batch = Fingerprints(words_in(held), array(held, "valid"), bits, f"{recipe}/batch")
        return FingerprintedBatch(array(self.facts, "length"), stats, background, batch)

    @cached_property
    def near(self) -> Neighbours:
        """Pairs inside the wide net, by either signature."""
        made = self.fingerprinted
        return neighbours(
            made.background,
            made.batch,
            first_reference=len(made.background),
            at_least=self._settings.widest_net,
            step=STEP,
            search=self._search,
        )

    def _search(self, fingerprints: Fingerprints, k: int) -> SearchResult:
        """Search the pairs within k bits of one signature on the cluster."""
        prefix = "batch_" if fingerprints.recipe.endswith("/batch") else ""
        held = self.fingerprints.where(f"{prefix}valid")
        count = fingerprints.words.shape[1]
        words = held.select(
            "row", *(F.col(f"{prefix}{WORD}{at}").alias(f"{WORD}{at}") for at in range(count))
        )
        equal, pairs = pairs_within(
            self._stages, words, bits=fingerprints.bits, k=k, name=f"{prefix or 'background_'}"
        )
        group, listed = groups_and_pairs(equal, pairs, len(fingerprints))
        return SearchResult(group, listed, linear_plan(fingerprints.bits, k), 0, 0, 0, ())

    # ------------------------------------------------------------------ candidates

    @cached_property
    def spreads(self) -> DataFrame:
        """How features are spread over blocks and texts, by unit."""
        counted = self._stages.mapped(self.texts, texts.spread_rows, texts.SPREADS)
        sums = [F.sum(name).alias(name) for name in ("count", "blocks", "documents")]
        return self._stages.stage("features", lambda: counted.groupBy("unit", "feature").agg(*sums))

    def _frequencies(self) -> DocumentFrequencies | None:
        """Return the features of more than a third of the texts: others weigh the same anyway."""
        n = self.facts.num_rows
        if n < BATCH_FROM:
            return None
        common = self.spreads.where(F.col("unit") == FREQUENCIES).where(F.col("documents") * 3 > n)
        table = fetch_table(common.select("feature", "documents"), "feature")
        return DocumentFrequencies(
            n, array(table, "feature").astype(np.int32), array(table, "documents")
        )

    def candidates(self) -> I64:
        """Return the pairs worth aligning, int64 (m, 2), sorted."""
        size = array(self.facts, "tokens")
        every = list_affordable(size, len(size))
        if every is not None:
            return every.pairs
        share = self._settings.candidate_share
        scores, alike = self._scores(), self._alike(share)
        return chosen_of(size, scores, alike, queries=len(size), share=share).pairs

    def _weigh_rows(self) -> tuple[dict[str, tiles.Weighed], dict[str, int]]:
        """Return the weights of the features of each unit, and the floor of a score."""
        tokens = array(self.facts, "tokens")
        languages = np.array(self.facts.column("language").to_pylist(), np.str_)
        weights, floors = {}, {}
        for unit in LANGUAGES:
            size = tokens[languages == unit]
            rule = RULES[unit]
            table = fetch_table(self.spreads.where(F.col("unit") == unit), "feature")
            count, blocks = array(table, "count"), array(table, "blocks")
            total = max(int(count.sum()), 1)
            weight = surprise(count, total, width=rule.width, margin=rule.margin)
            weight[array(table, "documents") < 2] = 0
            visits = blocks * (blocks - blocks / 2)
            held = keep_within_budget(
                weight, in_blocks=blocks, visits=visits, share=count / total, budget=SEARCH_BUDGET
            )
            chosen = np.flatnonzero(held.weight)
            feature = array(table, "feature").astype(np.int32)
            weights[unit] = feature[chosen], held.weight[chosen]
            of_unit = int(((size + rule.width - 1) // rule.width).sum())
            floors[unit] = rule.floor(compared_blocks(of_unit, of_unit))
        return weights, floors

    def _scores(self) -> PairScores:
        """Join the texts by rare words."""
        stages, grid = self._stages, self._grid
        weights, floors = self._weigh_rows()
        everything = self.facts.num_rows**2 <= SCORED_PAIRS

        def joined() -> DataFrame:
            sent = stages.mapped(
                self.texts, tiles.scatter_blocks, tiles.BLOCKS, weights=weights, grid=grid
            )
            grouped = stages.together(sent, "unit", "tile")
            options = {"floors": floors, "everything": everything, "grid": grid}
            return stages.mapped(grouped, tiles.join_tiles, tiles.SCORES, **options)

        table = fetch_table(stages.stage("rare_words", joined))
        pairs = np.stack([array(table, "left"), array(table, "right")], axis=1)
        return PairScores.of([PairScores(pairs, array(table, "above"))])

    def _alike(self, share: float) -> I64:
        """Return pairs that share winnowed hashes, int64 (m, 2)."""
        stages, grid = self._stages, self._grid
        exploded = stages.mapped(self.texts, tiles.explode_hashes, tiles.HASHES)
        grouped = stages.together(exploded, "value")
        held = stages.stage("hashes", lambda: stages.mapped(grouped, tiles.hold, tiles.HELD))
        counts = fetch_table(held.groupBy("held").agg(F.count("value").alias("rows")), "held")
        times, rows = array(counts, "held"), array(counts, "rows")
        single = int(array(self.facts, "hashes").sum() - rows.sum())
        texts, hashes = np.append(1, times), np.append(single, rows // times)
        options = {"limits": limit_holders(self.facts.num_rows, texts, hashes), "share": share}

        def joined() -> DataFrame:
            sent = stages.mapped(held, tiles.scatter_hashes, tiles.HASH_TILES, grid=grid)
            tiled = stages.together(sent, "tile")
            return stages.mapped(tiled, tiles.share_tiles, tiles.ALIKE, grid=grid, **options)

        table = fetch_table(stages.stage("alike", joined), "left", "right")
        return np.stack([array(table, "left"), array(table, "right")], axis=1)

    # ------------------------------------------------------------------ alignment

    def equal(self) -> I64:
        """Return the pairs of equal texts, int64 (e, 2)."""
        keys = self.facts.column("equal").to_pylist()
        first: dict[bytes, int] = {}
        group = [first.setdefault(key, row) if key else row for row, key in enumerate(keys)]
        return pairs_of_equal(np.array(group, np.int64), len(keys))

    def _grouped(self, pairs: I64, listed: object, cost: I64, *columns: str) -> DataFrame:
        """Send the texts of each group of pairs to one task, with what each is compared with."""
        groups = alignment.groups_of(pairs, cost[pairs].sum(axis=1), self._grid)
        asked = self._stages.frame(alignment.partners(pairs, np.asarray(listed), groups))
        joined = self.texts.select("row", *columns).join(asked, "row")
        return self._stages.together(joined, "group").sortWithinPartitions("group", "row")

    def aligned(self, pairs: I64, listed: Bools) -> Measured:
        """Align the pairs; `pair` of the result and the numbers are by row of `pairs`."""
        n, df = self.facts.num_rows, self._frequencies()
        digests = self.facts.column("digest").to_pylist()
        first: dict[bytes, int] = {}
        alike = np.array([first.setdefault(key, row) for row, key in enumerate(digests)])
        once, which = distinct_work(alike, pairs, listed)
        columns = [name.split()[0] for name in binary_fields(TokenizedText).split(", ")]
        cost = array(self.facts, "tokens")
        table = fetch_table(
            self._stages.stage(
                "aligned",
                lambda: self._stages.mapped(
                    self._grouped(pairs[once], listed[once], cost, *columns),
                    alignment.align_groups,
                    alignment.ALIGNED,
                    settings=self._settings,
                    df=df,
                ),
            ),
            "left",
            "right",
        )
        ends, marks, measured = alignment.read_measured(table)
        keys = 2 * (pairs[once] @ [n, 1]) + listed[once]
        order = np.argsort(keys)
        rows = order[np.searchsorted(keys[order], 2 * (ends @ [n, 1]) + marks)]
        numbers = PairNumbers.zeros(len(once))
        numbers.put(rows, measured.numbers)
        placed = Measured(
            measured.passages.of_pairs(rows[measured.passages.pair]),
            numbers,
            measured.stretches.of_pairs(rows[measured.stretches.pair]),
        )
        return copy_measured(placed, which)

    def with_whole(self, aligned: Measured, pairs: I64, equal: I64) -> Measured:
        """Add equal texts that are too short for the alignment; these few are fetched."""
        if not len(equal):
            return aligned
        rows = self._stages.of({"row": np.unique(equal)})
        table = fetch_table(self.texts.join(rows, "row"), "row")
        held = dict(
            zip(array(table, "row").tolist(), records_in(table, TokenizedText), strict=True)
        )
        return add_whole(aligned, held, pairs, equal, n=self.facts.num_rows)

    def contained(self, left: I64, right: I64) -> F32:
        """Return the containment of pairs, computed on the cluster."""
        pairs = np.stack([left, right], axis=1)
        columns = ("value", "first", "last")
        grouped = self._grouped(
            pairs, np.zeros(len(pairs), np.bool_), array(self.facts, "hashes"), *columns
        )
        made = self._stages.stage(
            "containment",
            lambda: self._stages.mapped(grouped, alignment.contain_groups, alignment.SHARES),
        )
        return alignment.shares_in(fetch_table(made, "left", "right"))(left, right)

    def _overlap(self, shared: Shared) -> pa.Table:
        """Return the share of each text that others hold."""
        if not self._settings.passages:
            return table_of_columns(alignment.NO_OVERLAP)
        spans = self._stages.of(alignment.spans_by_row(shared.pairs, shared.stretches))
        joined = self.texts.join(spans, "row")
        made = self._stages.stage(
            "overlap",
            lambda: self._stages.mapped(joined, alignment.overlap_rows, alignment.OVERLAPS),
        )
        return fetch_table(made, "row")

    def run(self) -> Checked:
        """Do the check: every stage here, what follows from them as on one machine."""
        shared = find_shared(self, self.fingerprinted, self.near, self._settings)
        return Checked(self.facts, self.fingerprinted, shared, self._overlap(shared))
