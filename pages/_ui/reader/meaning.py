"""The same meaning on Compare: what is said of a pair, of each of its sentences, and the scale."""

from __future__ import annotations

import math
from collections.abc import Sequence

from simhash_core import CheckResult, Comparison
from simhash_core.checking import dictionary_source
from simhash_core.i18n import in_chinese
from simhash_core.report import make_bold, spans
from simhash_core.report.collation import reading
from simhash_core.result import meanings_shown
from simhash_core.seen import (
    Answer,
    SharedWords,
    Spread,
    answers_of,
    in_order,
    shared_words,
    spread,
)
from simhash_core.text.lengths import count_units
from simhash_core.translations import TranslatedPassage, count_language_pairs, translated_passages

from ..components.texts import Alike
from ..shared import session
from ..shared.formatting import length, notation
from ..shared.pairs import means_of
from ..shared.session import t
from ..shared.widgets import Figure


def answers_between(result: CheckResult, a: int, b: int) -> list[Answer]:
    """Return the sentences of two rows that answer each other, in the order of the first."""
    if result.meanings is None:
        return []
    return session.memo(("answers", a, b), lambda: answers_of(result, a, b))


def by_words(result: CheckResult, a: int, b: int) -> list[TranslatedPassage]:
    """Return the passages of a Chinese and an English text with the words that answer each other.

    None where a passage is in one language, no dictionary is there, or it knows none of the words.
    """
    meanings, means = meanings_shown(result), means_of(result).passages
    rows = [] if meanings is None else meanings.of_pair(a, b).tolist()
    documents = result.documents[a], result.documents[b]
    if meanings is None or dictionary_source() is None or not all(means[row] for row in rows):
        return []
    if not count_language_pairs(documents):
        return []
    passages = session.memo(
        ("translated", a, b), lambda: translated_passages(*documents, meanings, rows, turned=a > b)
    )
    return passages if any(one.words for one in passages) else []


def figures(compared: Comparison, answers: Sequence[Answer]) -> list[Figure]:
    """Return the number strip: what is the same, what is close in meaning, in which order."""
    first = compared.division[0]
    shared = bool(reading.count_evidence(compared.passages))
    units = (
        _units(compared.a.text, [one.a for one in answers]),
        _units(compared.b.text, [one.b for one in answers]),
    )
    sizes = {
        side: length(n, division.unit)
        for side, n, division in zip("ab", units, compared.division, strict=True)
    }
    return [
        Figure(
            t("compare.meaning.same"),
            notation().total(first),
            tail="" if shared else t("compare.meaning.nothing_same"),
        ),
        Figure(
            t("compare.view.meaning"),
            t("compare.meaning.places", n=len(answers)),
            tail=t("compare.meaning.counted", **sizes),
        ),
        Figure(
            t("compare.meaning.order"),
            t("compare.meaning.agree", n=in_order(answers), all=len(answers)),
        ),
    ]


def _units(text: str, ranges: list[tuple[int, int]]) -> int:
    return sum(count_units(text[slice(*span)]) for span in reading.union(ranges))


def gather_alike(result: CheckResult, compared: Comparison, answers: list[Answer]) -> Alike:
    """Return what the reader shows beside both texts, of sentences that vectors found."""
    meanings = meanings_shown(result)
    assert meanings is not None  # `answers` are of them
    rated = not any(math.isnan(one.closeness) for one in answers)  # by vectors, not by words
    scale = spread(meanings) if rated else None
    words = session.memo("shared words", lambda: shared_words(result))
    said = [t("compare.meaning.rests", n=in_order(answers)), t("compare.meaning.traces")]
    if scale is not None:
        close = [one.closeness for one in answers]
        values = {"middle": scale.middle, "highest": scale.highest}
        values |= {"low": min(close), "high": max(close)}
        figures = {name: f"{value:.2f}" for name, value in values.items()}
        said.append(t("compare.meaning.scale", n=scale.n, **figures))
    return Alike(
        answers=tuple(answers),
        evidence=tuple(
            tuple(spans(_evidence(one, scale, words(compared.a.text[slice(*one.a)],
                                                    compared.b.text[slice(*one.b)]))))
            for one in answers
        ),
        traces=("" if in_chinese(session.language()) else " ").join(said),
    )  # fmt: skip


def gather_translated(compared: Comparison, passages: Sequence[TranslatedPassage]) -> Alike:
    """Return the paragraphs that answer each other, each with its words by the dictionary."""
    answers, evidence = [], []
    for passage in passages:
        for row in passage.rows:
            if row.a[0] == row.a[1] or row.b[0] == row.b[1]:
                continue
            pairs = [
                f"{compared.a.text[slice(*word.a)]} – {compared.b.text[slice(*word.b)]}"
                for word in sorted(passage.words, key=lambda word: word.a)
                if row.a[0] <= word.a[0] < row.a[1]
            ]
            answers.append(Answer(row.a, row.b, math.nan, math.nan))
            words = t("compare.meaning.join").join(pairs)
            evidence.append(tuple(spans(t("compare.meaning.words", words=words))) if pairs else ())
    return Alike(tuple(answers), tuple(evidence))


def _evidence(one: Answer, scale: Spread | None, words: SharedWords) -> str:
    """Say how close two sentences are, what is next, and which words answer; in marks of bold."""
    parts = []
    if scale is None:
        parts.append(t("compare.meaning.small"))
    else:
        highest, close = f"{scale.highest:.2f}", make_bold(f"{one.closeness:.2f}")
        parts.append(t("compare.meaning.closeness", closeness=close, highest=highest))
        if not math.isnan(one.next_best):
            parts.append(t("compare.meaning.next_best", closeness=f"{one.next_best:.2f}"))
    parts += [
        t(f"compare.meaning.{kind}", words=make_bold(t("compare.meaning.join").join(listed)))
        for kind, listed in words._asdict().items()
        if listed
    ]
    return t("compare.meaning.then").join(parts)
