"""The settings of a check: one frozen dataclass, each bound declared once.

The command line, the pages and the validation read the same metadata of each `setting`; labels and
help come from the locales (`settings.<field>.label`).
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from . import policy
from .errors import InvalidSettings
from .extensions import names, origin

ALGORITHM_VERSION = 1  # raise when any fingerprint would change for the same settings

#: names of our own weightings, the default first; `weighting.registry` refuses any other
WEIGHTING_NAMES = (
    "background",
    *("annotated", "annotated_bare", "annotated_literal", "annotated_mixture", "annotated_sum"),
    *("levels", "logtfidf", "tf", "tf_squared", "tfidf", "tfidf_plus_one", "tfidf_smooth"),
    *("topic", "topic_density", "topic_sum", "uniform"),
)


class _FromPreset:
    """The default of a setting that a preset decides."""

    def __repr__(self) -> str:
        return "<from the preset>"


FROM_PRESET: Final = _FromPreset()


def setting(
    default: Any,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[object, ...] = (),
    unit: str = "",
    family: str = "",
    shapes_fingerprint: bool = False,
) -> Any:
    """Declare a setting with its bounds; other packages may add choices to a `family`."""
    metadata = {
        "low": low,
        "high": high,
        "choices": choices,
        "unit": unit,
        "family": family,
        "shapes_fingerprint": shapes_fingerprint,
    }
    if isinstance(default, dict | list):
        raise TypeError("defaults must be immutable")
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a check does. Every field has a type and a bound; a wrong one raises `InvalidSettings`.

    What is not given has the value of the preset:

    >>> Settings(preset="strict").threshold
    36
    >>> Settings(preset="strict", bits=64).threshold
    6
    """

    preset: str = setting("essays", choices=("essays", "reposts", "edited", "strict", "classic"))
    # fingerprint
    bits: int = setting(
        FROM_PRESET, choices=(8, 16, 32, 64, 128, 256), unit="bits", shapes_fingerprint=True
    )
    weighting: str = setting(
        FROM_PRESET, choices=WEIGHTING_NAMES, family="weightings", shapes_fingerprint=True
    )
    stop_words: bool = setting(False, shapes_fingerprint=True)  # drop listed function words
    user_words: tuple[str, ...] = setting((), shapes_fingerprint=True)  # jieba user dictionary
    levels: tuple[tuple[str, int], ...] = setting((), shapes_fingerprint=True)  # word, level 1..5
    # fewer: no document fingerprint
    min_tokens: int = setting(policy.MIN_TOKENS, low=1, high=1000, unit="tokens")
    # threshold; None: from this batch
    threshold: int | None = setting(FROM_PRESET, low=0, high=256, unit="bits")
    expected_false: float = setting(policy.EXPECTED_FALSE, low=0.001, high=100.0, unit="pairs")
    batch_signature: bool = setting(FROM_PRESET)  # second signature from 20 documents up
    text_check: bool = setting(FROM_PRESET)  # wide net, then containment of winnowed hashes
    containment: float = setting(policy.CONTAINMENT, low=0.01, high=1.0)
    # passages
    passages: bool = setting(True)
    strength: float | None = setting(None, low=3.0, high=10.0)  # None: by language
    # whether Chinese words count as what they mean: where the extra is installed, always, never
    dictionary: str = setting("auto", choices=("auto", "on", "off"))
    # Chinese and English texts that may be translations of each other; needs the dictionary
    translated: bool = setting(False)
    # same statements in other words: where the extra is installed, always, never
    meaning: str = setting("auto", choices=("auto", "on", "off"))
    # winnowing guarantee, Han
    min_run: int = setting(policy.MIN_RUN, low=6, high=100, unit="characters")
    # pairs that are not compared
    skip_same_person: bool = setting(False)
    skip_same_group: bool = setting(False)
    # reading
    encoding: str = setting("")  # "" detects
    # whether text in pictures is recognised: where the extra is installed and a file has little
    # other text, in all pictures, never
    ocr: str = setting("auto", choices=("auto", "on", "off"))
    fold_variants: bool = setting(True, shapes_fingerprint=True)  # traditional -> simplified

    def __post_init__(self) -> None:
        for name, value in _of_preset(self.preset, self.bits).items():
            if getattr(self, name) is FROM_PRESET:
                object.__setattr__(self, name, value)
        problems = [problem for spec in dataclasses.fields(self) for problem in _check(self, spec)]
        if not problems and self.threshold is not None and self.threshold > self.bits:
            problems = [("threshold", self.threshold, f"0 to {self.bits} bits")]
        if problems:
            raise InvalidSettings(problems)

    @classmethod
    def of(cls, preset: str, **changes: Any) -> Settings:
        """Return a preset with some fields changed."""
        return cls(preset=preset, **changes)

    @property
    def wide_net(self) -> int:
        """Widest background distance whose pairs are kept for the text check."""
        return policy.WIDE_NET.get(self.bits, int(self.bits * policy.WIDE_NET_SHARE))

    @property
    def widest_net(self) -> int:
        """Widest distance by either signature whose pairs are looked at, whatever they share."""
        return max(self.wide_net, self.threshold or 0)

    @property
    def candidate_share(self) -> float:
        """Share of the winnowed hashes of the smaller set that makes a pair worth aligning."""
        return min(policy.CANDIDATE_SHARE, self.containment)

    def recipe(self) -> str:
        """Digest of everything that shapes a fingerprint except corpus statistics."""
        shape = {
            spec.name: getattr(self, spec.name)
            for spec in dataclasses.fields(self)
            if spec.metadata["shapes_fingerprint"]
        }
        if self.weighting not in WEIGHTING_NAMES:  # another version of it may weigh otherwise
            shape["weighting"] = [self.weighting, origin("weightings", self.weighting)]
        text = json.dumps([ALGORITHM_VERSION, shape], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:12]


