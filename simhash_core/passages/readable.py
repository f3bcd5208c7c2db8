"""The loops of this room as they are read: what runs where none of C are built."""

from __future__ import annotations

from .coverage import measure_pairs as measure_pairs
from .exact import *
from .findings import in_common as in_common
from .pairwise import *
from .rare_words import *
from .rectangles import *
from .seeds import *
from .strong import *
from .summaries import *
from .winnow import *
