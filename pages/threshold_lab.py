"""Threshold lab: what a threshold does to one's own texts."""

from pages._ui.shared import frame
from pages._ui.threshold_lab.page import draw

frame.show(draw)
