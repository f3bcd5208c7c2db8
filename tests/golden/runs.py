"""The golden runs: a batch, and one of the ways in which a person checks it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from unittest.mock import patch

from bilingual import CHINESE, ENGLISH, OTHER_CHINESE, OTHER_ENGLISH
from golden.collection import Collection, collection

from simhash_core import CheckResult, Document, Settings, check, policy
from simhash_core.checking.pipeline import run_check
from simhash_core.library import LibraryScope
from simhash_core.passages import candidates
from simhash_core.seen.exclusion_view import exclude
from simhash_core.seen.exclusions import Exclusions
from simhash_core.storage.library import Library, prepare

#: a sixth of the policy's: 120 texts stay below it and 350 exceed it, as 860 of them would
AFFORDABLE_TOKENS = policy.AFFORDABLE_TOKENS / 6
#: without dictionary and meaning: what is stored must not depend on which extras are installed
SETTINGS = Settings(dictionary="off", meaning="off")
GIVEN = "given"


def whole(batch: Collection) -> CheckResult:
    """Check all texts with each other."""
    with patch.object(candidates, "AFFORDABLE_TOKENS", AFFORDABLE_TOKENS):
        return check(documents(batch), settings=SETTINGS)


def against(batch: Collection, *, inside: bool) -> CheckResult:
    """Check every second text against the others."""
    new, references = halves(batch)
    return check(new, against=references, settings=SETTINGS, compare_inside=inside)


def against_library(batch: Collection, *, inside: bool) -> CheckResult:
    """The same, where the others are a library."""
    new, references = halves(batch)
    with Library.in_memory() as library:
        library.add("all", [prepare(one) for one in references])
        return run_check(new, LibraryScope(library=library, inside=inside), settings=SETTINGS)


def after_earlier(batch: Collection) -> CheckResult:
    """Check all texts but four, then all of them with that result."""
    texts = documents(batch)
    earlier = check([*texts[:7], *texts[11:]], settings=SETTINGS)
    return check(texts, settings=SETTINGS, earlier=earlier)


def with_template(batch: Collection) -> CheckResult:
    """Check all texts where each paragraph that several hold was given to all."""
    given = [Document.from_text(text, name=GIVEN) for text in common_paragraphs(batch)]
    return check(documents(batch), settings=SETTINGS, templates=given)


def with_exclusions(batch: Collection) -> CheckResult:
    """Leave the same paragraphs out of the count of a finished check, and short passages."""
    rules = Exclusions(templates=common_paragraphs(batch), min_match=20)
    return exclude(whole(batch), rules).result


def with_library_and_template(batch: Collection) -> CheckResult:
    """Check against a library where the paragraphs were given to all."""
    new, references = halves(batch)
    given = [Document.from_text(text, name=GIVEN) for text in common_paragraphs(batch)]
    with Library.in_memory() as library:
        library.add("all", [prepare(one) for one in references])
        return run_check(new, LibraryScope(library=library), settings=SETTINGS, templates=given)


def translated(batch: Collection) -> CheckResult:
    """Look for translations too; needs the dictionary."""
    pair = {"en-translated": OTHER_ENGLISH + ENGLISH, "zh-translated": OTHER_CHINESE + CHINESE}
    texts = documents(replace(batch, texts=batch.texts | pair))
    return check(texts, settings=replace(SETTINGS, dictionary="auto", translated=True))


#: name of the file -> size of the batch, and how it is checked
RUNS: dict[str, tuple[int, Callable[[Collection], CheckResult]]] = {
    "25": (25, whole),
    "120": (120, whole),
    "350": (350, whole),
    "25-against": (25, partial(against, inside=True)),
    "25-only-against": (25, partial(against, inside=False)),
    "120-library": (120, partial(against_library, inside=True)),
    "120-library-only-against": (120, partial(against_library, inside=False)),
    "25-library-template": (25, with_library_and_template),
    "120-earlier": (120, after_earlier),
    "120-template": (120, with_template),
    "120-exclusions": (120, with_exclusions),
    "25-translated": (25, translated),
}
NEEDS_DICTIONARY = ("25-translated",)


@cache
def run(name: str) -> tuple[Collection, CheckResult]:
    """Return the batch of a run and what its check says."""
    size, way = RUNS[name]
    return collection(size), way(collection(size))


def documents(batch: Collection) -> list[Document]:
    """Return the texts of a batch in its order."""
    return [Document.from_text(text, name=name) for name, text in batch.texts.items()]


def halves(batch: Collection) -> tuple[list[Document], list[Document]]:
    """Return every second text, and the others: most relations lie across, some inside."""
    texts = documents(batch)
    return texts[::2], texts[1::2]


def common_paragraphs(batch: Collection) -> tuple[str, ...]:
    """Return the paragraphs that three texts hold word for word."""
    count: dict[str, int] = {}
    for text in batch.texts.values():
        for paragraph in dict.fromkeys(text.split("\n\n")):
            count[paragraph] = count.get(paragraph, 0) + 1
    return tuple(paragraph for paragraph, times in count.items() if times >= 3)
