"""Make the frame of sentence vectors from freely licensed texts.

    python -m simhash_core.meaning.frame.build CORPORA [FILE]

`CORPORA` is the folder of the development corpora; of it only the collections named in NOTICE.txt
are read, and of this project its sample essays. Needs the extra `meaning`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ...model import F64
from ..units import CHINESE, KANA, units_of
from ..vectors import FRAME, model

SAMPLES = Path(__file__).resolve().parents[3] / "sample_docs" / "sources"
#: the folders of each language and the files in them; the last are the samples
SOURCES = {
    "latin": (("en_rust_book/docs", "rust__src_*.md"), ("textreuse_legal", "*.txt"), ("", "*.txt")),
    "chinese": (
        ("zh_rust_book/docs", "kaisery__*.md"),
        ("zh_rust_book/docs", "rustlangcn__*.md"),
        ("zh_laws_dev/docs", "*.md"),
        ("", "*.txt"),
    ),
}
COMMON = 8  # directions that say nothing of a meaning: all units of every subject share them
MOST = 3_000  # units of a collection, drawn at random
SEED = 20_261_122
_CODE = re.compile(r"(?ms)^```.*?^```\s*$|^<!--.*?-->\s*|^<[^>]*>\s*\n")
_STATE = re.compile(r"__\d{4}-\d{2}-\d{2}$")  # the date of a yearly state


def main() -> None:
    """Write frame.npz beside this file, or into the file given."""
    corpora = Path(sys.argv[1])
    target = Path(sys.argv[2]) if len(sys.argv) > 2 else FRAME
    means, centred = {}, []
    for language, collections in SOURCES.items():
        sentences = []
        for folder, pattern in collections:
            sentences += drawn(texts(corpora / folder if folder else SAMPLES, pattern), language)
        vectors = np.asarray(model().encode(sentences), np.float64)
        means[language] = vectors.mean(axis=0)
        centred.append((vectors - means[language]) / np.sqrt(len(vectors)))
    kinds = {name: mean.astype(np.float32) for name, mean in means.items()}
    np.savez_compressed(target, axes=axes(np.concatenate(centred)).astype(np.float16), **kinds)


def axes(vectors: F64) -> F64:
    """Return the principal axes of centred vectors but the `COMMON` strongest, strongest first."""
    _, eigenvectors = np.linalg.eigh(vectors.T @ vectors)
    turned = eigenvectors.T[::-1][COMMON:]
    return np.asarray(
        turned * np.sign(turned[np.arange(len(turned)), np.abs(turned).argmax(1)])[:, None]
    )


def texts(folder: Path, pattern: str) -> Iterator[str]:
    """Yield the texts of a collection, of yearly states the latest alone."""
    latest = {_STATE.sub("", path.stem): path for path in sorted(folder.rglob(pattern))}
    for path in latest.values():
        yield _CODE.sub("", path.read_text("utf-8"))


def drawn(texts: Iterator[str], language: str) -> list[str]:
    """Return units of one language, each once, a random sample where there are many."""
    sentences = {}
    for text in texts:
        units = units_of(text)
        for script, sentence in zip(units.script.tolist(), units.sentences, strict=True):
            if (script in (CHINESE, KANA)) == (language == "chinese"):
                sentences[sentence] = True
    every, rng = list(sentences), np.random.default_rng(SEED)
    return [every[at] for at in np.sort(rng.permutation(len(every))[:MOST])]


if __name__ == "__main__":
    main()
