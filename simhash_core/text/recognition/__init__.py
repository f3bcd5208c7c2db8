"""Text of pictures: a page goes in as grey pixels, its lines come out in reading order.

`Recogniser` is all that the rest knows of what reads a page; the one that ships stands in
`models` and is imported when it is asked for: it needs the extra `ocr`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Protocol

from ...model import U8

EXTRA = 'pip install "leitong[ocr]"'
_PACKAGES = ("onnxruntime", "rapidocr")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page as it was recognised.

    Attributes
    ----------
    text : str
    left, top, right, bottom : float
        Upright box around it, pixels of the picture.
    confidence : float
        Mean over its characters, 0 to 1.
    unsure : tuple of (start, end)
        Stretches of `text` whose characters are likely to be wrong.
    slope : float
        Of its lower edge; nan where the line is too short to tell.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float
    confidence: float
    unsure: tuple[tuple[int, int], ...] = ()
    slope: float = float("nan")

    @property
    def middle(self) -> tuple[float, float]:
        """Return the point in the middle of the box."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


class Recogniser(Protocol):
    """Finds the lines of a picture and reads them."""

    @property
    def recipe(self) -> str:
        """Return what names models and settings: pages of another recipe are read again."""

    def __call__(self, picture: U8) -> Sequence[Line]:
        """Return the lines of a picture, uint8 (height, width), in any order."""


def recognition_installed() -> bool:
    """Whether the extra `ocr` is there; nothing of it is imported."""
    return all(find_spec(name) is not None for name in _PACKAGES)
