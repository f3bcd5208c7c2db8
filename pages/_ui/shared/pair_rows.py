"""One row of the pair table, as Overview and an empty Compare show it."""

from __future__ import annotations

from collections.abc import Mapping

from simhash_core import CheckResult, ThresholdView
from simhash_core.model import Bools, Decision
from simhash_core.notation import UNKNOWN
from simhash_core.numbers import CHANCE_TEXTS, of_pair
from simhash_core.report.names import Naming
from simhash_core.result import CHANCE_MARKED, could_be_formula
from simhash_core.text.lengths import unit_of

from ..components.lists import PairRow
from .decided import verdict
from .formatting import cluster_name, length, notation
from .session import t
from .widgets import axis_top

MARK = "†"  # beside what could be a formula of the batch


def pair_words() -> dict[str, str]:
    """Return the words of the pair table."""
    columns = ("pair", "overlap", "longest", "distance", "evidence", "cluster")
    words = {name: t(f"overview.column.{name}") for name in columns}
    return words | {"and": t("overview.and"), "caption": t("overview.pairs")}


def formula_sentences(*, marked: bool) -> list[str]:
    """Say what the mark beside a longest run means, where one is shown."""
    return [t("guarantee.formula", mark=MARK, limit=f"{CHANCE_MARKED:g}")] if marked else []


def marked_rows(result: CheckResult, view: ThresholdView) -> Bools:
    """Return which pairs could be a formula of the batch; none where nothing is said of chance."""
    return could_be_formula(result, view) & (len(result.documents) >= CHANCE_TEXTS)


def tick(result: CheckResult, view: ThresholdView) -> float:
    """Return where the threshold stands on the scale of distances, 0..1."""
    return min((view.threshold + 0.5) / axis_top(result), 1.0)


def pair_row(
    result: CheckResult,
    view: ThresholdView,
    row: int,
    names: Naming,
    *,
    marked: bool = False,
    decided: Mapping[tuple[int, int], Decision] | None = None,
) -> PairRow:
    """Return what the table shows of one row of the result; `marked`: it could be a formula."""
    table = result.table
    a, b = int(table.pairs.left[row]), int(table.pairs.right[row])
    distance, bits = int(table.pairs.distance[row]), result.fingerprints.bits
    first, second = of_pair(result, row)
    inside, passages = bool(view.within[row]), bool(table.passages[row])
    aligned = result.settings.passages
    kinds = {(True, True): "both", (True, False): "print", (False, True): "passages"}
    cluster = int(view.cluster_of[a])
    same = cluster >= 0 and cluster == int(view.cluster_of[b])
    state = verdict(a, b, decided or {})
    longest = length(int(table.longest[row]), unit_of(result.documents[a].text))
    return PairRow(
        first=names.stems[a],
        second=names.stems[b],
        first_whole=names.whole[a],
        second_whole=names.whole[b],
        share_first=first.total,
        share_second=second.total,
        text_first=notation().total(first) if aligned else UNKNOWN,
        text_second=notation().total(second) if aligned else UNKNOWN,
        longest=longest + (MARK if marked else "") if passages else UNKNOWN,
        distance=str(distance) if distance <= bits else UNKNOWN,
        at=min(distance / axis_top(result), 1.0) if distance <= bits else -1.0,
        inside=inside,
        evidence=t(f"overview.evidence.{kinds.get((inside, passages), 'none')}"),
        cluster=cluster_name(cluster) if same else UNKNOWN,
        state=state if state != "undecided" else "",
        state_label=t(f"review.mark.{state}"),
    )
