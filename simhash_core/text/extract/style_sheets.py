"""Style sheets of web pages, as far as they hide text or draw it.

Rules for screens without further conditions hold, in the order of the cascade; selectors may be all
that lexbor knows. A sheet is read in linear time.

References
----------
CSS Syntax 3, Selectors 4 (specificity), CSS Cascade 4, CSS Color 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from .extracted import BLACK, Colour, read_hex
from .selectors import SelectorSearch, TooMuch

Declarations = Mapping[str, str]
#: by property: its rank in the cascade, and its value
_Ranked = dict[str, tuple[tuple[int, int, int], str]]
_Key = tuple[str, str, str]  # a simple selector: tag, id, class

#: what is looked at; of all others a page may declare what it likes
_PROPERTIES = frozenset(
    (
        *("display", "visibility", "opacity", "color", "-webkit-text-fill-color", "content"),
        *("background", "background-color", "background-image", "font-size", "font"),
        *("position", "left", "right", "top", "bottom", "text-indent", "margin-left"),
        *("margin-top", "clip", "clip-path", "overflow", "width", "height", "max-height"),
        *("max-width", "transform", "letter-spacing", "content-visibility", "filter"),
    )
)
_INLINE = 1_000_000  # the specificity of a style attribute

#: a string that is not closed ends with its line, as in a browser; so it is read once
_TOKEN = re.compile(r"""[{}]|/\*|"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?""")
_DECLARATION = re.compile(r"""(?:[^;"']++|"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?)++""")
_SIMPLE = re.compile(r"(\*|[A-Za-z][A-Za-z0-9]*)?(?:#([\w-]+))?(?:\.([\w-]+))?")
_STATES = re.compile(r":(?:hover|focus|active|visited|checked|target|disabled)", re.I)
_SEEN_MEDIA = frozenset(("all", "screen", "only screen"))


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rules of all style sheets of a page."""

    simple: Mapping[_Key, _Ranked] = field(default_factory=dict)
    by_node: Mapping[int, _Ranked] = field(default_factory=dict)  # by the address of a node
    drawn: tuple[str, ...] = ()  # values of `content`: text that stands in the sheet
    unsearched: int = 0  # selectors that cost too much to look for

    def of(self, node: LexborNode) -> Declarations:
        """Return what is declared for an element, in its own style too."""
        attributes = node.attributes
        style = attributes.get("style")
        if not style and not self.simple and not self.by_node:
            return {}
        ranked: _Ranked = {}
        for key in self._keys(node.tag or "", attributes) if self.simple else ():
            _merge_ranked(ranked, self.simple.get(key, {}))
        _merge_ranked(ranked, self.by_node.get(node.mem_id, {}))
        if style:
            _merge_ranked(ranked, _rank(_read_declarations(style), _INLINE, 0))
        return {name: value for name, (_, value) in ranked.items()}

    @staticmethod
    def _keys(tag: str, attributes: Mapping[str, str | None]) -> Iterator[_Key]:
        """Yield the simple selectors that fit an element."""
        name, classes = attributes.get("id"), (attributes.get("class") or "").split()
        for tags in ("", tag):
            for names in ("", name) if name else ("",):
                yield tags, names, ""
                for one in classes:
                    yield tags, names, one


def sheet_of(page: LexborHTMLParser) -> Sheet:
    """Read the style elements of a page."""
    simple: dict[_Key, _Ranked] = {}
    searched: list[tuple[str, _Ranked]] = []
    drawn: list[str] = []
    order = 0
    for element in page.css("style"):
        media = (element.attributes.get("media") or "all").strip().lower()
        if media not in _SEEN_MEDIA:
            continue
        for prelude, block in _read_rules(element.text()):
            declarations = _read_declarations(block)
            # a list with commas inside brackets stays whole
            whole = "(" in prelude or "[" in prelude
            for selector in [prelude] if whole else map(str.strip, prelude.split(",")):
                order += 1
                rules = _rank(declarations, _specificity(selector), order)
                if "content" in rules:
                    drawn.append(rules.pop("content")[1])
                match = _SIMPLE.fullmatch(selector)
                if match and rules:
                    tag, name, one = (part or "" for part in match.groups())
                    key = ("" if tag == "*" else tag.lower(), name, one)
                    _merge_ranked(simple.setdefault(key, {}), rules)
                elif rules and not _STATES.search(selector):
                    searched.append((selector, rules))
    by_node: dict[int, _Ranked] = {}
    search, unsearched = SelectorSearch(page), 0
    for selector, rules in searched:
        try:
            nodes = search.find(selector)
        except TooMuch:
            unsearched += 1
            continue
        for address in nodes:
            _merge_ranked(by_node.setdefault(address, {}), rules)
    return Sheet(simple, by_node, tuple(drawn), unsearched)


def _read_rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield selectors and declarations of the rules that hold on a screen."""
    opened: list[tuple[str, int, bool]] = []  # prelude, where the block begins, whether it holds
    begin = at = 0
    while (token := _TOKEN.search(sheet, at)) is not None:
        at = token.end()
        if token[0] == "/*":
            end = sheet.find("*/", at)
            at = len(sheet) if end < 0 else end + 2
            if not opened or opened[-1][0].startswith("@"):
                begin = at
        elif token[0] == "{":
            prelude = sheet[begin : token.start()].rpartition(";")[2].strip()
            outer = not opened or (opened[-1][2] and opened[-1][0].startswith("@"))
            opened.append((prelude, at, outer and _is_for_screens(prelude)))
            begin = at
        elif token[0] == "}":
            if opened:
                prelude, inside, holds = opened.pop()
                if holds and prelude and not prelude.startswith("@"):
                    yield prelude, sheet[inside : token.start()]
            begin = at


