"""Check: from files to a started run."""

from pages._ui.check.page import draw
from pages._ui.shared import frame

frame.show(draw)
