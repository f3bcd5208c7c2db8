"""From documents to numbers: each text crosses to a worker once and is normalised once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import chain, compress
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput, Unreadable
from ..machine.memory import Scratch, Stored
from ..machine.workers import WorkerPool
from ..model import I64, U64, Bools, Document, Features, Normalized, Progress
from ..passages.tokenize import FlatText, tokenize_many, winnow_many
from ..passages.tokenized import Concepts, TokenizedText, has_words
from ..passages.winnow import Rule, Winnowed
from ..policy import BATCH_FROM
from ..result import Guarantee
from ..settings import Settings
from ..text import dictionary, flat
from ..text.characters import HAN
from ..text.language import guess_language, language_of
from ..text.tokenize import Tokenizer, merge_features, tokenizer

CHUNK_CHARACTERS = 300_000  # one task for a worker; less than this is not worth sending
MOST_CHARACTERS = 600_000  # of a task: a worker takes some 120 bytes for each while it is cut
TASK_SECONDS = 600.0  # text is already read and decoded: a limit against unforeseen input only

NO_FEATURES = Features(
    (), np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.int64)
)

Places = list[tuple[TokenizedText, Winnowed]]
Task = tuple[list[str], Settings, bool]


@dataclass(frozen=True, slots=True, eq=False)
class TokenizedBatch:
    """A batch as numbers, one entry a document.

    Attributes
    ----------
    features : Features
        Counts of distinct tokens, n rows.
    texts : Stored of TokenizedText
        Tokens with their places; empty where only counts were asked for.
    winnowed : Stored of Winnowed
        Winnowed hashes of the same tokens.
    """

    features: Features
    texts: Stored[TokenizedText]
    winnowed: Stored[Winnowed]


def tokenize_batch(
    documents: Sequence[Document],
    *,
    settings: Settings,
    pool: WorkerPool,
    step: Progress,
    places: bool = True,
    scratch: Scratch | None = None,
    earlier: TokenizedBatch | None = None,
) -> TokenizedBatch:
    """Tokenise every document, in workers where there is enough to do.

    Parameters
    ----------
    earlier
        The numbers of the first documents, tokenised before with the same settings and places.
    places
        Whether tokens are needed with their places too, for passages; False gives counts alone.
    scratch
        Decides which tokens stay in memory; by default all.
    """
    documents = documents[len(earlier.features) if earlier else 0 :]
    step("tokens", 0, len(documents))
    texts = [document.text for document in documents]
    if places:
        prepare_dictionary(texts, settings, step)
    answers = _answers(texts, settings, pool, places=places)
    scratch = scratch or Scratch()
    placed, winnowed = Stored(TokenizedText, scratch), Stored(Winnowed, scratch)
    features = NO_FEATURES
    if earlier is not None:
        placed.extend(earlier.texts)
        winnowed.extend(earlier.winnowed)
        features = earlier.features
    arriving = _arriving(answers, placed, winnowed, documents, step)
    features = merge_features(chain([features], arriving))
    step("tokens", len(documents), len(documents))
    return TokenizedBatch(features, placed, winnowed)


def _answers(
    texts: list[str], settings: Settings, pool: WorkerPool, *, places: bool
) -> Iterable[tuple[Features, Places] | Unreadable]:
    """Return texts as numbers, task by task, from workers where there are several tasks."""
    tasks = [(chunk, settings, places) for chunk in chunks(texts, workers=pool.workers)]
    if len(tasks) <= 1:
        return map(tokenize_chunk, tasks)
    tasks = [(_Sent(chunk), settings, places) for chunk, *_ in tasks]
    answers = pool.map(_tokenize_packed, tasks, seconds=TASK_SECONDS, here=_tokenize_packed)
    return map(_unpacked, answers)


def winnow_texts(
    texts: Sequence[str], *, settings: Settings, pool: WorkerPool, scratch: Scratch | None = None
) -> Stored[Winnowed]:
    """Return the winnowed hashes of a few texts of a batch whose words alone were counted."""
    tasks = [(chunk, settings) for chunk in chunks(texts, workers=pool.workers)]
    answers: Iterable[list[Winnowed] | Unreadable] = map(winnow_chunk, tasks)
    if len(tasks) > 1:
        tasks = [(_Sent(chunk), settings) for chunk, _ in tasks]
        answers = pool.map(winnow_chunk, tasks, seconds=TASK_SECONDS, here=winnow_chunk)
    winnowed = Stored(Winnowed, scratch or Scratch())
    for answer in answers:
        if isinstance(answer, Unreadable):
            raise answer
        winnowed.extend(answer)
    return winnowed


class _Sent(list[str]):
    """Texts that arrive in a worker as a list of strings.

    Pickled as they are, they would leave their UTF-8 form attached to every string here.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, ([text.encode("utf-8", "surrogatepass") for text in self],)


def _received(encoded: list[bytes]) -> list[str]:
    return [text.decode("utf-8", "surrogatepass") for text in encoded]


