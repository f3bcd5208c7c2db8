"""The knobs: one frozen dataclass, each bound declared once.

The command line, the pages and the validation read the same `knob` metadata; labels and help
come from the locales (`settings.<field>.label`).
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from . import policy
from .errors import InvalidSettings

ALGORITHM_VERSION = 1  # raise when any fingerprint would change for the same settings


def knob(
    default: Any,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[object, ...] = (),
    unit: str = "",
    shapes_fingerprint: bool = False,
) -> Any:
    """Declare a setting with its bounds."""
    metadata = {
        "low": low,
        "high": high,
        "choices": choices,
        "unit": unit,
        "shapes_fingerprint": shapes_fingerprint,
    }
    if isinstance(default, dict | list):
        raise TypeError("defaults must be immutable")
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a check does. Every field has a bound; a wrong one raises `InvalidSettings`."""

    preset: str = knob("essays", choices=("essays", "reposts", "edited", "strict", "classic"))
    # fingerprint
    bits: int = knob(256, choices=(8, 16, 32, 64, 128, 256), unit="bits", shapes_fingerprint=True)
    weighting: str = knob("background", shapes_fingerprint=True)
    stop_words: bool = knob(False, shapes_fingerprint=True)  # drop listed function words
    user_words: tuple[str, ...] = knob((), shapes_fingerprint=True)  # jieba user dictionary lines
    levels: tuple[tuple[str, int], ...] = knob((), shapes_fingerprint=True)  # word -> level 1..5
    # fewer: no document fingerprint
    min_tokens: int = knob(policy.MIN_TOKENS, low=1, high=1000, unit="tokens")
    # threshold
    threshold: int | None = knob(None, low=0, high=256, unit="bits")  # None: from this batch
    expected_false: float = knob(policy.EXPECTED_FALSE, low=0.001, high=100.0, unit="pairs")
    batch_signature: bool = knob(True)  # second signature from 20 documents up
    text_check: bool = knob(True)  # wide net, then containment of winnowed prints
    containment: float = knob(policy.CONTAINMENT, low=0.01, high=1.0)
    # passages
    passages: bool = knob(True)
    strength: float | None = knob(None, low=3.0, high=10.0)  # None: the language's own threshold
    # winnowing guarantee, Han
    min_run: int = knob(policy.MIN_RUN, low=6, high=100, unit="characters")
    # reading
    encoding: str = knob("")  # "" detects
    fold_variants: bool = knob(True, shapes_fingerprint=True)  # traditional -> simplified

    def __post_init__(self) -> None:
        problems = [problem for spec in dataclasses.fields(self) for problem in _check(self, spec)]
        if problems:
            raise InvalidSettings(problems)

    @classmethod
    def of(cls, preset: str, **changes: Any) -> Settings:
        """Return a preset with some fields changed."""
        if preset not in PRESETS:
            raise InvalidSettings([("preset", preset, "one of " + ", ".join(PRESETS))])
        chosen = {"preset": preset, **PRESETS[preset], **changes}
        if "threshold" in PRESETS[preset] and "threshold" not in changes:
            chosen["threshold"] = _at_width(preset, int(chosen.get("bits", 256)))
        return cls(**chosen)

    @property
    def wide_net(self) -> int:
        """Widest background distance whose pairs are kept for the text check."""
        return policy.WIDE_NET.get(self.bits, int(self.bits * policy.WIDE_NET_SHARE))

    def recipe(self) -> str:
        """Digest of everything that shapes a fingerprint except corpus statistics."""
        shape = {
            spec.name: getattr(self, spec.name)
            for spec in dataclasses.fields(self)
            if spec.metadata["shapes_fingerprint"]
        }
        text = json.dumps([ALGORITHM_VERSION, shape], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:12]


PRESETS: Mapping[str, Mapping[str, Any]] = {
    # one prompt, one class: threshold from the batch itself, shared vocabulary taken out
    "essays": {},
    # an archive of mixed subjects: a fixed threshold that means the same for ever
    "reposts": {"threshold": policy.EDITED[256], "batch_signature": False},
    "edited": {"threshold": policy.EDITED[256], "batch_signature": False, "text_check": False},
    "strict": {"threshold": policy.STRICT[256], "batch_signature": False, "text_check": False},
    # the sources' setting: 64 bits, term frequency, at most 3 bits apart
    "classic": {
        "bits": 64,
        "weighting": "tf",
        "threshold": policy.CLASSIC[64],
        "batch_signature": False,
        "text_check": False,
    },
}


#: the thresholds behind the presets, by width
_BY_WIDTH = {
    "reposts": policy.EDITED,
    "edited": policy.EDITED,
    "strict": policy.STRICT,
    "classic": policy.CLASSIC,
}


def _at_width(preset: str, bits: int) -> int:
    """Return the threshold of a preset at another width; unmeasured widths scale the nearest."""
    known = _BY_WIDTH[preset]
    nearest = min(known, key=lambda width: abs(width - bits))
    return known[nearest] * bits // nearest


def _check(settings: Settings, spec: dataclasses.Field[Any]) -> list[tuple[str, object, str]]:
    """Return what is wrong with one field."""
    value, bounds = getattr(settings, spec.name), spec.metadata
    if bounds["choices"] and value not in bounds["choices"]:
        allowed = "one of " + ", ".join(map(str, bounds["choices"]))
        return [(spec.name, value, allowed)]
    if value is None or bounds["low"] is None:
        return []
    if isinstance(value, bool) or not bounds["low"] <= value <= bounds["high"]:
        return [(spec.name, value, f"{bounds['low']} to {bounds['high']} {bounds['unit']}".strip())]
    return []
