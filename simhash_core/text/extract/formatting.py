"""What a run of a Word document looks like, as far as it decides whether it can be seen.

References
----------
ECMA-376 part 1: 17.3 (paragraph and run properties), 17.7 (styles), 17.18.97 (theme colours),
20.1.6 (colour schemes of themes).
"""

from __future__ import annotations

import colorsys
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from xml.etree.ElementTree import Element
from zipfile import ZipFile

from ...errors import Unreadable
from .extracted import BLACK, WHITE, Colour, blend_colours, is_alike, read_hex
from .zipped import parse_member

_LEAST_SIZE = 8.0  # half points; text of 4 points and less is a grey line to the eye
_USUAL_SIZE = 20.0  # half points, where nothing says more
_LEAST_SCALE = 20.0  # percent of the width of letters; Word's own list ends at 33
_MOST_CLOSE = 0.45  # of the size; letters moved that near to each other lie upon each other
_MOST_RAISED = 200.0  # half points up or down; that is another line
_LEAST_LINE = 60.0  # twentieths of a point: lines and rows of exactly 3 points show nothing
_MOST_INDENT = 14_000.0  # twentieths of a point; a page is 12,000 wide
_LEAST_ALPHA = 0.1

_OFF = frozenset(("0", "false", "off", "none"))
_HIGHLIGHTS = {
    name: read_hex(digits)
    for name, digits in (
        *(("black", "000000"), ("blue", "0000FF"), ("cyan", "00FFFF"), ("green", "00FF00")),
        *(("magenta", "FF00FF"), ("red", "FF0000"), ("yellow", "FFFF00"), ("white", "FFFFFF")),
        *(("darkBlue", "00008B"), ("darkCyan", "008B8B"), ("darkGreen", "006400")),
        *(("darkMagenta", "800080"), ("darkRed", "8B0000"), ("darkYellow", "808000")),
        *(("darkGray", "A9A9A9"), ("lightGray", "D3D3D3")),
    )
}
#: names of theme colours in runs and in drawings, and in the scheme of the theme
_SCHEME = {
    name: of_theme
    for of_theme, names in {
        "dk1": ("dark1", "text1", "tx1", "t1"),
        "lt1": ("light1", "background1", "bg1"),
        "dk2": ("dark2", "text2", "tx2", "t2"),
        "lt2": ("light2", "background2", "bg2"),
        "hlink": ("hyperlink",),
        "folHlink": ("followedHyperlink",),
    }.items()
    for name in names
}
_USUAL_THEME = {"dk1": BLACK, "lt1": WHITE, "dk2": (0x44, 0x54, 0x6A), "lt2": (0xE7, 0xE6, 0xE6)}

