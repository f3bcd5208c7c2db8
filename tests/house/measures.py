"""How big the house is and how far a reader walks in it, one table.

python tests/house/measures.py             counts files, and follows a check and a report
python tests/house/measures.py --static    counts files only
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("app.py", "leitong", "pages", "simhash_core")
#: rooms that nothing in the product needs
LEAVES = (
    *(f"simhash_core/{room}/" for room in ("reposts", "web", "server", "engines", "lab")),
    *(f"leitong/_{noun}.py" for noun in ("reposts", "web")),
    *(
        f"pages/_ui/{page}/"
        for page in ("reposts", "web", "server", "fingerprint_lab", "threshold_lab")
    ),
)
#: a page or a catalogue that a program writes
WRITTEN = re.compile(
    r"locales/zh_Hant/LC_MESSAGES/(?!language\.po)|^docs/(zh/)?reference/(commands\.inc|python\.md)$"
)
Measures = dict[str, int]


def count_files(root: Path = ROOT) -> Measures:
    """Count what stands in the files that are committed."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True
    )
    names = [name for name in listed.stdout.split("\0") if name and (root / name).is_file()]
    product = [name for name in names if name.endswith(".py") and name.split("/")[0] in PRODUCT]
    nodes = [node for name in product for node in ast.walk(ast.parse(_text(root / name)))]
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    binders = [name for name in product if name.endswith("/loops.py")]
    return {
        "product lines": _lines(root, product),
        "product files": len(product),
        "lines of leaves": _lines(root, (name for name in product if name.startswith(LEAVES))),
        "functions": sum(isinstance(node, functions) for node in nodes),
        "classes": sum(isinstance(node, ast.ClassDef) for node in nodes),
        "lines of C": _lines(root, (name for name in names if name.endswith((".c", ".h")))),
        "lines of binders": _lines(root, binders),
        "circles of imports": len(find_circles(root, product)),
        "lines of tests": _lines(
            root, (name for name in names if name.startswith("tests/") and name.endswith(".py"))
        ),
        "lines that a program wrote": _lines(root, filter(WRITTEN.search, names)),
    }


def _text(path: Path) -> str:
    return path.read_text("utf-8")


def _lines(root: Path, names: Iterable[str]) -> int:
    return sum(_text(root / name).count("\n") for name in names)


def find_circles(root: Path, names: Iterable[str]) -> list[list[str]]:
    """Return the groups of modules that import one another, imports inside functions too."""
    modules = {_dotted(name): name for name in names}
    graph = {
        module: [found for found in imported_modules(root, name, modules) if found != module]
        for module, name in modules.items()
    }
    reached = {module: _reach(graph, module) for module in graph}
    groups = {
        tuple(sorted({module, *(b for b in reached[module] if module in reached[b])}))
        for module in graph
    }
    return sorted(list(group) for group in groups if len(group) > 1)


def imported_modules(root: Path, name: str, modules: dict[str, str]) -> set[str]:
    """Return the modules among `modules` that a file imports by name."""
    package = name.removesuffix(".py").split("/")[:-1]
    found: set[str] = set()
    for node in ast.walk(ast.parse(_text(root / name))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            source = [*base, *filter(None, [node.module])]
            for alias in node.names:
                inside = ".".join((*source, alias.name))
                found.add(inside if inside in modules else ".".join(source))
    return found & set(modules)


def _dotted(name: str) -> str:
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _reach(graph: dict[str, list[str]], start: str) -> set[str]:
    seen: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        module = waiting.pop()
        if module not in seen:
            seen.add(module)
            waiting += graph[module]
    return seen


# ----------------------------------------------------------------- what runs
class Walk:
    """The files of the product that ran, and the calls that went from one file to another."""

    def __init__(self, root: Path) -> None:
        self._places = {str(root / name) for name in PRODUCT}
        self._root = str(root)
        self.files: set[str] = set()
        self.moves = 0

    def follow(self, run: Callable[[], Any]) -> Any:
        sys.setprofile(self._note)
        try:
            return run()
        finally:
            sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, argument: Any) -> None:
        name = frame.f_code.co_filename
        if event != "call" or not self._own(name) or frame.f_code.co_name == "<module>":
            return
        self.files.add(name)
        caller = frame.f_back
        while caller is not None and not self._own(caller.f_code.co_filename):
            caller = caller.f_back
        self.moves += caller is not None and caller.f_code.co_filename != name

    def _own(self, name: str) -> bool:
        return name.startswith(self._root) and any(map(name.startswith, self._places))


def walk_check(folder: Path, out: Path) -> Walk:
    """Follow `leitong check` of the sample essays in this process, what it loads left out."""
    from simhash_core.cli import main

    walk = Walk(ROOT)
    code = walk.follow(
        lambda: main(["check", str(folder), "--quiet", "--format", "json", "-o", str(out)])
    )
    assert code == 0, code
    return walk


def walk_report(folder: Path) -> Walk:
    """Follow the content of a report of the class, before any format writes it."""
    import leitong
    from simhash_core.i18n import translator
    from simhash_core.report.build import report_of
    from simhash_core.report.content import Wanted

    result = leitong.check(folder).core
    wanted = Wanted("class", datetime(2026, 1, 1, tzinfo=UTC))
    walk = Walk(ROOT)
    walk.follow(lambda: report_of(result, wanted, translator("en")))
    return walk


def count_flags() -> int:
    """Return how many options `leitong check` takes, `--help` left out."""
    import argparse

    from simhash_core.cli.options.commands import COMMANDS, COMMON
    from simhash_core.cli.options.table import declare
    from simhash_core.i18n import translator

    parser = argparse.ArgumentParser(add_help=False)
    declare(parser, (*COMMON, *COMMANDS["check"].options), translator("en"))
    return sum(bool(action.option_strings) for action in parser._actions)


def count_walks() -> Measures:
    folder = ROOT / "sample_docs" / "essays"
    with tempfile.TemporaryDirectory() as out:
        check = walk_check(folder, Path(out, "check.json"))
    report = walk_report(folder)
    return {
        "flags of check": count_flags(),
        "files of a check": len(check.files),
        "moves of a check": check.moves,
        "files of a report's content": len(report.files),
        "moves of a report's content": report.moves,
    }


def rows(measures: Measures) -> Iterator[str]:
    yield from (f"| {name} | {value:,} |" for name, value in measures.items())


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    print("\n".join(rows(count_files() | ({} if "--static" in sys.argv else count_walks()))))
