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
    common_options,
    json_option,
    output_option,
    path_options,
    real,
    share,
    span,
    standard_input_option,
    whole,
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
    parser.add_argument(
        "--profile", choices=values.PROFILES, default="default", help=t("cli.profile")
    )
    parser.add_argument("--explain", action="store_true", help=t("cli.explain"))
    json_option(parser, t)
    _setting_options(parser, t)


def pairs(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong pairs`"""
    parser.add_argument("fingerprints", metavar="FINGERPRINTS.npy", help=t("cli.fingerprints"))
    parser.add_argument("-k", type=values.whole(t, 0), required=True, metavar="K", help=t("cli.k"))
    output_option(parser, t("cli.output"), metavar="PAIRS.npz")
    _engine_options(parser, t)


def dictionary_option(parser: argparse.ArgumentParser, t: Translate) -> None:
    """Take --dictionary where the other settings of a check are not taken."""
    choice_option(parser, t, "dictionary")


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


# --------------------------------------------------------------------------- evaluate
def evaluate(parser: argparse.ArgumentParser, t: Translate) -> None:
    """`leitong evaluate`"""
    kinds = parser.add_subparsers(required=True, dest="kind", metavar=t("cli.kind"))

    def kind(name: str) -> argparse.ArgumentParser:
        note = t(f"cli.evaluate_{name}")
        added: argparse.ArgumentParser = kinds.add_parser(name, help=note, description=note)
        common_options(added, t)
        json_option(added, t)
        return added

    kind("calibration").add_argument("root", metavar="ROOT", help=t("cli.corpus"))
    kind("labels").add_argument("file", metavar="FILE", help=t("cli.labels_file"))
    kind("seeds")
    _pan(kind("pan"), t)
    _batch(kind("batch"), t)
    _batches(kind("batches"), t)
    _classes(kind("classes"), t)
    _costs(kind("costs"), t)
    _variants(kind("variants"), t)
    _reposts(kind("reposts"), t)
    _translated(kind("translated"), t)
    _meaning(kind("meaning"), t)
    _families(kind("families"), t)


def _classes(classes: argparse.ArgumentParser, t: Translate) -> None:
    classes.add_argument("folders", metavar="FOLDER", nargs="+", help=t("cli.classes_folder"))
    classes.add_argument("--pieces", action="store_true", help=t("cli.classes_pieces"))
    _seed(classes, t)


def _pan(pan: argparse.ArgumentParser, t: Translate) -> None:
    pan.add_argument("root", metavar="ROOT", help=t("cli.corpus"))
    output_option(pan, t("cli.output_pan"), metavar="DIR")
    pan.add_argument("--frequencies", action="store_true", help=t("cli.frequencies"))
    _strength(pan, t)
    dictionary_option(pan, t)


def _batch(batch: argparse.ArgumentParser, t: Translate) -> None:
    batch.add_argument("root", metavar="ROOT", help=t("cli.corpus"))
    batch.add_argument("--against", action="store_true", help=t("cli.batch_against"))
    _strength(batch, t)
    dictionary_option(batch, t)


def _batches(batches: argparse.ArgumentParser, t: Translate) -> None:
    batches.add_argument("roots", metavar="ROOT", nargs="+", help=t("cli.corpus"))
    _count(batches, "--count", 20, t("cli.batches_count"), t)
    batches.add_argument(
        "--size", type=span(t), default=(120, 160), metavar="N-M", help=t("cli.batches_size")
    )
    _seed(batches, t)
    _strength(batches, t)
    dictionary_option(batches, t)


def _costs(costs: argparse.ArgumentParser, t: Translate) -> None:
    costs.add_argument("--n", type=whole(t), nargs="+", metavar="N", help=t("cli.sizes"))
    costs.add_argument("-k", type=whole(t), default=3, metavar="K", help=t("cli.k"))


def _variants(variants: argparse.ArgumentParser, t: Translate) -> None:
    variants.add_argument("root", metavar="ROOT", nargs="?", help=t("cli.variants_root"))
    _count(variants, "--count", 5, t("cli.variants_count"), t)
    _seed(variants, t)


def _reposts(reposts: argparse.ArgumentParser, t: Translate) -> None:
    reposts.add_argument("root", metavar="ROOT", nargs="?", help=t("cli.reposts_root"))
    _count(reposts, "--count", 20, t("cli.reposts_count"), t)
    _count(reposts, "--chains", None, t("cli.reposts_chains"), t)
    _count(reposts, "--size", 2000, t("cli.reposts_size"), t)
    _seed(reposts, t)


def _translated(translated: argparse.ArgumentParser, t: Translate) -> None:
    translated.add_argument("chinese", metavar="CHINESE", help=t("cli.translated_folder"))
    translated.add_argument("english", metavar="ENGLISH", help=t("cli.translated_folder"))
    for flag in ("--hosts", "--hosts-english"):
        translated.add_argument(flag, metavar="FOLDER", help=t("cli.translated_hosts"))
    translated.add_argument("--year", default="", help=t("cli.translated_year"))
    parts = ("all", "odd", "even")
    translated.add_argument("--part", choices=parts, default="all", help=t("cli.translated_part"))
    translated.add_argument("--keep-latin", action="store_true", help=t("cli.translated_latin"))
    _count(translated, "--count", 120, t("cli.translated_count"), t)
    _count(translated, "--pairs", 1000, t("cli.translated_pairs"), t)
    _count(translated, "--library", 0, t("cli.translated_library"), t, least=0)
    _seed(translated, t)


def _meaning(meaning: argparse.ArgumentParser, t: Translate) -> None:
    reworded, hosts = t("cli.meaning_reworded"), t("cli.meaning_hosts")
    meaning.add_argument("root", metavar="REWORDED", nargs="?", help=reworded)
    meaning.add_argument("--hosts", metavar="FOLDER", nargs="+", default=[], help=hosts)
    meaning.add_argument(
        *("--lengths",), type=whole(t, 0), nargs="+", default=[0, 100, 60], metavar="N",
        help=t("cli.meaning_lengths"),
    )  # fmt: skip
    _count(meaning, "--texts", 120, t("cli.meaning_texts"), t)
    meaning.add_argument("--topics", metavar="FOLDER", help=t("cli.meaning_topics"))
    corpora = t("cli.meaning_corpora")
    meaning.add_argument("--corpora", metavar="ROOT", nargs="+", default=[], help=corpora)
    _count(meaning, "--pairs", 20, t("cli.meaning_pairs"), t)
    _seed(meaning, t)


def _families(families: argparse.ArgumentParser, t: Translate) -> None:
    families.add_argument("root", metavar="ROOT", nargs="?", help=t("cli.families_root"))
    families.add_argument(
        "--scale", type=real(t, 0.001, 100), default=0.2, metavar="N", help=t("cli.scale")
    )
    _seed(families, t)
    families.add_argument(
        "--false-rate", type=share(t), default=1e-5, metavar="SHARE", help=t("cli.false_rate")
    )


def _count(
    parser: argparse.ArgumentParser,
    flag: str,
    default: int | None,
    note: str,
    t: Translate,
    *,
    least: int = 1,
) -> None:
    parser.add_argument(flag, type=whole(t, least), default=default, metavar="N", help=note)


def _seed(parser: argparse.ArgumentParser, t: Translate) -> None:
    parser.add_argument("--seed", type=whole(t, 0), default=1, metavar="N", help=t("cli.seed"))


def _strength(parser: argparse.ArgumentParser, t: Translate) -> None:
    note = t("settings.strength.label")
    parser.add_argument("--strength", type=real(t, 3, 10), metavar="N", help=note)
