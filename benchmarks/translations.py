"""What the search for translations costs, each part by a command.

    python -m benchmarks translations table
    python -m benchmarks translations pairs --corpora FOLDER
    python -m benchmarks translations class --corpora FOLDER --texts 150
    python -m benchmarks translations many --corpora FOLDER --texts 400

`table` makes and loads the table of the dictionary. `pairs` aligns pairs of about 250 words each.
`class` checks Chinese and English hand-ins of one subject with the search and without it. `many`
compares the likeliest pairs of a large batch with all. Pairs are aligned in one process. Times are
of the wall clock and, in brackets, of the processor.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks._shared import needs
from benchmarks.library import Clock, memory, say, size_of
from simhash_core import Settings, check
from simhash_core.lab.measurements.bilingual import Case, Texts, beads_of, hosts_of, plant, texts_of
from simhash_core.machine.workers import shared_pool
from simhash_core.model import I64, Bools, Document, silent
from simhash_core.result import Translations
from simhash_core.text import dictionary
from simhash_core.translations import search as translating
from simhash_core.translations.search import align_rows, stems_of

SIZE = (1_000, 3_200)  # characters of a hand-in, Chinese and English
LENGTH = (180, 220)  # Han of a planted passage
PLANTED = 40


def table(_: argparse.Namespace) -> None:
    """Make the table of the dictionary in an empty cache, and load it."""
    with tempfile.TemporaryDirectory() as place:
        os.environ["LEITONG_CACHE"] = place
        say(memory())
        for what in ("made", "loaded"):
            clock = Clock()
            loaded = dictionary.load()
            if loaded is None:
                raise needs.Missing("needs the extra dictionary: pip install leitong[dictionary]")
            say(what, clock, memory())
            dictionary._LOADED.clear()
        say(f"{len(loaded):,} words, {size_of(Path(place) / dictionary.STAGE) / 1e6:.2f} MB")


def pairs(options: argparse.Namespace) -> None:
    """Align unrelated pairs: of different subjects, and of one."""
    texts = book(options.corpora)
    laws = hosts_of(options.corpora / "zh_laws_dev/docs", latin=True)
    kinds = {
        "different subjects": [text[: SIZE[0]] for text in laws],
        "one subject": pieces([text.chinese for text in texts], SIZE[0]),
    }
    english = pieces([text.english for text in texts], SIZE[1])
    draw = random.Random(options.seed)
    for what, chinese in kinds.items():
        a, b = (draw.sample(of, min(len(of), 60)) for of in (chinese, english))
        documents = [Document.from_text(text) for text in (*a, *b)]
        clock = Clock()
        rows = range(len(a)), range(len(a), len(documents))
        stemmed = stems_of(documents, *rows, silent)
        words = sum(map(len, [*stemmed.chinese.values(), *stemmed.english.values()]))
        say(f"{what}: {words / len(documents):.0f} words a text, read", clock)
        both = translating._pairs(*rows, len(documents), none_apart)
        clock = Clock()
        align_rows(both, stemmed, pool=shared_pool(), step=silent)
        each = 1e3 * clock.processor_seconds / len(both)
        say(f"{len(both)} pairs", clock, f"{each:.2f} ms of one processor a pair")


def none_apart(a: I64, b: I64) -> Bools:
    """Return that no pair is of one person, bool (n,)."""
    return np.zeros(len(a), np.bool_)


def book(corpora: Path) -> list[Texts]:
    """Return the chapters of a book in both languages, code taken out."""
    folders_of = [corpora / f"{language}_rust_book/docs" for language in ("zh", "en")]
    for folder in folders_of:
        needs.text_files(folder)
    return texts_of(*folders_of, year="2022", part="all", keep_latin=True)


def pieces(texts: Sequence[str], length: int) -> list[str]:
    """Return texts cut into pieces of one length, the rest left out."""
    return [
        text[low : low + length]
        for text in texts
        for low in range(0, len(text) - length + 1, length)
    ]


def hand_ins(options: argparse.Namespace) -> list[Document]:
    """Return pieces of the book, as many Chinese as English; few of them are each other's."""
    texts, draw, documents = book(options.corpora), random.Random(options.seed), []
    for language, length in zip(("chinese", "english"), SIZE, strict=True):
        of_language = pieces([getattr(text, language) for text in texts], length)
        chosen = draw.sample(of_language, min(options.texts, len(of_language)))
        documents += [
            Document.from_text(text, name=f"{language} {n}") for n, text in enumerate(chosen)
        ]
    return documents


def in_class(options: argparse.Namespace) -> None:
    """Check hand-ins in both languages with the search for translations and without it."""
    documents = hand_ins(options)
    say(f"{len(documents)} texts of {SIZE[0]} Han characters or {SIZE[1]} letters")
    check(documents[:4] + documents[-4:], settings=Settings(translated=True))
    for turn in range(options.rounds):
        for on in (False, True)[:: 1 if turn % 2 else -1]:
            clock = Clock()
            result = check(documents, settings=Settings(translated=on))
            stage = result.timings["translated"]
            say(f"translated {on}", clock, f"{stage:.2f} s in that stage", memory())
    say(facts(result.translations) if result.translations else "")


def facts(translations: Translations) -> str:
    """Return what was looked at."""
    listed = len(translations.pairs())
    return f"{translations.compared:,} of {translations.possible:,} pairs, {listed} listed"


def many(options: argparse.Namespace) -> None:
    """Look for planted passages among more pairs than are all aligned."""
    draw = random.Random(options.seed)
    texts, corpora = book(options.corpora), options.corpora
    laws = [text[:1_500] for text in hosts_of(corpora / "zh_laws_dev/docs", latin=False)]
    english = pieces(hosts_of(corpora / "pan13_dev/src", latin=True), SIZE[1])
    beads = [beads_of(text) for text in texts]
    cases: list[Case] = []
    while len(cases) < PLANTED:
        case = plant(texts, beads, laws, "subject", LENGTH, 0, draw)
        cases += [case] if case else []
    hosts = [case.host for case in cases]
    sources = list(dict.fromkeys(case.source for case in cases))
    hosts += draw.sample(laws, options.texts - len(hosts))
    sources += draw.sample(english, options.texts - len(sources))
    documents = [Document.from_text(text, name=str(n)) for n, text in enumerate((*hosts, *sources))]
    wanted = {(n, len(hosts) + sources.index(case.source)) for n, case in enumerate(cases)}
    for what, most in (("likeliest pairs", translating.TRANSLATED_PAIRS), ("all pairs", 10**9)):
        translating.TRANSLATED_PAIRS = most
        clock = Clock()
        translations = translating.translations_of(
            documents,
            first_reference=len(documents),
            apart=none_apart,
            settings=Settings(translated=True),
            pool=shared_pool(),
            step=silent,
        )
        if translations is None:
            raise SystemExit("not looked for")
        say(what, clock, facts(translations))
        say(f"found {len(wanted & set(translations.pairs()))} of {len(wanted)} planted passages")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    for name, run in (("table", table), ("pairs", pairs), ("class", in_class), ("many", many)):
        added = commands.add_parser(name, help=run.__doc__)
        added.add_argument("--corpora", type=Path)
        added.add_argument("--texts", type=int, default=400 if run is many else 150)
        added.add_argument("--rounds", type=int, default=1)
        added.add_argument("--seed", type=int, default=1)
        added.set_defaults(run=run)
    options = parser.parse_args(arguments)
    options.corpora = options.corpora or needs.corpora()
    translating.INLINE_WORDS = 10**12  # in this process, whose processor time can be told
    options.run(options)


if __name__ == "__main__":
    main()
