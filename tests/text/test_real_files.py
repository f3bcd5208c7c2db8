"""Hand-ins that other programs wrote: the same characters as the text they were made from."""

from __future__ import annotations

import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from simhash_core.machine.workers import WorkerPool
from simhash_core.settings import Settings
from simhash_core.text.gathering import gather_sources
from simhash_core.text.reading import read_sources

pytestmark = pytest.mark.corpora


def texts(pool: WorkerPool, path: Path) -> dict[str, str]:
    sources, refused = gather_sources([path], pool=pool)
    documents, skipped = read_sources(
        sources, pool=pool, settings=Settings(), progress=lambda *_: None
    )
    assert (refused, skipped) == ([], [])
    return {document.name: document.text for document in documents}


def characters(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def test_every_format_gives_the_characters_of_its_text(
    pool: WorkerPool, corpora: Path, record_property
) -> None:
    """Chinese, traditional too, and English; RTF in GBK, Big5 and Windows-1252 bytes."""
    folder = corpora / "intake_dev"
    same: Counter[str] = Counter()
    other: list[str] = []
    for path in sorted((folder / "formats").iterdir()):
        if path.stem == "with-attachment":
            continue
        truth = folder / "truth" / f"{path.stem.removesuffix('-codepage')}.txt"
        ((_, text),) = texts(pool, path).items()
        if characters(text) == characters(truth.read_text("utf-8")):
            same[path.suffix] += 1
        else:
            other.append(path.name)

    record_property("outcome", f"{same.total()} the same, by format {dict(same)}; others {other}")
    assert other == []
    assert same.total() >= 48


def test_what_is_attached_to_a_mail_is_read(pool: WorkerPool, corpora: Path) -> None:
    folder = corpora / "intake_dev"
    found = texts(pool, folder / "formats" / "with-attachment.eml")
    truth = (folder / "truth" / "chen-siyuan.txt").read_text("utf-8")

    assert characters(found["with-attachment.eml/作业.docx"]) == characters(truth)


@pytest.mark.parametrize("kind", ["7z", "tar", "tar.gz", "tar.bz2", "tar.xz"])
def test_every_archive_gives_its_files(pool: WorkerPool, corpora: Path, kind: str) -> None:
    folder = corpora / "intake_dev"
    found = texts(pool, folder / "archives" / f"class.{kind}")
    truth = {path.name: path.read_text("utf-8") for path in (folder / "truth").iterdir()}

    assert {Path(name).name: text for name, text in found.items()} == truth


def test_text_that_is_packed_alone_is_decoded(pool: WorkerPool, corpora: Path) -> None:
    folder = corpora / "intake_dev"
    found = texts(pool, folder / "archives" / "chen-siyuan.txt.gz")
    truth = (folder / "truth" / "chen-siyuan.txt").read_text("utf-8")

    assert [characters(text) for text in found.values()] == [characters(truth)]
