"""Possible translations as plain data: by pair, the strongest first."""

from __future__ import annotations

import math
from typing import Any

from ..result import CheckResult

KIND = "translated"


def passages_by_pair(result: CheckResult) -> dict[tuple[int, int], list[dict[str, Any]]]:
    """Return the passages of each pair as plain dictionaries, pairs the strongest first."""
    translations = result.translations
    if translations is None:
        return {}
    chance = translations.chance().tolist()
    return {
        pair: [
            {
                "a_start": int(translations.a_start[row]),
                "a_end": int(translations.a_end[row]),
                "b_start": int(translations.b_start[row]),
                "b_end": int(translations.b_end[row]),
                "kind": KIND,
                "score": round(float(translations.score[row]), 4),
                "chance": None if math.isnan(chance[row]) else float(f"{chance[row]:.3g}"),
            }
            for row in translations.of_pair(*pair).tolist()
        ]
        for pair in translations.pairs()
    }
