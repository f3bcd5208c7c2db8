"""Faults take minutes and run with `-m faults`; at the end stands what became of each promise."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from _pytest.terminal import TerminalReporter
from faults.promises import PROMISES

_STATES = ("passed", "skipped", "failed", "error")  # the last that occurs is that of the promise


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers of this folder."""
    config.addinivalue_line("markers", "promise(number): the promise of `promises.py` it keeps")
    config.addinivalue_line("markers", "quick: in this folder, but part of every run")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is here; hand its promise on to the report, beside what it records as `outcome`."""
    for item in items:
        if Path(__file__).parent in item.path.parents and not item.get_closest_marker("quick"):
            item.add_marker(pytest.mark.faults)
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
