"""Saved web pages: the words a reader sees, a line for every block.

Where asked for, of a page that is an article the article alone, without menus, teasers and adverts.
"""

from __future__ import annotations

import base64
import binascii
import importlib.util
import logging
import re
import urllib.parse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ...model import Note
from ..characters import HAN
from ..decode import Decoded, decode
from .extracted import (
    BLACK,
    FEWEST_LETTERS,
    WHITE,
    Colour,
    Extracted,
    drop_empty,
    is_alike,
    limit_length,
    merge_notes,
    note_left_out,
)
from .plain import encoding_notes
from .style_sheets import (
    Declarations,
    Sheet,
    background_of,
    colour_of,
    drawn_letters,
    pixels,
    sheet_of,
)

_DECLARED = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{2,40})""", re.I)
_DECLARED_XML = re.compile(rb"""<\?xml[^>]{0,100}?encoding\s*=\s*["']([A-Za-z0-9_:.-]{2,40})""")
_HEAD = 4096  # bytes in which a declaration must stand
#: properties that say when a page was published
_DATES = ("date", "article:published_time", "datePublished", "pubdate")
_YEAR = re.compile(r"(?<!\d)(?:18|19|20|21)\d\d")
#: as browsers write it, and SingleFile
_SAVED_FROM = re.compile(
    r"<!--\s*(?:saved from url=\(\d+\)|Page saved with SingleFile\s+url:\s*)(\S+)"
)

_UNSEEN_TAGS = """
    script style noscript template head title canvas audio video map desc metadata defs datalist
"""
_MENU_TAGS = "nav button select dialog"
_BLOCK_TAGS = """
    address article aside blockquote body caption center dd details div dl dt fieldset figcaption
    figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu ol p pre section
    summary table tbody tfoot thead tr ul text textarea iframe
"""
_UNSEEN = frozenset(_UNSEEN_TAGS.split())
_READINGS = frozenset(("rt", "rp", "rtc"))  # how characters are said, above them
_MENUS = frozenset(_MENU_TAGS.split())
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_CELLS = frozenset(("td", "th"))
_WRITTEN_IN_SVG = frozenset(("text", "foreignObject"))
_TYPED = frozenset(("", "text"))  # kinds of input whose value is seen as text
_PAGE_ADDRESS = re.compile(r"data:text/html[^,]{0,60},", re.I)
_MOST_PAGES = 3  # pages inside a page inside a page
_NO_TEXT = re.compile(r"image/|audio/|video/|flash|svg", re.I)

_SMALL = 16 / 3  # pixels, four points: a grey line to the eye
_USUAL = 16.0
_LEAST_OPACITY = 0.05
_FAR = 999.0  # pixels beside the window
_MOST_CLOSE = 0.45  # of the size; letters moved that near to each other lie upon each other
_NOTHING = 1.0  # pixels of height or width that show nothing

_MOST_PASSED = 4  # times what is seen; more, and a program was to show it
_FEWEST = 20  # letters of a kind, before it is worth a note
_LEAST_SHARE = 0.05  # of a text; pages hide a word here and there for their own ends
_FEWEST_WRITTEN = 100  # letters of prose in scripts
_SHARE_WRITTEN = 0.5  # of what is seen
_BARE = 200  # letters; with so few a page may be written by its scripts
_SCRIPT = 1_000  # characters of scripts that may write a page
_PROSE = re.compile(r"(?:[A-Za-z]{1,15}[ ,.;'’-]{1,2}){8}")
_HAN_CODES = re.compile(rf"[{HAN}]|\\u[4-9][0-9a-fA-F]{{3}}")
_SPACES = re.compile(r"[ \t\n\r\f]+")
_AROUND_BREAK = re.compile(r"(?<![ \t])[ \t]*+\n[ \t\n]*+")

_LEAST = 200  # characters of an article; where less remains, it was not recognised
_LEAST_ARTICLE = 0.1  # of what the page shows


