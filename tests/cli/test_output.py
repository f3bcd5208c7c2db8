"""What leaves the command line: whole files, clean terminals, names that are not UTF-8."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import pty
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from command_line import ESSAYS, ROOT, leitong
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from simhash_core.cli import main, output
from simhash_core.folders import write_whole
from simhash_core.i18n import translator
from simhash_core.machine import building, compiled, workers

posix = pytest.mark.skipif(sys.platform == "win32", reason="names and devices of POSIX")
PLAIN = "Seven plain words are enough for this, and some more make it safe. "


def two_texts(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).write_text(PLAIN * 20, "utf-8")
    return folder


@posix
@pytest.mark.parametrize("to_file", [True, False], ids=["file", "pipe"])
@pytest.mark.parametrize("format_", ["table", "csv", "json"])
def test_names_that_are_not_utf8_do_not_end_a_check(tmp_path, format_, to_file):
    folder = tmp_path / "essays"
    folder.mkdir()
    two_texts(folder, os.fsdecode(b"caf\xe9.txt"), "b.txt")
    output = tmp_path / "result"
    options = ("-o", output) if to_file else ()

    done = leitong("check", folder, "--format", format_, *options)

    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    shown = output.read_text("utf-8") if to_file else done.stdout
    assert "caf" in shown
    if format_ == "json":
        names = {pair[side] for pair in json.loads(shown)["pairs"] for side in ("a", "b")}
        assert names == {os.fsdecode(b"caf\xe9.txt"), "b.txt"}


@posix
def test_a_write_that_fails_keeps_the_older_result_and_one_that_succeeds_mode_and_link(tmp_path):
    old = tmp_path / "old.json"
    old.write_text("an older result", "utf-8")

    with pytest.raises(OSError, match=r"old\.json"), write_whole(old, private=False) as fresh:
        fresh.write_bytes(b"torn")
        raise OSError(errno.EFBIG, "File too large")
    assert old.read_text("utf-8") == "an older result"
    assert [path.name for path in tmp_path.iterdir()] == ["old.json"]
    # an output keeps its mode and its link
    target, link = tmp_path / "target", tmp_path / "link"
    target.touch(0o640)
    target.chmod(0o640)
    link.symlink_to(target)
    with write_whole(link, private=False) as fresh:
        fresh.write_bytes(b"new")
    assert (link.is_symlink(), target.read_bytes()) == (True, b"new")
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
@pytest.mark.parametrize("format_", ["table", "json"])
def test_a_full_device_is_named(format_):
    done = leitong("check", ESSAYS / "02-林晓雨.txt", "--format", format_, "-o", "/dev/full")

    assert done.returncode == 4
    assert "/dev/full: No space" in done.stderr


@pytest.mark.long
@posix
def test_names_in_csv_do_not_drive_a_terminal(tmp_path):
    folder = two_texts(tmp_path, "\x1b[31mred\x1b]0;title\x07.txt", "b.txt")
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "simhash_core", "check", str(folder), "--format", "csv"],
        cwd=ROOT,
        stdout=child,
        stderr=subprocess.DEVNULL,
    )
    os.close(child)
    shown = b""
    while True:
        try:
            read = os.read(parent, 65536)
        except OSError:  # the other end is closed
            break
        if not read:
            break
        shown += read
    os.close(parent)

    assert process.wait(60) == 0
    assert b"red" in shown
    assert b"\x1b" not in shown and b"\x07" not in shown


DISGUISED = ("This is plаgiаrism in a disguise that nobody sees. " * 10) + "zero\u200bwidth"


def test_table_and_csv_say_what_was_done_to_a_text_and_nothing_of_others(tmp_path):
    (tmp_path / "a.txt").write_text(DISGUISED, "utf-8")
    (tmp_path / "b.txt").write_text(DISGUISED.replace("а", "a"), "utf-8")
    table = leitong("check", tmp_path).stdout
    rows = list(csv.DictReader(io.StringIO(leitong("check", tmp_path, "--format", "csv").stdout)))
    assert "look different from what they are" in table
    assert "a.txt: 20 look-alike letters" in table
    assert "a.txt: 1 invisible character" in table
    assert rows[0]["notes_a"] == "invisible: 1, lookalikes: 20"
    assert rows[0]["notes_b"] == "invisible: 1"
    # an ordinary class has no remarks on texts
    assert "look different from what they are" not in leitong("check", ESSAYS).stdout


@posix
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_early_interrupt_ends_with_one_line(tmp_path, how):
    """The signal arrives while the first module of the command line is being imported."""
    slow = tmp_path / "simhash_core_slow.py"
    slow.write_text(
        "import os, signal, sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'simhash_core.cli.entry' and not sys.argv[0].endswith('done'):\n"
        "            sys.argv[0] += 'done'\n"
        f"            os.kill(os.getpid(), {int(how)})\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "from simhash_core.cli import main\n"
        "sys.exit(main(['check', '.', '--lang', 'en']))\n",
        "utf-8",
    )
    done = subprocess.run(
        [sys.executable, slow],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )

    assert (done.returncode, done.stderr.splitlines()) == (
        130,
        ["leitong: stopped; nothing was changed"],
    )


@pytest.mark.parametrize(
    "letter", ["x", "长", "é", "\x1b"], ids=["latin", "chinese", "accent", "esc"]
)
def test_a_long_name_is_cut_in_the_middle(letter):
    first, second = (f"起{letter * 30_000}{middle}{letter * 30_000}末.txt" for middle in "ab")

    names = [output.fit_name(name) for name in (first, second)]

    assert names[0] != names[1]
    for name in names:
        assert output.NAME_CELLS - 2 <= cell_len(name) <= output.NAME_CELLS
        assert name.startswith("起") and name.endswith("末.txt") and name.isprintable()


@pytest.mark.parametrize("file", ["{}_file_essay final.docx", "{}_file_/essay.docx"])
def test_a_long_name_is_cut_in_the_archive_before_the_person(file):
    file = file.format("Omar Said_413001_assignsubmission")

    shown = output.fit_name(f"ENG11-Essay of choice, autumn term-884213.zip/{file}")

    assert shown.startswith("ENG11") and shown.endswith(f"…/{file}")


@given(st.text(max_size=200))
def test_a_name_that_fits_is_shown_whole(name):
    whole, plain = output.fit_name(name), output.make_printable(name)

    assert cell_len(whole) <= output.NAME_CELLS
    assert (whole == plain) == (cell_len(plain) <= output.NAME_CELLS)


def test_a_long_name_of_a_member_does_not_widen_the_table(tmp_path):
    archive = tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w") as members:
        for number in range(3):
            members.writestr(f"{'x' * 60_000}{number}.txt", PLAIN * 20)

    done = leitong("check", archive)

    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) < 40
    assert max(map(len, done.stdout.splitlines())) < 400


@pytest.mark.parametrize("language", ["en", "zh"])
def test_without_the_loops_of_c_a_check_says_what_to_do(tmp_path, monkeypatch, capsys, language):
    folder = two_texts(tmp_path, "a.txt", "b.txt")
    monkeypatch.setattr(building, "LIBRARY", tmp_path / "none.so")
    compiled.library.cache_clear()
    workers.shared_pool.cache_clear()
    try:
        code = main(["check", str(folder), "--lang", language])
    finally:
        monkeypatch.undo()
        compiled.library.cache_clear()

    assert code == 4
    assert translator(language)("error.loops_missing") in capsys.readouterr().err
