"""A walk over all pages in each language: nothing untranslated, no plural that is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import opencc
import pytest
from playwright.sync_api import Page, expect

from simhash_core import Document, check, gather, read, samples
from simhash_core.storage import Shelf
from tests.e2e.seen import Words, words_of

PAGES = (
    *("check", "overview", "review", "document?d=0", "compare?a=0&b=1", "clusters", "variants"),
    *("library", "reposts", "fingerprint_lab", "threshold_lab"),
)
HAN = re.compile("[\u3400-\u9fff]")
#: what languages call themselves
NAMES = {"English", "简体中文", "繁體中文"}
#: names of programs, formats, methods, keys and units that Chinese writes in Latin letters
TERMS = (
    *("Leitong", "leitong[ocr]", "Word", "WPS", "LaTeX", "PDF", "SimHash", "Jaccard", "Python"),
    *("TXT", "zip", "rar", "7z", "MB", "GB", "kB", "OCR", "CSV", "XLSX", "JSON", "SVG", "Parquet"),
    *("HTML", "Lines", "MediaWiki", "XML", "WARC", "TF-IDF", "jieba", "C(m,r)"),
    *("Ctrl", "Shift", "Enter"),
)
#: commands, endings of files, prints and recipes
_CODE = re.compile(r"leitong \w+( \w+)*|\.\w{2,5}\b|\b(?=\w*\d)[0-9a-f]{12,16}\b")
#: letters that only Simplified Chinese has
SIMPLIFIED = re.compile("[这为从发关开们书门问间实现读写语计认让说边达过还进远连选检测设]")
#: a number of its noun; "1 is", "1 adds" and "k + 1 blocks" are no such
_PLURAL = re.compile(
    r"(?<![\d.,/:–+-])(?<!\+ )\b1 (?!is\b|adds\b|was\b|has\b)[a-z]+s\b"
    r"|(?<![\d.,])\b(?:0|[2-9]|\d\d+) (?:text|pair|file|passage|cluster|place|source|character|word"
    r"|bit|case|page|sentence|row|group|version|check|link|name|member|step|person)\b(?!-)"
)
LANGUAGES = [
    pytest.param(name, marks=pytest.mark.browser_context_args(locale=locale), id=name)
    for name, locale in (("en", "en-GB"), ("zh", "zh-CN"), ("zh_Hant", "zh-TW"))
]


@pytest.fixture(scope="session")
def essays() -> list[Document]:
    documents, _ = read(gather(samples()["essays"])[0])
    return documents


def batch(essays: list[Document], language: str, *, of: int = 11) -> list[Document]:
    """Return sample essays of one language, called by their authors; the first two overlap."""
    first = {"en": ("03-", "14-")}.get(language, ("08-", "21-"))
    taiwan = opencc.OpenCC("s2tw").convert if language == "zh_Hant" else str
    chosen = [
        Document.from_text(taiwan(one.text), name=taiwan(re.sub(r"^\d+-", "", one.name)))
        for one in sorted(essays, key=lambda one: not one.name.startswith(first))
        if bool(re.search("[\u4e00-\u9fff]", one.text)) == (language != "en")
    ]
    return chosen[:of]


@pytest.fixture
def opened(
    page: Page,
    essays_checked: tuple[Any, Path],
    remember: Callable[..., None],
) -> Callable[[list[Document]], str]:
    """`opened(documents)`: the id of a check of some documents, which the browser may open."""

    def make(documents: list[Document]) -> str:
        held, file = essays_checked
        remember(page, held)
        project = Shelf(file.parent).create(name="")
        project.save_documents(documents)
        project.save_result(check(documents))
        key = project.id
        project.close()
        return key

    return make


def walk(
    visit: Callable[..., Page], ready: Callable[..., None], key: str
) -> dict[str, list[Words]]:
    """Return what each page says, with everything that folds open."""
    said = {}
    for name in PAGES:
        page = visit(f"/{name}{'&' if '?' in name else '?'}check={key}")
        page.wait_for_load_state("networkidle")
        unfold(page, ready)
        expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
        said[name.partition("?")[0]] = words_of(page)
    return said


def unfold(page: Page, ready: Callable[..., None]) -> None:
    """Open everything that folds; what unfolds can hold more."""
    folded = page.locator("details:not([open]) > summary:visible")
    for _ in range(20):
        if not folded.count():
            return
        folded.first.click()
        ready(page)
    raise AssertionError("it folds without end")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_string_is_in_another_language(visit, ready, essays, opened, language) -> None:
    documents = batch(essays, language)
    theirs = " ".join(f"{one.name} {one.text}" for one in documents)
    said = walk(visit, ready, opened(documents))

    foreign = foreign_to_english if language == "en" else foreign_to_chinese
    assert {
        page: wrong
        for page, listed in said.items()
        if (wrong := sorted({one.text for one in listed if foreign(one, theirs)}))
    } == {}
    if language == "zh_Hant":
        del said["fingerprint_lab"]  # its words stand as they are compared: script folded
        texts = {one.text for listed in said.values() for one in listed}
        assert [text for text in texts - NAMES if SIMPLIFIED.search(text)] == []


def foreign_to_english(one: Words, theirs: str) -> bool:
    """Whether text is Chinese, and not marked so: another voice has to read it."""
    return (
        bool(HAN.search(one.text)) and not one.language.startswith("zh") and one.text not in NAMES
    )


def foreign_to_chinese(one: Words, theirs: str) -> bool:
    """Whether text has a Latin word that no term, no file and no command explains."""
    if one.language.startswith("en") or one.text in NAMES:
        return False
    left = re.sub("|".join(map(re.escape, TERMS)), " ", _CODE.sub(" ", one.text))
    return any(word not in theirs for word in re.findall(r"[A-Za-z][A-Za-z'’-]+", left))


@pytest.mark.browser_context_args(locale="en-GB")
def test_one_of_a_thing_is_singular(visit, ready, essays, opened) -> None:
    """Two texts that overlap in one passage: everything is one or two of a kind."""
    said = walk(visit, ready, opened(batch(essays, "en", of=2)))

    assert {
        page: wrong
        for page, listed in said.items()
        if (wrong := sorted({one.text for one in listed if _PLURAL.search(one.text)}))
    } == {}
