"""Threshold lab: what a threshold means on the texts of the reader."""

from pages._ui.shared import frame
from pages._ui.threshold_lab.page import draw

frame.show(draw)
