"""Saved web pages: the words a reader sees, a line for every block."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ...model import Note
from ..decode import Decoded, decode
from .extracted import Extracted, within_limits, without_empty
from .plain import encoding_notes

_DECLARED = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{2,40})""", re.I)
_DECLARED_XML = re.compile(rb"""<\?xml[^>]{0,100}?encoding\s*=\s*["']([A-Za-z0-9_:.-]{2,40})""")
_HEAD = 4096  # bytes in which a declaration must stand

_UNSEEN_TAGS = """
    script style noscript template head title svg canvas iframe object button select textarea
    audio video map dialog nav
"""
_BLOCK_TAGS = """
    address article aside blockquote body caption center dd details div dl dt fieldset figcaption
    figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu ol p pre section
    summary table tbody tfoot thead tr ul
"""
_UNSEEN = frozenset(_UNSEEN_TAGS.split())
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_CELLS = frozenset(("td", "th"))
_UNSEEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
#: ways to hide words inside a sentence, which no page needs for its menus
_DISGUISED_STYLE = re.compile(
    r"font-size\s*:\s*0*(?:\.0+)?(?:px|pt|r?em|%)?\s*(?:;|!|$)"
    r"|opacity\s*:\s*0*(?:\.0+)?\s*(?:;|!|$)|[^-]color\s*:\s*transparent|^color\s*:\s*transparent",
    re.I,
)
_SPACES = re.compile(r"[ \t\n\r\f]+")
_AROUND_BREAK = re.compile(r"[ \t]*\n[ \t\n]*")


def extract(data: bytes, *, encoding: str = "") -> Extracted:
    """Return the visible text of a page; navigation, scripts and forms are left out."""
    decoded = decoded_page(data, encoding=encoding)
    tree = LexborHTMLParser(within_limits(decoded.text))
    left_out: list[str] = []
    text = _visible(tree.root, left_out) if tree.root is not None else ""
    unseen = len("".join("".join(left_out).split()))
    notes = (Note("left_out", {"n": unseen}),) if unseen else ()
    return Extracted(text, decoded.encoding, _meta(tree), (*encoding_notes(decoded), *notes))


def decoded_page(data: bytes, *, encoding: str = "") -> Decoded:
    """Decode a page by what it says about its encoding, unless `encoding` is given."""
    head = data[:_HEAD]
    declared = _DECLARED.search(head) or _DECLARED_XML.search(head)
    name = declared[1].decode("ascii") if declared else ""
    return decode(data, encoding=encoding, declared=name)


def _visible(root: LexborNode, left_out: list[str]) -> str:
    """Walk the tree without recursion, for pages nested a hundred thousand deep.

    Words that a style hides inside a sentence are added to `left_out`.
    """
    parts: list[str] = []
    node: LexborNode | None = root
    while node is not None:
        child = node.child if _enter(node, parts, left_out) else None
        if child is not None:
            node = child
            continue
        _leave(node, parts)
        while node is not None and node.next is None:
            node = node.parent
            if node is not None:
                _leave(node, parts)
        node = node.next if node is not None else None
    text = _AROUND_BREAK.sub("\n", "".join(parts))
    return text.strip()


def _enter(node: LexborNode, parts: list[str], left_out: list[str]) -> bool:
    """Add the text or the break that a node begins with; return whether to walk its children."""
    if node.is_text_node:
        text = node.text_content or ""
        unchanged = _is_preformatted(node) and "\n" in text
        parts.append(text if unchanged else _SPACES.sub(" ", text))
        return False
    tag = node.tag or ""
    if tag in _UNSEEN or _is_hidden(node):
        return False
    if _DISGUISED_STYLE.search(node.attributes.get("style") or ""):
        left_out.append(node.text(deep=True))
        return False
    if tag == "br" or tag in _BLOCKS:
        parts.append("\n")
    return True


def _leave(node: LexborNode, parts: list[str]) -> None:
    tag = node.tag or ""
    if tag in _BLOCKS:
        parts.append("\n")
    elif tag in _CELLS:
        parts.append("\t")


def _is_preformatted(node: LexborNode) -> bool:
    parent, depth = node.parent, 0
    while parent is not None and depth < 4:  # <pre><code><span>
        if parent.tag == "pre":
            return True
        parent, depth = parent.parent, depth + 1
    return False


def _is_hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    return bool(attributes) and (
        "hidden" in attributes
        or attributes.get("role") == "navigation"
        or bool(_UNSEEN_STYLE.search(attributes.get("style") or ""))
    )


def _meta(tree: LexborHTMLParser) -> dict[str, str]:
    title = tree.css_first("title")
    return without_empty(
        title=title.text() if title is not None else None,
        author=_property(tree, "author"),
        date=_property(tree, "date") or _property(tree, "article:published_time"),
        keywords=_property(tree, "keywords"),
        url=_address(tree),
    )


def _address(tree: LexborHTMLParser) -> str | None:
    """Return the address that a saved page says it has."""
    node = tree.css_first('link[rel="canonical"]')
    return (node.attributes.get("href") if node is not None else None) or _property(tree, "og:url")


def _property(tree: LexborHTMLParser, name: str) -> str | None:
    node = tree.css_first(f'meta[name="{name}"], meta[property="{name}"]')
    return node.attributes.get("content") if node is not None else None
