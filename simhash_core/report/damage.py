"""What is damaged in the file of a check, in words: on pages, in reports, on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from ..i18n import Translate
from ..storage import Damage
from .visible import one_line

MOST = 4  # sentences; the rest is counted
_OF_DECISIONS = ("event", "missing", "events")


def fault_text(fault: Damage, t: Translate) -> str:
    """Return the sentence for one fault."""
    params = dict(fault.params)
    if fault.code == "missing" and params["first"] < params["last"]:
        return t("error.damage_missing_many", **params)
    if fault.code == "value":
        params["name"] = one_line(str(params["name"]))
    return t(f"error.damage_{fault.code}", **params)


def damage_text(damage: Sequence[Damage], t: Translate, language: str) -> str:
    """Return what is damaged and what follows from it, "" where nothing is."""
    if not damage:
        return ""
    parts = [fault_text(fault, t) for fault in damage[:MOST]]
    if len(damage) > MOST:
        parts.append(t("error.damage_more", n=len(damage) - MOST))
    if any(fault.code in _OF_DECISIONS for fault in damage):
        parts.append(t("error.damage_undecided"))
    return ("" if language == "zh" else " ").join(parts)
