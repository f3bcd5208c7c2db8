"""How long do shared passages take to find in a class, beside other ways to align its texts?

Real Chinese text, cut into pieces, with planted copies of 120 to 400 characters in which 3 % of
the characters are replaced. Every stage is timed warm, in one process and in processor seconds.
The peers align a random sample of the same pairs; their time for all pairs is the sample's,
scaled. What is nothing but a search for exact runs stands beside them: ours does that, and finds
rewording as well. The stage of prints stands beside PyPI's winnowing and copydetect's.
"""

from __future__ import annotations

import argparse
import difflib
import random
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._shared import needs
from benchmarks._shared.report import Report, Table
from simhash_core.model import I64, Passages
from simhash_core.passages.align import align_many
from simhash_core.passages.candidates import candidates
from simhash_core.passages.coverage import parts_of_texts, sum_up_pairs
from simhash_core.passages.exact import find_runs, grams_of
from simhash_core.passages.options import AlignOptions
from simhash_core.passages.tokenize import FlatText, tokenize_many, winnow_many
from simhash_core.passages.tokenized import TokenizedText, document_frequencies, language_of
from simhash_core.passages.winnow import Rule, Winnowed
from simhash_core.policy import CANDIDATE_SHARE
from simhash_core.text.flat import code_points_of, flatten

CORPUS = "zh_rust_book/docs/*"
QUICK = {"documents": 100}
PLANTED, EDITED = 100, 0.03
HEADS = ("", "CPU, s", "a second", "times ours")
Row = list[Any]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--texts", type=Path, help="a folder of texts; else LEITONG_CORPORA")
    parser.add_argument("--documents", type=int, default=500)
    parser.add_argument("--length", type=int, default=3300)
    parser.add_argument("--all-pairs", action="store_true", help="align every pair")


def measure(options: argparse.Namespace) -> Report:
    """Time every stage, then the peers."""
    rng = random.Random(1)
    paths = needs.text_files(options.texts) if options.texts else needs.corpus_files(CORPUS)
    texts = pieces(paths, options.documents, options.length)
    planted = plant(texts, rng)
    n, stages = len(texts), Stages()
    normal = stages.timed("normalise with map", lambda: flatten(texts), n)
    form, raw = FlatText(normal.code, normal.indptr), FlatText(*code_points_of(texts))
    tokenized = stages.timed(
        "tokenize (tokens, stems, borders)",
        lambda: tokenize_many(form, normal.start, normal.end, raw),
        n,
    )
    seen = stages.timed("winnowed prints", lambda: winnow_many(tokenized, rule=Rule.of()), n)
    pairs = stages.timed("candidates, all pairs", lambda: chosen_of(tokenized, seen), n * n // 2)
    df = stages.timed("document frequencies", lambda: document_frequencies(tokenized), n)
    if options.all_pairs:
        pairs = np.array(list(combinations(range(n), 2)))
    settings = AlignOptions.for_language(language_of(tokenized), frequencies=True)
    align = f"align {len(pairs):,} pairs"
    passages = stages.timed(
        align, lambda: align_many(tokenized, pairs, df=df, options=settings), len(pairs)
    )
    _, stretches = stages.timed(
        "coverage", lambda: sum_up_pairs(tokenized, pairs, passages), len(pairs)
    )
    stages.timed("total overlap", lambda: parts_of_texts(tokenized, pairs, stretches), n)
    stages.whole()
    hits, of = recall(planted, pairs, passages)
    ours = stages.seconds[align]
    rows = peers(texts, pairs, rng, ours)
    runs = stages.apart(lambda: exact_runs(tokenized, pairs, settings))
    rows.append(["nothing but the exact runs, ours", runs, len(pairs) / runs, runs / ours])
    prints = winnowing_peers(texts, stages.seconds["winnowed prints"])
    notes = [f"Planted copies aligned: {hits} of {of} (later ones may lie over earlier ones)."]
    ratios = {str(row[0]): float(row[3]) for row in [*rows, *prints] if row[3] is not None}
    return Report(
        [
            Table(HEADS[:3], stages.rows, f"{n:,} texts of {options.length:,} characters, ours"),
            Table(HEADS, rows, f"Aligning the same {len(pairs):,} pairs"),
            Table(HEADS, prints, f"Winnowed prints of {n:,} texts"),
        ],
        notes,
        ratios=ratios,
    )


class Stages:
    """Processor seconds of stages, in order."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.seconds: dict[str, float] = {}

    def timed(self, name: str, function: Callable[[], Any], count: int) -> Any:
        """Run twice; the second, warm time counts."""
        function()
        started = time.process_time()
        result = function()
        seconds = time.process_time() - started
        self.seconds[name] = seconds
        self.rows.append([name, seconds, count / seconds])
        return result

    def apart(self, function: Callable[[], Any]) -> float:
        """Return warm seconds of what is no stage."""
        function()
        started = time.process_time()
        function()
        return time.process_time() - started

    def whole(self) -> None:
        """Add the sum."""
        self.rows.append(["whole", sum(self.seconds.values()), None])


def pieces(paths: list[Path], documents: int, length: int) -> list[str]:
    """Cut texts into pieces of one length."""
    text = needs.enough((path.read_text("utf-8", "replace") for path in paths), documents * length)
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


def peers(texts: list[str], pairs: np.ndarray, rng: random.Random, ours: float) -> list[Row]:
    """Time the peers on samples of the same pairs."""
    distance = needs.package("rapidfuzz.distance", install="pip install -e .[dev]")
    ways: dict[str, tuple[int, Callable[[str, str], Any]]] = {
        "difflib matching blocks": (
            10,
            lambda a, b: difflib.SequenceMatcher(None, a, b, False).get_matching_blocks(),
        ),
        "rapidfuzz Levenshtein.opcodes": (300, distance.Levenshtein.opcodes),
        "rapidfuzz Indel.opcodes": (300, distance.Indel.opcodes),
    }
    rows = []
    for name, (sample, align) in ways.items():
        chosen = rng.sample(pairs.tolist(), min(sample, len(pairs)))
        started = time.process_time()
        for left, right in chosen:
            align(texts[left], texts[right])
        seconds = (time.process_time() - started) / len(chosen)
        whole = seconds * len(pairs)
        rows.append([f"{name} (from {len(chosen)} pairs)", whole, 1 / seconds, whole / ours])
    return rows


def winnowing_peers(texts: list[str], ours: float) -> list[Row]:
    """Time other programs that winnow, on a tenth of the texts, scaled."""
    ways: dict[str, Callable[[str], Any]] = {}
    if needs.is_here("winnowing"):
        from winnowing import winnow as other

        ways["PyPI winnowing"] = lambda text: other(text, 10)
    if needs.is_here("copydetect"):
        from copydetect.utils import get_document_fingerprints

        ways["copydetect"] = lambda text: get_document_fingerprints(text, 10, 8)
    part = texts[:: max(len(texts) // 50, 1)]
    rows: list[Row] = [["ours", ours, len(texts) / ours, None]]
    for name, way in ways.items():
        started = time.process_time()
        for text in part:
            way(text)
        seconds = (time.process_time() - started) / len(part) * len(texts)
        name = f"{name} (from {len(part)} texts)"
        rows.append([name, seconds, len(texts) / seconds, seconds / ours])
    return rows


def exact_runs(tokenized: list[TokenizedText], pairs: I64, options: AlignOptions) -> int:
    """Do nothing but list the exact runs of all pairs; return how many there are."""
    k = options.gram
    grams = [grams_of(text.token, k) for text in tokenized]
    return sum(
        len(
            find_runs(
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
