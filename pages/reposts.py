"""Repost desk: whether a text was published before, and which version was first."""

from pages._ui.reposts.page import draw
from pages._ui.shared import frame

frame.show(draw)
