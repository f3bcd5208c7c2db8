"""Families of edited copies by topic, built from real texts, for the experiments of two papers.

Both papers count a document of the same topic as "similar". Texts of one topic are not
near-duplicates, so here a family is one piece of text and its edited copies; the other pieces of
its topic, and those of none, are the negatives.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...checking.pipeline import samples
from ...errors import BadInput
from ...model import I64, Bools, Document
from ...text.characters import HAN
from ...text.segment import segmenter
from .calibration import UNRELATED_BELOW, shingle_overlap

RATES = (0.02, 0.05, 0.10, 0.20, 0.30)  # of the words replaced
TOPIC_SIZE, NOISE_SIZE = 1000, 5000  # at scale 1: five topics, and texts of none
PIECE = {"zh": 900, "en": 2400}  # characters, some 400 words
#: folders of the corpora: statutes sort into topics, the others are of none
STATUTES = ("zh_laws_dev/docs", "zh_pan_constructed/src")
OTHERS = ("zh_rust_book/docs", "en_rust_book/docs")
#: topic -> what its statutes talk about; a text whose density is below `DENSE` has none
TOPICS = {
    "education": "教育|学校|教师|学生",
    "housing": "住房|房屋|房地产|物业|土地",
    "medicine": "医疗|卫生|药品|医师|疾病",
    "finance": "银行|保险|证券|金融|税",
    "transport": "交通|道路|车辆|铁路|航空|船舶",
}
DENSE = 0.005
NO_TOPIC = ""
_STRETCH, _TRIES = 60, 5  # characters looked at for a replacement, and how often
_WORD = re.compile(f"[{HAN}]+|[A-Za-z0-9]+(?:['_-][A-Za-z0-9]+)*")


@dataclass(frozen=True, slots=True, eq=False)
class Families:
    """Documents with what is true of them; rows are aligned."""

    documents: tuple[Document, ...]
    topic: tuple[str, ...]  # NO_TOPIC for noise
    family: I64  # (n,) equal for copies of one piece
    rate: I64  # (n,) per cent of words replaced; 0 for a piece as it was
    held_out: Bools  # (n,) False: thresholds are chosen on it; True: everything is counted on it

    def __len__(self) -> int:
        return len(self.documents)


def corpora() -> Path | None:
    """Return the folder of `LEITONG_CORPORA`, or the one beside the checkout, if there."""
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    folder = Path(os.environ.get("LEITONG_CORPORA") or beside)
    return folder if folder.is_dir() else None


def families(root: Path | None = None, *, scale: float = 0.2, seed: int = 1) -> Families:
    """Build the collection.

    Parameters
    ----------
    root
        Folder of the corpora; None: the samples that come with the project, which are few.
    scale
        1 asks for 5 x 1,000 texts of a topic and 5,000 of none; what the corpora cannot give is
        left out.
    seed
        Of every choice: the same seed gives the same texts.

    Notes
    -----
    Raises `BadInput` (`no_corpora`) where there are no texts.

    Of pieces that share 5 % of their 12-character shingles only the first is taken, so that no
    negative pair is a copy.
    """
    draw = random.Random(seed)
    texts = list(_statutes(root) if root else _samples())
    if not texts:
        raise BadInput("no_corpora", path=str(root or "sample_docs"))
    draw.shuffle(texts)
    per_topic = max(2, round(TOPIC_SIZE * scale / (len(RATES) + 1)))
    bases = _chosen(texts, per_topic, max(2, round(NOISE_SIZE * scale)))
    rows: list[tuple[str, str, int, int]] = []
    for number, (topic, text) in enumerate(bases):
        rows.append((text, topic, number, 0))
        if topic != NO_TOPIC:
            pool = [words for other, words in bases if other == topic]
            rows += [
                (edited(text, rate, pool, draw), topic, number, round(100 * rate)) for rate in RATES
            ]
    family = np.array([row[2] for row in rows], np.int64)
    return Families(
        tuple(_document(text, f"{number:05d}-{rate:02d}") for text, _, number, rate in rows),
        tuple(topic for _, topic, _, _ in rows),
        family,
        np.array([row[3] for row in rows], np.int64),
        family % 2 == 1,
    )


def pieces_of(root: Path, folders: Sequence[str], most: int, draw: random.Random) -> list[str]:
    """Return pieces of the texts in some folders, none of them related to another."""
    pieces = [(NO_TOPIC, piece) for _, piece in _statutes(root, folders)]
    draw.shuffle(pieces)
    return [piece for _, piece in _chosen(pieces, 0, most)] if pieces else []


def edited(text: str, rate: float, pool: Sequence[str], draw: random.Random) -> str:
    """Replace a share of the words by words of other texts of the same topic."""
    parts = list(_parts(text))
    places = [place for place, part in enumerate(parts) if _WORD.fullmatch(part)]
    for place in draw.sample(places, round(rate * len(places))):
        parts[place] = _other(parts[place], pool, draw)
    return "".join(parts)


def _other(word: str, pool: Sequence[str], draw: random.Random) -> str:
    """Draw a word from a random place of a random text, of the same script where one is near."""
    for _ in range(_TRIES):
        text = draw.choice(pool)
        start = draw.randrange(max(1, len(text) - _STRETCH))
        words = [part for part in _parts(text[start : start + _STRETCH]) if _WORD.fullmatch(part)]
        fitting = [other for other in words if other.isascii() == word.isascii() and other != word]
        if fitting:
            return draw.choice(fitting)
    return draw.choice(words) if words else word


def _parts(text: str) -> Iterator[str]:
    """Cut a text into words and what stands between them; joined they are the text."""
    at = 0
    for match in _WORD.finditer(text):
        if match.start() > at:
            yield text[at : match.start()]
        yield from [match[0]] if match[0].isascii() else _SEGMENT(match[0])
        at = match.end()
    if at < len(text):
        yield text[at:]


_SEGMENT = segmenter()


def _chosen(texts: Sequence[tuple[str, str]], per_topic: int, noise: int) -> list[tuple[str, str]]:
    """Choose enough pieces of every topic, none of them related to another."""
    wanted: Mapping[str, int] = {
        topic: noise if topic == NO_TOPIC else per_topic for topic, _ in texts
    }
    several = {topic: 2 * count for topic, count in wanted.items()}  # some will be related
    some: list[tuple[str, str]] = []
    for topic, text in texts:
        if several[topic]:
            several[topic] -= 1
            some.append((topic, text))
    related = shingle_overlap([text for _, text in some]) >= UNRELATED_BELOW
    left, chosen = dict(wanted), np.zeros(len(some), np.bool_)
    for row, (topic, _) in enumerate(some):
        if left[topic] and not (related[row] & chosen).any():
            chosen[row] = True
            left[topic] -= 1
    return [some[row] for row in np.flatnonzero(chosen)]


def _statutes(
    root: Path, folders: Sequence[str] = (*STATUTES, *OTHERS)
) -> Iterator[tuple[str, str]]:
    for folder in folders:
        for path in sorted((root / folder).glob("*")):
            text = _clean(path.read_text("utf-8", errors="replace"))
            topic = _topic(text) if folder in STATUTES else NO_TOPIC
            yield from ((topic, piece) for piece in _pieces(text))


def _samples() -> Iterator[tuple[str, str]]:
    """Yield the texts of the samples; each sample collection stands for one topic."""
    folders = samples()
    for name in ("reposts", "essays"):
        for path in folders.get(name, []):
            if path.suffix in (".md", ".txt"):
                topic = path.stem.partition("-")[0] if name == "reposts" else NO_TOPIC
                text = _clean(path.read_text("utf-8", errors="replace"))
                yield from ((topic, piece) for piece in _pieces(text))


def _clean(text: str) -> str:
    text = re.sub(r"<!--.*?-->|[\u200b-\u200f\ufeff#*`>]", "", text, flags=re.DOTALL)
    return re.sub(r"\s+", " ", text).strip()


def _pieces(text: str) -> Iterator[str]:
    size = PIECE["zh" if len(re.findall(f"[{HAN}]", text)) * 5 > len(text) else "en"]
    for start in range(0, len(text) - size + 1, size):
        yield text[start : start + size]


def _topic(text: str) -> str:
    density = {
        topic: len(re.findall(words, text)) / max(1, len(text)) for topic, words in TOPICS.items()
    }
    best = max(density, key=lambda topic: density[topic])
    return best if density[best] >= DENSE else NO_TOPIC


def _document(text: str, name: str) -> Document:
    return Document.from_text(text, name=name)
