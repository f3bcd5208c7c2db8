"""Wikitext to the words that a reader of the wiki sees.

Templates and tables are left out: what they show stands in other pages. Of a few templates that
only dress a word of the sentence (`{{lang|en|word}}`) the word stays.
"""

from __future__ import annotations

import html
import importlib.util
import re
import urllib.parse
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from ...errors import Unreadable
from ...model import DATE_FROM
from .extracted import Extracted, drop_empty, limit_length
from .formatting import strip_namespace

#: tags that show nothing, or what is no prose
_UNSEEN_TAGS = """
    ref references gallery table math chem ce score timeline graph imagemap mapframe maplink
    includeonly templatestyles templatedata indicator section hiero inputbox categorytree
"""
_BLOCK_TAGS = "div p blockquote center poem pre syntaxhighlight source ul ol li dl"
_UNSEEN = frozenset(_UNSEEN_TAGS.split())
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_BREAKS = frozenset(("br", "hr"))
_FILES, _CATEGORIES = ("file", "image", "media"), ("category",)
#: [[de:Titel]]: the same article in another language, beside the text
_LANGUAGE = re.compile(r"(?!doi$)(?:[a-z]{2,3}(?:-[a-z]{2,12}){0,2}|simple)")
_HIDDEN = re.compile(r"display\s*:\s*none", re.I)
_MAGIC = re.compile(r"__[^\W_]{2,20}__")
_APOSTROPHES = re.compile(r"('{2,})")
_TERM = "\x0b"  # before what a ; of the same line defines
_INLINE = re.compile(rf"(?:\n|(?<![ \t\n]))[ \t]*+{_TERM}")  # a run of blanks is seen once
_CONVERSION = re.compile(r"-\{([^{}]*)\}-")
_FLAGS = re.compile(r"\s*([A-Z](?:\s*;\s*[A-Z])*)\s*\|")
_VARIANTS = ("zh-hans", "zh-cn", "zh")
_REMAINS = re.compile(r"^[ \t]*(?:\{\||\|).*\n?", re.M)  # of tables that do not end
_EMPTY_BRACKETS = re.compile(r"[ ]?(?:（[\s,;:，；：、/]*）|\([\s,;:，；：、/]*\))")
_BLANKS, _LINES = re.compile(r"[ \t\xa0]+"), re.compile(r"(?<!\s)\s*?\n\s*?\n\s*+")

#: template, folded -> which of its arguments the sentence shows, the first that is there
_SHOWN: Mapping[str, tuple[int | str, ...]] = {
    **dict.fromkeys(("nowrap", "nobold", "nobr", "small", "big", "sic", "專名", "书名"), (1,)),
    **dict.fromkeys(("lang", "transl"), (2,)),
    **dict.fromkeys(("le", "illm", "link-en", "link-ja"), (3, 1)),
    **dict.fromkeys(("tsl", "translink"), (4, 3)),
    **dict.fromkeys(("ill", "interlanguage link", "internal link helper"), ("lt", 1)),
}


@dataclass(frozen=True, slots=True)
class Names:
    """What a wiki calls the namespaces of pictures and categories, folded."""

    files: frozenset[str] = frozenset(_FILES)
    categories: frozenset[str] = frozenset(_CATEGORIES)


def is_installed() -> bool:
    """Whether wikitext can be read."""
    return importlib.util.find_spec("mwparserfromhell") is not None


def text_of(wikitext: str, names: Names = Names()) -> str:
    """Return what a page shows, a line for every block.

    Raises
    ------
    Unreadable
        "too_long".
    """
    # '' and ''' cross templates and lines in ways that cost the parser its place: they go below
    tokens = _tokenizer()().tokenize(limit_length(wikitext), 0, True)
    text = _CONVERSION.sub(_convert_variants, _show_tokens(tokens, names))
    text = _REMAINS.sub("", _MAGIC.sub("", text))
    text = _EMPTY_BRACKETS.sub("", _INLINE.sub("\n", text))
    lines = (_BLANKS.sub(" ", _without_quotes(line)).strip() for line in text.splitlines())
    return limit_length(_LINES.sub("\n\n", "\n".join(lines)).strip())


@cache
def _tokenizer() -> Any:
    """Return what cuts wikitext into tokens: the compiled one, where the package came with it."""
    try:
        from mwparserfromhell.parser._tokenizer import CTokenizer
    except ImportError:
        from mwparserfromhell.parser.tokenizer import Tokenizer

        return Tokenizer
    return CTokenizer


