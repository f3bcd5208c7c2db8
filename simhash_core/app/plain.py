"""Pages outside the application: sentences on a page that needs no server and no script."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from ..i18n import tag

_STYLE = "body{max-width:36rem;margin:15vh auto;padding:0 1rem;font:1.0625rem/1.6 system-ui}"


def draw_plain_page(parts: Iterable[tuple[str, str, Sequence[str]]], link: str = "") -> str:
    """Return a page: of each part the code of its language, a title and sentences.

    Text is escaped; `link` is HTML, and stands at the end.
    """
    drawn = "".join(
        f'<section lang="{tag(code)}"><h1>{html.escape(title)}</h1>'
        + "".join(f"<p>{html.escape(sentence)}</p>" for sentence in sentences)
        + "</section>"
        for code, title, sentences in parts
    )
    return (
        '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        '<meta name="color-scheme" content="light dark"><title>Leitong 雷同</title>'
        f"<style>{_STYLE}</style>{drawn}{link}"
    )