def _is_for_screens(prelude: str) -> bool:
    """Whether what stands in a block is for screens; conditions are not looked at."""
    if not prelude.startswith("@"):
        return True
    name, _, condition = prelude[1:].partition(" ")
    if name.lower() in ("layer", "supports"):
        return True
    return name.lower() == "media" and condition.strip().lower() in _SEEN_MEDIA


def _specificity(selector: str) -> int:
    """Return the rank of a selector: ids, then classes, then tags (about, for long ones)."""
    ids, classes = selector.count("#"), sum(map(selector.count, ".[:"))
    tags = len(re.findall(r"(?<![\w.#:\[-])[A-Za-z]", selector))
    return 10_000 * min(ids, 90) + 100 * min(classes, 99) + min(tags, 99)


def _read_declarations(block: str) -> list[tuple[str, int, str]]:
    """Return what a block declares of what is looked at: name, whether important, value."""
    declared: dict[tuple[str, int], str] = {}
    for part in _DECLARATION.findall(block):
        name, colon, value = part.rpartition("*/")[2].partition(":")
        name = name.strip().lower()
        if not colon or name not in _PROPERTIES:
            continue
        value = value.strip()
        important = value.lower().endswith("!important")
        value = value[: value.rfind("!")].rstrip() if important else value
        declared[name, int(important)] = value if name == "content" else value.lower()
    return [(name, important, value) for (name, important), value in declared.items()]


def _rank(declared: Sequence[tuple[str, int, str]], specificity: int, order: int) -> _Ranked:
    ranked: _Ranked = {}
    for name, important, value in declared:
        _merge_ranked(ranked, {name: ((important, specificity, order), value)})
    return ranked


def _merge_ranked(ranked: _Ranked, others: _Ranked) -> None:
    """Let the declarations of the higher rank hold."""
    for name, declared in others.items():
        if name not in ranked or ranked[name][0] <= declared[0]:
            ranked[name] = declared


# ------------------------------------------------------------------------------------ values

