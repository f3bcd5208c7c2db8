"""The door opens at once, and only to what lies behind it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from leaves import complete

import leitong

DOOR = Path(leitong.__file__).parent
HEAVY = ("numpy", "pandas", "plotly", "scipy", "streamlit")


def loaded(code: str, libraries: tuple[str, ...] = HEAVY) -> list[str]:
    """Return which heavy libraries an interpreter has after some code."""
    code += f"; import sys; print(*[name for name in {libraries} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_import_alone_loads_nothing_heavy() -> None:
    assert loaded("import leitong") == []


def test_what_is_rarely_used_is_loaded_late() -> None:
    late = ("snowballstemmer", "filelock", "rapidfuzz", "psutil", "sqlite3", "regex")
    used = "leitong.near_duplicates(['one two', 'three four'])"

    assert loaded(f"import leitong; {used}", late) == []
    assert loaded("import leitong; leitong.check", late[:4]) == []


@pytest.mark.long
def test_a_check_in_english_does_without_the_dictionary_and_the_application() -> None:
    texts = ["one two three four five six", "six seven eight nine ten"]
    late = ("pandas", "plotly", "streamlit", "rich.console", "rjieba")

    assert loaded(f"import leitong; leitong.check({texts}).pairs()", late) == []


def test_the_door_enters_rooms_by_their_doors() -> None:
    """Nothing of the door depends on which module of a room holds what."""
    rooms = "cases checking errors folders graphs i18n library model notation numbers people report"
    rooms += " reposts request result schemas seen settings storage storage.library version web"
    rooms += " cli.output"
    doors = {"simhash_core", *(f"simhash_core.{room}" for room in rooms.split())}
    for path in sorted(DOOR.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and not node.level:
                module = node.module or ""
                assert module in doors or not module.startswith("simhash_core"), (path, module)


@complete
def test_exported_names_are_those_of_the_stub() -> None:
    assert leitong.__all__ == [
        *("Comparison", "Document", "LeitongError", "Library", "Reposts", "Result", "Settings"),
        *("Table", "WebSearch", "check", "compare", "fingerprint", "hamming", "load"),
        *("near_duplicates", "reposts", "web_log"),
    ]
    assert all(hasattr(leitong, name) for name in (*leitong.__all__, "__version__"))