_BASE: Mapping[str, Any] = {
    "bits": 256,
    "weighting": "background",
    "threshold": None,
    "batch_signature": True,
    "text_check": True,
}
#: what each preset changes
PRESETS: Mapping[str, Mapping[str, Any]] = {
    # one prompt, one class: threshold from the batch itself, shared vocabulary taken out
    "essays": {},
    # an archive of mixed subjects: a fixed threshold, comparable over time
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

#: what a teacher calls the texts -> settings: short answers and forms are alike as wholes by
#: nature, so that their shared passages alone count
KINDS: Mapping[str, Mapping[str, Any]] = {
    "essays": {"preset": "essays"},
    "short": {"preset": "essays", "min_tokens": policy.SHORT_TOKENS},
    "worksheets": {"preset": "essays", "min_tokens": 1000},
    "articles": {"preset": "reposts"},
    "classic": {"preset": "classic"},
}


def kind_of(settings: Settings) -> str:
    """Return the kind of texts that settings are for, "own" for none of `KINDS`."""
    held = {"preset": settings.preset, "min_tokens": settings.min_tokens}
    usual = {"min_tokens": policy.MIN_TOKENS}
    return next((name for name, one in KINDS.items() if {**usual, **one} == held), "own")


#: the thresholds behind the presets, by width
_BY_WIDTH = {
    "reposts": policy.EDITED,
    "edited": policy.EDITED,
    "strict": policy.STRICT,
    "classic": policy.CLASSIC,
}


def _of_preset(preset: object, bits: object) -> dict[str, Any]:
    """Return what a preset decides; its threshold is that of the width in use."""
    defined = isinstance(preset, str) and preset in PRESETS  # an unknown one is refused afterwards
    chosen = {**_BASE, **(PRESETS[str(preset)] if defined else {})}
    if defined and preset in _BY_WIDTH:
        width = chosen["bits"] if bits is FROM_PRESET else bits
        chosen["threshold"] = _at_width(str(preset), width) if isinstance(width, int) else 0
    return chosen


def _at_width(preset: str, bits: int) -> int:
    """Return the threshold of a preset at another width; unmeasured widths scale the nearest."""
    by_width = _BY_WIDTH[preset]
    nearest = min(by_width, key=lambda width: abs(width - bits))
    return by_width[nearest] * bits // nearest


def _check(settings: Settings, spec: dataclasses.Field[Any]) -> list[tuple[str, object, str]]:
    """Return what is wrong with one field: its type, else its value."""
    value, bounds = getattr(settings, spec.name), spec.metadata
    wanted = str(spec.type)
    if value is None and wanted.endswith(" | None"):
        return []
    fits, allowed = _TYPES[wanted.removesuffix(" | None")]
    if fits(value) and bounds["choices"]:
        choices = bounds["choices"]
        if value not in choices and bounds["family"]:
            choices = (*choices, *names(bounds["family"]))
        fits, allowed = choices.__contains__, "one of " + _list_choices(choices)
    elif fits(value) and bounds["low"] is not None:
        allowed = f"{bounds['low']} to {bounds['high']} {bounds['unit']}".strip()
        return [] if bounds["low"] <= value <= bounds["high"] else [(spec.name, value, allowed)]
    return [] if fits(value) else [(spec.name, value, allowed)]


def _list_choices(choices: tuple[object, ...]) -> str:
    return ", ".join(map(str, choices))


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: object) -> bool:
    return _whole(value) or (isinstance(value, float) and math.isfinite(value))


def _words(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(word, str) for word in value)


def _levels(value: object) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(row, tuple)
        and len(row) == 2
        and isinstance(row[0], str)
        and _whole(row[1])
        and 1 <= row[1] <= 5
        for row in value
    )


#: annotation -> the values it admits, and how they are called
_TYPES = {
    "int": (_whole, "a whole number"),
    "float": (_number, "a number"),
    "bool": (lambda value: isinstance(value, bool), "true or false"),
    "str": (lambda value: isinstance(value, str), "text"),
    "tuple[str, ...]": (_words, "a tuple of words"),
    "tuple[tuple[str, int], ...]": (_levels, "a tuple of (word, level 1 to 5)"),
}
