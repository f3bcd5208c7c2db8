"""Take text that everybody was given out of the comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..model import Document, Note
from ..passages.options import AlignOptions
from ..passages.pair import pair_of
from ..passages.tokenized import TokenizedText, tokenize
from ..settings import Settings
from ..text.normalize import normalize


def without_templates(
    documents: Sequence[Document], templates: Sequence[Document], *, settings: Settings
) -> tuple[list[Document], list[Document]]:
    """Find the text of the templates in every document.

    Returns
    -------
    documents
        With a note `template` for each stretch that is not compared.
    counted
        With those stretches blanked, so that every offset stays valid: fingerprints and passages
        are made from these.
    """
    if not templates:
        return list(documents), list(documents)
    given = [_tokenized(template, settings) for template in templates]
    noted = []
    for document in documents:
        spans = _spans(_tokenized(document, settings), given, settings.min_run)
        notes = tuple(Note("template", {}, start, end) for start, end in spans)
        noted.append(replace(document, notes=(*document.notes, *notes)))
    return noted, [counted(document) for document in noted]


def counted(document: Document) -> Document:
    """Return the document with its template text blanked by line breaks, length unchanged."""
    pieces, reached = [], 0
    for note in document.notes:
        if note.code == "template":
            pieces += [document.text[reached : note.start], "\n" * (note.end - note.start)]
            reached = note.end
    if not pieces:
        return document
    return replace(document, text="".join([*pieces, document.text[reached:]]))


def _tokenized(document: Document, settings: Settings) -> TokenizedText:
    normalised = normalize(document.text, fold_variants=settings.fold_variants)
    return tokenize(normalised, document.text)


def _spans(
    text: TokenizedText, given: Sequence[TokenizedText], min_run: int
) -> list[tuple[int, int]]:
    """Code-point ranges of runs that a template holds too, neighbours joined."""
    options = AlignOptions.for_language(text.language, frequencies=False, min_run=min_run)
    spans = sorted(
        (int(text.start[a]), int(text.end_attached[a + length - 1]))
        for template in given
        for a, _, length in pair_of(text, template, options, None, None).runs.tolist()
        if length >= options.short_run
    )
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
