"""The command line: `leitong` = `python -m simhash_core`.

Exit codes: 0 done, 1 findings (only with --fail-on), 2 usage, 3 done but some files were
skipped, 4 failed, 70 an unexpected error, 129, 130 and 131 ended by a signal. Data goes to
standard output, progress and errors to standard error.
"""

from __future__ import annotations

import argparse
import dataclasses
import locale
import math
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from ..errors import Cancelled, InvalidSettings, LeitongError, Unreadable, WorkerFailed
from ..evaluation.profiles import PROFILES
from ..i18n import LANGUAGES, Translate, negotiate, translator
from ..metadata.score import MU_CONTENT, TERMS
from ..settings import PRESETS, Settings
from ..version import __version__
from . import INTERRUPTED, UNEXPECTED, commands
from .against import against_options
from .commands import METADATA
from .engines import CheckEngines, engine_options
from .library import library, library_options
from .output import STANDARD_OUTPUT, finish_output
from .projects import project_options, projects, projects_options
from .reports import CHECK_FORMATS, report, report_options
from .scope import scope_options
from .terminal import printable, shown_name

DONE, USAGE, FAILED = 0, 2, 4
Command = Callable[[argparse.Namespace, Translate], int]

#: fields that are not plain flags: read from files, or set by --preset
_SPECIAL = ("preset", "user_words", "levels")


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; Ctrl-C is the caller's to handle."""
    _plain_pipes()
    t = translator(_language(arguments))
    try:
        try:
            options = _parser(t).parse_args(arguments)
            options.language = _language(arguments)
            command: Command = options.run
            return command(options, t)
        finally:
            sys.stdout.flush()
    except InvalidSettings as error:
        return _fail(t("error.invalid_settings", problems=str(error)), USAGE)
    except Cancelled:
        return _fail(t("error.cancelled"), INTERRUPTED)
    except Unreadable as error:
        reason = t(f"notes.{error.code}", **error.params)
        return _fail(t("error.unreadable", name=shown_name(error.file), reason=reason), FAILED)
    except WorkerFailed as error:
        return _fail(t(f"error.{error.code}", **error.params), UNEXPECTED)
    except LeitongError as error:
        return _fail(printable(t(f"error.{error.code}", **error.params)), FAILED)
    except BrokenPipeError:
        finish_output()
        return DONE
    except OSError as error:
        name = printable(str(error.filename or ""))
        if error.filename == STANDARD_OUTPUT:
            finish_output()
            name = t("cli.standard_output")
        return _fail(t("error.file", name=name, reason=error.strerror or ""), FAILED)


def say(arguments: Sequence[str] | None, key: str, **params: object) -> None:
    """Print a sentence about a command that did not come to its end."""
    finish_output()
    _fail(translator(_language(arguments))(key, **params), FAILED)


def _parser(t: Translate) -> argparse.ArgumentParser:
    """Build the whole command line; its help is in the user's language."""
    parser = argparse.ArgumentParser(
        "leitong", description=t("cli.description"), epilog=t("cli.exit_codes")
    )
    parser.add_argument("--version", action="version", version=f"leitong {__version__}")
    parser.add_argument("--lang", choices=LANGUAGES, help=t("cli.lang"))
    commands_ = parser.add_subparsers(required=True, metavar=t("cli.command"))

    def command(name: str, run: Command) -> argparse.ArgumentParser:
        added = commands_.add_parser(name, help=t(f"cli.{name}"), description=t(f"cli.{name}"))
        added.add_argument(
            "--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help=t("cli.lang")
        )
        added.set_defaults(run=run)
        return added

    _check_options(command("check", commands.check), t)
    _compare_options(command("compare", commands.compare), t)
    text = command("text", commands.text)
    text.add_argument("file")
    text.add_argument("--encoding", default="", help=t("settings.encoding.label"))
    _fingerprint_options(command("fingerprint", commands.fingerprint), t)
    _pairs_options(command("pairs", commands.pairs), t)
    _evaluate_options(command("evaluate", commands.evaluate), t)
    for name, run in (("app", commands.app), ("desktop", commands.desktop)):
        shown = command(name, run)
        shown.add_argument("file", nargs="?", metavar="FILE", help=t("cli.app_file"))
        shown.add_argument("--port", type=int, help=t("cli.port"))
    projects_options(command("projects", projects), t)
    report_options(command("report", report), t)
    library_options(command("library", library), t)
    return parser


def _language_option(parser: argparse.ArgumentParser, t: Translate) -> None:
    """Take --lang behind a command as well as before it."""
    parser.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help=t("cli.lang"))


