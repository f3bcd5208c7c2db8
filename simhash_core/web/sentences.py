"""Which sentences of a text say most about where it is from: the rarest, from all over it.

They are proposed, never sent from here: a person sees each one as it would leave the machine.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..meaning.units import size_of, units_of
from ..model import CorpusStats, Document
from ..text.characters import HAN
from ..text.normalize import normalize
from ..text.tokenize import Tokenizer, tokenizer
from ..text.zones import zones
from ..weighting.background import IDF_CAP, background_idf

EACH = 5  # sentences a text
#: words of one, a Han character being .6 of a word: services cut longer ones (Baidu after 38 Han)
_LEAST, _MOST = 6.0, 22.0
_FEWEST_KNOWN = 100  # texts of a library whose counts say what is common
_APART = (
    *("quotations", "references", "headings", "cover", "contents"),
    *("acknowledgements", "running_lines"),
)
_MOST_APART = 0.5  # of a sentence
_CLAUSE = re.compile(rf"(?<=[，,：:、；;—])\s*(?=\S)|(?<=[{HAN}])\s+(?=[{HAN}])")
#: what may name a person: an address of mail, a number of a student or a telephone
_PRIVATE = re.compile(r"@|\d(?:[\s-]?\d){5,}")
_LEAST_NAME = 2  # characters


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that could be sent.

    Attributes
    ----------
    row, name
        Of the text that it stands in.
    start, end
        Half-open range of code points in that text.
    words
        What is sent, to the letter.
    surprise
        Sum over its distinct words of how rare each is, in nats.
    """

    row: int
    name: str
    start: int
    end: int
    words: str
    surprise: float


def rarest_sentences(
    documents: Sequence[Document],
    *,
    each: int = EACH,
    most: int | None = None,
    statistics: CorpusStats | None = None,
    templates: Sequence[Document] = (),
    private: Iterable[str] = (),
) -> tuple[Sentence, ...]:
    """Return the sentences that are worth asking for, text by text, in their order.

    Parameters
    ----------
    each
        At most so many of one text. The text is cut into as many parts of one length and the
        rarest sentence of each is taken: a copied paragraph may stand anywhere.
    most
        At most so many of all texts together: fewer of each where there are many texts.
    statistics
        Of a library: a word that is common there is not rare, whatever it is elsewhere.
    templates
        What everybody was given is not asked for.
    private
        Names that must not leave the machine. A sentence that holds one, the author of a text,
        an address of mail or a long number is left out; so are quotations and lists of sources.

    Notes
    -----
    A word costs its background IDF, 0 to 5 nats: about -ln of the share of texts of 1,000 words
    that hold it. A sentence that several texts have is proposed once.
    """
    if most is not None and documents:
        each = max(1, min(each, most // len(documents)))
    rarity = _Rarity(statistics)
    seen = {_plain(one) for sheet in templates for one in units_of(sheet.text).sentences}
    names = _names(documents, private)
    chosen: list[Sentence] = []
    for row, document in enumerate(documents):
        fresh = []
        for one in _sentences(row, document, rarity, names):
            plain = _plain(one.words)
            if plain not in seen:
                seen.add(plain)
                fresh.append(one)
        chosen += _spread(fresh, len(document.text), each)
    return tuple(chosen[:most])


class _Rarity:
    """How rare words are."""

    def __init__(self, statistics: CorpusStats | None) -> None:
        self._cut: Tokenizer = tokenizer()
        self._idf: Mapping[str, float] = background_idf()
        enough = statistics is not None and statistics.n >= _FEWEST_KNOWN
        self._held = statistics if enough else None

    def of(self, text: str) -> float:
        """Return the sum over the distinct words of a text, in nats."""
        return sum(map(self._of_word, set(self._cut.tokens(normalize(text).text))))

    def _of_word(self, word: str) -> float:
        usual = self._idf.get(word, IDF_CAP)
        held = self._held
        if held is None or word not in held.df:
            return usual
        return min(usual, math.log((held.n + 1) / (held.df[word] + 1)))


def _sentences(
    row: int, document: Document, rarity: _Rarity, names: Sequence[str]
) -> list[Sentence]:
    """Return every sentence of a text that may be sent, in order."""
    text = document.text
    apart = zones(text, _APART)
    units = units_of(text)
    proposed = []
    for start, end in zip(units.start.tolist(), units.end.tolist(), strict=True):
        held = {at for zone in apart for at in range(max(zone.start, start), min(zone.end, end))}
        if len(held) > _MOST_APART * (end - start):
            continue
        low, high = _rarest_part(text, start, end, rarity)
        words = " ".join(text[low:high].split()).strip("，,、：:；;—*#>-| ")
        folded = words.casefold()
        private = _PRIVATE.search(words) or any(name in folded for name in names)
        if size_of(words) < _LEAST or private:
            continue
        proposed.append(Sentence(row, document.name, low, high, words, rarity.of(words)))
    return proposed


def _rarest_part(text: str, start: int, end: int, rarity: _Rarity) -> tuple[int, int]:
    """Return the clauses of a sentence, side by side, that fit and are rarest together."""
    if size_of(text[start:end]) <= _MOST:
        return start, end
    cuts = [start, *(match.end() for match in _CLAUSE.finditer(text, start, end)), end]
    parts = [
        (low, high)
        for first, low in enumerate(cuts)
        for high in cuts[first + 1 :]
        if low < high and size_of(text[low:high]) <= _MOST
    ]
    if parts:
        return max(parts, key=lambda part: rarity.of(text[slice(*part)]))
    return start, _fitting(text, start, end)


def _fitting(text: str, start: int, end: int) -> int:
    """Return where a sentence without clauses is cut, at a blank where it has any."""
    low, high = start, end
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if size_of(text[start:middle]) <= _MOST else (low, middle)
    blank = text.rfind(" ", start, low + 1)
    return blank if blank > start + (low - start) // 2 else low


def _spread(sentences: Sequence[Sentence], length: int, each: int) -> list[Sentence]:
    """Return the rarest sentence of each part of a text; where a part has none, the next rarest."""
    parts: dict[int, Sentence] = {}
    for one in sentences:
        part = one.start * each // max(length, 1)
        if part not in parts or one.surprise > parts[part].surprise:
            parts[part] = one
    chosen = set(parts.values())
    others = sorted((one for one in sentences if one not in chosen), key=lambda one: -one.surprise)
    return sorted([*chosen, *others[: each - len(chosen)]], key=lambda one: one.start)


def _names(documents: Sequence[Document], private: Iterable[str]) -> list[str]:
    """Return the names that no sentence may hold, folded."""
    held = [*private]
    for document in documents:
        held += [document.meta.get(key, "") for key in ("author", "person", "number")]
    return sorted({one.strip().casefold() for one in held if len(one.strip()) >= _LEAST_NAME})


def _plain(text: str) -> str:
    """Return a sentence as it is compared: its letters and characters alone."""
    return "".join(filter(str.isalnum, normalize(text).text))