_LENGTH = re.compile(
    r"(-?(?:[0-9]++(?:\.[0-9]+)?|\.[0-9]+))(px|pt|pc|em|rem|ex|ch|%|in|cm|mm|vw|vh|)?"
)
_PIXELS = {"px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "": 1.0}
_VIEW = 10.0  # pixels of a hundredth of the window, about
_FUNCTION = re.compile(r"(rgba?|hsla?)\(([^()]{1,80})\)")
_HEX = re.compile(r"#([0-9a-f]{3,8})\b")
_NAMED_COLOURS = """
    white ffffff black 000000 snow fffafa ivory fffff0 ghostwhite f8f8ff floralwhite fffaf0
    mintcream f5fffa whitesmoke f5f5f5 azure f0ffff aliceblue f0f8ff honeydew f0fff0
    seashell fff5ee oldlace fdf5e6 lavenderblush fff0f5 linen faf0e6 beige f5f5dc
    lightyellow ffffe0 lightcyan e0ffff red ff0000 cornsilk fff8dc lemonchiffon fffacd
    yellow ffff00 green 008000 blue 0000ff navy 000080 grey 808080 gray 808080 silver c0c0c0
    gainsboro dcdcdc maroon 800000 purple 800080 teal 008080 lime 00ff00 olive 808000
    aqua 00ffff cyan 00ffff fuchsia ff00ff magenta ff00ff orange ffa500 darkred 8b0000
    darkblue 00008b darkgreen 006400
"""
_NAMES: Mapping[str, Colour] = {
    name: colour
    for name, digits in re.findall(r"(\w+) (\w+)", _NAMED_COLOURS)
    if (colour := read_hex(digits)) is not None
}


def colour_of(value: str) -> tuple[Colour, float] | None:
    """Return a colour and how much of it is seen, 0 to 1; None for one that is not known."""
    value = value.strip().lower()
    if value == "transparent":
        return BLACK, 0.0
    if value in _NAMES:
        return _NAMES[value], 1.0
    digits = _HEX.fullmatch(value)
    if digits:
        return _colour_of_digits(digits[1])
    function = _FUNCTION.fullmatch(value)
    if function is None or function[1].startswith("hsl"):
        return None
    parts = re.findall(r"[0-9.]+%?", function[2])
    if len(parts) < 3:
        return None
    try:
        red, green, blue = (min(round(_share(part, 255) * 255), 255) for part in parts[:3])
        return (red, green, blue), _share(parts[3], 1) if len(parts) > 3 else 1.0
    except ValueError:
        return None


def _colour_of_digits(digits: str) -> tuple[Colour, float] | None:
    if len(digits) in (3, 4):
        digits = "".join(digit * 2 for digit in digits)
    colour = read_hex(digits[:6])
    if colour is None or len(digits) not in (6, 8):
        return None
    return colour, int(digits[6:] or "ff", 16) / 255


def _share(text: str, whole: float) -> float:
    return float(text[:-1]) / 100 if text.endswith("%") else float(text) / whole


def background_of(declared: Declarations) -> Colour | str:
    """Return the colour of a background, "" where none is declared, "?" where it is not known."""
    value = " ".join(
        declared[name]
        for name in ("background", "background-image", "background-color")
        if name in declared
    )
    if not value:
        return ""
    if "url(" in value or "gradient" in value or "var(" in value:
        return "?"
    words = [function[0] for function in _FUNCTION.finditer(value)]
    words += _FUNCTION.sub(" ", value).split()
    colours = [one for word in words if (one := colour_of(word)) is not None]
    if not colours:
        return "" if value in ("none", "inherit", "initial", "unset", "none none") else "?"
    colour, seen = colours[-1]
    return colour if seen > 0.9 else "" if seen < 0.1 else "?"


def pixels(value: str, size: float) -> float | None:
    """Return a length in pixels; `size` is that of the letters around it."""
    match = _LENGTH.fullmatch(value.strip())
    if match is None:
        return None
    length, unit = float(match[1]), match[2] or ""
    if unit in ("em", "ch", "ex"):
        return length * size * (1.0 if unit == "em" else 0.5)
    if unit == "%":
        return length * size / 100
    if unit in ("vw", "vh"):
        return length * _VIEW
    return length * (16.0 if unit == "rem" else _PIXELS[unit])


def drawn_letters(sheet: Sheet, page: LexborHTMLParser) -> int:
    """Count the letters that the sheet draws beside elements; icons are no letters."""
    names = {name.lower() for value in sheet.drawn for name in _ATTRIBUTE.findall(value)}
    drawn = list(map(_text_of, sheet.drawn))
    for node in page.css("*") if names else ():
        drawn += (value for name, value in node.attributes.items() if name in names and value)
    return sum(sum(map(str.isalnum, value)) for value in drawn)


_ATTRIBUTE = re.compile(r"attr\(\s*([A-Za-z][\w-]{0,60})")
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6}) ?")
_STRING = re.compile(r""""((?:[^"\\\n]|\\.)*+)"?|'((?:[^'\\\n]|\\.)*+)'?""")


def _text_of(value: str) -> str:
    """Return what the strings of a `content` say."""

    def character(match: re.Match[str]) -> str:
        point = int(match[1], 16)
        return chr(point) if point < 0x110000 and not 0xD800 <= point < 0xE000 else ""

    strings = (match[1] or match[2] or "" for match in _STRING.finditer(value))
    return "".join(_ESCAPE.sub(character, text) for text in strings)
