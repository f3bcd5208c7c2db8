"""Archives of every kind and mail: their members are documents, within the limits of a zip."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import tarfile
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest
from text.handmade import pptx, rar, seven_zip

from simhash_core.errors import Unreadable
from simhash_core.machine.workers import WorkerPool
from simhash_core.model import Skipped
from simhash_core.text.extract import archives
from simhash_core.text.extract.archives import Archive, open_archive
from simhash_core.text.gathering import Source, gather_sources

ENGLISH = b"Seven plain words are enough for this."
CHINESE = "如有雷同，纯属巧合。老师把两份作业放在一起看。".encode()
MEMBERS = (("班级/张三.txt", CHINESE), ("b.txt", ENGLISH), ("._b.txt", b"x"))

needs_libarchive = pytest.mark.skipif(
    archives.libarchive() is None, reason="the system has no libarchive"
)


def tar(*members: tuple[str, bytes], **how: object) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", **how) as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
        folder = tarfile.TarInfo("folder")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
    return data.getvalue()


KINDS: dict[str, Callable[..., bytes]] = {
    "tar": tar,
    "tar.gz": lambda *members: gzip.compress(tar(*members)),
    "tgz": lambda *members: gzip.compress(tar(*members)),
    "tar.bz2": lambda *members: bz2.compress(tar(*members)),
    "tar.xz": lambda *members: lzma.compress(tar(*members)),
    "rar": rar,
    "7z": seven_zip,
}
ALL = [
    pytest.param(kind, marks=[needs_libarchive] if kind in ("rar", "7z") else []) for kind in KINDS
]


def gathered(pool: WorkerPool, name: str, data: bytes) -> tuple[dict[str, bytes], list[Skipped]]:
    sources, skipped = gather_sources([Source(name, data=data)], pool=pool)
    return {source.name: source.data or b"" for source in sources}, skipped


@pytest.mark.parametrize("kind", ALL)
def test_members_of_every_archive_are_documents(
    pool: WorkerPool, tmp_path: Path, kind: str
) -> None:
    data = KINDS[kind](*MEMBERS)
    expected = {f"hand-in.{kind}/{name}": content for name, content in MEMBERS[:2]}
    (tmp_path / f"hand-in.{kind}").write_bytes(data)
    sources, skipped = gather_sources([tmp_path / f"hand-in.{kind}"], pool=pool)

    assert ({source.name: source.data for source in sources}, skipped) == (expected, [])
    assert gathered(pool, f"hand-in.{kind}", data) == (expected, [])


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("suffix", ["zip", "rar", "unknown", ""])
def test_archives_are_told_by_their_bytes(pool: WorkerPool, kind: str, suffix: str) -> None:
    found, skipped = gathered(pool, f"x.{suffix}".rstrip("."), KINDS[kind](*MEMBERS))

    assert (sorted(found.values()), skipped) == (sorted([CHINESE, ENGLISH]), [])


def test_document_that_is_called_an_archive_is_a_document(pool: WorkerPool) -> None:
    slides = pptx(">", order="r0")
    for name, data in (("a.rar", b"%PDF-1.7 words"), ("a.zip", b"%PDF-1.7"), ("b.zip", slides)):
        assert gathered(pool, name, data) == ({name: data}, [])


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_file_that_is_packed_alone_is_one_member(
    pool: WorkerPool, pack: Callable[[bytes], bytes]
) -> None:
    found, skipped = gathered(pool, "读书报告.txt.gz", pack(CHINESE))
    assert (found, skipped) == ({"读书报告.txt.gz/读书报告.txt": CHINESE}, [])


def test_names_that_chinese_programs_wrote_into_a_tar_are_told(pool: WorkerPool) -> None:
    data = tar(("作业/张三.txt", CHINESE), format=tarfile.GNU_FORMAT, encoding="gbk")

    assert list(gathered(pool, "a.tar", data)[0]) == ["a.tar/作业/张三.txt"]


def test_names_of_members_cannot_leave_the_folder(pool: WorkerPool) -> None:
    data = tar(("../../etc/passwd", ENGLISH), ("/abs.txt", ENGLISH))

    assert list(gathered(pool, "a.tar", data)[0]) == ["a.tar/etc/passwd", "a.tar/abs.txt"]


# ------------------------------------------------------------------------------ limits


def zeros(size: int) -> bytes:
    info = tarfile.TarInfo("zeros.txt")
    info.size = size
    return info.tobuf() + bytes(512)


@pytest.mark.parametrize(
    ("name", "made", "code", "limit"),
    [
        ("a.gz", lambda: gzip.compress(bytes(40 * 2**20)), "archive_limit", "ratio"),
        ("a.xz", lambda: lzma.compress(bytes(40 * 2**20)), "archive_limit", "ratio"),
        ("a.tbz2", lambda: bz2.compress(tar(("a", bytes(40 * 2**20)))), "archive_limit", "ratio"),
        ("a.tar", lambda: tar(*((str(n), b"") for n in range(5_001))), "archive_limit", "count"),
        ("a.tar", lambda: zeros(2**40), "archive_limit", "size"),
        ("a.tar", lambda: zeros(9_000), "damaged", None),
        ("a.gz", lambda: gzip.compress(CHINESE * 9)[:-20], "damaged", None),
        ("a.tgz", lambda: gzip.compress(tar(*MEMBERS))[:150], "damaged", None),
        ("a.7z", lambda: seven_zip(*MEMBERS)[:-9], "damaged", None),
        ("a.rar", lambda: b"Rar!\x1a\x07\x01\x00" + bytes(90), "damaged", None),
        ("a.tar", lambda: b"no tar", "", None),
    ],
    ids=[
        *("gz_bomb", "xz_bomb", "bz2_bomb", "members", "size", "zeros", "cut_gz", "cut_tgz"),
        *("cut_7z", "empty_rar", "no_tar"),
    ],
)
def test_archives_beyond_the_limits_are_refused(
    pool: WorkerPool, name: str, made: Callable[[], bytes], code: str, limit: str | None
) -> None:
    found, skipped = gathered(pool, name, made())

    assert (list(found), [row.code for row in skipped]) == (([], [code]) if code else ([name], []))
    assert limit is None or skipped[0].params == {"limit": limit}


@needs_libarchive
def test_member_that_cannot_be_read_is_named_and_the_others_are_read(pool: WorkerPool) -> None:
    data = rar(("a.txt", CHINESE), ("b.txt", ENGLISH), packed="a.txt")
    found, skipped = gathered(pool, "a.rar", data)

    assert found == {"a.rar/b.txt": ENGLISH}
    assert [(row.name, row.code) for row in skipped] == [("a.rar/a.txt", "damaged")]


# ------------------------------------------------------------------------------ what is inside what


def mail(text: str, *attached: tuple[str, bytes]) -> bytes:
    message = EmailMessage()
    message["Subject"] = "hand-in"
    message.set_content(text)
    for name, data in attached:
        message.add_attachment(data, "application", "octet-stream", filename=name)
    return message.as_bytes()


def test_what_is_attached_to_a_mail_are_its_members(pool: WorkerPool) -> None:
    alone = mail("Dear teacher, this is what I wrote for Monday.", ("作业.txt", CHINESE))
    words = mail(ENGLISH.decode() * 8, ("作业.txt", CHINESE))

    assert gathered(pool, "a.eml", words) == ({"a.eml": words, "a.eml/作业.txt": CHINESE}, [])
    assert gathered(pool, "a.eml", alone) == ({"a.eml/作业.txt": CHINESE}, [])
    assert list(gathered(pool, "a.eml", mail("hi"))[0]) == ["a.eml"]
    picture = mail(ENGLISH.decode(), ("photo.raw", b"x"))
    assert list(gathered(pool, "a.eml", picture)[0]) == ["a.eml", "a.eml/photo.raw"]


def test_mail_may_stand_in_an_archive_and_an_archive_in_a_mail(pool: WorkerPool) -> None:
    inner = tar(("c.txt", CHINESE))
    forwarded = mail("hi", ("b.tar", inner))
    found, skipped = gathered(pool, "a.eml", mail("hi", ("x.tar", tar(("b.eml", forwarded)))))
    assert (list(found), skipped) == (["a.eml/x.tar/b.eml"], [])  # as a text: it is in a mail

    found, skipped = gathered(pool, "a.tar", tar(("m.eml", forwarded), ("c.tar", inner)))
    assert found == {}
    assert [(row.name, row.code) for row in skipped] == [
        ("a.tar/m.eml/b.tar", "nested_archive"),
        ("a.tar/c.tar", "nested_archive"),
    ]
    assert gathered(pool, "m.eml", forwarded)[0] == {"m.eml/b.tar/c.txt": CHINESE}


def test_mail_with_more_than_the_budget_is_named(pool: WorkerPool) -> None:
    from simhash_core.text.gathering import Budget, _open_inner

    source = Source("a.eml", data=mail("hi", ("a.txt", CHINESE), ("b.txt", ENGLISH)))
    sources, skipped = _open_inner(source, pool, Budget(bytes=70), frozenset())

    codes = [(row.name, row.code) for row in skipped]
    assert (sources, codes) == ([], [(f"a.eml/{n}.txt", "archive_limit") for n in "ab"])


# ------------------------------------------------------------------------------ without libarchive

AS_TAR = """import sys, tarfile, io
out = tarfile.open(fileobj=sys.stdout.buffer, mode="w|")
for name, data in {members!r}:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    out.addfile(info, io.BytesIO(data))
out.close()
"""
AS_7ZIP = """import sys
members = {members!r}
if sys.argv[1] == "l":
    for name, data in members:
        print(f"Path = {{name}}\\nSize = {{len(data)}}\\nAttributes = A\\nEncrypted = -\\n")
    print("Path = folder\\nSize = 0\\nAttributes = D\\n")
