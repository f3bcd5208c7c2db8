"""Library: texts in collections that later checks are compared with."""

from pages._ui.library.page import draw
from pages._ui.shared import frame

frame.show(draw)
