"""`leitong check|pairs --engine`: tables in, tables out, here or on a cluster."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from ..errors import BadInput
from ..extensions import extension
from ..i18n import Translate
from ..model import I64, Pairs, Progress
from ..settings import Settings
from .console import printable
from .options.names import ENGINES
from .output import remark, replace_file

#: options of a check that an engine does not have
NOT_HERE = (
    *(
        "files_from",
        "against",
        "only_against",
        "template",
        "project",
        "add",
        "format",
        "title",
        "anonymous",
    ),
    *("fail_on", "people", "class_list", "exclude", "metadata", "metadata_csv", "name_pattern"),
)


def check(options: argparse.Namespace, settings: Settings, t: Translate) -> int:
    """Check one table of texts; write the result as tables of Parquet."""
    if len(options.paths) != 1 or not options.output:
        raise BadInput("engine_output")
    unused = [name for name in NOT_HERE if getattr(options, name)]
    if unused:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in unused)
        raise BadInput("engine_options", names=names)
    source, folder = options.paths[0], options.output
    if options.engine == "spark":
        tables = _spark().check(
            source, folder, settings=settings, master=options.master, step=_say(options)
        )
    else:
        tables = _engine(options.engine).check(source, folder, settings=settings)
    counts = {name: tables[name].num_rows for name in ("documents", "pairs", "passages")}
    remark(t("cli.tables_written", folder=printable(folder), **counts), options)
    return 0


def pairs(options: argparse.Namespace, t: Translate) -> int:
    """Search pairs on a cluster: an array into a file of pairs, or tables into tables."""
    cluster = _spark()
    if not options.fingerprints.endswith(".npy"):
        if not options.output:
            raise BadInput("engine_output")
        made = cluster.pairs(
            options.fingerprints,
            options.output,
            k=options.k,
            master=options.master,
            step=_say(options),
        )
        counts = {name: frame.count() for name, frame in made.items()}
        remark(t("cli.pair_tables_written", folder=printable(options.output), **counts), options)
        return 0
    from ..simhash.search.exchange import load_fingerprints

    words = load_fingerprints(Path(options.fingerprints))
    with tempfile.TemporaryDirectory(prefix="leitong-") as folder:
        group, near = cluster.pairs_of_words(
            words, folder, k=options.k, spark=cluster.session(options.master), step=_say(options)
        )
    _write(options, group, near)
    remark(t("cli.pairs_found", n=len(near), rows=len(words), k=options.k), options)
    return 0


def _write(options: argparse.Namespace, group: I64, near: Pairs) -> None:
    from ..simhash.search.exchange import write_pairs

    if options.output:
        replace_file(Path(options.output), lambda path: write_pairs(path, group, near))


def _say(options: argparse.Namespace) -> Progress:
    """Return what names each stage on a terminal as it begins."""

    def step(stage: str, done: int, total: int) -> None:
        if sys.stderr.isatty() and not done:
            remark(f"  {stage}", options)

    return step


def _spark() -> Any:
    return _engine("spark")


def _engine(name: str) -> Any:
    """Return an engine, which only its extra installs, or another package."""
    if name not in ENGINES:
        return extension("engines", name)
    try:
        if name == "spark":
            from ..engines import spark

            return spark
        from ..engines import local

        return local
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("pyspark", "pyarrow"):
            raise
        raise BadInput("engine_missing", name=name) from error
