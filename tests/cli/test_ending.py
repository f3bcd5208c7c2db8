"""However the command line ends, it says so in one line, with a code of its own, and ends whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import Any

import psutil
import pytest
from command_line import ESSAYS, ROOT, leitong

from simhash_core.errors import WorkerFailed
from simhash_core.machine.workers import WorkerPool

A, B = sorted(ESSAYS.glob("*.txt"))[:2]
WORDS = ("--set", "meaning=off")  # a model that is loaded changes nothing here
LEITONG = (sys.executable, "-m", "simhash_core")
#: runs the command line after what stands before it
_AFTER = """
import sys
from simhash_core.cli import commands, main
{before}
sys.exit(main(sys.argv[1:]))
"""


def piped(*words: str, **given: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*words, "--lang", "en"], cwd=ROOT, capture_output=True, text=True, timeout=120, **given
    )


def shell(line: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the command line by a shell, which can close a stream."""
    return piped("bash", "-c", f'"$@" {line}', "-", *LEITONG, *map(str, arguments))


def after(before: str, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-c", _AFTER.format(before=before), *map(str, arguments)]
    return piped(*words, env={**os.environ, **environment})


# --------------------------------------------------------------------------- standard output


@pytest.mark.long
@pytest.mark.parametrize("way", [">&-", ">/dev/full"])
@pytest.mark.parametrize(
    "words",
    [
        ("compare", A, B),
        ("compare", A, B, "--json"),
        ("check", A, B, *WORDS),
        ("check", A, B, *WORDS, "--format", "html"),
        ("text", A),
        ("fingerprint", A),
        ("--help",),
    ],
    ids=lambda words: "-".join(str(word) for word in words if word not in (A, B)),
)
def test_output_that_cannot_be_written_is_named(words, way):
    done = shell(way, *words)

    assert done.returncode == 4
    assert done.stderr.splitlines()[-1].startswith("leitong: standard output: ")
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr


@pytest.mark.long
def test_without_any_stream_the_result_is_written_to_its_file(tmp_path):
    output = tmp_path / "result.json"
    done = shell("<&- >&- 2>&-", "check", A, B, *WORDS, "--format", "json", "-o", output)

    assert done.returncode == 0
    assert output.read_text("utf-8").startswith("{")


# --------------------------------------------------------------------------- a reader that leaves


def unread(*arguments: object, stream: str = "stdout") -> int:
    """Run a command whose output, or whose messages, nobody reads any more; return its code."""
    reader, writer = os.pipe()
    os.close(reader)
    given: dict[str, int] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    words = [*LEITONG, *map(str, arguments), "--lang", "en"]
    try:
        return subprocess.run(words, cwd=ROOT, **given | {stream: writer}, timeout=120).returncode
    finally:
        os.close(writer)


@pytest.mark.parametrize(
    "words",
    [
        ("compare", A, B),
        ("text", A),
        ("formats",),
        ("--help",),
        ("completion", "bash"),
        ("no such command",),  # here it is the messages that nobody reads
        ("compare", A, "no such file"),
        ("check", A, B, *WORDS, "--fail-on", "0"),
        pytest.param(("check", A, B, *WORDS, "--format", "json"), marks=pytest.mark.long),
        pytest.param(("check", A, B, *WORDS, "--format", "csv"), marks=pytest.mark.long),
        pytest.param(("fingerprint", A), marks=pytest.mark.long),
        pytest.param(("reposts", A, A), marks=pytest.mark.long),
        pytest.param(("evaluate", "seeds"), marks=pytest.mark.long),
    ],
    ids=lambda words: "-".join(str(word) for word in words if word not in (A, B)),
)
def test_reader_that_leaves_is_no_finding(words):
    assert unread(*words, stream="stderr" if "no such" in str(words[-1]) else "stdout") == 141


# --------------------------------------------------------------------------- the unexpected

FAULT = "commands.compare.__code__ = (lambda options, t: 1 / 0).__code__"
DEEP = "def deep(options, t): return deep(options, t)\ncommands.compare = deep"


@pytest.mark.long
@pytest.mark.parametrize(
    ("before", "kind"),
    [
        (FAULT, "ZeroDivisionError"),
        (DEEP, "RecursionError"),
        ("def full(options, t): raise MemoryError\ncommands.compare = full", "MemoryError"),
    ],
)
def test_an_unexpected_error_has_a_code_and_a_sentence(before, kind):
    done = after(before, "compare", A, B)

    (line,) = done.stderr.splitlines()
    assert done.returncode == 70
    assert kind in line and "LEITONG_DEBUG=1" in line


@pytest.mark.long
def test_the_place_of_an_error_is_shown_when_asked_for_and_a_dead_worker_is_named():
    done = after(FAULT, "compare", A, B, LEITONG_DEBUG="1")
    assert done.returncode == 70
    assert "Traceback" in done.stderr and "division by zero" in done.stderr
    # a worker that gives no answer ends with a sentence
    late = "import simhash_core.machine.workers as workers\nworkers._START_SECONDS = 0.01"
    done = after(late, "compare", *sorted(ESSAYS.glob("*.docx"))[:2])
    (line,) = done.stderr.splitlines()
    assert done.returncode == 70
    assert "worker process" in line


@pytest.mark.long
def test_a_text_is_never_part_of_the_sentence():
    secret = "def leak(options, t): raise ValueError('Emma wrote')\ncommands.compare = leak"
    done = after(secret, "compare", A, B)

    assert done.returncode == 70 and "Emma" not in done.stderr


def test_a_worker_that_cannot_start_is_an_error_of_its_own():
    with (
        WorkerPool(1, preload=("no_such_module",)) as pool,
        pytest.raises(WorkerFailed, match="no_such_module"),
    ):
        list(pool.map(len, ["a"]))


def test_the_codes_are_in_the_help():
    shown = " ".join(shell("", "--help").stdout.split())

    for code in (0, 1, 2, 3, 4, 70, 129, 130, 131, 141):
        assert f"{code}" in shown[shown.index("Exit codes") :]


# --------------------------------------------------------------------------- signals


def _hear_all() -> None:
    for name in ("SIGHUP", "SIGQUIT", "SIGINT", "SIGTERM"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)


@pytest.fixture
def busy(tmp_path):
    """A check whose workers are at work, in a session of its own."""
    folder = tmp_path / "texts"
    folder.mkdir()
    source = A.read_text("utf-8")
    for number in range(400):
        (folder / f"{number}.txt").write_text(f"{number} {source * 20}", "utf-8")
    process = subprocess.Popen(
        [*LEITONG, "check", str(folder), *WORDS, "--lang", "en"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_hear_all,  # `nohup` and a shell's `&` let programs ignore some
    )
    yield process
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def workers_of(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """Wait until the process has workers that have worked."""
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        found = [
            child
            for child in psutil.Process(process.pid).children()
            if any("simhash_core.machine.serving" in word for word in child.cmdline())
        ]
        if found and any(sum(child.cpu_times()[:2]) > 0.2 for child in found):
            return found
    raise AssertionError("no workers")


@pytest.mark.long
@pytest.mark.parametrize(
    ("sent", "code"), [("SIGHUP", 129), ("SIGQUIT", 131), ("SIGINT", 130), ("SIGTERM", 130)]
)
def test_a_signal_ends_the_workers_too(busy, sent, code):
    workers = workers_of(busy)
    busy.send_signal(getattr(signal, sent))

    assert busy.wait(120) == code  # a busy machine
    _, left = psutil.wait_procs(workers, timeout=5)
    assert left == []
    assert "Traceback" not in (busy.stderr.read() if busy.stderr else "")


@pytest.mark.long
def test_nohup_is_obeyed():
    done = subprocess.run(
        [
            *("nohup", sys.executable, "-c"),
            "import os, signal, sys\n"
            "from simhash_core.cli import main\n"
            "code = main(['text', sys.argv[1]])\n"
            "os.kill(os.getpid(), signal.SIGHUP)\n"
            "sys.exit(code)",
            str(A),
        ],
        cwd=ROOT,
        capture_output=True,
        timeout=120,
        check=False,
    )

    assert done.returncode == 0


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("OSError(28, 'No space left on device', 'kept')", "kept: No space left on device"),
        ("OSError(28, 'No space left on device')", "the system reports: No space left on device"),
        ("OSError(28, 'No space', 3)", "the system reports: No space"),
        ("OSError('9 requested and 0 written')", "the system reports: 9 requested and 0 written"),
        ("OSError()", "the system reports: OSError"),
        ("FileNotFoundError(2, 'No such file')", "the system reports: No such file"),
        ("OSError(5, 'Input/output error', b'k\\xff\\x1b[2Jept')", "k��[2Jept: Input/output error"),
    ],
)
def test_an_error_of_the_system_names_its_file_and_its_reason(monkeypatch, error, said):
    def fail(options, t):
        raise eval(error)

    monkeypatch.setattr("simhash_core.cli.commands.formats", fail)
    done = leitong("formats")

    assert done.stderr == f"leitong: {said}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no signal for one process")
def test_a_signal_in_a_finalizer_ends_the_program_all_the_same() -> None:
    """Python ignores what is raised there, such as where a lock is let go."""
    code = (
        "import signal\n"
        "from simhash_core.cli import _hear_signals\n"
        "class Lock:\n"
        "    def __del__(self): signal.raise_signal(signal.SIGTERM)\n"
        "_hear_signals()\n"
        "try:\n"
        "    Lock()\n"
        "    signal.pause()\n"
        "except KeyboardInterrupt:\n"
        "    print('ended')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)

    assert (done.stdout, done.stderr) == ("ended\n", "")
