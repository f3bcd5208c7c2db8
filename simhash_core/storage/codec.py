"""A result as bytes and back: frozen records, arrays and plain data, and nothing that can run.

The bytes are one JSON tree followed by the arrays. Only records that the root record can hold, by
the annotations of its fields, are read back, and each value must fit its annotation: so a new field
is stored without a line here, and a file from elsewhere can bring numbers and words, no behaviour.
Bytes are made smaller with the name of the method beside them, and are never larger than announced.
"""

from __future__ import annotations

import hashlib
import json
import math
import types
import zlib
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, NoReturn, Union, get_args, get_origin, get_type_hints

import numpy as np

from .. import limits, model, result, settings
from ..errors import StoreError
from ..model import Document

#: where annotations that are strings, or imported for type checking only, are looked up
_ROOMS = (model, limits, settings, result)
_LENGTH = 8  # bytes before the tree: its length
_KINDS = "biuf"  # booleans and numbers; an object array would need pickle
_APART = frozenset(("pictures", "other"))  # of a document: records of their own

#: text(id) -> the text of a document
Texts = Callable[[str], str]


class _Unfit(Exception):
    """The bytes are not what this version writes."""


def pack(value: Any) -> tuple[bytes, dict[str, str]]:
    """Return a record as bytes, and the texts of the documents in it by id.

    Texts are stored once, beside: the tree names them by their id.
    """
    packer = _Packer()
    tree = json.dumps(packer.tree(value), allow_nan=False, separators=(",", ":")).encode("ascii")
    size = len(tree).to_bytes(_LENGTH, "little")
    return b"".join((size, tree, *packer.arrays)), packer.texts


