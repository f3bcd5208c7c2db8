"""Loops of C: the library fits its sources, knows the numbers of Python, checks what it gets."""

from __future__ import annotations

import importlib
import inspect
import re
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import pairwise as oracle
from oracles import places

from simhash_core import policy
from simhash_core.errors import LoopsMissing
from simhash_core.machine import building, compiled
from simhash_core.passages import exact
from simhash_core.passages.exact import LOOPS, grams_of
from simhash_core.passages.options import AlignOptions, Texts, numbers_of
from simhash_core.passages.tokenized import EDGE
from simhash_core.text import classes

ROOT = Path(__file__).resolve().parents[2]

#: names that differ, or that Python computes
ALSO = {
    "LEAST_CHARS_SUMMARY": ("oracles.summaries", "LEAST_CHARS"),
    "DOUBTFUL": ("oracles.translated_growth", "_DOUBTFUL"),
    "ASCII": ("oracles.translated_growth", "_ASCII"),
}
#: of C alone
OWN = {
    "BITS",
    "BRANCHES",
    "COLUMNS",
    "FLOATS",
    "LANES",
    "LEADERS",
    "LONGEST",
    "MARGIN",
    "MANY_ACCENTS",
    "MANY_SIGNS",
    "MIX",
    "ROWS",
    "SPACED_LETTERS",
    "UNREADABLE",
}

#: source -> the modules whose numbers its loops share, beside `policy`
SOURCES = {
    "library": ("simhash_core.library.segments",),
    "meaning": ("oracles.meaning", "simhash_core.meaning.vectors"),
    "passages": (
        *("oracles." + name for name in ("coverage", "exact", "growth", "pairwise")),
        *("oracles." + name for name in ("seeds", "strong", "summaries", "winnow")),
        *("simhash_core.passages." + name for name in ("align", "coverage", "findings")),
        *("simhash_core.passages." + name for name in ("align", "tokenized")),
    ),
    "simhash": (),
    "simhash.search": ("simhash_core.simhash.search.loops",),
    "text": ("simhash_core.text.flat", "simhash_core.text.classes", "oracles.classes"),
    "translations": ("oracles.growth", "oracles.translated_growth"),
}


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


@pytest.mark.parametrize("room", sorted(SOURCES))
def test_numbers_of_c_are_those_of_python(room: str) -> None:
    folder = building.PACKAGE / Path(*room.split("."))
    text = "".join(path.read_text("utf-8") for path in sorted(folder.glob("*.c")))
    found = re.findall(r"^#define (\w+) (\(?[-\w.<> ]+?\)?)(?: /\*.*)?$", text, re.M)
    modules = [*map(importlib.import_module, SOURCES[room]), policy]
    for name, value in found:
        if name in OWN or name.startswith("LEITONG"):
            continue
        number = eval(re.sub(r"\b(0x[0-9A-Fa-f]+|\d+)u\b", r"\1", value))
        assert value_in(modules, name) == number, name


def test_places_of_settings_are_those_of_python() -> None:
    text = (ROOT / "simhash_core" / "passages" / "loops.c").read_text("utf-8")
    listed = re.search(r"enum \{\s*(TOP_WEIGHT,[\w,\s]+)\}", text)
    assert listed is not None

    names = re.findall(r"\w+", listed[1])
    assert [getattr(places, name) for name in names] == list(range(28))


def test_every_loop_that_is_called_is_bound_and_every_export_is_called() -> None:
    called = 0
    for path in sorted((ROOT / "simhash_core").rglob("*.py")):
        names = set(re.findall(r"\bLOOPS\.(\w+)\(", path.read_text("utf-8")))
        if names and path.name != "compiled.py":
            module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
            assert all(callable(getattr(module.LOOPS, name)) for name in names), path.name
            called += len(names)
    assert called > 50
    used = "".join(path.read_text("utf-8") for path in (ROOT / "simhash_core").rglob("*.py"))
    for source in building.SOURCES:
        exported = re.findall(
            r"EXPORT (?:int64_t|void) [a-z]+_(\w+)\(", (building.PACKAGE / source).read_text()
        )
        assert [name for name in exported if f".{name}(" not in used] == [], source


@pytest.mark.parametrize(
    ("prototype", "kinds"),
    [
        ("EXPORT void room_a(const int32_t *x, int64_t n, double d) {", ["int32", int, float]),
        ("EXPORT int64_t room_a(const int64_t (*rows)[4], bool *marked) {", ["int64", "bool"]),
        ("typedef int64_t Row[5];\nEXPORT void room_a(const Row *x, uint64_t k) {", ["int64", int]),
    ],
)
def test_what_a_function_takes_is_read_from_its_source(prototype: str, kinds: list[object]) -> None:
    loops = compiled.Loops("none.c")
    loops._text = prototype
    taken = loops._functions["a"][2].split(", ")

    for parameter, kind in zip(taken, kinds, strict=True):
        bound = loops._kind(" ".join(parameter.split()))
        if isinstance(kind, str):
            bound.from_param(np.zeros(1, kind))
            with pytest.raises(TypeError, match=kind):
                bound.from_param(np.zeros(1, "float16"))
        else:
            assert bound(3).value == kind(3)


def test_arrays_of_another_kind_are_refused() -> None:
    tokens, grams = np.arange(9), np.arange(5)
    for wrong in (tokens.astype(np.int32), np.arange(18)[::2]):
        with pytest.raises(Exception, match="an array of"):
            exact.find_runs(wrong, tokens, grams, grams, 5, 4)


def test_a_library_of_other_sources_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "sources_digest", lambda: "of other sources")
    compiled.library.cache_clear()
    try:
        with pytest.raises(LoopsMissing):
            compiled.library()
    finally:
        monkeypatch.undo()
        compiled.library.cache_clear()
    compiled.library()


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
    dice = np.random.default_rng(seed)
    for one, other in pairwise(texts):
        low = int(dice.integers(0, len(one)))
        other[len(other) // 2 :] = [*other[len(other) // 2 :], *one[low : low + 60]]
    options = AlignOptions(**SMALL, verbatim_chars=verbatim, summary_score=1.0, summary_rare=0.5)
    columns = texts_of(texts, options.gram, factor)
    pairs = np.array([(i, j) for j in range(len(texts)) for i in range(len(texts)) if i != j])
    numbers = numbers_of(options, only_seeds=only_seeds)

    slow = oracle.align_pairs(columns, pairs, numbers)
    fast = compiled.Table(np.float64, 8)
    record = LOOPS.Texts(*columns, len(columns.feature))
    LOOPS.align_pairs(record, pairs, len(pairs), numbers, len(numbers), fast)

    assert slow.tobytes() == fast.taken().tobytes()
