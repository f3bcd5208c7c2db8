"""The loops of `passages` as they are read: the judges of those in C, under one name."""

# ruff: noqa: F403
from __future__ import annotations

from oracles.coverage import measure_pairs as measure_pairs
from oracles.exact import *
from oracles.findings import in_common as in_common
from oracles.growth import *
from oracles.pairwise import *
from oracles.seeds import *
from oracles.strong import *
from oracles.summaries import *
from oracles.winnow import *
