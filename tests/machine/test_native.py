"""Loops of C: the library fits its sources, knows the numbers of Python, checks what it gets."""

from __future__ import annotations

import importlib
import inspect
import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core import policy
from simhash_core.machine import building, native
from simhash_core.passages import readable
from simhash_core.passages.exact import grams_of
from simhash_core.passages.options import AlignOptions, Texts, numbers_of
from simhash_core.passages.tokenized import EDGE
from simhash_core.text import classes, cutting

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(native.library() is None, reason="no C compiler built the loops")

#: names that differ, or that Python computes
ALSO = {
    "LEAST_CHARS_SUMMARY": ("simhash_core.passages.summaries", "LEAST_CHARS"),
    "DOUBTFUL": ("simhash_core.translations.growth", "_DOUBTFUL"),
    "ASCII": ("simhash_core.translations.growth", "_ASCII"),
}
#: of C alone: memory of a slot, and what a function gives
OWN = {"LANES", "MIX", "UNREADABLE", "LONGEST_WORD", "LOOP"}


#: room -> the modules that its loops of C are written after, beside `readable` and `policy`
ROOMS = {
    "library": (),
    "meaning": (),
    "passages": (
        *(
            "coverage",
            "exact",
            "findings",
            "options",
            "pairwise",
            "rare_words",
            "rectangles",
            "seeds",
            "strong",
        ),
        *("summaries", "tokenized", "winnow"),
    ),
    "passages.flat": ("..winnow",),
    "simhash": (),
    "simhash.search": (),
    "text": ("cutting", "flat", "classes"),
    "translations": ("..passages.rectangles", "growth"),
}


def modules_of(room: str) -> list[ModuleType]:
    """Return what the C of a room is written after."""
    package = f"simhash_core.{room}"
    names = (name if name.startswith(".") else f".{name}" for name in (*ROOMS[room], "readable"))
    return [*(importlib.import_module(name, package) for name in names), policy]


def value_in(modules: list[ModuleType], name: str) -> object:
    """Return what Python says of a name: the module itself comes before what it imports."""
    if name.startswith("OF_"):
        return getattr(classes, name.removeprefix("OF_"))
    if name in ALSO:
        module, other = ALSO[name]
        return getattr(importlib.import_module(module), other)
    for module in modules:
        assigned = rf"^[\w, ()]*\b{name}\b[\w, ()]*(?:: \w+)? = "
        if re.search(assigned, inspect.getsource(module), re.M):
            return getattr(module, name)
    pytest.fail(f"{name} is no number of Python")


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_numbers_of_c_are_those_of_python(room: str) -> None:
    folder = building.PACKAGE / Path(*room.split("."))
    text = (folder / "loops.c").read_text("utf-8")
    found = re.findall(r"^#define (\w+) (\(?[-\w.<> ]+?\)?)(?: /\*.*)?$", text, re.M)
    modules = modules_of(room)
    for name, value in found:
        if name in OWN or name.startswith("LEITONG"):
            continue
        number = eval(re.sub(r"\b(0x[0-9A-Fa-f]+|\d+)u\b", r"\1", value), {"NODE_BITS": 20})
        assert value_in(modules, name) == number, name


def test_places_of_settings_are_those_of_python() -> None:
    options = importlib.import_module("simhash_core.passages.options")
    text = (ROOT / "simhash_core" / "passages" / "loops.c").read_text("utf-8")
    listed = re.search(r"enum \{\s*(TOP_WEIGHT,[\w,\s]+)\}", text)
    assert listed is not None

    names = re.findall(r"\w+", listed[1])
    assert [getattr(options, name) for name in names] == list(range(28))


def test_every_loop_that_is_called_is_written_in_c() -> None:
    called = 0
    for path in sorted((ROOT / "simhash_core").rglob("*.py")):
        names = set(re.findall(r"\bloops\.(\w+)\(", path.read_text("utf-8")))
        if not names:
            continue
        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        loops = importlib.import_module(f"{module.loops._room}.native")
        assert all(callable(vars(loops).get(name)) for name in names), path.name
        called += len(names)

    assert called > 40


def test_arrays_of_another_kind_are_refused() -> None:
    loops = importlib.import_module("simhash_core.passages.native")
    tokens, grams = np.arange(9), np.arange(5)
    for wrong in (tokens.astype(np.int32), np.arange(18)[::2]):
        with pytest.raises(Exception, match="an array of"):
            loops.find_runs(wrong, tokens, grams, grams, 5, 4)


