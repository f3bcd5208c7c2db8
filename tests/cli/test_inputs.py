"""What is read: standard input, lists of paths, folders of links; and what --quiet leaves out."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from command_line import ESSAYS, ROOT
from prose import english

from simhash_core.cli.entry import run

A, B = ESSAYS / "02-林晓雨.txt", ESSAYS / "06-赵一诺.txt"


def piped(data: bytes, *arguments: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "simhash_core", *map(str, arguments), "--lang", "en"],
        cwd=ROOT,
        input=data,
        capture_output=True,
        timeout=120,
        check=False,
    )


# --------------------------------------------------------------------------- standard input


@pytest.mark.long
def test_text_comes_from_standard_input_by_its_name_and_to_a_limit():
    done = piped(A.read_bytes(), "text", "-")
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode() == A.read_text("utf-8")
    # the name of standard input says its format
    page = f"<html><body><p>{english(1, 60)}</p></body></html>".encode()
    assert b"<p>" in piped(page, "text", "-").stdout
    assert b"<p>" not in piped(page, "text", "-", "--stdin-name", "page.html").stdout
    # check and compare take a text from standard input
    text = A.read_bytes()
    checked = piped(text, "check", "-", A, B, "--set", "meaning=off", "--format", "json")
    compared = piped(text, "compare", "-", A, "--json")
    names = [document["name"] for document in json.loads(checked.stdout)["documents"]]
    assert names == ["stdin.txt", A.name, B.name]
    (pair,) = json.loads(checked.stdout)["pairs"]
    assert (pair["a"], pair["b"], pair["distance"]) == ("stdin.txt", A.name, 0)
    assert json.loads(compared.stdout)["distance"] == 0
    # library takes a text from standard input
    done = piped(A.read_bytes(), "library", "add", "c", "-", "--stdin-name", "first.txt")
    assert done.returncode == 0, done.stderr
    assert b"1 text added" in done.stdout
    assert b"first.txt" in piped(b"", "library", "list", "c").stdout
    # output to a dash is standard output
    done = piped(b"", "check", A, B, "--set", "meaning=off", "--format", "csv", "-o", "-")
    assert done.stdout.startswith(b"a,b,evidence,distance,cosine,coverage_a,coverage_b,identical")
    assert not (ROOT / "-").exists()
    # too much on standard input is refused
    done = piped(b"x" * (50 * 2**20 + 1), "text", "-")
    assert done.returncode == 4
    assert done.stderr.startswith(b"leitong: stdin.txt: Larger than 50 MB")


# --------------------------------------------------------------------------- lists of paths


@pytest.mark.long
@pytest.mark.parametrize("zero", [False, True], ids=["lines", "zero bytes"])
@pytest.mark.parametrize("standard", [False, True], ids=["file", "standard input"])
def test_paths_are_read_from_a_list(tmp_path, zero, standard):
    odd = tmp_path / "a\nb.txt" if zero else tmp_path / "a b.txt"
    odd.write_bytes(A.read_bytes())
    end = b"\0" if zero else b"\r\n"
    listed = b"".join(str(path).encode() + end for path in (odd, B))
    file = tmp_path / "list"
    file.write_bytes(listed)
    how = ("--files-from", "-" if standard else file, *(("--null",) if zero else ()))

    done = piped(listed if standard else b"", "fingerprint", *how, "--json")

    assert done.returncode == 0, done.stderr
    names = [document["name"] for document in json.loads(done.stdout)["documents"]]
    assert names == [odd.name, B.name]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("quoted", [False, True])
def test_a_list_is_read_as_windows_writes_it(tmp_path, capsys, encoding, quoted):
    folder = tmp_path / "作业"
    folder.mkdir()
    for path in (A, B):
        (folder / path.name).write_bytes(path.read_bytes())
    mark = '"' if quoted else ""
    lines = "".join(f"{mark}{folder}\\{path.name}{mark} \r\n" for path in (A, B))
    (tmp_path / "list").write_bytes(f"{lines}\r\n".encode(encoding))

    assert run(["fingerprint", "--json", "--files-from", str(tmp_path / "list")]) == 0
    names = [one["name"] for one in json.loads(capsys.readouterr().out)["documents"]]
    assert names == [A.name, B.name]


def test_a_list_that_names_nothing_or_what_is_missing_is_a_mistake(tmp_path, capsys):
    (tmp_path / "list").write_text(f"{A}\n{tmp_path}/gone.txt\n", "utf-8")
    assert run(["--lang", "en", "check", "--files-from", str(tmp_path / "list")]) == 2
    assert "gone.txt: No such file or directory" in capsys.readouterr().err
    # an empty list names nothing
    (tmp_path / "list").write_text("\n", "utf-8")
    assert run(["--lang", "en", "check", "--files-from", str(tmp_path / "list")]) == 2
    assert "nothing to read" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_links_of_a_folder_are_one_line(tmp_path, capsys):
    (tmp_path / "a.txt").write_bytes(A.read_bytes())
    for number in range(30):
        (tmp_path / f"link-{number:02d}.txt").symlink_to(A)

    assert run(["--lang", "en", "fingerprint", str(tmp_path), "--json"]) == 3
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    assert line.startswith("30 links in folders were not followed, link-00.txt first")
    assert len(json.loads(said.out)["skipped"]) == 30


# --------------------------------------------------------------------------- quiet


def test_quiet_leaves_the_answer_and_what_went_wrong(tmp_path, capsys):
    folder = tmp_path / "in"
    folder.mkdir()
    for path in (A, B):
        (folder / path.name).write_bytes(path.read_bytes())
    command = ["check", str(folder), "--project", str(tmp_path / "a.leitong"), "--lang", "en"]
    command += ["--exclude", "quotations", "--class-list", str(tmp_path / "list.csv")]
    (tmp_path / "list.csv").write_text("name\n林晓雨\n李明\n", "utf-8")

    assert run(command) == 0
    said = capsys.readouterr().err
    assert "Stored in a.leitong" in said and "nothing handed in" in said
    assert run([*command, "--quiet"]) == 0
    quiet = capsys.readouterr()
    assert quiet.err == "" and quiet.out.startswith("2 texts: ")
    (folder / "empty.txt").touch()
    assert run(["-q", *command]) == 3
    assert capsys.readouterr().err == "empty.txt: It is empty\n"


def test_quiet_library_says_nothing_of_what_it_did(capsys):
    assert run(["library", "add", "c", str(A), "-q"]) == 0
    assert run(["-q", "library", "remove", "c"]) == 0
    assert run(["library", "-q", "purge"]) == 0

    assert capsys.readouterr() == ("", "")
