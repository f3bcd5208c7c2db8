"""Compiled loops and their readable twins: which of them runs, decided when it is called.

Loops of C run wherever the library of them was built: they cost nothing to load. Where it was not,
the readable twins run at once, and numba makes machine code of them, once, in a process of its own
and into the user's cache; that takes over when it is there and the work repays loading it. Work
that is long enough waits for it. All three give the same results.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import importlib
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from filelock import FileLock, Timeout

from .. import folders
from ..model import Progress
from . import building, native
from .isolation import child_command

#: seconds to import numba and load the machine code of a room (benchmarks/first_check.py: 0.5 to
#: 0.7); the second room costs next to nothing
LOAD_SECONDS, LOAD_MORE_SECONDS = 0.6, 0.1
START_SECONDS = 1.5  # of a preparing process before its first function: interpreter, numba
TICK = 0.1  # seconds between two looks at a preparing process
LOCK_SECONDS = 1.0  # in which a process sees whether another one makes machine code
OLDER_VERSIONS = 2  # versions beside the current one: other installations of the same user

CACHE = "LEITONG_CACHE"  # environment: see `folders.cache_folder`
PREPARE = "LEITONG_PREPARE"  # environment: "no" uses machine code where it is ready, makes none
TWIN = "LEITONG_TWIN"  # environment: "readable" or "compiled" runs that twin, whatever the work
NATIVE = "LEITONG_NATIVE"  # environment: "no" leaves the loops of C alone, as if none were built
NICE = "LEITONG_NICE"  # environment of a preparing process: how far it stands back

_PACKAGE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Room:
    """One module of kernels; beside it `readable`, the same functions not compiled, and `native`.

    `sources` are the files whose functions and numbers it compiles, relative to the package;
    `seconds` is what the preparation takes on one core (benchmarks/first_check.py).
    """

    module: str
    sources: tuple[str, ...]
    seconds: float

    @property
    def readable(self) -> str:
        return f"{self.module.rpartition('.')[0]}.readable"

    @property
    def native(self) -> str:
        return f"{self.module.rpartition('.')[0]}.native"


ROOMS = {
    "passages": Room(
        "passages.kernels",
        (
            "passages/exact.py",
            "passages/options.py",
            "passages/pairwise.py",
            "passages/rare_words.py",
            "passages/rectangles.py",
            "passages/seeds.py",
            "passages/strong.py",
            "passages/summaries.py",
            "passages/tokenized.py",
            "passages/winnow.py",
            "policy.py",
        ),
        32.0,
    ),
    "places": Room(
        "passages.flat.kernels",
        (
            "passages/winnow.py",
            "machine/ranges.py",
        ),
        1.5,
    ),
    "translated": Room(
        "translations.kernels",
        (
            "passages/rectangles.py",
            "translations/growth.py",
        ),
        5.5,
    ),
    "meaning": Room(
        "meaning.kernels",
        (
            "meaning/readable.py",
            "policy.py",
        ),
        5.0,
    ),
    "text": Room(
        "text.kernels",
        (
            "machine/ranges.py",
            "text/cutting.py",
            "text/flat.py",
        ),
        4.5,
    ),
    "votes": Room("simhash.kernels", (), 0.7),
    "search": Room(
        "simhash.search.kernels",
        (
            "simhash/search/kernel_words.py",
            "simhash/search/readable.py",
        ),
        9.0,
    ),
}


class Twins:
    """The functions of one room under one set of names: compiled where in use, else readable.

    Parameters
    ----------
    room
        A key of `ROOMS`.

    Notes
    -----
    Both modules are imported when the first function is asked for: so the modules whose loops
    they hold may themselves ask for loops.
    """

    def __init__(self, room: str) -> None:
        self._room = room
        self._kernels: ModuleType | None = None
        self._spent = 0.0  # seconds that readable twins have been asked for so far
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        if not self.compiled:
            return getattr(self._readable, name)
        return getattr(self._native if in_c() else self._kernels, name)

    @cached_property
    def _readable(self) -> ModuleType:
        return importlib.import_module(f"simhash_core.{ROOMS[self._room].readable}")

    @cached_property
    def _native(self) -> ModuleType:
        return importlib.import_module(f"simhash_core.{ROOMS[self._room].native}")

    @property
    def compiled(self) -> bool:
        """Whether compiled loops are in use in this process, of C or by numba."""
        return os.environ.get(TWIN) != "readable" and (in_c() or self._kernels is not None)

    def settle(self, seconds: float, step: Progress | None = None) -> None:
        """Decide which twin does work that takes the readable one about `seconds`.

        Parameters
        ----------
        step
            Called with "prepare" while the work waits for machine code; may raise to stop.

        Notes
        -----
        Loading pays once the readable twins have been asked for as much time as it takes, in
        one call or in many (the rule of the ski rental: never more than twice the best choice).
        From then on machine code is being made where there is none; a call waits for it where
        the readable twin would take longer than what is left of the preparation. `TWIN` in the
        environment decides instead, also in a process that has decided already.
        """
        wanted = os.environ.get(TWIN)
        if wanted == "compiled":
            if not ready(self._room):
                prepare(self._room, urgent=True)
                _wait(self._room, step)
            self.load()
        if self.compiled or wanted:
            return
        with self._lock:
            self._spent += seconds
            worth = self._spent >= _load_seconds()
        if not worth:
            return
        if not ready(self._room):
            pays = seconds > remaining(self._room)
            prepare(self._room, urgent=pays)
            if not pays or not _wait(self._room, step):
                return
        self.load()

    def load(self) -> None:
        """Use compiled loops from now on: those of C, or numba's, be they in the cache or not."""
        if in_c() or self._kernels is not None:
            return
        with self._lock, contextlib.suppress(ImportError):  # a numba that does not fit numpy
            self._kernels = importlib.import_module(f"simhash_core.{ROOMS[self._room].module}")

    def expected(self, *, readable: float, compiled: float) -> tuple[float, float]:
        """Return the seconds of work and of waiting that `settle(readable)` leads to.

        `compiled` is what the kernels take for work that takes the twins `readable` seconds.
        """
        if self.compiled:
            return compiled, 0.0
        if readable < _load_seconds() or os.environ.get(TWIN) == "readable":
            return readable, 0.0
        if ready(self._room):
            return compiled + _load_seconds(), 0.0
        left = remaining(self._room)
        if readable <= left:
            return readable, 0.0
        return compiled + _load_seconds(), left


