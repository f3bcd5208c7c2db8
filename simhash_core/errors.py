"""What can go wrong, as a tree.

LeitongError                     .code  .params     str(error) is English, for developers
  InvalidSettings                a setting out of range or of the wrong type; names all problems
  Unreadable                     one file that cannot become a Document; `code` says why
  BadInput                       an argument or exchange file that cannot be used; `code` says why
  RecipeMismatch                 fingerprints of different recipes must not be compared
  StoreError                     a project or library file cannot be used; `code` says why
  WorkerFailed                   the system gave no worker process, or one that does not answer
  Cancelled                      the caller asked a running check to stop

A sentence for a user is made from `code` and `params` by `simhash_core.i18n`, never here.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator

UNREADABLE_CODES = (
    "empty",  # no bytes, or nothing but white space
    "missing",  # None or NaN in the place of a text
    "no_words",  # signs, but no letter and no Chinese character
    "too_short",  # params: n = least number of words
    "scanned",  # pages without a text layer, and recognition is off or found nothing
    "needs_ocr",  # the same, and the extra that recognises text is not installed
    "nothing_recognised",  # no text on its pictures
    "too_many_pages",  # to be recognised; params: n
    "too_many_pixels",  # of one picture; params: mp = millions
    "unmapped",  # letters that mean nothing outside of their font; only the picture can be read
    "encrypted",  # needs a password
    "legacy_doc",  # Word before 6, XML of Word 2003
    # formats that are told and not read; each sentence says what to press
    *("legacy_ppt", "legacy_xls", "works", "wordperfect", "caj", "hwp", "djvu", "ofd", "iwork"),
    *("shortcut", "not_downloaded", "heic", "webarchive", "tnef", "onenote", "kindle"),
    *("printable", "recording"),
    "viewer",  # a PDF whose page only says that another program shows it
    "drm",  # a book that its seller has locked
    "unpack",  # an archive that nothing here opens; params: ext
    "packing",  # a member of an archive packed in a way that nothing here unpacks
    "unsupported",  # params: ext
    "damaged",  # params: detail (short, never document text)
    "binary",  # a program, a picture: no text, whatever its name says
    "too_large",  # params: mb
    "too_long",  # params: n = most characters of one text
    "archive_limit",  # params: limit = count | size | ratio
    "class_list",  # names and numbers of a class, no hand-in; params: n = how many
    "no_files",  # an archive that holds none
    "nested_archive",  # an archive inside an archive
    "timeout",  # params: s
    "memory",  # params: mb
    "duplicate",  # params: name = the copy that was kept
    "earlier_version",  # read, but not compared; params: name = the later one of the same person
    "crashed",  # the reader process died
    "vanished",  # it was there when the folder was listed
    "denied",  # no permission to read it
    "link",  # a link in a folder: links are not followed
    "special",  # no regular file: a pipe, a socket, a device
    "io",  # the system could not read it; params: detail (the system's words)
    # pages of the web, and the service that names them
    "web_address",  # no address of http or https
    "web_private",  # of this machine, its network, or no public one
    "web_port",  # params: port
    "web_status",  # params: status
    "web_type",  # params: kind
    "web_redirects",  # params: n
    "web_unreachable",  # params: detail
    "web_answer",  # of the service: no JSON with results
)
#: of these the files that are pictures of text
SCANS = ("scanned", "needs_ocr", "nothing_recognised")


class LeitongError(Exception):
    """Base of everything a user can cause. `code` is stable, `params` fill the sentence.

    >>> try:
    ...     raise BadInput("no_library", name="press.library")
    ... except LeitongError as error:
    ...     print(error.code, error.params)
    no_library {'name': 'press.library'}
    """

    code = "error"

    def __init__(self, message: str = "", **params: object) -> None:
        super().__init__(message or self.code)
        self.params = params


class InvalidSettings(LeitongError):
    """One or more settings are out of range. `problems` lists (field, value, allowed)."""

    code = "invalid_settings"

    def __init__(self, problems: list[tuple[str, object, str]]) -> None:
        listed = "; ".join(f"{name}={value!r}: {allowed}" for name, value, allowed in problems)
        super().__init__(listed, problems=listed)
        self.problems = problems


class Unreadable(LeitongError):
    """One file could not be read. `code` is one of `UNREADABLE_CODES`, `file` its name."""

    def __init__(self, code: str, **params: object) -> None:
        if code not in UNREADABLE_CODES:
            raise ValueError(f"unknown code {code!r}")
        super().__init__(code, **params)
        self.code = code
        self.file = ""

    def of_file(self, name: str) -> Unreadable:
        """Say which file it is, where no row of a table does."""
        self.file = name
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _unreadable, (self.code, self.params)


def explain_system_error(error: OSError) -> Unreadable:
    """Return why the system did not let a file or folder be read."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return Unreadable("vanished")
    if isinstance(error, PermissionError):
        return Unreadable("denied")
    if error.errno == errno.ELOOP:
        return Unreadable("link")
    return Unreadable("io", detail=error.strerror or type(error).__name__)


@contextlib.contextmanager
def name_file(path: str | os.PathLike[str]) -> Iterator[None]:
    """Let an error of the system that names no file name this one: a full disk names none."""
    try:
        yield
    except OSError as error:
        if error.filename:
            raise
        reason = error.strerror or str(error)
        raise OSError(error.errno or errno.EIO, reason, os.fspath(path)) from error


def _unreadable(code: str, params: dict[str, object]) -> Unreadable:
    return Unreadable(code, **params)


class BadInput(LeitongError):
    """An argument or an exchange file cannot be used; `code` and `params` say what is wrong."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code, **params)
        self.code = code


class RecipeMismatch(LeitongError):
    """Two sets of fingerprints were made by different recipes."""

    code = "recipe_mismatch"


STORE_CODES = (
    "store_missing",  # no such file
    "store_exists",  # it would be overwritten
    "store_foreign",  # not a file of this program
    "store_newer",  # params: version, ours
    "store_version",  # params: version = what the file says, which this program does not read
    "store_damaged",  # the file, or what a check sum covers
    "store_unfit",  # a result written with other fields: check again
    "store_read_only",
    "store_journal",  # a journal lies beside a file that can only be read, and cannot be read
    "store_busy",  # another process has been writing for too long
    "store_no_locks",  # the file system refuses the locks that keep writers apart
    "store_full",  # no room, or the disk failed
    "store_too_large",
    "store_unreachable",  # a server that does not answer, or does not let us in
    "store_extra",  # params: name = what has to be installed for this kind of address
)


class StoreError(LeitongError):
    """A project or library file cannot be used; `code` is one of `STORE_CODES`."""

    def __init__(self, code: str, **params: object) -> None:
        if code not in STORE_CODES:
            raise ValueError(f"unknown code {code!r}")
        super().__init__(code, **{"name": "", **params})  # every sentence names the file
        self.code = code


class WorkerFailed(LeitongError):
    """A worker process did not start, or did not say in time that it had. Params: s."""

    code = "worker_failed"


class LoopsMissing(LeitongError):
    """The loops of C were not built when this copy was installed, or for other sources."""

    code = "loops_missing"


class Cancelled(LeitongError):
    """The caller asked to stop; what was complete until then is kept by the caller."""

    code = "cancelled"
