"""The compiled loops where numba can be imported, else their numpy twins: same results."""

from __future__ import annotations

from collections.abc import Callable

from ...model import I64, U16, U64
from . import scans

Hits = tuple[I64, I64, U16]

pack: Callable[[U64, I64, U64, I64, int], U64] = scans.pack
buckets: Callable[[U64, I64, int], tuple[I64, I64]] = scans.buckets
scan: Callable[[U64, I64, int, U64], Hits] = scans.scan
histogram: Callable[[U64, I64, int], I64] = scans.histogram
probe: Callable[[U64, U64, U64, I64, I64, U64, int], tuple[I64, I64, U16, int]] = scans.probe
compiled = False

try:
    from . import kernels
except ImportError:  # no numba for this platform: the twins do the same, slower
    pass
else:
    pack, buckets = kernels.pack, kernels.buckets
    scan, histogram, probe = kernels.scan, kernels.histogram, kernels.probe
    compiled = True
