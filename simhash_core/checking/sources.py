"""What a check reads: files, folders, archives and uploads to sources, and sources to documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import Unreadable
from ..extensions import names
from ..folders import application_folder
from ..machine.workers import shared_pool
from ..model import Document, Progress, Skipped, report_nothing
from ..settings import WEIGHTING_NAMES, Settings
from ..text.extract import ADVICE, FAMILIES, kind_of, plain
from ..text.gathering import Source as Source
from ..text.gathering import collection_name as collection_name  # pages take it from the door
from ..text.gathering import gather_sources
from ..text.reading import read_sources
from ..text.recognition import recognition_installed as recognition_installed

_BARE = frozenset(("txt", "text"))  # suffixes of files that are text as they are


def formats() -> tuple[str, ...]:
    """Return the suffixes that can be read, without dots, archives included."""
    return tuple(suffix for family in format_families().values() for suffix in family)


def format_families() -> dict[str, tuple[str, ...]]:
    """Return the suffixes that can be read by kind; "other" are those that other packages add.

    A suffix decides only where the bytes of a file do not say what it is.
    """
    listed = {suffix for family in FAMILIES.values() for suffix in family}
    others = tuple(name for name in names("formats") if name not in listed)
    return {**FAMILIES, **({"other": others} if others else {})}


def formats_with_advice() -> dict[str, tuple[str, ...]]:
    """Return what is told and not read: the code of what to do about it, and suffixes."""
    return dict(ADVICE)


def weightings() -> tuple[str, ...]:
    """Return the names of the weightings, the default first."""
    return (*WEIGHTING_NAMES, *names("weightings"))


class SampleClass(NamedTuple):
    """What a teacher has beside the hand-ins of a sample class."""

    task: Path
    class_list: Path
    last_year: Path


_BESIDE = {
    "zh": ("题目.docx", "名单.csv", "去年"),
    "en": ("task.docx", "class-list.csv", "last-year"),
}


def samples() -> dict[str, list[Path]]:
    """Return the sample collections, each as its files; those of a class are its hand-ins."""
    root = application_folder() / "sample_docs"
    folders = {f"class-{language}": root / "class" / language for language in _BESIDE}
    folders |= {name: root / name for name in ("essays", "reposts")}
    beside = {name for names in _BESIDE.values() for name in names}
    return {
        name: sorted(path for path in folder.iterdir() if path.name not in beside)
        for name, folder in folders.items()
        if folder.is_dir()
    }


def sample_class(language: str) -> SampleClass:
    """Return what lies beside the hand-ins `samples()["class-..."]` of the class of a language."""
    folder = application_folder() / "sample_docs" / "class" / language
    return SampleClass(*(folder / name for name in _BESIDE[language]))


def gather(given: Iterable[str | Path | Source]) -> tuple[list[Source], list[Skipped]]:
    """List what a check of files, folders and archives would read, and what it would not."""
    return gather_sources(given, pool=shared_pool())


def uploads(files: Iterable[tuple[str, bytes]]) -> tuple[list[Source], list[Skipped]]:
    """List what a check of files in memory would read; each is (relative name, content)."""
    return gather(Source(name=name, data=data) for name, data in files)


def read(
    sources: Sequence[Source],
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
    progress: Progress | None = None,
    main_text: bool = False,
    keep: bool = True,
) -> tuple[list[Document], list[Skipped]]:
    """Read every source in its own limited process; a bad one becomes a `Skipped` row.

    With `main_text`, of web pages the article alone. Recognised pages are kept for the next time,
    unless `keep` is False.
    """
    return read_sources(
        sources,
        pool=shared_pool(),
        settings=settings,
        progress=progress or report_nothing,
        main_text=main_text,
        keep=keep,
    )


class TextReader:
    """Reads the text of a source and nothing else, as often as it is asked for.

    Plain files are read here and forgotten: where bytes are only decoded, a worker costs more than
    it saves. Others are read at once by workers, and their texts kept.
    """

    def __init__(self, sources: Sequence[Source], *, progress: Progress | None = None) -> None:
        self._sources, self._kept = sources, dict[str, str]()
        others = [source for source in sources if source.suffix not in _BARE]
        if others:
            documents, _ = read(others, progress=progress)
            self._kept = dict.fromkeys((source.name for source in others), "")
            self._kept |= {document.name: document.text for document in documents}

    def read_text(self, row: int) -> str:
        """Return the text of a source by its row; of one that cannot be read it is empty."""
        source = self._sources[row]
        if source.name in self._kept:
            return self._kept[source.name]
        try:
            data = source.content()
            if kind_of(data, source.suffix) in _BARE:
                return plain.extract(data).text
        except Unreadable:
            return ""
        documents, _ = read([source])  # its bytes are of another format than its name says
        return self._kept.setdefault(source.name, documents[0].text if documents else "")
