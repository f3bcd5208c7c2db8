"""The cases of the current check by their numbers: questions for the class, then pairs."""

from __future__ import annotations

from simhash_core.cases import ListedCases, PassageCase
from simhash_core.result import list_rows
from simhash_core.seen import kept_listed_cases

from ..shared import exclusions, session


def list_cases() -> ListedCases:
    """Return the cases of the current check, numbered as its project keeps them."""
    current, project, view = session.check(), session.project(), session.view()
    assert current is not None and view is not None
    latest = project.latest() if project is not None else 0
    return session.memo(
        ("listed cases", view.threshold, latest),
        lambda: kept_listed_cases(
            project, current.result, exclusions.find_original(current), view=view
        ),
    )


def list_case_numbers() -> list[int]:
    """Return the numbers in the order of the desk: most holders first, then by the evidence."""
    current, listed = session.check(), list_cases()
    assert current is not None
    rows = list_rows(current.result, session.view()).tolist()
    pairs = [listed.numbers[row] for row in rows if row in listed.numbers]
    return [*(one.number for one in listed.passages), *pairs]


def find_passage(number: int) -> PassageCase | None:
    """Return the passage whose case has a number."""
    return next((one for one in list_cases().passages if one.number == number), None)


def find_case_pair(number: int) -> tuple[int, int] | None:
    """Return the rows of both texts of the pair whose case has a number."""
    result, listed = session.result(), list_cases()
    row = next((row for row, of in listed.numbers.items() if of == number), None)
    if result is None or row is None:
        return None
    return int(result.table.pairs.left[row]), int(result.table.pairs.right[row])
