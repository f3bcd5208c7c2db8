"""One text of the library, shown as it was read."""

from __future__ import annotations

from simhash_core import LeitongError
from simhash_core.storage.library import Library

from ..shared.formatting import error_text, esc, length_text, text_language
from ..shared.session import t
from ..shared.widgets import caution, note, write_html

_MOST = 20_000  # characters shown; a browser scrolls no further with ease


def text_of(held: Library, key: int) -> None:
    """Draw a text and what is said about it."""
    try:
        (document,) = held.documents([key]) or (None,)
    except LeitongError as error:
        caution(t("library.damaged"), error_text(error))
        return
    if document is None:
        return
    meta = document.meta
    about = [meta.get(name, "") for name in ("title", "author", "date", "url")]
    note(" · ".join(filter(None, (*about, length_text(document.text)))), lead=document.name)
    shown, language = esc(document.text[:_MOST]), text_language(document.text)
    write_html(f'<div class="lt-preview" lang="{language}" tabindex="0">{shown}</div>')
