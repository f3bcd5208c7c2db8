"""Archives of every kind, told by their bytes: .zip, .tar, .gz, .bz2, .xz, .7z and .rar.

All keep the limits of `zipped`. Nothing is ever written into a folder. For .7z and .rar the
system's libarchive is asked, else a program that is there: bsdtar (of which Windows and macOS have
one) or 7-Zip.
"""

from __future__ import annotations

import bz2
import codecs
import contextlib
import ctypes
import ctypes.util
import functools
import gzip
import io
import itertools
import locale
import lzma
import os
import shutil
import struct
import subprocess
import tarfile
import tempfile
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple, cast
from zipfile import ZipFile

from ...errors import Unreadable, explain_system_error
from .names import decode_names, member_names
from .signatures import HEAD, archive_kind, zipped_kind
from .zipped import MOST_MEMBERS, check_expansion, open_zip, read_member

_PACKED: dict[str, Callable[..., Any]] = {
    "gz": lambda file: gzip.GzipFile(fileobj=file),
    "bz2": bz2.BZ2File,
    "xz": lzma.LZMAFile,
}
_BLOCK = 2**16
_SECONDS = 18.0  # of a program; the task it runs in has 20
_MOST_LISTED = 2**24  # bytes
_ASKS = (b"encrypt", b"passphrase", b"password")
_BROKEN = (
    *(tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError, struct.error),
    *(ValueError, OverflowError, LookupError),
)

Archive = str | Path | bytes


class Entry(NamedTuple):
    """One member: its path (None where it is no file), its stated size, and how to read it."""

    name: str | None
    size: int
    read: Callable[[], bytes]


def is_document(archive: Archive) -> bool:
    """Whether it is no archive but a document: by its bytes, whatever it is called.

    Raises
    ------
    Unreadable
        For a zip file that is broken or exceeds its limits.
    """
    with _open_file(archive) as file:
        kind = archive_kind(file.read(HEAD))
        if kind == "zip":
            with open_zip(file) as zipped:
                return zipped_kind(zipped) != ""
    return not kind


@contextmanager
def open_archive(archive: Archive, *, name: str) -> Iterator[Iterator[Entry]]:
    """Open an archive; each member can be read until the next one is asked for.

    Parameters
    ----------
    archive
        Path, or the bytes of the archive.
    name
        What it is called: a file that is packed alone is called so without its last suffix.

    Raises
    ------
    Unreadable
        "damaged", "encrypted", "archive_limit", "unpack" where nothing is there that opens it;
        while the members are gone through too.
    """
    with _open_file(archive) as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        kind = archive_kind(file.read(HEAD))
        file.seek(0)
        if kind == "zip":
            with open_zip(file) as zipped:
                yield _list_zip(zipped)
        elif kind == "tar":
            yield _limit_members(_list_tar(file), size)
        elif kind in _PACKED:
            with _PACKED[kind](file) as unpacked:
                yield _limit_members(_list_packed(unpacked, name, size), size)
        elif kind:
            with _open_foreign(archive, file, kind) as members:
                yield _limit_members(members, size)
        else:
            raise Unreadable("damaged", detail="not an archive")


@contextmanager
def _open_file(archive: Archive) -> Iterator[IO[bytes]]:
    if isinstance(archive, bytes):
        yield io.BytesIO(archive)
        return
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(Path(archive).open("rb"))
        except OSError as error:
            raise explain_system_error(error) from error
        yield file


def _limit_members(members: Iterator[Entry], packed: int) -> Iterator[Entry]:
    """Yield members as long as all of them keep the limits; whatever is broken is damaged."""
    expanded = 0
    try:
        for count, entry in enumerate(members):
            expanded += entry.size
            if count >= MOST_MEMBERS:
                raise Unreadable("archive_limit", limit="count")
            check_expansion(expanded, packed)
            yield entry
    except _BROKEN as error:
        raise Unreadable("damaged", detail=type(error).__name__) from error


# --------------------------------------------------------------------------- of Python


