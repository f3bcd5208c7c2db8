"""The library of this reader: opened once in a process, and what runs for it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from simhash_core.folders import private_folder
from simhash_core.storage import library_address
from simhash_core.storage.library import Library

from . import open_checks
from .session import t
from .widgets import caution


@st.cache_resource(show_spinner=False)
def _keep_libraries() -> dict[str, Library]:
    return {}


def library() -> Library | None:
    """Return the library of this reader, None where nothing was ever added; raises `StoreError`."""
    owner = open_checks.owner()
    held = _keep_libraries().get(owner)
    if held is not None:
        return held
    address = library_address(owner)
    if "://" not in address and not Path(address).exists():
        return None
    return _keep_libraries().setdefault(owner, Library.open(address, owner=owner))


def say_damage(held: Library) -> None:
    """Say above what is read from a library that some of its file is damaged."""
    if not held.is_sound:
        caution(t("library.unsound"), t("library.unsound_text"))


def library_to_fill() -> Library:
    """Return the library of this reader, made where there is none; raises `StoreError`."""
    held = library()
    if held is not None:
        return held
    owner = open_checks.owner()
    address = library_address(owner)
    private_folder(Path(address).parent)
    return _keep_libraries().setdefault(owner, Library.open(address, owner=owner, create=True))
