"""Nothing that lies where the user stands is ever run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from simhash_core.app.server import run_server
from simhash_core.machine.isolation import child_command, import_path

ROOT = Path(__file__).resolve().parents[2]
#: modules of the standard library, of the package and of libraries that may be missing
NAMES = ("json", "csv", "struct", "pickle", "rjieba", "webview", "numpy", "simhash_core")
HOSTILE = "from pathlib import Path\nPath(r'{mark}').touch()\nraise ImportError('hostile')\n"
PLAIN = "Seven plain words are enough for this. Every check reads them in a worker.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Texts beside modules that leave a mark when somebody imports them."""
    essays = tmp_path / "essays"
    essays.mkdir()
    for name in "ab":
        (essays / f"{name}.txt").write_text(PLAIN * 30, "utf-8")
    for name in NAMES:
        hostile = HOSTILE.format(mark=tmp_path / f"{name} ran")
        (essays / f"{name}.py").write_text(hostile, "utf-8")
    return essays


def ran(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.parent.glob("* ran"))


def console_script() -> list[str]:
    """What an installed `leitong` is: a script in a folder of its own."""
    call = "import sys; from simhash_core.cli import main; sys.exit(main())"
    return [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {call}"]


@pytest.mark.long
def test_console_script_runs_nothing_of_the_current_folder(folder: Path) -> None:
    command = [*console_script(), "check", ".", "--format", "json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

    assert (done.returncode, ran(folder)) == (3, []), done.stderr  # the .py files are skipped


@pytest.mark.long
def test_module_runs_nothing_of_the_current_folder_in_its_workers(folder: Path) -> None:
    for name in ("simhash_core", "numpy"):  # `python -m` itself looks here first
        (folder / f"{name}.py").unlink()
    call = [sys.executable, "-m", "simhash_core", "check", ".", "--format", "json"]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    done = subprocess.run(
        call, cwd=folder, capture_output=True, text=True, check=False, env=environment
    )

    assert (done.returncode, ran(folder)) == (3, []), done.stderr


@pytest.mark.long
def test_server_runs_nothing_of_the_current_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    with run_server(log=folder.parent / "log"):
        pass

    assert ran(folder) == []


def test_import_path_leaves_out_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), "relative", str(ROOT)])
    monkeypatch.chdir(tmp_path)
    assert import_path() == [str(tmp_path / "relative"), str(ROOT)]
    monkeypatch.chdir(ROOT)
    assert import_path() == [str(tmp_path), str(ROOT / "relative"), str(ROOT)]


def test_child_command_calls_a_function_with_its_arguments() -> None:
    done = subprocess.run(
        child_command("builtins:print", "one", "two 双"),
        capture_output=True,
        encoding="utf-8",
        env={"LANG": "C.UTF-8"},
        check=True,
    )

    assert done.stdout.split() == ["one", "two", "双"]
