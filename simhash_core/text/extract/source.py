"""LaTeX (.tex) and notebooks (.ipynb): what is written to be read, without commands and code.

References
----------
The TeXbook, chapters 3, 7 and 9; nbformat 4 (Jupyter).
"""

from __future__ import annotations

import bisect
import contextlib
import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ...errors import Unreadable
from ...model import Note
from ..characters import HAN
from ..decode import decode
from .extracted import (
    FEWEST_LETTERS,
    Extracted,
    drop_empty,
    limit_length,
    make_writable,
    note_left_out,
)
from .markdown import keep_shown
from .plain import encoding_notes

# every alternative ends at its first impossible character: one pass whatever the text holds
_TOKEN = re.compile(
    r"(?P<verb>\\verb\*?(?P<bar>[^A-Za-z\s*])[^\n]{0,1000}?(?P=bar))"
    r"|\\(?P<word>[A-Za-z@]++)\*?[ \t]*+(?:\n(?!\s*\n)[ \t]*+)?"
    r"|\\(?P<sign>.)|(?P<comment>%[^\n]*+\n?[ \t]*+)"
    r"|(?P<mark>[{}\[\]$&~])|(?P<text>[^\\%{}\[\]$&~]++)|\\",
    re.S,
)
#: environments that hold no text
_LEFT_OUT_NAMES = """
    equation align gather multline eqnarray displaymath math flalign alignat tikzpicture lstlisting
    verbatim Verbatim minted algorithmic picture comment filecontents CJKfilltwosides
"""
_LEFT_OUT = frozenset(name + star for name in _LEFT_OUT_NAMES.split() for star in ("", "*"))
#: command -> how many of its arguments are no text, the first ones
_ARGUMENTS = {
    name: count
    for count, names in {
        1: """documentclass usepackage RequirePackage label ref eqref pageref autoref cref Cref
        nocite bibliographystyle bibliography includegraphics input include hypersetup geometry
        vspace hspace pagestyle thispagestyle bibitem url graphicspath addbibresource
        hyphenation theoremstyle setmainfont setCJKmainfont setCJKfamilyfont ctexset lstset href
        pagenumbering bibliographyfont begin end raisebox rule DeclareMathOperator""",
        2: """newcommand renewcommand providecommand setlength addtolength setcounter addtocounter
        newtheorem def let fontsize DeclareMathOperator newcounter titleformat""",
        3: "newenvironment renewenvironment definecolor colorbox newcolumntype",
    }.items()
    for name in names.split()
}
_CITES = re.compile("[A-Za-z]*cite[a-zA-Z]*")
#: commands that begin a line; of the first ones the argument is a line of its own
_HEADING_NAMES = "part chapter section subsection subsubsection paragraph title author date caption"
_HEADINGS = frozenset(_HEADING_NAMES.split())
_BREAK_NAMES = """
    par item maketitle tableofcontents newpage clearpage newline linebreak bigskip medskip
    smallskip hline toprule midrule bottomrule
"""
_BREAKS = frozenset(_BREAK_NAMES.split())
_NOTES = frozenset(("footnote", "footnotetext", "thanks"))
#: commands behind which nothing may be seen; conditions that close by themselves
_UNSEEN = frozenset(("iffalse", "if", "textcolor", "color", "phantom", "hphantom", "vphantom"))
_NO_CONDITION = frozenset(("ifthenelse", "iff"))
_WHITE = re.compile(
    r"\s*(?:\{\s*white\s*\}|\[\s*(?:rgb\s*\]\s*\{\s*1(?:\.0*)?\s*(?:,\s*1(?:\.0*)?\s*){2}"
    r"|RGB\s*\]\s*\{\s*255\s*(?:,\s*255\s*){2}|HTML\s*\]\s*\{\s*[Ff]{6}\s*"
    r"|gray\s*\]\s*\{\s*1(?:\.0*)?\s*)\})\s*"
)
_COLUMNS = frozenset(("tabular", "tabular*", "tabularx", "longtable", "array", "minipage"))
_ACCENTS = dict(
    zip(
        "`'^~\"=.uvHcdrk",
        "\u0300\u0301\u0302\u0303\u0308\u0304\u0307\u0306\u030c\u030b\u0327\u0323\u030a\u0328",
        strict=True,
    )
)
_SIGNS_OF_LETTERS = r"""
    ss ß ae æ AE Æ oe œ OE Œ o ø O Ø aa å AA Å l ł L Ł i i j j S § P ¶ copyright © ldots …
    dots … textendash – textemdash — textbackslash \ LaTeX LaTeX TeX TeX textquoteleft ‘
    textquoteright ’ textbar | textless < textgreater >
"""
_LETTERS = {
    **dict(re.findall(r"(\S+) (\S+)", _SIGNS_OF_LETTERS)),
    **dict.fromkeys(("quad", "qquad", "space"), " "),
}
_SIGNS = {",": " ", ";": " ", ":": " ", " ": " ", "\n": " ", "!": "", "/": "", "-": "", "@": ""}
_LIGATURES = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"))
_MOST_FORMULA = 2_000  # characters between two dollars; more, and one of them is an amount
_BREAK = "\n\n"
_PARAGRAPH = re.compile(r"\n[ \t\r]*+\n\s*+")
_WIDE = f"{HAN}\u3000-\u303f\uff00-\uffef"
_BETWEEN_WIDE = re.compile(f"(?<=[{_WIDE}]) (?=[{_WIDE}])")


