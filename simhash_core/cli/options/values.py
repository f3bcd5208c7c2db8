"""What an option takes, as types of argparse: each says in one sentence what is wrong."""

from __future__ import annotations

import math
from argparse import ArgumentTypeError
from collections.abc import Callable
from typing import Any

from ...i18n import Translate

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
