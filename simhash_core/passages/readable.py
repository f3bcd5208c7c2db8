"""The same names as `kernels`, not compiled: what runs where numba cannot be installed."""

from __future__ import annotations

from .block_join import *
from .borders import *
from .common import *
from .exact import *
from .pairwise import *
from .rectangles import *
from .reworded import *
from .seeds import *
from .strong import *
from .summaries import *
from .summary import *
from .windows import *