def in_c() -> bool:
    """Return whether loops of C are in use: they are built, and nobody has turned them off."""
    return os.environ.get(NATIVE) != "no" and native.library() is not None


def available() -> bool:
    """Return whether machine code is there, or can be made and kept on this machine."""
    return in_c() or (_numba() and cache_folder() is not None)


def ready(room: str) -> bool:
    """Return whether the machine code of a room is there: built, or complete in the cache."""
    if in_c():
        return True
    folder = room_folder(room)
    return folder is not None and (folder / "ready").is_file()


def remaining(room: str) -> float:
    """Return about how many seconds the preparation of a room still takes; infinite if none can.

    Notes
    -----
    Other rooms may be prepared before it by the same process; they are not counted.
    """
    if in_c():
        return 0.0
    if not available() or os.environ.get(PREPARE) == "no":
        return float("inf")
    done, total = _progress(room)
    return START_SECONDS * (not done) + ROOMS[room].seconds * (1 - done / total)


def prepare(*rooms: str, urgent: bool = False) -> None:
    """Start making the machine code of some rooms, by default all, where it is missing.

    `urgent` where somebody waits for it; else it leaves the processors to whatever else runs.
    Returns at once. One process a user makes it, whoever asked: a second one sees that and ends.
    """
    global _preparing
    if not available() or os.environ.get(PREPARE) == "no":
        return
    missing = [room for room in rooms or ROOMS if not ready(room)]
    with _starting:
        if not missing or (_preparing is not None and _preparing.poll() is None):
            return
        if _preparing is not None and _preparing.returncode:
            return  # it failed, and would fail again
        _preparing = subprocess.Popen(
            child_command("simhash_core.machine.compiled:prepare_now", *missing),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **_same_cache(), NICE: "0" if urgent else "10"},
            start_new_session=True,  # a short command may end before it
        )


def prepare_now(*rooms: str) -> None:
    """Make the machine code of some rooms in this process, and remove what is out of date.

    Does nothing where another process makes some.
    """
    folder = cache_folder()
    assert folder is not None
    if hasattr(os, "nice"):
        os.nice(int(os.environ.get(NICE, "0")))
    with contextlib.suppress(Timeout), FileLock(folder / "lock", timeout=LOCK_SECONDS):
        for room in rooms:
            place = room_folder(room)
            if place is None or ready(room):
                continue
            place.mkdir(parents=True, exist_ok=True)
            kernels = importlib.import_module(f"simhash_core.{ROOMS[room].module}")
            for done, total in kernels.ROOM.prepare():
                _write(place / "progress", f"{done} {total}")
            _write(place / "ready", "")
            _remove_older(place)


def for_workers() -> dict[str, str]:
    """Return the environment of processes that use what is ready and leave making it to us."""
    return {**_same_cache(), PREPARE: "no"}


def _same_cache() -> dict[str, str]:
    """Return the environment by which other processes find our cache, private as it may be."""
    folder = cache_folder()
    return {} if folder is None else {CACHE: str(folder.parent)}