def _list_zip(zipped: ZipFile) -> Iterator[Entry]:
    members = zipped.infolist()
    for info, name in zip(members, member_names(members), strict=True):
        folder = info.filename.endswith("/")  # `ZipInfo.is_dir` fails on an empty name
        read = functools.partial(read_member, zipped, info, info.file_size)
        yield Entry(None if folder else name, info.file_size, read)


def _list_tar(file: IO[bytes]) -> Iterator[Entry]:
    with tarfile.open(fileobj=file, mode="r|", bufsize=_BLOCK) as archive:
        for info in archive:
            read = functools.partial(_read_tar_member, archive, info)
            # bytes that are no UTF-8 are of another code page
            (name,) = decode_names([info.name.encode("utf-8", "surrogateescape")])
            yield Entry(name if info.isreg() else None, info.size, read)


def _read_tar_member(archive: tarfile.TarFile, info: tarfile.TarInfo) -> bytes:
    try:
        file = archive.extractfile(info)
        data = file.read() if file is not None else b""
    except _BROKEN as error:
        raise Unreadable("damaged", detail=type(error).__name__) from error
    if len(data) != info.size:
        raise Unreadable("damaged", detail="cut off")
    return data


def _list_packed(unpacked: IO[bytes], name: str, packed: int) -> Iterator[Entry]:
    """Yield what was packed: the members of a tar, or one file."""
    head = unpacked.read(HEAD)
    unpacked.seek(0)
    counted = _Counted(unpacked, packed)
    if archive_kind(head) == "tar":
        yield from _list_tar(cast(IO[bytes], counted))
        return
    data = counted.read()
    yield Entry(PurePosixPath(name).stem or "unnamed", len(data), functools.partial(bytes, data))


class _Counted(io.RawIOBase):
    """What comes out of a packed file, as far as the limits go."""

    def __init__(self, file: IO[bytes], packed: int) -> None:
        self._file, self._packed, self._expanded = file, packed, 0

    def read(self, size: int = -1) -> bytes:
        parts = []
        while size != 0:
            part = self._file.read(_BLOCK if size < 0 else min(size, _BLOCK))
            self._expanded += len(part)
            check_expansion(self._expanded, self._packed)
            parts.append(part)
            size -= len(part) if size > 0 else 0
            if not part:
                break
        return b"".join(parts)


# --------------------------------------------------------------------------- of others


@contextmanager
def _open_foreign(archive: Archive, file: IO[bytes], kind: str) -> Iterator[Iterator[Entry]]:
    """Open a .7z or .rar with what the system has."""
    loaded = libarchive()
    if loaded is not None:
        members = foreign_members(loaded, file.read())
        yield (Entry(one.name, one.size, one.read) for one in members)
        return
    size = file.seek(0, os.SEEK_END)
    with _path_on_disk(archive) as path:
        if program := _find_program("bsdtar", "tar"):
            # as a tar, which is then read here
            with _run_program([program, "-c", "-f", "-", "--format", "pax", f"@{path}"]) as output:
                yield _list_tar(cast(IO[bytes], _Counted(output, size)))
        elif program := _find_program("7zz", "7z", "7za"):
            listed = _list_by_7zip(program, path)
            with _run_program([program, "x", "-so", "-p-", "--", path]) as output:
                yield _read_in_turn(listed, _Counted(output, size))
        else:
            raise Unreadable("unpack", ext=kind)