else:
    for name, data in members:
        sys.stdout.buffer.write(data)
"""
ASKS = "import sys; sys.stderr.write('Enter passphrase'); sys.exit(1)"
posix = pytest.mark.skipif(sys.platform == "win32", reason="a script that is a program")


def inside(archive: Archive, name: str = "a.rar") -> dict[str, bytes]:
    with open_archive(archive, name=name) as members:
        return {entry.name: entry.read() for entry in members if entry.name is not None}


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Return what puts a program on the path, beside which there is nothing."""
    monkeypatch.setattr(archives, "libarchive", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))

    def put(name: str, script: str) -> None:
        path = tmp_path / name
        path.write_text(f"#!{sys.executable}\n{script}", "utf-8")
        path.chmod(0o700)

    return put


@posix
@pytest.mark.parametrize(
    ("name", "script"), [("bsdtar", AS_TAR), ("7zz", AS_7ZIP), ("7z", AS_7ZIP)]
)
def test_program_reads_what_the_library_cannot(
    program: Callable[[str, str], None], tmp_path: Path, name: str, script: str
) -> None:
    program(name, script.format(members=MEMBERS))
    data = rar(*MEMBERS)
    (tmp_path / "a.rar").write_bytes(data)

    assert inside(data) == inside(tmp_path / "a.rar") == dict(MEMBERS)


@posix
def test_without_anything_the_advice_is_to_unpack(program: Callable[[str, str], None]) -> None:
    program("tar", "print('tar (GNU tar) 1.34')")
    with pytest.raises(Unreadable) as caught:
        inside(rar(*MEMBERS))
    assert (caught.value.code, caught.value.params) == ("unpack", {"ext": "rar"})


@posix
@pytest.mark.parametrize(
    ("script", "code"),
    [
        (ASKS, "encrypted"),
        ("import time; time.sleep(60)", "timeout"),
        ("import sys; sys.exit(2)", "damaged"),
        ("import sys\nwhile True: sys.stdout.buffer.write(b'x' * 2**20)", "damaged"),
        (
            AS_TAR.format(members=()).replace("()", "[('a.txt', bytes(40 * 2**20))]"),
            "archive_limit",
        ),
    ],
)
def test_program_that_fails_is_named(
    program: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch, script: str, code: str
) -> None:
    monkeypatch.setattr(archives, "_SECONDS", 1.0)
    program("bsdtar", script)
    with pytest.raises(Unreadable) as caught:
        inside(rar(*MEMBERS))
    assert caught.value.code == code
