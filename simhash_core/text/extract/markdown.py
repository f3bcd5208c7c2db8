"""Markdown: what its page shows. Targets of links, comments, front matter and tags are no words.

The characters that stay keep their order and their line ends, so that a text is read as it was
written; what stands in a fence or between backquotes is left as it is.

References
----------
CommonMark 0.31.2, sections 4.5 to 4.7, 6.3 to 6.6.
"""

from __future__ import annotations

import re

from ..decode import decode
from .extracted import Extracted, note_left_out
from .plain import drop_data, extract_with

#: lines of YAML or TOML: a key, an item, what is indented, a remark; no prose between two rules
_FRONT_MATTER = re.compile(
    r"\A(?P<edge>---|\+\+\+)[ \t]*\r?\n(?=[\w\"'.-]+[ \t]*[:=])"
    r"(?:(?:[\w\"'.-]+[ \t]*[:=][^\n]*|[ \t]+\S[^\n]*|-[ \t][^\n]*|[\[#][^\n]*|[ \t\r]*)\n)"
    r"{1,500}?"
    r"(?:(?P=edge)|\.\.\.)[ \t]*(?:\r?\n|\Z)"
)
# what is left as it is comes first: every alternative ends at its first impossible character
_LITERAL = (
    r"(?P<literal>^[ ]{0,3}(?P<fence>```+|~~~+)[^\n]*\n(?:(?![ ]{0,3}(?P=fence))[^\n]*\n)*+[^\n]*"
    r"|(?P<ticks>`++)(?:(?!(?P=ticks))[^\n])++(?P=ticks))"
)
_TARGET = r"\([^()\n]*+(?:\([^()\n]*+\)[^()\n]*+)*+\)|[ ]?\[[^\[\]\n]{0,200}+\]"
_LABEL = r"\[(?!\^)(?P<{}>(?:[^\[\]]|\[[^\[\]]{{0,500}}+\]){{0,2000}}+)\]"
_NOT_SHOWN = re.compile(
    rf"{_LITERAL}|(?P<comment><!--.*?(?:-->|\Z))"
    r"|<(?P<code>script|style)\b.*?(?:</(?P=code)>|\Z)|</?[A-Za-z][^<>]*+>"
    r"|^[ ]{0,3}\[(?!\^)[^\[\]\n]{1,200}+\]:[ \t]*+\S[^\n]*+(?:\n|\Z)"
    rf"|\[\^[^\[\]\s]{{1,100}}+\]:?|!\[[^\[\]]{{0,2000}}+\](?:{_TARGET})",
    re.M | re.S | re.I,
)
_LINK = re.compile(rf"{_LITERAL}|{_LABEL.format('shown')}(?:{_TARGET})", re.M | re.S)
_AUTOLINK = re.compile(r"<(?:[a-z][a-z0-9+.-]{1,31}:|[^\s<>@]+@)[^\s<>]*>", re.I)


def extract(data: bytes, *, encoding: str = "") -> Extracted:
    """Return what a page of Markdown shows. Raises `Unreadable("binary")` for no text."""
    hidden: list[str] = []
    read = extract_with(decode(data, encoding=encoding), lambda text: keep_shown(text, hidden))
    return Extracted(read.text, read.encoding, {}, (*read.notes, *note_left_out(hidden)))


def keep_shown(text: str, hidden: list[str]) -> str:
    """Return what the page of a text shows; words of comments are added to `hidden`."""

    def without(match: re.Match[str]) -> str:
        if match["literal"] is not None or _AUTOLINK.fullmatch(match[0]):
            return match[0]
        if comment := match["comment"]:
            hidden.append(comment.removeprefix("<!--").removesuffix("-->"))
        return ""

    text = _NOT_SHOWN.sub(without, _FRONT_MATTER.sub("", text))
    text = _LINK.sub(lambda match: match["literal"] or match["shown"] or "", text)
    return drop_data(text)
