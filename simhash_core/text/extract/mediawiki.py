"""Pages of a MediaWiki dump (export format 0.3 to 0.11), each parsed alone in a limited process.

A page is well-formed XML by itself. Entities and document types are refused wherever they stand.
"""

from __future__ import annotations

import urllib.parse
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from ...errors import Unreadable
from ...model import DATE_FROM
from .extracted import Extracted, without_empty
from .wikitext import Names, text_of

_ARTICLES = 0  # the namespace of articles
_FILES, _CATEGORIES = 6, 14
_WIKITEXT = ("", "wikitext")
_REDIRECTS = ("#redirect", "#重定向", "#转向", "#重新導向")


@dataclass(frozen=True, slots=True)
class Site:
    """What the head of a dump says of its wiki."""

    base: str = ""  # address of an article without its title
    names: Names = field(default_factory=Names)


@dataclass(frozen=True, slots=True)
class Page:
    """One page; `passed` says why it is no article: namespace, redirect or model."""

    title: str
    extracted: Extracted | None = None
    passed: str = ""


def site_of(head: bytes) -> Site:
    """Return what a dump says of its wiki; `head` is all before its first page.

    Raises
    ------
    Unreadable
        "damaged".
    """
    root = _parsed(head + (b"" if b"</mediawiki>" in head else b"</mediawiki>"))
    base, spaces = "", Names()
    for node in root.iter():
        name = _local(node)
        if name == "base" and node.text:
            base = node.text.strip().rpartition("/")[0] + "/"
        elif name == "namespaces":
            spaces = _names(node)
    return Site(base, spaces)


def _names(node: Any) -> Names:
    called = {int(one.get("key", "0")): (one.text or "").casefold() for one in node}
    usual = Names()
    return Names(
        usual.files | {name for key, name in called.items() if key == _FILES and name},
        usual.categories | {name for key, name in called.items() if key == _CATEGORIES and name},
    )


def page_of(raw: bytes, site: Site) -> Page:
    """Return a page, `<page>` to `</page>`, with the text of its latest revision.

    Raises
    ------
    Unreadable
        "damaged", "empty", "too_long".
    """
    page = _parsed(raw)
    fields = {_local(node): (node.text or "") for node in page}
    title = " ".join(fields.get("title", "").split())
    if fields.get("ns", "0").strip() != str(_ARTICLES):
        return Page(title, passed="namespace")
    revision = max(
        (node for node in page if _local(node) == "revision"),
        key=lambda node: _field(node, "timestamp"),
        default=None,
    )
    if revision is None:
        raise Unreadable("empty")
    wikitext = _field(revision, "text")
    if "redirect" in fields or wikitext.lstrip()[:20].casefold().startswith(_REDIRECTS):
        return Page(title, passed="redirect")
    if _field(revision, "model") not in _WIKITEXT:
        return Page(title, passed="model")
    meta = without_empty(
        title=title,
        date=_field(revision, "timestamp")[:10],
        url=_address(title, site),
        revision=_field(revision, "id"),
    )
    if "date" in meta:
        meta[DATE_FROM] = "page"
    return Page(title, Extracted(text_of(wikitext, site.names), "utf-8", meta))


def _address(title: str, site: Site) -> str:
    path = urllib.parse.quote(title.replace(" ", "_"), safe="/:,()!*;@")
    return f"{site.base}{path}" if site.base else ""


def _parsed(data: bytes) -> Any:
    try:
        return fromstring(data, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise Unreadable("damaged", detail=type(error).__name__) from error


def _field(node: Any, name: str) -> str:
    """Return the text of a child; "" where there is none."""
    return next((child.text or "" for child in node if _local(child) == name), "")


def _local(node: Any) -> str:
    """Return the name of an element without its namespace."""
    return str(node.tag).rpartition("}")[2]
