"""`check`, `compare` and `fingerprint`: from what a caller gives to what is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Never

from simhash_core import report, seen
from simhash_core.errors import BadInput
from simhash_core.i18n import translator
from simhash_core.model import Document
from simhash_core.request import Request, run
from simhash_core.settings import Settings
from simhash_core.storage import Beside
from simhash_core.storage import Texts as TextsOfCheck

from ._comparison import Comparison
from ._given import (
    Fields,
    Given,
    Texts,
    choose_fields,
    keys_of,
    names_file,
    takes_columns,
    texts_of,
)
from ._language import language_of, spoken
from ._progress import Follow, followed
from ._result import Result

if TYPE_CHECKING:
    from ._library import Against, Library


def check(
    given: Given,
    *more: Never,
    text: str | None = None,
    name: str | None = None,
    meta: Sequence[str] = (),
    against: Against | None = None,
    collections: Sequence[str] | None = None,
    compare_inside: bool = True,
    templates: Given | None = None,
    settings: Settings | None = None,
    language: str | None = None,
    progress: Follow = None,
) -> Result:
    """Find which texts are alike, by how much, and where.

    Parameters
    ----------
    given : path, list of paths, list of texts, mapping, pairs, DataFrame, records or Series
        Folders are read with all files in them; of an archive its members, of a table (.csv, .tsv,
        .json, .jsonl, .parquet) its rows. Files whose names show who handed them in get that
        author, and of two versions by one author the later is compared. Texts without a name are
        called text 1, text 2, ...; those of a Series or of a table without a column of names by
        their label.
    text, name : str, optional
        Of a table: the columns of texts and of names. By default the headings tell, such as
        text, content, 正文.
    meta : sequence of str
        Of a table: columns that become metadata under their own names. Columns whose headings
        say title, author, date, url or group do so by themselves.
    against : as `given`, or Library, or several of these, optional
        References: compared with the texts, never with each other.
    collections : sequence of str, optional
        Of a library, or of several: only these.
    compare_inside : bool
        Whether the texts are compared with each other too.
    templates : as `given`, optional
        What everybody was given, such as a task sheet: text from it counts nowhere.
    settings : Settings, optional
        `Settings(preset="reposts")` for an archive; every field has bounds of its own.
    language : str, optional
        "zh" or "en".
    progress : bool or callable, optional
        By default a bar on a terminal or in a notebook where it takes longer than two seconds;
        True shows it at once, False never. A function is called as progress(stage, done, total);
        raising `simhash_core.errors.Cancelled` in it stops.

    Returns
    -------
    Result
        What could not be read, or is too short to compare, is named in `Result.skipped`.

    Raises
    ------
    LeitongError
        `BadInput` for what cannot be checked, with a sentence that says what to pass instead;
        `StoreError` for a library that cannot be read.

    Examples
    --------
    >>> lt.check("essays/")
    <leitong.Result: 4 texts, 2 pairs, 2 clusters>
    >>> lt.check([rain, rain + " Nobody slept."])
    <leitong.Result: 2 texts, 1 pair, 1 cluster>
    >>> result = lt.check([("mine", rain)], against={"theirs": "They say: " + rain})
    >>> [(row["name"], row["reference"]) for row in result.texts()]
    [('mine', False), ('theirs', True)]
    """
    columns = choose_fields(text, name, meta)
    with spoken(language), followed(progress, language) as step:
        if more:
            raise BadInput("given_more", n=1 + len(more))
        speaks, settings = language_of(language), settings or Settings()
        texts = texts_of(given, columns, settings=settings, progress=step)
        if not texts.documents and not texts.skipped:
            raise BadInput("given_nothing")
        asked = _others(templates, columns, settings)
        libraries: list[Library] = []
        if against is not None:
            from ._library import libraries_of, scope_of

            libraries, against = libraries_of(against)
        references = _others(against, columns, settings)
        skipped = (*texts.skipped, *references.skipped, *asked.skipped)
        request = Request(
            texts=TextsOfCheck(
                tuple(texts.documents), skipped, tuple(references.documents), tuple(asked.documents)
            ),
            beside=Beside(inside=compare_inside),
            settings=settings,
            library=scope_of(libraries, collections) if libraries else None,
        )
        outcome = run(request, progress=step)
    if libraries:  # as texts: what was given out can be looked at, and checked again, without them
        texts_of_check = replace(request.texts, references=seen.given_out(outcome.result))
        request = replace(request, library=None, texts=texts_of_check)
    keys = keys_of(outcome.result.documents, texts, references)
    core = outcome.view.result if outcome.view else outcome.result
    return Result(core, language=speaks, keys=keys, exclusions=outcome.view, request=request)


def compare(
    a: Given, b: Given, *, settings: Settings | None = None, language: str | None = None
) -> Comparison:
    """Compare two texts, or the texts of two files.

    Parameters
    ----------
    a, b : str, Path, Document, or (name, text)
        A string is a text, unless it names a file that is there.
    settings : Settings, optional
    language : str, optional
        "zh" or "en".

    Examples
    --------
    >>> lt.compare(("old", rain), ("new", rain + " Nobody slept."))
    <leitong.Comparison of 'old' and 'new': 100% and 88% shared>
    """
    with spoken(language):
        speaks, settings = language_of(language), settings or Settings()
        first, second = (_one(given, n, settings, speaks) for n, given in ((1, a), (2, b)))
        made = seen.compare(first, second, settings=settings)
    return Comparison(made, language=speaks)


def fingerprint(
    text: Given, *, bits: int = 256, settings: Settings | None = None, language: str | None = None
) -> int:
    """Return the SimHash of one text, as `leitong fingerprint` prints it.

    Of texts that are alike few bits differ (`hamming`). Those of other settings tell nothing.

    Parameters
    ----------
    text : str, Path, Document, or (name, text)
        As in `compare`.
    bits : int
        8, 16, 32, 64, 128 or 256; 64 are the first of 256: `fingerprint(text) >> 192`.
    settings : Settings, optional
        In place of `bits`.

    Examples
    --------
    >>> f"{lt.fingerprint(rain, bits=64):016x}"
    '407323f42f5853f8'
    >>> lt.hamming(lt.fingerprint(rain), lt.fingerprint(rain + " Nobody slept."))
    54
    """
    with spoken(language):
        settings = settings or Settings(bits=bits)
        document = _one(text, 1, settings, language_of(language))
        (row,) = report.fingerprint_data([document], settings=settings, explained=False)[
            "documents"
        ]
        if row["fingerprint"] is None:
            raise BadInput("no_words", name=document.name)
    return int(row["fingerprint"], 16)


def hamming(a: int, b: int) -> int:
    """Return in how many bits two fingerprints differ.

    >>> lt.hamming(0b1011, 0b0010)
    2
    """
    return (a ^ b).bit_count()


def _others(given: Given | None, columns: Fields, settings: Settings) -> Texts:
    """Return the references or templates; columns are those of a table, if it is one."""
    if given is None:
        return Texts()
    return texts_of(given, columns if takes_columns(given) else {}, settings=settings)


def _one(given: Given, number: int, settings: Settings, language: str) -> Document:
    """Return the one text that is given for a comparison."""
    name = f"text {number}"
    if isinstance(given, str) and not names_file(given):
        given = [(name, given)]
    elif isinstance(given, tuple):
        given = [given]
    texts = texts_of(given, settings=settings)
    for row in texts.skipped:
        reason = translator(language)(f"notes.{row.code}", **row.params)
        raise BadInput("unreadable", name=report.one_line(row.name), reason=reason)
    if len(texts.documents) != 1:
        raise BadInput("one_document", name=name)
    return texts.documents[0]