def _check_options(parser: argparse.ArgumentParser, t: Translate) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help=t("cli.paths"))
    against_options(parser, t)
    parser.add_argument(
        "--template", action="append", default=[], metavar="FILE", help=t("cli.template")
    )
    parser.add_argument("--memory", metavar="SIZE", help=t("cli.memory"))
    formats = ("table", *CHECK_FORMATS)
    parser.add_argument("--format", choices=formats, help=t("cli.format"))
    parser.add_argument("-o", "--output", metavar="FILE", help=t("cli.output_check"))
    parser.add_argument("--title", default="", help=t("cli.title"))
    parser.add_argument("--anonymous", action="store_true", help=t("cli.anonymous"))
    parser.add_argument(
        "--fail-on", type=float, metavar="SHARE", help=t("cli.fail_on"), default=None
    )
    project_options(parser, t)
    engine_options(parser, t, engines=CheckEngines())
    scope_options(parser, t)
    _metadata_options(parser, t)
    _setting_options(parser, t)


def _compare_options(parser: argparse.ArgumentParser, t: Translate) -> None:
    parser.add_argument("a", metavar="A")
    parser.add_argument("b", metavar="B")
    parser.add_argument("--json", action="store_true", help=t("cli.json"))
    _metadata_options(parser, t)
    _setting_options(parser, t)


def _metadata_options(parser: argparse.ArgumentParser, t: Translate) -> None:
    """Take what a combined score of content and metadata needs; without any there is none."""
    group = parser.add_argument_group(t("cli.metadata_group"))
    group.add_argument("--metadata", choices=tuple(METADATA), help=t("cli.metadata"))
    group.add_argument("--metadata-csv", metavar="FILE", help=t("cli.metadata_csv"))
    group.add_argument("--name-pattern", metavar="REGEX", help=t("cli.name_pattern"))
    group.add_argument("--mu", type=float, default=MU_CONTENT, help=t("cli.mu"))
    group.add_argument("--term", choices=tuple(TERMS), default="s2", help=t("cli.term"))


def _fingerprint_options(parser: argparse.ArgumentParser, t: Translate) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help=t("cli.paths"))
    profiles = ("default", *PROFILES)
    parser.add_argument("--profile", choices=profiles, default="default", help=t("cli.profile"))
    parser.add_argument("--explain", action="store_true", help=t("cli.explain"))
    parser.add_argument("--json", action="store_true", help=t("cli.json"))
    _setting_options(parser, t)


def _pairs_options(parser: argparse.ArgumentParser, t: Translate) -> None:
    parser.add_argument("fingerprints", metavar="FINGERPRINTS.npy", help=t("cli.fingerprints"))
    parser.add_argument("-k", type=int, required=True, help=t("cli.k"))
    parser.add_argument("-o", "--output", metavar="PAIRS.npz", help=t("cli.output"))
    engine_options(parser, t)


def _evaluate_options(parser: argparse.ArgumentParser, t: Translate) -> None:
    kinds = parser.add_subparsers(required=True, dest="kind", metavar=t("cli.kind"))

    def kind(name: str) -> argparse.ArgumentParser:
        added = kinds.add_parser(name, help=t(f"cli.evaluate_{name}"))
        added.add_argument("--json", action="store_true", help=t("cli.json"))
        _language_option(added, t)
        return added

    kind("calibration").add_argument("root", metavar="ROOT", help=t("cli.corpus"))
    kind("labels").add_argument("file", metavar="FILE", help=t("cli.labels_file"))
    pan = kind("pan")
    pan.add_argument("root", metavar="ROOT", help=t("cli.corpus"))
    pan.add_argument("-o", "--output", metavar="DIR", help=t("cli.output_pan"))
    pan.add_argument("--frequencies", action="store_true", help=t("cli.frequencies"))
    pan.add_argument("--strength", type=float, help=t("settings.strength.label"))
    _dictionary_option(pan, t)
    batch = kind("batch")
    batch.add_argument("root", metavar="ROOT", help=t("cli.corpus"))
    batch.add_argument("--against", action="store_true", help=t("cli.batch_against"))
    batch.add_argument("--strength", type=float, help=t("settings.strength.label"))
    _dictionary_option(batch, t)
    batches = kind("batches")
    batches.add_argument("roots", metavar="ROOT", nargs="+", help=t("cli.corpus"))
    batches.add_argument("--count", type=_whole, default=20, help=t("cli.batches_count"))
    batches.add_argument(
        "--size", type=_range, default=(120, 160), metavar="N-M", help=t("cli.batches_size")
    )
    batches.add_argument("--seed", type=int, default=1, help=t("cli.seed"))
    batches.add_argument("--strength", type=float, help=t("settings.strength.label"))
    _dictionary_option(batches, t)
    costs = kind("costs")
    costs.add_argument("--n", type=_whole, nargs="+", metavar="N", help=t("cli.sizes"))
    costs.add_argument("-k", type=int, default=3, help=t("cli.k"))
    kind("seeds")
    variants = kind("variants")
    variants.add_argument("root", metavar="ROOT", nargs="?", help=t("cli.variants_root"))
    variants.add_argument("--count", type=_whole, default=5, help=t("cli.variants_count"))
    variants.add_argument("--seed", type=int, default=1, help=t("cli.seed"))
    reposts = kind("reposts")
    reposts.add_argument("root", metavar="ROOT", nargs="?", help=t("cli.reposts_root"))
    reposts.add_argument("--count", type=_whole, default=20, help=t("cli.reposts_count"))
    reposts.add_argument("--chains", type=_whole, metavar="N", help=t("cli.reposts_chains"))
    reposts.add_argument("--size", type=_whole, default=2000, help=t("cli.reposts_size"))
    reposts.add_argument("--seed", type=int, default=1, help=t("cli.seed"))
    translated = kind("translated")
    translated.add_argument("chinese", metavar="CHINESE", help=t("cli.translated_folder"))
    translated.add_argument("english", metavar="ENGLISH", help=t("cli.translated_folder"))
    translated.add_argument("--hosts", metavar="FOLDER", help=t("cli.translated_hosts"))
    translated.add_argument("--hosts-english", metavar="FOLDER", help=t("cli.translated_hosts"))
    translated.add_argument("--year", default="", help=t("cli.translated_year"))
    parts = ("all", "odd", "even")
    translated.add_argument("--part", choices=parts, default="all", help=t("cli.translated_part"))
    translated.add_argument("--keep-latin", action="store_true", help=t("cli.translated_latin"))
    translated.add_argument("--count", type=_whole, default=120, help=t("cli.translated_count"))
    translated.add_argument("--pairs", type=_whole, default=1000, help=t("cli.translated_pairs"))
    translated.add_argument("--library", type=_whole, default=0, help=t("cli.translated_library"))
    translated.add_argument("--seed", type=int, default=1, help=t("cli.seed"))
    families = kind("families")
    families.add_argument("root", metavar="ROOT", nargs="?", help=t("cli.families_root"))
    families.add_argument("--scale", type=float, default=0.2, help=t("cli.scale"))
    families.add_argument("--seed", type=int, default=1, help=t("cli.seed"))
    families.add_argument("--false-rate", type=float, default=1e-5, help=t("cli.false_rate"))


