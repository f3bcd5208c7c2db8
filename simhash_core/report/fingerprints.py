"""Fingerprints as data: schema `leitong.fingerprint/1`, each bit explained where asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..checking.fingerprinting import collection_stats, explain_document, recipe_of
from ..model import Document
from ..result import BitExplanation
from ..seen.comparison import Dominance, dominance_of
from ..settings import Settings

FINGERPRINT_SCHEMA = "leitong.fingerprint/1"


def fingerprint_data(
    documents: Sequence[Document], *, settings: Settings, explained: bool
) -> dict[str, Any]:
    """Return the fingerprints of documents, each bit explained where asked."""
    stats = collection_stats(documents, settings=settings)
    rows = []
    for document in documents:
        why, length = explain_document(document, settings=settings, stats=stats)
        row: dict[str, Any] = {
            "name": document.name,
            "id": document.id,
            "tokens": length,
            "fingerprint": np.packbits(why.bits).tobytes().hex() if len(why.tokens) else None,
        }
        if explained:
            row["dominance"] = _dominance(dominance_of(why, weighting=settings.weighting))
            row["bits"] = [_bit(why, bit) for bit in range(len(why.bits))]
        rows.append(row)
    return {
        "schema": FINGERPRINT_SCHEMA,
        "bits": settings.bits,
        "recipe": recipe_of(settings, stats),
        "documents": rows,
    }


def _bit(why: BitExplanation, bit: int) -> dict[str, Any]:
    """One bit with every vote on it, strongest first."""
    votes = why.votes[:, bit]
    order = np.argsort(-np.abs(votes), kind="stable")
    return {
        "bit": bit,
        "value": int(why.bits[bit]),
        "sum": int(why.sums[bit]),
        "margin": round(float(why.margin[bit]), 6),
        "words": [[why.tokens[token], int(votes[token])] for token in order],
    }


def _dominance(dominance: Dominance) -> dict[str, Any]:
    return {
        "word": dominance.token or None,
        "share": round(dominance.share, 4),
        "limit": dominance.limit,
        "above": dominance.above,
    }