class _Piece:
    """A piece of markup, closed or still open.

    Attributes
    ----------
    opened, closed
        The tokens at its ends.
    parts
        What each of its parts shows: of a link title and text, of a tag its name, attributes and
        content, of a template its name and arguments.
    marks
        The kind of the token before each part, "" before the first.
    """

    __slots__ = ("closed", "marks", "opened", "parts")

    def __init__(self, opened: Any) -> None:
        self.opened = self.closed = opened
        self.parts: list[list[str]] = [[]]
        self.marks = [""]

    def texts(self, mark: str = "") -> list[str]:
        """Return the parts behind one kind of token."""
        every = zip(self.marks, self.parts, strict=True)
        return ["".join(part) for before, part in every if before == mark]


def _show_tokens(tokens: Iterable[Any], names: Names) -> str:
    """Return what the tokens of a page show.

    Notes
    -----
    Tokens are well nested, so a piece is shown when it closes, by what its parts show. The tree of
    nodes that the parser builds of them would take three times as long as the tokens.
    """
    page = _Piece(None)
    pieces, write = [page], page.parts[0].append
    for token in tokens:
        kind = type(token).__name__
        if kind == "Text":
            write(token["text"])
            continue
        if kind in _OPENS:
            pieces.append(_Piece(token))
        elif show := _CLOSES.get(kind):
            piece = pieces.pop()
            piece.closed = token
            pieces[-1].parts[-1].append(show(piece, names))
        elif kind != "TagAttrQuote":
            pieces[-1].parts.append([])
            pieces[-1].marks.append(kind)
        write = pieces[-1].parts[-1].append
    return "".join(page.parts[0])


def _entity(piece: _Piece, names: Names) -> str:
    sign = {"": "", "HTMLEntityNumeric": "#", "HTMLEntityHex": "#x"}[piece.marks[-1]]
    return html.unescape(f"&{sign}{''.join(piece.parts[-1])};")


def _template(piece: _Piece, names: Names) -> str:
    """Return the word that a template dresses; of all others nothing."""
    name = piece.texts()[0].strip().casefold().replace("_", " ")
    wanted = (1,) if name.startswith("lang-") else _SHOWN.get(name, ())
    if not wanted:
        return ""
    held: dict[str, str] = {}
    unnamed = 0
    for n, mark in enumerate(piece.marks):
        text = "".join(piece.parts[n])
        if mark == "TemplateParamEquals":
            held["".join(piece.parts[n - 1]).strip()] = text
        elif mark and piece.marks[n + 1 : n + 2] != ["TemplateParamEquals"]:
            unnamed += 1
            held[str(unnamed)] = text
    return next((held[key] for key in map(str, wanted) if held.get(key, "").strip()), "")


def _link(piece: _Piece, names: Names) -> str:
    title, text = piece.texts()[0].strip(), "".join(piece.texts("WikilinkSeparator"))
    prefix, colon, _ = title.partition(":")
    space = prefix.strip().casefold().replace("_", " ")
    beside = space in names.files or space in names.categories or _LANGUAGE.fullmatch(space)
    if colon and prefix and beside:
        return ""
    return text if text.strip() else title.removeprefix(":").replace("_", " ")


def _address(piece: _Piece, names: Names) -> str:
    title = "".join(piece.texts("ExternalLinkSeparator"))
    if title.strip():
        return title
    return "" if piece.opened.brackets else piece.texts()[0]


def _tag(piece: _Piece, names: Names) -> str:
    tag = piece.texts()[0].strip().casefold()
    if tag in _UNSEEN or any(
        mark == "TagAttrEquals"
        and "".join(piece.parts[n - 1]).strip() == "style"
        and _HIDDEN.search("".join(piece.parts[n]))
        for n, mark in enumerate(piece.marks)
    ):
        return ""
    if tag in _BREAKS:
        return "\n"
    if type(piece.closed).__name__ == "TagCloseSelfclose":
        # of * and # the line is there already
        return _TERM if piece.opened.wiki_markup and tag == "dd" else ""
    edge = "\n" if tag in _BLOCKS else ""
    return f"{edge}{''.join(piece.texts('TagCloseOpen'))}{edge}"


