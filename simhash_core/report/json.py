"""A result as data: schema `schemas.CHECK`, stable keys, offsets into the extracted text.

What no share counts stands by pair: passages of the same meaning, within a language or across, with
what answers what.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, TypedDict, Unpack

import numpy as np

from .. import schemas
from ..cases import ListedCases, case_records
from ..checking.fingerprinting import collection_stats, explain_document, recipe_of
from ..i18n import Translate
from ..metadata import PairScore, Score
from ..model import NO_DISTANCE, Document, Note, Passages
from ..numbers import pairs_compared
from ..people.roster import Member
from ..result import (
    BitExplanation,
    CheckResult,
    Cluster,
    Comparison,
    Meanings,
    ThresholdView,
    meanings_shown,
)
from ..seen.comparison import dominance_of
from ..seen.exclusion_view import ExclusionView
from ..seen.meanings import found_by
from ..seen.on_page import unseen_kinds
from ..seen.stored import ResultChanges
from ..seen.thresholds import view_at_threshold
from ..settings import Settings
from ..text.lengths import length_of
from .columns import (
    DOCUMENTS,
    IN_JSON,
    PASSAGES_IN_JSON,
    PLACES,
    SKIPPED,
    PassageFacts,
    division_record,
    list_pairs,
    record,
    round_cell,
)

#: kinds of passages that are part of no share
MEANING = "meaning"


class Known(TypedDict, total=False):
    """What is known of a check beside its result.

    Attributes
    ----------
    view
        The result at the threshold in force (`view_at_threshold`); by default at that of the check.
    exclusions
        What was left out, where the result is what is left.
    missing
        Members of a class list who handed nothing in.
    changes
        What an earlier check of these texts did not list, or listed.
    cases
        Those that a project keeps, with answers and numbers; by default as nobody answered.
    """

    view: ThresholdView | None
    exclusions: ExclusionView | None
    missing: Sequence[Member]
    changes: ResultChanges | None
    cases: ListedCases | None


def to_json(result: CheckResult, t: Translate, **known: Unpack[Known]) -> str:
    """Write a whole check; names are as given, every range is half-open code points."""
    return schemas.json_text(check_data(result, t, **known), allow_nan=False)


def check_data(
    result: CheckResult,
    t: Translate,
    *,
    view: ThresholdView | None = None,
    exclusions: ExclusionView | None = None,
    missing: Sequence[Member] = (),
    changes: ResultChanges | None = None,
    cases: ListedCases | None = None,
) -> dict[str, Any]:
    """Return a check as plain dictionaries; see `Known`."""
    view = view or view_at_threshold(result, result.threshold)
    changed = {"new": changes.new, "gone": changes.gone} if changes is not None else {}
    by_name = {
        name: [{"a": a.name, "b": b.name, "ids": [a.id, b.id]} for a, b in pairs]
        for name, pairs in changed.items()
    }
    return {
        "schema": schemas.CHECK,
        "version": result.version,
        "settings": {**asdict(result.settings), "recipe": result.fingerprints.recipe},
        "threshold": {
            "distance": view.threshold,
            "batch_distance": None if view.batch_threshold < 0 else view.batch_threshold,
            "expected_false_pairs": round_cell(view.expected_false_pairs),
            "complete_up_to": result.complete_up_to,
        },
        "significance": {
            "state": result.significance.state,
            "tails": {name: asdict(tail) for name, tail in result.significance.tails.items()},
        },
        "pairs_compared": pairs_compared(result),
        "documents": [
            {
                **record(DOCUMENTS, result, row),
                "notes": [_note(note, t) for note in document.notes if note.code != "excluded"],
            }
            for row, document in enumerate(result.documents)
        ],
        **({"exclusions": _exclusions(exclusions)} if exclusions else {}),
        **({"missing": [asdict(member) for member in missing]} if missing else {}),
        **({"changes": by_name} if by_name else {}),
        "skipped": [record(SKIPPED, row, t) for row in result.skipped],
        "cases": case_records(result, view, cases),
        "pairs": _pairs(result, view, cases),
        "clusters": [_cluster(result, cluster) for cluster in view.clusters],
        "variant_groups": [_variant_group(result, g) for g in range(len(result.variant_groups))],
        "guarantees": [{"code": g.code, **g.params} for g in result.guarantees],
        "timings": {stage: round(seconds, 4) for stage, seconds in result.timings.items()},
    }


def _exclusions(view: ExclusionView) -> dict[str, Any]:
    """What was left out, and the totals as they were before."""
    texts = [
        {
            "name": document.name,
            "characters": int(view.characters[row]),
            "excluded": int(view.excluded[row]),
            "total_overlap_before": round_cell(view.before.total_overlap[row]),
            "spans": [asdict(zone) for zone in view.spans[row]],
        }
        for row, document in enumerate(view.before.documents)
    ]
    return {"rules": view.exclusions.to_data(), "documents": texts}


def compare_data(
    comparison: Comparison, *, rule: Score | None = None, score: PairScore | None = None
) -> dict[str, Any]:
    """Return a comparison as plain dictionaries; with its combined score under a `rule`."""
    estimate, low, high = comparison.cosine
    differing: list[int] = []
    if comparison.explain_a and comparison.explain_b:
        differing = np.flatnonzero(comparison.explain_a.bits != comparison.explain_b.bits).tolist()
    combined: dict[str, Any] = {}
    if rule:
        combined |= {"similarity": rule.similarity, "term": rule.term, "mu": rule.mu_content}
        combined |= {"bits": rule.bits, "threshold": rule.threshold}
    if score:
        shares = {
            name: round_cell(getattr(score, name)) for name in ("score", "content", "metadata")
        }
        combined |= {**shares, "above": score.above}
    return {
        "schema": schemas.COMPARE,
        "a": _side(comparison.a),
        "b": _side(comparison.b),
        "comparable": comparison.comparable,
        "bits": comparison.settings.bits,
        "threshold": comparison.threshold,
        "distance": comparison.distance if comparison.comparable else None,
        "cosine": round_cell(estimate) if comparison.comparable else None,
        "cosine_interval": [round_cell(low), round_cell(high)] if comparison.comparable else None,
        "true_cosine": round_cell(comparison.true_cosine),
        "differing_bits": differing,
        "blocks": [asdict(block) for block in comparison.blocks],
        "containment": round_cell(comparison.containment),
        "coverage_a": round_cell(comparison.coverage_a),
        "coverage_b": round_cell(comparison.coverage_b),
        "division_a": division_record(comparison.division[0]),
        "division_b": division_record(comparison.division[1]),
        "identical": round_cell(comparison.identical),
        "longest": comparison.longest,
        **({"combined": combined} if rule else {}),
        "passages": passage_records(
            comparison.passages, range(len(comparison.passages)), comparison.a, comparison.b
        ),
    }


def _side(document: Document) -> dict[str, Any]:
    length = length_of(document.text)
    return {
        "name": document.name,
        "id": document.id,
        "chars": len(document.text),
        "length": length.n,
        "unit": length.unit,
    }


def _note(note: Note, t: Translate) -> dict[str, Any]:
    place = {} if note.start < 0 else {"start": note.start, "end": note.end}
    kinds = unseen_kinds(note.params)
    return {
        "code": note.code,
        "message": t(f"notes.{note.code}", **note.params),
        **({"kinds": list(kinds)} if kinds else {}),
        **place,
    }


def _pairs(
    result: CheckResult, view: ThresholdView, cases: ListedCases | None
) -> list[dict[str, Any]]:
    """List every pair with evidence and its passages."""
    apart, records = meanings_by_pair(result), []
    pairs = list_pairs(result, view, cases=cases)
    bounds = np.searchsorted(result.passages.pair, [[one.row, one.row + 1] for one in pairs])
    for pair, bound in zip(pairs, bounds.reshape(-1, 2).tolist(), strict=True):
        of_share = range(*bound) if pair.row >= 0 else range(0)
        ends = result.documents[pair.a], result.documents[pair.b]
        passages = [*passage_records(result.passages, of_share, *ends),
                    *apart.get((pair.a, pair.b), ())]  # fmt: skip
        records.append({**record(IN_JSON, pair), "passages": passages})
    return records


def passage_records(
    passages: Passages, rows: Sequence[int], a: Document, b: Document
) -> list[dict[str, Any]]:
    """Return some passages of two texts."""
    return [record(PASSAGES_IN_JSON, PassageFacts(passages, row, a, b)) for row in rows]


def _cluster(result: CheckResult, cluster: Cluster) -> dict[str, Any]:
    def name(row: int) -> str:
        return result.documents[row].name

    left, right, distance = cluster.weakest
    return {
        "members": [name(row) for row in cluster.members],
        "centre": name(cluster.centre),
        "evidence_from": {
            name(member): name(centre)
            for member, centre in zip(cluster.members, cluster.centres, strict=True)
        },
        "links": cluster.links,
        "links_by_passages_only": cluster.passage_links,
        "density": round_cell(cluster.density),
        "weakest": {
            "a": name(left),
            "b": name(right),
            "distance": None if distance == NO_DISTANCE else distance,
        },
        "diameter": cluster.diameter,
        "bridges": [[name(a), name(b)] for a, b in cluster.bridges],
    }


def _variant_group(result: CheckResult, group: int) -> dict[str, Any]:
    groups = result.variant_groups
    rows = groups.rows(group)
    columns = (groups.document, groups.start, groups.end, groups.part)
    witnesses = zip(*(column[rows].tolist() for column in columns), strict=True)
    return {
        "witnesses": [
            {
                "name": result.documents[document].name,
                "start": start,
                "end": end,
                **({"part": True} if part else {}),
            }
            for document, start, end, part in witnesses
        ]
    }


def meanings_by_pair(result: CheckResult) -> dict[tuple[int, int], list[dict[str, Any]]]:
    """Return the passages of the same meaning of each pair, the strongest pair first."""
    listed: dict[tuple[int, int], list[dict[str, Any]]] = {}
    meanings = meanings_shown(result)
    if meanings is None:
        return listed
    by = found_by(result).passages
    for pair in meanings.pairs():
        rows = meanings.of_pair(*pair).tolist()
        listed[pair] = [_meaning(meanings, row, by[row]) for row in rows]
    return listed


def _meaning(meanings: Meanings, row: int, by: str) -> dict[str, Any]:
    """Return one passage that is part of no share; `by` which means where it crosses languages."""
    chance = float(meanings.chance[row])
    return {
        **{name: int(getattr(meanings, name)[row]) for name in PLACES},
        "kind": MEANING,
        "score": round(float(meanings.score[row]), 4),
        "chance": None if math.isnan(chance) else float(f"{chance:.3g}"),
        **({"translation_by": by} if by else {}),
        "answers": _answers(meanings, row),
    }


def _answers(meanings: Meanings, row: int) -> list[dict[str, Any]]:
    """Return which sentence answers which, how near it is, and how near the next one."""
    rows = range(int(meanings.first[row]), int(meanings.first[row + 1]))
    return [
        {
            **dict(zip(PLACES, meanings.answers[at].tolist(), strict=True)),
            "closeness": round_cell(meanings.closeness[at]),
            "next_best": round_cell(meanings.next_best[at]),
        }
        for at in rows
    ]


# --------------------------------------------------------------------------- fingerprints


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
            heaviest = dominance_of(why, weighting=settings.weighting)
            row["dominance"] = {
                "word": heaviest.token or None,
                "share": round(heaviest.share, 4),
                "limit": heaviest.limit,
                "above": heaviest.above,
            }
            row["bits"] = [_bit(why, bit) for bit in range(len(why.bits))]
        rows.append(row)
    return {
        "schema": schemas.FINGERPRINT,
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
