"""The same names as `kernels`, not compiled: what runs where numba cannot be installed."""

from __future__ import annotations

from ..machine.ranges import *
from .cutting import *
from .flat import *
