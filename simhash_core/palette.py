"""Every colour of the pages, of charts and of reports; a test finds those written elsewhere.

LIGHT, DARK            the two modes of the pages
css_tokens()           both as the variables `--lt-...` of a style sheet
PAPER                  reports, as HTML and as PDF: one mode, on white
CLEAR                  nothing

`.streamlit/config.toml` repeats the tokens that Streamlit needs, and the files of the logo their
two: neither can read them from here.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

CLEAR = "rgba(0,0,0,0)"


@dataclass(frozen=True, slots=True)
class Palette:
    """Named colours of one mode. `sequence` runs from sinking into the page to standing out."""

    bg: str
    side: str  # behind the navigation
    surf: str  # under the pointer, fields
    hair: str
    rule: str
    grid: str
    ink: str
    ink2: str
    accent: str
    on_accent: str
    wash: str  # what is selected
    bulk: str  # bars of everything else
    hold_2: str  # held by two texts alone, by three to five, by more
    hold_few: str
    hold_many: str
    back: str  # behind the bars
    warn: str
    bad: str
    good: str
    identical: str
    reworded: str
    moved: str
    meaning: str  # source colour 4: pages with this kind have no sources
    sources: tuple[str, ...]
    sequence: tuple[str, ...]


LIGHT = Palette(
    bg="#FCFBF8",
    side="#F4F2EC",
    surf="#F3F1EB",
    hair="#DEDAD0",
    rule="#1D2126",
    grid="#EBE8E0",
    ink="#1D2126",
    ink2="#5D636A",
    accent="#2D4F8A",
    on_accent="#FFFFFF",
    wash="#E6EBF3",
    bulk="#C6C2B6",
    hold_2="#2D4F8A",
    hold_few="#93A9CC",
    hold_many="#C6C2B6",
    back="#EAE7DE",
    warn="#9A5B14",
    bad="#A3382F",
    good="#2F6F55",
    identical="#2D4F8A",
    reworded="#7C4C08",
    moved="#107C6A",
    meaning="#855DC6",
    sources=(
        *("#2D4F8A", "#7C4C08", "#107C6A", "#855DC6"),
        *("#7E134B", "#A98527", "#7694AA", "#4F1D01"),
    ),
    sequence=(
        *("#F3F1EB", "#E1E5EA", "#CBD5E2", "#B1C2D9", "#94ADCE"),
        *("#7696C1", "#587EB0", "#41699F", "#2D4F8A", "#1B3157"),
    ),
)

DARK = Palette(
    bg="#15181B",
    side="#101315",
    surf="#1F2327",
    hair="#33383D",
    rule="#8A8F94",
    grid="#24292D",
    ink="#E7E4DC",
    ink2="#A3A8AD",
    accent="#8FB4EC",
    on_accent="#0E1726",
    wash="#22304A",
    bulk="#50575D",
    hold_2="#73B0E7",
    hold_few="#4C6F9C",
    hold_many="#50575D",
    back="#262B30",
    warn="#E2A55E",
    bad="#E58A80",
    good="#7DC3A2",
    identical="#73B0E7",
    reworded="#E18B15",
    moved="#83E7A3",
    meaning="#9E6CD8",
    sources=(
        *("#73B0E7", "#E18B15", "#83E7A3", "#9E6CD8"),
        *("#BD6B8C", "#E3C301", "#C9E8FD", "#C89B8D"),
    ),
    sequence=(
        *("#1F2327", "#24303F", "#2A3D56", "#304B6E", "#385B88"),
        *("#446EA4", "#5884C8", "#7FA6E3", "#A9C6F2", "#DCE8FA"),
    ),
)

#: tokens whose name in a style sheet is another one; `grid` is only in charts
_CSS_NAMES = {"accent": "acc", "on_accent": "on-acc"}
_CHARTS_ONLY = ("grid", "sequence")
#: a page of a document as a picture: in the dark it stays paper, a little darker
_SHEET = ("#FFFFFF", "#ECE8DE")


def css_tokens() -> str:
    """Return the colours of both modes as a style sheet, for `light-dark()` to choose from.

    >>> css_tokens().splitlines()[1]
    '  --lt-bg: light-dark(#FCFBF8, #15181B);'
    """
    pairs: list[tuple[str, str, str]] = []
    for field in fields(Palette):
        if field.name == "sources":
            both = zip(LIGHT.sources, DARK.sources, strict=True)
            pairs += [(f"s{at}", *colours) for at, colours in enumerate(both, 1)]
        elif field.name not in _CHARTS_ONLY:
            name = _CSS_NAMES.get(field.name, field.name.replace("_", "-"))
            pairs.append((name, getattr(LIGHT, field.name), getattr(DARK, field.name)))
    drawn = {"ink": LIGHT.ink, "ink2": LIGHT.ink2, "acc": LIGHT.accent}
    pairs += [("sheet", *_SHEET), *((f"sheet-{name}", one, one) for name, one in drawn.items())]
    lines = [f"  --lt-{name}: light-dark({light}, {dark});" for name, light, dark in pairs]
    return "\n".join([":root {", *lines, "}"])


@dataclass(frozen=True, slots=True)
class Paper:
    """Named colours of a report."""

    bg: str = "#FFFFFF"
    ink: str = LIGHT.ink
    dim: str = LIGHT.ink2
    line: str = "#C9C4B8"
    edge: str = "#B9B4A8"  # under the head of a page
    accent: str = LIGHT.accent
    identical: str = LIGHT.identical
    reworded: str = LIGHT.reworded
    moved: str = LIGHT.moved
    summary: str = "#6B3E86"
    meaning: str = LIGHT.meaning
    target: str = "#F4E3B5"  # behind what a link leads to


PAPER = Paper()
