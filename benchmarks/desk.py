"""What does a key at the review desk cost, after many decisions?

    python -m benchmarks desk [--decisions 100 1000 10000] [--documents 980] [--keys 20]

Made-up texts are checked (980 of them give more than ten thousand cases) and stored, so many of the
cases are decided, and then keys that decide are pressed. A key costs what the thread of the page
computes until the decision is stored and the next case is drawn, without the browser and without
the frame of the page; the whole process also sets the cases that come after it. Prints the median
in milliseconds of CPU.
"""

from __future__ import annotations

import argparse
import logging
import statistics
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks._shared import needs
from benchmarks._shared.stored_check import collection
from simhash_core import CheckResult
from simhash_core.storage import Project, Subject


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decisions", type=int, nargs="+", default=[100, 1_000, 10_000])
    parser.add_argument("--documents", type=int, default=980)
    parser.add_argument("--keys", type=int, default=20)
    options = parser.parse_args(given)
    logging.getLogger("streamlit").setLevel(logging.ERROR)  # it warns that no server runs
    result = collection(options.documents)
    with tempfile.TemporaryDirectory() as folder:
        project = Project.create(Path(folder, "desk.leitong"))
        project.save_documents(result.documents)
        project.save_result(result)
        print("decisions   page, ms   process, ms   cases", flush=True)
        for count in sorted(options.decisions):
            decide(project, result, count)
            page, process, cases = pressed(project, result, options.keys)
            print(f"{count:9,}{page:11.1f}{process:14.1f}{cases:8,}", flush=True)


def decide(project: Project, result: CheckResult, count: int) -> None:
    """Decide cases from the end of the list until so many are."""
    pairs = result.table.pairs
    ids = [document.id for document in result.documents]
    decided = len(project.pair_decisions())
    for row in range(len(pairs.left) - 1 - decided, len(pairs.left) - 1 - count, -1):
        subject = Subject.pair(ids[pairs.left[row]], ids[pairs.right[row]])
        project.decide([subject], verdict="confirmed", reason="")


def script() -> None:
    """Press a key at the desk, as its component does, and draw it."""
    import time

    import streamlit as st

    from pages._ui.review import page, state

    begun = time.thread_time(), time.process_time()
    open_case = state.at_desk()
    row = open_case.left[open_case.at].row
    asked = time.thread_time(), time.process_time()
    at = st.session_state.get("keys", 0) + 1
    event = {"type": "decide", "row": row, "verdict": "confirmed", "reason": "", "at": at}
    state.act_all([event])
    page._desk()
    ended = time.thread_time(), time.process_time()
    st.session_state["keys"] = at
    st.session_state["asking"] = asked[0] - begun[0]
    st.session_state["cpu"] = ended[0] - asked[0], ended[1] - asked[1]
    st.session_state["cases"] = len(open_case.everything)


def pressed(project: Project, result: CheckResult, keys: int) -> tuple[float, float, int]:
    """Press keys; return milliseconds of the page and of the process, and how many cases."""
    testing = needs.package("streamlit.testing.v1", install="pip install -e .[app]")
    from pages._ui.shared.open_checks import OpenCheck
    from pages._ui.shared.session import CurrentCheck

    current = CurrentCheck(result, "", datetime.now(UTC), 1.0)
    app: Any = testing.AppTest.from_function(script, default_timeout=600)
    app.session_state["lt.check"] = current
    app.session_state["lt.open"] = OpenCheck(project, "")
    taken = []
    for _ in range(keys + 2):
        app.run()
        if app.exception:
            raise SystemExit(app.exception[0].message)
        taken.append(app.session_state["cpu"])
        for case in app.session_state["lt.review"].laid.values():
            case.result()  # set while the reader reads
    page, process = (1e3 * statistics.median(column) for column in zip(*taken[2:], strict=True))
    return page, process, app.session_state["cases"]


if __name__ == "__main__":
    main()
