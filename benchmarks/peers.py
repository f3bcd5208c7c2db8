"""What do other programs find of the same copies and passages, and at what cost?

Near-duplicates: the files of `end_to_end`, 1 in 20 of them a light edit of the one before. Every
program reads them from disk in a process of its own; each is set as its makers advise for texts
that are alike by 80 %. Passages: a class of essays (LEITONG_CORPORA/honest_dev/asap1_300), one in
ten of which holds a stretch of another with one word in fifteen changed.

CPU seconds are those of the whole process with all its children, its imports among them. A program
that is not installed is a row without figures. Dolos is found where NODE_PATH says.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import re
import resource
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

from benchmarks._shared import needs
from benchmarks._shared.clock import alone
from benchmarks._shared.report import Cell, Report, Table

SEED = 20_261_128
LEAST = 0.8  # Jaccard similarity of near-duplicates, by shingles of five characters
SHINGLE = 5
QUICK = {"documents": 1_000, "classes": [40]}
LONG = {"classes": [40, 300, 2_000]}

Pairs = list[tuple[str, str]]
Found = dict[str, Any]  # "pairs", and "node_mb" of a program beside this one


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--classes", type=int, nargs="*", default=[40, 300])


def measure(options: argparse.Namespace) -> Report:
    """Give the same files to every program, and count what it finds."""
    from benchmarks.end_to_end import write_documents  # and with it all of ours

    with tempfile.TemporaryDirectory() as folder:
        write_documents(Path(folder), options.documents)
        rows, found = run_all(NEAR_DUPLICATES, folder)
        table, note, ratios = score_near_duplicates(Path(folder), rows, found, options.documents)
    tables = [table]
    for size in options.classes:
        with tempfile.TemporaryDirectory() as folder:
            planted = write_class(Path(folder), size)
            rows, found = run_all(PASSAGES, folder)
            tables.append(score_passages(rows, found, planted, size))
    return Report(tables, [note], ratios=ratios)


def run_all(
    programs: dict[str, tuple[str, Callable[[str], Found]]], folder: str
) -> tuple[dict[str, list[float]], dict[str, Pairs]]:
    """Run each program that is installed: CPU seconds and megabytes, and the pairs it lists."""
    rows, found = {}, {}
    for name, (needed, find) in programs.items():
        if needed and not (has_dolos() if find is find_by_dolos else needs.is_here(needed)):
            continue
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        answer = alone(find, folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        rows[name] = [cpu, answer["peak_mb"] + answer.get("node_mb", 0)]
        found[name] = [(min(pair), max(pair)) for pair in answer["pairs"]]
        print(f"  {name}: {cpu:.2f} CPU s, {len(found[name]):,} pairs", flush=True)
    return rows, found


# --------------------------------------------------------------------------- near-duplicates


def find_by_leitong(folder: str) -> Found:
    """Ask the call that a data person would make."""
    import leitong

    groups = leitong.near_duplicates(folder)
    return {"pairs": [pair for group in groups for pair in combinations(group["names"], 2)]}


def find_by_rensa(folder: str) -> Found:
    """MinHash in Rust, 16 bands of 8."""
    rensa = needs.package("rensa")
    index = rensa.RMinHashLSH(threshold=LEAST, num_perm=128, num_bands=16)
    signatures, names = [], []
    for row, (name, text) in enumerate(read_texts(folder)):
        signature = rensa.RMinHash(num_perm=128, seed=42)
        signature.update(shingles(text))
        names.append(name)
        signatures.append(signature)
        index.insert(row, signature)
    return {
        "pairs": [
            (names[row], names[other])
            for row, signature in enumerate(signatures)
            for other in index.query(signature)
            if row < other and signature.jaccard(signatures[other]) >= LEAST
        ]
    }


def find_by_datasketch(folder: str) -> Found:
    """MinHash and its index in Python and NumPy."""
    datasketch = needs.package("datasketch")
    index, signatures = datasketch.MinHashLSH(threshold=LEAST, num_perm=128), {}
    for name, text in read_texts(folder):
        signature = datasketch.MinHash(num_perm=128)
        signature.update_batch({one.encode() for one in shingles(text)})
        signatures[name] = signature
        index.insert(name, signature)
    return {
        "pairs": [
            (name, other)
            for name, signature in signatures.items()
            for other in index.query(signature)
            if name < other and signature.jaccard(signatures[other]) >= LEAST
        ]
    }


def find_by_text_dedup(folder: str) -> Found:
    """MinHash as text-dedup computes it: NumPy over hashes of 32 bits, 9 bands of 13."""
    import numpy as np
    import xxhash

    random_state, prime = np.random.RandomState(42), np.uint64((1 << 61) - 1)
    factor, addend = (random_state.randint(1, 2**61 - 1, 128, dtype=np.uint64) for _ in range(2))
    names, signatures = [], []
    for name, text in read_texts(folder):
        hashed = [xxhash.xxh32_intdigest(one.encode()) for one in {*shingles(text)}]
        hashes = np.array(hashed, np.uint64)
        permuted = (hashes[:, None] * factor + addend) % prime & np.uint64(2**32 - 1)
        names.append(name)
        signatures.append(permuted.min(axis=0))
    near = set()
    for band in range(9):
        buckets: dict[bytes, list[int]] = {}
        for row, signature in enumerate(signatures):
            buckets.setdefault(signature[13 * band : 13 * band + 13].tobytes(), []).append(row)
        near |= {pair for rows in buckets.values() for pair in combinations(rows, 2)}
    alike = [(a, b) for a, b in near if (signatures[a] == signatures[b]).mean() >= LEAST]
    return {"pairs": [(names[a], names[b]) for a, b in alike]}


def find_by_simhash(folder: str) -> Found:
    """Words of jieba, SimHash of 64 bits, pairs within 3."""
    jieba, simhash = needs.package("jieba"), needs.package("simhash")
    logging.disable(logging.WARNING)
    jieba.initialize()
    fingerprints = []
    for name, text in read_texts(folder):
        words = [word for word in jieba.cut(text.lower()) if word.strip()]
        fingerprints.append((name, simhash.Simhash(words)))
    index = simhash.SimhashIndex(fingerprints, k=3)
    return {
        "pairs": [
            (name, other)
            for name, value in fingerprints
            for other in index.get_near_dups(value)
            if name < other
        ]
    }


#: program -> what it needs, and how it is asked
NEAR_DUPLICATES: dict[str, tuple[str, Callable[[str], Found]]] = {
    "Leitong, near_duplicates": ("", find_by_leitong),
    "rensa": ("rensa", find_by_rensa),
    "datasketch": ("datasketch", find_by_datasketch),
    "text-dedup's way": ("xxhash", find_by_text_dedup),
    "jieba + simhash, k = 3": ("simhash", find_by_simhash),
}


def read_texts(folder: str) -> Iterable[tuple[str, str]]:
    """Yield name and text of each file."""
    for path in sorted(Path(folder).iterdir()):
        yield path.name, path.read_text("utf-8")


def shingles(text: str) -> list[str]:
    """Return the runs of five characters, white space and case aside."""
    plain = re.sub(r"\s+", " ", text.lower())
    return [plain[at : at + SHINGLE] for at in range(max(1, len(plain) - SHINGLE + 1))]


def score_near_duplicates(
    folder: Path, rows: dict[str, list[float]], found: dict[str, Pairs], documents: int
) -> tuple[Table, str, dict[str, float]]:
    """Count shingles of every pair that any program lists, and say what each has found."""
    kept: dict[str, frozenset[int]] = {}
    alike: set[tuple[str, str]] = set()
    for pair in sorted(set().union(*found.values())):
        for name in pair:
            if name not in kept:
                kept[name] = frozenset(map(hash, shingles((folder / name).read_text("utf-8"))))
        first, second = (kept[name] for name in pair)
        both = len(first & second)
        if both >= LEAST * (len(first) + len(second) - both):
            alike.add(pair)
    planted = {(f"{n - 1:06d}.txt", f"{n:06d}.txt") for n in range(19, documents, 20)}
    ours = next(iter(NEAR_DUPLICATES))
    lines: list[list[Cell]] = []
    ratios: dict[str, float] = {}
    for name in NEAR_DUPLICATES:
        listed = set(found.get(name, []))
        if name not in found:
            lines.append([f"{name} (not installed)", *[None] * 7])
            continue
        recall, precision = len(listed & alike) / len(alike), len(listed & alike) / len(listed)
        cpu, megabytes = rows[name]
        times = cpu / rows[ours][0]
        lines.append(
            [name, cpu, times, megabytes, len(listed), len(listed & planted), recall, precision]
        )
        ratios |= {"recall": recall, "precision": precision} if name == ours else {name: times}
    heads = [
        "",
        "CPU, s",
        "times ours",
        "peak, MB",
        "pairs",
        "planted edits",
        "recall",
        "precision",
    ]
    title = f"Near-duplicates of {documents:,} files"
    note = (
        f"Recall and precision: of the {len(alike):,} pairs, among all that any program lists,"
        f" whose shingles of five characters are alike by {LEAST:.0%} (Jaccard, counted)."
        f" {len(planted)} light edits were planted. Ours are the pairs of its groups."
    )
    return Table(heads, lines, title), note, ratios


# --------------------------------------------------------------------------- passages


def write_class(folder: Path, size: int) -> set[tuple[str, str]]:
    """Write essays, some with a lightly changed stretch of another; return who has whose."""
    rng = random.Random(SEED)
    paths = needs.corpus_files(*(f"honest_dev/asap{number}_300/*.txt" for number in (1, 3, 4, 5)))
    texts = [path.read_text("utf-8", errors="replace") for path in paths[:size]]
    order = rng.sample(range(len(texts)), len(texts))
    count = max(3, len(texts) // 10)
    pairs = list(zip(order[:count], order[count : 2 * count], strict=True))
    for source, copy in pairs:
        start = rng.randrange(max(1, len(texts[source]) - 250))
        words = texts[source][start : start + rng.randrange(250, 600)].split(" ")
        for _ in range(max(1, len(words) // 15)):
            words[rng.randrange(len(words))] = rng.choice(("very", "some", "often", "really"))
        middle = len(texts[copy]) // 2
        texts[copy] = " ".join([texts[copy][:middle], *words, texts[copy][middle:]])
    names = [f"t{number:05d}.txt" for number in range(len(texts))]
    for name, text in zip(names, texts, strict=True):
        (folder / name).write_text(text, "utf-8")
    return {(names[min(pair)], names[max(pair)]) for pair in pairs}


def check_by_leitong(folder: str) -> Found:
    """Ask for a check as it is by default, words alone."""
    import leitong

    pairs = leitong.check(folder, settings=leitong.Settings(meaning="off")).pairs()
    return {"pairs": [(pair["a"], pair["b"]) for pair in pairs]}


def find_by_copydetect(folder: str) -> Found:
    """Winnowed fingerprints of characters."""
    options = {"disable_filtering": True, "silent": True, "autoopen": False, "display_t": 0.0}
    detector = needs.package("copydetect").CopyDetector(
        test_dirs=[folder], extensions=["txt"], noise_t=25, guarantee_t=30, **options
    )
    detector.run()
    shared = detector.token_overlap_matrix
    names = [Path(path).name for path in detector.test_files]
    others = [Path(path).name for path in detector.ref_files]
    listed = ((row, at) for row in range(len(names)) for at in range(len(others)))
    return {
        "pairs": [
            (names[row], others[at])
            for row, at in listed
            if names[row] < others[at] and shared[row, at] > 0
        ]
    }


# found by NODE_PATH, which only `require` knows, and loaded as the module that it is
_DOLOS = """
const fs = require('fs'), path = require('path');
(async () => {
  const { Dolos } = await import(require.resolve('@dodona/dolos-lib'));
  const folder = process.argv[1];
  const files = fs.readdirSync(folder).sort().map(name => path.join(folder, name));
  const report = await new Dolos({ language: 'char' }).analyzePaths(files);
  const pairs = report.allPairs().filter(pair => pair.similarity > 0);
  const named = pairs.map(p => [p.leftFile.path, p.rightFile.path].map(one => path.basename(one)));
  console.log(JSON.stringify(named));
})().catch(() => process.exit(1));
"""


def find_by_dolos(folder: str) -> Found:
    """Winnowed fingerprints of characters, in JavaScript."""
    done = subprocess.run(
        ["node", "-e", _DOLOS, folder], capture_output=True, text=True, check=True
    )
    kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return {"pairs": json.loads(done.stdout.splitlines()[-1]), "node_mb": kilobytes / 1024}


def has_dolos() -> bool:
    """Return whether node is here, and finds and loads Dolos: it finds one copy."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("a.txt", "b.txt"):
            (Path(folder) / name).write_text(
                "a text that stands twice in this folder\n" * 9, "utf-8"
            )
        try:
            return bool(find_by_dolos(folder)["pairs"])
        except (OSError, subprocess.CalledProcessError):
            return False


PASSAGES: dict[str, tuple[str, Callable[[str], Found]]] = {
    "Leitong, check": ("", check_by_leitong),
    "copydetect": ("copydetect", find_by_copydetect),
    "dolos-lib, char": ("@dodona/dolos-lib", find_by_dolos),
}


def score_passages(
    rows: dict[str, list[float]], found: dict[str, Pairs], planted: set[tuple[str, str]], size: int
) -> Table:
    """Say how many of the planted stretches each program lists, and in how long a list."""
    ours = next(iter(PASSAGES))
    lines: list[list[Cell]] = []
    for name in PASSAGES:
        if name in found:
            cpu, megabytes = rows[name]
            hits = len(planted & set(found[name]))
            lines.append([name, cpu, cpu / rows[ours][0], megabytes, len(found[name]), hits])
        else:
            lines.append([f"{name} (not installed)", *[None] * 5])
    title = f"Passages in a class of {size:,} essays, {len(planted)} of them planted"
    return Table(["", "CPU, s", "times ours", "peak, MB", "listed", "planted, found"], lines, title)
