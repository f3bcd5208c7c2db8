"""Folders and archives to what is to be read; whatever stands in the way is a named row."""

from __future__ import annotations

import io
import os
import random
import socket
import struct
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from text import handmade

from simhash_core.machine.workers import WorkerPool
from simhash_core.model import Skipped
from simhash_core.text import gathering
from simhash_core.text.extract import zipped
from simhash_core.text.gathering import Budget, Names, Source, read_archive

ENGLISH = "Seven plain words are enough for this."
CHINESE = "如有雷同，纯属巧合。老师把两份作业放在一起看。"


def gather_sources(
    pool: WorkerPool, given: list[Path] | list[Source]
) -> tuple[list[Source], list[Skipped]]:
    return gathering.gather_sources(given, pool=pool)


def fill(folder: Path, *names: str) -> None:
    """Write a text under each of the names."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(ENGLISH)


def gathered(pool: WorkerPool, *given: Path | Source) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the names of what is to be read, and of what is not with the codes of the reasons."""
    sources, skipped = gathering.gather_sources(given, pool=pool)
    return [one.name for one in sources], [(one.name, one.code) for one in skipped]


class ChineseWindows(zipfile.ZipInfo):
    """A member whose name is stored as GBK without a word about it."""

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:
        return self.filename.encode("gbk"), self.flag_bits


def zip_of(*members: tuple[str, bytes], info: type[zipfile.ZipInfo] = zipfile.ZipInfo) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(info(name), content, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def test_gather_walks_folders_and_leaves_clutter(pool: WorkerPool, tmp_path: Path) -> None:
    clutter = (".DS_Store", "Thumbs.db", "__MACOSX/b.txt", ".git/config.txt")
    fill(tmp_path, "b.txt", "a/一.txt", "a/~$essay.docx", "a/._b.txt", *clutter)
    assert gathered(pool, tmp_path) == (["a/一.txt", "b.txt"], [])


def test_gather_passes_over_the_parts_of_a_saved_page(pool: WorkerPool, tmp_path: Path) -> None:
    """What a browser writes beside a page; a folder of the same name without a page is a folder."""
    fill(tmp_path, "a.html", "a_files/frame.html", "b.htm", "B_Files/x.js", "essays_files/one.txt")
    assert gathered(pool, tmp_path) == (["a.html", "b.htm", "essays_files/one.txt"], [])


def test_gather_names_are_unique_and_same_files_counted_once(
    pool: WorkerPool, tmp_path: Path
) -> None:
    fill(tmp_path, "x/essay.txt", "y/essay.txt")
    one, two = tmp_path / "x", tmp_path / "y"
    sources, skipped = gather_sources(pool, [one, two, one / "essay.txt"])
    assert [source.name for source in sources] == ["x/essay.txt", "y/essay.txt"]
    assert skipped == [Skipped("essay.txt", "duplicate", {"name": "x/essay.txt"})]
    twice, _ = gathered(pool, one / "essay.txt", two / "essay.txt")
    assert twice == ["essay.txt", "essay (2).txt"]


def test_gather_refuses_what_is_not_there_and_large_files_before_reading(
    pool: WorkerPool, tmp_path: Path
) -> None:
    with pytest.raises(FileNotFoundError):
        gather_sources(pool, [tmp_path / "nothing"])
    file = tmp_path / "large.txt"
    with file.open("wb") as out:
        out.truncate(gathering.MOST_BYTES + 1)
    assert gathered(pool, file) == ([], [("large.txt", "too_large")])


def test_gather_opens_archives_one_level(pool: WorkerPool, tmp_path: Path) -> None:
    inner = zip_of(("deep.txt", b"deep"))
    made = zip_of(
        ("班级/张三.txt", CHINESE.encode()),
        ("__MACOSX/._x.txt", b"x"),
        ("inner.zip", inner),
        ("folder/", b""),
    )
    (tmp_path / "hand-in.zip").write_bytes(made)
    sources, skipped = gather_sources(pool, [tmp_path])
    assert [source.name for source in sources] == ["hand-in.zip/班级/张三.txt"]
    assert sources[0].data == CHINESE.encode()
    assert skipped == [Skipped("hand-in.zip/inner.zip", "nested_archive", {})]


def test_gather_reads_names_written_by_chinese_windows(pool: WorkerPool) -> None:
    made = zip_of(("作业/张三.txt", b"x"), ("plain.txt", b"y"), info=ChineseWindows)
    names, _ = gathered(pool, Source("a.zip", data=made))
    assert names == ["a.zip/作业/张三.txt", "a.zip/plain.txt"]


def test_gather_makes_path_traversal_harmless(pool: WorkerPool) -> None:
    made = zip_of(("../../etc/passwd", b"x"), ("/abs/olute.txt", b"y"), ("c:\\win\\file.txt", b"z"))
    sources, _ = gather_sources(pool, [Source("../evil.zip", data=made)])
    assert [source.name for source in sources] == [
        "evil.zip/etc/passwd",
        "evil.zip/abs/olute.txt",
        "evil.zip/c:/win/file.txt",
    ]
    assert all(source.path is None for source in sources)


@pytest.mark.parametrize(
    ("made", "limit"),
    [
        (zip_of(("zeros.txt", bytes(40 * 2**20))), "ratio"),
        (zip_of(*((f"{n}.txt", b"") for n in range(zipped.MOST_MEMBERS + 1))), "count"),
    ],
    ids=["bomb", "count"],
)
def test_gather_refuses_archives_beyond_the_limits(
    pool: WorkerPool, made: bytes, limit: str
) -> None:
    sources, skipped = gather_sources(pool, [Source("a.zip", data=made)])
    assert (sources, skipped) == ([], [Skipped("a.zip", "archive_limit", {"limit": limit})])


def test_gather_does_not_believe_the_sizes_an_archive_states(pool: WorkerPool) -> None:
    made = zip_of(("lie.txt", b"x" * 5000))
    stated = (5000).to_bytes(4, "little")
    sources, skipped = gather_sources(
        pool, [Source("a.zip", data=made.replace(stated, bytes([9, 0, 0, 0])))]
    )
    assert sources == []
    assert skipped[0].code in ("archive_limit", "damaged")


def test_gather_names_broken_and_locked_archives(pool: WorkerPool) -> None:
    locked = bytearray(zip_of(("secret.txt", b"words")))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.index(mark) + offset] |= 1
    cut = Source("cut.zip", data=b"PK\x03\x04 cut")
    refused = [("cut.zip", "damaged"), ("locked.zip/secret.txt", "encrypted")]
    assert gathered(pool, cut, Source("locked.zip", data=bytes(locked))) == ([], refused)


