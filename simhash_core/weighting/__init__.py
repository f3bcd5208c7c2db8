"""Token counts -> weights: a family, one file a weighting.

Every module in this folder is imported here, so a new weighting is one new file whose function
carries the decorator `registry.weighting`.
"""

from importlib import import_module
from pkgutil import iter_modules

from .batch import stats_of, without_shared
from .registry import FROZEN, WEIGHTINGS, Weighting, quantise, require, weighting

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = [
    "FROZEN",
    "WEIGHTINGS",
    "Weighting",
    "quantise",
    "require",
    "stats_of",
    "weighting",
    "without_shared",
]
