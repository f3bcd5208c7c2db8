"""Server: what a server for many has to do now, who uses it, and deleting a person."""

from pages._ui.server.page import draw
from pages._ui.shared import frame

frame.show(draw)
