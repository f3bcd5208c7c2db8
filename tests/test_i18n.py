"""Catalogues: both languages say the same things, plurals and numbers are native."""

from __future__ import annotations

import ast
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from simhash_core import i18n
from simhash_core.app import guides
from simhash_core.app.guides import ABOUT, guide, guides_about
from simhash_core.i18n import (
    LANGUAGES,
    catalogue,
    catalogue_text,
    domain,
    negotiate,
    number,
    read_catalogue,
    translator,
)
from simhash_core.locales import traditional

DOMAINS = sorted(path.stem for path in (traditional.HERE / "en" / "LC_MESSAGES").glob("*.po"))
DOCS = Path(i18n.__file__).parents[1] / "docs"
ESSAYS = [
    str(path)
    for path in sorted((Path(i18n.__file__).parents[1] / "sample_docs" / "essays").glob("0[18]-*"))
]


def _placeholders(message: object) -> set[str]:
    return {name for form in _forms(message) for name in re.findall(r"\{(\w+)[^}]*\}", form)}


def _forms(message: object) -> tuple[str, ...]:
    return message if isinstance(message, tuple) else (str(message),)


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages_say_the_same_things(language: str) -> None:
    """The same keys with the same placeholders, nothing empty, each form that the language has."""
    english, other = catalogue("en"), catalogue(language)

    assert len(english) > 100
    assert other.keys() == english.keys()
    for key, message in english.items():
        optional = {"n"} if isinstance(message, tuple) else set()
        assert _placeholders(other[key]) | optional == _placeholders(message) | optional, key
        assert all(_forms(other[key])) and len(_forms(other[key])) <= 2, key


def test_plurals_follow_each_number_which_is_grouped_by_language() -> None:
    t = translator("en")
    assert t("cli.more", n=1).startswith("… and 1 more pair;")
    assert t("cli.more", n=2).startswith("… and 2 more pairs;")

    one = t("cli.summary", n=2, of=1, pairs=1, near=0, clusters=1, skipped=0)
    many = t("cli.summary", n=2, of=1275, pairs=1200, near=0, clusters=0, skipped=0)
    assert one.startswith("2 texts: of 1 pair compared 1 has evidence, 0 within the threshold, 1")
    assert many.startswith("2 texts: of 1,275 pairs compared 1,200 have evidence, 0 within the")
    assert number(1234567, "en") == "1,234,567"
    assert number(1234567, "zh") == "1\u2009234\u2009567"


#: nouns of what is counted; a sentence that has a number before one must have both its forms
COUNTED = r"backups|clusters|comparisons|fingerprints|links|pairs|passages|rows|tables"
#: here the number is two at least, or the sentence is about all texts of a large check
NEVER_ONE = {
    *("check.stage.align", "check.stage.translated"),
    *("frame.chance.about", "frame.chance.under", "guarantee.complete_equal", "guarantee.formula"),
    *("guarantee.passages_rare", "guarantee.translated_likely", "guarantee.meaning_likely"),
    "reposts.further",  # a name, not a number
}


def test_english_plurals_go_with_their_numbers() -> None:
    wrong = {
        key
        for key, message in catalogue("en").items()
        for form in _forms(message)
        for name in re.findall(rf"{{(\w+)}} (?:{COUNTED})\b", form)
        if name != "n" or isinstance(message, str)
    }

    assert wrong - NEVER_ONE == set()


NOT_IN_BUNDLE = re.compile(r"leitong\[(ocr|spark|\{name\})\]")  # extras that it does not hold