@contextmanager
def _path_on_disk(archive: Archive) -> Iterator[str]:
    """Give an archive in memory a file, which is gone afterwards."""
    if not isinstance(archive, bytes):
        yield os.fspath(archive)
        return
    with tempfile.TemporaryDirectory("leitong", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "archive"
        path.write_bytes(archive)
        yield str(path)


def _find_program(*names: str) -> str | None:
    """Return the first program that is there; a `tar` counts where it is bsdtar."""
    usual = os.environ.get("PROGRAMFILES", "")  # of Windows: 7-Zip is not on the path there
    places = os.pathsep.join((os.environ.get("PATH", os.defpath), f"{usual}/7-Zip"))
    for name in names:
        path = shutil.which(name, path=places)
        if path is None:
            continue
        if name != "tar":
            return path
        with _run_program([path, "--version"]) as output:
            if b"bsdtar" in output.read(_BLOCK):
                return path
    return None


@contextmanager
def _run_program(command: list[str]) -> Iterator[IO[bytes]]:
    """Run a program without a shell and yield what it writes; it ends with the block.

    Raises
    ------
    Unreadable
        "timeout", or "encrypted" where it asks for a password.
    """
    late = threading.Event()
    with tempfile.TemporaryFile() as complaints:
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=complaints
            )
        except OSError as error:
            raise Unreadable("damaged", detail="archive") from error

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(_SECONDS, end)
        timer.start()
        try:
            assert process.stdout is not None
            with process.stdout as output:
                yield output
        except (Unreadable, *_BROKEN) as error:
            process.kill()
            process.wait()
            if late.is_set():
                raise Unreadable("timeout", s=_SECONDS) from error
            complaints.seek(0)
            message = complaints.read(_BLOCK).lower()
            if any(word in message for word in _ASKS):
                raise Unreadable("encrypted") from error
            raise
        finally:
            timer.cancel()
            process.kill()
            process.wait()


def _list_by_7zip(program: str, path: str) -> list[tuple[str | None, int]]:
    """Return path and size of every member, as 7-Zip lists them."""
    with _run_program([program, "l", "-slt", "-ba", "-sccUTF-8", "-p-", "--", path]) as output:
        listing = output.read(_MOST_LISTED).decode("utf-8", "replace").replace("\r\n", "\n")
    rows: list[tuple[str | None, int]] = []
    for block in listing.split("\n\n"):
        facts = dict(line.split(" = ", 1) for line in block.splitlines() if " = " in line)
        if facts.get("Encrypted") == "+":
            raise Unreadable("encrypted")
        if "Path" in facts:
            size = facts.get("Size", "")
            folder = facts.get("Folder") == "+" or facts.get("Attributes", "").startswith("D")
            rows.append((None if folder else facts["Path"], int(size) if size.isdecimal() else 0))
    return rows


def _read_in_turn(listed: list[tuple[str | None, int]], output: _Counted) -> Iterator[Entry]:
    """Yield members that follow each other in one stream."""
    for name, size in listed:
        data = output.read(size)
        if len(data) < size:
            raise Unreadable("damaged", detail="cut off")
        yield Entry(name, size, functools.partial(bytes, data))


# --------------------------------------------------------------------------- libarchive
_PLACES = ("libarchive.so.13", "/usr/lib/libarchive.dylib", "/usr/lib/libarchive.2.dylib")
_NAMES = ("archive", "archiveint")  # looked for, which takes longer; the second one on Windows
_END, _WARNING = 1, -20
_REGULAR = 0o100000  # AE_IFREG
_POINTER, _SIZE = ctypes.c_void_p, ctypes.c_size_t
_BYTES, _NUMBER = ctypes.c_char_p, ctypes.c_int
_FUNCTIONS = {
    "archive_read_new": (_POINTER, ()),
    "archive_read_support_filter_all": (_NUMBER, (_POINTER,)),
    "archive_read_support_format_7zip": (_NUMBER, (_POINTER,)),
    "archive_read_support_format_rar": (_NUMBER, (_POINTER,)),
    "archive_read_support_format_rar5": (_NUMBER, (_POINTER,)),
    "archive_read_open_memory": (_NUMBER, (_POINTER, _BYTES, _SIZE)),
    "archive_read_next_header": (_NUMBER, (_POINTER, ctypes.POINTER(_POINTER))),
    "archive_read_data": (ctypes.c_ssize_t, (_POINTER, _BYTES, _SIZE)),
    "archive_read_free": (_NUMBER, (_POINTER,)),
    "archive_error_string": (_BYTES, (_POINTER,)),
    "archive_entry_pathname_utf8": (_BYTES, (_POINTER,)),
    "archive_entry_pathname": (_BYTES, (_POINTER,)),
    "archive_entry_filetype": (ctypes.c_uint, (_POINTER,)),
    "archive_entry_size": (ctypes.c_int64, (_POINTER,)),
    "archive_entry_size_is_set": (_NUMBER, (_POINTER,)),
    "archive_entry_is_encrypted": (_NUMBER, (_POINTER,)),
}


