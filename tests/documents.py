"""The examples of a document: the files they stand on, what is run, and what they print.

A page that works on files has a paragraph `To try it: ...` (in Chinese 想先试试) near its top. Its
commands are run as in a checkout, beside `sample_docs`: what each prints is in a block of the page,
or it stores a project that the page goes on with. A comment says which samples stand for the names
that the page uses; a second comment puts a check among the stored ones, as of a class:

    <!-- files: hand-ins.zip = class/en/hand-ins.zip | task.docx = class/en/task.docx -->
    <!-- stored: tutorials/first-class.md reading.leitong 10C -->

Of each block `sh` every command is run, in order and in one folder; a block `text` right behind
it holds lines that the last command prints, in their order, `…` for those between and for the
end of a line. A block
`csv file=NAME` is a file that the reader saves. Blocks `python` share their names.

python tests/documents.py PAGE      prints what each command of a page prints
"""

from __future__ import annotations

import contextlib
import io
import re
import runpy
import shlex
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from command_line import ROOT, leitong

from simhash_core.cli.parser import build, parse_arguments
from simhash_core.i18n import translator
from simhash_core.storage import COURSE_KEY, Shelf, owner_folder, owner_key

DOCS = ROOT / "docs"
#: pages whose examples are run: tutorials and how-to guides of both languages
FOLLOWED = sorted(
    path
    for folder in (DOCS, DOCS / "zh")
    for kind in ("tutorials", "how-to")
    for path in (folder / kind).glob("*.md")
)
#: what goes on until somebody ends it is read by the parser and not run
_ENDLESS = (("app",), ("desktop",), ("library", "watch"))
_STORED = re.compile(r"<!-- stored: (\S+) (\S+) (.*?) -->")
_FILES = re.compile(r"<!-- files: (.*?) -->", re.DOTALL)
_TRIED = re.compile(r"^(?:To try it: |想先试试：).*?(?=\n\n)", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`(leitong [^`]+)`")
_BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_REMARK = re.compile(r"\s+#\s.*$")
_CODE = re.compile(r"exit code (\d+)")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: its language, the file that it is saved as, what is in it."""

    language: str
    file: str
    text: str


@cache
def made() -> dict[Path, str]:
    """Return the files of the reference that docs/build.py makes, which are not committed."""
    found: dict[Path, str] = runpy.run_path(str(DOCS / "build.py"))["written"]()
    return found


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page."""
    return [Block(*groups) for groups in _BLOCK.findall(page.read_text("utf-8"))]


def commands(block: Block) -> Iterator[tuple[list[str], int | None]]:
    """Yield the words of each command, and the exit code that the remark beside it names."""
    for line in block.text.replace("\\\n", " ").splitlines():
        if line.strip() and not line.startswith("#"):
            remark = _REMARK.search(line)
            named = _CODE.search(remark[0]) if remark else None
            yield shlex.split(_REMARK.sub("", line)), int(named[1]) if named else None


def language_of(page: Path) -> str:
    """Return the language of a page."""
    return "zh" if DOCS / "zh" in page.parents else "en"


def prepare(page: Path, folder: Path) -> None:
    """Put into a folder what a page says its examples stand on."""
    text = page.read_text("utf-8")
    for listed in _FILES.findall(text):
        for entry in listed.split("|"):
            name, _, sample = (part.strip() for part in entry.partition(" = "))
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            source = ROOT / "sample_docs" / sample
            (shutil.copytree if source.is_dir() else shutil.copyfile)(source, target)
    if "sample_docs/" in text:
        shutil.copytree(ROOT / "sample_docs", folder / "sample_docs")
    for earlier, name, course in _STORED.findall(text):
        with contextlib.closing(
            Shelf(owner_folder(owner_key())).take_in(left_by(page, earlier) / name)
        ) as project:
            project.put(COURSE_KEY, {"group": course})


def tree_of(page: Path) -> Path:
    """Return the folder of the documents in the language of a page."""
    return DOCS / "zh" if language_of(page) == "zh" else DOCS


def left_by(page: Path, earlier: str) -> Path:
    """Return a folder in which an earlier page of the same language was followed, once."""
    return followed(tree_of(page) / earlier).folder


@dataclass(frozen=True, slots=True)
class Followed:
    """What following a page left: its folder, and each example with what it printed."""

    folder: Path
    examples: tuple[tuple[str, str], ...]


@cache
def followed(page: Path) -> Followed:
    """Do what a page says, in a folder and with stored checks and a library of its own."""
    folder = Path(tempfile.mkdtemp(prefix="leitong-docs-"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEITONG_DATA", str(folder / ".data"))
        patch.setenv("COLUMNS", "160")  # lines stand whole, whatever the window of the tests
        prepare(page, folder)
        return Followed(folder, tuple(_examples(page, folder)))


def _examples(page: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield each example of a page, once it ended and printed as it should."""
    names: dict[str, object] = {}
    printed = ""
    for block in blocks(page):
        if block.file:
            (folder / block.file).write_text(block.text, "utf-8")
    yield from _tried(page, folder)
    for block in blocks(page):
        if block.language == "sh":
            for words, code in commands(block):
                printed = _run(words, code, folder, language_of(page))
                yield shlex.join(words), printed
        elif block.language == "python":
            printed = _python(block.text, folder, names)
            yield block.text, printed
        elif block.language == "text" and not block.file:
            assert_prints(printed, block.text)


def _tried(page: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield each command that a page can be tried with; its library is no other's."""
    found = _TRIED.search(page.read_text("utf-8"))
    shown = [one.text for one in blocks(page) if one.language == "text" and not one.file]
    for command in _INLINE.findall(found[0]) if found else ():
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("LEITONG_DATA", str(folder / ".tried"))
            words = shlex.split(command)
            printed = _run(words, None, folder, language_of(page), codes=(0, 3, 4))
        yield command, printed
        known = "--project" in words or any(prints(printed, one) for one in shown)
        assert known, f"{command} prints\n{printed}"


def _run(
    words: list[str], code: int | None, folder: Path, language: str, codes: tuple[int, ...] = (0, 3)
) -> str:
    if Path(words[0]).name != "leitong":
        _assert_installs(words)
        return ""
    arguments = words[1:]
    if any(tuple(arguments[: len(one)]) == one for one in _ENDLESS) or "--watch" in arguments:
        parse_arguments(build(translator(language)), arguments)
        return ""
    done = leitong(*arguments, language=language, folder=folder)
    right = done.returncode in codes if code is None else done.returncode == code
    assert right, f"{shlex.join(words)} ends with {done.returncode}:\n{done.stderr}"
    return done.stdout + done.stderr


def _python(source: str, folder: Path, names: dict[str, object]) -> str:
    printed = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
        exec(compile(source, "example", "exec"), names)
    return printed.getvalue()


def _assert_installs(words: list[str]) -> None:
    """What installs is not run; the extras that it names are there."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = re.findall(r"\[([\w,]+)\]", " ".join(words))
    assert Path(words[0]).name in ("python3", "pip"), words
    for extra in ",".join(extras).split(","):
        assert not extra or extra in project["optional-dependencies"], extra


def assert_prints(printed: str, shown: str) -> None:
    """The lines that a page shows are printed in this order, blanks aside."""
    assert prints(printed, shown), f"{shown!r} is not printed in\n{printed}"


def prints(printed: str, shown: str) -> bool:
    """Return whether what is printed holds the lines that a page shows, in their order."""
    lines = iter(" ".join(line.split()) for line in printed.splitlines())
    for line in (" ".join(line.split()) for line in shown.splitlines()):
        start, dots, _ = line.partition(" …")
        shown_as = (one.startswith(start) if dots else one == line for one in lines)
        if line and line != "…" and not any(shown_as):
            return False
    return True


def main(page: Path) -> None:
    """Print each example of a page with what it prints, whatever the page shows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(globals(), "assert_prints", lambda printed, shown: None)
        for example, printed in followed(page).examples:
            print(f"$ {example}\n{printed}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
