"""The PP-OCR models on onnxruntime: lines are found on a small picture, read on the full one.

The models lie in the package rapidocr; its code is not used: it needs OpenCV, which is larger than
models and runtime together. One thread, and the same pixels give the same answer.

References
----------
Liao et al., "Real-time scene text detection with differentiable binarization", AAAI 2020;
Graves et al., "Connectionist temporal classification", ICML 2006.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ...graphs import component_labels
from ...model import F32, F64, I64, U8, Bools
from . import DETECTOR, READER, Line, model_folder

#: raise when a page would be read, its lines put in order, or a font be tested differently
_VERSION = 1

_SIDE = 960  # pixels of the longer side where lines are looked for; the full page takes 900 MB
_STEP = 32  # both sides of that picture are multiples of it
_INK = 0.3  # probability from which a pixel belongs to a line
_LEAST_SCORE = 0.5  # mean probability of the pixels of a line
_LEAST_HEIGHT = 3.0  # pixels, of the shrunken line that the model marks
_GROWTH = 1.6  # lines are marked shrunken: area / perimeter times this is missing on every side
_MOST_LINES = 1000
_HEIGHT = 48  # pixels of a line that is read
_LEAST_WIDTH = 320
_MOST_WIDTH = 4800  # of a line that is read: two hundred characters
_UPRIGHT = 1.5  # times as tall as wide: a column of vertical writing, read on its side
_LEAST_CONFIDENCE = 0.5  # of a line; below, it is no text
_UNSURE = 0.75  # of a character
_LONG_ENOUGH = 60  # pixels of a line whose slope can be told


@dataclass(frozen=True, slots=True)
class _Strip:
    """Where a line lies: a rectangle at an angle, pixels of the picture."""

    middle: tuple[float, float]
    along: tuple[float, float]  # unit vector from left to right
    width: float
    height: float

    @property
    def corners(self) -> F64:
        """Return upper left, upper right, lower right, lower left, float64 (4, 2)."""
        right = np.array(self.along) * self.width / 2
        down = np.array([-self.along[1], self.along[0]]) * self.height / 2
        signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        return np.array([np.array(self.middle) + x * right + y * down for x, y in signs])


class Models:
    """Detector and reader of lines, loaded when the first picture comes."""

    @cached_property
    def recipe(self) -> str:
        """Return a digest of both models and of how they are used."""
        digest = hashlib.sha256(f"{_VERSION} {version('onnxruntime')}".encode())
        for name in (DETECTOR, READER):
            digest.update(_model(name).read_bytes())
        return digest.hexdigest()[:12]

    def __call__(self, picture: U8) -> list[Line]:
        """Return the lines of a picture, uint8 (height, width)."""
        image = Image.fromarray(picture)
        lines = []
        for strip in self._strips(image):
            text, confidence, unsure = self._read(_cut_out(image, strip))
            if text.strip() and confidence >= _LEAST_CONFIDENCE:
                corners = strip.corners
                left, top = map(float, corners.min(axis=0))
                right, bottom = map(float, corners.max(axis=0))
                x, y = strip.along
                slope = y / x if strip.width > _LONG_ENOUGH else math.nan
                lines.append(Line(text, left, top, right, bottom, confidence, unsure, slope))
        return lines

    def line(self, picture: U8) -> tuple[str, float]:
        """Return the text of a line that fills a picture, and how sure it is."""
        text, confidence, _ = self._read(Image.fromarray(picture))
        return text, confidence

    @cached_property
    def _detector(self) -> Any:
        return _session(DETECTOR)

    @cached_property
    def _reader(self) -> Any:
        return _session(READER)

    @cached_property
    def _characters(self) -> list[str]:
        """Return what each class of the reader stands for; the first is none."""
        listed = self._reader.get_modelmeta().custom_metadata_map["character"]
        return ["", *listed.splitlines(), " "]

    def _strips(self, image: Image.Image) -> list[_Strip]:
        scale = min(1.0, _SIDE / max(image.size))
        width, height = (max(round(n * scale / _STEP), 1) * _STEP for n in image.size)
        pixels = _signal(image.resize((width, height), Image.Resampling.BILINEAR))
        heat = self._detector.run(None, {_input(self._detector): pixels})[0][0, 0]
        factor = image.width / width, image.height / height
        strips = (_strip(blob, factor) for blob in _blobs(heat))
        return [strip for strip in strips if strip is not None]

    def _read(self, strip: Image.Image) -> tuple[str, float, tuple[tuple[int, int], ...]]:
        """Return the text of one line, how sure it is, and where it is not."""
        width = min(max(math.ceil(_HEIGHT * strip.width / strip.height), 1), _MOST_WIDTH)
        resized = strip.resize((width, _HEIGHT), Image.Resampling.BILINEAR)
        pixels = np.zeros((1, 3, _HEIGHT, max(width, _LEAST_WIDTH)), np.float32)
        pixels[..., :width] = _signal(resized)
        share = self._reader.run(None, {_input(self._reader): pixels})[0][0]
        return _decode_shares(share, self._characters)


@cache
def models() -> Models:
    """Return the models of this process."""
    return Models()


def _model(name: str) -> Path:
    folder = model_folder()
    assert folder is not None
    return folder / name


def _session(name: str) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # there are several workers
    options.enable_cpu_mem_arena = False  # which keeps the memory of the largest page for ever
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(
        str(_model(name)), options, providers=["CPUExecutionProvider"]
    )


def _input(session: Any) -> str:
    return str(session.get_inputs()[0].name)


def _signal(image: Image.Image) -> F32:
    """Return a grey picture as models take it, float32 (1, 3, height, width), -1 to 1."""
    grey = np.asarray(image, np.float32) / 127.5 - 1.0
    return np.ascontiguousarray(np.broadcast_to(grey, (1, 3, *grey.shape)))


# ------------------------------------------------------------------------------ where lines lie


def _blobs(heat: F32) -> list[F64]:
    """Return the pixels (x, y) of every connected blob of heat that is hot enough."""
    inked: Bools = heat > _INK
    grown = inked.copy()  # joins what a pixel parts
    grown[:-1] |= inked[1:]
    grown[:, :-1] |= grown[:, 1:]
    y, x = np.nonzero(grown)
    label = component_labels(*_neighbours(grown), len(y))
    order = np.argsort(label, kind="stable")
    blobs = []
    for pixels in np.split(order, np.flatnonzero(np.diff(label[order])) + 1) if len(y) else ():
        of_line = heat[y[pixels], x[pixels]]
        if of_line[of_line > _INK].mean() >= _LEAST_SCORE:
            blobs.append(np.column_stack([x[pixels], y[pixels]]).astype(np.float64))
    return blobs[:_MOST_LINES]


def _neighbours(marked: Bools) -> tuple[I64, I64]:
    """Return the marked pixels that touch, corners included, by their numbers row by row."""
    framed = np.pad(marked, 1)
    number = (np.cumsum(framed, dtype=np.int64) - 1).reshape(framed.shape)
    pairs = []
    for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
        other = np.roll(framed, (-down, -right), (0, 1))
        y, x = np.nonzero(framed & other)
        pairs.append((number[y, x], number[y + down, x + right]))
    left, right_ends = (np.concatenate(ends) for ends in zip(*pairs, strict=True))
    return left, right_ends


def _strip(pixels: F64, factor: tuple[float, float]) -> _Strip | None:
    """Return the rectangle of a line around a blob of pixels, None of one too small."""
    along, low, high = _least_rectangle(pixels)
    width, height = high - low
    if min(width, height) < _LEAST_HEIGHT:
        return None
    growth = width * height * _GROWTH / (width + height)  # twice area / perimeter
    across = np.array([-along[1], along[0]])
    middle = along * (low + high)[0] / 2 + across * (low + high)[1] / 2
    stretch = np.array(factor)
    size = [float(np.hypot(*(one * stretch))) for one in (along, across)]
    along = along * stretch / size[0]
    x, y = (middle + 0.5) * stretch
    return _Strip(
        (float(x), float(y)),
        (float(along[0]), float(along[1])),
        float(width + growth) * size[0],
        float(height + growth) * size[1],
    )


def _least_rectangle(pixels: F64) -> tuple[F64, F64, F64]:
    """Return the rectangle of least area around some points, at whatever angle.

    Returns
    -------
    along : float64 (2,)
        Unit vector of its side that points to the right, within 45 degrees.
    low, high : float64 (2,)
        Its ends along that vector and across it.

    Notes
    -----
    One side of it lies on a side of the convex hull (Freeman and Shapira 1975).
    """
    hull = _hull(pixels)
    edges = np.roll(hull, -1, axis=0) - hull
    angle = np.unique(np.arctan2(edges[:, 1], edges[:, 0]) % (math.pi / 2))
    angle = np.where(angle > math.pi / 4, angle - math.pi / 2, angle)
    across = np.stack([-np.sin(angle), np.cos(angle)], axis=1)
    along = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    ends = [(hull @ vector.T) for vector in (along, across)]
    low, high = (np.stack([f(one, axis=0) for one in ends]) for f in (np.min, np.max))
    best = int(np.argmin(np.prod(high - low, axis=0)))
    return along[best], low[:, best], high[:, best]


def _hull(points: F64) -> F64:
    """Return the corners of the convex hull of points (n, 2), row by row, in their order around.

    From left to right below, back above (Andrew 1979); of each row the outermost points count.
    """
    _, row = np.unique(points[:, 1], return_inverse=True)
    order = np.lexsort((points[:, 0], row))
    last = np.append(np.diff(row[order]) > 0, True)
    first = np.append(True, last[:-1])
    outer = [(x, y) for y, x in sorted({(y, x) for x, y in points[order[first | last]].tolist()})]
    hull: list[tuple[float, float]] = []
    for way in (outer, outer[::-1]):
        side: list[tuple[float, float]] = []
        for x, y in way:
            while len(side) > 1 and _turn(side[-2], side[-1], (x, y)) <= 0:
                side.pop()
            side.append((x, y))
        hull += side[:-1]
    return np.array(hull or outer)


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    """Return twice the area of a triangle, below 0 where it turns the other way."""
    return (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])


def _cut_out(image: Image.Image, strip: _Strip) -> Image.Image:
    """Return the pixels of a line, straightened; a column of vertical writing on its side."""
    width, height = max(round(strip.width), 1), max(round(strip.height), 1)
    left, _, _, below = strip.corners
    right = np.array(strip.along)
    down = (below - left) / max(strip.height, 1.0)
    affine = (right[0], down[0], left[0], right[1], down[1], left[1])
    paper = int(np.median(np.asarray(image)[::16, ::16]))
    cut = image.transform(
        (width, height),
        Image.Transform.AFFINE,
        affine,
        resample=Image.Resampling.BICUBIC,
        fillcolor=paper,
    )
    return cut.transpose(Image.Transpose.ROTATE_90) if height >= _UPRIGHT * width else cut


# ------------------------------------------------------------------------------ what they say


def _decode_shares(
    share: NDArray[np.float32], characters: list[str]
) -> tuple[str, float, tuple[tuple[int, int], ...]]:
    """Return the likeliest text, its mean confidence, and where single characters are unsure.

    `share` is float32 (steps, classes): a class that repeats is one character, the first is none.
    """
    best = share.argmax(axis=1)
    emitted = np.flatnonzero((best > 0) & (best != np.concatenate([[-1], best[:-1]])))
    if not len(emitted):
        return "", 0.0, ()
    sure = share[emitted, best[emitted]]
    pieces = [characters[one] for one in best[emitted].tolist()]
    unsure, at = [], 0
    for piece, one in zip(pieces, sure.tolist(), strict=True):
        if one < _UNSURE and piece.isalnum():
            unsure.append((at, at + len(piece)))
        at += len(piece)
    return "".join(pieces), round(float(sure.mean()), 4), tuple(unsure)
