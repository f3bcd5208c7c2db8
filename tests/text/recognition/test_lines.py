"""Where lines lie on a page, told from the heat of its pixels; scipy is the judge."""

import numpy as np
import pytest
from scipy import ndimage
from scipy.spatial import ConvexHull

from simhash_core.model import F32, F64
from simhash_core.text.recognition import models


def judged(heat: F32) -> list[F64]:
    """Blobs as scipy marks them."""
    inked = heat > models._INK
    label, count = ndimage.label(
        ndimage.binary_dilation(inked, np.ones((2, 2), np.bool_)), np.ones((3, 3))
    )
    blobs = []
    for number in range(1, count + 1):
        y, x = np.nonzero(label == number)
        if heat[(label == number) & inked].mean() >= models._LEAST_SCORE:
            blobs.append(np.column_stack([x, y]).astype(float))
    return blobs


@pytest.mark.parametrize("seed", range(20))
def test_blobs_are_those_of_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    heat = ndimage.gaussian_filter(rng.random((60, 90)), rng.uniform(0.5, 3)).astype(np.float32)
    heat = np.sqrt((heat - heat.min()) / (heat.max() - heat.min()))
    expected = judged(heat)

    blobs = models._blobs(heat)

    assert len(blobs) == len(expected) > 0
    for pixels, of_judge in zip(blobs, expected, strict=True):
        assert np.array_equal(pixels, of_judge)


def test_a_page_without_ink_has_no_lines() -> None:
    assert models._blobs(np.zeros((32, 32), np.float32)) == []


@pytest.mark.parametrize("seed", range(20))
def test_the_hull_is_that_of_scipy(seed: int) -> None:
    points = np.random.default_rng(seed).integers(0, 30, (60, 2)).astype(np.float64)
    corners = ConvexHull(points).vertices

    hull = models._hull(points)

    assert set(map(tuple, hull.tolist())) == set(map(tuple, points[corners].tolist()))


@pytest.mark.parametrize("step", [(1, 0), (0, 1), (1, 1), (0, 0)])
def test_points_on_one_line_have_a_rectangle(step: tuple[int, int]) -> None:
    points = np.arange(5.0)[:, None] * np.array(step) + 3

    _, low, high = models._least_rectangle(points)

    assert sorted((high - low).round(6).tolist()) == [0, pytest.approx(4 * np.hypot(*step))]
