"""How many tokens a second become fingerprints, beside PyPI's simhash on the same tokens?

    python benchmarks/fingerprint.py [--runs 5]

Texts are the Rust books of the development corpora (LEITONG_CORPORA, else ../shared/data), both
languages, tokenised before any clock starts. First the same work on both sides: token lists in,
64-bit fingerprints out, every token weighing its count. With MD5 ours must equal the peer's bit
for bit, or the run fails. Then the parts alone: background weights, hashing the vocabulary, and
the vote in both its forms, per (document, token) entry.
"""

from __future__ import annotations

import argparse
import logging
import os
import statistics
import time
from collections.abc import Callable, Set
from pathlib import Path

import numpy as np

from simhash_core.model import Features
from simhash_core.settings import Settings
from simhash_core.simhash import kernels, votes
from simhash_core.simhash.fingerprint import fingerprint
from simhash_core.simhash.hashes import token_hashes
from simhash_core.text.normalize import normalized_text
from simhash_core.text.tokenize import Tokenizer, count_features
from simhash_core.weighting import WEIGHTINGS, quantise, stats_of

BOOKS = ("zh_rust_book", "en_rust_book")


class Counted:
    """Token lists that exist already, in the place of a tokenizer."""

    def pieces(self, tokens: list[str]) -> list[str]:
        return tokens

    def dropped(self, words: Set[str]) -> set[str]:
        return set()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    documents = token_lists()
    tokens = sum(map(len, documents))
    features = count_features(Counted(), documents)
    print(
        f"{len(documents)} documents, {tokens:,} tokens, {len(features.token):,} entries, "
        f"vocabulary {len(features.vocabulary):,}; median of {runs} runs"
    )
    whole(documents, tokens, runs)
    parts(features, runs)
    for bits in (64, 128, 256):
        vote(features, bits, runs)


def token_lists() -> list[list[str]]:
    root = Path(__file__).resolve().parents[1]
    corpora = Path(os.environ.get("LEITONG_CORPORA", root.parent / "shared" / "data"))
    tokenizer = Tokenizer()
    paths = [path for book in BOOKS for path in sorted((corpora / book / "docs").glob("*.md"))]
    if not paths:
        raise SystemExit(f"no corpora in {corpora}; set LEITONG_CORPORA")
    texts = (path.read_text("utf-8") for path in paths)
    lists = [tokenizer.tokens(normalized_text(text)) for text in texts]
    return [tokens for tokens in lists if tokens]


def whole(documents: list[list[str]], tokens: int, runs: int) -> None:
    """Token lists to 64-bit fingerprints."""
    from simhash import Simhash

    logging.disable(logging.WARNING)

    def ours(algorithm: str) -> np.ndarray:
        features = count_features(Counted(), documents)
        weights = WEIGHTINGS["tf"](features, stats_of(features), Settings()).astype(np.int64)
        hashes = token_hashes(features.vocabulary, bits=64, algorithm=algorithm)
        return fingerprint(features, weights, hashes, bits=64, recipe="benchmark").words[:, 0]

    def theirs() -> np.ndarray:
        # counts as Python lists: a Counter overflows above 255 occurrences with NumPy 2
        return np.array([Simhash(document).value for document in documents], dtype=np.uint64)

    contenders: dict[str, Callable[[], np.ndarray]] = {
        "PyPI simhash, MD5": theirs,
        "ours, MD5": lambda: ours("md5"),
        "ours, XXH3": lambda: ours("xxh3"),
    }
    if not np.array_equal(ours("md5"), theirs()):
        raise SystemExit("fingerprints differ from the peer's")
    print("token lists -> 64-bit fingerprints (MD5 ones equal the peer's bit for bit)")
    report(contenders, tokens, runs, "tokens")


def parts(features: Features, runs: int) -> None:
    """What a vocabulary and its weights cost."""
    stats, background = stats_of(features), WEIGHTINGS["background"]
    print("hashing the vocabulary")
    contenders = {
        f"XXH3, {bits} bits": lambda bits=bits: token_hashes(features.vocabulary, bits=bits)
        for bits in (64, 256)
    }
    report(contenders, len(features.vocabulary), runs, "words")
    print("weights")
    contenders = {
        "background": lambda: quantise(background(features, stats, Settings())),
        "statistics": lambda: stats_of(features),
    }
    report(contenders, len(features.token), runs, "entries")


def vote(features: Features, bits: int, runs: int) -> None:
    """The vote alone, background weights."""
    weights = quantise(WEIGHTINGS["background"](features, stats_of(features), Settings()))
    hashes = token_hashes(features.vocabulary, bits=bits)

    def run(engine: votes.Vote) -> np.ndarray:
        words = np.zeros((len(features), hashes.shape[1]), dtype=np.uint64)
        valid = np.zeros(len(features), dtype=np.bool_)
        engine(features.indptr, features.token, weights, hashes, words, valid)
        return words

    if not np.array_equal(run(kernels.vote), run(votes.vote)):
        raise SystemExit("kernel and twin differ")
    print(f"vote, {bits} bits (kernel and twin agree)")
    contenders = {"numpy twin": lambda: run(votes.vote), "numba kernel": lambda: run(kernels.vote)}
    report(contenders, len(features.token), runs, "entries")


def report(
    contenders: dict[str, Callable[[], np.ndarray]], amount: int, runs: int, unit: str
) -> None:
    """Print the median rate of each, and its ratio to the first; runs take turns."""
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(runs):
        for name, run in contenders.items():
            start = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - start)
    first = statistics.median(next(iter(seconds.values())))
    for name, taken in seconds.items():
        middle = statistics.median(taken)
        rate = amount / middle / 1e6
        print(f"  {name:<20}{middle * 1e3:10.1f} ms{rate:9.2f} M {unit}/s{first / middle:8.1f}x")


if __name__ == "__main__":
    main()
