"""How many unrelated texts of a language come within the threshold: expected beside observed.

    python -m benchmarks languages FOLDER [FOLDER ...]

Each folder, or each folder inside it, holds texts of one language that have nothing to do with each
other. Expected are the pairs within the threshold of its fingerprints, 0 where a
language has none. Sentences of the same meaning are not looked for.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from simhash_core import Settings, check, gather, read


def main(arguments: Sequence[str] | None = None) -> None:
    """Check each language by itself; print a line for it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args(arguments)
    print(f"{'language':<16}{'told as':<16}{'pairs':>7}{'expected':>10}{'within':>8}{'listed':>8}")
    for folder in sorted(inner for outer in options.folders for inner in languages_in(outer)):
        print(row(folder, Settings(meaning="off")), flush=True)


def languages_in(folder: Path) -> list[Path]:
    """Return the folders of languages inside a folder, or the folder itself."""
    return [inner for inner in folder.iterdir() if inner.is_dir()] or [folder]


def row(folder: Path, settings: Settings) -> str:
    """Check the texts of one language; return the line of the table."""
    sources, _ = gather([folder])
    documents, _ = read(sources, settings=settings)
    result = check(documents, settings=settings)
    told = Counter(document.language for document in documents)
    languages = " ".join(f"{language} {n}" for language, n in told.most_common())
    limits, table, expected, within = result.limits, result.table, 0.0, 0
    if int(result.fingerprints.valid.sum()) > 1:
        expected = limits.expected(limits.threshold)
        within = int(table.within(limits.threshold, limits.batch_threshold).sum())
    listed = int(table.listed(limits.threshold, limits.batch_threshold).sum())
    pairs = len(documents) * (len(documents) - 1) // 2
    return f"{folder.name:<16}{languages:<16}{pairs:>7}{expected:>10.2f}{within:>8}{listed:>8}"


if __name__ == "__main__":
    main()
