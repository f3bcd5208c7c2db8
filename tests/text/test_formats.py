"""What is said to be read is read: one list for the upload, the command line and Python."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from command_line import leitong
from faults.mutants import seeds
from text.handmade import code_of

from simhash_core.checking import format_families, formats, formats_with_advice
from simhash_core.errors import UNREADABLE_CODES
from simhash_core.i18n import LANGUAGES, translator
from simhash_core.machine.workers import WorkerPool
from simhash_core.settings import Settings
from simhash_core.text.extract import ARCHIVES, EXTRACTORS, FAMILIES, MAILS, archives
from simhash_core.text.gathering import Source, gather_sources
from simhash_core.text.reading import read_sources

#: suffix -> another one of the same format, of which a file is at hand
SAME = {
    "text": "txt",
    "markdown": "md",
    "htm": "html",
    "xhtml": "html",
    "mht": "mhtml",
    "docm": "docx",
    "dotx": "docx",
    "dot": "doc",
    "wps": "doc",
    "ott": "odt",
    "pptm": "pptx",
    "ppsx": "pptx",
    "pps": "ppt",
    "dps": "ppt",
    "xlsm": "xlsx",
    "tgz": "gz",
    "tbz2": "bz2",
    "txz": "xz",
}
SUFFIXES = [suffix for family in FAMILIES.values() for suffix in family]


@pytest.fixture(scope="module")
def sound() -> dict[str, list[bytes]]:
    return seeds()


def test_the_list_is_what_there_are_readers_for() -> None:
    assert len(SUFFIXES) == len(set(SUFFIXES))
    assert set(SUFFIXES) == {*EXTRACTORS, *ARCHIVES}
    assert set(EXTRACTORS) >= MAILS
    assert set(formats()) >= set(SUFFIXES)
    assert dict(format_families()).items() >= FAMILIES.items()


@pytest.mark.parametrize("suffix", [one for one in SUFFIXES if one not in FAMILIES["picture"]])
def test_every_format_of_the_list_is_read(
    sound: dict[str, list[bytes]], pool: WorkerPool, suffix: str
) -> None:
    if suffix in ("7z", "rar") and archives.libarchive() is None:
        pytest.skip("the system has no libarchive")
    for data in sound[SAME.get(suffix, suffix)]:
        sources, refused = gather_sources([Source(f"a.{suffix}", data=data)], pool=pool)
        documents, skipped = read_sources(
            sources, pool=pool, settings=Settings(), progress=lambda *_: None
        )
        assert documents
        assert (refused, skipped) == ([], [])


def test_no_reader_is_loaded_before_its_file_comes() -> None:
    names = "archives book compound doc libarchive mail opendocument rtf slides source"
    modules = [f"simhash_core.text.extract.{name}" for name in names.split()]
    code = (
        "import sys, simhash_core.text.reading\n"
        "from simhash_core.text.extract import extract\n"
        "extract(b'seven plain words are enough for this', suffix='txt')\n"
        f"print([name for name in {[*modules, 'olefile']} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_formats_are_listed_on_the_command_line_as_they_are_known() -> None:
    said = json.loads(leitong("formats", "--json").stdout)
    assert said["read"] == {name: list(suffixes) for name, suffixes in format_families().items()}
    assert {s for one in said["told"] for s in one["suffixes"]} == {
        suffix for suffixes in formats_with_advice().values() for suffix in suffixes
    }
    for language in LANGUAGES:
        listed = leitong("formats", language=language).stdout
        assert all(suffix in listed.split() for suffix in SUFFIXES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_and_every_advice_has_its_words(language: str) -> None:
    t = translator(language)
    for name in (*format_families(), "other", "unread", "by_content"):
        assert t(f"formats.{name}") != f"formats.{name}"
    for code in formats_with_advice():
        assert code in UNREADABLE_CODES
        assert t(f"notes.{code}") != f"notes.{code}"


@pytest.mark.parametrize(
    ("suffix", "code"),
    [
        (suffix, code)
        for code, suffixes in formats_with_advice().items()
        for suffix in suffixes
        if suffix not in EXTRACTORS and code != "iwork"
    ],
)
def test_what_is_told_by_its_suffix_alone_says_what_to_do(suffix: str, code: str) -> None:
    assert code_of(b"bytes of another program", suffix) == code


@pytest.mark.parametrize(
    ("data", "suffix", "code"),
    [
        (b"\0\0\0\x18ftypheic" + bytes(80), "jpg", "heic"),
        (b"\0\0\0\x1cftypavif" + bytes(80), "png", "heic"),
        (b"\x78\x9f\x3e\x22" + bytes(80), "dat", "tnef"),
    ],
)
def test_what_is_told_by_its_bytes_says_what_to_do(data: bytes, suffix: str, code: str) -> None:
    assert code_of(data, suffix) == code
