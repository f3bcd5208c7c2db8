"""Is this the task? Passages that many texts hold, answered before the check starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from simhash_core import Document, Settings
from simhash_core.checking import KINDS, CommonPassages, as_templates
from simhash_core.text.lengths import unit_of

from ..components.lists import CommonRow, common_rows
from ..shared.formatting import length, number, text_language
from ..shared.session import t
from ..shared.tab import tab
from ..shared.widgets import figure_head, note
from .inbox import is_class
from .uploads import Batch

#: texts up to which they are looked for: an archive has no task
MOST_TEXTS = 500
MOST_ASKED = 6  # the rest is seen at the desk


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """What the texts of a batch hold in common, and what each passage was answered to be."""

    key: tuple[str, ...]
    found: CommonPassages
    kinds: tuple[str, ...]

    def answers(self) -> dict[str, str]:
        """Return the answer for each passage, by its words."""
        return {one.text: kind for one, kind in zip(self.found.passages, self.kinds, strict=True)}

    def left_out(self) -> frozenset[int]:
        """Return the passages that do not count."""
        return frozenset(row for row, kind in enumerate(self.kinds) if kind != "copied")


def common_texts(batch: Batch, given: Sequence[Document], settings: Settings) -> None:
    """Show the passages and take answers; nothing where the texts hold none in common."""
    looked = _looked(batch, given, settings)
    if looked is None or not _worth_asking(looked, batch):
        return
    asked = _asked(looked)
    figure_head(t("check.common.title"), t("check.common.note", n=len(asked)) if asked else "")
    as_given = [one for one in looked.found.passages if one.reason == "as_given"]
    if as_given:
        most = max(len(one.rows) for one in as_given)
        note(t("check.common.as_given", n=most, of=len(batch.documents)))
    if not asked:
        return
    rows = [_row(looked, row, batch) for row in asked]
    answer = common_rows(
        "common",
        rows=rows,
        kinds=KINDS,
        labels={kind: t(f"check.common.kind.{kind}") for kind in KINDS},
        id="-".join(looked.key)[:64],
    )
    if answer is not None and answer[0] < len(asked) and answer[1] in KINDS:
        kinds = list(looked.kinds)
        kinds[asked[answer[0]]] = answer[1]
        looked = tab.common = replace(looked, kinds=tuple(kinds))
    _total(looked)


def left_out(batch: Batch) -> list[Document]:
    """Return the passages that were answered to be given to everybody, as templates."""
    looked = tab.common
    if looked is None or looked.key[: len(batch.documents)] != _ids(batch):
        return []
    given = as_templates(looked.found.passages, looked.kinds)
    return [replace(one, name=t(f"check.common.kind.{one.name}")) for one in given]


def _ids(batch: Batch) -> tuple[str, ...]:
    return tuple(one.id for one in batch.documents)


def _looked(batch: Batch, given: Sequence[Document], settings: Settings) -> Looked | None:
    """Look once at the texts of a batch."""
    if settings.preset != "essays" or not 3 <= len(batch.documents) <= MOST_TEXTS:
        tab.common = None
        return None
    key = (*_ids(batch), *(one.id for one in given))
    if tab.common is None or tab.common.key != key:
        found = CommonPassages(batch.documents, given, settings)
        before = tab.common.answers() if tab.common is not None else {}
        kinds = tuple(before.get(one.text, one.kind) for one in found.passages)
        tab.common = Looked(key, found, kinds)
    return tab.common


def _worth_asking(looked: Looked, batch: Batch) -> bool:
    """Whether anything was given to all; in a class also what may be copied by several."""
    passages = looked.found.passages
    return any(one.kind != "copied" for one in passages) or (bool(passages) and is_class(batch))


def _asked(looked: Looked) -> list[int]:
    """Return the passages to be answered, most text first."""
    rows = [row for row, one in enumerate(looked.found.passages) if one.reason != "as_given"]
    return rows[:MOST_ASKED]


def _row(looked: Looked, row: int, batch: Batch) -> CommonRow:
    one = looked.found.passages[row]
    unit, n, of = unit_of(one.text), len(one.rows), len(batch.documents)
    held = np.isin(np.arange(of), one.rows)
    size = length(one.units, unit)
    return CommonRow(
        head=t("check.common.held", n=n, of=of),
        place=t(f"check.common.place.{one.place}"),
        length=size,
        reason=t(f"check.common.reason.{one.reason}"),
        ticks=tuple(held.tolist()),
        text=one.text.strip(),
        lang=text_language(one.text),
        kind=looked.kinds[row],
        takes=t(
            "check.common.takes", n=n, length=number(one.units), all=length(n * one.units, unit)
        ),
        stays=t("check.common.stays", pairs=number(n * (n - 1) // 2)),
    )


def _total(looked: Looked) -> None:
    """Say how many pairs have something in common now, and without what is left out."""
    out = looked.left_out()
    if out:
        before, after = looked.found.pairs(frozenset()), looked.found.pairs(out)
        note(t("check.common.pairs", before=number(before), after=number(after)))
