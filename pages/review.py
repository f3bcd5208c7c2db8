"""Review desk: every pair is read once and decided."""

from pages._ui.review.page import draw
from pages._ui.shared import frame

frame.show(draw)
