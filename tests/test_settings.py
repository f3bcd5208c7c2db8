"""Settings say what they are and refuse what they cannot be."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from simhash_core import policy
from simhash_core.errors import InvalidSettings
from simhash_core.settings import PRESETS, WEIGHTING_NAMES, Settings
from simhash_core.weighting import WEIGHTINGS

WRONG = [
    ("preset", "nope"),
    ("preset", 3),
    ("bits", 100),
    ("bits", "256"),
    ("bits", True),
    ("weighting", "nope"),
    ("weighting", None),
    ("stop_words", 1),
    ("user_words", ["list"]),
    ("user_words", (1,)),
    ("levels", (("word", 9),)),
    ("levels", (("word",),)),
    ("min_tokens", "5"),
    ("min_tokens", 0),
    ("min_tokens", 5.0),
    ("min_tokens", np.int64(60)),
    ("threshold", 257),
    ("threshold", -1),
    ("threshold", 60.5),
    ("threshold", True),
    ("expected_false", float("nan")),
    ("expected_false", "half"),
    ("batch_signature", None),
    ("text_check", "no"),
    ("containment", 2),
    ("passages", 1),
    ("translated", "yes"),
    ("strength", float("inf")),
    ("strength", 2.9),
    ("dictionary", "yes"),
    ("dictionary", True),
    ("meaning", "yes"),
    ("min_run", 101),
    ("skip_same_person", 1),
    ("skip_same_group", "no"),
    ("encoding", None),
    ("ocr", "yes"),
    ("ocr", True),
    ("fold_variants", "yes"),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_value_is_refused_by_its_name(name: str, value: Any) -> None:
    with pytest.raises(InvalidSettings) as caught:
        Settings(**{name: value})

    assert [problem[0] for problem in caught.value.problems] == [name]


def test_every_setting_refuses_something() -> None:
    assert {name for name, _ in WRONG} == {spec.name for spec in fields(Settings)}


def test_every_problem_is_named_at_once_and_thresholds_fit_the_width() -> None:
    with pytest.raises(InvalidSettings) as caught:
        Settings(min_run=1, weighting="nope", passages="no")  # type: ignore[arg-type]
    assert {name for name, _, _ in caught.value.problems} == {"min_run", "weighting", "passages"}
    with pytest.raises(InvalidSettings, match="0 to 64 bits"):
        Settings(bits=64, threshold=65)
    assert Settings(bits=64, threshold=64).threshold == 64


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("bits", [8, 64, 128, 256])
def test_a_preset_given_directly_is_the_preset(preset: str, bits: int) -> None:
    direct = Settings(preset=preset, bits=bits)

    assert direct == Settings.of(preset, bits=bits)
    assert Settings(preset=preset) == Settings.of(preset)
    for name, value in PRESETS[preset].items():
        if name not in ("bits", "threshold"):
            assert getattr(direct, name) == value
    assert (direct.threshold is None) == ("threshold" not in PRESETS[preset])


def test_presets_take_the_measured_thresholds_unless_others_are_given() -> None:
    assert [Settings(preset="strict", bits=bits).threshold for bits in (64, 128, 256)] == [
        *policy.STRICT.values()
    ]
    assert [Settings(preset="edited", bits=bits).threshold for bits in (64, 128, 256)] == [
        *policy.EDITED.values()
    ]
    assert Settings(preset="classic").threshold == policy.CLASSIC[64]
    changed = Settings(preset="strict", threshold=None, text_check=True)
    assert changed.threshold is None
    assert changed.text_check


def test_settings_name_every_weighting() -> None:
    assert sorted(WEIGHTING_NAMES) == sorted(WEIGHTINGS)
    assert WEIGHTING_NAMES[0] == Settings().weighting == "background"
