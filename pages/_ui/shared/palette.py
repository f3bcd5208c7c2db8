"""The colours of charts, which cannot read CSS. A test compares them with frame.css."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

SANS = (
    "-apple-system, 'Segoe UI', 'Inter', 'Noto Sans', 'Liberation Sans', 'PingFang SC', "
    "'Microsoft YaHei UI', 'Noto Sans CJK SC', 'Source Han Sans SC', 'WenQuanYi Zen Hei', "
    "sans-serif"
)


@dataclass(frozen=True, slots=True)
class Palette:
    """Named colours of one mode. `sequence` runs from sinking into the page to standing out."""

    bg: str
    surf: str
    hair: str
    grid: str
    ink: str
    ink2: str
    accent: str
    bulk: str
    back: str
    identical: str
    reworded: str
    moved: str
    warn: str
    sources: tuple[str, ...]
    sequence: tuple[str, ...]


LIGHT = Palette(
    bg="#FCFBF8",
    surf="#F3F1EB",
    hair="#DEDAD0",
    grid="#EBE8E0",
    ink="#1D2126",
    ink2="#5D636A",
    accent="#2D4F8A",
    bulk="#C6C2B6",
    back="#EAE7DE",
    identical="#2D4F8A",
    reworded="#7C4C08",
    moved="#107C6A",
    warn="#9A5B14",
    sources=(
        "#2D4F8A",
        "#7C4C08",
        "#107C6A",
        "#855DC6",
        "#7E134B",
        "#A98527",
        "#7694AA",
        "#4F1D01",
    ),
    sequence=(
        "#F3F1EB",
        "#E1E5EA",
        "#CBD5E2",
        "#B1C2D9",
        "#94ADCE",
        "#7696C1",
        "#587EB0",
        "#41699F",
        "#2D4F8A",
        "#1B3157",
    ),
)

DARK = Palette(
    bg="#15181B",
    surf="#1F2327",
    hair="#33383D",
    grid="#24292D",
    ink="#E7E4DC",
    ink2="#A3A8AD",
    accent="#8FB4EC",
    bulk="#50575D",
    back="#262B30",
    identical="#73B0E7",
    reworded="#E18B15",
    moved="#83E7A3",
    warn="#E2A55E",
    sources=(
        "#73B0E7",
        "#E18B15",
        "#83E7A3",
        "#9E6CD8",
        "#BD6B8C",
        "#E3C301",
        "#C9E8FD",
        "#C89B8D",
    ),
    sequence=(
        "#1F2327",
        "#24303F",
        "#2A3D56",
        "#304B6E",
        "#385B88",
        "#446EA4",
        "#5884C8",
        "#7FA6E3",
        "#A9C6F2",
        "#DCE8FA",
    ),
)


def palette() -> Palette:
    """Return the colours of the mode that the reader looks at."""
    return DARK if st.context.theme.type == "dark" else LIGHT
