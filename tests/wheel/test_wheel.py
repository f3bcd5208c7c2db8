"""The built wheel in an environment of its own, used from a folder that is not a checkout."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest

from simhash_core.i18n import translator

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = "Scripts" if sys.platform == "win32" else "bin"

pytestmark = [pytest.mark.wheel, pytest.mark.timeout(900)]


class Installed:
    """An environment with the wheel, and an empty folder to stand in."""

    def __init__(self, environment: Path, folder: Path, wheel: Path, extra: str) -> None:
        self.scripts, self.folder = environment / SCRIPTS, folder
        venv.create(environment, with_pip=True)
        subprocess.run(
            [self.python, "-m", "pip", "install", "--quiet", f"{wheel}{extra}"], check=True
        )
        self.samples = self.output("-c", _SAMPLES)

    @property
    def python(self) -> str:
        return str(self.scripts / "python")

    @property
    def variables(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
        state = {"LEITONG_STATE": str(self.folder / "state"), "DISPLAY": ""}
        return {**kept, **state, "BROWSER": "true", "PYTHONUTF8": "1"}

    def output(self, *arguments: str) -> str:
        done = subprocess.run(
            [self.python, *arguments],
            cwd=self.folder, env=self.variables, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout.strip()

    def leitong(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.scripts / "leitong"), *arguments, "--lang", "en"],
            cwd=self.folder, env=self.variables, capture_output=True, text=True,
            encoding="utf-8", timeout=600,
        )  # fmt: skip

    @contextlib.contextmanager
    def started(self, command: str, **variables: str) -> Iterator[str]:
        """Start `leitong app` or `leitong desktop`; yield the address that it prints."""
        process = subprocess.Popen(
            [str(self.scripts / "leitong"), command, "--lang", "en"],
            cwd=self.folder, env={**self.variables, **variables},
            stderr=subprocess.PIPE, text=True, encoding="utf-8",
        )  # fmt: skip
        assert process.stderr is not None
        try:
            words = process.stderr.readline().split()
            address = next(word for word in words if word.startswith("http"))
            yield urljoin(address, "/").rstrip("/")  # without the ticket
        finally:
            process.send_signal(signal.SIGINT if sys.platform != "win32" else signal.SIGTERM)
            process.communicate(timeout=60)


_SAMPLES = "from simhash_core import samples; print(samples()['essays'][0].parent)"


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT)],
        check=True, capture_output=True,
    )  # fmt: skip
    (built,) = folder.glob("leitong-*.whl")
    return built


@pytest.fixture(scope="session")
def base(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(
        tmp_path_factory.mktemp("base"), tmp_path_factory.mktemp("elsewhere"), wheel, ""
    )


@pytest.fixture(scope="session")
def full(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(
        tmp_path_factory.mktemp("full"), tmp_path_factory.mktemp("elsewhere"), wheel, "[app]"
    )


def test_base_install_checks_without_the_libraries_of_the_application(base: Installed) -> None:
    missing = "import importlib.util as u; print([u.find_spec(n) for n in {names!r}])"

    assert base.output("-c", missing.format(names=("streamlit", "plotly", "pandas"))) == (
        "[None, None, None]"
    )
    done = base.leitong("check", base.samples, "--format", "json")
    assert '"schema": "leitong.check/' in done.stdout, done.stderr


def test_base_install_says_how_to_get_the_application(base: Installed) -> None:
    done = base.leitong("app")

    assert done.returncode == 4
    assert "leitong[app]" in done.stderr


def test_evaluate_seeds_runs_all_rows(base: Installed) -> None:
    done = base.leitong("evaluate", "seeds", "--json")

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count('"seed_') >= 36


def test_door_opens_without_pandas(base: Installed) -> None:
    code = (
        "import leitong as lt; rain = 'It rained all night, and in the morning the river rose.'; "
        "found = lt.check([rain, 'They say: ' + rain]); print(type(found.pairs()).__name__, found)"
    )

    assert base.output("-c", code) == "Table <leitong.Result: 2 texts, 1 pair, 1 cluster>"


def test_door_is_typed_for_who_calls_it(base: Installed) -> None:
    """A wrong argument is marked as one in the script, so that mypy must know the types."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--warn-unused-ignores",
         "--python-executable", base.python, str(ROOT / "tests" / "wheel" / "typed.py")],
        cwd=base.folder, env=base.variables, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout + done.stderr


def test_notebook_from_a_frame_to_a_report(full: Installed) -> None:
    notebook = ROOT / "tests" / "wheel" / "notebook.py"
    lines = [line for line in notebook.read_text("utf-8").splitlines() if line.strip()]

    assert len(lines) <= 35
    assert full.output(str(notebook)) == "True"
    assert (full.folder / "articles.html").read_text("utf-8").count("post-1")


def test_app_answers(full: Installed) -> None:
    with full.started("app") as url, urllib.request.urlopen(f"{url}/_stcore/health") as reply:
        assert reply.status == 200


def test_desktop_opens_a_window_on_the_application(full: Installed) -> None:
    browser = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if browser is None:
        pytest.skip("no Chromium")
    flags = "--headless=new --disable-gpu"
    flags += " --no-sandbox" if hasattr(os, "geteuid") and os.geteuid() == 0 else ""
    window = {"LEITONG_BROWSER": browser, "LEITONG_BROWSER_ARGS": flags}
    with (
        full.started("desktop", **window) as url,
        urllib.request.urlopen(f"{url}/_stcore/health") as reply,
    ):
        assert reply.status == 200


def test_help_is_in_the_wheel(base: Installed) -> None:
    names = base.output(
        "-c",
        "from simhash_core.app.guides import ABOUT, guide, guides_about as about\n"
        "from simhash_core.i18n import LANGUAGES\n"
        "print(len({guide(one, l).title for page in ABOUT for one in about(page)"
        " for l in LANGUAGES}))",
    )

    assert int(names) >= 3 * 15


def test_traditional_chinese_is_in_the_wheel(base: Installed) -> None:
    code = (
        "import sys; sys.modules['opencc'] = None; from simhash_core.i18n import translator;"
        "print(translator('zh_Hant')('settings.fold_variants.label'))"
    )

    assert base.output("-c", code) == translator("zh_Hant")("settings.fold_variants.label")
