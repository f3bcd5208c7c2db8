"""The pages of the application: their sections, icons and addresses, and links to texts.

A link names a text by its row in the check or the beginning of its id, never by its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

import streamlit as st

from simhash_core import Document
from simhash_core.app import department
from simhash_core.extensions import list_offers

from .session import t

ROOT = Path(__file__).resolve().parents[3]

FRONT = "check"  # its address is that of the application
#: section -> (page, icon), those of leaves behind ours
SECTIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "this_check": (("check", "upload_file"), ("results", "bar_chart"), ("review", "fact_check")),
    "kept": (("library", "inventory_2"),),
}
for _name, _place in list_offers("pages").items():
    _section, _, _icon = _place.partition(":")
    SECTIONS[_section] = (*SECTIONS.get(_section, ()), (_name, _icon))


def page(name: str, *, listed: bool = True) -> st.Page:
    """Return one page of the navigation; `url_path` equals the file name, in every language.

    One that is not `listed` stands in no menu, and opens by its address all the same.
    """
    icon = next(i for pages in SECTIONS.values() for n, i in pages if n == name)
    return st.Page(
        ROOT / "pages" / f"{name}.py",
        title=t(f"frame.nav.{name}"),
        icon=f":material/{icon}:",
        url_path=name,
        default=name == FRONT,
        visibility="visible" if listed else "hidden",
    )


def navigate(
    unknown: Callable[[], None], *, operator: bool = False, checked: bool = True
) -> st.Page:
    """Register the navigation and return the page to run; `unknown` draws any other address.

    An address without a page would lead to the front page without an explanation in the reader's
    language; so it gets a page, which no navigation shows. (`watch` closes Streamlit's box.)
    Those who run a server for many have one page more; where nothing is `checked` yet, the pages
    of a check are not listed.
    """
    where = "_server" if department.find_department() is not None else ""
    titles = {"kept": f"kept{where}"}
    sections = {
        t(f"frame.section.{titles.get(section, section)}"): [
            page(name, listed=checked or section != "this_check" or name == FRONT)
            for name, _ in pages
        ]
        for section, pages in SECTIONS.items()
    }
    if operator:
        sections[t("frame.section.server")] = [_server_page()]
    asked = _address()
    if asked and not is_page(asked, operator=operator):
        first = next(iter(sections))
        title = t("frame.unknown.title")
        draw = _go_to_results if asked in _MOVED else unknown
        sections[first].append(st.Page(draw, title=title, url_path=asked, visibility="hidden"))
    return st.navigation(sections, position="sidebar", expanded=True)


#: addresses that bookmarks and reports made before name -> what of `results` each shows
_MOVED: Mapping[str, Callable[[Mapping[str, str]], dict[str, str]]] = {
    "overview": lambda query: {},
    "document": lambda query: {"text": query.get("d", "0")},
    "compare": lambda query: {"pair": f"{query.get('a', '')},{query.get('b', '')}"},
    "clusters": lambda query: {"view": "groups"},
    "variants": lambda query: {"view": "groups"},
}


def _go_to_results() -> None:
    """Lead an address of before to the place of what it showed."""
    query = st.query_params.to_dict()
    kept = {name: value for name, value in query.items() if name in ("check", "at")}
    if shown := query.get("show") or query.get("view"):
        kept["show"] = shown
    st.switch_page(page("results"), query_params=kept | _MOVED[_address()](query))


def _server_page() -> st.Page:
    path, title = ROOT / "pages" / "server.py", t("frame.nav.server")
    return st.Page(path, title=title, icon=":material/dns:", url_path="server")


def title_here(*, operator: bool = False) -> str:
    """Return the title of the page that the browser shows."""
    name = _address() or FRONT
    is_listed = is_page(name, operator=operator)
    return t(f"frame.nav.{name}") if is_listed else t("frame.unknown.title")


def is_page(name: str, *, operator: bool = False) -> bool:
    """Return whether the application has a page; the one of a server is the operator's."""
    names = {name for pages in SECTIONS.values() for name, _ in pages}
    return name in names or (operator and name == "server")


def _address() -> str:
    """Return the last part of the address that the browser shows, "" at the front page."""
    last = unquote(urlsplit(st.context.url or "").path).rpartition("/")[2]
    return last if re.fullmatch(r"[\w-]{1,80}", last) else ""


SHORTEST_ID, WRITTEN_ID = 6, 12  # hex digits of a document id in a link: at least, and as written


def name_row(documents: Sequence[Document], row: int) -> str:
    """Return what a link calls a text: the beginning of its id, its row where another is equal."""
    name = documents[row].id[:WRITTEN_ID]
    return name if find_row(documents, name) == row else str(row)


def find_row(documents: Sequence[Document], name: str) -> int | None:
    """Return the row that a link means, None where it means none."""
    if name.isascii() and name.isdigit() and len(name) < SHORTEST_ID:
        return int(name) if int(name) < len(documents) else None
    if len(name) < SHORTEST_ID:
        return None
    rows = [row for row, document in enumerate(documents) if document.id.startswith(name)]
    return rows[0] if rows else None


def name_pair(documents: Sequence[Document], rows: tuple[int, int]) -> str:
    """Return what a link calls two texts."""
    return ",".join(name_row(documents, row) for row in rows)


def keep_only(*names: str) -> None:
    """Drop from the address what another page wrote there: going back would restore it.

    Which check is looked at stays.
    """
    for name in set(st.query_params) - {*names, "check"}:
        st.query_params.pop(name)