def unpack(data: bytes, kind: Any, *, texts: Texts) -> Any:
    """Return what `pack` was given.

    Parameters
    ----------
    data : bytes
    kind : type or annotation
        What must come out; records outside of it are refused.
    texts : callable
        Text of a document by its id.

    Raises
    ------
    StoreError
        `store_unfit`: written by a version with other fields, or damaged, or made up.
    """
    try:
        size = int.from_bytes(data[:_LENGTH], "little")
        if len(data) < _LENGTH or size > len(data) - _LENGTH:
            raise _Unfit
        tree = json.loads(data[_LENGTH : _LENGTH + size])
        return _Unpacker(data, _LENGTH + size, texts).value(tree, kind)
    except (_Unfit, ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
        raise StoreError("store_unfit") from error


class _Packer:
    """Builds the tree; collects arrays and texts."""

    def __init__(self) -> None:
        self.arrays: list[bytes] = []
        self.texts: dict[str, str] = {}

    def tree(self, value: Any) -> Any:
        if value is None or isinstance(value, bool | str) or type(value) is int:
            return value
        if isinstance(value, float) and not isinstance(value, np.generic):
            return value if math.isfinite(value) else ["number", repr(value)]
        if isinstance(value, np.ndarray):
            return ["array", _dtype(value), list(value.shape), self._store(value)]
        if isinstance(value, np.generic):
            return ["scalar", _dtype(value), self._store(np.asarray(value))]
        if isinstance(value, tuple):
            return ["tuple", *map(self.tree, value)]
        if isinstance(value, list):
            return ["list", *map(self.tree, value)]
        if isinstance(value, Mapping):
            return ["map", *([self.tree(key), self.tree(value[key])] for key in value)]
        if is_dataclass(value) and not isinstance(value, type):
            names = [spec.name for spec in fields(value)]
            if isinstance(value, Document):
                self.texts[value.id] = value.text
                names = [name for name in names if name != "text" and name not in _APART]
            parts = {name: self.tree(getattr(value, name)) for name in names}
            return ["record", type(value).__name__, parts]
        raise TypeError(f"{type(value).__name__} cannot be stored")

    def _store(self, array: Any) -> int:
        self.arrays.append(np.ascontiguousarray(array, _dtype(array)).tobytes())
        return len(self.arrays[-1])


class _Unpacker:
    """Reads the tree; takes arrays from the bytes in the order in which they were written."""

    def __init__(self, data: bytes, at: int, texts: Texts) -> None:
        self._data, self._at, self._texts = data, at, texts

    def value(self, tree: Any, hint: Any) -> Any:
        """Return what a tree holds; it must be what the annotation says."""
        origin, inner = get_origin(hint), get_args(hint)
        if origin in (Union, types.UnionType):  # with None, as everywhere in a result
            return None if tree is None else self.value(tree, inner[0])
        if isinstance(hint, type) and is_dataclass(hint):
            return self._record(hint, *_parts(tree, "record"))
        if origin is tuple:
            parts = _parts(tree, "tuple")
            hints = (inner[0],) * len(parts) if inner[-1] is Ellipsis else inner
            return tuple(map(self.value, parts, hints)) if len(parts) == len(hints) else _refuse()
        if origin in (Mapping, dict):
            named = _parts(tree, "map")
            return {self.value(key, inner[0]): self.value(part, inner[1]) for key, part in named}
        value = self._plain(tree)
        if origin is np.ndarray:
            (kind,) = get_args(inner[1])
            fits = isinstance(value, np.ndarray) and value.dtype == np.dtype(kind)
        elif hint is float:
            fits = isinstance(value, int | float) and not isinstance(value, bool)
        else:
            fits = hint is object or type(value) is hint
        return value if fits else _refuse()

    def _plain(self, tree: Any) -> Any:
        """Return an array or plain data, which say themselves what they are."""
        if not isinstance(tree, list):
            return _refuse() if isinstance(tree, dict) else tree
        tag, *rest = tree
        if tag == "array":
            return self._array(*rest)
        if tag == "scalar":
            return self._array(rest[0], [], rest[1])[()]
        if tag == "number":
            return {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[rest[0]]
        if tag == "map":
            return {self._plain(key): self._plain(part) for key, part in rest}
        return {"tuple": tuple, "list": list}[tag](map(self._plain, rest))

    def _record(self, record: Any, name: str, parts: dict[str, Any]) -> Any:
        hints, others = _hints(record), frozenset[str]()
        held = {key: self.value(part, hints[key]) for key, part in parts.items()}
        if record is Document:
            held["text"], others = self._texts(held["id"]), _APART
        if name != record.__name__ or held.keys() != {one.name for one in fields(record)} - others:
            raise _Unfit
        return record(**held)

    def _array(self, dtype: str, shape: list[int], size: int) -> Any:
        kind = np.dtype(dtype)
        count = math.prod(shape)
        if kind.kind not in _KINDS or any(type(n) is not int or n < 0 for n in shape):
            raise _Unfit
        if size != count * kind.itemsize or self._at + size > len(self._data):
            raise _Unfit
        array = np.frombuffer(self._data, kind, count, self._at).reshape(shape)
        self._at += size
        return array.astype(kind.newbyteorder("="))  # a writable copy


@cache
def _hints(record: Any) -> dict[str, Any]:
    names = {name: value for room in _ROOMS for name, value in vars(room).items()}
    return get_type_hints(record, localns=names)


def _parts(tree: Any, tag: str) -> list[Any]:
    """Return the parts of a tree of one kind."""
    return tree[1:] if isinstance(tree, list) and tree[:1] == [tag] else _refuse()


def _refuse() -> NoReturn:
    raise _Unfit


def _dtype(value: Any) -> str:
    if value.dtype.kind not in _KINDS:
        raise TypeError(f"an array of {value.dtype} cannot be stored")
    return str(value.dtype.newbyteorder("<").str)


# --------------------------------------------------------------------------- smaller bytes


RAW, ZLIB = 0, 1  # codec bytes; others may come, none is ever given a second meaning


def compress(data: bytes) -> tuple[int, bytes]:
    """Return (codec, bytes): compressed where that helps."""
    smaller = zlib.compress(data, 6)
    return (ZLIB, smaller) if len(smaller) < len(data) else (RAW, data)


def expand(codec: int, data: bytes, *, size: int, most: int) -> bytes:
    """Return what was compressed; `size` is what was announced, `most` what is accepted.

    Raises
    ------
    StoreError
        `store_too_large`, or `store_damaged` where the bytes are not what was announced.
    """
    if not 0 <= size <= most:
        raise StoreError("store_too_large")
    whole, left = data, codec not in (RAW, ZLIB)
    if codec == ZLIB:
        stream = zlib.decompressobj()
        try:
            whole = stream.decompress(data, size + 1)  # a bomb ends here, one byte too long
        except zlib.error as error:
            raise StoreError("store_damaged") from error
        left = bool(stream.unconsumed_tail or stream.unused_data)
    if left or len(whole) != size:
        raise StoreError("store_damaged")
    return whole


def digest(data: bytes) -> bytes:
    """Return the sha-256 of bytes: what is stored beside them, since SQLite has no check sums."""
    return hashlib.sha256(data).digest()
