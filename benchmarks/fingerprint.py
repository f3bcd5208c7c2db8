"""How many tokens a second become fingerprints, beside PyPI's simhash on the same tokens?

Texts are the Rust books of the development corpora (LEITONG_CORPORA, else ../shared/data), both
languages, tokenised before any clock starts. First the same work on both sides: token lists in,
64-bit fingerprints out, every token weighing its count. With MD5 ours must equal the peer's bit
for bit, or the run fails. Then the parts alone: background weights, hashing the vocabulary, and
the vote, per (document, token) entry.
"""

from __future__ import annotations

import argparse
import logging
from collections import defaultdict
from collections.abc import Callable
from itertools import chain

import numpy as np
import xxhash

from benchmarks._shared import needs
from benchmarks._shared.clock import Seconds, in_turn
from benchmarks._shared.report import Report, Table
from simhash_core.model import Features
from simhash_core.settings import Settings
from simhash_core.simhash.fingerprint import LOOPS, fingerprint
from simhash_core.simhash.hashes import token_hashes
from simhash_core.text.normalize import normalized_text
from simhash_core.text.tokenize import Tokenizer
from simhash_core.weighting import WEIGHTINGS, quantise, stats_of

BOOKS = ("zh_rust_book", "en_rust_book")


QUICK = {"runs": 3, "texts": 40}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--texts", type=int, default=0, help="of the books; 0: all")


def measure(options: argparse.Namespace) -> Report:
    """Time the whole and its parts on the same tokens."""
    documents = token_lists(options.texts)
    tokens = sum(map(len, documents))
    features = counted(documents)
    first, ratios = whole(documents, tokens, options.runs)
    tables = [first, parts(features, options.runs)]
    tables += [vote(features, bits, options.runs) for bits in (64, 128, 256)]
    note = (
        f"{len(documents)} documents, {tokens:,} tokens, {len(features.token):,} entries "
        f"(a word of a document), vocabulary {len(features.vocabulary):,}. MinHash makes another "
        "sketch of the same tokens; it stands here because the same jobs are done with it."
    )
    return Report(tables, [note], ratios=ratios)


