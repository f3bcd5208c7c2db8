"""What was decided about the pairs of the current check, for every page that shows a pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from simhash_core.model import Decision, pair_key
from simhash_core.report import lost_text
from simhash_core.review import count_decided
from simhash_core.seen import LostCase, kept_cases

from . import session
from .formatting import esc
from .session import t
from .widgets import caution, write_html

Pair = tuple[int, int]
Decided = Mapping[Pair, Decision]


def _decisions() -> Mapping[tuple[str, str], Decision]:
    project = session.project()
    return project.pair_decisions() if project is not None else {}


def read_decisions() -> Decided:
    """Return what holds about pairs by their document rows, the smaller one first."""
    result = session.result()
    decisions = _decisions()
    if result is None or not decisions:
        return {}
    rows: dict[str, list[int]] = {}
    for row, document in enumerate(result.documents):
        rows.setdefault(document.id, []).append(row)
    return {
        (min(a, b), max(a, b)): decision
        for (one, other), decision in decisions.items()
        for a in rows.get(one, ())
        for b in rows.get(other, ())
        if a != b and decision.verdict
    }


def verdict(a: int, b: int, decided: Decided) -> str:
    """Return the verdict about two rows."""
    decision = decided.get((min(a, b), max(a, b)))
    return decision.verdict if decision else "undecided"


def sentence(a: int, b: int) -> str:
    """Return the verdict about two rows with its reason and note, "" while undecided."""
    result = session.result()
    if result is None:
        return ""
    key = pair_key(result.documents[a].id, result.documents[b].id)
    decision = _decisions().get(key)
    if decision is None:
        return ""
    parts = [t(f"review.mark.{decision.verdict}")] if decision.verdict else []
    if decision.reason:
        parts.append(t(f"review.reason.{decision.reason}"))
    return " · ".join([*parts, *filter(None, [decision.note])])


def progress(pairs: Iterable[Pair]) -> str:
    """Say how many of some pairs are decided."""
    wanted, decided = list(pairs), read_decisions()
    done = count_decided([(min(pair), max(pair)) for pair in wanted], decided)
    return t("review.decided_of", n=len(wanted), done=done) if done else ""


# --------------------------------------------------------------------------- what was decided abo


def lost_cases() -> tuple[LostCase, ...]:
    """Return them; found again where the threshold moves or something is decided."""
    result, project, view = session.result(), session.project(), session.view()
    if result is None or project is None or view is None or not project.is_open:
        return ()
    key = ("lost", view.threshold, project.latest())
    return session.memo(key, lambda: kept_cases(project, result, view)[1])


def say_lost() -> None:
    """Name each of them with what was decided and the note; nothing where all are listed."""
    lost = lost_cases()
    if not lost:
        return
    caution(t("report.lost.title"), "")
    hidden = session.hide_names()
    rows = "".join(f"<li>{esc(lost_text(one, t, hidden=hidden))}</li>" for one in lost)
    write_html(f"<ul>{rows}</ul>")