def winnow_chunk(task: tuple[list[str], Settings]) -> list[Winnowed]:
    """Winnow one chunk of raw texts; runs in a worker."""
    texts, settings = task
    rule = Rule.of(settings.min_run)
    normalised = flat.flatten(texts, fold_variants=settings.fold_variants)
    return winnow_many(_tokens_of(texts, normalised), rule=rule)


def read_text(
    text: str, settings: Settings, *, words: bool = False, meanings: bool = False
) -> TokenizedText:
    """Return one text as the check reads it: normalised, cut into tokens, each with its place.

    Parameters
    ----------
    text
        As it counts: without what everybody was given (`templates.blank_templates`).
    words, meanings
        Whether Chinese is cut into words too, and whether these count as what they mean. Passages
        are looked for with both; where they stand, and what is shared of them, needs neither.
    """
    normalised = flat.flatten([text], fold_variants=settings.fold_variants)
    return _one(normalised, text, settings, words=words, meanings=meanings)


def read_normalized(
    normalised: Normalized, text: str, settings: Settings, *, words: bool, meanings: bool
) -> TokenizedText:
    """Return one text whose compared form is known, as `read_text` does."""
    code = np.frombuffer(normalised.text.encode("utf-32-le", "surrogatepass"), "<i4")
    ends = np.array([0, len(code)], np.int64)
    form = flat.FlatTexts(code.astype(np.int32), ends, normalised.start, normalised.end)
    return _one(form, text, settings, words=words, meanings=meanings)


def _one(
    form: flat.FlatTexts, text: str, settings: Settings, *, words: bool, meanings: bool
) -> TokenizedText:
    head = flat.heads(form, _tokenizer_of(settings).segment) == flat.HEAD if words else None
    concepts = concepts_for(settings) if meanings else None
    return _tokens_of([text], form, head, concepts)[0]


def count_texts(texts: list[str], settings: Settings) -> Features:
    """Count the tokens of some raw texts in this process."""
    return tokenize_texts(texts, settings, places=False)[0]


def _in_known_languages(features: Features, languages: Iterable[str]) -> Features:
    """Return no token of texts in other languages: their fingerprints are near by chance.

    What chance expects holds for Chinese and English. docs/calibration.md, "False alarms"
    """
    known = np.array([language != "other" for language in languages], np.bool_)
    if known.all():
        return features
    row = np.repeat(np.arange(len(known)), np.diff(features.indptr))
    entry = known[row]
    used = np.zeros(len(features.vocabulary), np.bool_)
    used[features.token[entry]] = True
    number = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return Features(
        tuple(compress(features.vocabulary, used)),
        np.searchsorted(row[entry], np.arange(len(known) + 1)),
        number[features.token[entry]],
        features.count[entry],
        np.where(known, features.length, 0),
    )


def _arriving(
    answers: Iterable[tuple[Features, Places] | Unreadable],
    placed: Stored[TokenizedText],
    winnowed: Stored[Winnowed],
    documents: Sequence[Document],
    step: Progress,
) -> Iterator[Features]:
    """Hand on the counts of each part while the workers read the next; collect the rest."""
    done = 0
    for answer in answers:
        if isinstance(answer, Unreadable):
            raise answer
        features, part = answer
        placed.extend(one for one, _ in part)
        winnowed.extend(hashes for _, hashes in part)
        languages = map(language_of, documents[done : done + len(features)])
        yield _in_known_languages(features, languages)
        done += len(features)
        step("tokens", done, len(documents))


def _tokenize_packed(task: Task) -> PackedPlaces:
    """Tokenise one chunk and join the arrays of its texts; runs in a worker."""
    features, places = tokenize_chunk(task)
    texts, hashes = [one for one, _ in places], [winnowed for _, winnowed in places]
    return features, Packed.of(TokenizedText, texts), Packed.of(Winnowed, hashes)


def _unpacked(answer: PackedPlaces | Unreadable) -> tuple[Features, Places] | Unreadable:
    if isinstance(answer, Unreadable):
        return answer
    features, texts, hashes = answer
    return features, list(zip(texts.records(), hashes.records(), strict=True))


def tokenize_chunk(task: Task) -> tuple[Features, Places]:
    """Tokenise one chunk of raw texts, whatever their language; runs in a worker."""
    texts, settings, places = task
    normalised = flat.flatten(texts, fold_variants=settings.fold_variants)
    cut = _tokenizer_of(settings)
    head = flat.heads(normalised, cut.segment)
    features = flat.count_flat(normalised, head, cut)
    if not places:
        return features, []
    tokens = _tokens_of(texts, normalised, head == flat.HEAD, concepts_for(settings))
    winnowed = winnow_many(tokens, rule=Rule.of(settings.min_run))
    return features, list(zip(tokens, winnowed, strict=True))


def tokenize_texts(
    texts: list[str], settings: Settings, *, places: bool = True
) -> tuple[Features, Places]:
    """Tokenise some raw texts in this process, as `tokenize_batch` does."""
    features, placed = tokenize_chunk((texts, settings, places))
    return _in_known_languages(features, (guess_language(text).kind for text in texts)), placed


