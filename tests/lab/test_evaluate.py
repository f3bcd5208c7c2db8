"""`leitong evaluate` and `fingerprint --profile`, which hook themselves into the command line."""

from __future__ import annotations

import inspect
import json

import pytest
from command_line import ESSAYS, leitong

from simhash_core.cli.entry import run
from simhash_core.extensions import extension, list_offers
from simhash_core.i18n import translator
from simhash_core.lab import Table
from simhash_core.lab.evaluate import MEASUREMENTS, measure_of, print_table
from simhash_core.lab.museum.profiles import PROFILES


@pytest.mark.parametrize("kind", MEASUREMENTS)
def test_every_measurement_is_there_and_says_how_it_goes_on(kind: str) -> None:
    assert "progress" in inspect.signature(measure_of(kind)).parameters or kind == "labels"


@pytest.mark.parametrize("kind", MEASUREMENTS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_measurement_has_help(
    kind: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(["evaluate", kind, "--help", "--lang", language])
    shown = capsys.readouterr().out
    assert kind in shown and "cli." not in shown


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("sead", "“sead” is unknown; did you mean seeds?"),
        ("batches x --size 9-2", "--size: “9-2” is not a range such as 120-160"),
        ("variants --count 0", "--count: “0” is less than 1"),
    ],
)
def test_a_mistake_is_one_sentence(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["evaluate", *words.split(), "--lang", "en"]) == 2
    assert capsys.readouterr().err.startswith(f"leitong: {sentence}")


def test_profiles_are_offered_under_their_names() -> None:
    assert {name: extension("profiles", name) for name in list_offers("profiles")} == PROFILES


def test_a_table_that_goes_into_a_pipe_is_not_cut_to_a_terminal(capsys, monkeypatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    names = [f"collection-{number}-of-documents" for number in range(5)]

    print_table(Table("classes", ("class",) * len(names), [tuple(names)]), translator("en"))

    assert "  ".join(names) in capsys.readouterr().out


def test_fingerprint_of_another_program() -> None:
    from simhash import Simhash

    path = ESSAYS / "02-林晓雨.txt"
    done = leitong("fingerprint", path, "--profile", "1e0ng", "--json")

    (document,) = json.loads(done.stdout)["documents"]
    assert int(document["fingerprint"], 16) == Simhash(path.read_text("utf-8")).value
