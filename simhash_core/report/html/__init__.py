"""A report as one HTML file: no script, no network, prints cleanly."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ...palette import PAPER
from .. import short
from ..collation.folding import Fold
from ..content import Report
from ..kinds import story
from ..words import Words

_FOLDER = Path(__file__).parent / "templates"
_LANGS = {"characters": "zh-CN", "words": "en"}
#: look of a table -> its class
_LOOKS = {
    **dict.fromkeys(("ranked", "apart", "texts", "sources"), "rk"),
    "confirmed": "ct",
    "held": "ct cl",
    "cleared": "ct cl",
}


def write_html(report: Report, language: str) -> bytes:
    """Return a report as a page."""
    words = Words.of(report, language)
    # the number of a page as content of CSS
    pages = str(css_string(words.t("report.page", page="\ue000", pages="\ue001")))
    pages = pages.replace("\ue000", '" counter(page) "').replace("\ue001", '" counter(pages) "')
    page = (
        _environment()
        .get_template("report.html")
        .render(
            r=report,
            w=words,
            t=words.t,
            langs=_LANGS,
            looks=_LOOKS,
            short=short,
            story=story(words),
            paper=PAPER,
            logo=Markup((_FOLDER / "logo.svg").read_text("utf-8")),
            running_left=words.running_left(),
            running_right=words.running_right(),
            foot=words.foot(),
            pages=Markup(pages),
        )
    )
    return page.encode("utf-8", "replace")


@functools.cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["css"] = css_string
    environment.tests["folded"] = lambda line: isinstance(line, Fold)
    return environment


def css_string(text: str) -> Markup:
    """Return text as a string of CSS; nothing in it can end the string or the style.

    >>> css_string('a"b')
    Markup('"a\\\\22 b"')
    """
    return Markup('"{}"').format(  # what is put in holds no character that HTML would escape
        Markup(re.sub(r"[\x00-\x1f\"'\\<>&]", lambda m: f"\\{ord(m.group()):x} ", text))
    )
