"""Make the background tables from jieba's and symspellpy's word lists.

    python -m simhash_core.weighting.background.build [FOLDER]

Needs jieba and symspellpy (requirements-dev.txt). The same inputs give the same bytes; their
sha-256 are written into the tables.
"""

from __future__ import annotations

import hashlib
import sys
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from . import IDF_CAP, idf_of

CHINESE = ("jieba", "dict.txt")
ENGLISH = ("symspellpy", "frequency_dictionary_en_82_765.txt")


def main() -> None:
    """Write zh.tsv and en.tsv beside this file, or into the folder given."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    build(*CHINESE, folder / "zh.tsv", chinese=True)
    build(*ENGLISH, folder / "en.tsv", chinese=False)


def build(package: str, name: str, target: Path, *, chinese: bool) -> None:
    """Write one table: a head of `# key<TAB>value` lines, then `word<TAB>count` lines.

    Only words whose IDF is below the cap are listed: the others weigh the same as unknown ones.
    The total counts every entry of the source. Counts, not IDF values, are stored, because they
    are exact.
    """
    data = files(package).joinpath(name).read_bytes()
    counts = read_counts(data.decode("utf-8-sig"))
    total = sum(counts.values())
    listed = {
        word: count
        for word, count in counts.items()
        if word.isascii() != chinese and idf_of(count, total) < IDF_CAP
    }
    head = {
        "source": f"{package} {version(package)} {name}",
        "sha256": hashlib.sha256(data).hexdigest(),
        "total": total,
        "words": len(listed),
        "licence": "see NOTICE.txt",
    }
    lines = [f"# {key}\t{value}" for key, value in head.items()]
    lines += [f"{word}\t{count}" for word, count in sorted(listed.items())]
    target.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def read_counts(text: str) -> dict[str, int]:
    """Return lower-case word -> count of lines `word count ...`; counts of one word add."""
    counts: dict[str, int] = {}
    for line in text.splitlines():
        word, count = line.split(" ")[:2]
        counts[word.lower()] = counts.get(word.lower(), 0) + int(count)
    return counts


if __name__ == "__main__":
    main()
