"""Which language a caller reads, and errors that say in it what to do."""

from __future__ import annotations

import locale
import os
from collections.abc import Iterator
from contextlib import contextmanager

from simhash_core.errors import BadInput, InvalidSettings, Unreadable
from simhash_core.errors import LeitongError as LeitongError
from simhash_core.i18n import LANGUAGES, Translate, negotiate, translator


def language_of(chosen: str | None) -> str:
    """Return the language that was chosen, by default that of the system.

    Raises
    ------
    InvalidSettings
        It is none of the languages of the interface.
    """
    if chosen is None:
        system = os.environ.get("LC_ALL") or os.environ.get("LANG") or locale.getlocale()[0]
        return negotiate(system)
    if chosen not in LANGUAGES:
        raise InvalidSettings([("language", chosen, "one of " + ", ".join(LANGUAGES))])
    return chosen


@contextmanager
def spoken(language: str | None) -> Iterator[None]:
    """Give errors their sentence: what went wrong, and what to pass instead."""
    try:
        yield
    except LeitongError as error:
        chosen = language if language in LANGUAGES else None
        error.args = (sentence(error, translator(language_of(chosen))),)
        raise


@contextmanager
def needing(package: str) -> Iterator[None]:
    """Say what to install where a package is not there.

    Raises
    ------
    BadInput
        `package_missing`.
    """
    with spoken(None):
        try:
            yield
        except ImportError as error:
            raise BadInput("package_missing", name=package) from error


def sentence(error: LeitongError, t: Translate) -> str:
    """Return what an error says to a person."""
    if isinstance(error, InvalidSettings):
        return t("error.invalid_settings", problems=error.params["problems"])
    if isinstance(error, Unreadable):
        reason = t(f"notes.{error.code}", **error.params)
        return t("error.unreadable", name=error.file, reason=reason)
    return t(f"error.{error.code}", **error.params)
