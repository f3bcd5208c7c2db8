"""One row of the pair table, as Overview and an empty Compare show it."""

from __future__ import annotations

from collections.abc import Mapping

from simhash_core import CheckResult, ThresholdView
from simhash_core.model import Decision
from simhash_core.report.names import Naming
from simhash_core.result import CHANCE_MARKED
from simhash_core.text.lengths import unit_of

from ..components.pair_table import PairRow
from .decided import verdict
from .formatting import MARK, chance, cluster_name, length, number, percent
from .session import t
from .widgets import axis_top


def pair_words() -> dict[str, str]:
    """Return the words of the pair table."""
    columns = ("pair", "overlap", "longest", "distance", "chance", "evidence", "cluster")
    words = {name: t(f"overview.column.{name}") for name in columns}
    return words | {"and": t("overview.and"), "caption": t("overview.pairs")}


def significance_sentences(result: CheckResult, *, marked: bool) -> list[str]:
    """Say what the numbers of chance findings mean, or why there are none, and the mark."""
    if not result.settings.passages:
        return []
    about = result.significance
    sentences = [t(f"guarantee.chance_{about.state}", n=number(about.sampled))]
    if marked:
        sentences.append(t("guarantee.formula", mark=MARK, limit=f"{CHANCE_MARKED:g}"))
    return sentences


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
    share_a, share_b = float(table.coverage_a[row]), float(table.coverage_b[row])
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
        share_first=share_a if aligned else 0.0,
        share_second=share_b if aligned else 0.0,
        text_first=percent(share_a) if aligned else "—",
        text_second=percent(share_b) if aligned else "—",
        longest=longest if passages else "—",
        distance=str(distance) if distance <= bits else "—",
        at=min(distance / axis_top(result), 1.0) if distance <= bits else -1.0,
        inside=inside,
        evidence=t(f"overview.evidence.{kinds.get((inside, passages), 'none')}"),
        cluster=cluster_name(cluster) if same else "—",
        chance=chance(float(table.chance[row]), marked=marked),
        state=state if state != "undecided" else "",
        state_label=t(f"review.mark.{state}"),
    )
