"""Codes to sentences: gettext catalogues, one file a domain, read with Babel.

A key is dotted, `overview.title`; its first segment names the file
`locales/<language>/LC_MESSAGES/overview.po`, whose `msgid` is the whole key. Catalogues are read
from source, so a translator needs no build step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from gettext import c2py
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

LANGUAGES = ("zh", "en")
Translate = Callable[..., str]

_ROOT = Path(__file__).parent / "locales"
_GROUP = {"zh": "\u2009", "en": ","}  # a thin space in Chinese, a comma in English


def translator(language: str) -> Translate:
    """Return `t(key, **params)` for one language.

    `n` in `params` chooses the plural form; integers are grouped by thousands; a key that is in
    no catalogue comes back as itself, so that a gap is seen and never fatal.
    """
    chosen = language if language in LANGUAGES else "en"

    def t(key: str, /, **params: object) -> str:
        return _format(_message(chosen, key, params.get("n")), chosen, params)

    return t


def negotiate(locale: str | None) -> str:
    """Return the language for a browser or system locale: any Chinese is `zh`, the rest `en`."""
    return "zh" if (locale or "").lower().replace("_", "-").split("-")[0] == "zh" else "en"


def number(value: int, language: str) -> str:
    """Write an integer with the thousands grouping of the language."""
    return str(format_decimal(value, locale="en")).replace(",", _GROUP[language])


def catalogue(language: str) -> Mapping[str, object]:
    """Return every key of a language with its message, for tests."""
    folder = _ROOT / language / "LC_MESSAGES"
    merged: dict[str, object] = {}
    for path in sorted(folder.glob("*.po")):
        merged |= {str(m.id[0] if m.pluralizable else m.id): m.string
                   for m in _domain(language, path.stem) if m.id}  # fmt: skip
    return merged


@cache
def _domain(language: str, domain: str) -> Catalog:
    path = _ROOT / language / "LC_MESSAGES" / f"{domain}.po"
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def _message(language: str, key: str, n: object) -> str:
    catalog = _domain(language, key.partition(".")[0])
    message = catalog.get(key)
    if message is None or not message.string:
        return key
    if isinstance(message.string, str):
        return message.string
    form = c2py(catalog.plural_expr)(n) if isinstance(n, int) else 0
    return str(message.string[min(int(form), len(message.string) - 1)])


def _format(sentence: str, language: str, params: Mapping[str, object]) -> str:
    shown = {
        name: number(value, language)
        if isinstance(value, int) and not isinstance(value, bool)
        else value
        for name, value in params.items()
    }
    return sentence.format_map(shown) if shown else sentence