#: what is known of a ground: its colour, or None where a picture or a pattern may lie there
Ground = Colour | None
#: properties in force by their local names; a colour may be None: automatic, never hidden
Look = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Formatting:
    """Theme, defaults and styles of one document."""

    theme: Mapping[str, Colour] = field(default_factory=lambda: _USUAL_THEME)
    defaults: Look = field(default_factory=dict)
    styles: Mapping[str, Look] = field(default_factory=dict)  # with all that they are based on
    tables: frozenset[str] = frozenset()  # ids of table styles that shade some cells

    def of_paragraph(self, properties: Element | None) -> Look:
        """Return what a paragraph gives to all its runs, and its shading."""
        style = attribute(child(properties, "pStyle"), "val") or "\0paragraph"
        direct = self._of_block(properties)
        return {**self.defaults, **self.styles.get(style, {}), **direct}

    def of_run(self, properties: Element | None, paragraph: Look) -> Look:
        """Return what a run looks like in its paragraph."""
        if properties is None:
            return paragraph
        style = self.styles.get(attribute(child(properties, "rStyle"), "val"), {})
        return {**paragraph, **style, **self._of_letters(properties)}

    def shading(self, properties: Element | None, ground: Ground) -> Ground:
        """Return the ground that the properties of a cell, table or paragraph make."""
        shade = child(properties, "shd")
        return ground if shade is None else self._shade(shade, ground)

    def _of_block(self, properties: Element | None) -> dict[str, Any]:
        """Return the properties of a paragraph that can hide all of it."""
        look: dict[str, Any] = {}
        if properties is None:
            return look
        shade, lines = child(properties, "shd"), child(properties, "spacing")
        if shade is not None:
            look["block_shade"] = shade
        if attribute(lines, "lineRule") == "exact":
            look["line"] = number(attribute(lines, "line"))
        indent = child(properties, "ind")
        if indent is not None:
            names = ("left", "start", "right", "end", "firstLine")
            look["indent"] = max(abs(number(attribute(indent, name)) or 0.0) for name in names)
        return look

    def _of_letters(self, properties: Element | None) -> dict[str, Any]:
        """Return the properties of runs that can hide them."""
        look: dict[str, Any] = {}
        for one in properties if properties is not None else ():
            name, value = strip_namespace(one), attribute(one, "val")
            if name in ("vanish", "specVanish", "webHidden"):
                look[name] = value.lower() not in _OFF
            elif name in ("sz", "spacing", "w", "position"):
                look[name] = number(value.removesuffix("%"))
            elif name == "color":
                look["color"] = self.colour(one)
            elif name == "highlight":
                look["highlight"] = _HIGHLIGHTS.get(value)
            elif name == "shd":
                look["shade"] = one
            elif name == "textFill":  # of Word 2010: stands above the colour
                look["fill"] = self._text_fill(one)
        return look

    def colour(
        self, element: Element, value: str = "val", theme: str = "themeColor"
    ) -> Colour | None:
        """Return a colour, that of a theme first; None for an automatic one."""
        name = attribute(element, theme)
        of_theme = self.theme.get(_SCHEME.get(name, name))
        if of_theme is None:
            return read_hex(attribute(element, value))
        kind = theme.removesuffix("Color")
        tint, shade = (attribute(element, kind + change) for change in ("Tint", "Shade"))
        hue, light, full = colorsys.rgb_to_hls(*(channel / 255 for channel in of_theme))
        try:
            if tint:
                light = 1 - (1 - light) * int(tint, 16) / 255
            elif shade:
                light *= int(shade, 16) / 255
        except ValueError:
            return of_theme
        red, green, blue = (
            round(255 * min(max(c, 0.0), 1.0)) for c in colorsys.hls_to_rgb(hue, light, full)
        )
        return red, green, blue

    def _shade(self, shade: Element, ground: Ground) -> Ground:
        """Return the ground that a w:shd makes: its fill, and a pattern over it."""
        pattern = attribute(shade, "val")
        fill = self.colour(shade, "fill", "themeFill") or ground
        if pattern in ("", "nil", "clear"):
            return fill
        share = 1.0 if pattern == "solid" else (number(pattern[3:]) or 0.0) / 100
        if pattern != "solid" and not pattern.startswith("pct"):
            return None  # stripes
        ink = self.colour(shade, value="color") or BLACK
        return blend_colours(ink, fill, share) if fill is not None else None

    def _text_fill(self, fill: Element) -> Colour | str | None:
        """Return the colour that fills letters, "" for none, None for one that is not known."""
        if child(fill, "noFill") is not None:
            return ""
        solid = child(fill, "solidFill")
        return _read_colour(solid, self.theme) if solid is not None else None

    def filled(self, shape: Element, ground: Ground) -> Ground:
        """Return the ground inside a shape (wps:wsp, or a VML shape)."""
        drawn = child(shape, "spPr")
        if drawn is None:
            fill = attribute(shape, "fillcolor")
            if attribute(shape, "filled").lower() in ("f", "false"):
                return ground
            return (read_hex(fill[1:7]) or None) if fill.startswith("#") else None
        if child(drawn, "noFill") is not None:
            return ground
        solid = child(drawn, "solidFill")
        colour = _read_colour(solid, self.theme) if solid is not None else None
        return None if isinstance(colour, str) else colour


def read_parts(
    styles: Element | None, theme: Element | None, settings: Element | None
) -> Formatting:
    """Read theme and styles; a part that is not there says nothing."""
    formatting = Formatting(theme=_scheme(theme, settings))
    if styles is None:
        return formatting
    declared: dict[str, Look] = {}
    basis: dict[str, str] = {}
    tables: set[str] = set()
    for style in styles:
        if strip_namespace(style) != "style":
            continue
        name, kind = attribute(style, "styleId"), attribute(style, "type")
        if kind == "table":
            if any(strip_namespace(one) == "shd" for one in style.iter()):
                tables.add(name)
            continue
        declared[name] = {
            **formatting._of_block(child(style, "pPr")),
            **formatting._of_letters(child(style, "rPr")),
        }
        basis[name] = attribute(child(style, "basedOn"), "val")
        if kind == "paragraph" and attribute(style, "default") in ("1", "true", "on"):
            declared["\0paragraph"], basis["\0paragraph"] = declared[name], basis[name]
    given = child(child(child(styles, "docDefaults"), "rPrDefault"), "rPr")
    return replace(
        formatting,
        defaults=formatting._of_letters(given),
        styles=inherit_styles(declared, basis),
        tables=frozenset(tables),
    )


def inherit_styles(declared: Mapping[str, Look], basis: Mapping[str, str]) -> dict[str, Look]:
    """Return styles with what those give that they are based on; each is resolved once."""
    whole: dict[str, Look] = {}
    for name in declared:
        chain: dict[str, None] = {}  # in order; a style may be based on itself in a circle
        above = name
        while above in declared and above not in whole and above not in chain:
            chain[above] = None
            above = basis[above]
        look = whole.get(above, {})
        for one in reversed(chain):
            look = whole[one] = {**look, **declared[one]}
    return whole


