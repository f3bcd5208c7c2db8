"""What is stored comes back equal in every field; what was made up comes back as an error."""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core import CheckResult, Settings
from simhash_core.errors import StoreError
from simhash_core.model import Note, Passages
from simhash_core.storage import codec
from simhash_core.storage.codec import pack, unpack


def there_and_back(value, kind):
    packed, texts = pack(value)
    return unpack(packed, kind, texts=texts.__getitem__)


def made_up(tree, rest=b""):
    text = json.dumps(tree).encode()
    return len(text).to_bytes(8, "little") + text + rest


def test_results_and_settings_come_back_equal(result, same) -> None:
    same(there_and_back(result, CheckResult), result)
    settings = Settings(preset="reposts", user_words=("雷同", "\ud800"), levels=(("甲", 3),))
    assert there_and_back(settings, Settings) == settings


@pytest.mark.parametrize("spec", dataclasses.fields(CheckResult), ids=lambda spec: spec.name)
def test_every_field_of_a_result_is_stored(spec, result):
    """A field that is added and not stored fails here."""
    assert spec.name in codec._Packer().tree(result)[2]


@given(
    st.dictionaries(
        st.text(), st.none() | st.booleans() | st.integers() | st.floats() | st.text(), max_size=5
    )
)
def test_plain_values_come_back_equal(params):
    back = there_and_back(Note("code", params), Note)

    assert list(back.params) == list(params)
    for name, value in params.items():
        other = back.params[name]
        assert type(other) is type(value)
        assert other == value or (math.isnan(other) and math.isnan(value))


@pytest.mark.parametrize("dtype", ["?", "u1", "<u8", ">u8", "i4", "f4", "f8"])
def test_numbers_of_numpy_come_back_with_their_type(dtype):
    scalar = np.ones(1, dtype)[0]

    back = there_and_back(Note("code", {"n": scalar, "all": np.ones((2, 3), dtype)}), Note)

    assert back.params["n"].dtype == scalar.dtype.newbyteorder("=")
    assert back.params["all"].shape == (2, 3)
    assert back.params["all"].flags.writeable


def test_objects_are_not_stored():
    with pytest.raises(TypeError):
        pack(Note("code", {"n": np.array([object()])}))
    with pytest.raises(TypeError):
        pack(Note("code", {"n": object()}))


@dataclass(frozen=True)
class Foreign:
    command: str


HOSTILE = {
    "a record that a note cannot hold": ["record", "Foreign", {"command": "x"}],
    "another record": ["record", "Settings", {"preset": "essays"}],
    "a field that does not exist": ["record", "Note", {"code": "a", "more": 1}],
    "a field missing": ["record", "Note", {"params": ["map"]}],
    "a wrong type": ["record", "Note", {"code": 7}],
    "a number as flag": ["record", "Note", {"code": "a", "start": True}],
    "an array of objects": ["record", "Note", {"code": "a", "params": ["array", "O", [1], 8]}],
    "an array too long": ["record", "Note", {"code": "a", "params": ["array", "<f8", [9], 72]}],
    "a negative shape": ["record", "Note", {"code": "a", "params": ["array", "<f8", [-1], -8]}],
    "a huge shape": ["record", "Note", {"code": "a", "params": ["array", "u1", [1 << 62, 0], 0]}],
    "an unknown tag": ["call", "os.system", "x"],
    "an object": {"__class__": "Note"},
    "nothing": [],
    "a record where plain data must be": [
        *("record", "Note"),
        {"code": "a", "params": ["map", ["n", ["record", "Note", {"code": "b"}]]]},
    ],
    "an array where a number must be": ["record", "Note", {"code": ["array", "u1", [1], 1]}],
    "a key that cannot be one": ["record", "Note", {"code": "a", "params": ["map", [["list"], 1]]}],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_made_up_bytes_are_refused(name):
    with pytest.raises(StoreError, match="store_unfit"):
        unpack(made_up(HOSTILE[name], b"\0" * 8), Note, texts={}.__getitem__)


DEEP = (400_000).to_bytes(8, "little") + b"[" * 200_000 + b"]" * 200_000


@pytest.mark.parametrize("data", [b"", b"\xff" * 8, b"\x05" + b"\0" * 7 + b"[[[", b"\0" * 8, DEEP])
def test_bytes_cut_short_and_too_deep_are_refused(data):
    with pytest.raises(StoreError, match="store_unfit"):
        unpack(data, Note, texts={}.__getitem__)


def test_array_of_another_type_than_its_column_is_refused(result):
    wrong = dataclasses.replace(result.passages, pair=result.passages.pair.astype(np.float32))
    packed, texts = pack(wrong)

    with pytest.raises(StoreError, match="store_unfit"):
        unpack(packed, Passages, texts=texts.__getitem__)