@cache
def cache_folder() -> Path | None:
    """Return a folder that can be written: the user's, else one for this process, else None."""
    with contextlib.suppress(OSError, RuntimeError):  # no such user, no home, a full disk
        folder = folders.cache_folder() / "kernels"
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        return folder
    with contextlib.suppress(OSError):
        private = Path(tempfile.mkdtemp(prefix="leitong-"))
        atexit.register(_forget, private)
        folder = private / "kernels"
        folder.mkdir()
        return folder
    return None


def room_folder(room: str) -> Path | None:
    """Return where machine code and tables of a room belong: a folder named by all that shapes it.

    Notes
    -----
    numba checks each function's own file and not those of the functions it calls; here all
    files of a room make one name. Place and time of the files are part of it because numba, too,
    takes no machine code from a file of another place or time. With loops of C a room has tables
    alone, which are the same for every processor.
    """
    return _room_folder(room, in_c())


@cache
def _room_folder(room: str, built: bool) -> Path | None:
    folder = cache_folder()
    if folder is None or not (built or _numba()):
        return None
    if built:
        shape = building.sources_digest().encode()
        shape += b"".join((_PACKAGE / name).read_bytes() for name in ROOMS[room].sources)
        return folder / f"{room}-{hashlib.sha256(shape).hexdigest()[:16]}"
    digest = hashlib.sha256("\n".join(_versions()).encode())
    modules = (f"{ROOMS[room].module.replace('.', '/')}.py", "machine/kernels.py")
    for name in (*modules, *ROOMS[room].sources):
        path = _PACKAGE / name
        digest.update(f"{path} {path.stat().st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
        digest.update(path.read_bytes())
    return folder / f"{room}-{digest.hexdigest()[:16]}"


def _versions() -> Sequence[str]:
    """Return everything beside the sources that machine code depends on."""
    from llvmlite.binding import get_host_cpu_name

    numba = sorted(f"{name}={value}" for name, value in os.environ.items() if name[:6] == "NUMBA_")
    versions = [importlib.metadata.version(name) for name in ("numba", "llvmlite", "numpy")]
    return platform.python_version(), platform.machine(), get_host_cpu_name(), *versions, *numba


@cache
def _numba() -> bool:
    return (
        importlib.util.find_spec("numba") is not None
        and importlib.util.find_spec("llvmlite") is not None
        and os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
    )


def _load_seconds() -> float:
    return LOAD_MORE_SECONDS if "numba" in sys.modules else LOAD_SECONDS


def _progress(room: str) -> tuple[int, int]:
    """Return how many functions of a room have been compiled, of how many."""
    folder = room_folder(room)
    with contextlib.suppress(OSError, ValueError):
        if folder is not None:
            done, total = (folder / "progress").read_text("ascii").split()
            return int(done), max(1, int(total))
    return 0, 1


def _wait(room: str, step: Progress | None) -> bool:
    """Wait until a room is ready; False where its preparation failed."""
    again = True  # the process that runs may have been started for other rooms
    while not ready(room):
        if not _is_being_made():
            if not again or ready(room):
                break
            prepare(room, urgent=True)
            again = False
        if step:
            step("prepare", *_progress(room))
        time.sleep(TICK)
    if step:
        step("prepare", 1, 1)
    return ready(room)


def _is_being_made() -> bool:
    """Return whether a process makes machine code, ours or that of somebody else."""
    if _preparing is not None and _preparing.poll() is None:
        return True
    folder = cache_folder()
    try:
        with FileLock(folder / "lock", timeout=0) if folder else contextlib.nullcontext():
            return False
    except Timeout:
        return True


def _write(path: Path, text: str) -> None:
    """Replace a small file in one step."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_text(text, "ascii")
    fresh.replace(path)


def _remove_older(place: Path) -> None:
    """Remove folders of the same room but the latest few, and unfinished ones."""
    room = place.name.rpartition("-")[0]
    others = [path for path in place.parent.glob(f"{room}-*") if path != place]
    finished = [path for path in others if (path / "ready").is_file()]
    finished.sort(key=lambda path: (path / "ready").stat().st_mtime)
    latest = (
        finished[len(finished) - OLDER_VERSIONS :] if len(finished) > OLDER_VERSIONS else finished
    )
    for path in others:
        if path not in latest:
            shutil.rmtree(path, ignore_errors=True)


def _forget(private: Path) -> None:
    """Remove a cache that was made for this process only."""
    if _preparing is not None and _preparing.poll() is None:
        _preparing.kill()
        _preparing.wait()
    shutil.rmtree(private, ignore_errors=True)


_starting = threading.Lock()
_preparing: subprocess.Popen[bytes] | None = None