# ------------------------------------------------------------------------- hostile archives


def lzma_zip(content: bytes) -> bytes:
    return handmade.zipped({"a.txt": content}, zipfile.ZIP_LZMA)


def test_gather_names_a_corrupt_lzma_member(pool: WorkerPool) -> None:
    made = bytearray(lzma_zip(ENGLISH.encode() * 50))
    start = made.index(b"a.txt") + len("a.txt")
    made[start + 12 : start + 40] = bytes(28)

    assert gathered(pool, Source("a.zip", data=bytes(made))) == ([], [("a.zip/a.txt", "damaged")])


def test_gather_takes_a_member_without_a_name(pool: WorkerPool) -> None:
    made = zip_of(("ab", ENGLISH.encode())).replace(b"ab", b"")
    # the lengths of the name, in both headers
    nameless = bytearray(made)
    for mark, offset in ((b"PK\x03\x04", 26), (b"PK\x01\x02", 28)):
        nameless[nameless.index(mark) + offset] = 0
    end = nameless.index(b"PK\x05\x06")
    start = nameless.index(b"PK\x01\x02")
    nameless[end + 12 : end + 20] = struct.pack("<2I", end - start, start)

    assert gathered(pool, Source("a.zip", data=bytes(nameless))) == (["a.zip/unnamed"], [])


