"""Links name a text by its row in the check or the beginning of its id, never by its name."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from simhash_core import Document

SHORTEST_ID = 6  # hex digits of a document id that may stand in a link


def find_row(documents: Sequence[Document], name: str) -> int | None:
    """Return the row that a link means, None where it means none."""
    if name.isascii() and name.isdigit() and len(name) < SHORTEST_ID:
        return int(name) if int(name) < len(documents) else None
    if len(name) < SHORTEST_ID:
        return None
    rows = [row for row, document in enumerate(documents) if document.id.startswith(name)]
    return rows[0] if rows else None


def keep_only(*names: str) -> None:
    """Drop from the address what another page wrote there: going back would restore it.

    Which check is looked at stays.
    """
    for name in set(st.query_params) - {*names, "check"}:
        st.query_params.pop(name)
