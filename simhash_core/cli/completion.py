"""Completion in bash, zsh and fish: at every tab the shell asks this program what may follow."""

from __future__ import annotations

import argparse

import argcomplete
from argcomplete.shell_integration import shellcode

from ..i18n import Translate
from .parser import build

PROGRAM = "leitong"


def completion(options: argparse.Namespace, t: Translate) -> int:
    """`leitong completion SHELL`: what a shell has to run once."""
    print(shellcode([PROGRAM], shell=options.shell))
    return 0


def answer(t: Translate) -> None:
    """Write what may stand where the cursor is, and end the program.

    Options are offered behind a dash only: elsewhere files are what is looked for.
    """
    argcomplete.autocomplete(build(t, whole=True), always_complete_options=False)
