"""Draw the pairs of a labelled collection where alignment and truth differ most.

python -m benchmarks worst_cases ROOT FOLDER [--group 03] [--worst 20] [--frequencies]
                                 [--lost precision]

Writes one HTML page a pair and prints a line for each. The true cases are underlined, what
alignment reports has a background, red where no case is; long stretches of neither are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks._shared import needs
from simhash_core.lab.measurements import pan
from simhash_core.lab.measurements.pan import PanPair, Stretch, score
from simhash_core.passages.tokenized import document_frequencies
from simhash_core.settings import Settings

CONTEXT = 160  # characters shown around what is marked
STYLE = """
body { font: 13px/1.5 Georgia, serif; margin: 16px; } main { display: flex; gap: 24px; }
section { flex: 1; white-space: pre-wrap; } b { color: #888; font-weight: normal; }
.case { border-bottom: 2px solid #1a5fb4; } .hit { background: #cfe8cf; }
.hit:not(.case) { background: #f4b6b0; } .case:not(.hit) { background: #f7e9a0; }
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the worst pairs."""
    options = _options(arguments)
    needs.labelled(options.root)
    pairs = [pair for pair in pan.read_pairs(options.root) if pair.part == "tune"]
    chosen = [pair for pair in pairs if pair.group.startswith(options.group)]
    settings = Settings()
    wanted = pairs if options.frequencies else chosen
    tokenized = pan.tokenized_texts(options.root, wanted, settings, None)
    df = None
    if options.frequencies:
        df = document_frequencies(tokenized[name] for name in sorted({p.source for p in pairs}))
    detections = pan.detect(chosen, tokenized, df=df, settings=settings)
    cases = {pair: pan.read_cases(options.root, pair) for pair in chosen}
    ranked = sorted(chosen, key=lambda p: -_lost(cases[p], detections[p], options.lost))
    options.folder.mkdir(parents=True, exist_ok=True)
    for place, pair in enumerate(ranked[: options.worst], 1):
        total = score(cases[pair], detections[pair])
        print(
            f"{place:3} {pair.suspicious} {pair.source}  lost"
            f" {_lost(cases[pair], detections[pair], options.lost):.3f}  cases {total.cases}"
            f"  detections {total.detections}  recall {total.recall:.3f}"
            f"  precision {total.precision:.3f}"
        )
        page = _page(options.root, pair, cases[pair], detections[pair])
        (options.folder / f"{place:02}.html").write_text(page, "utf-8")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--group", default="03", help="first characters of the class")
    parser.add_argument("--worst", type=int, default=20)
    parser.add_argument("--frequencies", action="store_true")
    parser.add_argument("--lost", choices=("precision", "recall"), default="precision")
    return parser.parse_args(arguments)


def _lost(cases: Sequence[Stretch], detections: Sequence[Stretch], which: str) -> float:
    """Return how much a pair takes from the sum over detections, or over cases."""
    total = score(cases, detections)
    if which == "precision":
        return (1 - total.precision) * total.detections
    return (1 - total.recall) * total.cases


def _page(
    root: Path, pair: PanPair, cases: Sequence[Stretch], detections: Sequence[Stretch]
) -> str:
    sides = []
    for folder, name, side in (("susp", pair.suspicious, 0), ("src", pair.source, 1)):
        text = pan.read_text(root / folder / name)
        marks = [_marked(len(text), rows, side) for rows in (cases, detections)]
        sides.append(f"<section><h3>{escape(name)}</h3>{_side(text, *marks)}</section>")
    return f"<meta charset='utf-8'><style>{STYLE}</style><main>{''.join(sides)}</main>"


def _marked(length: int, rows: Sequence[Stretch], side: int) -> NDArray[np.bool_]:
    marked = np.zeros(length, np.bool_)
    for row in rows:
        start, end = (row.source_start, row.source_end) if side else (row.start, row.end)
        marked[start:end] = True
    return marked


def _side(text: str, case: NDArray[np.bool_], hit: NDArray[np.bool_]) -> str:
    """Return one text with both marks, what lies far from either left out."""
    marked = np.flatnonzero(case | hit)
    near = np.zeros(len(text), np.bool_)
    for at in marked[np.flatnonzero(np.diff(marked, prepend=-2) > 1)]:
        near[max(0, at - CONTEXT) : at] = True
    for at in marked[np.flatnonzero(np.diff(marked, append=len(text) + 1) > 1)]:
        near[at : at + CONTEXT] = True
    near[marked] = True
    state = case + 2 * hit + 4 * near
    cuts = [0, *(np.flatnonzero(np.diff(state)) + 1).tolist(), len(text)]
    out = []
    for start, end in pairwise(cuts):
        classes = " ".join(n for n, on in (("case", case[start]), ("hit", hit[start])) if on)
        quote = escape(text[start:end])
        out.append(
            f"<span class='{classes}'>{quote}</span>"
            if near[start]
            else f"<b> [{end - start}] </b>"
        )
    return "".join(out)


if __name__ == "__main__":
    main()
