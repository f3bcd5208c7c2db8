"""Files, folders and archives to a list of what is to be read, and what is not.

Nothing that lies in a folder ends the walk: what cannot be listed, is no regular file or is gone
becomes a named row. An archive or a mail is never opened in the caller's process: its members are
read by workers, within one budget, which a broken or hostile file may hang, fill or end. What is
attached to a mail are its members; a message that only says so is no text. A mail may stand in an
archive and an archive in a mail, nothing deeper.
"""

from __future__ import annotations

import os
import posixpath
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..errors import Unreadable, explain_system_error
from ..extensions import names as names_of
from ..machine.serving import processor_limit
from ..machine.workers import WorkerPool
from ..model import Skipped
from .extract import ARCHIVES, EXTRACTORS, MAILS, extract, list_attached
from .extract.signatures import HEAD, archive_kind
from .extract.zipped import MOST_EXPANDED, MOST_MEMBERS
from .language import LEAST_WORDS, words_in

MOST_BYTES = 50 * 2**20  # of one file
MEGABYTE = 2**20
# processor time of one file: of 283 that other programs wrote one took a quarter of it, the others
# less than a tenth
_LEAST_SECONDS = 2.5
_BYTES_A_SECOND = 80_000
_BINARY = getattr(os, "O_BINARY", 0)  # Windows

_NOT_DOCUMENTS = frozenset(("thumbs.db", "desktop.ini", "__macosx", "icon\r"))
_NOT_PREFIXES = (".", "~$")
#: documents of a Mac that are folders, and the file in them that holds the text
_BUNDLES, _OF_BUNDLE = (".rtfd",), ("txt.rtf",)
#: what stands in the place of a file that iCloud holds
_STUB = re.compile(r"\.(?P<name>.+)\.icloud", re.I)
#: what browsers add to the name of a page for the folder of its parts, and suffixes of pages
_OF_PAGE, _PAGES = ("_files", ".files", "-dateien", "_archivos", "_fichiers"), (".html", ".htm")

MOST_ARCHIVE = 500 * 2**20  # bytes of one archive as it lies
_GROUP_MEMBERS = 256  # read by one task
_GROUP_BYTES = 32 * 2**20
_MOST_PORTFOLIOS = 3  # one in another
_COVERING = 50  # words; a shorter message only says what comes with it

Archive = str | Path | bytes
Content = bytes | Unreadable