@functools.cache
def libarchive() -> ctypes.CDLL | None:
    """Return the library of the system, None where there is none that can be used."""
    paths = (ctypes.util.find_library(name) for name in _NAMES)
    for place in itertools.chain(_PLACES, filter(None, paths)):
        try:
            loaded = ctypes.CDLL(place)
            for name, (result, arguments) in _FUNCTIONS.items():
                function = getattr(loaded, name)
                function.restype, function.argtypes = result, arguments
        except (OSError, AttributeError):  # an old one does not know every function
            continue
        # in the locale C the library replaces what is not ASCII in names
        if hasattr(locale, "nl_langinfo") and (
            codecs.lookup(locale.nl_langinfo(locale.CODESET)).name != "utf-8"
        ):
            with contextlib.suppress(locale.Error):
                locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
        return loaded
    return None


class ForeignMember:
    """One member, while it is its turn."""

    def __init__(self, loaded: ctypes.CDLL, archive: int, entry: int) -> None:
        self._loaded, self._archive, self._entry = loaded, archive, entry

    @property
    def name(self) -> str | None:
        """Path of a regular file; None for anything else."""
        if self._loaded.archive_entry_filetype(self._entry) != _REGULAR:
            return None
        raw = self._loaded.archive_entry_pathname_utf8(self._entry)
        raw = raw or self._loaded.archive_entry_pathname(self._entry) or b""
        try:
            return str(raw, "utf-8")
        except UnicodeDecodeError:
            return str(raw, "gb18030", "replace")

    @property
    def size(self) -> int:
        """Bytes that the archive states."""
        if not self._loaded.archive_entry_size_is_set(self._entry):
            return 0
        return max(int(self._loaded.archive_entry_size(self._entry)), 0)

    def read(self) -> bytes:
        """Return the bytes.

        Raises
        ------
        Unreadable
            "encrypted", "damaged", or "archive_limit" where there are more than stated.
        """
        if self._loaded.archive_entry_is_encrypted(self._entry) > 0:
            raise Unreadable("encrypted")
        most, data = self.size, bytearray()
        buffer = ctypes.create_string_buffer(_BLOCK)
        while (read := self._loaded.archive_read_data(self._archive, buffer, _BLOCK)) > 0:
            data += buffer.raw[:read]
            if len(data) > most:
                raise Unreadable("archive_limit", limit="size")
        if read < 0:
            raise _error_of(self._loaded, self._archive)
        return bytes(data)


def foreign_members(loaded: ctypes.CDLL, data: bytes) -> Iterator[ForeignMember]:
    """Yield the members of a .7z or .rar; each can be read until the next one is asked for.

    Raises
    ------
    Unreadable
        "encrypted" or "damaged".
    """
    archive = loaded.archive_read_new()
    try:
        loaded.archive_read_support_filter_all(archive)
        for kind in ("7zip", "rar", "rar5"):
            getattr(loaded, f"archive_read_support_format_{kind}")(archive)
        if loaded.archive_read_open_memory(archive, data, len(data)) < _WARNING:
            raise _error_of(loaded, archive)
        entry = _POINTER()
        while (state := loaded.archive_read_next_header(archive, ctypes.byref(entry))) != _END:
            if state < _WARNING or not entry.value:
                raise _error_of(loaded, archive)
            yield ForeignMember(loaded, archive, entry.value)
    finally:
        loaded.archive_read_free(archive)


def _error_of(loaded: ctypes.CDLL, archive: int) -> Unreadable:
    message = (loaded.archive_error_string(archive) or b"").lower()
    locked = any(word in message for word in _ASKS)
    return Unreadable("encrypted") if locked else Unreadable("damaged", detail="archive")
