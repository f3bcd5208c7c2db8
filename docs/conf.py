"""Sphinx builds this tree twice: English from `docs/`, Chinese from `docs/zh/`; see `build.py`."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
#: a link of Markdown or an image of it: what stands before the target, the target, an anchor
_LINK = re.compile(r"(\]\()([^)#:\s]+)(#[^)\s]*)?(?=\))")

language = os.environ.get("LEITONG_DOCS_LANGUAGE", "en")
chinese = language.startswith("zh")
project = "雷同 Leitong" if chinese else "Leitong 雷同"
author = copyright = _PROJECT["authors"][0]["name"]

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = [] if chinese else ["zh", "performance", "screenshots", "server", "_build"]
myst_heading_anchors = 3
#: how a link to the other build is written, see `link_outside`
myst_url_schemes = {
    "http": None,
    "https": None,
    "page": {"url": "{{path}}"},
    "heading": {"url": "{{path}}#{{fragment}}"},
}
# what a docstring shows is printed as it was written: `pycon` with an ellipsis is no whole program
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = project
html_show_sphinx = False
html_copy_source = False
html_static_path = [str(DOCS / "static")]
html_css_files = ["leitong.css"]
templates_path = [str(DOCS / "static")]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "languages.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}


def link_outside(app: Sphinx, docname: str, source: list[str]) -> None:
    """Turn links that leave this build into addresses: the other language, or the repository."""
    folder = (Path(app.srcdir) / docname).parent
    inside = Path(app.srcdir).resolve()

    def address(match: re.Match[str]) -> str:
        target = (folder / match[2]).resolve()
        anchor = match[3] or ""
        if not target.exists() or (inside in target.parents and not _left_out(target)):
            return match[0]
        if DOCS in target.parents and target.suffix == ".md":
            kind = "heading" if anchor else "page"
            return f"{match[1]}{kind}:{_page(folder, target)}{anchor}"
        if target.suffix in (".png", ".svg", ".json"):
            return match[0]
        return f"{match[1]}{_PROJECT['urls']['Source']}/{target.relative_to(ROOT).as_posix()}"

    source[0] = _LINK.sub(address, source[0])


def _left_out(target: Path) -> bool:
    return not chinese and DOCS / "zh" in target.parents


def _page(folder: Path, target: Path) -> str:
    """Return the address of a page of the other language, seen from a folder of this one."""
    return Path(os.path.relpath(target.with_suffix(".html"), folder.resolve())).as_posix()


def other_language(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object
) -> None:
    """Say where the same page stands in the other language, or its first page."""
    other = DOCS if chinese else DOCS / "zh"
    same = (other / f"{pagename}.md").exists()
    up = "../" * (pagename.count("/") + (1 if chinese else 0)) + ("" if chinese else "zh/")
    context["other_language"] = f"{up}{pagename if same else 'index'}.html"
    context["chinese"] = chinese


def setup(app: Sphinx) -> None:
    """Connect both."""
    app.connect("source-read", link_outside)
    app.connect("html-page-context", other_language)
