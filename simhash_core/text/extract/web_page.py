"""Saved web pages that are articles: the article without menus, teasers and adverts around it."""

from __future__ import annotations

import importlib.util
import logging
from dataclasses import replace
from typing import Any

from ...model import Note
from . import html
from .extracted import Extracted, within_limits, without_empty

_LEAST = 200  # characters of an article; where less remains, it was not recognised
_LEAST_SHARE = 0.1  # of what the page shows


def is_installed() -> bool:
    """Whether articles can be told from the rest of their page."""
    return importlib.util.find_spec("trafilatura") is not None


def extract(data: bytes, *, encoding: str = "") -> Extracted:
    """Return the article of a page; the whole page where none is recognised.

    Notes
    -----
    A note says how many characters beside the article were left out.
    """
    whole = html.extract(data, encoding=encoding)
    if not is_installed():
        return whole
    import trafilatura

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it writes addresses and words
    page = within_limits(html.decoded_page(data, encoding=encoding).text)
    article: Any = trafilatura.bare_extraction(
        html.without_hidden(page),
        with_metadata=True,
        include_comments=False,
        include_tables=True,
        favor_recall=True,
    )
    text = (article.text or "").strip() if article is not None else ""
    shown = _visible_characters(whole.text)
    if _visible_characters(text) < max(_LEAST, _LEAST_SHARE * shown):
        return whole
    named = {name: getattr(article, name, None) for name in ("title", "author", "date", "url")}
    beside = max(shown - _visible_characters(text), 0)
    notes = (*whole.notes, Note("beside_article", {"n": beside})) if beside else whole.notes
    return replace(whole, text=text, meta={**whole.meta, **without_empty(**named)}, notes=notes)


def _visible_characters(text: str) -> int:
    return len("".join(text.split()))
