"""Variants: a passage that many texts share, once, as an edition."""

from pages._ui.shared import frame
from pages._ui.variants.page import draw

frame.show(draw)
