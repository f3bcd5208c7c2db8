"""A small real check to store, and the comparison of results field by field."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from simhash_core import CheckResult, Document, Settings, check
from simhash_core.model import Skipped

WORDS = (
    *("river", "stone", "bridge", "winter", "lamp", "paper"),
    *("kitchen", "window", "market", "garden", "letter", "morning"),
)


def essay(seed: int, *, shared: str = "") -> str:
    """Return a text of its own, with a shared paragraph where one is given."""
    dice = random.Random(seed)
    sentences = [
        " ".join([*dice.choices(WORDS, k=8), f"{dice.choice(WORDS)}{dice.randrange(900)}"])
        for _ in range(30)
    ]
    return ". ".join([*sentences[:15], shared, *sentences[15:]])


@pytest.fixture(scope="session")
def documents() -> list[Document]:
    """24 texts, three with one paragraph, each two of them with another; odd names of files."""
    all_three, first, second, third = (essay(1000 + n)[:900] for n in range(4))
    shared = {3: (first, second), 7: (first, third), 8: (second, third)}
    texts = [essay(n, shared=". ".join([all_three, *shared[n]]) if n in shared else "")
             for n in range(22)]  # fmt: skip
    texts += ["如有雷同，纯属巧合。" * 40, "short"]
    return [
        Document.from_text(text, name=f"{n:02d} <b>\ud800\x00.txt", author=f"作者{n}", group="甲")
        for n, text in enumerate(texts)
    ]


@pytest.fixture(scope="session")
def result(documents: list[Document]) -> CheckResult:
    """A real check of them, with references, skipped files and a template."""
    return check(
        documents[:22],
        settings=Settings(user_words=("雷同",)),
        against=documents[22:],
        templates=[Document.from_text(essay(500), name="task")],
        skipped=[Skipped("bad.pdf", "timeout", {"s": 15, "n": 1.5})],
    )


@pytest.fixture(scope="session")
def same() -> Callable[[Any, Any], None]:
    """`same(a, b)`: assert that two values are equal in type, dtype and every part."""
    return assert_same


def assert_same(a: Any, b: Any, path: str = "") -> None:
    assert type(a) is type(b) or isinstance(a, Mapping), path
    if dataclasses.is_dataclass(a):
        for spec in dataclasses.fields(a):
            assert_same(getattr(a, spec.name), getattr(b, spec.name), f"{path}.{spec.name}")
    elif isinstance(a, np.ndarray):
        assert a.dtype == b.dtype, path
        np.testing.assert_array_equal(a, b, path)
    elif isinstance(a, tuple | list):
        assert len(a) == len(b), path
        for n, (one, other) in enumerate(zip(a, b, strict=True)):
            assert_same(one, other, f"{path}[{n}]")
    elif isinstance(a, Mapping):
        assert list(a) == list(b), path
        for key in a:
            assert_same(a[key], b[key], f"{path}[{key}]")
    else:
        assert a == b or (a != a and b != b), path
