"""Codes to sentences: gettext catalogues, one file a domain, read from source at first use.

A key is dotted, `results.facts`; its first segment names the file
`locales/<language>/LC_MESSAGES/results.po`, whose `msgid` is the whole key. Nothing is compiled,
so a translator needs no build step. Traditional Chinese is made of Chinese (`locales/traditional`).
`<key>.in_bundle` stands for `<key>` in the bundle that needs no Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from gettext import c2py
from numbers import Integral
from pathlib import Path
from typing import NamedTuple

from .locales import traditional
from .machine.isolation import in_bundle

Translate = Callable[..., str]

_ROOT = Path(__file__).parent / "locales"
_FIRST = ("zh", "en")


def languages() -> tuple[str, ...]:
    """Return the languages of the interface: a folder each, Chinese and English first."""
    folders = {path.name for path in _ROOT.iterdir() if (path / "LC_MESSAGES").is_dir()}
    return (*_FIRST, *sorted(folders - set(_FIRST)))


#: codes as the folders are called: `zh`, `en`, `zh_Hant`
LANGUAGES = languages()
#: a line of a catalogue: a keyword and the beginning of its text, or more of the text before
_LINE = re.compile(r'(?:(msgid|msgid_plural|msgstr)(?:\[\d+\])?\s+)?"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_PLURAL = re.compile(r"^Plural-Forms:.*plural=([^;\n]+)", re.MULTILINE)


class _Count(str):
    """An integer as it is written; as `{name:one|more}`, the word that goes with it."""

    value: int

    def __format__(self, spec: str) -> str:
        one, bar, more = spec.partition("|")
        if not bar:
            return super().__format__(spec)
        return one if self.value == 1 else more


class Catalogue(NamedTuple):
    """The sentences of one domain: key to its forms, and which form a number takes."""

    sentences: Mapping[str, tuple[str, ...]]
    plural: Callable[[int], int]


def translator(language: str) -> Translate:
    """Return `t(key, **params)` for one language.

    `n` in `params` chooses the plural form, and another integer that of a word beside it, as in
    `{pairs} {pairs:pair|pairs}`; integers are grouped by thousands; a key that is in no catalogue
    comes back as itself, so that a gap is seen and never fatal.
    """
    chosen = language if language in LANGUAGES else "en"

    def t(key: str, /, **params: object) -> str:
        return _format(_message(chosen, key, params.get("n")), chosen, params)

    return t


def negotiate(locale: str | None) -> str:
    """Return the language that answers to a browser or system locale, or to its beginning, or `en`.

    `zh-TW`, `zh_HK.UTF-8` and `zh-Hant-SG` lead to Traditional Chinese; see `language.locales`.
    """
    parts = re.split("[-_]", (locale or "").partition(".")[0].lower())
    answering = {
        name.lower(): code
        for code in reversed(LANGUAGES)
        for name in (code.replace("_", "-"), *translator(code)("language.locales").split())
    }
    for length in range(len(parts), 0, -1):
        if (name := "-".join(parts[:length])) in answering:
            return answering[name]
    return "en"


def in_chinese(language: str) -> bool:
    """Whether numbers, dates and lists are written as in Chinese; else as in English."""
    return language.partition("_")[0] == "zh"


def tag(language: str) -> str:
    """Return a language as HTML names it."""
    return translator(language)("language.tag")


def number(value: int, language: str) -> str:
    """Write an integer grouped by thousands: by a thin space in Chinese, else by a comma."""
    return f"{value:,}".replace(",", "\u2009") if in_chinese(language) else f"{value:,}"


def catalogue(language: str) -> Mapping[str, object]:
    """Return every key of a language with its sentence, or with all forms of it, for tests."""
    written = traditional.SOURCE if language == traditional.TARGET else language
    folder = _ROOT / written / "LC_MESSAGES"
    merged: dict[str, object] = {}
    for path in sorted(folder.glob("*.po")):
        sentences = domain(language, path.stem).sentences.items()
        merged |= {key: forms[0] if len(forms) == 1 else forms for key, forms in sentences}
    return merged


@cache
def domain(language: str, name: str) -> Catalogue:
    """Return the catalogue of one domain, an empty one where there is no such file."""
    held = read_catalogue(catalogue_text(language, name), f"{name}.po")
    if not in_bundle():
        return held
    own = {
        key: held.sentences.get(f"{key}.in_bundle", said) for key, said in held.sentences.items()
    }
    return held._replace(sentences=own)  # no pip there


def catalogue_text(language: str, name: str) -> str:
    """Return the `.po` file of one domain; Traditional Chinese is made where it is not there."""
    path = _ROOT / language / "LC_MESSAGES" / f"{name}.po"
    if path.exists():
        return path.read_text("utf-8")
    if language == traditional.TARGET:
        return traditional.convert_catalogue(catalogue_text(traditional.SOURCE, name))
    return ""


def read_catalogue(text: str, name: str) -> Catalogue:
    """Read the text of a `.po` file; comments and entries that are commented out say nothing.

    Raises
    ------
    ValueError
        A line that is none of a catalogue; says the name of the file and the line.

    Notes
    -----
    The part of the format that a key of ours can need: no contexts (`msgctxt`). A library for all
    of it took longer to load than every sentence of a command takes to read.
    """
    entries: list[list[str]] = []  # key, then forms
    keyword = ""
    for place, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise ValueError(f"{name}, line {place}: {line[:40]!r}")
        keyword = match[1] or keyword
        text = _ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), match[2])
        if keyword == "msgid_plural":
            continue  # the key once more
        if match[1] == "msgid":
            entries.append([text])
        elif match[1] == "msgstr":
            entries[-1].append(text)
        else:
            entries[-1][-1] += text
    sentences = {key: tuple(forms) for key, *forms in entries}
    rule = _PLURAL.search("".join(sentences.pop("", ())))
    return Catalogue(sentences, c2py(rule[1]) if rule else _first)


def _first(n: int) -> int:
    return 0


def _message(language: str, key: str, n: object) -> str:
    sentences, plural = domain(language, key.partition(".")[0])
    forms = sentences.get(key, ())
    if not any(forms):
        return key
    form = plural(n) if isinstance(n, int) else 0
    return forms[min(int(form), len(forms) - 1)]


def _format(sentence: str, language: str, params: Mapping[str, object]) -> str:
    shown = {
        name: _count(int(value), language)
        if not isinstance(value, bool) and isinstance(value, Integral)
        else value
        for name, value in params.items()
    }
    return sentence.format_map(shown) if shown else sentence


def _count(value: int, language: str) -> _Count:
    written = _Count(number(value, language))
    written.value = value
    return written
