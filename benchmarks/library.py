"""A library of made texts: import, search, disguised copies, a million fingerprints.

    python -m benchmarks library build LIBRARY --corpora FOLDER --texts 100000
    python -m benchmarks library planted LIBRARY --corpora FOLDER
    python -m benchmarks library new LIBRARY --corpora FOLDER --texts 500
    python -m benchmarks library one LIBRARY --corpora FOLDER --texts 200
    python -m benchmarks library fingerprints FILE --count 1000000

`build` makes the library, the sources of the planted pairs among its texts. Times are of the wall
clock and, in brackets, of all processors. Each command says what memory it took.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import os
import random
import re
import resource
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._shared import needs
from simhash_core.checking.pipeline import run_check
from simhash_core.lab.pan import PanPair, detect, document_of, read_pairs, tokenize_as_in_check
from simhash_core.library import LibraryIndex, LibraryScope
from simhash_core.library.imports import import_documents
from simhash_core.model import Document
from simhash_core.result import CheckResult
from simhash_core.settings import Settings
from simhash_core.simhash.search import BlockIndex, pairs_between
from simhash_core.storage.library import Library, prepare
from simhash_core.text.tokenize import tokenizer

OWNER = "benchmark"
Ends = tuple[str, str]  # name of a new text, id of an archive text
PLANTED = ("pan13_dev", "zh_pan_constructed")


# ------------------------------------------------------------------------------ made texts
# A text is put together from pieces of two to five real ones of its language; of every piece a
# share of the words is replaced by words of the language at large, so that texts have much in
# common and yet differ, as those of one paper or one subject do. One in five is an edited version
# of an earlier one. Each has an author and a date, and is always the same for the same seed.


PIECE = {"en": 100, "zh": 90}  # words
RATES = (0.1, 0.4, 0.7, 0.9)  # of replaced words
VERSION_RATES = (0.0, 0.02, 0.1, 0.3)
CHINESE_SHARE, VERSION_SHARE = 0.4, 0.2
AUTHORS = 2_000
FIRST_DAY = datetime.date(2005, 1, 1)
WORD = re.compile(r"\S+\s*")
HAN = re.compile("([\u4e00-\u9fd5]+)")


@dataclass(frozen=True)
class Stock:
    """Pieces of real texts of one language, text by text, and words as often as they occur."""

    texts: list[list[list[str]]]
    words: list[str]

    @classmethod
    def of(cls, texts: Sequence[str], language: str) -> Stock:
        """Cut texts into words, and these into pieces."""
        cut = [words_of(text) for text in texts]
        size = PIECE[language]
        pieces = [
            [words[low : low + size] for low in range(0, len(words) - size // 2, size)]
            for words in cut
        ]
        return cls([text for text in pieces if text], [word for words in cut for word in words])


def words_of(text: str) -> list[str]:
    """Cut a text into pieces that joined again are the text: words with what follows them."""
    pieces: list[str] = []
    for part in HAN.split(text):
        pieces += tokenizer().segment(part) if HAN.fullmatch(part) else WORD.findall(part)
    return pieces


class Archive:
    """Texts number 0, 1, ... of an archive; text n is the same whatever is asked before."""

    def __init__(self, stocks: dict[str, Stock], *, seed: int, name: str = "archive") -> None:
        self.stocks = stocks
        self.seed = f"{seed}/{name}"

    def __iter__(self) -> Iterator[Document]:
        number = 0
        while True:
            yield self.document(number)
            number += 1

    def document(self, number: int) -> Document:
        """Make one text."""
        rng = random.Random(f"{self.seed}/{number}")
        language, words, original = self._words(number)
        text = "".join(words)
        day = FIRST_DAY + datetime.timedelta(days=rng.randrange(7_500))
        if original != number:  # a version is later than what it was made of
            day = max(day, FIRST_DAY + datetime.timedelta(days=7_500 + rng.randrange(400)))
        return Document.from_text(
            text,
            name=f"{language}/{number:07}.txt",
            author=f"author {rng.randrange(AUTHORS)}",
            date=day.isoformat(),
            title="".join(words[:8]).strip(),
        )

    def _words(self, number: int) -> tuple[str, list[str], int]:
        """Return the language and the words of a text, and the number of its original."""
        rng = random.Random(f"{self.seed}/words/{number}")
        if number and rng.random() < VERSION_SHARE:
            original = rng.randrange(number)
            language, words, _ = self._fresh(original)
            others = self.stocks[language].words
            return language, edited(words, rng.choice(VERSION_RATES), others, rng), original
        return self._fresh(number)

    def _fresh(self, number: int) -> tuple[str, list[str], int]:
        """Return a text made of real ones."""
        rng = random.Random(f"{self.seed}/fresh/{number}")
        language = "zh" if rng.random() < CHINESE_SHARE else "en"
        stock, words = self.stocks[language], []
        for _ in range(rng.randint(2, 5)):
            pieces = rng.choice(stock.texts)
            piece = rng.choice(pieces)
            words += edited(piece, rng.choice(RATES), stock.words, rng)
        return language, words, number


def edited(words: list[str], rate: float, others: list[str], rng: random.Random) -> list[str]:
    """Replace words with probability `rate`."""
    return [rng.choice(others) if rng.random() < rate else word for word in words]


def stocks_of(corpora: Path, *, held_out: bool = False) -> dict[str, Stock]:
    """Read the texts that archives are made of, or the tenth of them that is kept aside.

    No text that a planted pair refers to is among them.
    """
    for root in PLANTED:
        needs.labelled(corpora / root)
    planted = {
        name
        for root in PLANTED
        for pair in read_pairs(corpora / root)
        if not pair.group.startswith("01")
        for name in (pair.suspicious, pair.source)
    }
    folders = {
        "en": (
            corpora / "pan13_dev/src",
            corpora / "pan13_dev/susp",
            corpora / "en_rust_book/docs",
        ),
        "zh": (corpora / "zh_laws_dev/docs", corpora / "zh_rust_book/docs"),
    }
    stocks = {}
    for language, places in folders.items():
        paths = [path for place in places for path in sorted(place.rglob("*")) if path.is_file()]
        free = [path for path in paths if path.name not in planted]
        chosen = [path for n, path in enumerate(free) if (n % 10 == 0) == held_out]
        stocks[language] = Stock.of(
            [path.read_text("utf-8", errors="replace") for path in chosen], language
        )
    return stocks


# ------------------------------------------------------------------------------ measurements


class Clock:
    """Wall and processor seconds since it was made, children that have ended included."""

    def __init__(self) -> None:
        self.wall, self.processor = time.perf_counter(), _processor()

    @property
    def seconds(self) -> float:
        """Wall seconds."""
        return time.perf_counter() - self.wall

    @property
    def processor_seconds(self) -> float:
        """Seconds of all processors."""
        return _processor() - self.processor

    def __str__(self) -> str:
        return f"{self.seconds:.2f} s ({self.processor_seconds:.2f})"


def _processor() -> float:
    return sum(os.times()[:4])


def memory() -> str:
    """Return the largest memory of this process and of one of its workers."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    parent, child = (resource.getrusage(kind).ru_maxrss / 1024 for kind in kinds)
    return f"peak memory {parent:,.0f} MB, of one worker {child:,.0f} MB"


