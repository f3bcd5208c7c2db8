"""References to sources inside a text: [1], (Smith 2020), （张三，2020）."""

from __future__ import annotations

import re

from .characters import HAN

_YEAR = r"(?:1[6-9]|20)\d\d[a-z]?"
_PLACE = r"(?:\s*[,，:：;；]\s*[^()（）\n]{1,60})?"
_NAME = r"[A-Z][\w'’-]+"
_NAMES = rf"{_NAME}(?:,?\s+(?:and|&)\s+{_NAME}|,?\s+et\s+al\.?|,\s+{_NAME}){{0,5}}"
_HAN_NAMES = rf"[{HAN}·]{{2,8}}(?:、[{HAN}·]{{2,8}}){{0,4}}"
_LEAD = r"(?:(?:see|cf\.|e\.g\.,?|参见|见|引自|转引自)\s*)?"

_NUMBERED = re.compile(
    r"[\[［〔【]\s*\d{1,3}(?:\s*[-–—~～,，、;；]\s*\d{1,3})*\s*"
    r"(?:[:：,，]\s*(?:pp?\.?\s*|第)?\d{1,4}(?:\s*[-–—]\s*\d{1,4})?页?\s*)?[\]］〕】]"
)
_AUTHOR_YEAR = re.compile(
    rf"[(（]\s*{_LEAD}(?:{_NAMES}\s*[,，]?\s*{_YEAR}|{_HAN_NAMES}[,，]\s*{_YEAR})\s*年?{_PLACE}\s*[)）]"
)
_YEAR_AFTER_NAME = re.compile(
    rf"(?<=[\w.{HAN}])(?P<gap>\s?)(?P<year>[(（]\s*{_YEAR}{_PLACE}\s*[)）])"
)
_LINE_START = re.compile(r"(?:\A|[\n\r\u2028\u2029])\s*\Z")
_ENDS_IN_NAME = re.compile(rf"(?:{_NAME}|et al\.|[{HAN}·]{{2,4}})$")


def citations(text: str) -> list[tuple[int, int, str]]:
    """Return (start, end, reason) of every citation; the reason is `numbered` or `author_year`.

    A year in brackets is a citation only behind what may be a name, a number only inside a line: at
    its beginning it numbers an entry or an item.
    """
    zones = [
        (*match.span(), "numbered")
        for match in _NUMBERED.finditer(text)
        if not _LINE_START.search(text[max(match.start() - 20, 0) : match.start()])
    ]
    zones += [(*match.span(), "author_year") for match in _AUTHOR_YEAR.finditer(text)]
    zones += [
        (*match.span("year"), "author_year")
        for match in _YEAR_AFTER_NAME.finditer(text)
        if _ENDS_IN_NAME.search(text[max(match.start() - 40, 0) : match.start()])
    ]
    return sorted(zones)
