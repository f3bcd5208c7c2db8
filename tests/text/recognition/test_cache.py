"""Pages are kept by their pixels and the recipe, and forgotten after a month."""

from __future__ import annotations

import stat
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from simhash_core.model import U8
from simhash_core.text.recognition import Line
from simhash_core.text.recognition.stage import CACHED_SECONDS, _forget_old_pages, read_cached

PICTURE = np.arange(2000, dtype=np.uint8).reshape(40, 50)


@dataclass
class Counting:
    """Sees one line, and counts how often it was asked."""

    recipe: str = "first"
    asked: list[U8] = field(default_factory=list)

    def __call__(self, picture: U8) -> list[Line]:
        self.asked.append(picture)
        return [Line("雷同 twice", 1, 2, 30, 12, 0.9, ((0, 1),), 0.0)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEITONG_CACHE", str(tmp_path))
    return tmp_path / "ocr"


def test_a_page_is_recognised_once() -> None:
    recogniser = Counting()

    assert read_cached(recogniser, PICTURE) == read_cached(recogniser, PICTURE)
    assert len(recogniser.asked) == 1


def test_other_pixels_and_other_recipes_are_other_pages() -> None:
    recogniser, newer = Counting(), Counting("second")
    for picture in (PICTURE, PICTURE.T.copy(), PICTURE.reshape(50, 40)):
        read_cached(recogniser, picture)
    read_cached(newer, PICTURE)

    assert (len(recogniser.asked), len(newer.asked)) == (3, 1)


def test_a_damaged_page_is_recognised_again(folder: Path) -> None:
    recogniser = Counting()
    page = read_cached(recogniser, PICTURE)
    (file,) = folder.rglob("*.json")
    for broken in (b"", b"[]", b'{"lines": [{}]}', b"\xff"):
        file.write_bytes(broken)
        assert read_cached(recogniser, PICTURE) == page

    assert len(recogniser.asked) == 5


@pytest.mark.skipif(sys.platform == "win32", reason="no modes")
def test_kept_pages_are_for_their_owner_alone(folder: Path) -> None:
    read_cached(Counting(), PICTURE)
    (file,) = folder.rglob("*.json")

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_pages_that_nobody_asks_for_are_forgotten(folder: Path) -> None:
    recogniser = Counting()
    read_cached(recogniser, PICTURE)
    (file,) = folder.rglob("*.json")
    written = file.stat().st_mtime
    _forget_old_pages(written + CACHED_SECONDS - 1)
    assert file.exists()

    _forget_old_pages(written + CACHED_SECONDS + 1)
    assert not file.exists()