def say(*parts: object) -> None:
    """Print a line at once."""
    print(", ".join(map(str, parts)), flush=True)


def milliseconds(middle: float, worst: float) -> str:
    """Write seconds."""
    return f"median {middle * 1e3:.2f} ms, 99th percentile {worst * 1e3:.2f} ms"


def size_of(path: Path) -> int:
    """Return the bytes of a file, or of a folder."""
    if path.is_dir():
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return path.stat().st_size


def build(options: argparse.Namespace) -> None:
    """Import made texts and the planted sources, then index them."""
    made = Archive(stocks_of(options.corpora), seed=options.seed)
    sources = list(corpus_texts(options.corpora, "src").values())
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
        rate = texts / clock.seconds
        say(
            f"import: {texts:,} texts, {raw / 1e6:.1f} MB", clock, f"{rate:,.0f} a second", memory()
        )
        clock = Clock()
        index = _opened(library)
        rate = texts / clock.seconds
        say(
            "index",
            clock,
            f"{rate:,.0f} a second",
            f"{len(index.folder.manifest().segments)} segments",
        )
        for what, path in (("file", options.library), ("index", index.folder.path)):
            size = size_of(path)
            say(f"{what} {size / 1e6:.1f} MB = {size / raw:.2f} of the texts")
        say(memory())


