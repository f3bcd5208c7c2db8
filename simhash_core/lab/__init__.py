"""The lab: measurements, the museum of the sources, and what two pages of the application show.

A leaf: nothing of the product imports it, `extensions` finds what it offers, and with the folder
deleted commands and pages of it are simply absent. Measurements are run by `leitong evaluate`; each
returns tables of plain values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_HERE = "simhash_core.lab"
#: what the leaf adds (`extensions`)
OFFERS = {
    "commands": {"evaluate": f"{_HERE}.evaluate:COMMAND"},
    "pages": {"fingerprint_lab": "laboratories:fingerprint", "threshold_lab": "laboratories:tune"},
    "guides": {
        "fingerprint_lab": "explanation/fingerprint explanation/methods",
        "threshold_lab": "explanation/fingerprint explanation/methods",
    },
    "profiles": {
        "classic": f"{_HERE}.museum.profiles:CLASSIC",
        "lyq": f"{_HERE}.museum.profiles:LYQ",
        "1e0ng": f"{_HERE}.museum.profiles:PYPI",
        "sing1ee": f"{_HERE}.museum.profiles:SING1EE",
        "yanyiwu": f"{_HERE}.museum.profiles:YANYIWU",
    },
}


class Code(str):
    """A cell that is a key of the catalogue domain `evaluate`, not a value."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Table:
    """One table; `code` and the column names are keys of the catalogue domain `evaluate`."""

    code: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[object, ...]]
    ok: bool = True  # False: something that has a known answer came out different
