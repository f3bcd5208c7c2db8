"""Fingerprints and pairs as .npy and .npz files, for `leitong pairs` and other programs."""

from __future__ import annotations

from pathlib import Path
from tokenize import TokenError
from typing import BinaryIO

import numpy as np

from ...errors import BadInput
from ...model import I64, U64, Pairs

WORDS = (1, 2, 3, 4)  # 64 to 256 bits
# all that numpy's reader lets through for a header that is cut off, forged or not a header
UNREADABLE_HEADER = (ValueError, TypeError, SyntaxError, OverflowError, MemoryError, TokenError)


def load_fingerprints(path: Path) -> U64:
    """Read an array of fingerprint words.

    Parameters
    ----------
    path : Path
        A .npy file of uint64 or int64 (the same bits), either byte order, shape (n,) or (n, W)
        with W 1 to 4. Pickled objects are never loaded.

    Returns
    -------
    uint64 (n, W)

    Raises
    ------
    BadInput
        Codes `fingerprints_missing`, `fingerprints_not_npy`, `fingerprints_dtype` (with
        `found`) or `fingerprints_shape` (with `found`).
    """
    if not path.is_file():  # a pipe would wait for who writes to it
        raise BadInput("fingerprints_missing", name=path.name)
    try:
        with path.open("rb") as file:
            words = _read(file, path.name)
    except OSError as error:
        raise BadInput("fingerprints_missing", name=path.name) from error
    if words.dtype.kind not in "ui" or words.dtype.itemsize != 8:
        raise BadInput("fingerprints_dtype", name=path.name, found=str(words.dtype))
    if words.ndim == 1:
        words = words[:, None]
    if words.ndim != 2 or words.shape[1] not in WORDS:
        raise BadInput("fingerprints_shape", name=path.name, found=str(words.shape))
    native = words.astype(words.dtype.newbyteorder("="), order="C", copy=False)
    return native.view(np.uint64)


def write_pairs(path: Path, group: I64, pairs: Pairs) -> None:
    """Write groups and pairs as a compressed .npz, exactly at `path`.

    Notes
    -----
    Arrays: `group` int64 (n,), the first row with the same fingerprint; `left`, `right` int64 (m,)
    and `distance` uint16 (m,), the pairs between such first rows, sorted, distance >= 1.
    """
    with path.open("wb") as file:
        np.savez_compressed(
            file, group=group, left=pairs.left, right=pairs.right, distance=pairs.distance
        )


def _read(file: BinaryIO, name: str) -> np.ndarray[tuple[int, ...], np.dtype[np.generic]]:
    """Read one .npy array, refusing anything else (.npz and pickles included)."""
    try:
        return np.lib.format.read_array(file, allow_pickle=False)
    except UNREADABLE_HEADER as error:
        raise BadInput("fingerprints_not_npy", name=name) from error