def corpus_texts(corpora: Path, side: str) -> dict[str, Document]:
    """Return one side of all planted pairs by name; names start with the corpus."""
    for root in PLANTED:
        needs.labelled(corpora / root)
    return {
        f"{root}/{name}": document_of(corpora / root / side / name, f"{root}/{name}")
        for root in PLANTED
        for pair in cases(corpora / root)
        for name in [pair.suspicious if side == "susp" else pair.source]
    }


def cases(root: Path) -> list[PanPair]:
    """Return the pairs of a corpus that share something."""
    return [pair for pair in read_pairs(root) if not pair.group.startswith("01")]


def planted_pairs(corpora: Path, sources: dict[str, Document]) -> list[PanPair]:
    """Return all planted pairs; the source is named by its id, since equal texts are one text."""
    return [
        PanPair(
            f"{root} {pair.group}", f"{root}/{pair.suspicious}", sources[f"{root}/{pair.source}"].id
        )
        for root in PLANTED
        for pair in cases(corpora / root)
    ]


def planted(options: argparse.Namespace) -> None:
    """Check the disguised copies against the library, a class at a time, and when told."""
    suspicious, by_name = (corpus_texts(options.corpora, side) for side in ("susp", "src"))
    sources = {one.id: one for one in by_name.values()}
    names = sorted(suspicious)
    np.random.default_rng(options.seed).shuffle(names)
    names = names[: options.texts]
    pairs = [p for p in planted_pairs(options.corpora, by_name) if p.suspicious in set(names)]
    in_check: set[Ends] = set()
    when_told: set[Ends] = set()
    spent, visits = 0.0, 0
    with Library.open(options.library, owner=OWNER) as library:
        index = _opened(library)
        run_check(
            [suspicious[names[0]]], LibraryScope(library=library, index=index)
        )  # opens the segments
        for low in range(0, len(names), options.batch):
            batch = {name: suspicious[name] for name in names[low : low + options.batch]}
            clock = Clock()
            result = run_check(
                list(batch.values()), LibraryScope(library=library, index=index, inside=False)
            )
            spent += clock.seconds
            visits += int(searched(result)["visits"])
            say(f"{low + len(batch)} texts", clock, facts(result))
            in_check |= listed(result)
            when_told |= told_pairs(batch, sources, pairs, result)
    for group in sorted({pair.group for pair in pairs}):
        score(group, [pair for pair in pairs if pair.group == group], when_told, in_check)
    disguised = [pair for pair in pairs if not pair.group.split(" ")[1].startswith("02")]
    score("all but verbatim", disguised, when_told, in_check)
    say(f"{spent:.1f} s", f"{visits:,} postings visited", memory())


def score(what: str, pairs: Sequence[PanPair], when_told: set[Ends], in_check: set[Ends]) -> None:
    """Print how many of the pairs that are found when told the search finds."""
    asked = {(pair.suspicious, pair.source) for pair in pairs}
    expected = when_told & asked
    share = len(expected & in_check) / max(len(expected), 1)
    say(f"{what:48}{len(asked):5} pairs", f"told {len(expected):5}", f"of them found {share:.4f}")


