"""Child interpreters that import nothing from where the user stands.

A plain `python -c` or `python -m` puts the current folder first on the import path: a file
`json.py` among the essays would run. Children start in isolated mode (`-I`) instead and get
their import path from the parent, without the current folder.
"""
# `__main__` needs this module while the current folder is still on the path: it imports nothing
# that the interpreter has not loaded by then.
# ruff: noqa: PTH100, PTH109, PTH120

from __future__ import annotations

import os
import sys

# the folder that holds `simhash_core`
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

# Isolated, the child sees the standard library and the installed packages only.
_BOOT = (
    "import importlib, sys; path = sys.argv.pop(1).split('\\n'); "
    "sys.path[:] = path + [entry for entry in sys.path if entry not in path]; "
    "module, function = sys.argv.pop(1).split(':'); "
    "getattr(importlib.import_module(module), function)(*sys.argv[1:])"
)


#: first argument of a child of the bundle (installer/), which has no interpreter to be started
CHILD = "--leitong-child"


def child_command(function: str, *arguments: str) -> list[str]:
    """Return the command that calls `module:function` with strings in an interpreter of its own.

    Notes
    -----
    Isolated mode ignores every `PYTHON*` variable; what they changed in the parent and matters
    to a child (import path, UTF-8 mode, no byte code) is handed on. The bundle is isolated as it
    is: its program reads no such variable and imports from itself alone.
    """
    if in_bundle():
        return [sys.executable, CHILD, function, *arguments]
    flags = ["-I", "-X", f"utf8={sys.flags.utf8_mode}"]
    if sys.dont_write_bytecode:
        flags.append("-B")
    return [sys.executable, *flags, "-c", _BOOT, "\n".join(import_path()), function, *arguments]


def call(function: str, *arguments: str) -> None:
    """Call `module:function` with strings: what a child of the bundle does."""
    import importlib

    module, _, name = function.partition(":")
    getattr(importlib.import_module(module), name)(*arguments)


def in_bundle() -> bool:
    """Return whether this is the bundle that needs no Python (installer/build.py)."""
    return bool(getattr(sys, "frozen", False))


def import_path() -> list[str]:
    """Return `sys.path`, absolute and without the current folder.

    The folder that this package was imported from stays, wherever the user stands.
    """
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:  # the folder was deleted
        here = ""
    return [
        os.path.abspath(entry)
        for entry in sys.path
        if entry and os.path.realpath(entry) not in {here} - {_ROOT}
    ]
