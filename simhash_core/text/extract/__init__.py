"""One file a format. Where the bytes of a file show its format, the suffix does not count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from ...errors import Unreadable
from ...extensions import extension
from ...model import U8
from . import plain
from .extracted import Extracted, limit_length
from .signatures import HEAD, PICTURES, archive_kind, sniff


class Extractor(Protocol):
    """Turns the bytes of a file into text, or raises `Unreadable`."""

    def __call__(self, data: bytes, *, encoding: str = "") -> Extracted: ...


class Pictured(Protocol):
    """A format that may hold text in pictures: pages without letters, photographs."""

    def parts(self, data: bytes) -> list[str]:
        """Return what names each picture, in the order of the text."""

    def picture(self, data: bytes, part: str) -> U8:
        """Return one of them, uint8 (height, width)."""

    def extract(
        self,
        data: bytes,
        *,
        encoding: str = "",
        recognised: Mapping[str, Sequence[str]] | None = None,
    ) -> Extracted:
        """Read the file, with the lines of pictures that were recognised, by part."""


def _when_needed(module: str, name: str = "extract") -> Extractor:
    """Return a reader of this package that is imported when the first such file comes.

    Most processes read few formats, or none; all together take a fifth of a second to import.
    """

    def read(data: bytes, *, encoding: str = "") -> Extracted:
        reader = cast(Extractor, getattr(import_module(f".{module}", __name__), name))
        return reader(data, encoding=encoding)

    return read


@dataclass(frozen=True, slots=True)
class _Pictured:
    """A format with pictures, by a module that is imported when the first such file comes."""

    module: str

    def parts(self, data: bytes) -> list[str]:
        return self._format().parts(data)

    def picture(self, data: bytes, part: str) -> U8:
        return self._format().picture(data, part)

    def extract(
        self,
        data: bytes,
        *,
        encoding: str = "",
        recognised: Mapping[str, Sequence[str]] | None = None,
    ) -> Extracted:
        return self._format().extract(data, encoding=encoding, recognised=recognised)

    def _format(self) -> Pictured:
        return cast(Pictured, import_module(f".{self.module}", __name__))


_DOCX, _PDF, _SLIDES, _PICTURE = map(_Pictured, ("docx", "pdf", "slides", "picture"))
_HTML = _when_needed("html")
_DOCX_SUFFIXES, _SLIDES_SUFFIXES = ("docx", "docm", "dotx"), ("pptx", "pptm", "ppsx")

#: suffix without the dot -> how to read it
EXTRACTORS: Mapping[str, Extractor] = {
    **dict.fromkeys(("txt", "text"), plain.extract),
    **dict.fromkeys(("md", "markdown"), _when_needed("markdown")),
    **dict.fromkeys(("html", "htm", "xhtml"), _HTML),
    **dict.fromkeys(_DOCX_SUFFIXES, _DOCX.extract),
    "pdf": _PDF.extract,
    **dict.fromkeys(("doc", "dot", "wps"), _when_needed("doc")),
    "rtf": _when_needed("rtf"),
    **dict.fromkeys(("odt", "ott", "odp"), _when_needed("opendocument")),
    **dict.fromkeys(_SLIDES_SUFFIXES, _SLIDES.extract),
    **dict.fromkeys(("ppt", "pps", "dps"), _when_needed("slides", "ppt")),
    "epub": _when_needed("book"),
    "pages": _when_needed("book", "read_preview"),
    "eml": _when_needed("mail", "eml"),
    **dict.fromkeys(("mhtml", "mht"), _when_needed("mail", "mhtml")),
    "msg": _when_needed("mail", "msg"),
    "tex": _when_needed("source", "tex"),
    "ipynb": _when_needed("source", "ipynb"),
    **dict.fromkeys(("xlsx", "xlsm"), _when_needed("rows")),
    **dict.fromkeys(PICTURES, _PICTURE.extract),
}

#: suffix without the dot -> where its pictures are
PICTURED: Mapping[str, Pictured] = {
    **dict.fromkeys(_DOCX_SUFFIXES, _DOCX),
    "pdf": _PDF,
    **dict.fromkeys(_SLIDES_SUFFIXES, _SLIDES),
    **dict.fromkeys(PICTURES, _PICTURE),
}

#: what is told and not read: code of the sentence that says what to do -> suffixes of such files
ADVICE: Mapping[str, tuple[str, ...]] = {
    "caj": ("caj", "kdh", "nh"),
    "hwp": ("hwp", "hwpx"),
    "djvu": ("djvu", "djv"),
    "ofd": ("ofd",),
    "wordperfect": ("wpd",),
    "works": ("wps",),
    "legacy_doc": ("doc",),
    "legacy_ppt": ("ppt",),
    "legacy_xls": ("xls",),
    "iwork": ("pages", "numbers", "key"),
    "drm": ("epub",),
    "shortcut": (
        *("gdoc", "gsheet", "gslides", "gform", "url", "lnk", "webloc", "desktop", "website"),
    ),
    "not_downloaded": ("icloud",),
    "heic": ("heic", "heif", "avif"),
    "webarchive": ("webarchive",),
    "tnef": ("tnef",),
    "onenote": ("one", "onetoc2", "onepkg"),
    "kindle": ("mobi", "azw", "azw3", "prc", "kfx"),
    "printable": ("xps", "oxps", "pub", "vsd", "vsdx", "chm", "indd", "sxw", "lwp", "wri"),
    "recording": ("mp3", "m4a", "wav", "ogg", "wma", "mp4", "mov", "avi", "mkv", "webm", "wmv"),
}
#: kinds that are no suffix of their own
_KINDS = {"works": "works", "ppt95": "legacy_ppt"}

#: what is accepted: a kind of files, as a person calls it -> its suffixes, without the dot
FAMILIES: Mapping[str, tuple[str, ...]] = {
    "word": ("docx", "docm", "dotx", "doc", "dot", "wps", "rtf", "odt", "ott", "pages"),
    "pdf": ("pdf",),
    "text": ("txt", "text", "md", "markdown"),
    "web": ("html", "htm", "xhtml", "mhtml", "mht"),
    "slides": ("pptx", "pptm", "ppsx", "ppt", "pps", "dps", "odp"),
    "table": ("xlsx", "xlsm"),
    "book": ("epub",),
    "mail": ("eml", "msg"),
    "source": ("tex", "ipynb"),
    "picture": PICTURES,
    "archive": ("zip", "rar", "7z", "tar", "gz", "tgz", "bz2", "tbz2", "xz", "txz"),
}
#: suffixes of what holds other files; `text.gathering` opens them
ARCHIVES = frozenset(FAMILIES["archive"])
#: suffixes of texts that other files are attached to
MAILS = frozenset(FAMILIES["mail"])


def extract(
    data: bytes,
    *,
    suffix: str,
    encoding: str = "",
    main_text: bool = False,
    recognised: Mapping[str, Sequence[str]] | None = None,
) -> tuple[str, Extracted]:
    """Read a file; return the format it was read as, and its text.

    With `main_text`, of a web page what is no article is left out where that can be told;
    `recognised` are the lines of its pictures, by what `PICTURED` calls them.

    Raises
    ------
    Unreadable
        With the reason why not.
    """
    if not data.strip():
        raise Unreadable("empty")
    kind = kind_of(data, suffix)
    if kind not in EXTRACTORS:
        read = extension("formats", kind)
        if read is None:
            raise _advice(data, kind)
        text = read(data, encoding=encoding)
        return kind, (text if isinstance(text, Extracted) else Extracted(limit_length(str(text))))
    if main_text and EXTRACTORS[kind] is _HTML:
        return kind, _when_needed("html", "extract_article")(data, encoding=encoding)
    if recognised is not None and kind in PICTURED:
        return kind, PICTURED[kind].extract(data, recognised=recognised)
    return kind, EXTRACTORS[kind](data, encoding=encoding)


def list_attached(data: bytes, *, suffix: str) -> list[tuple[str, bytes]]:
    """Return name and bytes of what a mail or a portfolio holds; nothing for what is none.

    Raises
    ------
    Unreadable
        "damaged", "archive_limit".
    """
    kind = kind_of(data, suffix)
    if kind == "pdf":
        from . import pdf

        return pdf.list_attached(data)
    if kind not in MAILS:
        return []
    from . import mail

    return mail.list_attached_to_msg(data) if kind == "msg" else mail.list_attached_to_eml(data)


def kind_of(data: bytes, suffix: str) -> str:
    """Return the suffix that fits the bytes of a file; raises `Unreadable` as `sniff` does."""
    return sniff(data, suffix, suffixes=EXTRACTORS)


def _advice(data: bytes, kind: str) -> Unreadable:
    """Return what to do about a format that is not read."""
    codes = (code for code, suffixes in ADVICE.items() if kind in suffixes)
    if code := _KINDS.get(kind) or next(codes, ""):
        return Unreadable(code)
    if archive_kind(data[:HEAD]):
        return Unreadable("unpack", ext=kind)
    if kind in ARCHIVES:
        return Unreadable("damaged", detail="not an archive")
    return Unreadable("unsupported", ext=kind or "?")
