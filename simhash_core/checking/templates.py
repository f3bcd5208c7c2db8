"""Take text that everybody was given out of the comparison."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from statistics import median

import numpy as np

from ..model import I64, Document, Note
from ..passages.align import align
from ..passages.cut import equal_runs, token_ranges
from ..passages.exact import runs_of
from ..passages.options import AlignOptions
from ..passages.tokenized import TokenizedText
from ..policy import SHORT_TOKENS, TEMPLATE_EDITED, TEMPLATE_GAP
from ..settings import Settings
from ..text.lengths import words_about
from .misread import read_document
from .tokenizing import read_text


def find_templates(
    documents: Sequence[Document],
    templates: Sequence[Document],
    *,
    settings: Settings,
    searched: int = 0,
) -> tuple[list[Document], list[Document]]:
    """Find the text of the templates in every document.

    The first `searched` documents have been through this: they carry their notes already.

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
    noted, fresh = list(documents[:searched]), documents[searched:]
    tokenized = [read_text(document.text, settings) for document in fresh]
    texts = [template.text for template in templates]
    spans = template_spans(tokenized, texts, settings=settings)
    for document, of_text in zip(fresh, spans, strict=True):
        notes = tuple(Note("template", {}, start, end) for start, end in of_text)
        noted.append(replace(document, notes=(*document.notes, *notes)))
    return noted, [blank_templates(document) for document in noted]


def blank_templates(document: Document) -> Document:
    """Return the document with its template text blanked by line breaks, length unchanged.

    Its language is what is left is written in: nobody has looked yet.
    """
    pieces, reached = [], 0
    for note in document.notes:
        if note.code == "template":
            pieces += [document.text[reached : note.start], "\n" * (note.end - note.start)]
            reached = note.end
    if not pieces:
        return document
    return replace(document, text="".join([*pieces, document.text[reached:]]), language="")


def whole_units(documents: Sequence[Document], counted: I64, *, settings: Settings) -> I64:
    """Return the units of whole texts, int64 (n,), from those left without templates."""
    whole = counted.copy()
    for row, document in enumerate(documents):
        if any(note.code == "template" for note in document.notes):
            whole[row] = read_document(document, settings).counted
    return whole


def template_spans(
    tokenized: Sequence[TokenizedText], templates: Sequence[str], *, settings: Settings
) -> list[list[tuple[int, int]]]:
    """Return where each text holds a template, word by word or lightly edited.

    Returns
    -------
    list of list of (start, end)
        Code-point ranges of each text, sorted and disjoint.

    Notes
    -----
    Exact runs count wherever they stand. Of an aligned passage with at least `TEMPLATE_EDITED`
    equal words, the equal stretches count, and the words between two of them up to `TEMPLATE_GAP`:
    an edited word goes with the template, an answer between two questions does not.
    """
    given = [read_text(template, settings) for template in templates]
    given = [template for template in given if len(template)]
    return [_spans(text, given, settings.min_run) if len(text) else [] for text in tokenized]


def found_as_templates(
    document: Document, spans: Sequence[tuple[int, int]], *, settings: Settings
) -> list[bool]:
    """Say which ranges of a text would be found in it as templates: not those that are too short.

    Notes
    -----
    A range as long as the shortest exact run is found. Shorter ones are looked for: long words may
    still make a passage.
    """
    text = blank_templates(document).text
    tokenized = read_text(text, settings)
    ranges = np.array(spans, np.int32).reshape(-1, 2)
    rows = np.zeros(len(ranges), np.int64)
    first, last = token_ranges([tokenized], rows, ranges[:, 0], ranges[:, 1])
    options = _options(tokenized, settings.min_run)
    enough = last - first >= max(options.gram, options.short_run)
    return [
        bool(long) or any(template_spans([tokenized], [text[slice(*span)]], settings=settings))
        for long, span in zip(enough.tolist(), spans, strict=True)
    ]


def _options(text: TokenizedText, min_run: int) -> AlignOptions:
    return AlignOptions.for_language(text.language, frequencies=False, min_run=min_run)


