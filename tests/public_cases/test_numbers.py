"""Tables of other measurements share nothing; the same table is the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from public_cases.conftest import shares

FOLDERS = (
    *("arithmetic", "arithmetic-zh", "chess", "choice", "coordinates", "decimals", "four"),
    *("grades", "lab-log", "lab-log-zh", "temps-10", "three", "times", "zh"),
)


@pytest.mark.parametrize("folder", FOLDERS)
def test_essays_with_other_numbers_share_nothing(cases: Path, folder: str) -> None:
    assert shares(cases / "39-number-tables" / folder) == {}


def test_equal_numbers_are_equal_and_others_are_not(cases: Path) -> None:
    found = shares(*(cases / "38-small-odd" / f"num{n}.txt" for n in (1, 2, 3)))

    assert found == {("num1.txt", "num2.txt"): (1.0, 1.0)}
