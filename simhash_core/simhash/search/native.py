"""The loops over candidate pairs in C, under the names of `readable`."""

from __future__ import annotations

import ctypes
from typing import Any, ClassVar

import numpy as np

from ...machine.native import (
    BOOLS,
    I32,
    I64,
    INT,
    U16,
    U64,
    WORD,
    Record,
    function,
    procedure,
    record,
)
from ...model import I32 as Ints
from ...model import I64 as Whole
from ...model import U16 as Short
from ...model import U64 as Words
from ...model import Bools
from .readable import PARTS, Hits

_Columns = record(
    words=U64,
    width=INT,
    n=INT,
)
_Masks = record(
    mask=U64,
    count=INT,
)
_Call = record(
    columns=_Columns,
    tiles=I64,
    bounds=I64,
    order=I64,
    light=BOOLS,
    family=I32,
    tile_count=INT,
    bucket_count=INT,
    families=INT,
    bits=INT,
    k=WORD,
    earlier=_Masks,
    parent=I64,
    counts=I64,
    hits=ctypes.c_void_p,
)
_Probe = record(
    queries=_Columns,
    columns=_Columns,
    words=U64,
    order=I64,
    heads=I32,
    shifts=I64,
    parts=I64,
    masks=U64,
    tables=INT,
    rows=INT,
    heads_each=INT,
    pieces=INT,
    k=WORD,
    hits=ctypes.c_void_p,
)


class _Hits(ctypes.Structure):
    _fields_: ClassVar = [
        ("left", ctypes.c_void_p),
        ("right", ctypes.c_void_p),
        ("distance", ctypes.c_void_p),
        ("count", INT),
        ("room", INT),
    ]


_scan, _join, _across, _histogram, _link = (
    function(f"search_{name}", _Call) for name in ("scan", "join", "across", "histogram", "link")
)
_probe = function("search_probe", _Probe)
_release = procedure("search_release", _Hits)
_pack = procedure("search_pack", _Columns, I64, INT, U64, I64, INT, INT, INT, U64)
_buckets = procedure("search_buckets", U64, INT, I64, INT, INT, I64, I64, I64)
_turned = procedure("search_turned", U64, INT, I64, INT, U64)
_edges = function("search_edges", U64, INT, INT, I64)
_first_rows = function("search_first_rows", U64, INT, U64, INT, INT, I64, I64)
_packed = procedure("search_packed", I64, I64, U16, INT, I64, INT, U64)
_spread = procedure("search_spread", U64, INT, INT, U64, I64)
_unpack = procedure("search_unpack", U64, INT, INT, I64, I64, U16)

_NO_INTS, _NO_BOOLS, _NO_SHORT = np.empty(0, np.int64), np.empty(0, np.bool_), np.empty(0, np.int32)


def _columns(columns: Words) -> Record:
    return _Columns(np.ascontiguousarray(columns), *columns.shape)


def _call(columns: Words, k: int, **given: Any) -> Record:
    """Return the arguments of a loop; arrays that it does not need are empty."""
    earlier = given.get("earlier", np.empty((0, len(columns)), np.uint64))
    empty = {"light": _NO_BOOLS, "family": _NO_SHORT}
    tiles, bounds, order, light, family = (
        given.get(name, empty.get(name, _NO_INTS))
        for name in ("tiles", "bounds", "order", "light", "family")
    )
    sizes = (len(tiles), max(0, len(bounds) - 1), len(family), given.get("bits", 0), k)
    masks = _Masks(np.ascontiguousarray(earlier), len(earlier))
    written = (given.get("parent", _NO_INTS), given.get("counts", _NO_INTS))
    hits = ctypes.addressof(given["hits"]) if "hits" in given else None
    arrays = (_columns(columns), np.ascontiguousarray(tiles), bounds, order, light, family)
    return _Call(*arrays, *sizes, masks, *written, hits)


def _taken(hits: _Hits) -> Hits:
    """Return the hits as arrays, and free what held them."""
    left, right = np.empty(hits.count, np.int64), np.empty(hits.count, np.int64)
    distance = np.empty(hits.count, np.uint16)
    for array, address in ((left, hits.left), (right, hits.right), (distance, hits.distance)):
        if hits.count:
            ctypes.memmove(array.ctypes.data, address, array.nbytes)
    _release(ctypes.byref(hits))
    return left, right, distance


