"""Packed postings are the plain ones, and bytes that are none are refused."""

from __future__ import annotations

import functools
from dataclasses import fields
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from text.handmade import number

from simhash_core import Document
from simhash_core.library.imports import import_documents
from simhash_core.library.segments import LOOPS, PackedPostings, Segment
from simhash_core.model import I32, I64, U8
from simhash_core.passages.blocks import BlockPostings
from simhash_core.storage.library import Library, prepare
from tests.library_texts import opened_index
from tests.prose import chinese, english

TOKENS = st.lists(st.integers(0, 30), max_size=40)


def assert_equal(one: Any, other: Any) -> None:
    for field in fields(one):
        np.testing.assert_array_equal(getattr(one, field.name), getattr(other, field.name))


def plain_of(texts: list[list[int]], width: int = 3) -> BlockPostings:
    feature = np.array([token for text in texts for token in text], np.int32)
    size = np.array([len(text) for text in texts], np.int64)
    place = np.concatenate([np.empty(0, np.int64), *(np.arange(len(text)) for text in texts)])
    return BlockPostings.of_entries(
        feature, np.repeat(np.arange(len(texts)), size), place, size, width
    )


@given(st.lists(TOKENS, max_size=8), st.lists(st.integers(0, 40), unique=True, max_size=12))
def test_postings_are_what_was_packed(texts: list[list[int]], wanted: list[int]) -> None:
    plain, features = plain_of(texts), np.array(sorted(wanted), np.int32)
    packed = PackedPostings.of(plain)

    assert_equal(packed.plain(), plain)
    assert_equal(packed.of_features(features), plain.of_features(features))
    np.testing.assert_array_equal(packed.in_blocks(features), plain.in_blocks(features))
    assert (packed.blocks, packed.tokens) == (plain.blocks, plain.tokens)


def packed_plainly(blocks: list[int]) -> bytes:
    return b"".join(number(block - before - 1) for before, block in pairwise([-1, *blocks]))


@given(st.lists(st.sets(st.integers(0, 2**31 - 2), min_size=1, max_size=9), max_size=6))
def test_bytes_are_those_of_plain_python(features: list[set[int]]) -> None:
    block = np.array([block for one in features for block in sorted(one)], np.int32)
    indptr = np.concatenate([[0], np.cumsum([len(one) for one in features], dtype=np.int64)])
    parts = [packed_plainly(sorted(one)) for one in features]
    bounds = np.cumsum([0, *map(len, parts)])

    written, ends = np.empty(5 * len(block), np.uint8), np.empty(len(parts), np.int64)
    size = LOOPS.pack(indptr, len(parts), block, written, ends)

    assert written[:size].tobytes() == b"".join(parts)
    np.testing.assert_array_equal(ends, bounds[1:])
    blocks = unpacked(written[:size], bounds[:-1], ends, indptr, 2**31 - 1)
    np.testing.assert_array_equal(blocks, block)


def unpacked(data: U8, low: I64, high: I64, indptr: I64, blocks: int) -> I32:
    block = np.empty(int(indptr[-1]), np.int32)
    LOOPS.unpack(data, len(data), low, high, indptr, len(low), blocks, block)
    return block


@pytest.mark.parametrize(
    ("data", "high", "blocks"),
    [
        ([5, 133], 2, 300),  # ends within a number
        ([5, 0, 0], 3, 300),  # more numbers than blocks are wanted
        ([5], 1, 300),  # fewer
        ([5, 0], 3, 300),  # ends behind the bytes
        ([5, 200, 1], 3, 100),  # a block that is not there
        ([1, 128, 128, 128, 128, 128, 0], 7, 300),  # a number without an end
    ],
)
def test_bytes_that_are_no_postings_are_refused(data: list[int], high: int, blocks: int) -> None:
    given = np.array(data, np.uint8), np.array([0]), np.array([high]), np.array([0, 2])
    with pytest.raises(ValueError, match="cannot be read"):
        unpacked(*given, blocks)


def test_segments_take_stored_fingerprints_and_make_those_that_are_missing(tmp_path: Any) -> None:
    documents = [
        Document.from_text(text, name=f"{n}.txt")
        for n, text in enumerate([english(1, 150), chinese(3, 200), "Too short.", english(5, 90)])
    ]
    with Library.open(tmp_path / "a.library", owner="a", create=True) as library:
        import_documents(library, "2025", documents[:3])
        stored = opened_index(library, folder=tmp_path / "stored")
        library.add("2025", [prepare(documents[3])])  # without a fingerprint
        stored.refresh()
        library.set_recipe("of another version")
        made = opened_index(library, folder=tmp_path / "made")
        parts = [index.archive().segments for index in (stored, made)]
        one, other = (functools.reduce(Segment.merged, segments) for segments in parts)

        assert one.valid.tolist() == [True, True, False, True]
        np.testing.assert_array_equal(one.words, other.words)
        np.testing.assert_array_equal(one.valid, other.valid)
