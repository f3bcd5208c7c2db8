"""The same names as `kernels`, not compiled: what runs where numba cannot be installed."""

from __future__ import annotations

from .exact import *
from .pairwise import *
from .rare_words import *
from .rectangles import *
from .seeds import *
from .strong import *
from .summaries import *
from .winnow import *
