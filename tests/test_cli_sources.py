"""The methods of the sources as a user of the command line meets them."""

from __future__ import annotations

import pytest
from test_cli import ESSAYS, leitong

from simhash_core import (
    Document,
    InvalidSettings,
    Settings,
    check,
    gather,
    read,
    translator,
    weightings,
)

A, B = ESSAYS / "02-林晓雨.txt", ESSAYS / "06-赵一诺.txt"


# --------------------------------------------------------------------------- weightings


def test_unknown_weighting_is_refused_with_the_names_that_there_are() -> None:
    done = leitong("compare", A, A, "--weighting", "nonsense")

    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    for name in weightings():
        assert name in done.stderr


def test_unknown_weighting_is_refused_by_the_package() -> None:
    with pytest.raises(InvalidSettings, match="background"):
        check([Document("1", "a", "一二三")], settings=Settings(weighting="nonsense"))


def test_help_lists_every_weighting() -> None:
    shown = " ".join(leitong("check", "--help").stdout.split())

    assert all(name in shown for name in weightings())


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_weighting_has_a_label(language: str) -> None:
    t = translator(language)
    labels = [t(f"settings.weighting.{name}") for name in weightings()]

    assert not any(label.startswith("settings.") for label in labels)
    assert len(set(labels)) == len(labels)


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    return read(gather(sorted(ESSAYS.glob("*.txt")))[0])[0]


@pytest.mark.parametrize("name", weightings())
def test_every_weighting_makes_fingerprints(name: str, documents: list[Document]) -> None:
    result = check(documents, settings=Settings(weighting=name, passages=False))

    assert result.fingerprints.valid.all()
