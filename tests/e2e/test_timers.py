"""Timers of pages spoil nothing beside them, in a real browser and a server of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from simhash_core.app.server import free_port

ROOT = Path(__file__).resolve().parents[2]
SETUP = """
import itertools
import time
import streamlit as st
from streamlit.runtime.scriptrunner import ScriptRunner
from pages._ui.shared import inside_streamlit

inside_streamlit.tame_timers()
"""

# the second page takes longer to draw than the first one's timer takes to ask again
TWO_PAGES = """
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

# the run of the timer ends slowly, and the page takes a while to come to its button
ONE_PAGE = """
if not hasattr(ScriptRunner, "ended"):
    ScriptRunner.ended = ScriptRunner._on_script_finished

    def slowly(runner, context, event, *more):
        if "FRAGMENT" in event.name:
            time.sleep(0.45)
        ScriptRunner.ended(runner, context, event, *more)

    ScriptRunner._on_script_finished = slowly

state = st.session_state
state.setdefault("called", 0)
state.setdefault("pressed", 0)

def count():
    state.called += 1

@st.fragment(run_every=0.5)
def tick():
    st.write("tick")

tick()
time.sleep(0.6)
if st.button("Go", on_click=count):
    state.pressed += 1
st.write(f"called {state.called}, pressed {state.pressed}")
"""

# a click, after which the browser is busy: it hears of the run after its timer has asked again
BUSY_AFTER = """async button => {
  button.click();
  await new Promise(done => setTimeout(done, 5));
  for (const start = performance.now(); performance.now() - start < 400;);
}"""
# a click that is sent late: the timer asks before it
SENT_LATE = """button => {
  const wait = window.setTimeout;
  window.setTimeout = send => wait(send, 600);
  button.click();
  window.setTimeout = wait;
}"""


@pytest.fixture
def serve(tmp_path):
    """Return what starts a server for a script and says where it is."""
    servers = []

    def start(script: str) -> str:
        path = tmp_path / "app.py"
        path.write_text(SETUP + script)
        port = free_port()
        server = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", path, f"--server.port={port}",
             "--server.address=127.0.0.1", "--server.headless=true",
             "--browser.gatherUsageStats=false"],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        servers.append(server)
        assert server.stdout is not None
        next(line for line in server.stdout if b"URL" in line)  # it listens
        return f"http://127.0.0.1:{port}"

    yield start
    for server in servers:
        server.terminate()
        server.communicate()


def test_a_timer_leaves_the_next_page_and_clicks_beside_it_as_they_are(page, serve):
    """It comes late, when another page is there; a click beside it counts once."""
    address = serve(TWO_PAGES)
    for _ in range(2):
        page.goto(address)
        expect(page.get_by_text("tick")).to_be_visible()
        page.get_by_role("button", name="Go").evaluate(BUSY_AFTER)
        expect(page.get_by_text("beat 4")).to_be_visible()
        expect(page.get_by_role("heading", name="Second")).to_be_visible()

    page.goto(serve(ONE_PAGE))
    expect(page.get_by_text("called 0, pressed 0")).to_be_visible()
    for times in range(1, 5):
        page.get_by_role("button", name="Go").evaluate(SENT_LATE)
        expect(page.get_by_text(f"called {times}, pressed {times}")).to_be_visible()
