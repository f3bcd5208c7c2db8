"""A library of made texts: import, search, disguised copies, a million fingerprints.

    python -m benchmarks.library build LIBRARY --corpora FOLDER --texts 100000
    python -m benchmarks.library planted LIBRARY --corpora FOLDER
    python -m benchmarks.library new LIBRARY --corpora FOLDER --texts 500
    python -m benchmarks.library one LIBRARY --corpora FOLDER --texts 200
    python -m benchmarks.library fingerprints FILE --count 1000000

`build` makes the library, the sources of the planted pairs among its texts. Times are of the wall
clock and, in brackets, of all processors. Each command says what memory it took.
"""

from __future__ import annotations

import argparse
import itertools
import os
import resource
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from simhash_core.library.imports import import_documents

from benchmarks.archive_texts import Archive, stocks_of
from simhash_core.evaluation.batch import document_of
from simhash_core.evaluation.pan import PanPair, detect, read_pairs, tokenized_as_in_check
from simhash_core.library import LibraryIndex, check_against
from simhash_core.model import Document
from simhash_core.passages.tokenized import TokenizedText
from simhash_core.result import CheckResult
from simhash_core.settings import Settings
from simhash_core.simhash.search import BlockIndex, pairs_between
from simhash_core.storage.library import Library, NewText

OWNER = "benchmark"
PLANTED = ("pan13_dev", "zh_pan_constructed")


class Clock:
    """Wall and processor seconds since it was made, children that have ended included."""

    def __init__(self) -> None:
        self.wall, self.processor = time.perf_counter(), _processor()

    def __str__(self) -> str:
        return f"{time.perf_counter() - self.wall:.2f} s ({_processor() - self.processor:.2f})"


def _processor() -> float:
    return sum(os.times()[:4])


