"""Many pairs aligned in tasks: in worker processes with limits, or here where that is little."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar

import numpy as np

from ..errors import Unreadable
from ..machine.memory import Scratch, Stored, sizes_of, split_by_size, temporary_file
from ..machine.workers import WorkerPool
from ..model import I32, I64, Bools, DocumentFrequencies, Passages, Progress, Stretches
from ..passages import coverage
from ..passages.align import SIDE_TYPES, Side, align_sides, side_of
from ..passages.coverage import PairNumbers
from ..passages.options import AlignOptions
from ..passages.tokenized import Column, TokenizedText, languages_of
from ..settings import Settings

CHUNK_TOKENS = 400_000  # that one task reads, and a tenth of those that its pairs have
BLOCK_TOKENS = 100_000  # of left texts, that are held while their pairs are aligned
INLINE_TOKENS = 50_000  # of all texts; fewer are aligned without a worker
ALIGN_SECONDS = 120.0  # for one task; two books of a million characters take a tenth of it
LANGUAGES = ("zh", "en")  # of the presets

Whole = TypeVar("Whole", I64, I32)
Answer = TypeVar("Answer")


class Task(NamedTuple):
    """Pairs (m, 2) of rows of `sides` to align; which of them are `listed`, bool (m,)."""

    sides: list[Side]
    pairs: I64
    settings: Settings
    listed: Bools


class Measured(NamedTuple):
    """Passages of some pairs, what they amount to, and the stretches that they share.

    Of the identical stretches those are enough that lie in no other of their text.
    """

    passages: Passages
    numbers: PairNumbers
    stretches: Stretches


def align_pairs(
    tokenized: Sequence[TokenizedText],
    pairs: I64,
    df: DocumentFrequencies | None,
    *,
    listed: Bools,
    settings: Settings,
    pool: WorkerPool,
    step: Progress,
) -> tuple[Measured, int]:
    """Align all candidates; `pair` of the result and the numbers are by row of `pairs`.

    The second is how many pairs cost more than a worker may spend. Of pairs that are not `listed`
    weak passages are returned only beside others. Pairs of the same two texts are aligned once.
    """
    once, which = distinct_work(find_first_alike(tokenized), pairs, listed)
    numbers = PairNumbers.zeros(len(once))
    passages, stretches = [], list[Stretches]()
    lost = np.zeros(len(once), np.bool_)
    left, right = pairs[once].T
    block = np.cumsum(sizes_of(tokenized)) // BLOCK_TOKENS
    rows = np.lexsort([left, right, block[left]])  # by right text: see `align._find_in`
    for low, high, part in run_tasks(
        measure_task,
        tokenized,
        pairs[once[rows]],
        df,
        listed=listed[once[rows]],
        settings=settings,
        pool=pool,
        step=step,
    ):
        if isinstance(part, Unreadable):
            lost[rows[low:high]] = True
            continue
        passages.append(part.passages.of_pairs(rows[part.passages.pair + low]))
        stretches.append(part.stretches.of_pairs(rows[part.stretches.pair + low]))
        if len(once) == len(pairs):  # no copies are to come that need all of them
            stretches[-1] = coverage.drop_repeated(stretches[-1], pairs[once])
        numbers.put(rows[low:high], part.numbers)
    together = copy_measured(
        Measured(Passages.join(passages), numbers, Stretches.join(stretches)), which
    )
    left = coverage.drop_repeated(together.stretches, pairs)
    return together._replace(stretches=left), int(np.count_nonzero(lost[which]))


def find_first_alike(tokenized: Sequence[TokenizedText]) -> I64:
    """Return for each text the first one that has the same tokens in the same places."""
    first: dict[bytes, int] = {}
    rows = [first.setdefault(place_digest(one), row) for row, one in enumerate(tokenized)]
    return np.array(rows, np.int64)


def place_digest(text: TokenizedText) -> bytes:
    """Return what only a text with the same tokens in the same places has, 16 bytes."""
    digest = hashlib.blake2b(digest_size=16)
    for column in (text.token, text.start, text.end, text.end_attached, text.border, text.word):
        digest.update(column.tobytes())
    return digest.digest()


def distinct_work(first: I64, pairs: I64, listed: Bools) -> tuple[I64, I64]:
    """Return rows of `pairs` of different texts, and for each pair which of those has its texts.

    `first` is the first row with the text of each row; what is `listed` is aligned differently.
    """
    keys = 2 * (first[pairs] @ [len(first), 1]) + listed
    _, once, which = np.unique(keys, return_index=True, return_inverse=True)
    return once, which


def copy_measured(measured: Measured, which: I64) -> Measured:
    """Return what was measured of pair `which[i]` as that of pair i, for every i."""
    passages, stretches = measured.passages, measured.stretches
    rows, pair = _rows_of(passages.pair, which)
    of_stretches, pair_of_stretch = _rows_of(stretches.pair, which)
    return Measured(
        passages.take(rows).of_pairs(pair),
        measured.numbers.take(which),
        stretches.take(of_stretches).of_pairs(pair_of_stretch),
    )


def _rows_of(pair: I64, which: I64) -> tuple[I64, I64]:
    """Return the rows that belong to each of the pairs `which`, and the place of that in it."""
    order = np.argsort(pair, kind="stable")
    start = np.searchsorted(pair[order], which)
    count = np.searchsorted(pair[order], which, side="right") - start
    before = np.cumsum(count) - count
    rows = np.arange(count.sum()) + np.repeat(start - before, count)
    return order[rows], np.repeat(np.arange(len(which)), count)


def run_tasks(
    function: Callable[[Task], Answer],
    tokenized: Sequence[TokenizedText],
    pairs: I64,
    df: DocumentFrequencies | None,
    *,
    listed: Bools,
    settings: Settings,
    pool: WorkerPool,
    step: Progress,
) -> Iterator[tuple[int, int, Answer | Unreadable]]:
    """Yield first row, last row and answer of `function`, a function of a module, for every task.

    `listed` are the pairs of which weak passages alone are wanted too, bool (m,). The pairs of a
    task that fails are tried again one by one.
    """
    step("align", 0, len(pairs))
    sizes = sizes_of(tokenized)[pairs].sum(axis=1)
    bounds = split_by_size(count_read(pairs, sizes_of(tokenized)) + sizes // 10, CHUNK_TOKENS)
    if not bounds:
        return
    rows, local = np.unique(pairs, return_inverse=True)
    local = local.reshape(pairs.shape)
    sides = (side_of(tokenized[row], df) for row in rows.tolist())
    if len(bounds) == 1 and sizes_of(tokenized).sum() < INLINE_TOKENS:
        yield 0, len(pairs), function(Task(list(sides), local, settings, listed))
        step("align", len(pairs), len(pairs))
        return
    scratch = tokenized.scratch if isinstance(tokenized, Stored) else Scratch()
    with SideFile(sides, on_disk=scratch.limited) as file:
        scratch.written += file.size if scratch.limited else 0

        def task(low: int, high: int) -> StoredTask:
            needed, places = np.unique(local[low:high], return_inverse=True)
            stored = file.stored(needed.tolist())
            return function, stored, places.reshape(-1, 2), settings, listed[low:high]

        here = _read_task if sizes.max() < INLINE_TOKENS else None  # larger ones need a clock
        for low, high, answer in _in_workers(task, bounds, pool, here):
            yield low, high, answer
            step("align", high, len(pairs))


def count_read(pairs: I64, sizes: I64) -> I64:
    """Return the tokens of the texts that each pair is the first in a row to need, int64 (m,)."""
    (left, right), first = pairs.T, np.zeros(len(pairs), np.bool_)
    first[np.unique(left, return_index=True)[1]] = True
    read: I64 = sizes[left] * first + sizes[right] * (np.diff(right, prepend=-1) != 0)
    return read


def _in_workers(
    task: Callable[[int, int], StoredTask],
    bounds: Sequence[tuple[int, int]],
    pool: WorkerPool,
    here: Callable[[StoredTask], Any] | None,
) -> Iterator[tuple[int, int, Any]]:
    """Yield the answers of workers to the tasks between some bounds, and of `here`."""
    tasks = [task(*ends) for ends in bounds]
    answers = pool.map(_read_task, tasks, seconds=ALIGN_SECONDS, here=here)
    for (low, high), answer in zip(bounds, answers, strict=True):
        if isinstance(answer, Unreadable) and high - low > 1:
            alone = [task(i, i + 1) for i in range(low, high)]
            single = pool.map(_read_task, alone, seconds=ALIGN_SECONDS)
            yield from ((low + i, low + i + 1, one) for i, one in enumerate(single))
        else:
            yield low, high, answer


def _read_task(task: StoredTask) -> Any:
    """Read the texts of one task and do what is asked; runs in a worker."""
    function, stored, pairs, settings, listed = task
    return function(Task(stored.read(), pairs, settings, listed))


def sort_distinct(values: Whole) -> Whole:
    """Return the sorted distinct values; `np.unique` hashes them, which takes ten times as long."""
    ordered: Whole = np.sort(values)
    first = np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)]
    values = ordered[first]
    return values


def unite_pairs(pairs: I64, more: I64, n: int) -> I64:
    """Return the distinct pairs of both, int64 (c, 2), sorted."""
    keys = sort_distinct(np.concatenate([pairs, more]) @ [n, 1])
    return np.stack([keys // n, keys % n], axis=1)


def align_task(task: Task) -> Passages:
    """Align the pairs of one task, each with the preset of its language; runs in a worker.

    Of pairs that are not `listed` weak passages are returned only beside others.
    """
    parts = []
    for rows, options in part_by_language(task):
        part = align_sides(task.sides, task.pairs[rows], options=options, listed=task.listed[rows])
        parts.append(part.of_pairs(rows[part.pair]))
    return Passages.join(parts)


def measure_task(task: Task) -> Measured:
    """Align the pairs of one task and sum up what each shares; runs in a worker."""
    sides, pairs, settings, _ = task
    passages, texts = align_task(task), [side.text for side in sides]
    return Measured(
        passages, *coverage.sum_up_pairs(texts, pairs, passages, min_run=settings.min_run)
    )


def part_by_language(task: Task) -> Iterator[tuple[I64, AlignOptions]]:
    """Yield the rows of the pairs of each language, and its preset."""
    sides, pairs, settings, _ = task
    languages = languages_of([side.text for side in sides], pairs)
    for language in LANGUAGES:
        rows = np.flatnonzero(languages == language)
        if len(rows):
            options = AlignOptions.for_language(
                language,
                frequencies=sides[0].factor is not None,
                strength=settings.strength,
                min_run=settings.min_run,
            )
            yield rows, options


# --------------------------------------------------------------------------- texts in a file

# Each text crosses to the workers once: a task names the texts that it needs, and a worker reads
# just those. Neither texts nor the frequencies of the batch travel with every task.

PREFIX = "leitong-texts-"
_ALIGNED = 8  # bytes: columns begin at a multiple
YOUNG = 60.0  # seconds in which a folder may not have its lock yet


Place = tuple[int, tuple[int, ...]]  # where a side begins, and the length of each column or -1


@dataclass(frozen=True, slots=True)
class StoredSides:
    """Where some sides lie in a file."""

    path: str
    places: tuple[Place, ...]

    def read(self) -> list[Side]:
        """Return the sides; runs in a worker.

        They are read, not mapped: the whole file can be larger than a worker's address space.
        """
        with open(self.path, "rb", buffering=0) as file:  # noqa: PTH123  a number is wanted
            return [Side.of_columns(list(_columns(file, *place))) for place in self.places]


def _columns(file: IO[bytes], at: int, lengths: tuple[int, ...]) -> Iterator[Column | None]:
    """Yield the columns that begin at a place."""
    nbytes = [
        max(length, 0) * np.dtype(kind).itemsize
        for kind, length in zip(SIDE_TYPES, lengths, strict=True)
    ]
    ends = list(accumulate(size + -size % _ALIGNED for size in nbytes))
    file.seek(at)
    data = file.read(ends[-1])
    for kind, length, start in zip(SIDE_TYPES, lengths, [0, *ends], strict=False):
        if length <= 0:
            yield None if length < 0 else np.empty(0, kind)
        else:
            yield np.frombuffer(data, kind, length, start)


StoredTask = tuple[Callable[[Task], Any], StoredSides, I64, Settings, Bools]


class SideFile:
    """A file of sides that lives as long as its `with` block.

    Notes
    -----
    On Linux it lies in memory, or `on_disk`, and ends with the process, whatever ends that.
    Elsewhere it lies in a temporary folder that this user alone can read; what a killed process
    leaves behind is removed by the next one, since the system releases its lock.

    Attributes
    ----------
    size
        Bytes of the file.
    """

    def __init__(self, sides: Iterable[Side], *, on_disk: bool = False) -> None:
        self._places: list[Place] = []
        self._open = contextlib.ExitStack()
        try:
            if hasattr(os, "memfd_create"):
                made = temporary_file() if on_disk else os.fdopen(os.memfd_create(PREFIX), "wb")
                file = self._open.enter_context(made)
                self._path = f"/proc/{os.getpid()}/fd/{file.fileno()}"
            else:
                self._path = str(_folder(self._open) / "sides")
                file = self._open.enter_context(Path(self._path).open("wb"))  # noqa: SIM115
            for side in sides:
                columns = side.columns()
                lengths = tuple(-1 if column is None else len(column) for column in columns)
                self._places.append((file.tell(), lengths))
                for column in columns:
                    if column is not None:
                        size = file.write(np.ascontiguousarray(column).data)
                        file.write(bytes(-size % _ALIGNED))
            self.size = file.tell()
            file.flush()
        except BaseException:
            self._open.close()
            raise

    def __enter__(self) -> SideFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def stored(self, rows: Sequence[int]) -> StoredSides:
        """Return where some of the sides lie, by their order of writing."""
        return StoredSides(self._path, tuple(self._places[row] for row in rows))


def _folder(until: contextlib.ExitStack) -> Path:
    """Make a locked folder that is removed when `until` closes."""
    from filelock import FileLock

    _remove_abandoned()
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    until.callback(shutil.rmtree, folder, ignore_errors=True)
    until.enter_context(FileLock(folder / "lock"))
    return folder


def _remove_abandoned() -> None:
    """Remove the folders of processes that were killed."""
    from filelock import FileLock, Timeout

    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError, Timeout):
            if time.time() - folder.stat().st_mtime < YOUNG:
                continue
            with FileLock(folder / "lock", timeout=0):
                pass
            shutil.rmtree(folder, ignore_errors=True)
