"""Nothing looks beyond this machine: every command, a scan, a page and a server under a guard."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from command_line import ESSAYS, ROOT
from network_guard import Guard, build_guard

from simhash_core.app.server import free_port, is_healthy
from simhash_core.cli.parser import COMMANDS
from simhash_core.machine.workers import WorkerPool
from simhash_core.text.recognition import recognition_installed

TELEMETRY = "ORT_DISABLE_TELEMETRY"
WATCHED_SECONDS = 30.0  # telemetry waits for some seconds before it looks for its server
A, B = (str(path) for path in sorted(ESSAYS.glob("*.txt"))[:2])
#: each line is run by itself; NAME stands for what the one before it made
LINES = (
    f"check {A} {B} --project NAME.leitong -o NAME.html --format html",
    "report NAME.leitong --format pdf -o NAME.pdf",
    f"compare {A} {B}",
    f"text {ESSAYS}/03-emma-clarke.pdf",
    f"fingerprint {A} --explain",
    "settings --preset strict",
    f"reposts {ROOT}/sample_docs/reposts",
    "projects list",
    f"library add press {A} {B} --library NAME.library",
    f"check {A} --against NAME.library --translated",
    "library search word --text --library NAME.library",
    "library sentences --library NAME.library",
    "library purge --library NAME.library",
    "backup NAME.zip",
    "restore NAME.zip",
    *(["evaluate seeds --help"] if "evaluate" in COMMANDS else []),
    f"web search {A} --dry-run",
    "web log",
    "serve NAME.toml --people",
    "pairs NAME.npy -k 3",
    "formats",
    "completion bash",
    "help check",
    "version",
)
#: commands that show the application: the server has a test of its own
SHOWN = {"app", "desktop"}
_PAGE = """
from streamlit.testing.v1 import AppTest
assert not AppTest.from_file("app.py", default_timeout=120).run().exception
"""
#: what reads a scan, for as long as telemetry needs
_SCAN = f"""
import time, sys, numpy as np
from PIL import Image
from simhash_core.text.recognition.models import models
models()(np.asarray(Image.open(sys.argv[1]).convert("L")))
time.sleep({WATCHED_SECONDS})
"""


@pytest.fixture
def guard(tmp_path: Path) -> Guard:
    return build_guard(tmp_path)


def run(guard: Guard, *words: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        env=guard.environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )


# --------------------------------------------------------------------------- the guard itself


@pytest.mark.parametrize(
    ("call", "noted"),
    [
        ("socket.create_connection(('192.0.2.1', 9), 1)", "connect 192.0.2.1"),
        ("socket.socket(type=socket.SOCK_DGRAM).sendto(b'', ('192.0.2.1', 9))", "sendto 192.0.2.1"),
        ("socket.getaddrinfo('example.org', 80)", "getaddrinfo example.org"),
    ],
)
def test_guard_sees_an_isolated_child(guard: Guard, call: str, noted: str) -> None:
    inner = f"import socket; {call}"
    run(guard, "-c", f"import subprocess, sys; subprocess.run([sys.executable, '-Ic', {inner!r}])")

    assert guard.tried() == [noted]


def test_guard_lets_loopback_pass(guard: Guard) -> None:
    code = (
        "import socket; s = socket.create_server(('localhost', 0)); "
        "socket.create_connection(s.getsockname()[:2]).send(b'1'); print('sent')"
    )

    assert run(guard, "-c", code).stdout == "sent\n"
    assert guard.tried() == []


# --------------------------------------------------------------------------- telemetry


@pytest.mark.parametrize("first", ["leitong", "simhash_core", "simhash_core.text.recognition"])
def test_telemetry_is_off_before_onnxruntime_is_imported(tmp_path: Path, first: str) -> None:
    seen = f"import os\nprint(os.environ.get({TELEMETRY!r}))\n"
    (tmp_path / "onnxruntime.py").write_text(seen, "utf-8")  # stands in for what the extra brings
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import {first}, onnxruntime"
    plain = {name: value for name, value in os.environ.items() if name != TELEMETRY}
    for environment in (plain, {**plain, TELEMETRY: "0"}):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == "1\n"


def test_telemetry_is_off_in_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TELEMETRY)
    with WorkerPool(1) as pool:
        assert list(pool.map(os.getenv, [TELEMETRY])) == ["1"]


# --------------------------------------------------------------------------- the product


@pytest.mark.long
def test_comparison_opens_no_connection(guard: Guard) -> None:
    assert run(guard, "-m", "simhash_core", "compare", A, B).returncode == 0
    assert guard.tried() == []


@pytest.mark.long
def test_no_command_opens_a_connection(guard: Guard, tmp_path: Path) -> None:
    assert {line.split()[0] for line in LINES} | SHOWN == set(COMMANDS)
    for line in LINES:
        words = line.replace("NAME", str(tmp_path / "made")).split()
        done = run(guard, "-m", "simhash_core", *words, "--lang", "en")
        assert done.returncode in (0, 2, 4), (line, done.stderr)
        assert "Traceback" not in done.stderr, line
    assert run(guard, "-c", _PAGE).returncode == 0
    assert guard.tried() == []
    assert not (guard.home / ".cache" / "Microsoft").exists()


@pytest.mark.long
def test_server_and_a_scan_stay_on_loopback(guard: Guard, tmp_path: Path) -> None:
    port, end = free_port(), time.monotonic() + WATCHED_SECONDS
    programs = [("-m", "simhash_core", "app", "--port", str(port))]
    if recognition_installed():
        programs.append(("-c", _SCAN, str(ROOT / "docs" / "screenshots" / "report-en.png")))
    environment = {**guard.environment, "BROWSER": "true"}
    with contextlib.ExitStack() as stack:
        for words in programs:
            process = subprocess.Popen([sys.executable, *words], env=environment, cwd=ROOT)
            stack.callback(process.wait, 60)
            stack.callback(process.terminate)
        answered = False
        while time.monotonic() < end or not (answered or time.monotonic() > end + 120.0):
            with contextlib.suppress(urllib.error.URLError, OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=1).read()
            answered = answered or is_healthy(port)
            time.sleep(0.5)

    assert answered
    assert guard.tried() == []
    assert not (guard.home / ".cache" / "Microsoft").exists()
