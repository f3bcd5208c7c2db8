"""The pages of the application: their sections, icons and addresses."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from .session import t

ROOT = Path(__file__).resolve().parents[3]

#: section -> (page, icon); the first page of all is the front page
SECTIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "this_check": (
        ("check", "upload_file"),
        ("overview", "bar_chart"),
        ("document", "article"),
        ("compare", "vertical_split"),
        ("clusters", "hub"),
    ),
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


def navigate() -> st.Page:
    """Register the navigation and return the page to run."""
    sections = {
        t(f"frame.section.{section}"): [page(name) for name, _ in pages]
        for section, pages in SECTIONS.items()
    }
    return st.navigation(sections, expanded=True)
