"""Bits are drawn as firm as they are."""

from __future__ import annotations

import numpy as np

from pages._ui.components import pictures


def test_first_bit_is_the_firmest_difference() -> None:
    a, b = np.array([1, 0, 1, 1], bool), np.array([1, 1, 0, 1], bool)
    firm, weak = np.array([0.9, 0.5, 0.3, 0.8]), np.array([0.9, 0.1, 0.2, 0.7])
    assert pictures.first_bit(a, b, firm, weak) == 2
    assert pictures.first_bit(a, a, firm, weak) == 0


def test_square_sizes_grow_with_the_square_root_of_the_margin() -> None:
    assert pictures.square_sizes(np.array([0.0, 0.1, 0.4]), 0.4) == [18, 49, 80]
    assert pictures.square_sizes(np.zeros(2), 0.0) == [18, 18]
