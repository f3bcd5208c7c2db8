"""A check within a small budget puts its texts on disk and finds exactly the same."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import runs
from golden.collection import SIZES, collection

from simhash_core import CheckResult, Document, Settings, check
from simhash_core.checking import run as run_of_check
from simhash_core.machine import memory


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


def values(one: Any, name: str = "result") -> Iterator[tuple[str, Any]]:
    """Yield every value of a result with its place in it."""
    if dataclasses.is_dataclass(one) and not isinstance(one, type):
        for spec in dataclasses.fields(one):
            yield from values(getattr(one, spec.name), f"{name}.{spec.name}")
    elif isinstance(one, tuple):
        for row, part in enumerate(one):
            yield from values(part, f"{name}[{row}]")
    else:
        yield name, one


def assert_equal(a: CheckResult, b: CheckResult) -> None:
    """Compare everything but how long it took and where it lay."""
    left, right = (
        dataclasses.replace(
            one,
            timings={},
            guarantees=tuple(fact for fact in one.guarantees if fact.code != "on_disk"),
        )
        for one in (a, b)
    )
    for (name, one), (_, other) in zip(values(left), values(right), strict=True):
        if isinstance(one, np.ndarray):
            assert one.dtype == other.dtype, name
            np.testing.assert_array_equal(one, other, err_msg=name)
        else:
            assert one == other or (one != one and other != other), name


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
def test_a_check_on_disk_is_the_check_in_memory(
    size: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = collection(size)
    in_memory = runs.whole(batch)
    monkeypatch.setenv(memory.VARIABLE, "1MB")
    on_disk = runs.whole(batch)

    facts = {one.code: one.params for one in on_disk.guarantees}
    assert "on_disk" in facts
    assert "on_disk" not in {one.code for one in in_memory.guarantees}
    assert_equal(in_memory, on_disk)
    assert list(folder.iterdir()) == []


@pytest.mark.long
@pytest.mark.parametrize(("passages", "room"), [(True, 200_000), (False, 2_000)])
def test_some_texts_may_stay_in_memory(
    passages: bool, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = [
        Document.from_text(text, name=name) for name, text in collection(120).texts.items()
    ]
    settings = Settings(dictionary="off", passages=passages)
    in_memory = check(documents, settings=settings)
    monkeypatch.setattr(run_of_check, "room_for_tokens", lambda *_, **__: room)
    in_part = check(documents, settings=settings)

    assert any(one.code == "on_disk" for one in in_part.guarantees)
    assert_equal(in_memory, in_part)
