"""Readers that end their process or never end; preloaded into the workers of a test."""

from __future__ import annotations

import ctypes
import os

from simhash_core.text import extract
from simhash_core.text.extract.extracted import Extracted


def aborts(data: bytes, *, encoding: str = "") -> Extracted:
    os.abort()


def faults(data: bytes, *, encoding: str = "") -> Extracted:
    ctypes.string_at(0)
    raise AssertionError("address 0 can be read")


def hangs(data: bytes, *, encoding: str = "") -> Extracted:
    while True:
        pass


extract.EXTRACTORS = {**extract.EXTRACTORS, "aborts": aborts, "faults": faults, "hangs": hangs}
