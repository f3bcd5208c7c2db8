"""Change lines that decide, one at a time, and see whether the tests of their room say so.

    python tests/mutations.py [--count 40] [--seed 20261122] [--only passages]

A change is one comparison made the other at its boundary, one `and` made `or`, one `min` made
`max`, one number grown; of C the comparisons, `&&` and `||`. Each is tried in a checkout of its own
with the tests of its room, the default ones first; what every test lets pass is listed at the end,
for a reader to judge: some changes make no difference to any result.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
#: what decides which pairs and passages a person sees -> the tests of that room
ROOMS = {
    "checking/": ("tests/checking",),
    "clustering.py": ("tests/test_clustering.py",),
    "numbers.py": ("tests/test_numbers.py", "tests/report/test_recomputed.py"),
    "passages/": ("tests/passages", "tests/machine/test_compiled.py"),
    "reposts/": ("tests/reposts",),
    "review.py": ("tests/test_review.py",),
    "seen/": ("tests/seen", "tests/checking"),
    "simhash/": ("tests/simhash", "tests/machine/test_compiled.py"),
    "text/zones.py": ("tests/text",),
    "translations/": ("tests/translations", "tests/machine/test_compiled.py"),
    "variants/": ("tests/variants",),
}
OTHER = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
}
WHOLE = ("-m", "not (e2e or apart)")
LIMIT = 900  # seconds for the tests of one change


class Change(NamedTuple):
    """Characters `start:end` of a file, and what stands there instead."""

    path: Path
    line: int
    start: int
    end: int
    instead: str


#: comparisons and connections of C, each between two blanks, and what stands there instead
OTHER_IN_C = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "&&": "||", "||": "&&"}
_IN_C = re.compile(r"(?<= )(?:<=|>=|<|>|&&|\|\|)(?= )")


def changes_of_c(path: Path) -> Iterator[Change]:
    """Yield all changes of one file of C, none of loops over all rows."""
    before = 0
    for number, line in enumerate(path.read_text("utf-8").splitlines(keepends=True), 1):
        code = "" if line.startswith(("#", "/*", "   ")) and "/*" in line else line
        for found in _IN_C.finditer("" if code.lstrip().startswith("for (") else code):
            start, end = before + found.start(), before + found.end()
            yield Change(path, number, start, end, OTHER_IN_C[found[0]])
        before += len(line)


def changes(path: Path) -> Iterator[Change]:
    """Yield all changes of one file."""
    if path.suffix == ".c":
        yield from changes_of_c(path)
        return
    source = path.read_text("utf-8")
    lengths = [len(line) for line in source.splitlines(keepends=True)]
    before = [sum(lengths[:row]) for row in range(len(lengths))]

    def at(row: int | None, column: int | None) -> int:
        assert row is not None and column is not None
        line = source[before[row - 1] : before[row - 1] + lengths[row - 1]]
        return before[row - 1] + len(line.encode()[:column].decode())

    for node in _walk(ast.parse(source)):
        begin, end = at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)
        if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER:
            old, new = OTHER[type(node.ops[0])]
            left, right = node.left, node.comparators[0]
            after = at(left.end_lineno, left.end_col_offset)
            place = source.find(old, after, at(right.lineno, right.col_offset))
            yield Change(path, node.lineno, place, place + len(old), new)
        elif isinstance(node, ast.BoolOp):
            old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            first = node.values[0]
            place = source.find(old, at(first.end_lineno, first.end_col_offset), end)
            yield Change(path, node.lineno, place, place + len(old), new)
        elif isinstance(node, ast.Name) and node.id in ("min", "max"):
            yield Change(path, node.lineno, begin, end, "max" if node.id == "min" else "min")
        elif isinstance(node, ast.Constant) and _is_number(node.value):
            yield Change(path, node.lineno, begin, end, f"({source[begin:end]} + 1)")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 1


def _walk(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield expressions, but none of annotations, decorators, messages of errors or assertions."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, (ast.Raise, ast.Assert)):
            continue
        if isinstance(child, ast.expr):
            yield child
        if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            for statement in child.body:
                yield from _walk(ast.Module([statement], []))
        elif isinstance(child, ast.AnnAssign):
            yield from _walk(ast.Module([ast.Expr(child.value)] if child.value else [], []))
        else:
            yield from _walk(child)


def survives(change: Change, checkout: Path, tests: tuple[str, ...], *, quick: bool) -> bool:
    """Make a change, run the tests of its room, take it back; return whether all passed."""
    file = checkout / change.path.relative_to(ROOT)
    source = file.read_text("utf-8")
    file.write_text(source[: change.start] + change.instead + source[change.end :], "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    environment["HYPOTHESIS_PROFILE"] = "few" if quick else "whole"
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", *(() if quick else WHOLE), *tests],
            cwd=checkout,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=LIMIT,
        )
        return done.returncode == 0
    except subprocess.TimeoutExpired:
        return False  # it never ends: nobody would let that pass
    finally:
        file.write_text(source, "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=20_261_122)
    parser.add_argument("--only", default="", help="a room")
    options = parser.parse_args()
    core, dice = ROOT / "simhash_core", random.Random(options.seed)
    everything = [
        (change, tests)
        for room, tests in ROOMS.items()
        if room.startswith(options.only)
        for path in sorted(core.glob(f"{room}**/*.[pc]*") if room.endswith("/") else [core / room])
        if path.suffix in (".py", ".c")
        for change in changes(path)
    ]
    drawn = dice.sample(everything, options.count)
    with tempfile.TemporaryDirectory() as scratch:
        checkout = Path(scratch) / "checkout"
        subprocess.run(["git", "clone", "--quiet", ROOT, checkout], check=True)
        for quick in (True, False):
            left = []
            for change, tests in drawn:
                if lives := survives(change, checkout, tests, quick=quick):
                    left.append((change, tests))
                line = change.path.read_text("utf-8").splitlines()[change.line - 1].strip()
                place = f"{change.path.relative_to(ROOT)}:{change.line}"
                end = "passed" if lives else "caught"
                print(f"{end} {place} -> {change.instead}   {line}", flush=True)
            drawn = left
            print(
                f"{len(left)} of {options.count} passed the {'default' if quick else 'whole'} tests"
            )


if __name__ == "__main__":
    main()
