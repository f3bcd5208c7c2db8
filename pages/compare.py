"""Compare: two texts beside each other."""

from pages._ui.compare.page import draw
from pages._ui.shared import frame

frame.show(draw)
