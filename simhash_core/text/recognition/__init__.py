"""Text of pictures: a page goes in as grey pixels, its lines come out in reading order.

`Recogniser` is all that the rest knows of what reads a page; the one that ships stands in
`models` and is imported when it is asked for: it needs the extra `ocr`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from ...errors import BadInput
from ...model import U8

#: files of the package rapidocr: what finds lines, what reads them
DETECTOR, READER = "PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx"


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


class LineReader(Protocol):
    """Reads one line."""

    @property
    def recipe(self) -> str:
        """Return what names models and settings: lines of another recipe are read again."""

    def line(self, picture: U8) -> tuple[str, float]:
        """Return the text of a line that fills a picture, and how sure it is, 0 to 1."""


def recognition_installed() -> bool:
    """Whether the extra `ocr` is there, models and what runs them; nothing of it is imported."""
    models = model_folder()
    return (
        models is not None
        and find_spec("onnxruntime") is not None
        and all((models / name).is_file() for name in (DETECTOR, READER))
    )


def demand(ocr: str) -> None:
    """Raise `BadInput("ocr")` where recognition is demanded and not installed."""
    if ocr == "on" and not recognition_installed():
        raise BadInput("ocr")


def model_folder() -> Path | None:
    """Return where the package rapidocr keeps its models, None without it."""
    spec = find_spec("rapidocr")
    places = spec.submodule_search_locations if spec else None
    return Path(places[0]) / "models" if places else None
