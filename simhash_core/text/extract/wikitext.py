"""Wikitext to the words that a reader of the wiki sees.

Templates and tables are left out: what they show stands in other pages. Of a few templates that
only dress a word of the sentence (`{{lang|en|word}}`) the word stays.
"""

from __future__ import annotations

import importlib.util
import re
import urllib.parse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from ...errors import Unreadable
from ...model import DATE_FROM
from .extracted import Extracted, within_limits, without_empty

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
_INLINE = re.compile(rf"\n?[ \t]*{_TERM}")
_CONVERSION = re.compile(r"-\{([^{}]*)\}-")
_FLAGS = re.compile(r"\s*([A-Z](?:\s*;\s*[A-Z])*)\s*\|")
_VARIANTS = ("zh-hans", "zh-cn", "zh")
_REMAINS = re.compile(r"^[ \t]*(?:\{\||\|).*\n?", re.M)  # of tables that do not end
_EMPTY_BRACKETS = re.compile(r"[ ]?(?:（[\s,;:，；：、/]*）|\([\s,;:，；：、/]*\))")
_BLANKS, _LINES = re.compile(r"[ \t\xa0]+"), re.compile(r"\s*\n\s*\n\s*")

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
    import mwparserfromhell

    # '' and ''' cross templates and lines in ways that cost the parser its place: they go below
    code = mwparserfromhell.parse(within_limits(wikitext), skip_style_tags=True)
    text = _CONVERSION.sub(_converted, "".join(_shown(code, names)))
    text = _REMAINS.sub("", _MAGIC.sub("", text))
    text = _EMPTY_BRACKETS.sub("", _INLINE.sub("\n", text))
    lines = (_BLANKS.sub(" ", _without_quotes(line)).strip() for line in text.splitlines())
    return within_limits(_LINES.sub("\n\n", "\n".join(lines)).strip())


def _shown(code: Any, names: Names) -> Iterator[str]:
    """Yield the text of the nodes of a piece of wikitext."""
    for node in code.nodes if code is not None else ():
        yield from _OF_NODE.get(type(node).__name__, _nothing)(node, names)


def _nothing(node: Any, names: Names) -> Iterator[str]:
    return iter(())


def _plain(node: Any, names: Names) -> Iterator[str]:
    yield str(node.value)


def _entity(node: Any, names: Names) -> Iterator[str]:
    try:
        yield str(node.normalize())
    except ValueError:  # no such character
        yield ""


def _heading(node: Any, names: Names) -> Iterator[str]:
    yield "\n"
    yield from _shown(node.title, names)
    yield "\n"


def _argument(node: Any, names: Names) -> Iterator[str]:
    return _shown(node.default, names)


def _template(node: Any, names: Names) -> Iterator[str]:
    """Yield the word that a template dresses; of all others nothing."""
    name = str(node.name).strip().casefold().replace("_", " ")
    wanted = (1,) if name.startswith("lang-") else _SHOWN.get(name, ())
    held = {str(one.name).strip(): one.value for one in node.params}
    for key in map(str, wanted):
        if key in held and str(held[key]).strip():
            yield from _shown(held[key], names)
            return


def _link(node: Any, names: Names) -> Iterator[str]:
    title = str(node.title).strip()
    prefix, colon, _ = title.partition(":")
    space = prefix.strip().casefold().replace("_", " ")
    beside = space in names.files or space in names.categories or _LANGUAGE.fullmatch(space)
    if colon and prefix and beside:
        return
    if node.text is not None and str(node.text).strip():
        yield from _shown(node.text, names)
    else:
        yield title.removeprefix(":").replace("_", " ")


def _address(node: Any, names: Names) -> Iterator[str]:
    if node.title is not None and str(node.title).strip():
        yield from _shown(node.title, names)
    elif not node.brackets:
        yield str(node.url)


def _tag(node: Any, names: Names) -> Iterator[str]:
    tag = str(node.tag).strip().casefold()
    style = next(
        (str(one.value) for one in node.attributes if str(one.name).strip() == "style"), ""
    )
    if tag in _UNSEEN or _HIDDEN.search(style):
        return
    if tag in _BREAKS:
        yield "\n"
    elif node.wiki_markup and node.self_closing:  # * and #: the line is there already
        yield _TERM if tag == "dd" else ""
    else:
        edge = "\n" if tag in _BLOCKS else ""
        yield edge
        yield from _shown(node.contents, names)
        yield edge


_OF_NODE = {
    "Text": _plain,
    "HTMLEntity": _entity,
    "Heading": _heading,
    "Argument": _argument,
    "Template": _template,
    "Wikilink": _link,
    "ExternalLink": _address,
    "Tag": _tag,
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
        if bold:
            pieces[min(bold, key=lambda at: (_behind(pieces[at - 1]), at)) - 1] += "'"
    return "".join(pieces[::2])


def _behind(text: str) -> int:
    """Return 0 behind a word of one letter, 1 behind a longer one, 2 behind a space."""
    if text[-1:] in ("", " "):
        return 2
    return 0 if text[-2:-1] in ("", " ") else 1


def _converted(match: re.Match[str]) -> str:
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
        usual.files | {name for key, name in called.items() if key == _FILE_SPACE and name},
        usual.categories
        | {name for key, name in called.items() if key == _CATEGORY_SPACE and name},
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
        url=_page_address(title, site),
        revision=_field(revision, "id"),
    )
    if "date" in meta:
        meta[DATE_FROM] = "page"
    return Page(title, Extracted(text_of(wikitext, site.names), "utf-8", meta))


def _page_address(title: str, site: Site) -> str:
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
