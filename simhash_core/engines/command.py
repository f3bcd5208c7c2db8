"""`leitong pairs --engine spark`: tables, or an array of fingerprints, searched on a cluster."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from ..cli.commands import load_engine, say_stages, write_pair_file
from ..cli.output import remark
from ..errors import BadInput
from ..i18n import Translate
from ..signs import make_printable
from ..simhash.search.exchange import load_fingerprints


def pairs(options: argparse.Namespace, t: Translate) -> int:
    """Search pairs on a cluster: an array into a file of pairs, or tables into tables."""
    cluster = load_engine("spark")
    if not options.fingerprints.endswith(".npy"):
        if not options.output:
            raise BadInput("engine_output")
        made = cluster.pairs(
            options.fingerprints,
            options.output,
            k=options.k,
            master=options.master,
            step=say_stages(options),
        )
        counts = {name: frame.count() for name, frame in made.items()}
        remark(
            t("cli.pair_tables_written", folder=make_printable(options.output), **counts), options
        )
        return 0
    words = load_fingerprints(Path(options.fingerprints))
    with tempfile.TemporaryDirectory(prefix="leitong-") as folder:
        group, near = cluster.pairs_of_words(
            words,
            folder,
            k=options.k,
            spark=cluster.session(options.master),
            step=say_stages(options),
        )
    write_pair_file(options, group, near)
    remark(t("cli.pairs_found", n=len(near), rows=len(words), k=options.k), options)
    return 0