def tex(data: bytes, *, encoding: str = "") -> Extracted:
    """Return what is set as text, footnotes at the end; formulas and code are left out."""
    decoded = decode(data, encoding=encoding)
    source = limit_length(decoded.text).replace("\r\n", "\n")
    _, has_body, body = source.partition("\\begin{document}")
    reader = _Tex(body.partition("\\end{document}")[0] if has_body else source)
    text = "".join([*reader.parts, _BREAK, *reader.notes])
    n = reader.formulas
    notes = (Note("formulas", {"n": n}),) if n >= FEWEST_LETTERS else ()
    notes = (*notes, *note_left_out(reader.hidden))
    meta = {}
    for name in ("title", "author"):
        said = rf"\\{name}\s{{0,9}}(?:\[[^\[\]]{{0,200}}\])?\{{([^{{}}\\]{{0,500}})"
        if match := re.search(said, source):
            meta[name] = " ".join(match[1].split())
    return Extracted(
        "".join(f"{line}\n" for line in _split_paragraphs(text)),
        decoded.encoding,
        drop_empty(**meta),
        (*encoding_notes(decoded), *notes),
    )


def _split_paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs; a line end is a blank in TeX, and nothing between Han characters."""
    for shape, letters in _LIGATURES:
        text = text.replace(shape, letters)
    for part in _PARAGRAPH.split(text):
        line = _BETWEEN_WIDE.sub("", " ".join(part.split()))
        if line:
            yield line


@dataclass(slots=True)
class _Tex:
    """The text of one source while its tokens are gone through."""

    source: str
    parts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    formulas: int = 0  # characters left out
    hidden: list[str] = field(default_factory=list)  # words that are never printed, or in white
    tokens: list[re.Match[str]] = field(init=False)
    closing: dict[int, int] = field(default_factory=dict)  # token of a bracket -> of its partner
    ends: dict[str, list[int]] = field(default_factory=dict)  # what ends a formula -> tokens
    around: dict[int, int] = field(default_factory=dict)  # token of \\color -> brace around it
    out: list[str] = field(init=False)
    after: dict[int, list[str]] = field(default_factory=dict)  # token of a brace -> where to go on
    accent: str = ""

    def __post_init__(self) -> None:
        self.tokens = list(_TOKEN.finditer(self.source))
        self.out = self.parts
        self._pair_brackets()
        at = 0
        while at < len(self.tokens):
            at = self._take_token(at)

    def _pair_brackets(self) -> None:
        """Find the partner of every bracket, and the ends of formulas, in one pass."""
        open_braces: list[int] = []
        open_brackets: list[list[int]] = [[]]
        for at, token in enumerate(self.tokens):
            mark = token["mark"]
            if mark == "{":
                open_braces.append(at)
                open_brackets.append([])
            elif mark == "}" and open_braces:
                self.closing[open_braces.pop()] = at
                open_brackets.pop()
            elif mark == "[":
                open_brackets[-1].append(at)
            elif mark == "]" and open_brackets[-1]:
                self.closing[open_brackets[-1].pop()] = at
            elif mark == "$" or token["sign"] in (")", "]"):
                self.ends.setdefault(mark or token["sign"], []).append(at)
            elif token["word"] == "color":
                self.around[at] = open_braces[-1] if open_braces else -1
            elif token["word"] == "end":
                self.ends.setdefault(self._read_argument(at + 1), []).append(at)

    def _take_token(self, at: int) -> int:
        """Take one token; return the next one to look at."""
        token = self.tokens[at]
        if token["text"] is not None:
            self._write(token["text"])
        elif token["word"] is not None:
            return self._take_command(token["word"], at)
        elif token["sign"] is not None:
            return self._take_sign(token["sign"], at)
        elif token["verb"] is not None:
            self.formulas += len(token["verb"])
        elif token["mark"] == "$":
            return self._skip_formula(at)
        elif token["mark"] in ("&", "~"):
            self._write(" ")
        elif token["mark"] in ("[", "]"):
            self._write(token["mark"])
        elif token["mark"] == "}" and at in self.after:
            self.out.append(_BREAK)
            self.out = self.after.pop(at)
        return at + 1

    def _write(self, text: str) -> None:
        if self.accent and text[:1].isalpha():
            text = unicodedata.normalize("NFC", text[0] + self.accent) + text[1:]
        self.accent = ""
        self.out.append(text)

    def _take_sign(self, sign: str, at: int) -> int:
        """Take a command that is one sign."""
        if sign in ("(", "["):
            return self._leave_out(at, ")" if sign == "(" else "]", _MOST_FORMULA * 10)
        if sign in _ACCENTS:
            self.accent = _ACCENTS[sign]
        elif sign == "\\":
            self.out.append(_BREAK)
            return self._skip_arguments(at + 1, 0)
        else:
            self._write(_SIGNS.get(sign, sign))
        return at + 1

    def _skip_formula(self, at: int) -> int:
        """Pass over what stands between dollars, one or two."""
        double = self._mark(at + 1) == "$"
        begin = at + 1 + double
        ends = self.ends["$"]
        index = bisect.bisect_left(ends, begin)
        end = ends[index] if index < len(ends) else -1
        most = _MOST_FORMULA * (10 if double else 1)
        if end < 0 or self.tokens[end].start() - self.tokens[at].end() > most:
            self._write("$" * (1 + double))
            return begin
        self.formulas += self.tokens[end].end() - self.tokens[at].start()
        self._write(" ")
        return end + 1 + (double and self._mark(end + 1) == "$")

    def _leave_out(self, at: int, end: str, most: int) -> int:
        """Pass over what ends with a sign or an environment; what never ends is text."""
        ends = self.ends.get(end, [])
        index = bisect.bisect_right(ends, at)
        if index == len(ends) or self.tokens[ends[index]].start() - self.tokens[at].end() > most:
            return at + 1
        self.formulas += self.tokens[ends[index]].end() - self.tokens[at].start()
        self.out.append(_BREAK if len(end) > 1 else " ")
        return ends[index] + 1

    def _take_command(self, name: str, at: int) -> int:
        """Take a command that is a word."""
        if name in ("begin", "end"):
            kind = self._read_argument(at + 1)
            behind = self._skip_arguments(at + 1, 1)
            if name == "begin" and kind in _LEFT_OUT:
                end = self._leave_out(at, kind, len(self.source))
                return self._skip_arguments(end, 1) if end > at + 1 else behind
            self.out.append(_BREAK)
            return (
                self._skip_arguments(behind, int(kind in _COLUMNS)) if name == "begin" else behind
            )
        if name in _UNSEEN:
            return self._skip_unseen(name, at)
        if name in _LETTERS:
            self._write(_LETTERS[name])
            return at + 1
        if name in _ACCENTS:
            self.accent = _ACCENTS[name]
            return at + 1
        if name in _BREAKS or name in _HEADINGS:
            self.out.append(_BREAK)
        count = 1 if _CITES.fullmatch(name) else _ARGUMENTS.get(name, 0)
        if name == "item":
            return at + 1  # what stands in brackets is its label
        behind = self._skip_arguments(at + 1, count)
        if name in _NOTES or name in _HEADINGS:
            end = self.closing.get(behind, -1)
            if self._mark(behind) == "{" and end > 0:
                self.after[end] = self.out
                self.out = self.notes if name in _NOTES else self.out
        return behind

    def _skip_unseen(self, name: str, at: int) -> int:
        """Pass over what TeX skips, and what is printed in white or as an empty space."""
        if name in ("iffalse", "if"):
            following = self.tokens[at + 1]["text"] or "" if at + 1 < len(self.tokens) else ""
            never = name == "iffalse" or following.startswith("0")
            return self._skip_condition(at) if never else at + 1
        behind = self._skip_arguments(at + 1, 0 if "phantom" in name else 1)
        argument = "".join(token[0] for token in self.tokens[at + 1 : behind])
        if "phantom" not in name and not _WHITE.fullmatch(argument):
            return behind
        if name == "color":
            end = self.closing.get(self.around[at], len(self.tokens))
            return self._hide(behind, end)
        return self._hide(behind, self.closing.get(behind, behind))

    def _skip_condition(self, at: int) -> int:
        """Pass over what stands between a condition that never holds and its \\else or \\fi."""
        depth = 0
        for end in range(at + 1, len(self.tokens)):
            word = self.tokens[end]["word"] or ""
            depth += (word.startswith("if") and word not in _NO_CONDITION) - (word == "fi")
            if depth < 0 or (word == "else" and not depth):
                return self._hide(at + 1, end) + 1
        return at + 1

    def _hide(self, first: int, last: int) -> int:
        """Put the words of some tokens aside; return the token behind them."""
        unseen = _Tex("".join(token[0] for token in self.tokens[first:last]))
        self.hidden += [*unseen.parts, *unseen.notes, *unseen.hidden]
        self.out.append(" ")
        return last

    def _mark(self, at: int) -> str:
        return self.tokens[at]["mark"] or "" if at < len(self.tokens) else ""

    def _read_argument(self, at: int) -> str:
        if self._mark(at) == "{" and at + 1 < len(self.tokens):
            return (self.tokens[at + 1]["text"] or "").strip()
        return ""

    def _skip_arguments(self, at: int, count: int) -> int:
        """Return the token behind optional arguments and as many that are not."""
        while at < len(self.tokens):
            mark, end = self._mark(at), self.closing.get(at, -1)
            if end < 0:
                token = self.tokens[at]
                # \def\name{...}, and blanks in front of an argument
                bare = token["word"] is not None or not (token["text"] or "x").strip()
                if not (bare and count and self._mark(at + 1) in ("{", "[")):
                    return at
                count -= token["word"] is not None
                at += 1
            elif mark == "[":
                at = end + 1
            elif count:
                count -= 1
                at = end + 1
            else:
                return at
        return at


# --------------------------------------------------------------------------- notebooks

_WORD = re.compile(r"[^\W\d_]{2}")


def ipynb(data: bytes, *, encoding: str = "") -> Extracted:
    """Return the text cells of a notebook and the comments of its code; results are left out.

    Raises
    ------
    Unreadable
        "damaged" for what is no notebook.
    """
    decoded = decode(data, encoding=encoding)
    hidden: list[str] = []
    try:
        book = json.loads(decoded.text)
        parts, code = _read_cells(book, hidden)
    except RecursionError as error:
        raise Unreadable("damaged", detail="nested too deep") from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Unreadable("damaged", detail="not a notebook") from error
    notes = (Note("code", {"n": code}),) if code else ()
    text = make_writable("".join(f"{part.rstrip()}\n" for part in parts if part.strip()))
    notes = (*notes, *note_left_out(hidden))
    meta: dict[str, str] = {}
    with contextlib.suppress(KeyError, TypeError, IndexError):
        meta = drop_empty(author=make_writable(str(book["metadata"]["authors"][0]["name"])))
    return Extracted(limit_length(text), decoded.encoding, meta, notes)


def _read_cells(book: dict[str, Any], hidden: list[str]) -> tuple[list[str], int]:
    """Return what is to be read, and how many characters of code were not.

    Words of comments in Markdown are added to `hidden`.
    """
    cells = (
        book["cells"] if "cells" in book else [c for s in book["worksheets"] for c in s["cells"]]
    )
    parts: list[str] = []
    code = 0
    for cell in cells:
        source = cell.get("source", cell.get("input", ""))
        source = "".join(source) if isinstance(source, list) else str(source)
        if cell.get("cell_type") in ("markdown", "raw", "heading"):
            parts.append(keep_shown(source, hidden))
            continue
        code += len(source)
        for line in source.splitlines():
            remark = line.partition("#")[2]
            if _WORD.search(remark):
                parts.append(remark.lstrip("# \t"))
                code -= len(remark)
    return parts, code