def token_lists(count: int = 0) -> list[list[str]]:
    """Return the tokens of both books, or of `count` texts drawn from all over them."""
    tokenizer = Tokenizer()
    paths = needs.corpus_files(*(f"{book}/docs/*.md" for book in BOOKS))
    step = max(len(paths) // count, 1) if count else 1
    texts = (path.read_text("utf-8") for path in paths[::step])
    lists = [tokenizer.tokens(normalized_text(text)) for text in texts]
    return [tokens for tokens in lists if tokens]


def counted(documents: list[list[str]]) -> Features:
    """Return the distinct tokens of token lists with their counts."""
    ids: defaultdict[str, int] = defaultdict()
    ids.default_factory = ids.__len__
    size = [len(tokens) for tokens in documents]
    token = np.fromiter(map(ids.__getitem__, chain.from_iterable(documents)), np.int64, sum(size))
    key = np.sort(np.repeat(np.arange(len(size)), size) * len(ids) + token)
    first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
    rows, tokens = np.divmod(key[first], len(ids))
    indptr = np.searchsorted(rows, np.arange(len(size) + 1))
    count = np.diff(first, append=len(key)).astype(np.int32)
    return Features(tuple(ids), indptr, tokens.astype(np.int32), count, np.array(size))


def whole(documents: list[list[str]], tokens: int, runs: int) -> tuple[Table, dict[str, float]]:
    """Token lists to 64-bit fingerprints."""
    simhash = needs.package("simhash", install="pip install -e .[dev]")
    logging.disable(logging.WARNING)

    def ours(algorithm: str) -> np.ndarray:
        features = counted(documents)
        weights = WEIGHTINGS["tf"](features, stats_of(features), Settings()).astype(np.int64)
        hashes = token_hashes(features.vocabulary, bits=64, algorithm=algorithm)
        return fingerprint(features, weights, hashes, bits=64, recipe="benchmark").words[:, 0]

    def theirs() -> np.ndarray:
        # counts as Python lists: a Counter overflows above 255 occurrences with NumPy 2
        return np.array([simhash.Simhash(document).value for document in documents], np.uint64)

    contenders: dict[str, Callable[[], object]] = {
        "ours, XXH3": lambda: ours("xxh3"),
        "ours, MD5": lambda: ours("md5"),
        "PyPI simhash, MD5": theirs,
        "NumPy, a text at a time (text-dedup's way)": lambda: unpacked(documents),
    }
    if needs.is_here("datasketch"):
        from datasketch import MinHash

        contenders["datasketch MinHash, 128"] = lambda: list(
            MinHash.generator([[word.encode() for word in each] for each in documents])
        )
    if needs.is_here("rensa"):
        contenders["rensa MinHash, 128"] = lambda: rensa_sketches(documents)
    if not np.array_equal(ours("md5"), theirs()):
        raise SystemExit("fingerprints differ from the peer's")
    seconds = in_turn(contenders, runs)
    title = "Token lists to 64-bit fingerprints (with MD5 ours equal simhash's bit for bit)"
    names = {"simhash": "PyPI simhash, MD5", "text-dedup": list(contenders)[3]}
    base = seconds["ours, XXH3"].cpu
    ratios = {short: seconds[name].cpu / base for short, name in names.items()}
    return rates(seconds, tokens, "tokens", title), ratios


def unpacked(documents: list[list[str]]) -> np.ndarray:
    """Vote as text-dedup does: each text's hashes as rows of bits, summed by NumPy."""
    words = np.zeros(len(documents), np.uint64)
    for row, tokens in enumerate(documents):
        hashes = np.array([xxhash.xxh3_64_intdigest(token.encode()) for token in tokens], np.uint64)
        bits = np.unpackbits(hashes.view(np.uint8).reshape(-1, 8), axis=1)
        words[row] = np.packbits(2 * bits.sum(axis=0, dtype=np.int64) > len(tokens)).view(
            np.uint64
        )[0]
    return words


def rensa_sketches(documents: list[list[str]]) -> list[object]:
    """Sketch every text by rensa."""
    from rensa import RMinHash

    sketches = []
    for tokens in documents:
        sketch = RMinHash(num_perm=128, seed=1)
        sketch.update(tokens)
        sketches.append(sketch.digest())
    return sketches


def parts(features: Features, runs: int) -> Table:
    """What a vocabulary and its weights cost."""
    stats, background = stats_of(features), WEIGHTINGS["background"]
    contenders: dict[str, Callable[[], object]] = {
        f"hashing the vocabulary, XXH3, {bits} bits": (
            lambda bits=bits: token_hashes(features.vocabulary, bits=bits)
        )
        for bits in (64, 256)
    }
    contenders["background weights"] = lambda: quantise(background(features, stats, Settings()))
    contenders["statistics"] = lambda: stats_of(features)
    return rates(in_turn(contenders, runs), len(features.token), "entries", "Parts alone")


def vote(features: Features, bits: int, runs: int) -> Table:
    """The vote alone, background weights."""
    weights = quantise(WEIGHTINGS["background"](features, stats_of(features), Settings()))
    hashes = token_hashes(features.vocabulary, bits=bits)

    def run() -> np.ndarray:
        words = np.zeros((len(features), hashes.shape[1]), dtype=np.uint64)
        valid = np.zeros(len(features), dtype=np.bool_)
        LOOPS.vote(features.indptr, features.token, weights, hashes, *words.shape, words, valid)
        return words

    seconds = in_turn({"in C": run}, runs)
    return rates(seconds, len(features.token), "entries", f"The vote, {bits} bits")


def rates(seconds: dict[str, Seconds], amount: int, unit: str, title: str) -> Table:
    """Return CPU seconds, the rate, and the ratio to the first."""
    first = next(iter(seconds.values())).cpu
    rows = [
        [name, each.cpu, amount / each.cpu / 1e6, each.cpu / first]
        for name, each in seconds.items()
    ]
    return Table(["", "CPU, s", f"million {unit} a second", "times the first"], rows, title)