def test_other_sources_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "sources_digest", lambda: "of other sources")
    native.library.cache_clear()
    try:
        assert native.library() is None
        assert not native.in_c()
    finally:
        monkeypatch.undo()
        native.library.cache_clear()
    assert native.in_c()


@pytest.mark.long
def test_the_dictionary_is_the_same_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    in_c = cutting.made()
    monkeypatch.setenv(native.TWIN, "readable")
    readable = cutting.made()

    assert np.array_equal(in_c.first, readable.first)
    assert np.array_equal(in_c.weight, readable.weight)
    assert np.array_equal(in_c.emission, readable.emission)
    assert len(in_c.slots) == len(readable.slots)
    assert np.array_equal(np.sort(in_c.slots), np.sort(readable.slots))


@pytest.mark.parametrize("line", ["字\n", " 3\n", "字 n\n", "\u5b57" * 65 + " 3"])
def test_a_dictionary_that_is_none_is_refused(line: str) -> None:
    loops = importlib.import_module("simhash_core.text.native")
    with pytest.raises(ValueError, match="cannot be read"):
        loops.trie(f"好 5 a\n{line}".encode())


@pytest.mark.long
def test_a_first_check_loads_no_second_segmenter(tmp_path: Path) -> None:
    program = (
        "import json, sys\nfrom simhash_core.cli import main\n"
        "code = main(['check', *sys.argv[1:], '--quiet', '--set', 'dictionary=off'])\n"
        "print(json.dumps([code, 'rjieba' in sys.modules]))\n"
    )
    essays = sorted((ROOT / "sample_docs" / "essays").glob("*.txt"))
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, essays)],
        cwd=ROOT, env={**os.environ, "LEITONG_CACHE": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == [0, False]


#: small enough that every step has something to do in a text of a hundred tokens
SMALL = {
    "gram": 2, "chain_chars": 12, "window": 12, "step": 5, "widen": 4, "ahead": 5,
    "least_chars": 15, "least_exact_chars": 8, "least_weight": 2.0, "least_dice": 0.2,
    "strength": 1.0, "merge_gap": 6, "snap": 5, "short_run": 3,
}  # fmt: skip


def texts_of(texts: list[list[int]], k: int, factor: float) -> Texts:
    """Texts whose tokens are 3 characters long; a sentence ends after each token 0."""
    token = np.concatenate([np.array(one, np.int64) for one in texts])
    grams = [
        np.append(grams_of(np.array(one, np.int64), k), np.zeros(k - 1, np.int64)) for one in texts
    ]
    start = np.concatenate([4 * np.arange(len(one), dtype=np.int32) for one in texts])
    border = [
        [EDGE, *(3 if token == 0 else token % 3 for token in one[:-1]), EDGE] for one in texts
    ]
    return Texts(
        token.astype(np.int32), token, np.concatenate(grams),
        np.where(token % 2 == 0, factor, 1.0), start, start + 3,
        np.concatenate([np.array(one, np.uint8) for one in border]),
        np.cumsum([0, *map(len, texts)]), np.array([4 * len(one) for one in texts]),
    )  # fmt: skip


@pytest.mark.long
@given(
    st.lists(st.lists(st.integers(0, 14), min_size=8, max_size=120), min_size=2, max_size=4),
    st.integers(0, 2**32),
    st.sampled_from([0, 40]),
    st.sampled_from([1.0, 0.7, 0.1]),
    st.booleans(),
)
def test_alignment_of_any_texts_agrees(
    texts: list[list[int]], seed: int, verbatim: int, factor: float, only_seeds: bool
) -> None:
    """To the last bit: copies of stretches of earlier texts are put into later ones."""
    loops, dice = (
        importlib.import_module("simhash_core.passages.native"),
        np.random.default_rng(seed),
    )
    for one, other in pairwise(texts):
        low = int(dice.integers(0, len(one)))
        other[len(other) // 2 :] = [*other[len(other) // 2 :], *one[low : low + 60]]
    options = AlignOptions(**SMALL, verbatim_chars=verbatim, summary_score=1.0, summary_rare=0.5)
    columns = texts_of(texts, options.gram, factor)
    pairs = np.array([(i, j) for j in range(len(texts)) for i in range(len(texts)) if i != j])
    numbers = numbers_of(options, only_seeds=only_seeds)

    slow = readable.align_pairs(columns, pairs, numbers)
    fast = loops.align_pairs(columns, pairs, numbers)

    assert slow.tobytes() == fast.tobytes()