def extract(data: bytes, *, encoding: str = "") -> Extracted:
    """Return the visible text of a page; navigation and scripts are left out."""
    decoded = decode_page(data, encoding=encoding)
    page = _Page.of(limit_length(decoded.text), depth=0)
    notes = (*encoding_notes(decoded), *page.notes())
    title = page.tree.css_first("title")
    given = [_read_property(page.tree, name) for name in _DATES]
    dates = [date for date in given if date]
    node = page.tree.css_first('link[rel="canonical"]')
    canonical = node.attributes.get("href") if node is not None else None
    saved = _SAVED_FROM.search(decoded.text[:_HEAD])  # by the program that saved the page
    address = saved[1] if saved and saved[1].startswith(("http://", "https://")) else None
    meta = drop_empty(
        title=title.text() if title is not None else None,
        author=_read_property(page.tree, "author"),
        date=next((date for date in dates if _YEAR.search(date)), next(iter(dates), None)),
        keywords=_read_property(page.tree, "keywords"),
        url=canonical or _read_property(page.tree, "og:url") or address,
        site=_read_property(page.tree, "og:site_name"),
    )
    return Extracted(limit_length(page.text), decoded.encoding, meta, notes)


def decode_page(data: bytes, *, encoding: str = "") -> Decoded:
    """Decode a page by what it says about its encoding, unless `encoding` is given."""
    head = data[:_HEAD]
    declared = _DECLARED.search(head) or _DECLARED_XML.search(head)
    name = declared[1].decode("ascii") if declared else ""
    return decode(data, encoding=encoding, declared=name)


@dataclass(frozen=True, slots=True)
class _Look:
    """What an element gives to the letters inside it."""

    colour: Colour | str = BLACK  # a string: a name that is not known; "" is transparent
    ground: Colour | str = WHITE  # "?" where a picture may lie, or a sheet is not at hand
    size: float = _USUAL  # pixels
    hidden: bool = False  # by `visibility`, which an element inside may take back
    spread: float = 0.0  # pixels between letters
    drawing: bool = False  # inside SVG, where sizes and grounds mean something else
    written: bool = True  # whether letters are text: in SVG only inside some elements


