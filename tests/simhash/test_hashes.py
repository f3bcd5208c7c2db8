"""Token hashes: known answers of other programs, prefixes, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import as_int

from simhash_core.simhash.hashes import HASHES, bkdr, token_hash, token_hashes

VECTORS = Path(__file__).parents[1] / "vectors"
PROFILE = json.loads((VECTORS / "background_profile.json").read_text("utf-8"))
OTHERS = json.loads((VECTORS / "other_programs.json").read_text("utf-8"))

TOKENS = st.lists(st.text(min_size=1), min_size=1, max_size=20, unique=True)


@pytest.mark.parametrize(("token", "digest"), PROFILE["xxh3"].items())
def test_xxh3_gives_the_known_256_bits(token: str, digest: str) -> None:
    (row,) = token_hashes([token], bits=256)
    assert f"{as_int(row):064x}" == digest


@pytest.mark.parametrize(("token", "value"), OTHERS["bkdr31"]["cases"].items())
def test_bkdr31_gives_the_known_numbers(token: str, value: int) -> None:
    assert token_hashes([token], bits=64, algorithm="bkdr31").tolist() == [[value]]


def test_bkdr_counts_utf16_units_and_surrogates_are_hashed() -> None:
    assert bkdr("\U00020000", 31) == 0xD840 * 31 + 0xDC00
    assert bkdr("z" * 40, 131) < 1 << 64
    assert token_hashes(["\ud800"], bits=64).shape == (1, 1)


@given(TOKENS, st.sampled_from([64, 128, 192]))
def test_shorter_xxh3_hashes_are_prefixes(tokens: list[str], bits: int) -> None:
    longest = token_hashes(tokens, bits=256)
    assert np.array_equal(token_hashes(tokens, bits=bits), longest[:, : bits // 64])


@given(TOKENS, st.sampled_from([8, 16, 32]), st.sampled_from(["xxh3", "md5", "bkdr31"]))
def test_hashes_below_64_bits_are_the_low_bits(
    tokens: list[str], bits: int, algorithm: str
) -> None:
    full = token_hashes(tokens, bits=64, algorithm=algorithm)
    small = token_hashes(tokens, bits=bits, algorithm=algorithm)
    assert np.array_equal(small, full & np.uint64((1 << bits) - 1))


@pytest.mark.parametrize("algorithm", ["xxh3", "md5", "bkdr31"])
def test_an_empty_vocabulary_has_no_rows(algorithm: str) -> None:
    assert token_hashes([], bits=64, algorithm=algorithm).shape == (0, 1)


@pytest.mark.parametrize("bits", [0, 7, 12, 65, 96, 320, -64])
def test_a_width_that_is_not_offered_is_refused(bits: int) -> None:
    with pytest.raises(ValueError, match="no signatures"):
        token_hashes(["a"], bits=bits)


@pytest.mark.parametrize(("algorithm", "bits"), [("md5", 192), ("bkdr31", 128), ("sha0", 64)])
def test_a_hash_refuses_what_it_cannot_give(algorithm: str, bits: int) -> None:
    with pytest.raises(ValueError):
        token_hashes(["a"], bits=bits, algorithm=algorithm)


def test_a_name_is_registered_only_once() -> None:
    with pytest.raises(ValueError, match="twice"):
        token_hash("xxh3")(HASHES["md5"])
