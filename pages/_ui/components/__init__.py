"""Components that Streamlit lacks: each folder holds one with its style and its script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent


def register(
    name: str, html: str, *, styles_of: tuple[str, ...] = (), scripts: tuple[str, ...] = ()
) -> Any:
    """Register the component of a folder and return the function that draws it.

    `styles_of` names other components whose style comes before its style, `scripts` files of this
    folder whose functions its script uses.
    """
    styles = [_HERE / folder / "component.css" for folder in (*styles_of, name)]
    return st.components.v2.component(
        f"leitong_{name}",
        html=html,
        css="".join(style.read_text("utf-8") for style in styles),
        js="".join(
            (_HERE / script).read_text("utf-8") for script in (*scripts, f"{name}/component.js")
        ),
    )
