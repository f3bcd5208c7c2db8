"""The generated pages are what the code says now, and the JSON Schema describes real results."""

from __future__ import annotations

import json
import re
import runpy
from typing import Any

import pytest
from command_line import ROOT, leitong
from jsonschema import Draft202012Validator

MADE = runpy.run_path(str(ROOT / "docs" / "tables.py"))


def test_settings_formats_and_json_are_up_to_date() -> None:
    for path, content in MADE["written"]().items():
        assert path.read_text("utf-8") == content, "run python docs/tables.py"


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
    schema = json.loads(MADE["SCHEMA_FILE"].read_text("utf-8"))
    Draft202012Validator.check_schema(schema)

    assert [error.message for error in Draft202012Validator(schema).iter_errors(result)] == []


def test_every_key_of_a_result_is_told(result: dict[str, Any]) -> None:
    told = {field[0] for field in MADE["CHECK"]}
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
    schema = json.loads(MADE["REPOST_SCHEMA_FILE"].read_text("utf-8"))
    Draft202012Validator.check_schema(schema)

    assert [error.message for error in Draft202012Validator(schema).iter_errors(reposts)] == []


def test_every_key_of_reposts_is_told(reposts: dict[str, Any]) -> None:
    told = {".".join(field[0].replace("[]", "").split(".")[:2]) for field in MADE["REPOSTS"]}
    rows = {name: value for name, value in reposts.items() if isinstance(value, list)}
    keys = {f"{name}.{key}" for name, listed in rows.items() for row in listed for key in row}

    assert all(rows.values())
    assert keys | (reposts.keys() - rows.keys()) == told
