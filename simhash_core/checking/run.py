"""What every check needs whatever it compares: workers, memory, clock; and its texts as numbers."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ParamSpec, TypeVar

import numpy as np

from ..machine.memory import Scratch, budget
from ..machine.workers import shared_pool
from ..model import I64, Bools, Document, KeptVectors, Progress, report_nothing
from ..people.authorship import count_pairs_apart, mark_same_author
from ..result import Guarantee
from ..settings import Settings
from ..text.characters import HAN
from .tokenizing import NO_FEATURES, TokenizedBatch

#: apart(left, right): which pairs of rows are not compared, bool (m,)
Apart = Callable[[I64, I64], Bools]

_HAN = re.compile(f"[{HAN}]")
SAMPLED, SAMPLE = 500, 400  # documents looked at, and characters of each

# measured by benchmarks/memory.py of 4a9efa0e and by the sizes of the arrays, bytes
PROCESS = 90e6  # of the checking process: interpreter, libraries
ANSWERS = 140e6  # of it: machine code, answers of workers on their way
WORKER = 340e6  # dictionaries and caches of words among it
DOCUMENT = 1_600  # beside its text: names, notes, rows of tables
RECORD = 1_700  # arrays of one document beside what they hold
TOKEN, SIDE = 42, 75  # a token with its place; what is made of it for the alignment
COUNT = 28  # a distinct word of a document, while the counts of all are joined
CANDIDATE = 26  # a token of one language while texts that share rare words are looked for

P = ParamSpec("P")
T = TypeVar("T")


class Run:
    """One check on its way: settings, workers, whom it reports to, and what its stages took.

    Parameters
    ----------
    settings
    progress
        progress(stage, done, total); may raise `Cancelled`.
    memory
        Bytes that the check and its workers should not exceed, by default `memory.budget()`.
    vectors
        Of an earlier check of some of the texts; afterwards those of this one.
    """

    def __init__(
        self,
        settings: Settings,
        progress: Progress | None,
        memory: int | None,
        vectors: KeptVectors | None,
    ) -> None:
        self.settings = settings
        self.vectors = vectors or KeptVectors()
        self.step = progress or report_nothing
        self.pool = shared_pool()
        self.memory = budget() if memory is None else memory
        self.scratch = Scratch()
        self.seconds: dict[str, float] = {}

    def __call__(
        self, stage: str, function: Callable[P, T], /, *given: P.args, **options: P.kwargs
    ) -> T:
        """Do one stage, and add what it took to its seconds."""
        start = time.perf_counter()
        result = function(*given, **options)
        self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - start
        return result

    def room_for(self, documents: Sequence[Document]) -> Scratch:
        """Return where tokens of these texts lie from now on: in memory, or beyond it on disk."""
        room = room_for_tokens(documents, budget=self.memory, workers=self.pool.workers)
        self.scratch = Scratch(room)
        return self.scratch

    def facts(self) -> tuple[Guarantee, ...]:
        """Say how much of the check lay in a temporary file, and what it had in memory."""
        if not self.scratch.written:
            return ()
        gigabytes = {"disk": self.scratch.written / 2**30, "memory": self.memory / 2**30}
        return (Guarantee("on_disk", {name: float(f"{n:.2g}") for name, n in gigabytes.items()}),)


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """The texts of a check: the first `new` are asked about, the others compared with these.

    Attributes
    ----------
    documents
        With a note for each stretch that counts nowhere.
    counted
        With those stretches blanked, so that every offset stays valid.
    tokens
        Of what is counted.
    inside
        Whether new texts are compared with each other too.
    by_one_author
        How many pairs are not compared since one person, or one group, has written both.
    apart
        Marks all pairs of rows that are not compared.
    """

    documents: Sequence[Document]
    counted: Sequence[Document]
    tokens: TokenizedBatch
    new: int
    inside: bool
    by_one_author: int
    apart: Apart

    @classmethod
    def of(
        cls,
        noted: tuple[Sequence[Document], Sequence[Document]],
        tokens: TokenizedBatch,
        *,
        new: int,
        inside: bool,
        settings: Settings,
    ) -> Texts:
        """Return texts as `without_templates` gives them, with their tokens."""
        documents, counted = noted
        who = {"person": settings.skip_same_person, "group": settings.skip_same_group}
        by_one = mark_same_author(documents, **who)
        pairs = count_pairs_apart(documents, new=new, inside=inside, **who)

        def apart(left: I64, right: I64) -> Bools:
            return by_one(left, right) if inside else by_one(left, right) | (right < new)

        return cls(documents, counted, tokens, new, inside, pairs, apart)

    def __len__(self) -> int:
        return len(self.documents)

    def facts(self) -> tuple[Guarantee, ...]:
        """Say which pairs are not compared."""
        return (
            *([Guarantee("same_author", {"n": self.by_one_author})] if self.by_one_author else []),
            *([] if self.inside else [Guarantee("only_against")]),
        )

    def without_counts(self) -> Texts:
        """Return the texts without the counts of their words, the largest table of a check."""
        return replace(self, tokens=replace(self.tokens, features=NO_FEATURES))

    def only(self, rows: I64) -> Texts:
        """Return some of the texts, all new ones among them."""
        listed = rows.tolist()
        tokens = replace(
            self.tokens,
            texts=self.tokens.texts.take(listed if self.tokens.texts else []),
            winnowed=self.tokens.winnowed.take(listed if self.tokens.winnowed else []),
        )
        return replace(
            self,
            documents=[self.documents[row] for row in listed],
            counted=[self.counted[row] for row in listed],
            tokens=tokens,
            apart=lambda left, right: np.asarray(self.apart(rows[left], rows[right])),
        )


def room_for_tokens(documents: Sequence[Document], *, budget: int, workers: int) -> int | None:
    """Return the bytes of tokens that may stay in memory within a budget, None for all.

    The budget is that of this process and of its workers together. Tokens and words are estimated
    from the share of Han, which is counted in a sample.
    """
    texts = [document.text for document in documents]
    sampled = [text[:SAMPLE] for text in texts[:: max(1, len(texts) // SAMPLED)]]
    han = sum(len(_HAN.findall(text)) for text in sampled) / max(1, sum(map(len, sampled)))
    characters = sum(map(len, texts))
    tokens = characters * (0.165 + 0.84 * han)  # Han characters, and words of other scripts
    distinct_words = characters * (0.085 + 0.13 * han)  # of every document, added up
    held = sum(map(sys.getsizeof, texts)) + DOCUMENT * len(texts)
    # for a while, whatever lies on disk: counts joined, or candidates looked for
    joined = max(COUNT * distinct_words, CANDIDATE * tokens)
    room = budget - (PROCESS + ANSWERS + held + joined + workers * WORKER)
    needed = TOKEN * tokens + RECORD * len(texts) + SIDE * tokens
    return None if needed <= room else max(0, int(room))
