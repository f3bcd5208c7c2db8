"""The pages of the application: their sections, icons and addresses."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import streamlit as st

from .session import t

ROOT = Path(__file__).resolve().parents[3]

#: section -> (page, icon); the first page of all is the front page
SECTIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "this_check": (
        ("check", "upload_file"),
        ("overview", "bar_chart"),
        ("review", "fact_check"),
        ("document", "article"),
        ("compare", "vertical_split"),
        ("clusters", "hub"),
        ("variants", "account_tree"),
    ),
    "kept": (("library", "inventory_2"), ("reposts", "timeline")),
    "laboratories": (("fingerprint_lab", "fingerprint"), ("threshold_lab", "tune")),
}


def page(name: str) -> st.Page:
    """Return one page of the navigation; `url_path` equals the file name, in every language."""
    icon = next(i for pages in SECTIONS.values() for n, i in pages if n == name)
    return st.Page(
        ROOT / "pages" / f"{name}.py",
        title=t(f"frame.nav.{name}"),
        icon=f":material/{icon}:",
        url_path=name,
        default=name == "check",
    )


def navigate(unknown: Callable[[], None]) -> st.Page:
    """Register the navigation and return the page to run; `unknown` draws any other address.

    An address without a page would lead to the front page without an explanation in the reader's
    language; so it gets a page, which no navigation shows. (`watch` closes Streamlit's box.)
    """
    sections = {
        t(f"frame.section.{section}"): [page(name) for name, _ in pages]
        for section, pages in SECTIONS.items()
    }
    asked = _address()
    if asked and asked not in {name for pages in SECTIONS.values() for name, _ in pages}:
        first = next(iter(sections))
        title = t("frame.unknown.title")
        sections[first].append(st.Page(unknown, title=title, url_path=asked, visibility="hidden"))
    return st.navigation(sections, expanded=True)


def _address() -> str:
    """Return the last part of the address that the browser shows, "" at the front page."""
    last = unquote(urlsplit(st.context.url or "").path).rpartition("/")[2]
    return last if re.fullmatch(r"[\w-]{1,80}", last) else ""
