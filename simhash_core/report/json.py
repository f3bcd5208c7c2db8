"""A result as data: schema `leitong.check/2`, stable keys, offsets into the extracted text.

What no share counts stands by pair, the strongest first: possible translations, and passages of
the same meaning with the sentences that answer each other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from json import dumps
from typing import Any

import numpy as np

from ..cases import ListedCases, case_of_pairs, case_records, ends_of, own_units, tones_of
from ..checking.fingerprinting import collection_stats, explain_document, recipe_of
from ..i18n import Translate
from ..metadata import PairScore, Score
from ..model import NO_DISTANCE, PASSAGE_KINDS, Division, Document, Note, Passages, Skipped
from ..numbers import (
    CLASSES,
    between,
    expected_owners,
    expected_pairs,
    few_counted,
    of_pair,
    of_text,
    pairs_compared,
)
from ..people.roster import Member
from ..result import (
    ApartFindings,
    BitExplanation,
    CheckResult,
    Cluster,
    Comparison,
    Meanings,
    ThresholdView,
    could_be_formula,
    listed_rows,
    meanings_shown,
)
from ..seen.changes import ResultChanges
from ..seen.comparison import Dominance, dominance_of
from ..seen.exclusion_view import ExclusionView
from ..seen.meanings import found_by
from ..seen.on_page import unseen_kinds
from ..seen.thresholds import at_threshold
from ..settings import Settings
from ..signs import escaped_json
from ..simhash.fingerprint import cosine_interval, to_hex
from ..storage.library import COLLECTION_KEY
from ..text.lengths import length_of

SCHEMA = "leitong.check/2"
COMPARE_SCHEMA = "leitong.compare/1"

#: of passages that are part of no share, and the evidence of a pair that has one
TRANSLATED, MEANING = "translated", "meaning"
_PLACES = ("a_start", "a_end", "b_start", "b_end")
_EVIDENCE = {TRANSLATED: "translation", MEANING: "meaning"}


def to_json(
    result: CheckResult,
    t: Translate,
    *,
    view: ThresholdView | None = None,
    exclusions: ExclusionView | None = None,
    missing: Sequence[Member] = (),
    changes: ResultChanges | None = None,
    cases: ListedCases | None = None,
) -> str:
    """Write a whole check; names are as given, every range is half-open code points.

    Parameters
    ----------
    result, t
    view
        The result at the threshold in force (`at_threshold`); by default at that of the check.
    exclusions
        What was left out, where `result` is what is left.
    missing
        Members of a class list who handed nothing in.
    changes
        What an earlier check of these texts did not list, or listed.
    cases
        Those that a project keeps, with answers and numbers; by default as nobody answered.
    """
    data = check_data(
        result,
        t,
        view=view,
        exclusions=exclusions,
        missing=missing,
        changes=changes,
        cases=cases,
    )
    return json_text(data, allow_nan=False)


def json_text(data: Any, **options: Any) -> str:
    """Return data as JSON that people can read and that drives no terminal."""
    return escaped_json(dumps(data, ensure_ascii=False, indent=1, **options))


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
    """Return a check as plain dictionaries; see `to_json`."""
    view = view or at_threshold(result, result.threshold)
    return {
        "schema": SCHEMA,
        "version": result.version,
        "settings": {**asdict(result.settings), "recipe": result.fingerprints.recipe},
        "threshold": {
            "distance": view.threshold,
            "batch_distance": None if view.batch_threshold < 0 else view.batch_threshold,
            "expected_false_pairs": _rounded(view.expected_false_pairs),
            "complete_up_to": result.complete_up_to,
        },
        "significance": {
            "state": result.significance.state,
            "tails": {name: asdict(tail) for name, tail in result.significance.tails.items()},
        },
        "pairs_compared": pairs_compared(result),
        "documents": [_document(result, row, t) for row in range(len(result.documents))],
        **({"exclusions": _exclusions(exclusions)} if exclusions else {}),
        **({"missing": [asdict(member) for member in missing]} if missing else {}),
        **({"changes": _changes(changes)} if changes is not None else {}),
        "skipped": [_skipped(row, t) for row in result.skipped],
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
            "total_overlap_before": _rounded(view.before.total_overlap[row]),
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
    return {
        "schema": COMPARE_SCHEMA,
        "a": _side(comparison.a),
        "b": _side(comparison.b),
        "comparable": comparison.comparable,
        "bits": comparison.settings.bits,
        "threshold": comparison.threshold,
        "distance": comparison.distance if comparison.comparable else None,
        "cosine": _rounded(estimate) if comparison.comparable else None,
        "cosine_interval": [_rounded(low), _rounded(high)] if comparison.comparable else None,
        "true_cosine": _rounded(comparison.true_cosine),
        "differing_bits": differing,
        "blocks": [asdict(block) for block in comparison.blocks],
        "containment": _rounded(comparison.containment),
        "coverage_a": _rounded(comparison.coverage_a),
        "coverage_b": _rounded(comparison.coverage_b),
        "division_a": _division(comparison.division[0]),
        "division_b": _division(comparison.division[1]),
        "identical": _rounded(comparison.identical),
        "longest": comparison.longest,
        **({"combined": {**_rule(rule), **(_score(score) or {})}} if rule else {}),
        "passages": _passages(comparison.passages, range(len(comparison.passages))),
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


def _document(result: CheckResult, row: int, t: Translate) -> dict[str, Any]:
    document = result.documents[row]
    length = length_of(document.text)
    return {
        "name": document.name,
        "id": document.id,
        "chars": len(document.text),
        "length": length.n,
        "unit": length.unit,
        "tokens": int(result.lengths[row]),
        "format": document.format,
        "encoding": document.encoding,
        "language": document.language,
        "reference": row >= result.checked,
        **(
            {"collection": document.meta[COLLECTION_KEY]} if COLLECTION_KEY in document.meta else {}
        ),
        "fingerprint": to_hex(result.fingerprints, row) or None,
        "total_overlap": _rounded(result.total_overlap[row]),
        "identical_overlap": _rounded(result.identical_overlap[row]),
        **tones_of(result, row),
        "division": _division(of_text(result, row)),
        "few_counted": few_counted(of_text(result, row)),
        "meta": dict(document.meta),
        "notes": [_note(note, t) for note in document.notes if note.code != "excluded"],
    }


def _division(division: Division) -> dict[str, int]:
    """Return a text in units by class; they sum to `length`."""
    units = {name: getattr(division, name) for name in CLASSES}
    return {"counted": division.counted, **units}


def _collection(document: Document) -> dict[str, str]:
    """Name the collection of a text from a library."""
    name = document.meta.get(COLLECTION_KEY)
    return {} if name is None else {"collection": name}


def _changes(changes: ResultChanges) -> dict[str, Any]:
    """Pairs by the names of their texts."""
    sides = {"new": changes.new, "gone": changes.gone}
    return {
        name: [{"a": a.name, "b": b.name, "ids": [a.id, b.id]} for a, b in pairs]
        for name, pairs in sides.items()
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


def _skipped(row: Skipped, t: Translate) -> dict[str, Any]:
    return {"name": row.name, "code": row.code, "message": t(f"notes.{row.code}", **row.params)}


def _pairs(
    result: CheckResult,
    view: ThresholdView,
    cases: ListedCases | None,
) -> list[dict[str, Any]]:
    """List every pair with evidence and its passages."""
    shown, apart = listed_rows(result, view), passages_by_pair(result)
    starts = np.searchsorted(result.passages.pair, shown, side="left").tolist()
    ends = np.searchsorted(result.passages.pair, shown, side="right").tolist()
    ranges = dict(zip(ends_of(result, shown), map(range, starts, ends), strict=True))
    records = pair_records(result, view, apart, cases)
    for texts, record in records.items():
        of_share = _passages(result.passages, ranges.get(texts, range(0)))
        record["passages"] = [*of_share, *apart.get(texts, ())]
    return list(records.values())


def _evidence(passages: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what passages that are part of no share are evidence of."""
    return [_EVIDENCE[kind] for kind in dict.fromkeys(one["kind"] for one in passages)]