@dataclass(slots=True)
class _Page:
    """One page while it is read."""

    tree: LexborHTMLParser
    depth: int  # in how many pages it stands
    sheet: Sheet | None  # None: no style hides anything
    parts: list[str] = field(default_factory=list)
    disguised: list[str] = field(default_factory=list)  # words no page needs to hide like that
    doubtful: list[str] = field(default_factory=list)  # a disguise if they are many
    passed: list[str] = field(default_factory=list)  # blocks that are not shown
    menus: int = 0  # letters of menus and buttons
    embedded: int = 0
    deleted: int = 0  # characters that the page itself marks as taken back
    inner: list[Note] = field(default_factory=list)  # notes of pages inside
    hidden_nodes: list[LexborNode] = field(default_factory=list)
    in_sentence: dict[int, bool] = field(default_factory=dict)  # by the address of an element
    compared: int = 0  # characters that are hidden and compared all the same
    text: str = ""

    @classmethod
    def of(cls, source: str, *, depth: int) -> _Page:
        """Read a page; where its styles leave little, what they hide is its text."""
        tree = LexborHTMLParser(source)
        page = cls(tree, depth, sheet_of(tree))._read()
        seen, passed = _count_visible(page.text), _count_visible("".join(page.passed))
        if seen and seen * _MOST_PASSED >= passed:
            return page
        # a program may take back what the style sheet hides, but not what is nowhere seen
        for sheet in (Sheet(), None):
            other = cls(tree, depth, sheet)._read()
            other.compared = _count_visible(other.text) - seen
            if _count_visible(other.text) >= max(seen, 1):
                return other if other.compared > seen else page
        return page

    def _read(self) -> _Page:
        if self.tree.root is not None:
            self._walk(self.tree.root)
        self.text = _AROUND_BREAK.sub("\n", "".join(self.parts)).strip()
        return self

    def _walk(self, root: LexborNode) -> None:
        """Walk the tree without recursion, for pages nested a hundred thousand deep."""
        linked = self.tree.css_first('link[rel~="stylesheet"]') is not None
        looks = [_Look("?", "?") if linked else _Look()]
        node: LexborNode | None = root
        while node is not None:
            inside = self._enter(node, looks[-1])
            if inside is not None and node.child is not None:
                looks.append(inside)
                node = node.child
                continue
            self._leave(node)
            while node is not None and node.next is None:
                node = node.parent
                if node is not None:
                    looks.pop()
                    self._leave(node)
            node = node.next if node is not None else None

    def _enter(self, node: LexborNode, look: _Look) -> _Look | None:
        """Add what a node begins with; return the look inside it, None to pass it over."""
        if node.is_text_node:
            self._add_letters(node, look)
            return None
        tag = node.tag or ""
        attributes = node.attributes
        if tag in _UNSEEN:
            shown = tag == "template" and "shadowrootmode" in attributes
            if shown and self.depth < _MOST_PAGES:  # in the place of its parent
                source = (node.html or "").partition(">")[2].rpartition("</template>")[0]
                self._add_page(_Page.of(source, depth=self.depth + 1))
            return None
        # a reading belongs to characters; elsewhere browsers show it as any text
        if tag in _READINGS and node.parent is not None and node.parent.tag in ("ruby", "rtc"):
            return None
        if tag == "del":
            self.deleted += len(node.text(deep=True))
            return None
        if tag in _MENUS or attributes.get("role") == "navigation":
            if tag != "dialog" or "open" in attributes:
                self.menus += _count_visible(node.text(deep=True))
            return None
        declared = self.sheet.of(node) if self.sheet is not None else {}
        if self.sheet is not None and self._is_passed(node, tag, attributes, declared, look):
            return None
        if tag == "br" or tag in _BLOCKS:
            self.parts.append("\n")
        inside = _inherit_look(look, tag, attributes, declared)
        return inside if self._read_frame(tag, attributes) else None

    def _add_letters(self, node: LexborNode, look: _Look) -> None:
        text = node.text_content or ""
        if not look.written:
            return
        if self.sheet is not None and not text.isspace():
            hidden = self._hidden_list(node, look)
            if hidden is not None:
                hidden.append(text)
                self.hidden_nodes.append(node)
                return
        unchanged = _is_preformatted(node) and "\n" in text
        self.parts.append(text if unchanged else _SPACES.sub(" ", text))

    def _hidden_list(self, node: LexborNode, look: _Look) -> list[str] | None:
        """Return the list that letters belong to which nobody sees; None for others."""
        around = node.parent
        if around is not None and around.mem_id not in self.in_sentence:
            self.in_sentence[around.mem_id] = _is_in_sentence(around)
        in_sentence = around is not None and self.in_sentence[around.mem_id]
        if look.hidden:
            return self.doubtful if in_sentence else self.passed
        if not _is_disguised(look) and not (
            in_sentence
            and look.ground == "?"
            and not isinstance(look.colour, str)
            and is_alike(look.colour, WHITE)
        ):
            return None
        styled = around is not None and ("style" in around.attributes or around.tag == "font")
        return self.disguised if styled else self.doubtful

    def _is_passed(
        self,
        node: LexborNode,
        tag: str,
        attributes: Mapping[str, str | None],
        declared: Declarations,
        look: _Look,
    ) -> bool:
        """Whether an element is not shown; its words are kept for a note."""
        shown = declared.get("display", "none" if "hidden" in attributes else "")
        disguised = _is_transparent(declared)
        if not disguised and shown != "none" and not _is_away(declared, look.size):
            return False
        text = node.text(deep=True)
        if not text or text.isspace():
            return True
        self.hidden_nodes.append(node)
        if disguised and "style" in attributes and tag not in _BLOCKS:
            self.disguised.append(text)
        elif _is_in_sentence(node) or (disguised and "style" in attributes):
            self.doubtful.append(text)
        else:
            self.passed.append(text)
        return True

    def _read_frame(self, tag: str, attributes: Mapping[str, str | None]) -> bool:
        """Read a page inside this one; return whether to walk what stands in the element."""
        if tag == "input" and (attributes.get("type") or "").lower() in _TYPED:
            self.parts.append(f" {attributes.get('value') or ''} ")
        if tag not in ("iframe", "object", "embed"):
            return True
        address = attributes.get({"iframe": "src", "object": "data"}.get(tag, "src")) or ""
        inside = attributes.get("srcdoc") if tag == "iframe" else None
        if inside is None and _PAGE_ADDRESS.match(address):
            inside = _page_in_address(address)  # which stands in the address
        if inside is not None and self.depth < _MOST_PAGES:
            self._add_page(_Page.of(inside, depth=self.depth + 1))
        elif inside is not None or (
            tag != "iframe" and not _NO_TEXT.search(f"{attributes.get('type')} {address[:200]}")
        ):
            self.embedded += 1
        return tag == "object" and inside is None

    def _add_page(self, page: _Page) -> None:
        self.parts.append(f"\n{page.text}\n")
        self.inner += page.notes()

    def _leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag in _BLOCKS:
            self.parts.append("\n")
        elif tag in _CELLS:
            self.parts.append("\t")

    def notes(self) -> tuple[Note, ...]:
        """Return what was left out, and what may be text and was not read."""
        seen = _count_visible(self.text)
        hidden, passed = list(self.disguised), list(self.passed)
        many = _count_visible("".join(self.doubtful)) >= _LEAST_SHARE * seen
        (hidden if many else passed).extend(self.doubtful)
        written, commented = _count_written(self.tree, seen), _count_comments(self.tree, seen)
        drawn = drawn_letters(self.sheet, self.tree) if self.sheet is not None else 0
        counts = {
            "hidden_text": self.compared,
            "menus": self.menus if self.menus > max(seen, _FEWEST) else 0,
            "embedded": self.embedded,
            "deleted": self.deleted if self.deleted >= FEWEST_LETTERS else 0,
            "drawn_text": drawn if drawn >= _FEWEST else 0,
            "scripts": written,
            "unchecked": self.sheet.unsearched if self.sheet is not None else 0,
            "comments": commented,
        }
        counted = tuple(Note(code, {"n": n}) for code, n in counts.items() if n)
        notes = (
            *note_left_out(hidden),
            *note_left_out(passed, code="not_shown"),
            *counted,
            *self.inner,
        )
        return merge_notes(notes)


