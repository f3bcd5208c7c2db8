"""No flipped bit changes in silence what a person sees."""

from __future__ import annotations

import os

import pytest
from flips import flip_library, flip_project

FLIPS = int(os.environ.get("LEITONG_FLIPS", "3000"))


@pytest.mark.long
def test_flipped_bits_of_a_project_are_named_or_without_effect(tmp_path):
    assert flip_project(tmp_path / "class.leitong", 150, seed=3).total() == 150


@pytest.mark.long
def test_flipped_bits_of_a_library_are_named_or_without_effect(tmp_path):
    assert flip_library(tmp_path / "texts.library", 60, seed=3).total() == 60


@pytest.mark.faults
@pytest.mark.timeout(7200)
def test_many_flipped_bits(tmp_path):
    projects = flip_project(tmp_path / "class.leitong", FLIPS, seed=18)
    print(f"\n{projects.total()} flips of a project: {dict(projects)}")
    libraries = flip_library(tmp_path / "texts.library", FLIPS // 3, seed=18)
    print(f"{libraries.total()} flips of a library: {dict(libraries)}")

    assert (projects.total(), libraries.total()) == (FLIPS, FLIPS // 3)
