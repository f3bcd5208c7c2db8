"""Archives of any size made from real texts, always the same for the same seed.

A text is put together from pieces of two to five real ones of its language; of every piece a share
of the words is replaced by words of the language at large, so that texts have much in common and
yet differ, as those of one paper or one subject do. One in five is an edited version of an earlier
one. Each has an author and a date.
"""

from __future__ import annotations

import datetime
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks._shared import needs
from simhash_core.lab.measurements.pan import read_pairs
from simhash_core.model import Document
from simhash_core.text.tokenize import tokenizer

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
    for root in ("pan13_dev", "zh_pan_constructed"):
        needs.labelled(corpora / root)
    planted = {
        name
        for root in ("pan13_dev", "zh_pan_constructed")
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