#: kinds of tokens that open a piece, and what a piece shows by the token that closes it
_OPENS = frozenset(
    f"{name}Open" for name in ("Template", "Argument", "Wikilink", "ExternalLink", "TagOpen")
) | {"HTMLEntityStart", "HeadingStart", "CommentStart"}
_CLOSES: Mapping[str, Callable[[_Piece, Names], str]] = {
    "TemplateClose": _template,
    "ArgumentClose": lambda piece, _: "".join(piece.texts("ArgumentSeparator")),
    "WikilinkClose": _link,
    "ExternalLinkClose": _address,
    "HTMLEntityEnd": _entity,
    "HeadingEnd": lambda piece, _: f"\n{piece.texts()[0]}\n",
    "CommentEnd": lambda *_: "",
    "TagCloseSelfclose": _tag,
    "TagCloseClose": _tag,
}


def _without_quotes(line: str) -> str:
    """Return a line without the apostrophes that make words bold and slanted.

    Notes
    -----
    As MediaWiki has it: two are slanted, three bold, five both; of four one is seen, of more all
    but five. Where neither bold nor slanted words come out even, three are one that is seen and
    two: the first three behind a word of one letter, else behind a longer one, else behind a space.
    """
    if "''" not in line:
        return line
    pieces = _APOSTROPHES.split(line)
    marks = range(1, len(pieces), 2)
    for at in marks:
        size = len(pieces[at])
        seen = 1 if size == 4 else max(size - 5, 0)
        pieces[at - 1] += "'" * seen
        pieces[at] = pieces[at][seen:]
    sizes = [len(pieces[at]) for at in marks]
    if sum(size in (3, 5) for size in sizes) % 2 and sum(size in (2, 5) for size in sizes) % 2:
        bold = [at for at in marks if len(pieces[at]) == 3]

        def rank(at: int) -> tuple[int, int]:
            before = pieces[at - 1]
            alone = before[-2:-1] in ("", " ")
            return (2 if before[-1:] in ("", " ") else 0 if alone else 1), at

        if bold:
            pieces[min(bold, key=rank) - 1] += "'"
    return "".join(pieces[::2])


def _convert_variants(match: re.Match[str]) -> str:
    """Return what -{...}- shows to a reader of simplified Chinese."""
    inside = match[1]
    if flags := _FLAGS.match(inside):
        if {"H", "T", "D", "-"} & {*flags[1].replace(" ", "").split(";")}:
            return ""
        inside = inside[flags.end() :]
    pairs = (part.partition(":") for part in inside.split(";"))
    variants = {name.strip(): text.strip() for name, colon, text in pairs if colon}
    if not any(name.startswith("zh") for name in variants):
        return inside
    chosen = (variants[name] for name in _VARIANTS if name in variants)
    return next(chosen, next(iter(variants.values())))


# --------------------------------------------------------------------------- pages
_ARTICLES = 0  # the namespace of articles
_FILE_SPACE, _CATEGORY_SPACE = 6, 14
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
    root = _parse(head + (b"" if b"</mediawiki>" in head else b"</mediawiki>"))
    base, spaces = "", Names()
    for node in root.iter():
        name = strip_namespace(node)
        if name == "base" and node.text:
            base = node.text.strip().rpartition("/")[0] + "/"
        elif name == "namespaces":
            called = {int(one.get("key", "0")): (one.text or "").casefold() for one in node}
            usual = Names()
            spaces = Names(
                usual.files | {name for key, name in called.items() if key == _FILE_SPACE and name},
                usual.categories
                | {name for key, name in called.items() if key == _CATEGORY_SPACE and name},
            )
    return Site(base, spaces)


def page_of(raw: bytes, site: Site) -> Page:
    """Return a page, `<page>` to `</page>`, with the text of its latest revision.

    Raises
    ------
    Unreadable
        "damaged", "empty", "too_long".
    """
    page = _parse(raw)
    fields = {strip_namespace(node): (node.text or "") for node in page}
    title = " ".join(fields.get("title", "").split())
    if fields.get("ns", "0").strip() != str(_ARTICLES):
        return Page(title, passed="namespace")
    revision = max(
        (node for node in page if strip_namespace(node) == "revision"),
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
    path = urllib.parse.quote(title.replace(" ", "_"), safe="/:,()!*;@")
    meta = drop_empty(
        title=title,
        date=_field(revision, "timestamp")[:10],
        url=(f"{site.base}{path}" if site.base else ""),
        revision=_field(revision, "id"),
    )
    if "date" in meta:
        meta[DATE_FROM] = "page"
    return Page(title, Extracted(text_of(wikitext, site.names), "utf-8", meta))


def _parse(data: bytes) -> Any:
    try:
        return fromstring(data, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise Unreadable("damaged", detail=type(error).__name__) from error


def _field(node: Any, name: str) -> str:
    """Return the text of a child; "" where there is none."""
    return next((child.text or "" for child in node if strip_namespace(child) == name), "")
