"""Measure, and write the page of figures.

    python -m benchmarks                       every question of the page, then docs/performance.md
                                               and the same in Chinese
    python -m benchmarks all_pairs passages    some of them; the page keeps the rest as it was
    python -m benchmarks all_pairs --sizes 1000 100000         one, with options of its own
    python -m benchmarks languages FOLDER                      a benchmark outside the page
    python -m benchmarks --list                all questions
    python -m benchmarks --gate                small runs, their ratios against gate.json
    python -m benchmarks --long ...            with the sizes that take long

Figures of the page lie in benchmarks/results, a file a question. What a benchmark needs and does
not find it says in one line; of several the others still run.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks._shared import machine
from benchmarks._shared.needs import PEERS, Missing
from benchmarks._shared.page import RESULTS, write_pages
from benchmarks._shared.report import Report, as_text

HERE = Path(__file__).parent
GATE = HERE / "gate.json"
#: in the order of the page
PAGE = ("peers", "end_to_end", "fingerprint", "all_pairs", "one_query", "passages", "growth",
        "threshold_move", "page_weight", "server_memory", "goals")  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what was asked for."""
    names, options, rest = _asked(list(sys.argv[1:] if arguments is None else arguments))
    if options.list:
        print("\n".join(f"{name:18} {question(name)}" for name in every()))
        return
    unknown = [name for name in names if name not in every()]
    if unknown:
        raise SystemExit(f"no benchmark {unknown[0]}: python -m benchmarks --list")
    if rest and len(names) != 1:
        raise SystemExit(f"{rest[0]} is an option of one benchmark: name it")
    if options.gate:
        gate(names or list(json.loads(GATE.read_text("utf-8"))))
        return
    if len(names) == 1 and names[0] not in PAGE:
        outside(names[0], rest)
        return
    lacking = [line for name in names or PAGE if (line := on_page(name, options, rest))]
    write_pages(PAGE, {name: question(name) for name in PAGE})
    if lacking:
        raise SystemExit("\n".join(lacking))


def _asked(given: list[str]) -> tuple[list[str], argparse.Namespace, list[str]]:
    """Part names, options of this command, and those of a benchmark."""
    names = []
    while given and not given[0].startswith("-"):
        names.append(given.pop(0))
        if names[-1] not in PAGE:
            break  # the rest belongs to it
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=not names,
    )
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--gate", action="store_true")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--quick", action="store_true")
    if names and names[-1] not in PAGE:
        return names, parser.parse_args([]), given
    options, rest = parser.parse_known_args(given)
    return names, options, rest


def every() -> list[str]:
    """Return the names of all benchmarks."""
    return sorted(path.stem for path in HERE.glob("*.py") if path.stem != "__main__")


def question(name: str) -> str:
    """Return the first line of a benchmark, without importing what it needs."""
    text = ast.get_docstring(ast.parse((HERE / f"{name}.py").read_text("utf-8"))) or ""
    return text.partition("\n")[0]


def load(name: str) -> ModuleType:
    """Import a benchmark, or say what it needs."""
    try:
        return importlib.import_module(f"benchmarks.{name}")
    except ModuleNotFoundError as error:
        raise Missing(f"needs the package {error.name}: {PEERS}") from None


def measured(name: str, rest: Sequence[str], *, size: str = "") -> Report:
    """Run a benchmark of the page; `size` names its table of other defaults."""
    module = load(name)
    parser = argparse.ArgumentParser(
        prog=f"python -m benchmarks {name}", description=question(name)
    )
    module.arguments(parser)
    parser.set_defaults(**getattr(module, size, {}))
    report: Report = module.measure(parser.parse_args(rest))
    return report


def on_page(name: str, options: argparse.Namespace, rest: Sequence[str]) -> str:
    """Measure one question, print and store its figures; return what it lacks."""
    print(f"{name}: {question(name)}", flush=True)
    size = "QUICK" if options.quick else "LONG" if options.long else ""
    try:
        report = measured(name, rest, size=size)
    except Missing as missing:
        return f"{name} {missing}"
    print(as_text(report), end="\n\n", flush=True)
    if not options.quick:
        RESULTS.mkdir(exist_ok=True)
        stored: dict[str, Any] = {
            "command": " ".join(
                ["python -m benchmarks", name, *(["--long"] * options.long), *rest]
            ),
            "load": machine.load(),
            "machine": machine.facts(),
            "report": report.to_json(),
        }
        text = json.dumps(stored, ensure_ascii=False, indent=1)
        (RESULTS / f"{name}.json").write_text(text + "\n", "utf-8")
    return ""


def outside(name: str, rest: Sequence[str]) -> None:
    """Run a benchmark that prints figures of its own."""
    try:
        load(name).main(list(rest))
    except Missing as missing:
        raise SystemExit(f"{name} {missing}") from None


def gate(names: Sequence[str]) -> None:
    """Compare the ratios of small runs with the least that each must reach."""
    bounds: dict[str, dict[str, float]] = json.loads(GATE.read_text("utf-8"))
    failed = []
    for name in names:
        try:
            ratios = measured(name, [], size="QUICK").ratios
        except Missing as missing:
            raise SystemExit(f"{name} {missing}") from None
        for what, least in bounds.get(name, {}).items():
            value = ratios.get(what)
            fine = value is not None and value >= least
            shown = "missing" if value is None else f"{value:.2f}"
            print(f"{'ok  ' if fine else 'FAIL'} {name}, {what}: {shown}, at least {least}")
            failed += [] if fine else [what]
    if failed:
        raise SystemExit(f"{len(failed)} ratios are below their bounds")


if __name__ == "__main__":
    main()