def pair_records(
    result: CheckResult,
    view: ThresholdView,
    apart: Mapping[tuple[int, int], Sequence[Mapping[str, Any]]] | None = None,
    cases: ListedCases | None = None,
) -> dict[tuple[int, int], dict[str, Any]]:
    """Return the numbers of every pair with evidence, by the rows of its texts.

    Those that share text come first, in the order of `listed_rows`; behind them those with nothing
    but passages that are part of no share: `apart`, by default `passages_by_pair`.
    """
    apart = passages_by_pair(result) if apart is None else apart
    records, formula = {}, could_be_formula(result, view)
    shown, of_pair = listed_rows(result, view), case_of_pairs(result, view, cases)
    for row, texts in zip(shown.tolist(), ends_of(result, shown), strict=True):
        record = _pair(result, view, row, formula=bool(formula[row]))
        record["evidence"] += _evidence(apart.get(texts, ()))
        record["case"] = of_pair.get(row)
        records[texts] = record
    alone = {
        texts: _apart(result, *texts, _evidence(passages))
        for texts, passages in apart.items()
        if texts not in records
    }
    return records | alone


def _apart(result: CheckResult, a: int, b: int, evidence: list[str]) -> dict[str, Any]:
    """Return a pair with nothing but passages that are part of no share."""
    nothing = ("distance", "batch_distance", "cosine", "containment", "strength")
    both = between(result, a, b)
    return {
        "a": result.documents[a].name,
        "b": result.documents[b].name,
        "evidence": evidence,
        **dict.fromkeys((*nothing, "chance", "chance_own")),
        **dict.fromkeys(("coverage_a", "coverage_b", "identical"), 0.0),
        **{f"division_{x}": _division(one) for x, one in zip("ab", both, strict=True)},
        "own_a": 0,
        "own_b": 0,
        "longest": 0,
        "passages": 0,
        "could_be_formula": False,
        "case": None,
    }


