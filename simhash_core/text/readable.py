"""The same names as `kernels`, not compiled: what runs where numba cannot be installed."""

from __future__ import annotations

from ..ranges import *
from .counting import *
from .cutting import *
from .folding import *
