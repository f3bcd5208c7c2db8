"""Fingerprint lab: a text followed from words to bits."""

from pages._ui.fingerprint_lab.page import draw
from pages._ui.shared import frame

frame.show(draw)
