"""Bytes made smaller, with the name of the method beside them, and never larger than announced."""

from __future__ import annotations

import hashlib
import zlib

from ..errors import StoreError

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
    if codec == RAW:
        whole = data
    elif codec == ZLIB:
        whole = _inflate(data, size)
    else:
        raise StoreError("store_damaged")
    if len(whole) != size:
        raise StoreError("store_damaged")
    return whole


def _inflate(data: bytes, size: int) -> bytes:
    stream = zlib.decompressobj()
    try:
        whole = stream.decompress(data, size + 1)  # a bomb ends here, one byte too long
    except zlib.error as error:
        raise StoreError("store_damaged") from error
    if stream.unconsumed_tail or stream.unused_data:
        raise StoreError("store_damaged")
    return whole


def digest(data: bytes) -> bytes:
    """Return the sha-256 of bytes: what is stored beside them, since SQLite has no check sums."""
    return hashlib.sha256(data).digest()
