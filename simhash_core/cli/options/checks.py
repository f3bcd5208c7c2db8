"""What `check`, `compare`, `text`, `formats`, `fingerprint` and `pairs` take."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

from ... import extensions
from ...i18n import Translate
from ...settings import PRESETS, Settings
from . import values
from .values import (
    choice_option,
    json_option,
    output_option,
    path_options,
    standard_input_option,
)

#: fields that are not plain flags: read from files, or set by --preset
_SPECIAL = ("preset", "user_words", "levels")


def check(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong check`"""
    path_options(parser, t)
    _against_option(parser, t("cli.against"))
    parser.add_argument("--only-against", action="store_true", help=t("cli.only_against"))
    parser.add_argument(
        "--template", action="append", default=[], metavar="FILE", help=t("cli.template")
    )
    parser.add_argument("--memory", metavar="SIZE", help=t("cli.memory"))
    parser.add_argument("--format", choices=values.CHECK_FORMATS, help=t("cli.format"))
    output_option(parser, t("cli.output_check"))
    parser.add_argument("--title", default="", help=t("cli.title"))
    parser.add_argument("--anonymous", action="store_true", help=t("cli.anonymous"))
    parser.add_argument("--fail-on", type=values.share(t), metavar="SHARE", help=t("cli.fail_on"))
    parser.add_argument("--project", metavar="FILE", help=t("cli.project"))
    parser.add_argument("--add", action="store_true", help=t("cli.add"))
    _engine_options(parser, t, engines=_Family("engines", values.ENGINES))
    _scope_options(parser, t)
    _metadata_options(parser, t)
    _setting_options(parser, t)


