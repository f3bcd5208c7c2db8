"""What a command reads: files and folders, a list of them, or the text on standard input."""

from __future__ import annotations

import argparse
import codecs
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..checking.sources import gather, read
from ..errors import BadInput
from ..i18n import Translate
from ..model import Document, Skipped
from ..people.roster import find_class_list
from ..settings import Settings
from ..signs import make_printable
from ..text.decode import decode
from ..text.gathering import MOST_BYTES, Source
from .options.values import STANDARD
from .output import fit_name, progress, say_skipped

Given = str | Source


def list_given(options: argparse.Namespace) -> list[Given]:
    """Return what a command line names: its paths, then those of --files-from.

    Raises
    ------
    BadInput
        `no_paths`: nothing is named. `standard_input_once`: `-` stands in two places.
    FileNotFoundError
        One of them does not exist: a mistake of the caller, not an unreadable file.
    """
    listed = list(options.paths)
    if options.files_from:
        listed += _read_list(options)
    elif options.null:
        raise BadInput("null_alone")
    if not listed:
        raise BadInput("no_paths")
    return sources_of(listed, options)


def sources_of(paths: Iterable[str], options: argparse.Namespace) -> list[Given]:
    """Return paths that exist, for `-` what standard input holds; raises as `list_given` does."""
    paths = list(paths)
    for path in paths:
        if path != STANDARD:
            Path(path).stat()
    return [_text_on_standard_input(options) if path == STANDARD else path for path in paths]


def read_all(
    given: Sequence[Given],
    settings: Settings,
    options: argparse.Namespace,
    t: Translate,
    *,
    main_text: bool = False,
) -> tuple[list[Document], list[Skipped]]:
    """Read everything, of web pages with `main_text` the article; what is not read is said by name.

    A class list among the hand-ins is none of them, where the command takes one.

    Raises
    ------
    BadInput
        `no_texts`: there is no file at all.
    """
    sources, refused = gather(given)
    with progress(t, options) as step:
        documents, skipped = read(sources, settings=settings, progress=step, main_text=main_text)
    if hasattr(options, "class_list"):
        documents, skipped = _part_class_lists(sources, documents, skipped)
    skipped = [*refused, *skipped]
    if given and not documents and not skipped:
        names = ", ".join(one.name if isinstance(one, Source) else one for one in given)
        raise BadInput("no_texts", name=fit_name(names))
    say_skipped(skipped, t)
    return documents, skipped


def read_one(path: str, settings: Settings, options: argparse.Namespace, t: Translate) -> Document:
    """Read the one text of a file, or of standard input.

    Raises
    ------
    BadInput
        `unreadable`; `one_document` where a folder or an archive holds another number.
    """
    sources, refused = gather(sources_of([path], options))
    documents, skipped = read(sources, settings=settings)
    for row in [*refused, *skipped]:
        reason = t(f"notes.{row.code}", **row.params)
        raise BadInput("unreadable", name=fit_name(row.name), reason=reason)
    if len(documents) != 1:
        raise BadInput("one_document", name=fit_name(path))
    return documents[0]


def _part_class_lists(
    sources: Sequence[Source], documents: Sequence[Document], skipped: Sequence[Skipped]
) -> tuple[list[Document], list[Skipped]]:
    """Take each class list from the texts, or give the reason that it is one where it was none."""
    outcomes: list[Document | Skipped] = [*documents, *skipped]
    read_as = {one.name: one for one in outcomes}
    lists = {
        source.name: Skipped(source.name, "class_list", {"n": len(members)})
        for source in sources
        if (members := find_class_list(source, read_as.get(source.name)))
    }
    others = [row for row in skipped if row.name not in lists]
    return [one for one in documents if one.name not in lists], [*others, *lists.values()]


def _text_on_standard_input(options: argparse.Namespace) -> Source:
    """Return standard input as a text; more than a file may hold is refused where files are."""
    data = _standard_input(options, MOST_BYTES + 1)
    return Source(name=make_printable(options.stdin_name), data=data)


def _read_list(options: argparse.Namespace) -> list[str]:
    """Read a list of paths, one a line, or each ended by a zero byte."""
    if options.files_from == STANDARD:
        data = _standard_input(options, -1)
    else:
        data = Path(options.files_from).read_bytes()
    if options.null:
        return [os.fsdecode(name) for name in data.split(b"\0") if name.strip()]
    return [_path_of(line) for line in _lines_of(data) if line.strip()]


def _lines_of(data: bytes) -> list[str]:
    """Return the lines of a list of paths; Windows writes a mark at its head, or UTF-16."""
    if data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or 0 in data:
        return decode(data).text.replace("\0", "").splitlines()
    return [os.fsdecode(line) for line in data.splitlines()]


def _path_of(line: str) -> str:
    """Return the path in a line: as it stands, or as Windows copies it, in quotation marks."""
    bare = line.strip().strip('"')
    written = (line, bare, bare.replace("\\", "/"))
    return next((path for path in written if Path(path).exists()), bare)


def _standard_input(options: argparse.Namespace, most: int) -> bytes:
    """Read standard input, for the one place of the command line that asks for it."""
    given = vars(options)
    places = [given.get(name) for name in ("files_from", "a", "b", "file")]
    for name in ("paths", "template", "against"):
        places += given.get(name, ())
    if places.count(STANDARD) > 1:
        raise BadInput("standard_input_once")
    return sys.stdin.buffer.read(most)
