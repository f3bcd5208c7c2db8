"""What several commands take."""

from __future__ import annotations

import argparse
import dataclasses

from ...i18n import LANGUAGES, Translate
from ...settings import Settings
from . import values

STANDARD_INPUT_NAME = "stdin.txt"


def common_options(parser: argparse.ArgumentParser, t: Translate, *, first: bool = False) -> None:
    """Take what every command takes; `first` where the command itself is still to come.

    An option is understood before the command and behind it: behind it, it says nothing where it
    is not given.
    """
    off = None if first else argparse.SUPPRESS
    parser.add_argument("-h", "--help", action="help", help=t("cli.help"))
    parser.add_argument("--lang", choices=LANGUAGES, default=off, help=t("cli.lang"))
    parser.add_argument(
        *("-q", "--quiet"),
        action="store_true",
        default=False if first else argparse.SUPPRESS,
        help=t("cli.quiet"),
    )


def path_options(parser: argparse.ArgumentParser, t: Translate, *, note: str = "") -> None:
    """Take what is to be read: paths, a list of them, or standard input."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help=note or t("cli.paths"))
    parser.add_argument("--files-from", metavar="FILE", help=t("cli.files_from"))
    parser.add_argument("-0", "--null", action="store_true", help=t("cli.null"))
    standard_input_option(parser, t)


def standard_input_option(parser: argparse.ArgumentParser, t: Translate) -> None:
    """Take what the text on standard input is called."""
    parser.add_argument(
        "--stdin-name",
        metavar="NAME",
        default=STANDARD_INPUT_NAME,
        help=t("cli.stdin_name", name=STANDARD_INPUT_NAME),
    )


def json_option(parser: argparse.ArgumentParser, t: Translate) -> None:
    """Take whether the answer is JSON."""
    parser.add_argument("--json", action="store_true", help=t("cli.json"))


def output_option(parser: argparse.ArgumentParser, note: str, *, metavar: str = "FILE") -> None:
    """Take which file the answer is written to."""
    parser.add_argument("-o", "--output", metavar=metavar, type=values.output, help=note)


def choice_option(parser: argparse.ArgumentParser, t: Translate, name: str) -> None:
    """Take one setting with choices, where the others are not taken."""
    spec = next(spec for spec in dataclasses.fields(Settings) if spec.name == name)
    parser.add_argument(
        f"--{name}",
        choices=spec.metadata["choices"],
        default=spec.default,
        help=t(f"settings.{name}.label"),
    )