def is_hidden(look: Look, ground: Ground, formatting: Formatting) -> bool:
    """Whether nobody sees letters of this look on this ground."""
    if is_gone(look):
        return True
    size = look.get("sz") or _USUAL_SIZE
    if size <= _LEAST_SIZE or (look.get("w") or 100.0) <= _LEAST_SCALE:
        return True
    # spacing in twentieths of a point, size in half points
    if -(look.get("spacing") or 0.0) / 10 >= _MOST_CLOSE * size:
        return True
    if abs(look.get("position") or 0.0) >= _MOST_RAISED:
        return True
    if (look.get("line") or _LEAST_LINE + 1) <= _LEAST_LINE:
        return True
    if (look.get("indent") or 0.0) >= _MOST_INDENT:
        return True
    return _is_faint(look, ground, formatting)


def is_gone(look: Look) -> bool:
    """Whether a run is hidden with all that is anchored in it."""
    return bool(look.get("vanish") or look.get("specVanish"))


def is_row_hidden(properties: Element | None) -> bool:
    """Whether a table row shows nothing: hidden, or of no height."""
    if child(properties, "hidden") is not None:
        return True
    height = child(properties, "trHeight")
    low = number(attribute(height, "val"))
    return attribute(height, "hRule") == "exact" and low is not None and low <= _LEAST_LINE


def _is_faint(look: Look, ground: Ground, formatting: Formatting) -> bool:
    """Whether the colour of letters is that of what lies behind them."""
    fill = look.get("fill")
    if fill == "":
        return True
    colour = fill or look.get("color")
    if colour is None:
        return False
    for name in ("block_shade", "shade"):
        if name in look:
            ground = formatting._shade(look[name], ground)
    ground = look.get("highlight") or ground
    return ground is not None and is_alike(colour, ground)


def _scheme(theme: Element | None, settings: Element | None) -> dict[str, Colour]:
    """Return the colours of a theme, by the names of its scheme."""
    colours: dict[str, Colour] = dict(_USUAL_THEME)
    scheme = child(child(theme, "themeElements"), "clrScheme")
    for one in scheme if scheme is not None else ():
        for value in one:
            colour = read_hex(attribute(value, "lastClr") or attribute(value, "val"))
            if colour is not None:
                colours[strip_namespace(one)] = colour
    # a document may use the light colours of its theme for text
    changed = {
        _SCHEME[of]: colours[_SCHEME[to]]
        for of, name in (("bg1", "bg1"), ("tx1", "t1"), ("bg2", "bg2"), ("tx2", "t2"))
        if (to := attribute(child(settings, "clrSchemeMapping"), name)) in _SCHEME
        and _SCHEME[to] in colours
    }
    return {**colours, **changed}


def _read_colour(solid: Element, theme: Mapping[str, Colour]) -> Colour | str | None:
    """Return the colour of an a:solidFill, "" where it is transparent, None if unknown."""
    for one in solid:
        alpha = child(one, "alpha")
        value = attribute(one, "val")
        name = strip_namespace(one)
        # DrawingML says how much is seen, Word's own effects how much is not
        share = (number(attribute(alpha, "val")) or 0.0) / 100_000 if alpha is not None else 1.0
        if alpha is not None and "wordml" in one.tag:
            share = 1.0 - share
        if share <= _LEAST_ALPHA:
            return ""
        if name == "srgbClr":
            return read_hex(value)
        if name == "schemeClr" and not len(one):
            return theme.get(_SCHEME.get(value, value))
    return None


def related_parts(archive: ZipFile, part: str) -> dict[str, tuple[str, str]]:
    """Return the kind and the name of what a part refers to, by the id of the relation."""
    folder, file = posixpath.split(part)
    try:
        root = parse_member(archive, posixpath.join(folder, "_rels", f"{file}.rels"))
    except Unreadable:
        return {}
    related = {}
    for one in root:
        target = posixpath.join("/", folder, one.get("Target", "").replace("\\", "/"))
        if one.get("TargetMode") != "External":
            kind = one.get("Type", "").rpartition("/")[2]
            related[one.get("Id", "")] = (kind, posixpath.normpath(target).lstrip("/"))
    return related


# ---------------------------------------------------------------------------- elements


def strip_namespace(element: Element) -> str:
    """Return the name of an element without its namespace."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element | None, name: str) -> str:
    """Return an attribute in whichever of the two WordprocessingML namespaces it stands."""
    if element is None:
        return ""
    for key, value in element.attrib.items():
        if key == name or key.endswith("}" + name):
            return value
    return ""


def child(element: Element | None, name: str) -> Element | None:
    """Return the first child of a name."""
    if element is None:
        return None
    return next((one for one in element if strip_namespace(one) == name), None)


def number(text: str) -> float | None:
    """Return a number; None for what is none."""
    try:
        return float(text.removesuffix("pt"))
    except ValueError:
        return None
