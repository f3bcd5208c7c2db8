"""Files put into the application without a browser, and the end of what that starts."""

from __future__ import annotations

import time

from streamlit.testing.v1 import AppTest


def rest(app: AppTest, kind: str) -> AppTest:
    """Run the page again, as its timer does, until a job of this kind has ended."""
    end = time.monotonic() + 60
    state = app.session_state
    alone = state["lt.jobs"] if "lt.jobs" in state else {}  # noqa: SIM401  it has no get
    job = (state["lt.open"].jobs if "lt.open" in state else alone).get(kind)
    while job is not None and job.state == "running" and time.monotonic() < end:
        app.run()
    return app.run()


def upload(app: AppTest, *named: tuple[str, bytes]) -> AppTest:
    put_in_zone(app, *named)
    return rest(app, "read")


def put_in_zone(app: AppTest, *named: tuple[str, bytes]) -> AppTest:
    """Put files into the first zone; the ids of its widgets are those of a browser from run two."""
    app.run()
    app.file_uploader[0].set_value([(name, data, "text/plain") for name, data in named])
    return app.run()