@dataclass(frozen=True, slots=True)
class Source:
    """Something to read: a file by its path, or bytes in memory, and the name it is shown under.

    Files of a folder have their path as a string: making a `Path` costs more than opening it.
    """

    name: str
    path: str | Path | None = None
    data: bytes | None = None

    @property
    def suffix(self) -> str:
        """Suffix in lower case without the dot."""
        return _suffix(self.name)

    def size(self) -> int:
        """Size in bytes; 0 for a file that is not there."""
        if self.data is not None:
            return len(self.data)
        try:
            return os.stat(self.path).st_size if self.path is not None else 0  # noqa: PTH116
        except OSError:
            return 0

    def head(self) -> bytes:
        """Return the first bytes; b"" of what cannot be read."""
        if self.path is None:
            return (self.data or b"")[:HEAD]
        try:
            return file_bytes(self.path, most=MOST_ARCHIVE, first=HEAD)
        except Unreadable:
            return b""

    def content(self) -> bytes:
        """Return the bytes, never more than the limit; raises `Unreadable`."""
        if self.path is not None:
            return file_bytes(self.path, most=MOST_BYTES)
        data = self.data or b""
        if len(data) > MOST_BYTES:
            raise Unreadable("too_large", mb=MOST_BYTES // MEGABYTE)
        return data


def gather_sources(
    given: Iterable[str | Path | Source], *, pool: WorkerPool
) -> tuple[list[Source], list[Skipped]]:
    """List the documents in files, folders, archives and mails.

    Parameters
    ----------
    given
        Paths, or sources in memory. Folders are walked; names are POSIX paths relative to the
        folder (behind its name when several things are given), members of an archive
        are `archive.zip/member`, what is attached is `message.eml/name`. Hidden files, what
        systems leave behind (`.DS_Store`, `~$essay.docx`, `__MACOSX`, `Thumbs.db`) and the parts
        of saved pages (`page_files` beside `page.html`) are no documents and are not mentioned.
    pool
        Archives are opened in its workers, all of them within one `Budget`.

    Returns
    -------
    sources, skipped
        Sources with unique names in a stable order; what was refused before it was read. Links
        in a folder are not followed, named ones are.

    Raises
    ------
    FileNotFoundError
        If a given path does not exist.
    """
    sources: list[Source] = []
    skipped: list[Skipped] = []
    seen: dict[tuple[int, int], str] = {}
    names, budget = Names(), Budget()
    for entry in _flat(list(given)):
        if isinstance(entry, Skipped):
            skipped.append(entry)
            continue
        name = names.unique(entry.name)
        source = entry if name == entry.name else replace(entry, name=name)
        place = _identity(source)
        if place is not None and place in seen:
            names.free(source.name)
            skipped.append(Skipped(entry.name, "duplicate", {"name": seen[place]}))
            continue
        if place is not None:
            seen[place] = source.name
        inside, refused = _open_inner(source, pool, budget, frozenset())
        sources += inside
        skipped += refused
    return sources, skipped


def file_bytes(path: str | Path, *, most: int, first: int | None = None) -> bytes:
    """Return the content of a regular file of at most `most` bytes, or its `first` bytes.

    Nothing is waited for: a pipe or a device is told before anything is read from it.

    Raises
    ------
    Unreadable
        `special`, `too_large`, or why the system does not let it be read.
    """
    waiting = getattr(os, "O_NONBLOCK", 0)  # the opening of a pipe waits for who writes to it
    try:
        file = os.open(path, os.O_RDONLY | waiting | _BINARY)
        try:
            status = os.fstat(file)
            if not stat.S_ISREG(status.st_mode):
                raise Unreadable("special")
            if first is not None:
                return os.read(file, first)
            data = os.read(file, min(status.st_size, most) + 1)
        finally:
            os.close(file)
    except OSError as error:
        raise explain_system_error(error) from error
    if len(data) > most:
        raise Unreadable("too_large", mb=most // MEGABYTE)
    return data


def reading_seconds(size: int) -> float:
    """Return how long a worker may compute to read a file of `size` bytes."""
    return _LEAST_SECONDS + size / _BYTES_A_SECOND


def refuse_source(name: str, reason: Unreadable) -> Skipped:
    """Return the row of something that takes no part."""
    return Skipped(name, reason.code, reason.params)


class Names:
    """Names given out so far, each once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._number: dict[str, int] = {}

    def unique(self, name: str) -> str:
        """Return the name, numbered if it is taken, and take it."""
        number, free = self._number.get(name, 1), name
        while free in self._taken:
            number += 1
            stem, suffix = posixpath.splitext(name)
            free = f"{stem} ({number}){suffix}"
        self._number[name] = number
        self._taken.add(free)
        return free

    def free(self, name: str) -> None:
        """Give a name back."""
        self._taken.discard(name)


def _flat(given: Sequence[str | Path | Source]) -> Iterator[Source | Skipped]:
    """Yield files in order, folders walked in the order of their names."""
    for item in given:
        if isinstance(item, Source):
            if not _is_clutter(item.name):
                yield replace(item, name=make_harmless(item.name))
            continue
        path = Path(item)
        mode = path.stat().st_mode
        path = path.absolute()  # workers of an earlier call stand in the folder of that call
        if stat.S_ISDIR(mode):
            prefix = f"{path.resolve().name}/" if len(given) > 1 else ""
            yield from _walk(str(path), prefix)
        elif stat.S_ISREG(mode):
            yield Source(path.name, path)
        else:
            yield Skipped(path.name, "special")


def _walk(folder: str, prefix: str) -> Iterator[Source | Skipped]:
    """Yield what lies below a folder, in the order of the names; links are not followed."""
    open_folders = [_list_folder(folder, prefix)]
    while open_folders:
        for item in open_folders[-1]:
            if isinstance(item, tuple):
                open_folders.append(_list_folder(*item))
                break
            yield item
        else:
            open_folders.pop()


def _list_folder(folder: str, prefix: str) -> Iterator[Source | Skipped | tuple[str, str]]:
    """Yield the files of one folder, and (folder, prefix) of every folder inside."""
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as error:
        yield refuse_source(prefix or folder, explain_system_error(error))
        return
    listed = {entry.name.casefold() for entry in entries}
    # folders with the pictures and scripts of a saved page beside them
    of_pages = {
        one
        for one in listed
        for end in _OF_PAGE
        if one.endswith(end) and any(one.removesuffix(end) + page in listed for page in _PAGES)
    }
    for entry in entries:
        if _is_clutter(entry.name) or _is_in_bundle(folder, entry.name):
            continue
        if entry.name.casefold() in of_pages:
            continue
        name = prefix + entry.name
        try:
            if entry.is_symlink():
                yield Skipped(name, "link")
            elif entry.is_dir(follow_symlinks=False):
                yield entry.path, f"{name}/"
            elif entry.is_file(follow_symlinks=False):
                yield Source(name, entry.path)
            else:
                yield Skipped(name, "special")
        except OSError as error:
            yield refuse_source(name, explain_system_error(error))


def _identity(source: Source) -> tuple[int, int] | None:
    """Return what two names of the very same file share; None where there is no telling."""
    if source.path is None:
        return None
    try:
        status = os.stat(source.path)  # noqa: PTH116
    except OSError:  # reading it will say why
        return None
    return (status.st_dev, status.st_ino) if status.st_ino else None


def _is_clutter(name: str) -> bool:
    """Whether any part of a path is hidden, is left behind by a system, or is inside a document."""
    *folders, last = parts = name.replace("\\", "/").split("/")
    if any(_is_in_bundle(folder, last) for folder in folders):
        return True
    if _STUB.fullmatch(last):
        parts = folders
    return any(
        part.lower() in _NOT_DOCUMENTS or (part.startswith(_NOT_PREFIXES) and part.strip("."))
        for part in parts
    )


def _is_in_bundle(folder: str, name: str) -> bool:
    """Whether a file is a part of a document that is a folder, and not its text."""
    return folder.lower().endswith(_BUNDLES) and name.lower() not in _OF_BUNDLE


def _suffix(name: str) -> str:
    return posixpath.splitext(name)[1].lower().removeprefix(".")


def make_harmless(name: str) -> str:
    """Return a relative path that cannot leave a folder. It is used as a label only."""
    name = name.replace("\\", "/").replace("\0", "")
    parts = [part for part in name.split("/") if part not in ("", ".", "..")]
    return "/".join(parts) or "unnamed"


def _open_inner(
    source: Source, pool: WorkerPool, budget: Budget, around: frozenset[str]
) -> tuple[list[Source], list[Skipped]]:
    """Return a document as it is, the documents in an archive, a mail with what is attached.

    Parameters
    ----------
    around
        What the source stands in: "archive", "mail", "portfolio".
    """
    folder, last = posixpath.split(source.name)
    if stub := _STUB.fullmatch(last):
        return [], [Skipped(posixpath.join(folder, stub["name"]), "not_downloaded")]
    members: list[tuple[str, Content]] | None = None
    try:
        holder = _find_holder(source)
        if holder in around and holder == "archive":
            raise Unreadable("nested_archive")
        if holder == "archive":
            members = _read_documents(source, pool, budget)
        if source.size() > MOST_BYTES and members is None:
            raise Unreadable("too_large", mb=MOST_BYTES // MEGABYTE)
        is_text = True
        if holder == "portfolio" or (holder == "mail" and holder not in around):
            is_text, members = _read_attached(source, pool, budget)
    except Unreadable as reason:
        return [], [refuse_source(source.name, reason)]
    sources = [source] if is_text and holder in ("mail", "portfolio") else []
    if members is None:
        return [source], []
    skipped: list[Skipped] = []
    names = Names()
    for member, content in members:
        name = names.unique(f"{source.name}/{make_harmless(member)}")
        if isinstance(content, Unreadable):
            skipped.append(refuse_source(name, content))
            continue
        inside = _open_inner(Source(name, None, content), pool, budget, around | {holder})
        sources += inside[0]
        skipped += inside[1]
    if not members and holder == "archive":
        skipped.append(Skipped(source.name, "no_files"))
    return sources, skipped


#: what programs and people call any archive or folder, and numbers that an LMS adds
_SAYS_NOTHING = re.compile(
    r"(?:submissions?|assignments?|downloads?|archive|files?|essays?|class|new folder|untitled"
    r"|desktop|documents?|archiv|ordner|压缩包|作业|文件|文件夹|新建文件夹|下载|桌面|文档|提交|學生作業|作業)?[\W\d_]*",
    re.I,
)
_ADDED = re.compile(
    r"(?:[\s_-]*(?:\(\d+\)|\d{4,}|\[\d+\]|copy|副本|submissions?|bulk[ _]download))+$", re.I
)


def collection_name(given: Sequence[str]) -> str:
    """Return what files are called together: their one archive, or the folder of all; "" for none.

    Numbers that a learning platform adds go, and names that say nothing, as `submissions.zip`.
    """
    archives = [name for name in given if _suffix(name) in ARCHIVES]
    folders = {name.replace("\\", "/").partition("/")[0] for name in given if "/" in name}
    if len(archives) == 1:
        name = posixpath.basename(archives[0])[: -len(_suffix(archives[0])) - 1]
        name = name.removesuffix(".tar")
    elif len(folders) == 1 and all("/" in name for name in given):
        (name,) = folders
    else:
        return ""
    name = " ".join(_ADDED.sub("", make_harmless(name)).replace("_", " ").split())
    return "" if _SAYS_NOTHING.fullmatch(name) else name


def _find_holder(source: Source) -> str:
    """Return what a source holds other files as, "" for a document.

    The bytes are looked at where the suffix says nothing.
    """
    suffix = source.suffix
    if suffix in MAILS:
        return "mail"
    if suffix in ARCHIVES:
        return "archive"
    if suffix == "pdf" and source.name.count(".pdf/") < _MOST_PORTFOLIOS:
        fits = source.size() <= MOST_BYTES
        return "portfolio" if fits and b"/EmbeddedFile" in source.content() else ""
    if suffix in EXTRACTORS:
        return ""
    kind = archive_kind(source.head())
    if not kind or (suffix and kind == "zip") or suffix in names_of("formats"):
        return ""  # many formats are zip files inside, also those that other packages read
    return "archive"


def _read_documents(
    source: Source, pool: WorkerPool, budget: Budget
) -> list[tuple[str, Content]] | None:
    """Read the documents in an archive; None for a document that is called like one."""
    archive = _archive_of(source)
    if source.size() > MOST_ARCHIVE:
        raise Unreadable("archive_limit", limit="size")
    (is_one,) = pool.map(_is_document, [archive])
    if isinstance(is_one, Unreadable):
        raise is_one
    if is_one:
        return None
    members = read_archive(
        archive,
        name=posixpath.basename(source.name),
        pool=pool,
        budget=budget,
        most=MOST_BYTES,
        is_document=lambda name: not _is_clutter(make_harmless(name)),
    )
    return list(members)


def _read_attached(
    source: Source, pool: WorkerPool, budget: Budget
) -> tuple[bool, list[tuple[str, Content]]]:
    """Return whether a mail is a text of its own, and what is attached to it.

    Raises
    ------
    Unreadable
        "timeout", "memory", "crashed": reading it once more would end the same way.
    """
    (answer,) = pool.map(_read_mail, [(_archive_of(source), source.suffix)])
    if isinstance(answer, Unreadable):
        if answer.code in ("timeout", "memory", "crashed"):
            raise answer
        named = answer.code in ("damaged", "encrypted")  # by the reading of the mail itself
        return True, [] if named else [("*", answer)]
    is_text, files = answer
    files = [(name, data) for name, data in files if not _is_clutter(make_harmless(name))]
    try:
        budget.spend(len(files), sum(len(data) for _, data in files))
    except Unreadable as reason:
        return is_text, [(name, reason) for name, _ in files]
    return is_text or not files, [(name, data) for name, data in files]


def _archive_of(source: Source) -> Archive:
    return (source.data or b"") if source.path is None else source.path


@dataclass(slots=True)
class Budget:
    """Bytes and members that all archives of one check may still expand to."""

    members: int = MOST_MEMBERS
    bytes: int = MOST_EXPANDED

    def spend(self, members: int, expanded: int) -> None:
        """Take from the budget, or raise `Unreadable("archive_limit")` and leave it unchanged."""
        if members > self.members:
            raise Unreadable("archive_limit", limit="count")
        if expanded > self.bytes:
            raise Unreadable("archive_limit", limit="size")
        self.members -= members
        self.bytes -= expanded


def read_archive(
    archive: Archive,
    *,
    name: str,
    pool: WorkerPool,
    budget: Budget,
    most: int,
    is_document: Callable[[str], bool],
) -> Iterator[tuple[str, Content]]:
    """Yield the name of every document in an archive, with its bytes or why there are none.

    Parameters
    ----------
    archive
        Path, or the bytes of the archive.
    name
        What it is called.
    most
        Bytes of one member; a larger one is `too_large`.
    is_document
        Whether a name is one; other members are passed over.

    Raises
    ------
    Unreadable
        For the archive as a whole, before the first member.
    """
    (listed,) = pool.map(_list_members, [(archive, name)])
    if isinstance(listed, Unreadable):
        raise listed
    wanted: list[tuple[int, int]] = []
    contents: dict[int, Content] = {}
    for index, (member, size) in enumerate(listed):
        if member is None or not is_document(member):
            continue
        if _suffix(member) in ARCHIVES:
            contents[index] = Unreadable("nested_archive")
        elif size > most:
            contents[index] = Unreadable("too_large", mb=most // 2**20)
        else:
            wanted.append((index, size))
    budget.spend(len(wanted), sum(size for _, size in wanted))
    for group in _group_members(wanted):
        (together,) = pool.map(_read_members, [((archive, name), group)])
        if isinstance(together, Unreadable):  # each in a separate task
            alone = pool.map(_read_members, [((archive, name), [index]) for index in group])
            together = [one if isinstance(one, Unreadable) else one[0] for one in alone]
        contents.update(zip(group, together, strict=True))
    for index in sorted(contents):
        yield listed[index][0] or "", contents[index]


def _group_members(wanted: list[tuple[int, int]]) -> Iterator[list[int]]:
    """Cut members (index, size) into tasks."""
    group: list[int] = []
    held = 0
    for index, size in wanted:
        if group and (len(group) == _GROUP_MEMBERS or held + size > _GROUP_BYTES):
            yield group
            group, held = [], 0
        group.append(index)
        held += size
    if group:
        yield group


# --------------------------------------------------------------------------- in a worker


def _is_document(archive: Archive) -> bool:
    from .extract.archives import is_document

    return is_document(archive)


def _list_members(task: tuple[Archive, str]) -> list[tuple[str | None, int]]:
    """Return name (None for a folder) and stated size of every member."""
    from .extract.archives import open_archive

    archive, name = task
    with open_archive(archive, name=name) as members:
        return [(entry.name, entry.size) for entry in members]


def _read_members(task: tuple[tuple[Archive, str], list[int]]) -> list[Content]:
    """Read members by their index, in one pass; what ends the pass is the reason of all others."""
    from .extract.archives import open_archive

    (archive, name), group = task
    contents: dict[int, Content] = {}
    try:
        with open_archive(archive, name=name) as members:
            for index, entry in enumerate(members):
                if index in group:
                    try:
                        contents[index] = entry.read()
                    except Unreadable as reason:
                        contents[index] = reason
                if index >= group[-1]:
                    break
    except Unreadable as reason:
        contents = {index: contents.get(index, reason) for index in group}
    gone = Unreadable("damaged", detail="another list of members")
    return [contents.get(index, gone) for index in group]


def _read_mail(task: tuple[Archive, str]) -> tuple[bool, list[tuple[str, bytes]]]:
    """Return whether a mail is a text of its own, and what is attached to it."""
    archive, suffix = task
    data = archive if isinstance(archive, bytes) else file_bytes(archive, most=MOST_BYTES)
    with processor_limit(reading_seconds(len(data))):
        files = list_attached(data, suffix=suffix)
        try:
            text = extract(data, suffix=suffix)[1].text
        except Unreadable:
            return False, files
    covers = any(_suffix(name) in EXTRACTORS or _suffix(name) in ARCHIVES for name, _ in files)
    least = _COVERING if covers else LEAST_WORDS
    return words_in(text, least) >= least, files
