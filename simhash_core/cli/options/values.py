"""What an option takes, as types of argparse: each says in one sentence what is wrong."""

from __future__ import annotations

import argparse
import dataclasses
import math
from argparse import ArgumentTypeError
from collections.abc import Callable
from typing import Any

from ...i18n import LANGUAGES, Translate, negotiate
from ...settings import Settings

#: kinds of metadata similarity
METADATA = ("jaccard", "minhash", "minhash-literal")
TERMS = ("s2", "cos", "bits")
MU_CONTENT = 0.9
REPORT_FORMATS = ("html", "pdf", "csv", "json", "xlsx")
CHECK_FORMATS = ("table", *REPORT_FORMATS)
REPOST_FORMATS = ("table", "json", "csv", "xlsx")
REPORT_KINDS = ("class", "person", "pair", "cluster", "confirmed", "sources")
#: instead of a pattern of file names: they tell nothing
NOBODY = "none"
#: how file names tell who wrote what
PEOPLE = (
    *("auto", NOBODY, "moodle", "canvas", "blackboard", "brightspace", "teams", "classroom"),
    *("sakai", "class_number_name", "class_name_number", "number_name_class", "class_seat_name"),
    *("name_class", "name_in_brackets_number", "number_name", "name_number"),
    *("name_title", "title_name", "glued", "bare_name"),
    *("name_first", "group_folders", "folders"),
)
#: parts of texts that can be left out
ZONES = (
    *("quotations", "references", "citations", "headings", "cover", "contents"),
    *("acknowledgements", "running-lines"),
)
ENGINES = ("local", "spark")
MASTER = "local[*]"
SHELLS = ("bash", "zsh", "fish")


STANDARD = "-"  # as the name of a file: standard input, or standard output behind -o


def whole(t: Translate, low: int | None = None, high: int | None = None) -> Callable[[str], int]:
    """Return a type for whole numbers, written out or as 1e9, from `low` to `high`."""

    def read(text: str) -> int:
        try:
            number = int(text) if text.lstrip("+-").isdecimal() else float(text)
        except ValueError as error:
            raise ArgumentTypeError(t("usage.whole", value=text)) from error
        if not math.isfinite(number) or number != int(number):
            raise ArgumentTypeError(t("usage.whole", value=text))
        return int(_within(t, number, low, high, text))

    return read


def real(
    t: Translate, low: float | None = None, high: float | None = None
) -> Callable[[str], float]:
    """Return a type for numbers from `low` to `high`."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError as error:
            raise ArgumentTypeError(t("usage.number", value=text)) from error
        if math.isnan(number):
            raise ArgumentTypeError(t("usage.number", value=text))
        return _within(t, number, low, high, text)

    return read


def share(t: Translate) -> Callable[[str], float]:
    """Return a type for shares: 0.3, or 30%."""

    def read(text: str) -> float:
        percent = text.endswith(("%", "％"))
        try:
            number = float(text[:-1]) / 100 if percent else float(text)
        except ValueError as error:
            raise ArgumentTypeError(t("usage.share", value=text)) from error
        if not 0 <= number <= 1:  # not a number is refused too
            raise ArgumentTypeError(t("usage.share", value=text))
        return number

    return read


def span(t: Translate) -> Callable[[str], tuple[int, int]]:
    """Return a type for two counts, 120-160, the smaller first."""

    def read(text: str) -> tuple[int, int]:
        low, _, high = text.partition("-")
        try:
            bounds = int(low), int(high or low)
        except ValueError as error:
            raise ArgumentTypeError(t("usage.span", value=text)) from error
        if not 2 <= bounds[0] <= bounds[1]:
            raise ArgumentTypeError(t("usage.span", value=text))
        return bounds

    return read


def numbers(t: Translate) -> Callable[[str], tuple[int, ...]]:
    """Return a type for numbers of the preview: 3 or 3,7,12."""

    def read(text: str) -> tuple[int, ...]:
        try:
            return tuple(map(int, text.split(",")))
        except ValueError as error:
            raise ArgumentTypeError(t("usage.numbers", value=text)) from error

    return read


def names(t: Translate, choices: tuple[str, ...]) -> Callable[[str], tuple[str, ...]]:
    """Return a type for some of the known names, separated by commas; `a_b` is `a-b`."""

    def read(text: str) -> tuple[str, ...]:
        given = [name.strip().replace("_", "-") for name in text.split(",") if name.strip()]
        for name in given:
            if name not in choices:
                raise ArgumentTypeError(no_choice(t, name, choices))
        return tuple(dict.fromkeys(given))

    return read


def output(text: str) -> str | None:
    """Return the file behind -o; None for standard output."""
    return None if text == STANDARD else text


def no_choice(t: Translate, value: object, choices: Any) -> str:
    """Say that a value is none of the known ones: which may be meant, else which there are."""
    listed = [str(one) for one in choices]
    if meant := nearest(str(value), listed):
        return str(t("usage.no_choice_meant", value=value, meant=meant))
    return str(t("usage.no_choice", value=value, choices=", ".join(listed)))


def nearest(word: str, words: list[str]) -> str:
    """Return the known word that a typing error made this one of, "" where none is near."""
    from difflib import get_close_matches  # only where something is wrong

    return next(iter(get_close_matches(word, words, n=1, cutoff=0.6)), "")


def _within(t: Translate, number: float, low: float | None, high: float | None, text: str) -> float:
    if (low is None or number >= low) and (high is None or number <= high):
        return number
    if high is None:
        raise ArgumentTypeError(t("usage.least", value=text, low=f"{low:g}"))
    raise ArgumentTypeError(t("usage.range", value=text, low=f"{low:g}", high=f"{high:g}"))


STANDARD_INPUT_NAME = "stdin.txt"


def _language(given: str) -> str:
    """Return the language that is meant, `zh_Hant` for zh-TW; what none answers to as it is."""
    meant = negotiate(given)
    return meant if meant != "en" or given[:2].lower() == "en" else given


def common_options(parser: argparse.ArgumentParser, t: Translate, *, first: bool = False) -> None:
    """Take what every command takes; `first` where the command itself is still to come.

    An option is understood before the command and behind it: behind it, it says nothing where it
    is not given.
    """
    off = None if first else argparse.SUPPRESS
    parser.add_argument("-h", "--help", action="help", help=t("cli.help"))
    parser.add_argument(
        "--lang", type=_language, choices=LANGUAGES, default=off, help=t("cli.lang")
    )
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
    parser.add_argument("-o", "--output", metavar=metavar, type=output, help=note)


def choice_option(parser: argparse.ArgumentParser, t: Translate, name: str) -> None:
    """Take one setting with choices, where the others are not taken."""
    spec = next(spec for spec in dataclasses.fields(Settings) if spec.name == name)
    parser.add_argument(
        f"--{name}",
        choices=spec.metadata["choices"],
        default=spec.default,
        help=t(f"settings.{name}.label"),
    )
