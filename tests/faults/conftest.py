"""What a run over the faults says at its end: each promise, what was seen, and whether it holds."""

from __future__ import annotations

from collections import defaultdict

import pytest
from _pytest.terminal import TerminalReporter
from faults.promises import PROMISES

_STATES = ("passed", "skipped", "failed", "error")  # the last that occurs is that of the promise


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker that ties a test to a row of the table."""
    config.addinivalue_line("markers", "promise(number): the promise of `promises.py` it keeps")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Hand the number on to the report, beside what the test records as `outcome`."""
    for item in items:
        for mark in item.iter_markers("promise"):
            item.user_properties.append(("promise", mark.args[0]))


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Print a row for every promise, if any was tried."""
    states: dict[int, str] = {}
    outcomes: dict[int, list[str]] = defaultdict(list)
    for state in _STATES:
        for report in terminalreporter.stats.get(state, ()):
            given = list(
                getattr(report, "user_properties", ())
            )  # a file that was collected has none
            for number in (value for name, value in given if name == "promise"):
                states[number] = state
                outcomes[number] += [str(value) for name, value in given if name == "outcome"]
    if not states:
        return
    terminalreporter.section("faults")
    for row in PROMISES:
        state = states.get(row.number, "not run")
        terminalreporter.line(f"{row.number:3}  {state:8} {row.fault}: {row.promise}")
        for outcome in outcomes[row.number]:
            terminalreporter.line(f"{'':14}{outcome}")
