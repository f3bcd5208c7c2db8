"""Results: who shares text with whom, and everything that opens from there."""

from pages._ui.results.page import draw
from pages._ui.shared import frame

frame.show(draw)
