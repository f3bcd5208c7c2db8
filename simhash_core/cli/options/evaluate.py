"""What `leitong evaluate` takes, kind by kind."""

from __future__ import annotations

import argparse

from ...i18n import Translate
from .values import (
    choice_option,
    common_options,
    json_option,
    output_option,
    real,
    share,
    span,
    whole,
)


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
    choice_option(pan, t, "dictionary")


def _batch(batch: argparse.ArgumentParser, t: Translate) -> None:
    batch.add_argument("root", metavar="ROOT", help=t("cli.corpus"))
    batch.add_argument("--against", action="store_true", help=t("cli.batch_against"))
    _strength(batch, t)
    choice_option(batch, t, "dictionary")


def _batches(batches: argparse.ArgumentParser, t: Translate) -> None:
    batches.add_argument("roots", metavar="ROOT", nargs="+", help=t("cli.corpus"))
    _count(batches, "--count", 20, t("cli.batches_count"), t)
    batches.add_argument(
        "--size", type=span(t), default=(120, 160), metavar="N-M", help=t("cli.batches_size")
    )
    _seed(batches, t)
    _strength(batches, t)
    choice_option(batches, t, "dictionary")


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
