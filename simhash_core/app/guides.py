"""The guides that the application shows: pages of `docs/`, in the language of the reader.

guides_about(page)       the names of those that concern a page, the nearest first
guide(name, language)    what one says

A guide is Markdown as in the documents, without what only stands there for tests and builds.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..extensions import list_offers
from ..folders import application_folder
from ..i18n import in_chinese
from ..locales import traditional

FIRST, METHODS = "tutorials/first-class", "explanation/methods"
#: folders of guides, which the wheel holds; the reference is not among them
KINDS = ("tutorials", "how-to", "explanation")
#: page of the application -> guides; a page that is not named has the first class
ABOUT: Mapping[str, tuple[str, ...]] = {
    "check": (
        *(FIRST, "how-to/moodle", "how-to/canvas", "how-to/xuexitong", "how-to/class-list"),
        *("how-to/scans", "how-to/last-year", "how-to/common-text"),
    ),
    "results": (
        *(METHODS, "how-to/common-text", "how-to/reworded", "how-to/scans", "how-to/parents"),
        *("how-to/delete-a-pupil", FIRST),
    ),
    "review": (
        *(FIRST, "how-to/several-checkers", "how-to/reworded", "how-to/parents"),
        "explanation/screen-reader",
    ),
    "library": ("how-to/last-year", "how-to/library", "how-to/newspaper", "how-to/delete-a-pupil"),
    **{page: tuple(named.split()) for page, named in list_offers("guides").items()},
}
_COMMENT = re.compile(r"<!--.*?-->\n*", re.DOTALL)
_TITLE = re.compile(r"\A\s*# (.+)\n")
_HEADING = re.compile(r"^(#+ )", re.MULTILINE)
_CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
#: what is typed, which stays as it is; or text
_VERBATIM = re.compile(r"(^```(?!text)\w+.*?^```$|`[^`\n]+`)|([^`]+|`)", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^```(\w+) file=\S+$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]\n]+)\]\(([^)\s]+)\)")


@dataclass(frozen=True, slots=True)
class Guide:
    """A guide: its title, its Markdown below that, and the guides that it leads to, by name."""

    name: str
    title: str
    text: str
    leads_to: tuple[str, ...]


def guides_about(page: str) -> tuple[str, ...]:
    """Return the names of the guides that concern a page of the application."""
    return ABOUT.get(page, (FIRST,))


@cache
def guide(name: str, language: str) -> Guide:
    """Return a guide in a language: the Chinese one in Chinese, else the English one.

    Raises
    ------
    OSError
        There is none of this name.
    """
    documents = application_folder() / "docs"
    tree = documents / "zh" if in_chinese(language) else documents
    written = (tree / f"{name}.md").read_text("utf-8")
    if language == traditional.TARGET:
        written = _VERBATIM.sub(
            lambda part: part[1] or traditional.write_traditional(part[2]), written
        )
    written = _COMMENT.sub("", written)
    title = _TITLE.match(written)
    text = _FENCE.sub(r"```\1", written[title.end() :] if title else written)
    folder = posixpath.dirname(name)
    linked = dict.fromkeys(
        posixpath.normpath(posixpath.join(folder, target.partition("#")[0])).removesuffix(".md")
        for _, target in _LINK.findall(_CODE.sub("", text))
        if "://" not in target
    )
    return Guide(
        name=name,
        title=title[1] if title else name,
        # the title stands above: what is a chapter there is one here
        text=_HEADING.sub(r"#\1", _LINK.sub(_rewrite_link, text)),
        leads_to=tuple(
            one
            for one in linked
            if one != name and (tree / f"{one}.md").exists() and Path(one).parent.name in KINDS
        ),
    )


def _rewrite_link(link: re.Match[str]) -> str:
    """Return a link as it stands: to another guide its words alone, which a button repeats."""
    return link[0] if "://" in link[2] else link[1]
