"""Photographs and scans: files that hold nothing but pictures, one a frame."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable, Mapping, Sequence
from zipfile import ZipFile

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from ...errors import Unreadable
from ...model import U8, PagePicture
from .extracted import Extracted, limit_length
from .paragraphs import reflow
from .signatures import PICTURES
from .zipped import MOST_PART, open_zip, read_member

MOST_SIDE = 2000  # pixels; a page of 170 dpi, and no page is read better from more
MOST_PIXELS = 64_000_000  # of a picture as it is opened
_LEAST_BYTES = 2_000  # of a picture in a document; a line of text takes more
KEPT_SIDE = 1200  # pixels of a page that is kept to be looked at: some 100 KB
MOST_KEPT = 20  # pages of one file
_QUALITY = 55
MOST_PAGES = 300  # of one file: ten minutes

_BROKEN = (
    SyntaxError,  # what some decoders of Pillow raise for broken data
    *(UnidentifiedImageError, OSError, ValueError, EOFError, struct.error, TypeError),
    *(IndexError, KeyError, OverflowError),
)


def extract(
    data: bytes, *, encoding: str = "", recognised: Mapping[str, Sequence[str]] | None = None
) -> Extracted:
    """Return the text that was recognised in the frames of a picture.

    Raises
    ------
    Unreadable
        "scanned" where nothing was.
    """
    if not recognised:
        raise Unreadable("scanned")
    frames = sorted(recognised, key=int)
    return Extracted(limit_length(reflow([recognised[frame] for frame in frames])))


def parts(data: bytes) -> list[str]:
    """Return the number of every frame.

    Raises
    ------
    Unreadable
        "damaged", "too_many_pages".
    """
    image = _open_image(data)
    try:
        return limit_pages([str(frame) for frame in range(getattr(image, "n_frames", 1))])
    except _BROKEN as error:
        raise Unreadable("damaged", detail=type(error).__name__) from error


def picture(data: bytes, part: str) -> U8:
    """Return one frame as it is looked at, uint8 (height, width).

    Raises
    ------
    Unreadable
        "damaged", "too_many_pixels".
    """
    image = _open_image(data)
    try:
        image.seek(int(part))
        image.draft("L", (MOST_SIDE, MOST_SIDE))  # of JPEG an eighth is decoded as fast
        if image.width * image.height > MOST_PIXELS:
            raise Unreadable("too_many_pixels", mp=MOST_PIXELS // 1_000_000)
        return make_grey(image)
    except _BROKEN as error:
        raise Unreadable("damaged", detail=type(error).__name__) from error


def picture_of_part(data: bytes, part: str) -> U8:
    """Return a picture of an Office document, uint8 (height, width).

    Raises
    ------
    Unreadable
        "damaged", "too_many_pixels".
    """
    try:
        content = read_member(open_zip(io.BytesIO(data)), part, MOST_PART)
    except KeyError as error:
        raise Unreadable("damaged", detail="part missing") from error
    return picture(content, "0")


def is_raster(name: str) -> bool:
    """Whether a part is a picture of pixels, by its name."""
    return name.rpartition(".")[2].lower() in PICTURES


def large_pictures(archive: ZipFile, named: Iterable[str]) -> list[str]:
    """Return the parts that are pictures large enough to hold a line, each once.

    Raises
    ------
    Unreadable
        "too_many_pages".
    """
    sizes = {one.filename: one.file_size for one in archive.infolist()}
    return limit_pages(
        [
            name
            for name in dict.fromkeys(named)
            if sizes.get(name, 0) >= _LEAST_BYTES and is_raster(name)
        ]
    )


def make_grey(image: Image.Image) -> U8:
    """Return a picture upright, on white paper, its longer side at most `MOST_SIDE` pixels."""
    image = ImageOps.exif_transpose(image)
    if image.mode.startswith(("I", "F")):  # more than 8 bits a pixel
        values = np.asarray(image, np.float32)
        image = Image.fromarray((values * (255 / max(float(values.max()), 1.0))).astype(np.uint8))
    if "transparency" in image.info or image.mode in ("RGBA", "LA", "PA"):
        image = image.convert("RGBA")
        paper = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(paper, image)
    image = image.convert("L")
    image.thumbnail((MOST_SIDE, MOST_SIDE), Image.Resampling.LANCZOS)
    return np.asarray(image)


def page_picture(number: int, image: Image.Image) -> PagePicture:
    """Return a page as it is kept to be looked at: a small JPEG, its longer side `KEPT_SIDE`."""
    image = image.convert("RGB")
    image.thumbnail((KEPT_SIDE, KEPT_SIDE), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    image.save(file, "JPEG", quality=_QUALITY)
    return PagePicture(number, np.frombuffer(file.getvalue(), np.uint8))


def limit_pages(listed: list[str]) -> list[str]:
    """Return the pages to be recognised, or raise `Unreadable("too_many_pages")`."""
    if len(listed) > MOST_PAGES:
        raise Unreadable("too_many_pages", n=MOST_PAGES)
    return listed


def _open_image(data: bytes) -> Image.Image:
    try:
        return Image.open(io.BytesIO(data))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise Unreadable("too_many_pixels", mp=MOST_PIXELS // 1_000_000) from error
    except _BROKEN as error:
        raise Unreadable("damaged", detail=type(error).__name__) from error
