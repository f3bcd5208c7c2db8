"""What the value of an option is: each reader says in one sentence what is wrong with it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ... import extensions
from ...i18n import negotiate
from ...settings import Settings

#: how metadata are compared, and terms of the content
SIMILARITIES = ("jaccard", "minhash", "literal")
TERMS = ("s2", "cos", "bits")
REPORT_FORMATS = ("html", "pdf", "csv", "json", "xlsx")
CHECK_FORMATS = ("table", *REPORT_FORMATS)
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
SHELLS = ("bash", "zsh", "fish")
STANDARD = "-"  # as the name of a file: standard input, or standard output behind -o

Reader = Callable[[str], Any]


class WrongValue(Exception):
    """A value that an option does not take: the key of the sentence, and what it names.

    `name` is the part of the option that the value is of, where it has parts.
    """

    def __init__(self, key: str, *, name: str = "", **params: object) -> None:
        super().__init__(key)
        self.key, self.name, self.params = key, name, params


class Named:
    """Reads NAME=VALUE, with a reader for each name; hyphens in names are underscores."""

    def __init__(self, readers: Mapping[str, Reader]) -> None:
        self._readers = readers

    def __call__(self, text: str) -> tuple[str, Any]:
        name, equals, value = text.partition("=")
        key = name.replace("-", "_")
        if not equals or key not in self._readers:
            listed = ", ".join(known.replace("_", "-") for known in self._readers)
            raise WrongValue("usage.named", value=text, names=listed)
        try:
            return key, self._readers[key](value)
        except WrongValue as wrong:
            raise WrongValue(wrong.key, name=name, **wrong.params) from wrong

    def find_replacement(self, option: str, value: str) -> str:
        """Return what is written for an option that bears one of the names, "" for any other."""
        name = option.removeprefix("--")
        on = name.removeprefix("no-")
        if self._readers.get(on.replace("-", "_")) is switch:
            return f"{on}={'on' if on == name else 'off'}"
        return f"{name}={value or 'VALUE'}" if name.replace("-", "_") in self._readers else ""


def number(low: float | None = None, high: float | None = None, *, whole: bool = False) -> Reader:
    """Return a reader of numbers from `low` to `high`; whole ones are written out or as 1e9."""

    def read(text: str) -> float:
        try:
            value = int(text) if whole and text.lstrip("+-").isdecimal() else float(text)
        except ValueError:
            value = math.nan
        if math.isnan(value) or (whole and (math.isinf(value) or value != int(value))):
            raise WrongValue("usage.whole" if whole else "usage.number", value=text)
        if low is not None and high is None and value < low:
            raise WrongValue("usage.least", value=text, low=f"{low:g}")
        if low is not None and high is not None and not low <= value <= high:
            raise WrongValue("usage.range", value=text, low=f"{low:g}", high=f"{high:g}")
        return int(value) if whole else value

    return read


def whole(low: int | None = None, high: int | None = None) -> Reader:
    """Return a reader of whole numbers."""
    return number(low, high, whole=True)


def share(text: str) -> float:
    """Read a share: 0.3, or 30%."""
    percent = text.endswith(("%", "％"))
    try:
        value = float(text[:-1]) / 100 if percent else float(text)
    except ValueError as error:
        raise WrongValue("usage.share", value=text) from error
    if not 0 <= value <= 1:  # not a number is refused too
        raise WrongValue("usage.share", value=text)
    return value


def numbers(text: str) -> tuple[int, ...]:
    """Read numbers of the preview: 3 or 3,7,12."""
    try:
        return tuple(map(int, text.split(",")))
    except ValueError as error:
        raise WrongValue("usage.numbers", value=text) from error


def some_of(choices: tuple[str, ...]) -> Callable[[str], tuple[str, ...]]:
    """Return a reader of some of the known names, separated by commas; `a_b` is `a-b`."""

    def read(text: str) -> tuple[str, ...]:
        given = [name.strip().replace("_", "-") for name in text.split(",") if name.strip()]
        for name in given:
            if name not in choices:
                raise refuse_choice(name, choices)
        return tuple(dict.fromkeys(given))

    return read


def one_of(choices: Iterable[Any], *, family: str = "") -> Reader:
    """Return a reader of one of the known values; other packages may add some to a family."""

    def read(text: str) -> Any:
        for choice in choices:
            if str(choice) == text:
                return choice
        added = extensions.names(family) if family else ()
        if text in added:
            return text
        raise refuse_choice(text, dict.fromkeys((*choices, *added)))

    return read


def switch(text: str) -> bool:
    """Read `on` or `off`."""
    if text not in ("on", "off"):
        raise refuse_choice(text, ("on", "off"))
    return text == "on"


def output(text: str) -> str | None:
    """Read the file behind -o; None for standard output."""
    return None if text == STANDARD else text


def language(text: str) -> str:
    """Read the language that is meant, `zh_Hant` for zh-TW; what none answers to as it is."""
    meant = negotiate(text)
    return meant if meant != "en" or text[:2].lower() == "en" else text


def refuse_choice(value: object, choices: Iterable[Any]) -> WrongValue:
    """Return that a value is none of the known ones: which may be meant, else which there are."""
    listed = [str(one) for one in choices]
    if meant := find_nearest(str(value), listed):
        return WrongValue("usage.no_choice_meant", value=value, meant=meant)
    return WrongValue("usage.no_choice", value=value, choices=", ".join(listed))


def find_nearest(word: str, words: list[str]) -> str:
    """Return the known word that a typing error made this one of, "" where none is near."""
    from difflib import get_close_matches  # only where something is wrong

    return next(iter(get_close_matches(word, words, n=1, cutoff=0.6)), "")


def _setting_reader(spec: dataclasses.Field[Any]) -> Reader:
    bounds = spec.metadata
    if spec.type == "bool":
        return switch
    if bounds["choices"]:
        return one_of(bounds["choices"], family=bounds["family"])
    if bounds["low"] is None:
        return str
    return number(bounds["low"], bounds["high"], whole=isinstance(bounds["low"], int))


#: every field of `Settings`; of those that hold words the value is the file they are read from
SETTINGS = Named({spec.name: _setting_reader(spec) for spec in dataclasses.fields(Settings)})
_SCORE: Mapping[str, Reader] = {
    "similarity": one_of(SIMILARITIES),
    "table": str,
    "names": str,
    "mu": share,
    "term": one_of(TERMS),
}
#: how a score of content and metadata is made
METADATA = Named(_SCORE)
