"""Batches of made-up texts whose relations are planted, the same on every machine.

Unrelated texts are composed of pieces of three words (of four Chinese characters) of the sample
texts: real vocabulary in real proportions, and hardly a phrase in common between two of them.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[2] / "sample_docs"
LANGUAGES = ("en", "zh")
SIZES = (25, 120, 350)
#: relations that no check promises to list: what becomes of them is stored
EDGE = ("50 % of the words replaced", "one sentence", "one reworded paragraph")
SHARED_BY = 15  # texts that hold one paragraph, in the batches that are large enough
CODE = re.compile(r"```.*?```", re.DOTALL)
HAN = re.compile(r"[\u4e00-\u9fff]+")
WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?")
UNITS = {
    "en": re.compile(rf"{WORD.pattern}|[^A-Za-z]+"),
    "zh": re.compile(r"[\u4e00-\u9fff]{1,2}|[^\u4e00-\u9fff]+"),
}


@dataclass(frozen=True, slots=True)
class Collection:
    """Texts by name, and the pairs that share something with what they share, (a, b) sorted."""

    texts: dict[str, str] = field(default_factory=dict)
    relations: dict[tuple[str, str], str] = field(default_factory=dict)

    def relate(self, names: Iterable[str], relation: str) -> None:
        """State what every two of some texts have in common."""
        for a, b in combinations(sorted(names), 2):
            self.relations[a, b] = relation

    def digest(self) -> str:
        """Return a name of the texts, to tell a changed generator from a changed check."""
        return hashlib.sha256(repr(sorted(self.texts.items())).encode()).hexdigest()[:12]


@cache
def pieces(language: str) -> tuple[str, ...]:
    """Return the distinct pieces of the sample texts of one language."""
    collected: set[str] = set()
    for path in sorted([*(SAMPLES / "sources").glob("*.txt"), *(SAMPLES / "reposts").glob("*.md")]):
        text = CODE.sub("\n", path.read_text("utf-8"))
        if language == "zh":
            runs = HAN.findall(text)
            collected |= {run[i : i + 4] for run in runs for i in range(0, len(run) - 3, 4)}
        elif len(HAN.findall(text)) < 5:
            for sentence in re.split(r"[.!?]\s|\n\n", text):
                words = WORD.findall(sentence)
                collected |= {" ".join(words[i : i + 3]) for i in range(0, len(words) - 2, 3)}
    return tuple(sorted(collected))


class Writer:
    """Writes texts of one language, `en` or `zh`; the same seed writes the same texts."""

    def __init__(self, language: str, seed: str) -> None:
        self.language = language
        self.rng = random.Random(f"{seed} {language}")

    def sentence(self) -> str:
        """Return four to six pieces."""
        chosen = self.rng.sample(pieces(self.language), self.rng.randint(4, 6))
        if self.language == "zh":
            return "".join(chosen[:2]) + "，" + "".join(chosen[2:]) + "。"
        joined = " ".join(chosen)
        return joined[0].upper() + joined[1:] + "."

    def paragraph(self, sentences: int = 4) -> str:
        """Return one paragraph: about 60 words, or 80 characters."""
        return ("" if self.language == "zh" else " ").join(
            self.sentence() for _ in range(sentences)
        )

    def text(self, *given: str) -> str:
        """Return a text of three or four paragraphs, the given ones among them."""
        written = [self.paragraph() for _ in range(self.rng.randint(3, 4) - len(given))]
        paragraphs = [*written, *given]
        self.rng.shuffle(paragraphs)
        return "\n\n".join(paragraphs)

    def reworded(self, text: str, share: float) -> str:
        """Return a text with a share of its words (Chinese: of two characters) replaced."""
        units = UNITS[self.language].findall(text)
        places = [i for i, unit in enumerate(units) if unit[0].isalpha()]
        for place in self.rng.sample(places, round(share * len(places))):
            piece = self.rng.choice(pieces(self.language))
            units[place] = piece[: len(units[place])] if self.language == "zh" else piece.split()[0]
        return "".join(units)


def collection(size: int) -> Collection:
    """Return the batch of `size` texts: 21 of 25 and 48 of the others with planted relations."""
    batch = Collection()
    writers = {language: Writer(language, f"golden {size}") for language in LANGUAGES}
    for writer in writers.values():
        _shared(batch, writer, 3, "paragraph", "one paragraph in 3 texts")
        for percent in (10, 30):
            _reworded(batch, writer, percent)
    english = writers["en"]
    _identical(batch, english)
    _patchwork(batch, english)
    _short(batch, english)
    if size > 50:
        _shared(batch, english, SHARED_BY, "everywhere", f"one paragraph in {SHARED_BY} texts")
        for writer in writers.values():
            _reworded(batch, writer, 50)
            _reworded_paragraph(batch, writer)
            _shared(batch, writer, 2, "sentence", "one sentence", sentences=1)
    for number in range(size - len(batch.texts)):
        language = LANGUAGES[number % 2]
        batch.texts[f"{language}-unrelated-{number:03d}"] = writers[language].text()
    return batch


def _shared(
    batch: Collection, writer: Writer, copies: int, name: str, relation: str, *, sentences: int = 4
) -> None:
    """Add texts of different pupils that hold one paragraph, word for word."""
    shared = writer.paragraph(sentences)
    names = [f"{writer.language}-{name}-{number:02d}" for number in range(copies)]
    batch.texts.update({name: writer.text(shared) for name in names})
    batch.relate(names, relation)


def _reworded(batch: Collection, writer: Writer, percent: int) -> None:
    """Add a text and its copy with some of the words replaced."""
    original = writer.text()
    copy = writer.reworded(original, percent / 100)
    names = [f"{writer.language}-reworded-{percent}-{side}" for side in ("copy", "source")]
    batch.texts.update(zip(names, (copy, original), strict=True))
    batch.relate(names, f"{percent} % of the words replaced")


def _reworded_paragraph(batch: Collection, writer: Writer) -> None:
    """Add two texts, one with a paragraph of the other in which two words of five are replaced."""
    paragraph = writer.paragraph()
    names = [f"{writer.language}-reworded-paragraph-{side}" for side in ("copy", "source")]
    copy = writer.reworded(paragraph, 0.4)
    batch.texts.update(zip(names, (writer.text(copy), writer.text(paragraph)), strict=True))
    batch.relate(names, "one reworded paragraph")


def _identical(batch: Collection, writer: Writer) -> None:
    """Add one text twice."""
    text = writer.text()
    names = [f"{writer.language}-identical-{number}" for number in range(2)]
    batch.texts.update(dict.fromkeys(names, text))
    batch.relate(names, "identical")


def _patchwork(batch: Collection, writer: Writer) -> None:
    """Add a text of paragraphs that come from two others in turn, and the two."""
    sources = [[writer.paragraph() for _ in range(4)] for _ in range(2)]
    names = [f"{writer.language}-patchwork-source-{number}" for number in range(2)]
    batch.texts.update(zip(names, map("\n\n".join, sources), strict=True))
    first, second = sources
    patched = f"{writer.language}-patchwork"
    batch.texts[patched] = "\n\n".join([first[0], second[1], first[2], second[3]])
    for name in names:
        batch.relate([patched, name], "patchwork of two texts")


def _short(batch: Collection, writer: Writer) -> None:
    """Add a text of fewer words than a fingerprint needs: two sentences of another one."""
    quoted = writer.paragraph(2)
    names = [f"{writer.language}-short-{side}" for side in ("quote", "source")]
    batch.texts.update(zip(names, (quoted, writer.text(quoted)), strict=True))
    batch.relate(names, "short quotation")