@pytest.mark.parametrize(
    "key",
    [
        key
        for key, message in catalogue("en").items()
        if any(NOT_IN_BUNDLE.search(form) for form in _forms(message))
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bundle_does_not_name_pip(
    language: str, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "leitong[" in translator(language)(key)

    monkeypatch.setattr(sys, "frozen", True, raising=False)
    domain.cache_clear()
    said = translator(language)(key)
    monkeypatch.undo()
    domain.cache_clear()

    assert not re.search(r"pip |leitong\[", said)


def test_unknown_key_comes_back_and_braces_in_values_stay() -> None:
    t = translator("zh")

    assert t("nowhere.key") == "nowhere.key"
    assert "{0.__class__}" in t("error.file", name="{0.__class__}", reason="x")


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("zh-CN", "zh"),
        ("zh", "zh"),
        ("zh-Hans-HK", "zh"),
        ("zh_TW.UTF-8", "zh_Hant"),
        ("zh-HK", "zh_Hant"),
        ("zh-hant-SG", "zh_Hant"),
        ("en-GB", "en"),
        ("C", "en"),
        (None, "en"),
        ("fr", "en"),
    ],
)
def test_negotiate(locale: str | None, language: str) -> None:
    assert negotiate(locale) == language


# --------------------------------------------------------------------------- reading catalogues


@pytest.mark.parametrize("name", DOMAINS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_are_read_as_babel_reads_them(language: str, name: str) -> None:
    text = catalogue_text(language, name)
    read = read_catalogue(text, name)
    judge = read_po(io.BytesIO(text.encode()))

    expected = {
        str(m.id[0] if m.pluralizable else m.id): (m.string,) if isinstance(m.string, str)
        else tuple(m.string)
        for m in judge if m.id
    }  # fmt: skip
    assert read.sentences == expected
    assert [key for key in expected if not key.startswith(f"{name}.")] == []
    for n in (0, 1, 2, 5, 21):
        assert read.plural(n) == int(i18n.c2py(judge.plural_expr)(n))


@pytest.mark.parametrize("name", DOMAINS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_stands_twice(language: str, name: str) -> None:
    keys = re.findall(r'^msgid "(.*)"$', catalogue_text(language, name), re.MULTILINE)

    assert sorted(set(keys)) == sorted(keys)


def test_what_editors_of_catalogues_write_is_read() -> None:
    text = (
        'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n'
        "# said by\n#, fuzzy\n#: a.py:3\n"
        'msgid "a.wrapped"\nmsgstr ""\n"one \\"line\\",\\n"\n"another\\t\\\\ "\n'
        'msgid "a.many"\nmsgid_plural "a.many"\nmsgstr[0] "{n} text"\nmsgstr[1] "{n} texts"\n'
        '#~ msgid "a.gone"\n#~ msgstr "gone"\n'
    )

    read = read_catalogue(text, "a.po")

    assert read.sentences == {
        "a.wrapped": ('one "line",\nanother\t\\ ',),
        "a.many": ("{n} text", "{n} texts"),
    }
    assert [read.plural(n) for n in (1, 2)] == [0, 1]


def test_a_line_that_is_no_catalogue_is_named() -> None:
    with pytest.raises(ValueError, match=r"broken\.po, line 3"):
        read_catalogue('msgid "a.b"\nmsgstr "whole"\nmsgstr broken\n', "broken.po")


def test_words_are_loaded_when_they_are_said() -> None:
    """Neither the reader of catalogues nor a catalogue that is not used costs anything."""
    code = (
        "import sys; from simhash_core import i18n; t = i18n.translator('en'); t('cli.command')\n"
        "print(i18n.domain.cache_info().currsize, 'babel' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["1", "False"]


# --------------------------------------------------------------------------- another language


@pytest.fixture(scope="module")
def with_one_more(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All catalogues, and a folder more: English, called otherwise, with a sentence of its own."""
    folder = tmp_path_factory.mktemp("locales")
    shutil.copytree(Path(i18n.__file__).parent / "locales", folder, dirs_exist_ok=True)
    more = folder / "en_XA"
    shutil.copytree(folder / "en", more)
    for name, here, there in (
        ("language", 'name"\nmsgstr "English"', 'name"\nmsgstr "Ænglisc"'),
        ("language", 'tag"\nmsgstr "en"', 'tag"\nmsgstr "ang"'),
        ("language", 'locales"\nmsgstr "en"', 'locales"\nmsgstr "ang"'),
        ("report", "Overlap is evidence, not a verdict.", "Overlap is a sign, no doom."),
    ):
        path = more / "LC_MESSAGES" / f"{name}.po"
        text = path.read_text("utf-8")
        assert here in text
        path.write_text(text.replace(here, there), "utf-8")
    return folder


@pytest.mark.long
def test_a_folder_more_is_a_language_more(with_one_more: Path, tmp_path: Path) -> None:
    """It is chosen by name, by a system's locale, in the list of languages, and in a report."""
    arguments = [*ESSAYS, "--lang", "en_XA", "-o", str(tmp_path / "report.html")]
    code = (
        "import sys; from pathlib import Path; from simhash_core import i18n\n"
        f"i18n._ROOT = Path({str(with_one_more)!r}); i18n.LANGUAGES = i18n.languages()\n"
        "from simhash_core.cli.entry import run\n"
        f"code = run(['check', *{arguments!r}])\n"
        "t = i18n.translator(i18n.negotiate('ang_GB.UTF-8'))\n"
        "print(i18n.LANGUAGES, t('language.name'), code); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True
    )

    assert "('zh', 'en', 'en_XA', 'zh_Hant') Ænglisc 0" in done.stdout
    report = (tmp_path / "report.html").read_text("utf-8")
    assert '<html lang="ang"' in report
    assert "Overlap is a sign, no doom." in report


# --------------------------------------------------------------------------- Traditional Chinese

#: letters of Simplified Chinese, and words that mean another thing in Taiwan, or nothing
_MAINLAND = re.compile(
    "[这为从发关开们书门问间实现读写语计认让说边达过还进远连选]"
    "|默認|鼠標|屏幕|打印|網絡|信息|軟件|硬件|文件夾|程序|數據|服務器|內存|視頻|質量|用戶|幻燈"
    "|模板|壓縮包|查重|閾值|當前|回車|[“”‘’]|[^過]濾器|文本里|程式程式"
)


def test_traditional_chinese_says_what_the_chinese_catalogue_says_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chinese = tmp_path / traditional.SOURCE / "LC_MESSAGES"
    chinese.mkdir(parents=True)
    text = '"Language: zh\\n"\n\nmsgid "check.信息"\nmsgstr "新的信息"\n'
    (chinese / "check.po").write_text(text, "utf-8")
    monkeypatch.setattr(i18n, "_ROOT", tmp_path)

    assert catalogue_text(traditional.TARGET, "check") == text.replace("zh\\", "zh_Hant\\").replace(
        "新的信息", "新的資訊"
    )
    assert catalogue_text(traditional.TARGET, "nowhere") == ""


def test_a_folder_of_catalogues_is_shown_without_opencc(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a wheel."""
    made = catalogue(traditional.TARGET)
    shutil.copytree(traditional.HERE, tmp_path, dirs_exist_ok=True)
    traditional.write_catalogues(tmp_path / traditional.TARGET / "LC_MESSAGES")
    code = (
        "import sys; from pathlib import Path; sys.modules['opencc'] = None\n"
        f"from simhash_core import i18n; i18n._ROOT = Path({str(tmp_path)!r})\n"
        "print(i18n.catalogue('zh_Hant'))"
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )

    assert ast.literal_eval(done.stdout) == made


def test_every_term_of_the_table_is_used() -> None:
    """A term that no sentence has any more, or that OpenCC writes otherwise by now, goes."""
    convert, terms, pattern = traditional._tables()
    written = [
        *(traditional.HERE / traditional.SOURCE / "LC_MESSAGES").glob("*.po"),
        *(path for kind in guides.KINDS for path in (DOCS / "zh" / kind).glob("*.md")),
    ]
    used = {
        match for path in written for match in pattern.findall(convert(path.read_text("utf-8")))
    }

    assert {term for term, ours in terms.items() if term != ours} - used == set()


def test_no_simplified_letter_or_mainland_word_is_left() -> None:
    listed = "exclusions.help.quotations"  # names all quotation marks
    wrong = {
        key: form
        for key, message in catalogue("zh_Hant").items()
        for form in _forms(message)
        if key != listed and _MAINLAND.search(form)
    }

    assert wrong == {}


def test_guides_are_in_traditional_chinese_but_for_their_commands() -> None:
    for name in sorted({name for page in ABOUT for name in guides_about(page)}):
        text = guides._VERBATIM.sub(lambda part: part[2] or "", guide(name, "zh_Hant").text)

        assert _MAINLAND.findall(text) == [], name
    command = "leitong check 作业.zip --template 题目.docx --against 去年/"
    assert command in guide("how-to/last-year", "zh_Hant").text
