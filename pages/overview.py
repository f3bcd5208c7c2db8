"""Overview: where to look first."""

from pages._ui.overview.page import draw
from pages._ui.shared import frame

frame.show(draw)
