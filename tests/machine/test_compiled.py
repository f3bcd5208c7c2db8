"""Compiled kernels and readable twins: which runs when, and where machine code is kept."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock
from prose import english

from simhash_core.machine import compiled
from simhash_core.machine.compiled import ROOMS, Twins
from simhash_core.simhash import readable

ROOT = Path(__file__).resolve().parents[2]
needs_numba = pytest.mark.skipif(not compiled._numba(), reason="no numba here")


@pytest.fixture(autouse=True)
def without_c(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested here is what numba makes; `test_native` is about loops of C."""
    monkeypatch.setenv(compiled.NATIVE, "no")


LEAST = 1e-9  # seconds of work that nothing waits or loads for


def run(code: str, *, cwd: Path = ROOT, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_numba
def test_short_work_runs_readable_and_starts_nothing(cache: Path) -> None:
    twins = Twins("votes")
    twins.settle(LEAST)

    assert not twins.compiled
    assert twins.vote is readable.vote
    assert compiled._preparing is None


@needs_numba
def test_long_work_waits_for_its_kernels_and_says_so(cache: Path) -> None:
    stages = []
    twins = Twins("votes")
    twins.settle(1e6, lambda *stage: stages.append(stage))

    assert twins.compiled
    assert compiled.ready("votes")
    assert {stage[0] for stage in stages} == {"prepare"}
    assert all(0 <= done <= total for _, done, total in stages)
    assert stages[-1][1] == stages[-1][2]


@needs_numba
def test_a_second_preparing_process_ends_and_its_caller_waits_for_the_first(cache: Path) -> None:
    folder = compiled.cache_folder()
    assert folder is not None
    with FileLock(folder / "lock"):
        compiled.prepare("votes")
        process = compiled._preparing
        assert process is not None
        assert process.wait(60) == 0
        looks = iter(range(3))
        with pytest.raises(StopIteration):  # it goes on waiting while the lock is held
            compiled._wait("votes", lambda *_: next(looks))
        assert not compiled.ready("votes")

    assert compiled._wait("votes", None)


@needs_numba
def test_work_that_adds_up_takes_the_kernels_over_when_they_are_ready(cache: Path) -> None:
    compiled.prepare_now("votes")
    twins = Twins("votes")
    taken = [twins.compiled for _ in range(20) if twins.settle(0.04) is None]

    assert not taken[0]
    assert taken[-1]


@needs_numba
def test_a_process_that_must_not_prepare_uses_what_is_ready(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEITONG_PREPARE", "no")
    twins = Twins("votes")
    twins.settle(1e6)

    assert not twins.compiled
    assert compiled._preparing is None
    compiled.prepare_now("votes")
    twins.settle(1e6)
    assert twins.compiled


@needs_numba
def test_stopping_ends_the_wait(cache: Path) -> None:
    def stop(stage: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    twins = Twins("votes")
    with pytest.raises(KeyboardInterrupt):
        twins.settle(1e6, stop)
    assert not twins.compiled


@needs_numba
def test_what_is_expected_is_what_happens(cache: Path) -> None:
    twins = Twins("votes")
    assert twins.expected(readable=LEAST, compiled=0.0) == (LEAST, 0.0)
    work, waiting = twins.expected(readable=1e6, compiled=1.0)
    assert waiting == compiled.remaining("votes") > 0
    assert 1.0 < work < 1e6
    compiled.prepare_now("votes")
    assert twins.expected(readable=1e6, compiled=1.0) == (work, 0.0)
    twins.load()
    assert twins.expected(readable=1e6, compiled=1.0) == (1.0, 0.0)


@pytest.mark.slow  # compiles every loop; that a check by C compiles none: test_native.py
@needs_numba
def test_a_prepared_check_compiles_nothing() -> None:
    """Every type that a check passes is declared, so no process compiles beside the preparing."""
    out = run("""
import json
from numba.core import event
from simhash_core.machine import compiled
compiled.prepare_now("passages", "places", "text", "votes")
import simhash_core as core
from simhash_core.passages.twins import TWINS
from simhash_core.simhash.fingerprint import TWINS as VOTES
from simhash_core.passages.flat import TWINS as PLACES
from simhash_core.text.flat import TWINS as TEXT
TWINS.load(), VOTES.load(), TEXT.load(), PLACES.load()
documents, _ = core.read(core.gather(core.samples()["essays"])[0])
with event.install_recorder("numba:compile") as recorder:
    core.check(documents)
    core.check(documents, settings=core.Settings(passages=False))
names = [e.data["dispatcher"].py_func.__name__ for _, e in recorder.buffer if e.is_start]
print(json.dumps(names))
""")
    assert json.loads(out) == []


@needs_numba
def test_old_machine_code_is_removed(cache: Path) -> None:
    names = [f"votes-{age}" for age in range(5)]
    for age, name in enumerate(names):
        (cache / name).mkdir(parents=True)
        if age:
            (cache / name / "ready").touch()
            os.utime(cache / name / "ready", (age, age))
    compiled.prepare_now("votes")

    left = {path.name for path in cache.glob("votes-*")}
    assert left == {"votes-3", "votes-4", compiled.room_folder("votes").name}


@needs_numba
@pytest.mark.parametrize("room", ["passages", "places", "translated", "text"])
def test_sources_of_a_room_hold_all_files_it_compiles(room: str) -> None:
    kernels = importlib.import_module(f"simhash_core.{ROOMS[room].module}")
    compiled_files = {function.py_func.__code__.co_filename for function, *_ in kernels.ROOM._steps}
    written = {write.__code__.co_filename for write in kernels.ROOM._tables}

    files = {Path(name).name for name in compiled_files | written} - {"kernels.py"}
    assert files <= {Path(name).name for name in ROOMS[room].sources}


#: compiled in other words than the readable twin, for speed
REWRITTEN = {"places": {"winnow_texts"}, "votes": {"vote"}}


@needs_numba
@pytest.mark.parametrize("room", ["passages", "places", "translated", "text", "votes"])
def test_compiled_and_readable_functions_are_the_same_ones(room: str) -> None:
    kernels = importlib.import_module(f"simhash_core.{ROOMS[room].module}")
    readable = importlib.import_module(f"simhash_core.{ROOMS[room].readable}")
    compiled_ones = {
        name: value.py_func.__code__
        for name, value in vars(kernels).items()
        if hasattr(value, "py_func") and not name.startswith("_")
    }

    assert compiled_ones
    for name, code in compiled_ones.items():
        twin = getattr(readable, name)
        assert twin.__code__ is code or name in REWRITTEN.get(room, ()), name


@needs_numba
def test_every_loop_that_is_called_has_a_compiled_twin() -> None:
    """What `loops.name` calls must be there, whichever twin is in use."""
    called = 0
    for path in sorted((ROOT / "simhash_core").rglob("*.py")):
        names = set(re.findall(r"\b(?:loops|TWINS)\.(\w+)\(", path.read_text("utf-8")))
        names -= set(vars(Twins))
        if not names or path.name == "compiled.py":
            continue
        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        twins = getattr(module, "loops", None) or module.TWINS
        kernels = importlib.import_module(f"simhash_core.{ROOMS[twins._room].module}")
        assert all(callable(vars(kernels).get(name)) for name in names), path.name
        called += len(names)

    assert called > 40


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the package that may be changed."""
    shutil.copytree(ROOT / "simhash_core", tmp_path / "copy" / "simhash_core")
    return tmp_path / "copy"


@needs_numba
@pytest.mark.slow
def test_a_changed_callee_changes_its_cached_caller(copied: Path, tmp_path: Path) -> None:
    """numba would go on using the caller's machine code: the file of the caller is the same."""
    code = """
import numpy as np
from simhash_core.passages import exact, kernels
from simhash_core.machine import compiled
a = np.array([1, 2, 3, 4, 5, 6], np.int64)
grams = exact.grams_of(a, 2)
print(compiled.room_folder("passages").name, kernels.find_runs(a, a, grams, grams, 2, 9).tolist())
"""
    settings = {"PYTHONPATH": str(copied), "LEITONG_CACHE": str(tmp_path / "cache")}
    before = run(code, cwd=copied, **settings).split(maxsplit=1)
    source = copied / "simhash_core" / "passages" / "exact.py"
    text, times = source.read_text("utf-8"), source.stat()
    changed = text.replace("    return back, ahead\n", "    return back, ahead - 1\n")
    assert changed != text
    source.write_text(changed, "utf-8")
    os.utime(source, ns=(times.st_atime_ns, times.st_mtime_ns))
    after = run(code, cwd=copied, **settings).split(maxsplit=1)

    assert json.loads(before[1]) == [[0, 0, 6]]
    assert json.loads(after[1])[0] == [0, 0, 5]
    assert before[0] != after[0]


@pytest.mark.skipif(os.name != "posix", reason="read-only folders of POSIX")
def test_everything_runs_without_a_home_or_a_cache(copied: Path, tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    shared = english(9, 120)
    for name in "abc":
        (texts / f"{name}.txt").write_text(english(ord(name), 200) + " " + shared, "utf-8")
    for path in copied.rglob("*"):
        path.chmod(path.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
    nowhere = tmp_path / "file"
    nowhere.touch()
    code = f"""
from simhash_core.cli import main
raise SystemExit(main(["check", {str(texts)!r}, "--format", "json"]))
"""
    places = ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "LEITONG_CACHE")
    out = run(
        code,
        cwd=Path("/"),
        PYTHONPATH=str(copied),
        PYTHONDONTWRITEBYTECODE="1",
        **{name: str(nowhere / "missing") for name in places},
    )

    assert len(json.loads(out)["pairs"]) == 3


def test_both_twins_give_the_same_words() -> None:
    twins = Twins("votes")
    rng = np.random.default_rng(1)
    indptr, token = np.array([0, 5, 9]), rng.integers(0, 7, 9).astype(np.int32)
    weights, hashes = rng.integers(0, 9, 9), rng.integers(0, 2**63, (7, 4)).astype(np.uint64)
    found = []
    for _ in range(2):
        words, valid = np.zeros((2, 4), np.uint64), np.zeros(2, np.bool_)
        twins.vote(indptr, token, weights, hashes, words, valid)
        found.append((words.tolist(), valid.tolist()))
        twins.load()

    assert found[0] == found[1]
