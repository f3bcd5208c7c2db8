"""Token counts -> weights: a family, one file a kind of weighting.

Every module in this folder is imported here, so a new weighting is one new file whose function
carries the decorator `registry.weighting`, and its name in `settings.WEIGHTING_NAMES`.
"""

from importlib import import_module
from pkgutil import iter_modules

from .batch import drop_shared, stats_of
from .registry import FROZEN, SCALE, WEIGHTINGS, Weighting, quantise, weighting, weighting_of

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = [
    "FROZEN",
    "SCALE",
    "WEIGHTINGS",
    "Weighting",
    "drop_shared",
    "quantise",
    "stats_of",
    "weighting",
    "weighting_of",
]