@pytest.mark.long
def test_gather_survives_mutated_archives(pool: WorkerPool) -> None:
    """Every mutant of a small archive gives members or a named row, never an exception."""
    made = lzma_zip(ENGLISH.encode()), zip_of(("x/a.txt", ENGLISH.encode()), ("b.txt", b"b" * 300))
    rng = random.Random(7)
    mutants = []
    for number in range(300):
        data = bytearray(made[number % 2])
        for _ in range(rng.randint(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        mutants.append(Source(f"{number}.zip", data=bytes(data)))

    sources, skipped = gather_sources(pool, mutants)

    assert {source.name.split("/")[0] for source in sources} | {
        row.name.split("/")[0] for row in skipped
    } >= {f"{n}.zip" for n in range(300)} - empty(pool, mutants)


def empty(pool: WorkerPool, mutants: list[Source]) -> set[str]:
    """Archives that hold nothing: the mutation hid the member or made it a folder."""
    return {s.name for s in mutants if gather_sources(pool, [s]) == ([], [])}


def test_one_budget_holds_for_all_archives_together(pool: WorkerPool) -> None:
    budget = Budget(members=3, bytes=100)
    made = zip_of(("a.txt", b"a" * 40), ("b.txt", b"b" * 40))

    def names(archive: bytes) -> list[str]:
        found = read_archive(
            archive, name="a.zip", pool=pool, budget=budget, most=50, is_document=lambda name: True
        )
        return [name for name, _ in found]

    assert names(made) == ["a.txt", "b.txt"]
    with pytest.raises(zipped.Unreadable) as refusal:
        names(made)
    assert refusal.value.params == {"limit": "count"}
    assert names(zip_of(("c.txt", b"c" * 20))) == ["c.txt"]
    assert (budget.members, budget.bytes) == (0, 0)


def test_members_are_read_in_several_tasks_and_in_order(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = zip_of(*((f"{n}.txt", b"x" * n) for n in range(600)))
    sources, skipped = gather_sources(pool, [Source("a.zip", data=made)])

    assert [source.name for source in sources] == [f"a.zip/{n}.txt" for n in range(600)]
    assert [len(source.data or b"") for source in sources] == list(range(600))
    assert skipped == []


def test_names_are_given_once() -> None:
    names = Names()
    given = ("a.txt", "a (2).txt", "a.txt", "a.txt", "b")
    expected = ["a.txt", "a (2).txt", "a (3).txt", "a (4).txt", "b"]
    assert [names.unique(name) for name in given] == expected


# ---------------------------------------------------------------------------- odd entries

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and modes of POSIX")


@posix
def test_gather_names_every_entry_that_is_no_file(pool: WorkerPool, tmp_path: Path) -> None:
    folder = tmp_path / "essays"
    folder.mkdir()
    (folder / "good.txt").write_text(ENGLISH)
    (tmp_path / "outside.txt").write_text(ENGLISH)
    (folder / "self").symlink_to("self")
    (folder / "dangling.txt").symlink_to("nowhere.txt")
    (folder / "outside.txt").symlink_to(tmp_path / "outside.txt")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    os.mkfifo(folder / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as listener:
        old = Path.cwd()
        os.chdir(folder)  # a socket's path must be short
        listener.bind("socket.txt")
        os.chdir(old)

    names, skipped = gathered(pool, folder)
    assert names == ["good.txt"]
    assert skipped == [
        *(("dangling.txt", "link"), ("loop", "link"), ("outside.txt", "link")),
        *(("pipe.txt", "special"), ("self", "link"), ("socket.txt", "special")),
    ]


@posix
@pytest.mark.parametrize("name", ["f.zip", "f.txt"])
def test_gather_does_not_wait_for_a_pipe_given_by_name(
    pool: WorkerPool, tmp_path: Path, name: str
) -> None:
    os.mkfifo(tmp_path / name)
    assert gather_sources(pool, [tmp_path / name]) == ([], [Skipped(name, "special")])


@posix
def test_gather_goes_on_behind_a_folder_that_cannot_be_listed(
    pool: WorkerPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path, "a/1.txt", "b/2.txt", "c/3.txt")
    (tmp_path / "b").chmod(0)
    try:
        if os.access(tmp_path / "b", os.R_OK):
            listed = os.scandir

            def scandir(path: str) -> object:  # root may list everything
                if str(path).endswith("b"):
                    raise PermissionError(13, "Permission denied", path)
                return listed(path)

            monkeypatch.setattr(gathering.os, "scandir", scandir)
        assert gathered(pool, tmp_path) == (["a/1.txt", "c/3.txt"], [("b/", "denied")])
    finally:
        (tmp_path / "b").chmod(0o700)


def test_gather_leaves_a_file_that_vanishes_to_the_reader(
    pool: WorkerPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path, "a.txt", "b.txt")
    flat = gathering._flat

    def emptied(given: list[Path]) -> Iterator[Source | Skipped]:
        listed = list(flat(given))
        (tmp_path / "a.txt").unlink()
        yield from listed

    monkeypatch.setattr(gathering, "_flat", emptied)
    assert gathered(pool, tmp_path) == (["a.txt", "b.txt"], [])


# ----------------------------------------------------------------- what stands for a document


def test_stubs_of_icloud_bundles_and_empty_archives_are_told(
    tmp_path: Path, pool: WorkerPool
) -> None:
    """A stub is named as the file it stands for; of a bundle of rich text its text is read."""
    fill(tmp_path, ".Finn Gray.docx.icloud")
    fill(tmp_path / "Anna.rtfd", "TXT.rtf", "picture.png", "notes.txt")
    (tmp_path / "a.zip").write_bytes(zip_of(("class/.Eve Fox.pages.icloud", b"bplist00")))
    (tmp_path / "empty.zip").write_bytes(zip_of())

    names, skipped = gathered(pool, tmp_path)
    assert names == ["Anna.rtfd/TXT.rtf"]
    assert set(skipped) == {
        ("Finn Gray.docx", "not_downloaded"),
        ("a.zip/class/Eve Fox.pages", "not_downloaded"),
        ("empty.zip", "no_files"),
    }
