"""Document: one text against all its sources."""

from pages._ui.document.page import draw
from pages._ui.shared import frame

frame.show(draw)
