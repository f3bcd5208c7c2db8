"""Documents of Pages and its sisters: read from the preview in PDF that they may carry."""

from __future__ import annotations

import io

from ...errors import Unreadable
from . import pdf
from .extracted import Extracted
from .zipped import MOST_PART, open_zip, read_member

_PREVIEWS = ("quicklook/preview.pdf", "preview.pdf")


def extract(data: bytes, *, encoding: str = "") -> Extracted:
    """Return the text of a preview.

    Raises
    ------
    Unreadable
        "iwork" where there is none, and what reading a PDF raises.
    """
    archive = open_zip(io.BytesIO(data))
    for info in archive.infolist():
        if info.filename.lower() in _PREVIEWS:
            return pdf.extract(read_member(archive, info, MOST_PART))
    raise Unreadable("iwork")