def _tokens_of(
    texts: list[str],
    normalised: flat.FlatTexts,
    head: Bools | None = None,
    concepts: Concepts | None = None,
) -> list[TokenizedText]:
    """Return the tokens of some texts with their places."""
    return tokenize_many(
        FlatText(normalised.code, normalised.indptr),
        normalised.start,
        normalised.end,
        FlatText(*flat.code_points_of(texts)),
        head=head,
        concepts=concepts,
    )


def _tokenizer_of(settings: Settings) -> Tokenizer:
    return tokenizer(settings.user_words, settings.stop_words)


def chunks(texts: Sequence[str], *, workers: int) -> Iterator[list[str]]:
    """Cut texts into tasks.

    Notes
    -----
    A task takes a share of what is left: few tasks, since each returns a vocabulary that must be
    merged, and small ones at the end, so that the workers finish together.
    """
    left = sum(map(len, texts))
    least = max(CHUNK_CHARACTERS, left // (4 * workers))
    chunk: list[str] = []
    size, most = 0, _task_size(left, workers, least)
    for text in texts:
        chunk.append(text)
        size += len(text)
        if size >= most:
            yield chunk
            left -= size
            chunk, size, most = [], 0, _task_size(left, workers, least)
    if chunk:
        yield chunk


def _task_size(left: int, workers: int, least: int) -> int:
    """Return the characters of the next task where `left` are still to be given out."""
    return min(max(least, left // (2 * workers)), MOST_CHARACTERS)


# --------------------------------------------------------------------------- from a worker

Record = TypeVar("Record")


@dataclass(frozen=True, slots=True, eq=False)
class Packed(Generic[Record]):
    """n records of one kind, whose fields are arrays of one dimension.

    Field f of record i is column[f][ends[f][i]:ends[f][i + 1]].
    """

    kind: type[Record]
    column: tuple[NDArray[Any], ...]
    ends: tuple[I64, ...]

    @classmethod
    def of(cls, kind: type[Record], records: Sequence[Record]) -> Packed[Record]:
        """Join the fields of some records."""
        columns, ends = [], []
        for field in fields(kind):  # type: ignore[arg-type]
            parts = [getattr(record, field.name) for record in records]
            columns.append(np.concatenate(parts) if parts else np.empty(0))
            ends.append(np.concatenate([[0], np.cumsum([len(part) for part in parts])]))
        return cls(kind, tuple(columns), tuple(end.astype(np.int64) for end in ends))

    def records(self) -> list[Record]:
        """Return the records; their arrays are views of the long ones."""
        columns = [
            [column[a:b] for a, b in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)]
            for column, ends in zip(self.column, self.ends, strict=True)
        ]
        return [self.kind(*parts) for parts in zip(*columns, strict=True)]


PackedPlaces = tuple[Features, Packed[TokenizedText], Packed[Winnowed]]


# --------------------------------------------------------------------------- words by meaning

_HAN = re.compile(f"[{HAN}]")
_SAMPLE = 10_000  # characters of a text looked at


def concepts_for(settings: Settings) -> Concepts | None:
    """Return the function that says what words of Han count as, None where they stay words.

    The table is read when the first text with Han asks.
    """
    if settings.dictionary == "off" or dictionary.data_file() is None:
        return None
    return _concepts


def _concepts(words: Sequence[str]) -> U64:
    table = dictionary.concept_table()
    return np.zeros(len(words), np.uint64) if table is None else table(words)


def prepare_dictionary(
    texts: Sequence[str], settings: Settings, step: Progress | None = None
) -> None:
    """Make the table of the dictionary where some Chinese texts need it and it is not there.

    Raises
    ------
    BadInput
        `dictionary` where the settings demand one and none is installed.
    """
    if settings.dictionary == "on" and dictionary.data_file() is None:
        raise BadInput("dictionary")
    if settings.dictionary != "off" and any(_HAN.search(text[:_SAMPLE]) for text in texts):
        dictionary.concept_table(step)


def dictionary_source() -> tuple[str, str] | None:
    """Return name and licence of the dictionary that is installed, None for none."""
    return None if dictionary.data_file() is None else (dictionary.NAME, dictionary.LICENCE)


def word_facts(tokenized: Sequence[TokenizedText]) -> tuple[Guarantee, ...]:
    """Say what words of Chinese were compared by in a batch, where there are any.

    Fewer texts are compared by words as they are written, with a dictionary or without.
    """
    if len(tokenized) < BATCH_FROM:
        return ()
    if any(len(text.concept) for text in tokenized):
        table = dictionary.concept_table()
        names = {"name": dictionary.NAME, "licence": dictionary.LICENCE}
        version = table.version if table else ""
        return (Guarantee("words_by_meaning", {**names, "version": version}),)
    if any(map(has_words, tokenized)):
        return (Guarantee("words_by_form"),)
    return ()
