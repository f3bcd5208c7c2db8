"""`leitong evaluate`: measurements, what each takes and the tables that they give."""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.table import Table as Shown
from rich.text import Text

from ..cli.options.table import Command, Option
from ..cli.options.values import WrongValue, number, output, whole
from ..cli.output import output_console, progress, write_text
from ..extensions import list_offers
from ..i18n import Translate
from ..model import report_nothing
from ..notation import UNKNOWN
from ..settings import Settings
from ..signs import make_printable
from . import Code, Table

FAILED = 4  # exit code: a known answer came out different


def evaluate(options: argparse.Namespace, t: Translate) -> int:
    """Measure, and write the tables of figures; 4 where a known answer differs."""
    measure = measure_of(options.kind)
    given = dict(vars(options))
    if "strength" in given:
        given["settings"] = Settings(strength=options.strength, dictionary=options.dictionary)
    with progress(t, options) as step:
        given["progress"] = step or report_nothing
        wanted = inspect.signature(measure).parameters
        tables = measure(**{name: given[name] for name in wanted})
    if options.json:
        rows = [dataclasses.asdict(table) for table in tables]
        write_text(json.dumps(rows, ensure_ascii=False, indent=1), None)
    else:
        for table in tables:
            print_table(table, t)
    return 0 if all(table.ok for table in tables) else FAILED


def measure_of(kind: str) -> Callable[..., list[Table]]:
    """Return the function that measures."""
    module, _, name = MEASUREMENTS[kind].partition(":")
    measure: Callable[..., list[Table]] = getattr(
        importlib.import_module(f".{module}", __package__), name
    )
    return measure


def print_table(table: Table, t: Translate) -> None:
    """Write one table of an evaluation."""
    shown = Shown(box=None, pad_edge=False, title=t(f"evaluate.{table.code}"), title_justify="left")
    for column in table.columns:
        shown.add_column(t(f"evaluate.column_{column}"), overflow="fold")
    for row in table.rows:
        shown.add_row(*(Text(_cell(value, t)) for value in row))
    console = output_console()
    console.print(shown)
    console.print()


def _cell(value: object, t: Translate) -> str:
    if isinstance(value, Code):
        return t(f"evaluate.{value}")
    if isinstance(value, float):
        return UNKNOWN if value != value else f"{value:.4g}"
    return make_printable(str(value))


def _span(text: str) -> tuple[int, int]:
    """Read two counts, 120-160, the smaller first."""
    low, _, high = text.partition("-")
    try:
        bounds = int(low), int(high or low)
    except ValueError as error:
        raise WrongValue("usage.span", value=text) from error
    if not 2 <= bounds[0] <= bounds[1]:
        raise WrongValue("usage.span", value=text)
    return bounds


def _folder(name: str, key: str, metavar: str = "FOLDER", **given: Any) -> Option:
    return Option(name, key, metavar, Path, **given)


def _count(name: str, key: str, default: int, *, least: int = 1) -> Option:
    return Option(name, key, "N", whole(least), default=default)


# --------------------------------------------------------------------------- each measurement

_SEED = _count("--seed", "cli.seed", 1, least=0)
_ALIGNMENT = (
    Option("--strength", "settings.strength.label", "N", number(3, 10)),
    Option(
        "--dictionary", "settings.dictionary.label", choices=("auto", "on", "off"), default="auto"
    ),
)
_CORPUS = _folder("root", "cli.corpus", "ROOT")

#: name -> what it takes, called like the parameters of the function that measures
_TAKEN: dict[str, tuple[Option, ...]] = {
    "labels": (_folder("file", "cli.labels_file", "FILE"),),
    "seeds": (),
    "pan": (
        _CORPUS,
        Option("-o --output", "cli.output_pan", "DIR", output),
        Option("--frequencies", "cli.frequencies", flag=True),
        *_ALIGNMENT,
    ),
    "batch": (_CORPUS, Option("--against", "cli.batch_against", flag=True), *_ALIGNMENT),
    "batches": (
        _folder("roots", "cli.corpus", "ROOT", nargs="+"),
        _count("--count", "cli.batches_count", 20),
        Option("--size", "cli.batches_size", "N-M", _span, default=(120, 160)),
        _SEED,
        *_ALIGNMENT,
    ),
    "classes": (
        _folder("folders", "cli.classes_folder", nargs="+"),
        Option("--pieces", "cli.classes_pieces", flag=True),
        _SEED,
    ),
    "variants": (
        _folder("root", "cli.variants_root", "ROOT", nargs="?"),
        _count("--count", "cli.variants_count", 5),
        _SEED,
    ),
    "reposts": (_folder("root", "cli.reposts_root", "ROOT", nargs="?"), _SEED),
    "translated": (
        _folder("chinese", "cli.translated_folder", "CHINESE"),
        _folder("english", "cli.translated_folder", "ENGLISH"),
        _folder("--hosts", "cli.translated_hosts"),
        _folder("--hosts-english", "cli.translated_hosts"),
        Option("--year", "cli.translated_year", default=""),
        Option("--part", "cli.translated_part", choices=("all", "odd", "even"), default="all"),
        _count("--count", "cli.translated_count", 120),
        _count("--pairs", "cli.translated_pairs", 1000),
        _SEED,
    ),
    "meaning": (
        _folder("reworded", "cli.meaning_reworded", "REWORDED", nargs="?"),
        _folder("--hosts", "cli.meaning_hosts", nargs="+", default=()),
        Option("--lengths", "cli.meaning_lengths", "N", whole(0), nargs="+", default=(0, 100, 60)),
        _count("--texts", "cli.meaning_texts", 120),
        _folder("--topics", "cli.meaning_topics"),
        _SEED,
    ),
}
#: name -> the function that measures
MEASUREMENTS = {
    "labels": "labels:evaluate_labels",
    "seeds": "museum.papers:seeds_table",
    "pan": "pan:evaluate_pan",
    "batch": "pan:evaluate_batch",
    "batches": "pan:evaluate_batches",
    "classes": "classes:evaluate_classes",
    "variants": "variants:evaluate_variants",
    "reposts": "reposts:evaluate_reposts",
    "translated": "translated:evaluate_translated",
    "meaning": "meaning:evaluate_meaning",
}
if "reposts" not in list_offers("commands"):  # a leaf that this one measures
    del _TAKEN["reposts"], MEASUREMENTS["reposts"]
_JSON = Option("--json", "cli.json", flag=True)
COMMAND = Command(
    __name__, (), {name: (_JSON, *own) for name, own in _TAKEN.items()}, action="kind"
)