def reposts(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong reposts`"""
    path_options(parser, t)
    _against_option(parser, t("cli.reposts_against"))
    parser.add_argument("--metadata", metavar="FILE", help=t("cli.reposts_metadata"))
    parser.add_argument("--format", choices=values.REPOST_FORMATS, help=t("cli.reposts_format"))
    json_option(parser, t)
    output_option(parser, t("cli.output_check"))
    parser.add_argument("--fail-on-found", action="store_true", help=t("cli.fail_on_found"))
    parser.add_argument("--watch", action="store_true", help=t("cli.reposts_watch"))
    parser.set_defaults(only_against=False)


def _against_option(parser: argparse.ArgumentParser, words: str) -> None:
    parser.add_argument(
        "--against", action="append", default=[], metavar="PATH|LIBRARY[:COLLECTION]", help=words
    )


def compare(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong compare`"""
    parser.add_argument("a", metavar="A", help=t("cli.text_file"))
    parser.add_argument("b", metavar="B", help=t("cli.text_file"))
    standard_input_option(parser, t)
    json_option(parser, t)
    _metadata_options(parser, t)
    _setting_options(parser, t)


def text(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong text`"""
    parser.add_argument("file", metavar="FILE", help=t("cli.text_file"))
    standard_input_option(parser, t)
    parser.add_argument("--encoding", default="", metavar="NAME", help=t("settings.encoding.label"))
    choice_option(parser, t, "ocr")


def formats(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong formats`"""
    json_option(parser, t)


def fingerprint(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong fingerprint`"""
    path_options(parser, t)
    profiles = ("default", *extensions.offered("profiles"))
    parser.add_argument("--profile", choices=profiles, default="default", help=t("cli.profile"))
    parser.add_argument("--explain", action="store_true", help=t("cli.explain"))
    json_option(parser, t)
    _setting_options(parser, t)


def pairs(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong pairs`"""
    parser.add_argument("fingerprints", metavar="FINGERPRINTS.npy", help=t("cli.fingerprints"))
    parser.add_argument("-k", type=values.whole(t, 0), required=True, metavar="K", help=t("cli.k"))
    output_option(parser, t("cli.output"), metavar="PAIRS.npz")
    _engine_options(parser, t)


class _Family:
    """The names of a family: ours, and those of other packages, looked for when one is named."""

    def __init__(self, family: str, ours: Iterable[str]) -> None:
        self._family, self._ours = family, tuple(ours)

    def __contains__(self, name: object) -> bool:
        return name in self._ours or name in extensions.names(self._family)

    def __iter__(self) -> Iterator[str]:
        return iter((*self._ours, *extensions.names(self._family)))


def _engine_options(
    parser: argparse.ArgumentParser, t: Translate, *, engines: Iterable[str] = values.ENGINES
) -> None:
    """Take where the work is done."""
    group = parser.add_argument_group(t("cli.engine_group"))
    group.add_argument("--engine", choices=engines, metavar="NAME", help=t("cli.engine"))
    group.add_argument("--master", metavar="URL", default=values.MASTER, help=t("cli.master"))


def _scope_options(parser: argparse.ArgumentParser, t: Translate) -> None:
    """Take who wrote what, and what does not count."""
    group = parser.add_argument_group(t("cli.scope_group"))
    people = t("cli.people", names=", ".join(values.PEOPLE))
    group.add_argument("--people", metavar="PATTERN", help=people)
    group.add_argument("--class-list", metavar="FILE", help=t("cli.class_list"))
    group.add_argument(
        "--exclude",
        metavar="LIST",
        type=values.names(t, values.ZONES),
        default=(),
        help=t("cli.exclude", kinds=", ".join(values.ZONES)),
    )
    group.add_argument(
        "--min-match",
        type=values.whole(t, 0, 500),
        metavar="N",
        default=0,
        help=t("cli.min_match"),
    )


def _metadata_options(parser: argparse.ArgumentParser, t: Translate) -> None:
    """Take what a combined score of content and metadata needs; without any there is none."""
    group = parser.add_argument_group(t("cli.metadata_group"))
    group.add_argument("--metadata", choices=values.METADATA, help=t("cli.metadata"))
    group.add_argument("--metadata-csv", metavar="FILE", help=t("cli.metadata_csv"))
    group.add_argument("--name-pattern", metavar="REGEX", help=t("cli.name_pattern"))
    group.add_argument(
        "--mu", type=values.share(t), default=values.MU_CONTENT, metavar="SHARE", help=t("cli.mu")
    )
    group.add_argument("--term", choices=values.TERMS, default="s2", help=t("cli.term"))


def _setting_options(parser: argparse.ArgumentParser, t: Translate) -> None:
    """Turn every setting of `Settings` into a flag with its bounds in the help."""
    group = parser.add_argument_group(t("cli.settings"))
    group.add_argument("--preset", choices=tuple(PRESETS), help=t("cli.preset"))
    group.add_argument("--user-dictionary", metavar="FILE", help=t("settings.user_words.label"))
    group.add_argument("--levels", metavar="FILE", help=t("settings.levels.label"))
    for spec in dataclasses.fields(Settings):
        if spec.name not in _SPECIAL:
            _add_flag(group, spec, t)


def _add_flag(group: Any, spec: dataclasses.Field[Any], t: Translate) -> None:
    flag, bounds = "--" + spec.name.replace("_", "-"), spec.metadata
    low, high, choices = bounds["low"], bounds["high"], bounds["choices"]
    note = t(f"settings.{spec.name}.label").replace("%", "%%")
    if spec.type == "bool":
        group.add_argument(flag, action=argparse.BooleanOptionalAction, default=None, help=note)
    elif choices:
        note += ": " + ", ".join(map(str, choices))
        kind: Any = str if spec.type == "str" else values.whole(t)
        choices = _Family("weightings", choices) if spec.name == "weighting" else choices
        group.add_argument(flag, type=kind, choices=choices, metavar="NAME", help=note)
    elif low is None:
        group.add_argument(flag, metavar="NAME", help=note)
    else:
        note += f" [{low}–{high} {bounds['unit']}]".replace(" ]", "]")
        kind = (values.real if isinstance(low, float) else values.whole)(t, low, high)
        group.add_argument(flag, type=kind, metavar="N", help=note)
