"""Walks over all pages: open to everyone, nothing untranslated, plurals that are right, a phone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import opencc
import pytest
from playwright.sync_api import Page, expect

from simhash_core import Document, check, gather, read, samples
from tests.e2e.access import check_names_and_headings
from tests.e2e.seen import Words, words_of
from tests.e2e.steps import PHONE, SCREEN, WORK, check_id, is_cut_off
from tests.e2e.test_joined import joined_class

ABOUT_TEXTS = (
    *("check", "results", "review", "results?text=0", "results?pair=0,1", "results?view=groups"),
    *("results?view=pupils", "threshold_lab"),
)
PAGES = (*ABOUT_TEXTS, "library", "reposts", "fingerprint_lab")
#: lists and readers of a class with a passage that three hold -> what each shows
LISTS = {
    "cases": ("view=cases", "table.questions tbody tr"),
    "pupils": ("view=pupils", "table.pupils tbody tr"),
    "groups": ("view=groups", ".band"),
    "pair": ("pair=4,5", ".reader .text p"),
    "prints": ("pair=4,5&show=prints", ".bits .grid"),
    "text": ("text=0", ".sources .source"),
    "passage": ("case=1", ".lt-passage"),
}
#: the only parts of Streamlit's own page that frame.css touches: an upgrade must tell us
TOUCHED = ("stMainBlockContainer", "stSidebar", "stHeader", "stToolbar", "stMain")
#: a window at 200 percent, and a phone
NARROW = ({"width": 640, "height": 450}, PHONE)
HAN = re.compile("[\u3400-\u9fff]")
#: what languages call themselves
NAMES = {"English", "简体中文", "繁體中文"}
#: sentences of the sources, which the fingerprint laboratory quotes in every language
NAMES |= {
    "CSDN博客结构之法算法之道的作者July",
    "the cat sat on the mat / on a mat",
    "we all scream for ice cream",
}
#: names of programs, formats, methods, keys and units that Chinese writes in Latin letters
TERMS = (
    *("Leitong", "leitong[ocr]", "Word", "WPS", "LaTeX", "PDF", "SimHash", "Jaccard", "Python"),
    *("TXT", "zip", "rar", "7z", "MB", "GB", "kB", "OCR", "CSV", "XLSX", "JSON", "SVG", "Parquet"),
    *("HTML", "Lines", "MediaWiki", "XML", "WARC", "TF-IDF", "jieba", "C(m,r)"),
    *("Ctrl", "Shift", "Enter", "Esc"),
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
def essays():
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


def walk(
    visit: Callable[..., Page],
    ready: Callable[..., None],
    key: str,
    *,
    paths: Iterable[str] = PAGES,
    look: Callable[[Page, str], None] = lambda page, path: None,
) -> dict[str, set[Words]]:
    """Return what each page says, with everything that folds open; `look` at it before."""
    said = {}
    for path in paths:
        page = visit(f"/{path}{'&' if '?' in path else '?'}check={key}")
        page.wait_for_load_state("networkidle")
        expect(page.get_by_role("dialog")).to_have_count(0)  # Streamlit's, of an unknown address
        look(page, path)
        unfold(page, ready)
        said[path] = set(words_of(page))
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
def test_every_page_is_whole_in_its_language(visit, ready, essays, keep, obstacles, language):
    """No string is in another language; in English names and headings, in Chinese axe."""
    documents = batch(essays, language)
    theirs = " ".join(f"{one.name} {one.text}" for one in documents)

    def look(page: Page, path: str) -> None:
        for name in TOUCHED:
            expect(page.get_by_test_id(name), name).not_to_have_count(0)
        if language == "en":
            check_names_and_headings(page, path)
        if language == "zh" and not path.startswith("results"):  # those are looked at below
            assert obstacles(page) == [], path

    key = keep(check(documents))
    said = walk(visit, ready, key, look=look)

    foreign = foreign_to_english if language == "en" else foreign_to_chinese
    assert {
        page: wrong
        for page, listed in said.items()
        if (wrong := sorted({one.text for one in listed if foreign(one, theirs)}))
    } == {}
    if language == "en":
        assert wrong_plurals(said) == {}
    if language == "zh_Hant":
        del said["fingerprint_lab"]  # its words stand as they are compared: script folded
        texts = {one.text for listed in said.values() for one in listed}
        assert [text for text in texts - NAMES if SIMPLIFIED.search(text)] == []


def foreign_to_english(one: Words, theirs: str) -> bool:
    """Whether text is Chinese, and not marked so: another voice has to read it."""
    left = re.sub("|".join(map(re.escape, NAMES)), " ", one.text)
    return bool(HAN.search(left)) and not one.language.startswith("zh")


def foreign_to_chinese(one: Words, theirs: str) -> bool:
    """Whether text has a Latin word that no term, no file and no command explains."""
    if one.language.startswith("en") or one.text in NAMES:
        return False
    left = re.sub("|".join(map(re.escape, TERMS)), " ", _CODE.sub(" ", one.text))
    return any(word not in theirs for word in re.findall(r"[A-Za-z][A-Za-z'’-]+", left))


@pytest.mark.parametrize("language", LANGUAGES[:2])
def test_lists_and_readers_are_open_to_everyone(visit, keep, obstacles, language):
    """In light and dark, on a screen and on a phone, where nothing is cut off."""
    key = keep(check(joined_class()))
    for name, (query, shown) in LISTS.items():
        page = visit(f"/results?{query}&check={key}")
        expect(page.locator(shown).first).to_be_visible(timeout=WORK)
        for size in (SCREEN, PHONE):
            page.set_viewport_size(size)
            assert obstacles(page) == [], (name, size)
        assert not is_cut_off(page), name
        page.set_viewport_size(SCREEN)


@pytest.mark.browser_context_args(locale="en-GB")
def test_one_of_a_thing_is_singular(visit, ready, essays, keep):
    """Two texts that overlap in one passage: everything is one or two of a kind."""
    key = keep(check(batch(essays, "en", of=2)))
    said = walk(visit, ready, key, paths=ABOUT_TEXTS)

    assert wrong_plurals(said) == {}


def wrong_plurals(said: dict[str, set[Words]]) -> dict[str, list[str]]:
    """Return the numbers that stand before a noun of the other number, by page."""
    return {
        page: wrong
        for page, listed in said.items()
        if (wrong := sorted({one.text for one in listed if _PLURAL.search(one.text)}))
    }


@pytest.mark.browser_context_args(locale="en-GB", viewport=PHONE, has_touch=True)
def test_a_phone_scrolls_only_down(checked, ready):
    """The sidebar closes to a bar after a choice; columns give way, texts are stacked."""
    page, key = checked, check_id(checked)
    row = page.locator("table.pairs tbody tr").first
    expect(row.locator("td.f-longest")).to_be_hidden()
    expect(row.locator("td.f-pair")).to_be_visible()
    assert not is_cut_off(page)

    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_test_id("stSidebarNavLink").nth(0).click()
    expect(page).to_have_url(re.compile(r"/(check)?\?"))
    expect(page.get_by_test_id("stSidebar")).to_have_css("height", "56px")
    expect(page.locator("table").first).to_be_visible(timeout=WORK)
    wrap = page.locator(".wrap").first
    assert not wrap.evaluate("wrap => wrap.scrollWidth > wrap.clientWidth")

    for path in (*PAGES, "results?pair=7,20", "reposts"):
        page.goto(f"/{path}{'&' if '?' in path else '?'}check={key}")
        ready(page)
        if path == "fingerprint_lab":
            expect(page.locator(".walk .frames > li")).to_have_count(5)
        elif path == "results?pair=7,20":
            expect(page.locator(".reader .text p:visible").first).to_be_visible()
            first, second = (page.locator(".reader .col").nth(n).bounding_box() for n in (0, 1))
            assert first and second and second["y"] >= first["y"] + first["height"]
            expect(page.locator(".reader .gu")).to_be_hidden()
        for size in NARROW:
            page.set_viewport_size(size)
            assert not is_cut_off(page), (path, size)
    page.locator(".st-key-repost_sample button").click()
    expect(page.locator(".lt-first .dates")).to_be_visible(timeout=WORK)
    assert not is_cut_off(page)
    for name in page.locator(".lt-first b").all():
        edge = name.bounding_box()
        assert edge is not None
        assert edge["x"] + edge["width"] <= 392
