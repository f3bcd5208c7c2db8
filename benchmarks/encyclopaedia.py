"""A library of a million articles: import, stops, planted paragraphs, one new text.

    python -m benchmarks encyclopaedia dump DUMP --corpora FOLDER --articles 1000000
    python -m benchmarks encyclopaedia build LIBRARY DUMP
    python -m benchmarks encyclopaedia index LIBRARY
    python -m benchmarks encyclopaedia essays LIBRARY --corpora FOLDER --texts 300
    python -m benchmarks encyclopaedia one LIBRARY --corpora FOLDER --texts 200
    python -m benchmarks encyclopaedia kills FOLDER DUMP --kills 20

`build` goes on where it was stopped. Seconds are of all processors and, in brackets, of the clock.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import itertools
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
import psutil
import xxhash

from benchmarks.archive_texts import Archive, Stock, edited, stocks_of, words_of
from benchmarks.library import Clock, facts, memory, milliseconds, say, size_of
from simhash_core.errors import StoreError
from simhash_core.library import Imported, LibraryIndex, check_against, update_index
from simhash_core.library.imports import import_stream, resume
from simhash_core.library.segments import Segment
from simhash_core.model import I64, Document
from simhash_core.result import CheckResult
from simhash_core.settings import Settings
from simhash_core.storage.library import ROW_KEY, Library

OWNER = "benchmark"
COLLECTION = "encyclopaedia"

# --------------------------------------------------------------------------- articles

BLOCK = 1000  # articles that are drawn together
WORDS = {"en": 140, "zh": 470}  # of an article, about 1,000 characters
RUN = (4, 13)  # words that follow each other as in some real text: at least, below
PARAGRAPHS, LISTED = 3, 4
LINKED = 0.05  # share of the words that are links
CHINESE_SHARE = 0.4
#: signs of wikitext in words of the corpora, which would make other articles of them, and those
#: that XML does not have
_CONTROLS = (chr(code) for code in (*range(32), 0xFFFE, 0xFFFF))
_SIGNS = str.maketrans(dict.fromkeys((*_CONTROLS, *"[]{}|<>='*#:;&_~-"), " "))
_HEAD = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">\n'
    "<siteinfo><sitename>Encyclopaedia</sitename><base>https://example.org/wiki/Main_Page</base>"
    "<case>first-letter</case></siteinfo>\n"
)
_LEAD = {
    "en": (
        "'''{title}''' is a village in the district of {place}. At the census of {year} it had"
        " {number} inhabitants.",
        "'''{title}''' (born {year}) is a retired player of {place} who played {number} matches.",
        "'''{title}''' is a species of beetle of the family {place}, described in {year}.",
        "'''{title}''' was the {number}th season of {place}, held in {year}.",
    ),
    "zh": (
        "'''{title}'''是{place}下辖的一个村，{year}年人口普查时有居民{number}人。",
        "'''{title}'''（{year}年生），{place}退役运动员，共出场{number}次。",
        "'''{title}'''是{place}科的一种甲虫，于{year}年首次描述。",
        "'''{title}'''是{place}的第{number}届，于{year}年举行。",
    ),
}
_PARTS = {"en": ("History", "See also", "Category"), "zh": ("历史", "参见", "分类")}


@dataclass(frozen=True)
class Words:
    """The words of one language as they follow each other, and the same as links behind them."""

    pool: list[str]

    @classmethod
    def of(cls, stock: Stock) -> Words:
        """Take the words of a stock, without the signs of wikitext."""
        blank = [word.translate(_SIGNS) for word in stock.words]
        words = [word for word in blank if word.strip()]
        return cls([*words, *(f"[[{word.strip()}]]{_end(word)}" for word in words)])

    def __len__(self) -> int:
        return len(self.pool) // 2


def _end(word: str) -> str:
    return word[len(word.rstrip()) :]


class Encyclopaedia:
    """Pages number 0, 1, ... of a dump, always the same for the same seed.

    A page has a template, a lead in one of a few forms, paragraphs of short runs of real text, a
    list, links, notes and a category; every 25th is a redirect or a page of talk.
    """

    def __init__(self, stocks: dict[str, Stock], *, seed: int) -> None:
        self.words = {language: Words.of(stock) for language, stock in stocks.items()}
        self.seed = seed

    def pages(self, articles: int) -> Iterator[str]:
        """Yield the pages of so many articles, and those that are none between them."""
        blocks = (self.block(number) for number in itertools.count())
        for n, page in enumerate(itertools.islice(itertools.chain.from_iterable(blocks), articles)):
            yield page
            if n % 25 == 0:
                yield _page(f"Talk:{n}", n, 1, "About ''this''.", "2020-01-01")
            elif n % 25 == 13:
                yield _page(f"Other {n}", n, 0, f"#REDIRECT [[{n}]]", "2020-01-01")

    def block(self, number: int) -> list[str]:
        """Make the pages of `BLOCK` articles."""
        rng = np.random.default_rng([self.seed, number])
        is_zh = rng.random(BLOCK) < CHINESE_SHARE
        drawn = {
            language: iter(
                self._runs(rng, language, int(np.count_nonzero(is_zh == (language == "zh"))))
            )
            for language in ("en", "zh")
        }
        facts = rng.integers(0, [2000, 4, 9000, 7500], (BLOCK, 4)).tolist()
        return [
            self._article(number * BLOCK + n, "zh" if zh else "en", drawn, *facts[n])
            for n, zh in enumerate(is_zh.tolist())
        ]

    def _runs(self, rng: np.random.Generator, language: str, articles: int) -> list[list[str]]:
        """Draw the words of some articles, each a number of short runs; some are links."""
        words = self.words[language]
        most = WORDS[language] // RUN[0] + 1
        sizes = rng.integers(*RUN, (articles, most))
        starts = rng.integers(0, len(words) - RUN[1], (articles, most))
        sizes[np.cumsum(sizes, axis=1) > WORDS[language] * rng.uniform(0.5, 1.5, (articles, 1))] = 0
        flat = sizes.ravel()
        before = np.cumsum(flat) - flat
        place = np.repeat(starts.ravel() - before, flat) + np.arange(flat.sum())
        place[rng.random(len(place)) < LINKED] += len(words)
        text = list(map(words.pool.__getitem__, place.tolist()))
        ends = np.cumsum(sizes.sum(axis=1)).tolist()
        return [text[low:high] for low, high in zip([0, *ends], ends, strict=False)]

    def _article(
        self,
        number: int,
        language: str,
        drawn: dict[str, Iterator[list[str]]],
        year: int,
        form: int,
        count: int,
        day: int,
    ) -> str:
        words = next(drawn[language])
        title = f"{''.join(words[:2]).strip()} {number}".translate(_SIGNS).strip()
        place = "".join(words[2:4]).strip()
        history, also, category = _PARTS[language]
        lead = _LEAD[language][form].format(title=title, place=place, year=year, number=count)
        listed = [f"* {word.strip()}" for word in words[4 : 4 + LISTED] if word.strip()]
        cuts = [len(words) * n // PARAGRAPHS for n in range(PARAGRAPHS + 1)]
        first, *others = ("".join(words[low:high]) for low, high in itertools.pairwise(cuts))
        lines = (
            f"{{{{Infobox\n| name = {title}\n| year = {year}\n| area = {count} km\n}}}}",
            f"{lead} {first}<ref>{{{{cite web |title={place} |year={year}}}}}</ref>",
            f"== {history} ==",
            *(f"{text}\n" for text in others),
            f"== {also} ==",
            *listed,
            f"[[{category}:{place}]]" if language == "zh" else f"[[Category:{place}]]",
        )
        date = datetime.date(2005, 1, 1) + datetime.timedelta(days=day)
        return _page(title, number, 0, "\n".join(lines), date.isoformat())


def _page(title: str, number: int, space: int, text: str, day: str) -> str:
    return (
        f"<page><title>{escape(title)}</title><ns>{space}</ns><id>{number}</id><revision>"
        f"<id>{number}</id><timestamp>{day}T00:00:00Z</timestamp><model>wikitext</model>"
        f'<format>text/x-wiki</format><text xml:space="preserve">{escape(text)}</text>'
        "</revision></page>\n"
    )


def dump(options: argparse.Namespace) -> None:
    """Write a dump."""
    clock = Clock()
    made = Encyclopaedia(stocks_of(options.corpora), seed=options.seed)
    unfinished = options.dump.with_suffix(".part")
    with unfinished.open("w", encoding="utf-8") as file:
        file.write(_HEAD)
        file.writelines(made.pages(options.articles))
        file.write("</mediawiki>\n")
    unfinished.replace(options.dump)
    say(f"{options.articles:,} articles, {size_of(options.dump) / 1e6:,.0f} MB", clock, memory())


# --------------------------------------------------------------------------- import


class Watch:
    """Processor seconds and memory of this process and its workers since it was made."""

    def __init__(self) -> None:
        self.begun, self.clock = self._seconds(), time.perf_counter()
        self.said = self.clock
        self.most = 0.0

    def _seconds(self) -> float:
        """Return the processor seconds of this process, its workers and those that have ended."""
        return sum(os.times()[:4]) + sum(sum(one.cpu_times()[:2]) for one in self._workers())

    @staticmethod
    def _workers() -> list[psutil.Process]:
        return psutil.Process().children(recursive=True)

    def megabytes(self) -> float:
        """Return what this process and its workers hold together; pages they share count twice."""
        every = (psutil.Process(), *self._workers())
        held = sum(one.memory_info().rss for one in every) / 2**20
        self.most = max(self.most, held)
        return held

    def step(self, stage: str, done: int, total: int) -> None:
        """Say twice a minute how far it is."""
        if time.perf_counter() - self.said > 30:
            self.said = time.perf_counter()
            say(f"{stage} {done:,} of about {total:,}", self, f"{self.megabytes():,.0f} MB")

    @property
    def processor(self) -> float:
        """Seconds of all processors."""
        return self._seconds() - self.begun

    @property
    def wall(self) -> float:
        """Seconds of the clock."""
        return time.perf_counter() - self.clock

    def __str__(self) -> str:
        return f"{self.processor:,.1f} s ({self.wall:,.1f})"


def build(options: argparse.Namespace) -> None:
    """Import a dump and index it, from where it was stopped."""
    with Library.open(options.library, owner=OWNER, create=True) as library:
        watch = Watch()
        before = library.stats().texts
        jobs, done = library.jobs(), Imported()
        if not jobs:
            done = import_stream(library, COLLECTION, options.dump, progress=watch.step)
        elif jobs[0].state != "done":
            done = resume(library, jobs[0].id, progress=watch.step)
        watch.megabytes()
        texts, chars = library.stats().texts, library.stats().chars
        say(
            f"import: {texts - before:,} more texts, {texts:,} in all",
            f"{chars / max(texts, 1):.0f} characters each",
            f"{done.present:,} present, {len(done.skipped):,} skipped, {done.passed:,} passed by",
            watch,
            f"peak of all processes {watch.most:,.0f} MB, {memory()}",
        )
        if options.index:
            make_index(library)


def index(options: argparse.Namespace) -> None:
    """Index what a library holds by now, from where that was stopped."""
    with Library.open(options.library, owner=OWNER) as library:
        make_index(library)


def make_index(library: Library) -> None:
    """Take up the texts of a library, and say what that cost."""
    watch, chars = Watch(), library.stats().chars
    added = update_index(library, progress=watch.step)
    watch.megabytes()
    made = LibraryIndex(library, settings=Settings())
    say(
        f"index: {added:,} more texts, {len(made.manifest.segments)} segments",
        f"{size_of(made.folder.path) / chars:.2f} bytes a character",
        f"store {size_of(library.path or Path()) / chars:.2f}",
        watch,
        f"peak of all processes {watch.most:,.0f} MB, {memory()}",
    )


# --------------------------------------------------------------------------- questions


@dataclass(frozen=True)
class Planted:
    """A new essay with a paragraph of an article in it, of which a share of the words is changed.

    The paragraph stands at the characters `first` to `last`; `key` is that of the article.
    """

    document: Document
    key: int
    rate: float
    first: int
    last: int


RATES = (0.0, 0.2, 0.5)
PARAGRAPH = {"en": 250, "zh": 110}  # characters of a paragraph that is planted, at least


def planted_essays(
    library: Library, keys: I64, stocks: dict[str, Stock], count: int, seed: int
) -> list[Planted]:
    """Return essays of texts that no article is made of, each with a paragraph of some article."""
    rng, made = random.Random(seed), Archive(stocks, seed=seed, name="new")
    planted: list[Planted] = []
    numbers = itertools.count()
    while len(planted) < count:
        essay = made.document(next(numbers))
        language = essay.name.partition("/")[0]
        (article,) = library.documents([int(rng.choice(keys))])
        parts = [line for line in article.text.splitlines() if len(line) >= PARAGRAPH[language]]
        if not parts or article.language != language:
            continue
        rate = RATES[len(planted) % len(RATES)]
        words = edited(words_of(rng.choice(parts)), rate, stocks[language].words, rng)
        paragraph, at = "".join(words), len(essay.text) // 2
        before = f"{essay.text[:at]}\n\n"
        document = Document.from_text(
            f"{before}{paragraph}\n\n{essay.text[at:]}", name=f"{len(planted)}.txt"
        )
        last = len(before) + len(paragraph)
        planted.append(Planted(document, int(article.meta[ROW_KEY]), rate, len(before), last))
    return planted


def essays(options: argparse.Namespace) -> None:
    """Check new essays with planted paragraphs: what is found, and what else is listed."""
    with Library.open(options.library, owner=OWNER) as library:
        stocks = stocks_of(options.corpora, held_out=True)
        index = LibraryIndex.open(library, settings=Settings())
        keys = index.archive().key
        planted = planted_essays(library, keys, stocks, options.texts, options.seed)
        watch = Watch()
        check_against([planted[0].document], library, index=index)
        say(f"first check of {len(keys):,} articles, what chance gives learnt", watch)
        watch = Watch()
        reached: set[int] = set()
        alike = elsewhere = doubtful = 0
        for low in range(0, len(planted), options.batch):
            batch = planted[low : low + options.batch]
            result = check_against(
                [one.document for one in batch], library, index=index, compare_inside=False
            )
            watch.megabytes()
            for number, key, inside, chance in _findings(batch, result):
                if key == batch[number].key and inside:
                    reached.add(low + number)
                elif inside:
                    alike += 1
                else:
                    elsewhere += 1
                    doubtful += chance >= 1
            say(f"{low + len(batch)} essays", watch, f"{watch.megabytes():,.0f} MB", facts(result))
        for rate in RATES:
            of_rate = {n for n, one in enumerate(planted) if one.rate == rate}
            share = f"{len(of_rate & reached)} of {len(of_rate)}"
            say(f"{rate:.0%} of the words replaced: {share} sources found")
        say(
            f"pairs with a passage outside what was planted: {elsewhere}",
            f"{doubtful} of them as likely by chance",
            f"within it, of another article: {alike}",
        )
        say(
            f"{len(planted)} essays", watch, f"peak of all processes {watch.most:,.0f} MB", memory()
        )


def _findings(
    batch: Sequence[Planted], result: CheckResult
) -> Iterator[tuple[int, int, bool, float]]:
    """Yield each listed pair: essay, key, whether a passage lies in what was planted, chance."""
    table, passages = result.table, result.passages
    for row in np.flatnonzero(table.passages).tolist():
        number = int(table.pairs.left[row])
        key = int(result.documents[int(table.pairs.right[row])].meta[ROW_KEY])
        one, of_row = batch[number], np.flatnonzero((passages.pair == row) & ~passages.weak)
        first = np.maximum(passages.a_start[of_row], one.first)
        last = np.minimum(passages.a_end[of_row], one.last)
        size = passages.a_end[of_row] - passages.a_start[of_row]
        inside = bool(np.any(2 * (last - first) >= size))
        yield number, key, inside, float(table.chance[row])


def one(options: argparse.Namespace) -> None:
    """Check one new text, many times over."""
    made = Archive(stocks_of(options.corpora, held_out=True), seed=options.seed, name="new")
    documents = [made.document(number) for number in range(options.texts)]
    with Library.open(options.library, owner=OWNER) as library:
        index = LibraryIndex.open(library, settings=Settings())
        checked = []
        for document in documents:
            watch = Watch()
            check_against([document], library, index=index)
            checked.append((watch.wall, watch.processor))
    # the first opens the segments
    for kind, seconds in zip(("wall", "processor"), zip(*checked[1:], strict=True), strict=True):
        say(f"one new text, {kind}", milliseconds(*np.percentile(seconds, [50, 99])), len(seconds))
    say(memory())


# --------------------------------------------------------------------------- stops


def kills(options: argparse.Namespace) -> None:
    """Kill an import again and again; the library is then as one that was imported in one go."""
    options.folder.mkdir(exist_ok=True)
    stopped, whole = (options.folder / f"{name}.library" for name in ("stopped", "whole"))
    subprocess.run(_build(whole, options.dump), check=True)
    with Library.open(whole, owner=OWNER) as library:
        last = library.newest()
    points = [last * (n + 1) // (options.kills + 1) for n in range(options.kills)]
    of_index = points[3::4]  # every fourth while the index is made
    for point in (*(one for one in points if one not in of_index), *of_index):
        with subprocess.Popen(_build(stopped, options.dump), stdout=subprocess.DEVNULL) as process:
            while process.poll() is None and _reached(stopped, point in of_index) < point:
                time.sleep(0.002)
            process.kill()
        say(f"killed at {point:,}", f"{_reached(stopped, False):,} articles stored")
    subprocess.run(_build(stopped, options.dump), check=True)
    with (
        Library.open(stopped, owner=OWNER) as one,
        Library.open(whole, owner=OWNER) as other,
    ):
        same = _contents(one) == _contents(other)
        damage = [*one.verify(), *LibraryIndex(one, settings=Settings()).verify()]
    say(f"{options.kills} kills", f"equal to one import: {same}", f"damaged: {len(damage)}")


def _build(library: Path, dump: Path) -> list[str]:
    return [sys.executable, "-m", "benchmarks.encyclopaedia", "build", str(library), str(dump)]


def _reached(path: Path, of_index: bool) -> int:
    """Return the newest key in a library, or in its index."""
    try:
        with Library.open(path, owner=OWNER) as library:
            if of_index:
                return LibraryIndex(library, settings=Settings()).manifest.upto
            return library.newest()
    except StoreError:  # it is being made
        return 0


def _contents(library: Library) -> tuple[object, ...]:
    """Return what a library and its index hold, but for the time of the import."""
    rows = [(one.key, one.id, one.name, one.date, one.url) for one in library.rows()]
    prints = library.fingerprints()
    segments = LibraryIndex.open(library, settings=Settings()).archive().segments
    arrays = functools.reduce(Segment.merged, segments).to_arrays()
    held = {name: xxhash.xxh3_64_hexdigest(array.tobytes()) for name, array in arrays.items()}
    jobs = [(job.state, job.items, job.added, job.skipped) for job in library.jobs()]
    return rows, prints[0].tolist(), prints[1].tobytes(), held, jobs


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    made = commands.add_parser("dump", help=dump.__doc__)
    made.add_argument("dump", type=Path)
    made.add_argument("--articles", type=int, default=1_000_000)
    made.set_defaults(run=dump)
    built = commands.add_parser("build", help=build.__doc__)
    built.add_argument("library", type=Path)
    built.add_argument("dump", type=Path)
    built.add_argument("--no-index", dest="index", action="store_false")
    built.set_defaults(run=build)
    indexed = commands.add_parser("index", help=index.__doc__)
    indexed.add_argument("library", type=Path)
    indexed.set_defaults(run=index)
    killed = commands.add_parser("kills", help=kills.__doc__)
    killed.add_argument("folder", type=Path)
    killed.add_argument("dump", type=Path)
    killed.add_argument("--kills", type=int, default=20)
    killed.set_defaults(run=kills)
    asked = [(essays, 300), (one, 200)]
    for run, texts in asked:
        command = commands.add_parser(run.__name__, help=run.__doc__)
        command.add_argument("library", type=Path)
        command.add_argument("--texts", type=int, default=texts)
        command.add_argument("--batch", type=int, default=100)
        command.set_defaults(run=run)
    for command in (made, *(commands.choices[run.__name__] for run, _ in asked)):
        command.add_argument("--corpora", type=Path, required=True)
        command.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    options.run(options)


if __name__ == "__main__":
    main()