def told_pairs(
    batch: dict[str, Document],
    sources: dict[str, Document],
    pairs: Sequence[PanPair],
    result: CheckResult,
) -> set[Ends]:
    """Return the planted pairs of some texts in which the aligner finds something when told."""
    asked = [pair for pair in pairs if pair.suspicious in batch]
    texts = {pair.suspicious: batch[pair.suspicious] for pair in asked}
    texts |= {pair.source: sources[pair.source] for pair in asked}
    tokenized = {
        name: tokenize_as_in_check(one.text, result.settings) for name, one in texts.items()
    }
    detections = detect(asked, tokenized, df=result.frequencies, settings=result.settings)
    return {(pair.suspicious, pair.source) for pair, of_pair in detections.items() if of_pair}


def listed(result: CheckResult) -> set[Ends]:
    """Return name and id of the pairs with a passage that counts."""
    pairs, documents = result.table.pairs, result.documents
    rows = np.flatnonzero(result.table.passages)
    return {(documents[pairs.left[row]].name, documents[pairs.right[row]].id) for row in rows}


def searched(result: CheckResult) -> dict[str, Any]:
    """Return what a search says of itself."""
    return next(dict(g.params) for g in result.guarantees if g.code == "archive_searched")


def facts(result: CheckResult) -> str:
    """Return what a check looked at and found."""
    rows = np.flatnonzero(result.table.passages)
    likely = int(np.count_nonzero(result.table.chance[rows] < 1))
    parts = (
        f"{searched(result)['pairs']:,} candidates",
        f"{searched(result)['visits']:,} postings",
        f"{len(rows)} pairs with passages ({likely} with chance < 1)",
        f"{len(result.passages)} passages",
        " ".join(f"{name} {spent:.2f}" for name, spent in result.timings.items()),
        *(f"{g.code} {dict(g.params)}" for g in result.guarantees if "left_out" in g.code),
    )
    return ", ".join(parts)


def new(options: argparse.Namespace) -> None:
    """Check new texts, made of real ones that no archive text is made of."""
    documents = _new_texts(options)
    with Library.open(options.library, owner=OWNER) as library:
        index = _opened(library)
        for inside in (False, True):
            clock = Clock()
            result = run_check(documents, LibraryScope(library=library, index=index, inside=inside))
            say(f"{len(documents)} new texts, inside {inside}", clock, facts(result))
    say(memory())


def _opened(library: Library) -> LibraryIndex:
    """Return the index of a library, brought up to date."""
    index = LibraryIndex(library, settings=Settings())
    index.refresh()
    return index


def one(options: argparse.Namespace) -> None:
    """Check one text, many times over; then add one and check it. The library stays as it was."""
    documents = _new_texts(options)
    checked, added = [], []
    with Library.open(options.library, owner=OWNER) as library:
        index = _opened(library)
        for document in documents:
            clock = Clock()
            run_check([document], LibraryScope(library=library, index=index))
            checked.append((clock.seconds, clock.processor_seconds))
        for document in documents[: options.added]:
            clock = Clock()
            (row,) = library.add("added", [prepare(document)])
            run_check(
                [document], LibraryScope(library=library, collections=["archive"], index=index)
            )
            added.append((clock.seconds, clock.processor_seconds))
            library.remove([row.key])
    # the first opens the segments and loads compiled loops
    for what, times in (("one new text", checked[1:]), ("added and checked", added)):
        for kind, seconds in zip(("wall", "processor"), zip(*times, strict=True), strict=True):
            say(f"{what}, {kind}", milliseconds(*np.percentile(seconds, [50, 99])), len(times))
    say(memory())


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
                    prepare(Document.from_text(f"text {row}", name=str(row)), words[row])
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
    say("one query within 61 bits, a scan", milliseconds(middle, worst))
    clock = Clock()
    index = BlockIndex.build(loaded, bits=256, k=9)
    print(f"block index for 9 bits: {clock}")
    times = []
    for query in queries:
        start = time.perf_counter()
        index.search(query[None], 9)
        times.append(time.perf_counter() - start)
    middle, worst = np.percentile(times, [50, 99])
    say("one query within 9 bits", milliseconds(middle, worst), memory())


def main(arguments: Sequence[str] | None = None) -> None:
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
    options = parser.parse_args(arguments)
    options.run(options)


if __name__ == "__main__":
    main()
