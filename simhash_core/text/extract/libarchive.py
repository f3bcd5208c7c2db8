"""The system's libarchive: it reads .7z and .rar, for which Python has nothing.

Every Linux desktop and macOS carry it; Windows has it under another name. Members come one after
the other, as they lie in the file.

References
----------
libarchive(3), archive_read(3), archive_entry(3).
"""

from __future__ import annotations

import codecs
import contextlib
import ctypes
import ctypes.util
import functools
import itertools
import locale
from collections.abc import Iterator

from ...errors import Unreadable

_PLACES = ("libarchive.so.13", "/usr/lib/libarchive.dylib", "/usr/lib/libarchive.2.dylib")
_NAMES = ("archive", "archiveint")  # looked for, which takes longer; the second one on Windows
_END, _OK, _WARNING = 1, 0, -20
_REGULAR = 0o100000  # AE_IFREG
_BLOCK = 2**16
_POINTER, _SIZE, _BYTES, _NUMBER = (
    *(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p),
    ctypes.c_int,
)
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
def library() -> ctypes.CDLL | None:
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
        _use_utf8()
        return loaded
    return None


def _use_utf8() -> None:
    """Let names be converted: in the locale C the library replaces what is not ASCII."""
    if hasattr(locale, "nl_langinfo") and (
        codecs.lookup(locale.nl_langinfo(locale.CODESET)).name != "utf-8"
    ):
        with contextlib.suppress(locale.Error):
            locale.setlocale(locale.LC_CTYPE, "C.UTF-8")


class Member:
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
            raise _named(self._loaded, self._archive)
        return bytes(data)


def members(loaded: ctypes.CDLL, data: bytes) -> Iterator[Member]:
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
            raise _named(loaded, archive)
        entry = _POINTER()
        while (state := loaded.archive_read_next_header(archive, ctypes.byref(entry))) != _END:
            if state < _WARNING or not entry.value:
                raise _named(loaded, archive)
            yield Member(loaded, archive, entry.value)
    finally:
        loaded.archive_read_free(archive)


def _named(loaded: ctypes.CDLL, archive: int) -> Unreadable:
    message = (loaded.archive_error_string(archive) or b"").lower()
    locked = any(word in message for word in (b"encrypt", b"passphrase", b"password"))
    return Unreadable("encrypted") if locked else Unreadable("damaged", detail="archive")