def _pair(result: CheckResult, view: ThresholdView, row: int, *, formula: bool) -> dict[str, Any]:
    table, names = result.table, result.documents
    distance, beyond = table.pairs.distance[row], table.batch_distance[row]
    has_print, expected = distance != NO_DISTANCE, expected_pairs(result, row)
    first, second = of_pair(result, row)
    owners = expected_owners(result, row)
    return {
        "a": names[int(table.pairs.left[row])].name,
        "b": names[int(table.pairs.right[row])].name,
        "evidence": [
            *(["fingerprint"] if view.within[row] else []),
            *(["passages"] if table.passages[row] else []),
        ],
        "distance": int(distance) if has_print else None,
        "batch_distance": None if beyond == NO_DISTANCE else int(beyond),
        "cosine": _rounded(cosine_interval(int(distance), result.settings.bits)[0])
        if has_print
        else None,
        "containment": _rounded(table.containment[row]),
        "coverage_a": _rounded(table.coverage_a[row]),
        "coverage_b": _rounded(table.coverage_b[row]),
        "division_a": _division(first),
        "division_b": _division(second),
        "identical": _rounded(table.identical[row]),
        **dict(zip(("own_a", "own_b"), own_units(result, row), strict=True)),
        "longest": int(table.longest[row]),
        "passages": int(table.passages[row]),
        "strength": _rounded(table.strength[row]) or None,
        "chance": None if expected is None else float(f"{expected:.3g}"),
        "chance_own": None if owners is None else float(f"{owners:.3g}"),
        "could_be_formula": formula,
    }


def _rule(rule: Score) -> dict[str, Any]:
    return {
        "similarity": rule.similarity,
        "term": rule.term,
        "mu": rule.mu_content,
        "bits": rule.bits,
        "threshold": rule.threshold,
    }


def _score(score: PairScore | None) -> dict[str, Any] | None:
    if score is None:
        return None
    return {
        "score": _rounded(score.score),
        "content": _rounded(score.content),
        "metadata": _rounded(score.metadata),
        "above": score.above,
    }


def _passages(passages: Passages, rows: Sequence[int]) -> list[Mapping[str, Any]]:
    changed = passages.changed
    return [
        {
            "a_start": int(passages.a_start[row]),
            "a_end": int(passages.a_end[row]),
            "b_start": int(passages.b_start[row]),
            "b_end": int(passages.b_end[row]),
            "kind": PASSAGE_KINDS[passages.kind[row]],
            "score": _rounded(passages.score[row]),
            "words_a": int(passages.words_a[row]),
            "words_b": int(passages.words_b[row]),
            "shared_a": int(passages.shared_a[row]),
            "shared_b": int(passages.shared_b[row]),
            **({"changed": int(changed[row])} if changed[row] else {}),
            **({"weak": True} if passages.weak[row] else {}),
        }
        for row in rows
    ]


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
        "density": _rounded(cluster.density),
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


def _rounded(value: float | np.floating[Any]) -> float | None:
    number = float(value)
    return None if math.isnan(number) else round(number, 4)


def passages_by_pair(result: CheckResult) -> dict[tuple[int, int], list[dict[str, Any]]]:
    """Return the passages of each pair that are part of no share, as plain dictionaries.

    Pairs with possible translations first, the strongest of either kind first.
    """
    listed: dict[tuple[int, int], list[dict[str, Any]]] = {}
    by = found_by(result)
    for kind, findings, means in (
        (TRANSLATED, result.translations, by.translations),
        (MEANING, meanings_shown(result), by.meanings),
    ):
        if findings is not None:
            chance = findings.chance().tolist()
            for pair in findings.pairs():
                for row in findings.of_pair(*pair).tolist():
                    one = _finding(findings, row, kind, chance[row], means[row])
                    listed.setdefault(pair, []).append(one)
    return listed


def _finding(
    findings: ApartFindings, row: int, kind: str, chance: float, by: str
) -> dict[str, Any]:
    """Return one passage that is part of no share; `by` where it may be a translation."""
    places = {name: int(getattr(findings, name)[row]) for name in _PLACES}
    answers = {"answers": _answers(findings, row)} if isinstance(findings, Meanings) else {}
    return {
        **places,
        "kind": kind,
        "score": round(float(findings.score[row]), 4),
        "chance": None if math.isnan(chance) else float(f"{chance:.3g}"),
        **({"translation_by": by} if by else {}),
        **answers,
    }


def _answers(meanings: Meanings, row: int) -> list[dict[str, Any]]:
    """Return which sentence answers which, how near it is, and how near the next one."""
    rows = range(int(meanings.first[row]), int(meanings.first[row + 1]))
    return [
        {
            **dict(zip(_PLACES, meanings.answers[at].tolist(), strict=True)),
            "closeness": _rounded(meanings.closeness[at]),
            "next_best": _rounded(meanings.next_best[at]),
        }
        for at in rows
    ]


# --------------------------------------------------------------------------- fingerprints
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
