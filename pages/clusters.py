"""Clusters: one group at a time."""

from pages._ui.clusters.page import draw
from pages._ui.shared import frame

frame.show(draw)