def _count_visible(text: str) -> int:
    return len("".join(text.split()))


def _is_word(node: LexborNode | None) -> bool:
    """Whether a node is text that is seen beside another node."""
    return node is not None and node.is_text_node and any(map(str.isalnum, node.text_content or ""))


def _is_in_sentence(node: LexborNode) -> bool:
    """Whether an element stands inside a line, beside words that are seen."""
    if node.tag in _BLOCKS or node.tag in _CELLS:
        return False
    return _is_word(node.prev) or _is_word(node.next)


def _page_in_address(address: str) -> str:
    head, _, data = address.partition(",")
    raw = urllib.parse.unquote_to_bytes(data)
    if head.lower().rstrip().endswith("base64"):
        try:
            raw = base64.b64decode(raw + b"==")
        except binascii.Error:
            raw = b""
    return decode_page(raw).text


def _count_written(tree: LexborHTMLParser, seen: int) -> int:
    """Count the letters that scripts may write onto a page, where they are much of it."""
    scripts = "\n".join(node.text() for node in tree.css("script"))
    prose = _count_prose(scripts)
    if prose >= max(_FEWEST_WRITTEN, _SHARE_WRITTEN * seen):
        return prose
    return len(scripts) if seen < _BARE and len(scripts) >= _SCRIPT else 0


