"""What the reworded sentences of a version say instead: old beside new, equal changes together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from ..model import Document
from ..text.characters import HAN
from ..text.segment import segmenter
from .changes import Changes
from .reading import read_versions

MOST_PAIRED = 400  # sentences of a text that are paired with older ones
_TOKEN = re.compile(rf"[{HAN}]+|\w+(?:['’-]\w+)*|\s+|.", re.DOTALL)
_cut = segmenter()


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a sentence; equal in both, or one side's alone. "" where a side has none."""

    before: str
    after: str

    @property
    def equal(self) -> bool:
        """Whether both sides have it."""
        return self.before == self.after


@dataclass(frozen=True, slots=True)
class Substitution:
    """Words that stand where others stood, and in how many places."""

    before: str
    after: str
    count: int


@dataclass(frozen=True, slots=True)
class Rewordings:
    """Reworded sentences as parts, old beside new, and the substitutions that recur."""

    sentences: tuple[tuple[Part, ...], ...]
    substitutions: tuple[Substitution, ...]  # twice or more, the commonest first
    others: int  # sentences with other changes than these


def rewordings(first: Document, later: Document, made: Changes) -> Rewordings:
    """Set every reworded sentence beside the one it most likely comes from.

    Parameters
    ----------
    made
        Of these two (`changes_between`).

    Notes
    -----
    Sentences are compared by their words, of Chinese as the dictionary cuts them.
    """
    older = [tokens_of(sentence) for sentence in _sentences(first)]
    sentences, counts, of_sentence = [], Counter[tuple[str, str]](), []
    for start, end in made.reworded[:MOST_PAIRED]:
        now = tokens_of(later.text[start:end])
        before = _closest(older, now)
        steps = SequenceMatcher(None, before, now, autojunk=False).get_opcodes()
        parts = tuple(Part("".join(before[a:b]), "".join(now[c:d])) for _, a, b, c, d in steps)
        changed = [(part.before.strip(), part.after.strip()) for part in parts if not part.equal]
        changed = [pair for pair in changed if pair[0] != pair[1]]
        counts.update(pair for pair in changed if all(pair))
        sentences.append(parts)
        of_sentence.append(changed)
    recurring = [Substitution(*pair, n) for pair, n in counts.most_common() if n > 1]
    grouped = {(one.before, one.after) for one in recurring}
    others = sum(any(pair not in grouped for pair in changed) for changed in of_sentence)
    return Rewordings(tuple(sentences), tuple(recurring), others)


def tokens_of(sentence: str) -> list[str]:
    """Cut a sentence into words, marks and blanks; joined they are the sentence."""
    tokens: list[str] = []
    for match in _TOKEN.finditer(sentence):
        tokens += _cut(match[0]) if re.match(rf"[{HAN}]", match[0]) else [match[0]]
    return tokens


def _sentences(document: Document) -> list[str]:
    (reading,) = read_versions([document])
    ranges = (
        reading.sentence_range(row)
        for row in range(len(reading.sentence) - 1)
        if reading.sentence[row] < reading.sentence[row + 1]
    )
    return [document.text[start:end] for start, end in ranges]


def _closest(older: Sequence[list[str]], now: Sequence[str]) -> list[str]:
    """Return the older sentence that shares most words with one, [] where there is none."""
    words = Counter(token for token in now if token.strip())
    best, most = [], 0.0
    for tokens in older:
        of_old = Counter(token for token in tokens if token.strip())
        both = sum((words & of_old).values())
        share = 2 * both / max(1, sum(words.values()) + sum(of_old.values()))
        if share > most:
            best, most = tokens, share
    return list(best)
