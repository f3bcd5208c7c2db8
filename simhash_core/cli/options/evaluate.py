"""What `leitong evaluate` takes, kind by kind."""

from __future__ import annotations

from collections.abc import Mapping

from .table import Option
from .values import WrongValue, number, output, share, whole


def _span(text: str) -> tuple[int, int]:
    """Read two counts, 120-160, the smaller first."""
    low, _, high = text.partition("-")
    try:
        bounds = int(low), int(high or low)
    except ValueError as error:
        raise WrongValue("usage.span", value=text) from error
    if not 2 <= bounds[0] <= bounds[1]:
        raise WrongValue("usage.span", value=text)
    return bounds


def _count(name: str, key: str, default: int | None, *, least: int = 1) -> Option:
    return Option(name, key, "N", whole(least), default=default)


_SEED = _count("--seed", "cli.seed", 1, least=0)
_STRENGTH = Option("--strength", "settings.strength.label", "N", number(3, 10))
_DICTIONARY = Option(
    "--dictionary", "settings.dictionary.label", choices=("auto", "on", "off"), default="auto"
)
_CORPUS = Option("root", "cli.corpus", "ROOT")

#: kind -> what it takes beside what all take
EVALUATE: Mapping[str, tuple[Option, ...]] = {
    "calibration": (_CORPUS,),
    "labels": (Option("file", "cli.labels_file", "FILE"),),
    "seeds": (),
    "pan": (
        _CORPUS,
        Option("-o --output", "cli.output_pan", "DIR", output),
        Option("--frequencies", "cli.frequencies", flag=True),
        _STRENGTH,
        _DICTIONARY,
    ),
    "batch": (_CORPUS, Option("--against", "cli.batch_against", flag=True), _STRENGTH, _DICTIONARY),
    "batches": (
        Option("roots", "cli.corpus", "ROOT", nargs="+"),
        _count("--count", "cli.batches_count", 20),
        Option("--size", "cli.batches_size", "N-M", _span, default=(120, 160)),
        _SEED,
        _STRENGTH,
        _DICTIONARY,
    ),
    "classes": (
        Option("folders", "cli.classes_folder", "FOLDER", nargs="+"),
        Option("--pieces", "cli.classes_pieces", flag=True),
        _SEED,
    ),
    "costs": (
        Option("--n", "cli.sizes", "N", whole(), nargs="+"),
        Option("-k", "cli.k", "K", whole(), default=3),
    ),
    "variants": (
        Option("root", "cli.variants_root", "ROOT", nargs="?"),
        _count("--count", "cli.variants_count", 5),
        _SEED,
    ),
    "reposts": (
        Option("root", "cli.reposts_root", "ROOT", nargs="?"),
        _count("--count", "cli.reposts_count", 20),
        _count("--chains", "cli.reposts_chains", None),
        _count("--size", "cli.reposts_size", 2000),
        _SEED,
    ),
    "translated": (
        Option("chinese", "cli.translated_folder", "CHINESE"),
        Option("english", "cli.translated_folder", "ENGLISH"),
        Option("--hosts", "cli.translated_hosts", "FOLDER"),
        Option("--hosts-english", "cli.translated_hosts", "FOLDER"),
        Option("--year", "cli.translated_year", default=""),
        Option("--part", "cli.translated_part", choices=("all", "odd", "even"), default="all"),
        Option("--keep-latin", "cli.translated_latin", flag=True),
        _count("--count", "cli.translated_count", 120),
        _count("--pairs", "cli.translated_pairs", 1000),
        _count("--library", "cli.translated_library", 0, least=0),
        _SEED,
    ),
    "meaning": (
        Option("root", "cli.meaning_reworded", "REWORDED", nargs="?"),
        Option("--hosts", "cli.meaning_hosts", "FOLDER", nargs="+", default=()),
        Option("--lengths", "cli.meaning_lengths", "N", whole(0), nargs="+", default=(0, 100, 60)),
        _count("--texts", "cli.meaning_texts", 120),
        Option("--topics", "cli.meaning_topics", "FOLDER"),
        Option("--corpora", "cli.meaning_corpora", "ROOT", nargs="+", default=()),
        _count("--pairs", "cli.meaning_pairs", 20),
        _SEED,
    ),
    "families": (
        Option("root", "cli.families_root", "ROOT", nargs="?"),
        Option("--scale", "cli.scale", "N", number(0.001, 100), default=0.2),
        _SEED,
        Option("--false-rate", "cli.false_rate", "SHARE", share, default=1e-5),
    ),
}
