"""A timer of one page never empties the next, in a real browser and a server of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from simhash_core.app.server import free_port

ROOT = Path(__file__).resolve().parents[2]

# the second page takes longer to draw than the first one's timer takes to ask again
SCRIPT = """
import itertools
import time
import streamlit as st
from pages._ui.shared import inside_streamlit

inside_streamlit.drop_late_timers()

def first():
    st.title("First")

    @st.fragment(run_every=0.1)
    def tick():
        st.write("tick")

    if st.button("Go"):
        st.switch_page(last)
    tick()

def second():
    st.title("Second")
    time.sleep(1)
    beats = itertools.count()

    @st.fragment(run_every=0.2)
    def beat():
        st.write("beat", next(beats))

    beat()

last = st.Page(second)
st.navigation([st.Page(first), last]).run()
"""

# a click, after which the browser is busy: it hears of the run after its timer has asked again
CLICK = """async button => {
  button.click();
  await new Promise(done => setTimeout(done, 5));
  for (const start = performance.now(); performance.now() - start < 400;);
}"""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    script = tmp_path / "two_pages.py"
    script.write_text(SCRIPT)
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", script, f"--server.port={port}",
         "--server.address=127.0.0.1", "--server.headless=true",
         "--browser.gatherUsageStats=false"],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    try:
        assert server.stdout is not None
        next(line for line in server.stdout if b"URL" in line)  # it listens
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.communicate()


def test_a_timer_that_comes_late_leaves_the_next_page_as_it_is(page: Page, address: str) -> None:
    for _ in range(3):
        page.goto(address)
        expect(page.get_by_text("tick")).to_be_visible()
        page.get_by_role("button", name="Go").evaluate(CLICK)
        expect(page.get_by_text("beat 4")).to_be_visible()
        expect(page.get_by_role("heading", name="Second")).to_be_visible()
