"""Words of a recognised text that are compared as those they were misread from.

Where a recognised text runs along another one, word for word, but for a word between that looks
like the other's, it is compared as that. The text itself stays as it was read; a note `misread`
says where and as what it is compared, and everything that compares it asks the note.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..model import I64, Bools, Document, Features, Normalized, Note
from ..passages.exact import grams_of
from ..passages.tokenize import boundaries, classes_of, winnow_many
from ..passages.tokenized import TokenizedText
from ..passages.winnow import Rule, Winnowed
from ..settings import Settings
from ..text.lookalikes import may_be, shape_of
from ..text.normalize import normalize, normalized_text
from ..weighting.background import background_idf
from .tokenizing import TokenizedBatch, read_normalized, read_text, tokenize_texts

CODE = "misread"
_MOST_PLACES = 24  # of two words in other texts that are looked at
_MISREAD = ((1, 1), (1, 2), (2, 1), (1, 3))  # words as read, and as meant
_REWORDED = ((1, 1), (1, 2), (2, 1), (2, 2), (1, 3))
_AHEAD = 2  # words that both texts have behind other ones
_SEEN = 3  # words behind a misread one, of which both texts have one
_WINDOW = 3 + _SEEN  # words of a source that are looked at
_NO_WORD = -1
_PLACE_BITS = 32
_PLACE_MASK = (1 << _PLACE_BITS) - 1
_APART = np.full(_SEEN + 4, _NO_WORD, np.int64)
_BETWEEN = (_APART, _APART, np.zeros(len(_APART), np.bool_))  # two texts: no word


def is_recognised(document: Document) -> bool:
    """Whether a text came from pictures."""
    return any(note.code == "ocr" for note in document.notes)


@dataclass(frozen=True, slots=True)
class Misreading:
    """What was read at text[start:end], and as what it is compared, normalised."""

    start: int
    end: int
    meant: str


def misreadings_of(document: Document) -> list[Misreading]:
    """Return those that a text carries, in its order."""
    forgiven = []
    for note in document.notes:
        if note.code == CODE:
            places, words = note.params["spans"], note.params["meant"]
            assert isinstance(places, Sequence)
            assert isinstance(words, Sequence)
            for (start, end), meant in zip(places, words, strict=True):
                forgiven.append(Misreading(start, end, meant))
    return forgiven


def replace_misreadings(document: Document, misreadings: Sequence[Misreading]) -> Document:
    """Return a text with these in the place of those that it carries."""
    notes = tuple(note for note in document.notes if note.code != CODE)
    if misreadings:
        params = {
            "n": len(misreadings),
            "spans": tuple((one.start, one.end) for one in misreadings),
            "meant": tuple(one.meant for one in misreadings),
        }
        notes = (*notes, Note(CODE, params, misreadings[0].start, misreadings[0].end))
    return replace(document, notes=notes)


def undo_misreadings(normalized: Normalized, misreadings: Sequence[Misreading]) -> Normalized:
    """Return the compared form of a text with its misread words as those they are compared as.

    The characters of such a word stand, one after the other, for the range of what was read.
    """
    text, start, end = [], [], []
    reached = 0
    for one in misreadings:
        first = int(np.searchsorted(normalized.start, one.start))
        last = int(np.searchsorted(normalized.end, one.end, side="right"))
        text += [normalized.text[reached:first], one.meant]
        cuts = np.linspace(one.start, one.end, len(one.meant) + 1)
        start += [normalized.start[reached:first], np.floor(cuts[:-1]).astype(np.int32)]
        end += [normalized.end[reached:first], np.ceil(cuts[1:]).astype(np.int32)]
        reached = last
    return Normalized(
        "".join([*text, normalized.text[reached:]]),
        np.concatenate([*start, normalized.start[reached:]]),
        np.concatenate([*end, normalized.end[reached:]]),
    )


def read_document(
    document: Document, settings: Settings, *, words: bool = False, meanings: bool = False
) -> TokenizedText:
    """Return a text as `read_text` does, its misread words as those they are compared as."""
    misreadings = misreadings_of(document)
    if not misreadings:
        return read_text(document.text, settings, words=words, meanings=meanings)
    normalised = normalize(document.text, fold_variants=settings.fold_variants)
    form = undo_misreadings(normalised, misreadings)
    return read_normalized(form, document.text, settings, words=words, meanings=meanings)


def read_whole(document: Document, settings: Settings) -> tuple[Features, TokenizedText, Winnowed]:
    """Return the counts of one text, its tokens and their winnowed hashes, as a check has them.

    What is counted is the text as it was read: fingerprints do not depend on other texts.
    """
    features, ((tokens, winnowed),) = tokenize_texts([document.text], settings)
    if not misreadings_of(document):
        return features, tokens, winnowed
    tokens = read_document(document, settings, words=True, meanings=True)
    return features, tokens, winnow_many([tokens], rule=Rule.of(settings.min_run))[0]


def compare_as_meant(
    noted: Sequence[Document],
    counted: Sequence[Document],
    batch: TokenizedBatch,
    *,
    settings: Settings,
) -> tuple[list[Document], list[Document], TokenizedBatch]:
    """Find the misread words of all recognised texts of a batch, and compare them as meant.

    Parameters
    ----------
    noted, counted
        As `without_templates` returns them.
    batch
        Of `counted`.

    Returns
    -------
    noted, counted, batch
        Of texts that were not recognised the same ones as before.
    """
    meant = find_meant(counted, batch.texts, settings=settings) if len(batch.texts) else {}
    noted, counted = (
        [
            # what an earlier check has found goes, where this one finds nothing
            replace_misreadings(document, meant.get(row, ()))
            if row in meant or misreadings_of(document)
            else document
            for row, document in enumerate(documents)
        ]
        for documents in (noted, counted)
    )
    if not meant:
        return noted, counted, batch
    place = list(range(len(counted)))
    texts, winnowed = batch.texts.take(place), batch.winnowed.take(place)
    for row in meant:
        _, tokens, hashes = read_whole(counted[row], settings)
        place[row] = len(texts)
        texts.extend([tokens])
        winnowed.extend([hashes])
    batch = replace(batch, texts=texts.take(place), winnowed=winnowed.take(place))
    return noted, counted, batch


def find_meant(
    documents: Sequence[Document], tokenized: Sequence[TokenizedText], *, settings: Settings
) -> dict[int, list[Misreading]]:
    """Return the misread words of the recognised ones among some texts, by row."""
    rows = [row for row, document in enumerate(documents) if is_recognised(document)]
    if not rows or len(rows) == len(documents):
        return {}
    sources = Sources(documents, tokenized, settings)
    return {
        row: misreadings(words_as_read(documents[row], settings), tokenized[row], sources)
        for row in rows
    }


def words_as_read(document: Document, settings: Settings) -> list[str]:
    """Return the normalised words of a text, one a token."""
    text = normalize(document.text, fold_variants=settings.fold_variants).text
    code = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    _, first, last = boundaries(classes_of(code))
    return [text[i:j] for i, j in zip(first.tolist(), last.tolist(), strict=True)]


class Sources:
    """Texts that were not recognised, as one row of words, and the same row backwards."""

    def __init__(
        self, documents: Sequence[Document], tokenized: Sequence[TokenizedText], settings: Settings
    ) -> None:
        parts: list[tuple[I64, I64, Bools]] = [_BETWEEN]
        texts: list[tuple[Document, TokenizedText]] = []
        for document, text in zip(documents, tokenized, strict=True):
            if not is_recognised(document):
                number = np.full(len(text), len(texts), np.int64)
                parts += [(text.token, number << _PLACE_BITS | np.arange(len(text)), text.single)]
                parts += [_BETWEEN]
                texts.append((document, text))
        token, place, single = (np.concatenate(column) for column in zip(*parts, strict=True))
        distinct, first, which = np.unique(token, return_index=True, return_inverse=True)
        self._distinct = distinct
        words = _words_at(texts, place[first], settings)
        shape = np.array(
            [
                one if alone else shape_of(word)
                for one, alone, word in zip(
                    distinct.tolist(), single[first].tolist(), words, strict=True
                )
            ],
            np.int64,
        )
        self.ahead = Row.of(token, shape[which], which, words)
        self.back = Row.of(token[::-1].copy(), shape[which][::-1].copy(), which[::-1], words)

    def holds(self, token: int) -> bool:
        """Whether some text has the word."""
        at = int(np.searchsorted(self._distinct, token))
        return at < len(self._distinct) and int(self._distinct[at]) == token


def _words_at(
    texts: Sequence[tuple[Document, TokenizedText]], place: I64, settings: Settings
) -> list[str]:
    """Return the normalised words at some places, "" for none; a place is text and token."""
    words = []
    for number, at in zip(
        (place >> _PLACE_BITS).tolist(), (place & _PLACE_MASK).tolist(), strict=True
    ):
        if number < 0:
            words.append("")
            continue
        document, text = texts[number]
        piece = document.text[text.start[at] : text.end[at]]
        words.append(normalized_text(piece, fold_variants=settings.fold_variants))
    return words


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """Words in one direction by place: hash, hash of what they look like, themselves."""

    token: I64
    shape: I64
    gram: I64  # sorted hashes of the shapes of two words in a row
    first: I64  # place of the first of them
    which: I64  # row of `words`
    words: Sequence[str]

    @classmethod
    def of(cls, token: I64, shape: I64, which: I64, words: Sequence[str]) -> Row:
        """Make the table of two words in a row."""
        gram = grams_of(shape, 2)
        order = np.argsort(gram, kind="stable")
        return cls(token, shape, gram[order], order, which, words)

    def word(self, place: int) -> str:
        """Return the word at a place, "" between two texts."""
        return self.words[int(self.which[place])]

    def behind(self, shape: I64) -> list[list[int]]:
        """Return for every two words in a row where texts go on behind two that look like them."""
        gram = grams_of(shape, 2)
        low, high = (np.searchsorted(self.gram, gram, side=side) for side in ("left", "right"))
        high = np.minimum(high, low + _MOST_PLACES)
        return [
            (self.first[a:b] + 2).tolist() for a, b in zip(low.tolist(), high.tolist(), strict=True)
        ]


class _Gap(NamedTuple):
    """So many words were read, so many stand in a source at a place, and whether they are alike."""

    read: int
    meant: int
    place: int
    alike: bool


@dataclass(frozen=True, slots=True)
class _Read:
    """A word of a recognised text: what was read from `first` to `last`, or is meant there."""

    token: int
    shape: int
    word: str
    first: int
    last: int
    meant: bool = False


@dataclass(slots=True)
class _Walk:
    """A recognised text that is followed along the sources, word by word."""

    row: Row
    read: Sequence[_Read]
    sources: Sources
    order: int  # -1 where the words come from the last to the first

    def steps(self) -> Iterator[list[_Read]]:
        """Yield the words as they were read, or those that were meant."""
        behind = self.row.behind(np.array([one.shape for one in self.read], np.int64))
        places: list[int] = []  # where the sources may go on
        at = 0
        while at < len(self.read):
            one = self.read[at]
            places = [place for place in places if self.row.token[place] != _NO_WORD]
            goes_on = [place + 1 for place in places if self.row.token[place] == one.token]
            gap = None if goes_on or not places else self._gap(at, places)
            if gap is not None:
                yield self._meant(at, gap) if gap.alike else list(self.read[at : at + gap.read])
                places, at = [gap.place + gap.meant], at + gap.read
                continue
            yield [one]
            fresh = behind[at - 1] if at else []
            places, at = list(dict.fromkeys([*goes_on, *fresh])), at + 1

    def _meant(self, at: int, gap: _Gap) -> list[_Read]:
        """Return the words of a source in the place of those that were read."""
        ends = [end for one in self.read[at : at + gap.read] for end in (one.first, one.last)]
        return [
            _Read(
                int(self.row.token[place]),
                int(self.row.shape[place]),
                self.row.word(place),
                *(min(ends), max(ends)),
                meant=True,
            )
            for place in range(gap.place, gap.place + gap.meant)
        ]

    def _gap(self, at: int, places: Sequence[int]) -> _Gap | None:
        """Return what was misread, or reworded, before the text goes on along a source."""
        place = np.array(places, np.int64)
        window = self.row.shape[place[:, None] + np.arange(_WINDOW)]
        for read, meant in _MISREAD:
            ahead = [one.shape for one in self.read[at + read : at + read + _SEEN]]
            source = window[:, meant : meant + _SEEN, None]
            meets = (source == np.array(ahead, np.int64)).any(axis=(1, 2)) | (not ahead)
            for where in place[meets].tolist() if at + read <= len(self.read) else ():
                if self._is_alike(self.read[at : at + read], where, meant):
                    return _Gap(read, meant, where, alike=True)
        for read, meant in _REWORDED:
            ahead = [one.shape for one in self.read[at + read : at + read + _AHEAD]]
            if len(ahead) < _AHEAD:
                continue
            goes_on = (window[:, meant : meant + _AHEAD] == np.array(ahead)).all(axis=1)
            if goes_on.any():
                return _Gap(read, meant, int(place[goes_on.argmax()]), alike=False)
        return None

    def _is_alike(self, here: Sequence[_Read], place: int, meant: int) -> bool:
        """Whether words that were read look like those at a place of the sources."""
        spelled = [self.row.word(place + n) for n in range(meant)]
        seen = [one.word for one in here]
        if any(one.meant for one in here) or not all(spelled):
            return False
        if len(seen) != meant and not set(seen).isdisjoint(spelled):
            return False
        are_words = all(map(self._is_word, here))
        return may_be(
            "".join(seen[:: self.order]), space_words(spelled[:: self.order]), known=are_words
        )

    def _is_word(self, one: _Read) -> bool:
        bare = one.word.removesuffix("'s")
        return self.sources.holds(one.token) or bare in background_idf()


def _together(read: Sequence[_Read]) -> list[_Read]:
    """Return words with those that were read as one, or from the same ones, joined."""
    joined: list[_Read] = []
    for one in read:
        last = joined[-1] if joined else None
        if last is not None and last.meant and one.meant and last.first == one.first:
            joined[-1] = replace(last, word=space_words([last.word, one.word]))
        else:
            joined.append(one)
    return joined


def misreadings(
    words: Sequence[str], tokenized: TokenizedText, sources: Sources
) -> list[Misreading]:
    """Find the misread words of a recognised text.

    Parameters
    ----------
    words
        Normalised, one a token of `tokenized`.

    Notes
    -----
    Where two words in a row look like two of a source, the text is followed along it: words that
    look like those of the source are misread if one of the next words looks the same again; words
    that do not are passed over if the next two do. The same from the end to the beginning. Numbers
    are left as they were read. Cost O(words of the text), each set against `_MOST_PLACES` places:
    half a millisecond at most.
    """
    read = [
        _Read(token, token if single else shape_of(word), word, at, at + 1)
        for at, (token, single, word) in enumerate(
            zip(tokenized.token.tolist(), tokenized.single.tolist(), words, strict=True)
        )
    ]
    for row, order in ((sources.ahead, 1), (sources.back, -1)):
        walk = _Walk(row, read[::order], sources, order)
        read = [one for part in walk.steps() for one in part[::order]][::order]
    return [
        Misreading(int(tokenized.start[one.first]), int(tokenized.end[one.last - 1]), one.word)
        for one in _together(read)
        if one.meant
    ]


def space_words(words: Sequence[str]) -> str:
    """Return words as a text writes them: Latin ones with a space between."""
    pieces = list(words[:1])
    for before, word in pairwise(words):
        pieces.append(f" {word}" if before.isascii() and word.isascii() else word)
    return "".join(pieces)
