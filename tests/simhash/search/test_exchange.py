"""Arrays in, pairs out, and files that are not what they say."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from simhash_core.errors import BadInput
from simhash_core.simhash.search import all_pairs
from simhash_core.simhash.search.exchange import load_fingerprints, write_pairs


@pytest.mark.parametrize("dtype", [np.uint64, np.int64, ">u8", ">i8"])
@pytest.mark.parametrize("shape", [(6,), (6, 1)])
def test_load_fingerprints_reads_the_same_bits(
    tmp_path: Path, dtype: str, shape: tuple[int, ...]
) -> None:
    words = np.array([1, 2**63, 2**64 - 1, 0, 5, 7], np.uint64)
    np.save(tmp_path / "f.npy", words.astype(dtype, casting="unsafe").reshape(shape))

    loaded = load_fingerprints(tmp_path / "f.npy")

    assert loaded.dtype == np.uint64
    assert loaded.tolist() == words[:, None].tolist()


def test_load_fingerprints_of_fortran_order(tmp_path: Path) -> None:
    words = np.arange(8, dtype=np.uint64).reshape(4, 2)
    np.save(tmp_path / "f.npy", np.asfortranarray(words))

    loaded = load_fingerprints(tmp_path / "f.npy")

    assert loaded.flags.c_contiguous
    assert loaded.tolist() == words.tolist()


def refused(path: Path) -> dict[str, object]:
    with pytest.raises(BadInput) as caught:
        load_fingerprints(path)
    assert caught.value.params["name"] == path.name
    return {"reason": caught.value.code.removeprefix("fingerprints_"), **caught.value.params}


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (np.zeros(3), "dtype"),
        (np.zeros(3, np.uint32), "dtype"),
        (np.zeros((2, 5), np.uint64), "shape"),
        (np.zeros((2, 2, 2), np.uint64), "shape"),
        (np.array(3, np.uint64), "shape"),
        (np.zeros((2, 0), np.uint64), "shape"),
    ],
)
def test_load_fingerprints_refuses_other_arrays(
    tmp_path: Path, array: np.ndarray, reason: str
) -> None:
    np.save(tmp_path / "f.npy", array)

    assert refused(tmp_path / "f.npy")["reason"] == reason


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not an array",
        b"\x93NUMPY",
        b"\x93NUMPY\x01\x00\x10\x00{'descr': '<u8',",
        pickle.dumps(np.zeros(3, np.uint64)),
        b"\x93NUMPY\x01\x00v\x00"
        + b"{'descr': '<u8', 'fortran_order': False, 'shape': (99,), }".ljust(117)
        + b"\n",
    ],
)
def test_load_fingerprints_refuses_other_files(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "f.npy").write_bytes(data)

    assert refused(tmp_path / "f.npy")["reason"] == "not_npy"


def test_load_fingerprints_never_unpickles_and_names_a_missing_file(tmp_path: Path) -> None:
    np.save(tmp_path / "f.npy", np.array([object()]), allow_pickle=True)
    assert refused(tmp_path / "f.npy")["reason"] == "not_npy"
    assert refused(tmp_path / "none.npy")["reason"] == "missing"


def test_save_pairs_can_be_read_without_pickle(tmp_path: Path) -> None:
    words = np.array([[8], [9], [8], [15]], np.uint64)
    result = all_pairs(words, bits=64, k=2)

    write_pairs(tmp_path / "pairs.npz", result.group, result.pairs)

    with np.load(tmp_path / "pairs.npz", allow_pickle=False) as stored:
        assert stored["group"].tolist() == [0, 1, 0, 3]
        assert stored["left"].tolist() == [0, 1]
        assert stored["right"].tolist() == [1, 3]
        assert stored["distance"].tolist() == [1, 2]
        assert stored["group"].dtype == stored["left"].dtype == np.int64
