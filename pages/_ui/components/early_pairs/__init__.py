"""The pairs that a running check has so far: a short list whose rows can be focused and opened."""

from __future__ import annotations

from collections.abc import Sequence

from .. import register

_mount = register("early_pairs", '<ol class="pairs"></ol>')


def early_pairs(
    rows: Sequence[tuple[str, str, str]], *, key: str, label: str, between: str
) -> int | None:
    """Draw pairs as (first name, second name, distance); return the row to open, or None."""
    answer = _mount(
        key=key,
        data={"rows": [list(row) for row in rows], "label": label, "between": between},
        on_open_change=lambda: None,
    )
    return None if answer.open is None else int(answer.open)
