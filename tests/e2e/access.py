"""What assistive technology is told of a page, by the browser itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from playwright.sync_api import Page

#: roles that mean nothing without a name
NAMED = {
    *("button", "link", "textbox", "searchbox", "checkbox", "radio", "switch", "combobox"),
    *("slider", "spinbutton", "tab", "option", "radiogroup", "img", "image", "table", "dialog"),
}


@dataclass(frozen=True, slots=True)
class Heard:
    """A node of the accessibility tree, in the order of reading."""

    role: str
    name: str
    inside: tuple[str, ...]  # roles and names around it
    properties: dict[str, Any]


def heard(page: Page) -> list[Heard]:
    """Return what assistive technology is told of a page, by the browser itself."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()  # or the browser goes on keeping a tree of every page
    by_id = {node["nodeId"]: node for node in nodes}

    def below(node: dict[str, Any], inside: tuple[str, ...]) -> Iterator[Heard]:
        role, name = (str(node.get(key, {}).get("value", "")) for key in ("role", "name"))
        if not node.get("ignored"):
            values = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
            yield Heard(role, name, inside, values)
            inside = (*inside, f"{role} {name}")
        for child in node.get("childIds", ()):
            if child in by_id:
                yield from below(by_id[child], inside)

    return list(below(nodes[0], ()))


def check_names_and_headings(page: Page, where: str) -> None:
    """Everything has a name, headings are nested, the page has its regions."""
    tree = heard(page)
    levels = [int(one.properties["level"]) for one in tree if one.role == "heading"]
    regions = {one.role for one in tree}
    nameless = [one for one in tree if one.role in NAMED and not one.name and _ours(one)]

    assert nameless == [], where
    assert levels[:1] == [1] and levels.count(1) == 1, where
    assert all(b - a <= 1 for a, b in pairwise(levels)), where
    assert {"main", "navigation", "banner"} <= regions, where


def _ours(one: Heard) -> bool:
    """Whether a node is not Plotly's: it names no part of a figure, whose text is ours, and
    measures letters in an image beside the page."""
    inside = " ".join(one.inside)
    return not re.search("figure .", inside) and (one.role != "image" or "main" in inside)