def _spans(
    text: TokenizedText, given: Sequence[TokenizedText], min_run: int
) -> list[tuple[int, int]]:
    """Return the ranges of one text."""
    options = _options(text, min_run)
    held = np.zeros(len(text), np.bool_)
    for template in given:
        for a, _, length in runs_of(text, template, options).tolist():
            if length >= options.short_run:
                held[a : a + length] = True
        for a, b in _edited(text, template, options):
            held[a:b] = True
    edges = np.diff(np.concatenate([[0], held.astype(np.int8), [0]]))
    first, last = np.flatnonzero(edges > 0), np.flatnonzero(edges < 0) - 1
    return list(zip(text.start[first].tolist(), text.end_attached[last].tolist(), strict=True))


def _edited(
    text: TokenizedText, template: TokenizedText, options: AlignOptions
) -> Iterator[tuple[int, int]]:
    """Yield the tokens of a text that are the template with a word changed here and there."""
    passages = align(text, template, options=options)
    zeros = np.zeros(len(passages), np.int64)
    in_text = token_ranges([text], zeros, passages.a_start, passages.a_end)
    in_template = token_ranges([template], zeros, passages.b_start, passages.b_end)
    for row in np.flatnonzero(~passages.weak).tolist():
        a0, a1 = (int(bound[row]) for bound in in_text)
        b0, b1 = (int(bound[row]) for bound in in_template)
        equal = sum(n for _, _, n in equal_runs(text.token[a0:a1], template.token[b0:b1]))
        if equal < TEMPLATE_EDITED * min(a1 - a0, b1 - b0):
            continue
        # a changed word near its end cuts a passage short: look a little beyond it
        low, high = max(a0 - 2 * TEMPLATE_GAP, 0), a1 + 2 * TEMPLATE_GAP
        other = template.token[max(b0 - 2 * TEMPLATE_GAP, 0) : b1 + 2 * TEMPLATE_GAP]
        reached = -1
        for at, _, length in equal_runs(text.token[low:high], other):
            first, last = low + at, low + at + length
            if length == 1 and not (a0 <= first < a1):
                continue
            joins = reached >= 0 and first - reached <= TEMPLATE_GAP
            yield reached if joins else first, last
            reached = last


#: what sheets with a task are called
_TASK = re.compile(
    r"task|assignment|prompt|question|instruction|worksheet|brief|rubric|exercise|handout|template"
    r"|题目|題目|任务|任務|要求|说明|說明|试题|試題|试卷|試卷|問題|问题|Aufgabe|consigne",
    re.I,
)
_LEAST_LINE = 25  # characters of a line that others can have word for word
_HELD_BY = 3  # other texts


def may_be_task(document: Document, documents: Sequence[Document]) -> bool:
    """Whether a text may be what all were given: its name says so, or others hold its lines."""
    if _TASK.search(document.name.rpartition("/")[2]):
        return True
    lines = [" ".join(line.split()) for line in document.text.splitlines()]
    lines = [line for line in lines if len(line) >= _LEAST_LINE]
    others = (" ".join(one.text.split()) for one in documents if one is not document)
    holders = sum(any(line in text for line in lines) for text in others)
    return holders >= _HELD_BY


_LOOKED_AT = 12  # texts that tell of what kind all are


def guess_kind(documents: Sequence[Document]) -> str:
    """Return of which of `settings.KINDS` texts seem to be, by their form and length.

    Worksheets have half of their lines in common; short answers have under `SHORT_TOKENS` words.
    """
    some = documents[:: len(documents) // _LOOKED_AT or 1]
    rows = [{" ".join(line.split()) for line in one.text.splitlines()} - {""} for one in some]
    held = Counter(chain.from_iterable(rows))
    forms = sum(2 * sum(2 * held[line] > len(rows) for line in row) >= len(row) > 3 for row in rows)
    if len(rows) >= _HELD_BY and 2 * forms > len(rows):
        return "worksheets"
    lengths = [words_about(one.text) for one in some]
    return "short" if lengths and median(lengths) < SHORT_TOKENS else "essays"
