"""The bundle that needs no Python, built and used: command line, server, its installer on Linux.

`LEITONG_BUNDLE` names the folder that `installer/build.py` has built it into; without it, it is
built first, in some minutes.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from simhash_core.app.server import is_healthy
from simhash_core.version import __version__

ROOT = Path(__file__).resolve().parents[2]
ESSAYS = ROOT / "sample_docs" / "essays"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals")

_ADDRESS = re.compile(r"http://\S+#ticket=[\w-]+")

pytestmark = [pytest.mark.bundle, pytest.mark.timeout(1800)]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the bundle and its one file."""
    if given := os.environ.get("LEITONG_BUNDLE"):
        return Path(given)
    if importlib.util.find_spec("PyInstaller") is None:
        pytest.skip("needs leitong[installer]")
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, str(ROOT / "installer" / "build.py"), "--into", str(folder)]
    subprocess.run(build, check=True)
    return folder


@pytest.fixture
def program(built: Path) -> str:
    return str(built / "leitong" / ("leitong.exe" if sys.platform == "win32" else "leitong"))


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    """An environment with folders of its own, no Python and no screen."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    folders = {f"LEITONG_{name}": str(tmp_path / name) for name in ("STATE", "DATA", "CACHE")}
    return {**kept, **folders, "DISPLAY": "", "WAYLAND_DISPLAY": ""}


def output(program: str, *arguments: str, variables: dict[str, str]) -> str:
    done = subprocess.run([program, *arguments], env=variables, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def processes_of(program: str) -> list[psutil.Process]:
    """Return what runs of the bundle, workers and servers among it."""
    running = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.exe() == os.path.realpath(program):
                running.append(process)
    return running


def test_it_says_its_version(program: str, variables: dict[str, str]) -> None:
    assert output(program, "--version", variables=variables).strip() == f"leitong {__version__}"


def test_a_check_finds_what_the_source_finds(program: str, variables: dict[str, str]) -> None:
    """Workers read the files, loops of C align them; with the extras that the bundle holds."""
    command = ["check", str(ESSAYS), "--format", "json", "--set", "meaning=off"]
    result = json.loads(output(program, *command, variables=variables))
    python = [sys.executable, "-m", "simhash_core", *command]
    source = json.loads(subprocess.run(python, env={**variables, "PYTHONPATH": str(ROOT)},
                                       capture_output=True, check=True).stdout)  # fmt: skip

    assert result["documents"] == source["documents"]
    assert result["pairs"] == source["pairs"]
    assert processes_of(program) == []


@pytest.mark.parametrize("ending", ["html", "pdf", "xlsx"])
def test_reports_are_written(
    program: str, variables: dict[str, str], tmp_path: Path, ending: str
) -> None:
    report = tmp_path / f"report.{ending}"
    output(program, "check", str(ESSAYS), "-o", str(report), variables=variables)

    assert report.stat().st_size > 4000


@contextlib.contextmanager
def started(program: str, *arguments: str, variables: dict[str, str]) -> Iterator[tuple[str, int]]:
    """Yield the address that opens a browser once, and the number of the process."""
    process = subprocess.Popen(
        [program, *arguments], env=variables, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
    )
    try:
        assert process.stderr is not None
        said = (_ADDRESS.search(line.decode()) for line in iter(process.stderr.readline, b""))
        address = next(match[0] for match in said if match)
        yield address, process.pid
    finally:
        process.kill()
        process.wait()


@POSIX
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_the_server_answers_and_leaves_no_process(
    program: str, variables: dict[str, str], how: signal.Signals
) -> None:
    with started(program, "app", variables=variables) as (address, number):
        port = int(re.findall(r":(\d+)", address)[0])
        with urllib.request.urlopen(address.partition("#")[0]) as reply:
            assert b"<html" in reply.read()
        running = processes_of(program)
        assert len(running) >= 2
        os.kill(number, how)
        _, alive = psutil.wait_procs(running, timeout=20)

        assert alive == []
        assert not is_healthy(port)


@POSIX
def test_a_double_click_and_a_dropped_folder_open_the_window(
    program: str, variables: dict[str, str]
) -> None:
    """Without a command; there is no screen, so the address is said."""
    for arguments in ([], [str(ESSAYS)]):
        with started(program, *arguments, variables={**variables, "LEITONG_BROWSER": "false"}) as (
            address,
            _,
        ):
            assert ("open=" in address) == bool(arguments)


@pytest.mark.skipif(sys.platform != "linux", reason="libraries of Linux")
def test_no_library_misses_what_was_left_out(built: Path) -> None:
    """Every library loads, and finds each function that it names: none was needed after all."""
    inside = built / "leitong" / "_internal"
    (python,) = inside.glob("libpython*")
    with_python = {**os.environ, "LD_PRELOAD": f"{python}:libm.so.6"}
    libraries = [path for path in inside.rglob("*.so*") if not path.is_symlink()]
    assert len(libraries) > 100
    wrong = {}
    for library in libraries:
        command = ["ldd", "-r", str(library)]
        said = subprocess.run(command, env=with_python, capture_output=True, text=True, check=False)
        lines = (said.stdout + said.stderr).splitlines()
        if found := [line for line in lines if re.search(r"undefined|not found|aligned", line)]:
            wrong[library.name] = found
        assert said.returncode == 0, library

    assert wrong == {}


def test_no_script_of_the_page_misses_one_that_was_left_out(built: Path) -> None:
    folder = built / "leitong" / "_internal" / "streamlit" / "static" / "static" / "js"
    scripts = {path.name: path.read_text("utf-8") for path in folder.glob("*.js")}
    assert len(scripts) > 100
    loads = re.compile(r"""(?:from|import)\s*["'`]\./([\w.$~-]+\.js)["'`]""")

    assert {name for text in scripts.values() for name in loads.findall(text)} <= scripts.keys()


def test_pages_show_nothing_that_the_bundle_left_out() -> None:
    left_out = re.compile(
        r"st\.(area_chart|audio|audio_input|balloons|bar_chart|camera_input|chat_input|graphviz_chart"
        r"|line_chart|map|pydeck_chart|scatter_chart|snow|vega_lite_chart|altair_chart|video)\("
        r"|\b(AreaChartColumn|BarChartColumn|LineChartColumn)\b|chart_data="
    )
    sources = [ROOT / "app.py", *(ROOT / "pages").rglob("*.py")]

    assert [path.name for path in sources if left_out.search(path.read_text("utf-8"))] == []


@pytest.mark.skipif(sys.platform != "linux", reason="the installer of Linux")
def test_one_file_installs_and_removes_itself(built: Path, tmp_path: Path) -> None:
    home = tmp_path / "home of tea"
    home.mkdir()
    (file,) = built.glob("leitong-*.run")
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
    subprocess.run(["sh", str(file)], env=environment, check=True)
    program = home / ".local" / "bin" / "leitong"
    entry = home / ".local/share/applications/leitong.desktop"
    assert output(str(program), "--version", variables=environment).startswith("leitong ")
    assert f'Exec="{program.resolve()}" desktop %F' in entry.read_text("utf-8")
    output(str(program), "check", str(ESSAYS), "-o", str(home / "r.html"), variables=environment)
    profile = home / ".local/state/leitong/app/profile"
    profile.mkdir(parents=True)
    checks = home / ".local/share/leitong/checks"
    checks.mkdir(parents=True)
    assert (home / ".cache" / "leitong").is_dir()

    subprocess.run(["sh", str(file), "--remove"], env=environment, check=True)
    # the indexes of menus and types are the desktop's own
    left = [path for path in home.rglob("*leitong*") if path != checks.parent]
    assert left == []
    assert checks.is_dir()
    assert not (home / ".local" / "bin").exists()
    assert (home / "r.html").is_file()
