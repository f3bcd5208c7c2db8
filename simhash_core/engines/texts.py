"""Rows of a table to texts as numbers, and what is counted over all of them: batch by batch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..checking.aligning import place_digest
from ..checking.evidence import equality
from ..checking.fingerprinting import fingerprint_batch
from ..checking.tokenizing import tokenize_texts
from ..library.tables import document_of_row
from ..model import I64, CorpusStats, Document, Features
from ..passages.blocks import RULES, BlockPostings
from ..passages.tokenized import TokenizedText, features_of
from ..passages.winnow import Winnowed
from ..settings import Settings
from .batches import (
    Batches,
    array,
    batch_of,
    binary_fields,
    fingerprint_columns,
    records_in,
    records_to_columns,
    word_schema,
)

ROWS = "name string, id string, text string, code string"
SORTED = "part int, place bigint, name string, id string, text string"
DOCUMENTS = "row bigint, name string, id string, text string"
FACTS = (
    "row bigint, name string, id string, language string, tokens bigint, singles bigint, "
    "hashes bigint, length bigint, digest binary, equal binary"
)
TEXTS = (
    f"{FACTS}, {binary_fields(TokenizedText)}, {binary_fields(Winnowed)}, "
    "words array<string>, counts array<int>"
)
WORD_COUNTS = "word string, documents bigint"
SPREADS = "unit string, feature int, count bigint, blocks bigint, documents bigint"
FREQUENCIES = "frequencies"  # the unit that counts documents alone

STEP = lambda *_: None  # noqa: E731  a stage reports, not each of its batches


def read_rows(batches: Batches, *, fields: tuple[str, ...]) -> Iterator[pa.RecordBatch]:
    """Read rows of a table, whose columns are `fields`, as documents or as why they are none."""
    for batch in batches:
        read = [
            document_of_row(dict(zip(fields, row.values(), strict=True)), place="")
            for row in batch.to_pylist()
        ]
        rows = [
            (one.name, one.id, one.text, None)
            if isinstance(one, Document)
            else (one.name, None, None, one.code)
            for one in read
        ]
        columns = zip(*rows, strict=True) if rows else ((),) * 4
        names = ("name", "id", "text", "code")
        yield batch_of({name: pa.array(list(held), pa.string())
                        for name, held in zip(names, columns, strict=True)})  # fmt: skip


def number_rows(batches: Batches) -> Iterator[pa.RecordBatch]:
    """Say of each text in which task and at which place of it the order has put it."""
    from pyspark import TaskContext

    context, places = TaskContext.get(), count()
    for batch in batches:
        place = np.fromiter(places, np.int64, batch.num_rows)
        part = np.full(batch.num_rows, context.partitionId() if context else 0, np.int32)
        held = {name: batch.column(name) for name in ("name", "id", "text")}
        yield batch_of({"part": part, "place": place, **held})


def place_rows(batches: Batches, *, first: Mapping[int, int]) -> Iterator[pa.RecordBatch]:
    """Give each text its row; `first` is that of the first text of each task."""
    for batch in batches:
        part, place = array(batch, "part"), array(batch, "place")
        row = place + np.array([first[one] for one in part.tolist()], np.int64)
        held = {name: batch.column(name) for name in ("name", "id", "text")}
        yield batch_of({"row": row, **held})


def tokenize_rows(batches: Batches, *, settings: Settings) -> Iterator[pa.RecordBatch]:
    """Turn texts into numbers, as `checking.tokenizing` does."""
    for batch in batches:
        if not batch.num_rows:
            continue
        features, placed = tokenize_texts(batch.column("text").to_pylist(), settings)
        texts, hashes = [one for one, _ in placed], [winnowed for _, winnowed in placed]
        names = batch.column("id").to_pylist()
        columns = {
            **{name: batch.column(name) for name in ("row", "name", "id")},
            "language": pa.array([text.language for text in texts]),
            "tokens": _numbers(map(len, texts)),
            "singles": _numbers(int(text.single.sum()) for text in texts),
            "hashes": _numbers(map(len, hashes)),
            "length": features.length,
            "digest": pa.array(list(map(place_digest, texts)), pa.binary()),
            "equal": pa.array(
                [equality(*one) if len(one[1]) else b"" for one in zip(names, texts, strict=True)],
                pa.binary(),
            ),
            **records_to_columns(texts, TokenizedText),
            **records_to_columns(hashes, Winnowed),
            "words": pa.ListArray.from_arrays(
                pa.array(features.indptr.astype(np.int32)),
                pa.array(features.vocabulary, pa.string()).take(pa.array(features.token)),
            ),
            "counts": pa.ListArray.from_arrays(
                pa.array(features.indptr.astype(np.int32)), pa.array(features.count)
            ),
        }
        yield batch_of(columns)


def _numbers(values: object) -> I64:
    return np.fromiter(values, np.int64)  # type: ignore[call-overload, no-any-return]


def features_in(batch: pa.RecordBatch) -> Features:
    """Return the counted words of some texts."""
    held = batch.column("words").flatten().dictionary_encode()
    token = held.indices.to_numpy(zero_copy_only=False).astype(np.int32)
    size = pc.list_value_length(batch.column("words")).to_numpy(zero_copy_only=False)
    order = np.lexsort((token, np.repeat(np.arange(len(size)), size)))
    counts = batch.column("counts").flatten().to_numpy(zero_copy_only=False)
    return Features(
        tuple(held.dictionary.to_pylist()),
        np.concatenate([[0], np.cumsum(size, dtype=np.int64)]),
        token[order],
        counts[order].astype(np.int32),
        array(batch, "length"),
    )


def count_words(batches: Batches) -> Iterator[pa.RecordBatch]:
    """Count in how many texts of a batch each word occurs."""
    for batch in batches:
        counted = batch.column("words").flatten().value_counts()
        columns = {"word": counted.field("values"), "documents": counted.field("counts")}
        yield batch_of(columns)


def fingerprint_rows(
    batches: Batches, *, settings: Settings, stats: CorpusStats
) -> Iterator[pa.RecordBatch]:
    """Fingerprint texts by the words of all; `stats` need hold only words that many share."""
    for batch in batches:
        if not batch.num_rows:
            continue
        made = fingerprint_batch([], features_in(batch), settings=settings, step=STEP, stats=stats)
        columns = fingerprint_columns(made.background, made.batch)
        yield batch_of({"row": batch.column("row"), **columns})


def fingerprint_schema(words: int, *, batch: bool) -> str:
    """Return the columns of fingerprints as Spark writes a schema."""
    of_batch = f", batch_valid boolean, {word_schema(words, prefix='batch_')}" if batch else ""
    return f"row bigint, valid boolean, {word_schema(words)}{of_batch}"


def spread_rows(batches: Batches) -> Iterator[pa.RecordBatch]:
    """Count how features are spread over the blocks of some texts, and in how many texts."""
    for batch in batches:
        texts = records_in(batch, TokenizedText)
        held: dict[str, list[TokenizedText]] = {}
        for text in texts:
            held.setdefault(text.language, []).append(text)
        for unit, of_unit in held.items():
            postings = BlockPostings.of(of_unit, RULES[unit].width)
            documents = postings.documents[postings.block]
            new = np.concatenate([[True], documents[1:] != documents[:-1]])[: len(documents)]
            new[postings.indptr[:-1]] = True
            yield _spread(
                unit,
                postings.feature,
                postings.count,
                np.diff(postings.indptr),
                np.add.reduceat(new, postings.indptr[:-1], dtype=np.int64),
            )
        if texts:
            distinct = np.concatenate([np.unique(features_of(text)) for text in texts])
            feature, documents = np.unique(distinct, return_counts=True)
            none = np.zeros(len(feature), np.int64)
            yield _spread(FREQUENCIES, feature, none, none, documents)


def _spread(unit: str, feature: object, count: I64, blocks: I64, documents: I64) -> pa.RecordBatch:
    columns = {"feature": feature, "count": count, "blocks": blocks, "documents": documents}
    return batch_of({"unit": pa.array([unit] * len(count), pa.string()), **columns})