def _count_comments(tree: LexborHTMLParser, seen: int) -> int:
    """Count the comments of a page, where they hold much text."""
    texts = [
        node.comment_content or ""
        for top in _top_nodes(tree)
        for node in top.traverse(include_text=True)
        if node.is_comment_node
    ]
    prose = _count_prose("\n".join(texts))
    return len(texts) if prose >= max(_FEWEST_WRITTEN, _SHARE_WRITTEN * seen) else 0


def _top_nodes(tree: LexborHTMLParser) -> Iterator[LexborNode]:
    """Yield the nodes at the top of a page: comments may stand before its root."""
    node = tree.root
    while node is not None and node.prev is not None:
        node = node.prev
    while node is not None:
        yield node
        node = node.next


def _count_prose(text: str) -> int:
    """Count the characters that are sentences rather than program."""
    return sum(len(match[0]) for match in _PROSE.finditer(text)) + len(_HAN_CODES.findall(text))


# -------------------------------------------------------------------------- what is not seen


def _inherit_look(
    look: _Look, tag: str, attributes: Mapping[str, str | None], declared: Declarations
) -> _Look:
    """Return what an element gives to the letters inside it."""
    if tag == "svg":
        look = replace(look, drawing=True, written=False)
    elif look.drawing and tag in _WRITTEN_IN_SVG:
        look = replace(look, written=True)
    ground: Colour | str = background_of(declared)
    given = attributes.get("bgcolor")
    if not ground and given and (named := colour_of(given)):
        ground = named[0]
    colour = declared.get("-webkit-text-fill-color") or declared.get("color")
    colour = colour or (attributes.get("color") if tag == "font" else None)
    colour = colour or (attributes.get("text") if tag == "body" else None)
    if not (ground or colour or declared):
        return look
    visibility, spacing = declared.get("visibility"), declared.get("letter-spacing")
    size = _resolve_size(declared, look.size)
    return replace(
        look,
        ground=ground or look.ground,
        colour=look.colour if colour is None else _resolve_colour(colour, look.colour),
        size=size,
        hidden=look.hidden if visibility is None else visibility in ("hidden", "collapse"),
        spread=look.spread if spacing is None else pixels(spacing, size) or 0.0,
    )


def _resolve_colour(value: str, around: Colour | str) -> Colour | str:
    if value in ("inherit", "unset", "currentcolor"):
        return around
    colour = colour_of(value)
    if colour is None:
        return value
    return colour[0] if colour[1] >= 0.1 else ""


def _resolve_size(declared: Declarations, around: float) -> float:
    value = declared.get("font-size")
    if value is None and "font" in declared:
        sizes = (part.partition("/")[0] for part in declared["font"].split())
        value = next((part for part in sizes if part[:1].isdigit() and part[-1:].isalpha()), None)
    size = pixels(value, around) if value is not None else around
    return around if size is None else size


def _is_disguised(look: _Look) -> bool:
    """Whether letters of this look cannot be seen where they stand."""
    if look.drawing:
        return False
    if look.size < _SMALL or -look.spread >= _MOST_CLOSE * look.size or look.colour == "":
        return True
    if isinstance(look.colour, str) or isinstance(look.ground, str):
        return False
    return is_alike(look.colour, look.ground)


def _is_transparent(declared: Declarations) -> bool:
    for name in ("opacity", "filter"):
        value = declared.get(name, "")
        if name == "filter":
            value = value.removeprefix("opacity(").rstrip(")") if "opacity(" in value else ""
        share = pixels(value, 1.0) if value else None
        if share is not None and share <= _LEAST_OPACITY:
            return True
    return declared.get("content-visibility") == "hidden"


