"""Blocks: the whole word is cut, nothing is lost, and keys hold the right bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.simhash.search.blocks import (
    Scheme,
    block_spans,
    divide,
    find_remaining,
    keys,
    masks,
    pieces,
    scheme_routes,
    shorten,
    width,
)

BITS = st.sampled_from([8, 16, 32, 64, 128, 192, 256])


def test_block_spans_and_routes_are_the_known_ones() -> None:
    assert block_spans(64, 4) == ((0, 16), (16, 16), (32, 16), (48, 16))
    assert [wide for _, wide in block_spans(64, 6)] == [11, 11, 11, 11, 10, 10]
    assert len(scheme_routes(64, Scheme(5, 2))) == 10
    assert Scheme(5, 2).exact_to == 3
    assert Scheme(5, 2).name == "C(5,2)"


@given(BITS, st.integers(1, 8))
def test_block_spans_tile_the_word(bits: int, blocks: int) -> None:
    spans = block_spans(bits, blocks)

    assert [bit for start, wide in spans for bit in range(start, start + wide)] == [*range(bits)]


def test_divide_refuses_more_parts_than_bits() -> None:
    with pytest.raises(ValueError, match="cannot cut"):
        divide(((0, 3),), 4)


@given(BITS, st.data())
def test_scheme_routes_meet_every_pair_within_reach(bits: int, data: st.DataObject) -> None:
    """The theorem itself: any k damaged bits leave some route untouched."""
    choose = data.draw(st.integers(1, 2))
    k = data.draw(st.integers(0, min(6, bits - choose)))
    damaged = data.draw(st.sets(st.integers(0, bits - 1), max_size=k))
    routes = scheme_routes(bits, Scheme(k + choose, choose))

    untouched = [
        all(start + wide <= bit or bit < start for bit in damaged for start, wide in route)
        for route in routes
    ]
    assert any(untouched)


@given(BITS, st.integers(2, 8), st.data())
def test_remaining_and_route_make_the_word(bits: int, blocks: int, data: st.DataObject) -> None:
    spans = block_spans(bits, blocks)
    route = tuple(data.draw(st.lists(st.sampled_from(spans), unique=True, max_size=blocks)))

    both = [*route, *find_remaining(route, bits)]
    assert sorted(bit for start, wide in both for bit in range(start, start + wide)) == [
        *range(bits)
    ]


@given(BITS, st.data())
def test_keys_read_the_bits_left_to_right(bits: int, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, bits - 1))
    wide = data.draw(st.integers(1, min(64, bits - start)))
    value = data.draw(st.integers(0, 2**bits - 1))
    count = max(1, bits // 64)
    columns = np.array(
        [[value >> 64 * (count - 1 - word) & (2**64 - 1)] for word in range(count)], np.uint64
    )

    key = keys(columns, pieces(((start, wide),), bits))
    expected = int(f"{value:0{bits}b}"[start : start + wide], 2)
    assert int(key[0]) == expected


def test_masks_cover_the_route_and_shorten_keeps_its_first_bits() -> None:
    mask = masks([((60, 8),)], 128, 2)
    assert mask.tolist() == [[0xF, 0xF << 60]]
    assert shorten(((0, 4), (8, 8)), 6) == ((0, 4), (8, 2))
    assert shorten(((0, 4),), 9) == ((0, 4),)
    assert shorten(((0, 4),), 0) == ()
    assert width(((0, 4), (8, 8))) == 12
