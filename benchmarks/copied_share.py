"""Is the share of a text that coverage reports the share that was copied?

python -m benchmarks copied_share ROOT [--pairs 120] [--planted 3]

ROOT is a labelled collection in PAN layout. Prints, for every class, how much was copied and how
much the passages hold and coverage counts, as a ratio to the truth over all pairs, and the mean
absolute error of a pair's share. Then the same for patchworks made of its source texts: pieces of
one text, some of their words replaced, with stretches of another text between them.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks._shared import needs
from simhash_core.lab.measurements import pan
from simhash_core.lab.measurements.pan import Stretch
from simhash_core.passages import coverage
from simhash_core.passages.align import align
from simhash_core.passages.tokenized import TokenizedText, tokenize
from simhash_core.settings import Settings
from simhash_core.text.normalize import normalize
from simhash_core.text.tokenize import tokenizer

Case = tuple[str, TokenizedText, TokenizedText, list[Stretch]]
AROUND, COPIED = 150, 200  # words of the other text on both sides, and copied in all
PIECES, BETWEEN, REPLACED = (20, 60), (5, 10, 20, 30, 50, 100), (0.0, 0.2, 0.35)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("--pairs", type=int, default=120, help="of each class, at most")
    parser.add_argument("--planted", type=int, default=3, help="patchworks of each kind")
    options = parser.parse_args(arguments)
    rng = random.Random(1)
    print(f"{'':34}{'cases':>6}{'copied':>8}{'passages':>9}{'counted':>8}   error (before, now)")
    needs.labelled(options.root)
    report(collected(options.root, options.pairs, rng))
    report(patchworks(options.root, options.planted, rng))


def report(cases: Iterator[Case]) -> None:
    """Print one line a class: the copied share, and the two figures beside it."""
    rows = defaultdict(list)
    for name, a, b, true in cases:
        passages = align(a, b)
        passages = passages.take(~passages.weak)
        if not len(passages) or not true:
            continue
        numbers, _ = coverage.of_pairs([a, b], np.array([[0, 1]]), passages)
        held = coverage.share(a, passages.a_start, passages.a_end)
        starts, ends = (np.array([getattr(one, side) for one in true]) for side in ("start", "end"))
        rows[name].append((coverage.share(a, starts, ends), held, numbers.coverage_a[0], a.chars))
    for name, figures in sorted(rows.items()):
        copied, held, counted, chars = np.array(figures).T
        print(
            f"{name:34}{len(copied):6}{copied.mean():8.3f}"
            f"{held @ chars / (copied @ chars):9.3f}{counted @ chars / (copied @ chars):8.3f}"
            f"   {np.abs(held - copied).mean():.4f} {np.abs(counted - copied).mean():.4f}"
        )


def collected(root: Path, most: int, rng: random.Random) -> Iterator[Case]:
    """Yield pairs of the part that settings may be chosen on."""
    groups = defaultdict(list)
    for pair in pan.read_pairs(root):
        if pair.part == "tune":
            groups[pair.group].append(pair)
    for group, pairs in groups.items():
        chosen = rng.sample(pairs, min(most, len(pairs)))
        tokenized = pan.tokenized_texts(root, chosen, Settings(), None)
        for pair in chosen:
            both = tokenized[pair.suspicious], tokenized[pair.source]
            yield group, *both, pan.read_cases(root, pair)


def patchworks(root: Path, count: int, rng: random.Random) -> Iterator[Case]:
    """Yield texts made of pieces of two source texts in turn, of which one is the source."""
    texts = [pan.read_text(path) for path in sorted(root.glob("src/*.txt"))[:100]]
    han = sum("\u4e00" <= c <= "\u9fff" for c in texts[0]) > len(texts[0]) / 3
    units = [list(re.sub(r"\s+", "", text)) if han else text.split() for text in texts]
    units = [one for one in units if len(one) > 1500]
    scale, blank = (2, "") if han else (1, " ")
    for between in BETWEEN:
        for rate in REPLACED:
            for length in PIECES * count:
                source, other = rng.sample(units, 2)
                at, text, true = AROUND * scale, blank.join(other[: AROUND * scale]) + blank, []
                for start in range(0, COPIED * scale, length * scale):
                    piece = source[start : start + length * scale]
                    piece = [rng.choice(other) if rng.random() < rate else one for one in piece]
                    true.append(Stretch("", len(text), len(text + blank.join(piece)), "", 0, 0))
                    text += blank.join(piece) + blank
                    text += blank.join(other[at : at + between * scale]) + blank
                    at += between * scale
                text += blank.join(other[at : at + AROUND * scale])
                name = f"between {between * scale:3}, replaced {rate:.0%}"
                yield name, _read(text), _read(blank.join(source)), true


def _read(text: str) -> TokenizedText:
    return tokenize(normalize(text), text, segment=tokenizer().segment)


if __name__ == "__main__":
    main()
