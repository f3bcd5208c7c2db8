"""Work that takes long shows how far it is; what cannot be called is refused before it begins."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import leitong as lt
from leitong import _progress
from tests.leitong.conftest import RAIN

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [RAIN, RAIN + " Nobody slept."]


class Bar:
    """A bar of another package: a class that is made of an iterable, with a method that adds."""

    def __init__(self, iterable: Any = None, desc: Any = None, total: Any = None) -> None: ...

    def update(self, n: int = 1) -> None: ...


@pytest.mark.parametrize(
    ("progress", "kind"),
    [
        (Bar, "Bar"),
        (Bar(), "Bar"),
        (Bar().update, "method"),
        ("yes", "str"),
        (1, "int"),
        (lambda: None, "function"),
        (lambda stage, done, *, total: None, "function"),
    ],
)
def test_what_cannot_be_called_is_refused_before_the_work(
    progress: Any, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leitong._check.texts_of", lambda *_, **__: pytest.fail("it has begun"))
    with pytest.raises(lt.LeitongError) as caught:
        lt.check(TEXTS, progress=progress, language="en")

    assert caught.value.code == "given_progress"
    assert str(caught.value).startswith(f"progress is {kind}, which cannot be called as")
    assert "Pass True for a bar" in str(caught.value)


def test_functions_of_three_are_called() -> None:
    told: list[tuple[object, ...]] = []

    def note(*step: object, more: int = 0) -> None:
        told.append(step)

    for progress in (note, partial(note, more=1), lambda stage, done, total: note(stage)):
        told.clear()
        lt.check(TEXTS, progress=progress)
        assert "tokens" in {step[0] for step in told}


def test_true_names_the_stages_where_nothing_can_be_drawn(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lt.check(TEXTS, progress=True, language="en")

    assert len(said := capsys.readouterr().err.splitlines()) == len(set(said)) > 2


@pytest.mark.parametrize("progress", [None, False])
def test_nothing_is_said_where_nobody_sees_it(
    progress: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    lt.check(TEXTS, progress=progress)

    assert capsys.readouterr() == ("", "")


@pytest.mark.long
@pytest.mark.parametrize(("patience", "drawn"), [(0.0, True), (1e6, False)])
def test_bar_appears_on_a_terminal_after_a_while(patience: float, drawn: bool) -> None:
    code = (
        "import leitong as lt; from leitong import _progress as p; "
        f"p.PATIENCE = {patience}; lt.check({TEXTS!r}, language='en')"
    )
    own, terminal = pty.openpty()
    subprocess.run([sys.executable, "-c", code], stderr=terminal, cwd=ROOT, check=True, timeout=200)
    os.close(terminal)
    said = b""
    try:
        while part := os.read(own, 65536):
            said += part
    except OSError:  # so Linux ends a terminal
        pass
    os.close(own)

    assert (b"1/1" in said or b"2/2" in said) is drawn


def test_bar_appears_in_a_notebook_and_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    handle = SimpleNamespace(update=shown.append)
    fake = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=1))
    display = SimpleNamespace(HTML=str, display=lambda *_, display_id: handle)
    monkeypatch.setitem(sys.modules, "IPython", fake)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    lt.check(TEXTS, language="en")

    assert any("<progress value=" in one for one in shown)
    assert shown[-1] == ""