def scan(columns: Words, tiles: Whole, k: int, earlier: Words) -> Hits:
    """See `readable.scan`."""
    hits = _Hits()
    _scan(_call(columns, k, tiles=tiles, earlier=earlier, hits=hits))
    return _taken(hits)


def join(columns: Words, bounds: Whole, light: Bools, family: Ints, k: int, earlier: Words) -> Hits:
    """See `readable.join`."""
    hits = _Hits()
    given = {"bounds": bounds, "light": light, "family": family, "earlier": earlier}
    _join(_call(columns, k, **given, hits=hits))
    return _taken(hits)


def across(columns: Words, tiles: Whole, family: Ints, k: int) -> Hits:
    """See `readable.across`."""
    hits = _Hits()
    _across(_call(columns, k, tiles=tiles, family=family, hits=hits))
    return _taken(hits)


def histogram(columns: Words, tiles: Whole, bits: int) -> Whole:
    """See `readable.histogram`."""
    counts = np.empty(bits + 1, np.int64)
    _histogram(_call(columns, 0, tiles=tiles, bits=bits, counts=counts))
    return counts


def link(columns: Words, order: Whole, bounds: Whole, k: int, parent: Whole) -> None:
    """See `readable.link`."""
    _link(_call(columns, k, order=order, bounds=bounds, parent=parent))


def probe(
    queries: Words,
    columns: Words,
    words: Words,
    order: Whole,
    heads: Ints,
    shifts: Whole,
    parts: Whole,
    masks: Words,
    k: int,
) -> Hits:
    """See `readable.probe`."""
    hits = _Hits()
    tables = (words, order, heads, shifts, parts, masks)
    sizes = (len(order), order.shape[1], heads.shape[1], parts.shape[1], k)
    record = _Probe(_columns(queries), _columns(columns), *tables, *sizes, ctypes.addressof(hits))
    _probe(record)
    return _taken(hits)


def pack(columns: Words, column: Whole, run: Words, parts: Whole, place_bits: int) -> Words:
    """See `readable.pack`."""
    packed, run_shift = np.empty(len(column), np.uint64), int(parts[:, 2].sum()) + place_bits
    rows = (column, len(column), run, parts, len(parts))
    _pack(_columns(columns), *rows, place_bits, run_shift, packed)
    return packed


def buckets(packed: Words, column: Whole, place_bits: int) -> tuple[Whole, Whole]:
    """See `readable.buckets`."""
    n = len(packed)
    order, starts = np.empty(n, np.int64), np.empty(n // 2 + 1, np.int64)
    sizes = np.empty(2, np.int64)
    _buckets(packed, n, column, len(column), place_bits, order, starts, sizes)
    return order[: sizes[0]].copy(), starts[: sizes[1] + 1].copy()


def turned(columns: Words, parts: Whole) -> Words:
    """See `readable.turned`."""
    words = np.empty(columns.shape[1], np.uint64)
    _turned(columns, len(words), parts, len(parts), words)
    return words


def edges(ordered: Words, shift: int) -> Whole:
    """See `readable.edges`."""
    bounds = np.empty(len(ordered) + 1, np.int64)
    return bounds[: _edges(ordered, len(ordered), shift, bounds)].copy()


def first_rows(words: Words, wanted: Words) -> tuple[Whole, Whole]:
    """See `readable.first_rows`."""
    first, group = np.empty(len(wanted), np.int64), np.empty(len(words), np.int64)
    slot_bits = max(4, len(wanted).bit_length() + 1)
    _first_rows(words, len(words), wanted, len(wanted), slot_bits, first, group)
    return first, group


def packed(left: Whole, right: Whole, distance: Short, names: Whole, place_bits: int) -> Words:
    """See `readable.packed`."""
    words = np.empty(len(left), np.uint64)
    _packed(left, right, distance, len(left), names, place_bits, words)
    return words


def spread(words: Words, shift: int) -> tuple[Words, Whole]:
    """See `readable.spread`."""
    grouped, bounds = np.empty(len(words), np.uint64), np.empty(PARTS + 1, np.int64)
    _spread(words, len(words), shift, grouped, bounds)
    return grouped, bounds


def unpack(words: Words, place_bits: int, left: Whole, right: Whole, distance: Short) -> None:
    """See `readable.unpack`."""
    _unpack(words, len(words), place_bits, left, right, distance)