def memory() -> str:
    """Return the largest memory of this process and of one of its workers."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    own, child = (resource.getrusage(kind).ru_maxrss / 1024 for kind in kinds)
    return f"peak memory {own:,.0f} MB, of one worker {child:,.0f} MB"


def size_of(path: Path) -> int:
    """Return the bytes of a file, or of a folder."""
    if path.is_dir():
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return path.stat().st_size


def build(options: argparse.Namespace) -> None:
    """Import made texts and the planted sources, then index them."""
    made = Archive(stocks_of(options.corpora), seed=options.seed)
    sources = list({one.name: one for _, one in planted_texts(options.corpora, "src")}.values())
    raw, texts = 0, 0

    def documents() -> Iterator[Document]:
        nonlocal raw, texts
        rest = max(options.texts - len(sources), 0)
        for document in itertools.chain(sources, itertools.islice(made, rest)):
            raw += len(document.text.encode())
            texts += 1
            yield document

    with Library.open(options.library, owner=OWNER, create=True) as library:
        clock = Clock()
        import_documents(library, "archive", documents(), settings=Settings())
        seconds = time.perf_counter() - clock.wall
        print(
            f"import: {texts:,} texts, {raw / 1e6:.1f} MB in {clock}, {texts / seconds:,.0f} a second"
        )
        print(memory())
        clock = Clock()
        index = LibraryIndex.open(library, settings=Settings())
        seconds = time.perf_counter() - clock.wall
        print(f"index: {clock}, {texts / seconds:,.0f} texts a second; "
              f"{len(index.manifest.segments)} segments")  # fmt: skip
        stored, indexed = size_of(options.library), size_of(index.folder.path)
        print(f"file {stored / 1e6:.1f} MB = {stored / raw:.2f} of the texts, index {indexed / 1e6:.1f} MB"
              f" = {indexed / raw:.2f}; {memory()}")  # fmt: skip


def planted_texts(corpora: Path, side: str) -> Iterator[tuple[PanPair, Document]]:
    """Yield the texts of one side of all pairs with a case; names start with the corpus."""
    for root in PLANTED:
        for pair in read_pairs(corpora / root):
            if not pair.group.startswith("01"):
                name = pair.suspicious if side == "susp" else pair.source
                yield pair, document_of(corpora / root / side / name, f"{root}/{name}")


def planted(options: argparse.Namespace) -> None:
    """Check the disguised copies against the library, a class at a time; compare with being told."""
    pairs = {
        (root, pair): (f"{root}/{pair.suspicious}", f"{root}/{pair.source}")
        for root in PLANTED
        for pair in read_pairs(options.corpora / root)
        if not pair.group.startswith("01")
    }
    suspicious = {one.name: one for _, one in planted_texts(options.corpora, "susp")}
    sources = {one.name: one for _, one in planted_texts(options.corpora, "src")}
    names = sorted(suspicious)
    np.random.default_rng(options.seed).shuffle(names)
    names = names[: options.texts]
    found, told, spent, visits = set(), set(), 0.0, []
    with Library.open(options.library, owner=OWNER) as library:
        index = LibraryIndex.open(library, settings=Settings())
        index.archive()
        for low in range(0, len(names), options.batch):
            batch = [suspicious[name] for name in names[low : low + options.batch]]
            clock = Clock()
            result = check_against(batch, library, index=index, compare_inside=False)
            spent += time.perf_counter() - clock.wall
            visits.append(_fact(result, "archive_searched", "visits"))
            found |= listed(result)
            told |= told_pairs(batch, sources, pairs, result)
            print(f"{low + len(batch)} texts: {clock}, {facts(result)}", flush=True)
    groups = sorted({(root, pair.group) for root, pair in pairs})
    total = [0, 0, 0]
    for root, group in (*groups, ("", "reworded")):
        chosen = {
            ends
            for (of_root, pair), ends in pairs.items()
            if ends[0] in names
            and (
                (of_root, pair.group) == (root, group)
                or (not root and not pair.group.startswith("02"))
            )
        }
        total = [len(chosen), len(chosen & told), len(chosen & told & found)]
        print(f"{root:20} {group:28} {total[0]:5} pairs, {total[1]:5} found when told, "
              f"{total[2]:5} of them found: {total[2] / max(total[1], 1):.4f}")  # fmt: skip
    print(f"{spent:.1f} s, {sum(visits):,.0f} postings visited; {memory()}")


def told_pairs(
    batch: Sequence[Document],
    sources: dict[str, Document],
    pairs: dict[tuple[str, PanPair], tuple[str, str]],
    result: CheckResult,
) -> set[tuple[str, str]]:
    """Return the planted pairs of some texts in which the aligner finds something when told."""
    asked, names = {one.name: one for one in batch}, set()
    chosen = {key: ends for key, ends in pairs.items() if ends[0] in asked}
    tokenized: dict[str, TokenizedText] = {}
    for (_, pair), (suspicious, source) in chosen.items():
        tokenized[pair.suspicious] = tokenized_as_in_check(asked[suspicious].text, result.settings)
        tokenized[pair.source] = tokenized_as_in_check(sources[source].text, result.settings)
    by_pair = {pair: ends for (_, pair), ends in chosen.items()}
    detections = detect(
        list(by_pair), tokenized, df=result.frequencies, settings=result.settings, progress=None
    )
    for pair, stretches in detections.items():
        if stretches:
            names.add(by_pair[pair])
    return names


def listed(result: CheckResult) -> set[tuple[str, str]]:
    """Return the names of the pairs with a passage that counts."""
    pairs, names = result.table.pairs, [document.name for document in result.documents]
    rows = np.flatnonzero(result.table.passages)
    return {(names[pairs.left[row]], names[pairs.right[row]]) for row in rows}


def facts(result: CheckResult) -> str:
    """Return what a check looked at and found."""
    searched = next(g.params for g in result.guarantees if g.code == "archive_searched")
    rows = np.flatnonzero(result.table.passages)
    likely = int(np.count_nonzero(result.table.chance[rows] < 1))
    cut = [f"{g.code} {dict(g.params)}" for g in result.guarantees if "left_out" in g.code]
    stages = " ".join(
        f"{name} {seconds:.2f}" for name, seconds in result.timings.items() if seconds > 0.05
    )
    return (
        f"{searched['pairs']:,} candidates, {searched['visits']:,} postings, {len(rows)} pairs with "
        f"passages ({likely} with chance < 1), {len(result.passages)} passages; {stages}; {'; '.join(cut)}"
    )


def _fact(result: CheckResult, code: str, name: str) -> float:
    (params,) = [g.params for g in result.guarantees if g.code == code]
    return float(str(params[name]))


def new(options: argparse.Namespace) -> None:
    """Check new texts, made of real ones that no archive text is made of."""
    documents = _new_texts(options)
    with Library.open(options.library, owner=OWNER) as library:
        index = LibraryIndex.open(library, settings=Settings())
        for inside in (False, True):
            clock = Clock()
            result = check_against(documents, library, index=index, compare_inside=inside)
            print(f"{len(documents)} new texts, inside {inside}: {clock}, {facts(result)}")
    print(memory())


def one(options: argparse.Namespace) -> None:
    """Add one text, then check it, many times over; the library stays as it was."""
    documents, seconds, added = _new_texts(options), [], []
    with Library.open(options.library, owner=OWNER) as library:
        index = LibraryIndex.open(library, settings=Settings())
        check_against(documents[:1], library, index=index)  # opens the segments
        for document in documents[1:]:
            start = time.perf_counter()
            check_against([document], library, index=index)
            seconds.append(time.perf_counter() - start)
        for document in documents[1 : 1 + options.added]:
            start = time.perf_counter()
            (row,) = library.add("added", [NewText(document)])
            check_against([document], library, collections=["archive"], index=index)
            added.append(time.perf_counter() - start)
            library.remove([row.key])
        index.forget()
    for what, times in (("one new text", seconds), ("added and checked", added)):
        middle, worst = np.percentile(times, [50, 99])
        print(f"{what}: median {middle:.3f} s, 99th percentile {worst:.3f} s, of {len(times)}")
    print(memory())


def _new_texts(options: argparse.Namespace) -> list[Document]:
    made = Archive(stocks_of(options.corpora, held_out=True), seed=options.seed, name="new")
    return [made.document(number) for number in range(options.texts)]


def fingerprints(options: argparse.Namespace) -> None:
    """Store fingerprints, load them all, and search them."""
    rng = np.random.default_rng(options.seed)
    words = rng.integers(0, 2**64, (options.count, 4), dtype=np.uint64)
    with Library.open(options.library, owner=OWNER, create=True) as library:
        clock = Clock()
        for low in range(0, options.count, 20_000):
            library.add(
                "prints",
                [
                    NewText(Document.from_text(f"text {row}", name=str(row)), words[row])
                    for row in range(low, min(low + 20_000, options.count))
                ],
            )
        print(f"stored {options.count:,}: {clock}")
        clock = Clock()
        keys, loaded = library.fingerprints()
        print(f"loaded {len(keys):,} x {loaded.shape[1] * 64} bits: {clock}; {memory()}")
    queries = loaded[rng.integers(0, len(loaded), 100)] ^ np.uint64(7)
    pairs_between(queries[:1], loaded, bits=256, k=9)
    times = []
    for query in queries:
        start = time.perf_counter()
        near = pairs_between(query[None], loaded, bits=256, k=61)
        times.append(time.perf_counter() - start)
        assert len(near) >= 1
    middle, worst = np.percentile(times, [50, 99])
    print(
        f"one query within 61 bits, a scan: median {middle * 1e3:.1f} ms, 99th {worst * 1e3:.1f} ms"
    )
    clock = Clock()
    index = BlockIndex.build(loaded, bits=256, k=9)
    print(f"block index for 9 bits: {clock}")
    times = []
    for query in queries:
        start = time.perf_counter()
        index.search(query[None], 9)
        times.append(time.perf_counter() - start)
    middle, worst = np.percentile(times, [50, 99])
    print(
        f"one query within 9 bits: median {middle * 1e3:.2f} ms, 99th {worst * 1e3:.2f} ms; {memory()}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    for run, texts in ((build, 100_000), (planted, 100_000), (new, 500), (one, 200)):
        added = commands.add_parser(run.__name__, help=run.__doc__)
        added.add_argument("library", type=Path)
        added.add_argument("--corpora", type=Path, required=True)
        added.add_argument("--texts", type=int, default=texts)
        added.add_argument("--seed", type=int, default=1)
        added.add_argument("--batch", type=int, default=100)
        added.add_argument("--added", type=int, default=20)
        added.set_defaults(run=run)
    prints = commands.add_parser("fingerprints", help=fingerprints.__doc__)
    prints.add_argument("library", type=Path)
    prints.add_argument("--count", type=int, default=1_000_000)
    prints.add_argument("--seed", type=int, default=1)
    prints.set_defaults(run=fingerprints)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
