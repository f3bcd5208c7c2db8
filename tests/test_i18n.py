"""Catalogues: both languages say the same things, plurals and numbers are native."""

from __future__ import annotations

import re

import pytest

from simhash_core.i18n import LANGUAGES, catalogue, negotiate, number, translator


def _placeholders(message: object) -> set[str]:
    forms = message if isinstance(message, tuple | list) else (message,)
    return {name for form in forms for name in re.findall(r"\{(\w+)[^}]*\}", str(form))}


def test_languages_have_the_same_keys() -> None:
    zh, en = (set(catalogue(language)) for language in LANGUAGES)

    assert zh == en
    assert len(en) > 100


def test_languages_have_the_same_placeholders() -> None:
    zh, en = (catalogue(language) for language in LANGUAGES)

    assert {k for k in en if _placeholders(en[k]) != _placeholders(zh[k])} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_is_empty(language: str) -> None:
    empty = [
        k for k, m in catalogue(language).items() if not m or (isinstance(m, tuple) and not all(m))
    ]

    assert empty == []


def test_plural_follows_n() -> None:
    t = translator("en")

    assert t("cli.more", n=1).startswith("… and 1 more pair;")
    assert t("cli.more", n=2).startswith("… and 2 more pairs;")


def test_numbers_are_grouped_by_language() -> None:
    assert number(1234567, "en") == "1,234,567"
    assert number(1234567, "zh") == "1\u2009234\u2009567"


def test_unknown_key_comes_back_and_braces_in_values_stay() -> None:
    t = translator("zh")

    assert t("nowhere.key") == "nowhere.key"
    assert "{0.__class__}" in t("error.file", name="{0.__class__}", reason="x")


@pytest.mark.parametrize(
    ("locale", "language"),
    [("zh-CN", "zh"), ("zh_TW.UTF-8", "zh"), ("en-GB", "en"), ("C", "en"), (None, "en")],
)
def test_negotiate(locale: str | None, language: str) -> None:
    assert negotiate(locale) == language