def _dictionary_option(parser: argparse.ArgumentParser, t: Translate) -> None:
    """Take --dictionary where the other settings of a check are not taken."""
    choices = next(spec for spec in dataclasses.fields(Settings) if spec.name == "dictionary")
    parser.add_argument(
        "--dictionary",
        choices=choices.metadata["choices"],
        default="auto",
        help=t("settings.dictionary.label"),
    )


def _setting_options(parser: argparse.ArgumentParser, t: Translate) -> None:
    """Turn every setting of `Settings` into a flag with its bounds in the help."""
    group = parser.add_argument_group(t("cli.settings"))
    group.add_argument("--preset", choices=tuple(PRESETS), default="essays")
    group.add_argument("--user-dictionary", metavar="FILE", help=t("settings.user_words.label"))
    group.add_argument("--levels", metavar="FILE", help=t("settings.levels.label"))
    for spec in dataclasses.fields(Settings):
        if spec.name not in _SPECIAL:
            _add_flag(group, spec, t)


def _add_flag(group: Any, spec: dataclasses.Field[Any], t: Translate) -> None:
    flag, bounds = "--" + spec.name.replace("_", "-"), spec.metadata
    note = t(f"settings.{spec.name}.label").replace("%", "%%")
    if bounds["low"] is not None:
        note += f" [{bounds['low']}–{bounds['high']} {bounds['unit']}]".replace(" ]", "]")
    if spec.type == "bool":
        action = argparse.BooleanOptionalAction
        group.add_argument(flag, action=action, default=None, help=note)
        return
    if spec.type == "str":
        names = ": " + ", ".join(bounds["choices"]) if bounds["choices"] else ""
        group.add_argument(flag, default=None, help=note + names, metavar="NAME")
        return
    kind = float if isinstance(bounds["low"], float) else int
    group.add_argument(flag, type=kind, default=None, help=note, metavar="N")


def _whole(text: str) -> int:
    """Read a count, written out or as 1e9."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return int(text) if text.isdecimal() else int(number)


def _range(text: str) -> tuple[int, int]:
    """Read two counts, 120-160, the smaller first."""
    low, _, high = text.partition("-")
    bounds = int(low), int(high or low)
    if not 2 <= bounds[0] <= bounds[1]:
        raise ValueError(text)
    return bounds


def _language(arguments: Sequence[str] | None) -> str:
    """Find the language before the parser that needs it is built."""
    finder = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    finder.add_argument("--lang")
    given = finder.parse_known_args(arguments)[0].lang
    system = os.environ.get("LC_ALL") or os.environ.get("LANG") or locale.getlocale()[0]
    return negotiate(given or system)


def _plain_pipes() -> None:
    """Write UTF-8 whatever the console's code page; names may hold what UTF-8 cannot."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _fail(message: str, code: int) -> int:
    print(f"leitong: {message}", file=sys.stderr)
    return code
