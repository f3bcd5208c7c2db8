"""How long does 500 x 500 texts of 3,300 characters take, and how long do difflib and rapidfuzz?

Real Chinese text, cut into pieces, with planted copies of 120 to 400 characters in which 3 % of
the characters are replaced. Every stage is timed warm, in one process and in
processor seconds, so that a busy machine does not count. The peers align a random
sample of the same pairs; their time for all pairs is the sample's, scaled.

    python benchmarks/passages.py --texts FOLDER       any folder of UTF-8 texts
    python benchmarks/passages.py --texts FOLDER --all-pairs
"""

from __future__ import annotations

import argparse
import difflib
import platform
import random
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

try:
    from rapidfuzz.distance import Indel, Levenshtein
except ImportError:
    raise SystemExit("the peer needs rapidfuzz: pip install -e .[dev]") from None

from simhash_core.model import I64, Passages
from simhash_core.passages.align import align_many
from simhash_core.passages.candidates import candidates
from simhash_core.passages.coverage import of_pairs, total_overlap
from simhash_core.passages.exact import grams_of
from simhash_core.passages.frequencies import document_frequencies
from simhash_core.passages.options import AlignOptions
from simhash_core.passages.pair import loops
from simhash_core.passages.tokenized import TokenizedText, language_of, tokenize
from simhash_core.passages.winnow import Winnowed, winnow
from simhash_core.policy import CANDIDATE_SHARE
from simhash_core.text.normalize import normalize

PLANTED, EDITED = 100, 0.03


def pieces(folder: Path, documents: int, length: int) -> list[str]:
    """Cut the texts of a folder into pieces of one length."""
    text = "".join(path.read_text("utf-8") for path in sorted(folder.rglob("*")) if path.is_file())
    if len(text) < documents * length:
        raise SystemExit(f"{folder} holds {len(text):,} characters, {documents * length:,} needed")
    return [text[i * length : (i + 1) * length] for i in range(documents)]


def plant(texts: list[str], rng: random.Random) -> list[tuple[int, int, int, int]]:
    """Copy passages between texts; return source, target, place and length of each."""
    planted = []
    for _ in range(PLANTED):
        source, target = rng.sample(range(len(texts)), 2)
        length = rng.randint(120, 400)
        at = rng.randrange(len(texts[source]) - length)
        place = rng.randrange(len(texts[target]) - length)
        copy = "".join(
            rng.choice(texts[0]) if rng.random() < EDITED else character
            for character in texts[source][at : at + length]
        )
        texts[target] = texts[target][:place] + copy + texts[target][place + length :]
        planted.append((source, target, place, length))
    return planted


def timed(name: str, function: Callable[[], Any], count: int) -> tuple[Any, float]:
    """Run twice and print the second, warm time."""
    function()
    started = time.process_time()
    result = function()
    seconds = time.process_time() - started
    print(f"  {name:34s} {seconds:8.3f} s   {count / seconds:12,.0f} a second")
    return result, seconds


def recall(
    planted: list[tuple[int, int, int, int]], pairs: np.ndarray, passages: Passages
) -> tuple[int, int]:
    """Return how many planted copies were aligned over half their length, of those still there."""
    hits = 0
    for source, target, place, length in planted:
        row = np.flatnonzero((pairs == sorted((source, target))).all(axis=1))
        of_pair = np.isin(passages.pair, row) & ~passages.weak
        start, end = (
            (passages.a_start, passages.a_end)
            if target < source
            else (passages.b_start, passages.b_end)
        )
        shared = np.minimum(end, place + length) - np.maximum(start, place)
        hits += bool((shared[of_pair] > length / 2).any())
    return hits, len(planted)


def peers(texts: list[str], pairs: np.ndarray, rng: random.Random, ours: float) -> None:
    """Time the peers on samples of the same pairs."""
    ways: dict[str, tuple[int, Callable[[str, str], Any]]] = {
        "difflib matching blocks": (
            20,
            lambda a, b: difflib.SequenceMatcher(None, a, b, False).get_matching_blocks(),
        ),
        "rapidfuzz Levenshtein.opcodes": (500, Levenshtein.opcodes),
        "rapidfuzz Indel.opcodes": (500, Indel.opcodes),
    }
    for name, (sample, align) in ways.items():
        chosen = rng.sample(pairs.tolist(), min(sample, len(pairs)))
        started = time.process_time()
        for left, right in chosen:
            align(texts[left], texts[right])
        seconds = (time.process_time() - started) / len(chosen)
        print(
            f"  {name:34s} {seconds * len(pairs):8.1f} s   {1 / seconds:12,.0f} a second"
            f"   {seconds * len(pairs) / ours:8.1f} x ours (scaled from {len(chosen)} pairs)"
        )


def exact_runs(tokenized: list[TokenizedText], pairs: I64, options: AlignOptions) -> int:
    """Do nothing but list the exact runs of all pairs; return how many there are."""
    k = options.gram
    grams = [grams_of(text.token, k) for text in tokenized]
    return sum(
        len(
            loops.find_runs(
                tokenized[left].token,
                tokenized[right].token,
                grams[left],
                grams[right],
                k,
                options.gram_repeats,
            )
        )
        for left, right in pairs.tolist()
    )


def chosen_of(tokenized: list[TokenizedText], seen: list[Winnowed]) -> I64:
    """Return the pairs that a check would align."""
    return candidates(
        tokenized, seen, queries=len(tokenized), share=CANDIDATE_SHARE, step=lambda *_: None
    ).pairs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=500)
    parser.add_argument("--length", type=int, default=3300)
    parser.add_argument("--all-pairs", action="store_true", help="align every pair")
    chosen = parser.parse_args()
    rng = random.Random(1)
    texts = pieces(chosen.texts, chosen.documents, chosen.length)
    planted = plant(texts, rng)
    n = len(texts)
    print(f"{platform.machine()}, Python {platform.python_version()}, one process, {n} texts")
    normal, _ = timed("normalise with map", lambda: [normalize(t) for t in texts], n)
    together = list(zip(normal, texts, strict=True))
    tokenized, _ = timed(
        "tokenize (tokens, stems, borders)", lambda: [tokenize(x, t) for x, t in together], n
    )
    seen, _ = timed("winnowed prints", lambda: [winnow(one) for one in tokenized], n)
    pairs, _ = timed("candidates, all pairs", lambda: chosen_of(tokenized, seen), n * n // 2)
    df, _ = timed("document frequencies", lambda: document_frequencies(tokenized), n)
    if chosen.all_pairs:
        pairs = np.array(list(combinations(range(n), 2)))
    options = AlignOptions.for_language(language_of(tokenized), frequencies=True)
    passages, ours = timed(
        f"align {len(pairs)} pairs",
        lambda: align_many(tokenized, pairs, df=df, options=options),
        len(pairs),
    )
    _, runs = timed("exact runs of them", lambda: exact_runs(tokenized, pairs, options), len(pairs))
    print(f"  aligning costs {ours / runs:.1f} times as much as nothing but the exact runs")
    (_, stretches), _ = timed("coverage", lambda: of_pairs(tokenized, pairs, passages), len(pairs))
    timed("total overlap", lambda: total_overlap(tokenized, pairs, stretches), n)
    hits, of = recall(planted, pairs, passages)
    print(f"  planted copies aligned: {hits} of {of} (later ones may lie over earlier ones)")
    print("the peers, on the same pairs")
    peers(texts, pairs, rng, ours)


if __name__ == "__main__":
    main()