def _is_away(declared: Declarations, size: float) -> bool:
    """Whether an element stands beside the window, or is cut to nothing."""

    def length(name: str) -> float | None:
        return pixels(declared[name], size) if name in declared else None

    places = [length(name) or 0.0 for name in ("text-indent", "margin-left", "margin-top")]
    if declared.get("position") in ("absolute", "fixed", "relative"):
        places += [length(name) or 0.0 for name in ("left", "right", "top", "bottom")]
        if "clip" in declared and _is_cut(declared["clip"], size):
            return True
    if any(place <= -_FAR for place in places) or any(place >= 10 * _FAR for place in places):
        return True
    if _is_cut(declared.get("clip-path", ""), size) or _is_moved(declared.get("transform", "")):
        return True
    sides = [length(name) for name in ("width", "height", "max-width", "max-height")]
    closed = declared.get("overflow") in ("hidden", "clip")
    return closed and any(side is not None and side <= _NOTHING for side in sides)


def _is_cut(clip: str, size: float) -> bool:
    """Whether a clip leaves nothing: rect(0 0 0 0), inset(50%), circle(0)."""
    name, _, inside = clip.partition("(")
    numbers = [pixels(part, size) for part in re.split(r"[\s,)]+", inside) if part]
    numeric = [number for number in numbers if number is not None]
    if name == "inset":
        return bool(numeric) and inside.rstrip(") ").endswith("%") and numeric[0] >= size / 2
    return name in ("rect", "circle", "polygon") and bool(numeric) and max(numeric) <= _NOTHING


def _is_moved(transform: str) -> bool:
    """Whether a transformation moves an element away, or makes it a point."""
    for name, inside in re.findall(r"(translate[xy]?|scale[xy]?)\(([^()]{1,60})\)", transform):
        numbers = [pixels(part, _USUAL) or 0.0 for part in re.split(r"[\s,]+", inside.strip())]
        if name.startswith("scale"):
            if min(map(abs, numbers)) <= _LEAST_OPACITY:
                return True
        elif max(map(abs, numbers)) >= _FAR:
            return True
    return False


def _is_preformatted(node: LexborNode) -> bool:
    parent, depth = node.parent, 0
    while parent is not None and depth < 4:  # <pre><code><span>
        if parent.tag in ("pre", "textarea"):
            return True
        parent, depth = parent.parent, depth + 1
    return False


def _read_property(tree: LexborHTMLParser, name: str) -> str | None:
    node = tree.css_first(f'meta[name="{name}"], meta[property="{name}"]')
    return node.attributes.get("content") if node is not None else None


def extract_article(data: bytes, *, encoding: str = "") -> Extracted:
    """Return the article of a page; the whole page where none is recognised or can be.

    Notes
    -----
    A note says how many characters beside the article were left out.
    """
    whole = extract(data, encoding=encoding)
    if importlib.util.find_spec("trafilatura") is None:
        return whole
    import trafilatura

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it writes addresses and words
    page = limit_length(decode_page(data, encoding=encoding).text)
    read = _Page.of(page, depth=0)
    for node in read.hidden_nodes:
        node.decompose()
    article: Any = trafilatura.bare_extraction(
        (read.tree.html or "") if read.hidden_nodes else page,
        with_metadata=True,
        include_comments=False,
        include_tables=True,
        favor_recall=True,
    )
    text = (article.text or "").strip() if article is not None else ""
    shown = _count_visible(whole.text)
    if _count_visible(text) < max(_LEAST, _LEAST_ARTICLE * shown):
        return whole
    named = {name: getattr(article, name, None) for name in ("title", "author", "date", "url")}
    if not _YEAR.search(named["date"] or ""):  # a day alone hides what the page says of itself
        named["date"] = None
    beside = max(shown - _count_visible(text), 0)
    notes = (*whole.notes, Note("beside_article", {"n": beside})) if beside else whole.notes
    return replace(whole, text=text, meta={**whole.meta, **drop_empty(**named)}, notes=notes)
