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

from ..cli.options.values import (
    choice_option,
    common_options,
    json_option,
    output_option,
    real,
    span,
    whole,
)
from ..cli.output import output_console, progress, write_text
from ..i18n import Translate
from ..model import silent
from ..notation import UNKNOWN
from ..settings import Settings
from ..signs import printable
from . import Code, Table

FAILED = 4  # exit code: a known answer came out different


def declare(parser: argparse.ArgumentParser, t: Translate) -> None:
    """Take a kind of measurement, and what it takes."""
    kinds = parser.add_subparsers(required=True, dest="kind", metavar=t("cli.kind"))
    for name, (declared, _) in EVALUATIONS.items():
        note = t(f"cli.evaluate_{name}")
        kind = kinds.add_parser(name, help=note, description=note)
        common_options(kind, t)
        json_option(kind, t)
        declared(_Taking(kind, t))


def run(options: argparse.Namespace, t: Translate) -> int:
    """Measure, and write the tables of figures; 4 where a known answer differs."""
    measure = measure_of(options.kind)
    given = dict(vars(options))
    if "strength" in given:
        given["settings"] = Settings(strength=options.strength, dictionary=options.dictionary)
    with progress(t, options) as step:
        given["progress"] = step or silent
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
    module, _, name = EVALUATIONS[kind][1].partition(":")
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
    return printable(str(value))


class _Taking:
    """Adds what a measurement takes, with its help."""

    def __init__(self, parser: argparse.ArgumentParser, t: Translate) -> None:
        self.parser, self.t = parser, t

    def take(self, name: str, note: str, **given: Any) -> None:
        """Take an argument or option; its help is a sentence of the command line."""
        self.parser.add_argument(name, help=self.t(f"cli.{note}"), **given)

    def count(self, name: str, default: int, note: str) -> None:
        """Take a count of at least 1."""
        self.take(name, note, type=whole(self.t, 1), default=default, metavar="N")

    def seed(self) -> None:
        """Take what draws are seeded with."""
        self.take("--seed", "seed", type=whole(self.t, 0), default=1, metavar="N")

    def alignment(self) -> None:
        """Take the settings of a check that these measurements vary."""
        note = self.t("settings.strength.label")
        self.parser.add_argument("--strength", type=real(self.t, 3, 10), metavar="N", help=note)
        choice_option(self.parser, self.t, "dictionary")


# --------------------------------------------------------------------------- each measurement


def _labels(taking: _Taking) -> None:
    taking.take("file", "labels_file", type=Path, metavar="FILE")


def _seeds(taking: _Taking) -> None:
    """Take nothing."""


def _pan(taking: _Taking) -> None:
    taking.take("root", "corpus", type=Path, metavar="ROOT")
    output_option(taking.parser, taking.t("cli.output_pan"), metavar="DIR")
    taking.take("--frequencies", "frequencies", action="store_true")
    taking.alignment()


def _batch(taking: _Taking) -> None:
    taking.take("root", "corpus", type=Path, metavar="ROOT")
    taking.take("--against", "batch_against", action="store_true")
    taking.alignment()


def _batches(taking: _Taking) -> None:
    taking.take("roots", "corpus", type=Path, metavar="ROOT", nargs="+")
    taking.count("--count", 20, "batches_count")
    size = {"type": span(taking.t), "default": (120, 160), "metavar": "N-M"}
    taking.take("--size", "batches_size", **size)
    taking.seed()
    taking.alignment()


def _classes(taking: _Taking) -> None:
    taking.take("folders", "classes_folder", type=Path, metavar="FOLDER", nargs="+")
    taking.take("--pieces", "classes_pieces", action="store_true")
    taking.seed()


def _variants(taking: _Taking) -> None:
    taking.take("root", "variants_root", type=Path, metavar="ROOT", nargs="?")
    taking.count("--count", 5, "variants_count")
    taking.seed()


def _reposts(taking: _Taking) -> None:
    taking.take("root", "reposts_root", type=Path, metavar="ROOT", nargs="?")
    taking.seed()


def _translated(taking: _Taking) -> None:
    taking.take("chinese", "translated_folder", type=Path, metavar="CHINESE")
    taking.take("english", "translated_folder", type=Path, metavar="ENGLISH")
    for flag in ("--hosts", "--hosts-english"):
        taking.take(flag, "translated_hosts", type=Path, metavar="FOLDER")
    taking.take("--year", "translated_year", default="")
    taking.take("--part", "translated_part", choices=("all", "odd", "even"), default="all")
    taking.count("--count", 120, "translated_count")
    taking.count("--pairs", 1000, "translated_pairs")
    taking.seed()


def _meaning(taking: _Taking) -> None:
    taking.take("reworded", "meaning_reworded", type=Path, metavar="REWORDED", nargs="?")
    taking.take("--hosts", "meaning_hosts", type=Path, metavar="FOLDER", nargs="+", default=[])
    lengths = {"type": whole(taking.t, 0), "nargs": "+", "default": [0, 100, 60], "metavar": "N"}
    taking.take("--lengths", "meaning_lengths", **lengths)
    taking.count("--texts", 120, "meaning_texts")
    taking.take("--topics", "meaning_topics", type=Path, metavar="FOLDER")
    taking.seed()


#: name -> what it takes, and the function that measures: its parameters are called like options
EVALUATIONS: dict[str, tuple[Callable[[_Taking], None], str]] = {
    "labels": (_labels, "labels:evaluate_labels"),
    "seeds": (_seeds, "museum.papers:seeds_table"),
    "pan": (_pan, "pan:evaluate_pan"),
    "batch": (_batch, "pan:evaluate_batch"),
    "batches": (_batches, "pan:evaluate_batches"),
    "classes": (_classes, "classes:evaluate_classes"),
    "variants": (_variants, "variants:evaluate_variants"),
    "reposts": (_reposts, "reposts:evaluate_reposts"),
    "translated": (_translated, "translated:evaluate_translated"),
    "meaning": (_meaning, "meaning:evaluate_meaning"),
}
