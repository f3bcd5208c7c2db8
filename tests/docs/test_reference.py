"""The pages made from the code have no gap, and the JSON Schema describes real results."""

from __future__ import annotations

import json
import re
import runpy
from dataclasses import fields
from fnmatch import fnmatch
from typing import Any

import documents
import pytest
from command_line import ROOT, leitong
from jsonschema import Draft202012Validator
from leaves import complete

from simhash_core import schemas
from simhash_core.settings import Settings

pytestmark = complete
TABLES = runpy.run_path(str(ROOT / "docs" / "tables.py"))
#: a key that no catalogue has comes back as itself
_KEY = re.compile(r"\b(?:settings\.\w+\.|formats\.|notes\.|cli\.|report\.\w+\.)[a-z_]+\b(?!\()")


def test_no_sentence_of_the_reference_is_missing() -> None:
    made = documents.made()

    assert len(made) == 11
    assert {path.name: _KEY.findall(text) for path, text in made.items() if _KEY.search(text)} == {}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_setting_stands_on_the_page_of_settings(language: str) -> None:
    page = TABLES["settings_page"](language)

    assert [one.name for one in fields(Settings) if f"\n| `{one.name}` | " not in page] == []


def test_no_made_file_is_committed() -> None:
    patterns = [line for line in (ROOT / ".gitignore").read_text("utf-8").split("\n") if line]
    made = {path.relative_to(ROOT).as_posix() for path in documents.made()}

    assert {path for path in made if not any(fnmatch(path, one) for one in patterns)} == set()


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A check with everything that a result can hold beside its pairs."""
    into = tmp_path_factory.mktemp("json") / "result.json"
    folder = ROOT / "sample_docs" / "exclusions"
    done = leitong(
        *("check", *sorted(folder.glob("*-*.txt")), "--class-list", folder / "class-list.csv"),
        *("--exclude", "quotations", "--format", "json", "-o", into),
    )
    assert done.returncode == 0, done.stderr
    checked: dict[str, Any] = json.loads(into.read_text("utf-8"))
    return checked


def test_a_result_is_what_its_schema_says(result: dict[str, Any]) -> None:
    schema = TABLES["schema"](schemas.CHECK, TABLES["CHECK"])
    Draft202012Validator.check_schema(schema)

    assert [error.message for error in Draft202012Validator(schema).iter_errors(result)] == []


def test_every_key_of_a_result_is_told(result: dict[str, Any]) -> None:
    told = {field[0] for field in TABLES["CHECK"]}
    whole = {re.sub(r"\[\]$", "", key) for key in told if "." not in key}

    assert whole | {"threshold", "documents", "cases", "pairs"} >= result.keys()
    for name in ("documents", "cases", "pairs"):
        for row in result[name]:
            mine = [key for key in told if key.startswith(f"{name}[")]
            keys = {re.sub(r"\[\]$", "", key.split(".")[1]) for key in mine}
            assert row.keys() <= keys


@pytest.fixture(scope="module")
def reposts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One of the samples, asked about among the others, and a file that cannot be read."""
    unread = tmp_path_factory.mktemp("unread") / "empty.txt"
    unread.touch()
    *others, asked = sorted((ROOT / "sample_docs" / "reposts").glob("rust-ch03-04*.md"))
    against = [part for other in others for part in ("--against", other)]
    done = leitong("reposts", asked, unread, *against, "--json")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_reposts_are_what_their_schema_says(reposts: dict[str, Any]) -> None:
    schema = TABLES["schema"](schemas.REPOSTS, TABLES["REPOSTS"])
    Draft202012Validator.check_schema(schema)

    assert [error.message for error in Draft202012Validator(schema).iter_errors(reposts)] == []


def test_every_key_of_reposts_is_told(reposts: dict[str, Any]) -> None:
    told = {".".join(field[0].replace("[]", "").split(".")[:2]) for field in TABLES["REPOSTS"]}
    rows = {name: value for name, value in reposts.items() if isinstance(value, list)}
    keys = {f"{name}.{key}" for name, listed in rows.items() for row in listed for key in row}

    assert all(rows.values())
    assert keys | (reposts.keys() - rows.keys()) == told
