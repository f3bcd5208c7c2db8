"""The line under the buttons: what was done last, what now holds, and what takes it back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simhash_core.model import Decision
from simhash_core.storage import Subject

from ..shared import session
from ..shared.session import naming, t
from .state import AtDesk, Key, Said, desk, holding, in_words, undoable

LONGEST_NOTE = 40  # characters of a note that the line repeats


def strip(now: AtDesk) -> dict[str, Any]:
    """Return the line, and which of undo and redo can do something."""
    _notice(now)
    said, asked = desk().said, desk().asked
    return {
        "text": _text(now, said) if said else t("review.said.idle"),
        "idle": said is None,
        "noted": said is not None and said.channel == "note" and said.what != "undone",
        "can": {name: undoable(name) is not None for name in ("verdict", "note", "undo")},
        "asked": {"row": asked.row, "lead": t("review.asked")} if asked else None,
        "mark": _mark(said),
    }


def _mark(said: Said | None) -> str:
    """Return the verdict that was just given, "" where the line says something else."""
    decision = said.after[0] if said and said.what == "decided" and said.after else None
    return decision.verdict if decision else ""


def _notice(now: AtDesk) -> None:
    """See what was decided elsewhere about the open case since it was drawn."""
    held, case = desk(), now.open
    drawn, held.drawn = held.drawn, (case.key, case.decision) if case else None
    if case is None or drawn is None or drawn[0] != case.key:
        return
    if in_words(drawn[1]) != in_words(case.decision):
        held.said = Said("elsewhere", (case.key,), (drawn[1],), (case.decision,))


def _text(now: AtDesk, said: Said) -> str:
    if not said.keys:
        return t(f"review.said.{said.what}")
    case = _case(now, said.keys)
    if said.channel == "note":
        return _note_text(said, case)
    others = _changed_since(said)
    if others:
        key, decision = others[0]
        who = _who(key)
        return t("review.said.elsewhere", case=_case(now, [key]), now=_verdict(decision), who=who)
    if said.what == "decided":
        return _decided_text(said, case)
    words = {"case": case, "before": _one(said.before), "after": _one(said.after)}
    if _words(said.before) == _words(said.after):
        return t("review.said.unchanged", **words)
    same = len(set(_words(said.before))) == len(set(_words(said.after))) == 1
    text = t(f"review.said.{said.what}" if same else f"review.said.{said.what}_many", **words)
    noted = any(one is not None and one.note for one in said.after)
    return f"{text}{t('review.said.note_kept')}" if noted else text


def _changed_since(said: Said) -> list[tuple[Key, Decision | None]]:
    """Return what now holds otherwise than this desk left or found it."""
    held = zip(said.keys, holding(said.keys), said.after, strict=True)
    return [
        (key, now)
        for key, now, after in held
        if said.what == "elsewhere" or in_words(now) != in_words(after)
    ]


def _decided_text(said: Said, case: str) -> str:
    if said.overtook is None or in_words(said.overtook) == in_words(said.after[0]):
        return t("review.said.decided", case=case, now=_one(said.after))
    before = _verdict(said.overtook)
    return t("review.said.overtook", case=case, now=_one(said.after), before=before)


def _note_text(said: Said, case: str) -> str:
    before, after = (_note(one) for one in (said.before[0], said.after[0]))
    if said.what == "noted":
        return t("review.said.noted" if after else "review.said.note_deleted", case=case)
    if said.what == "redone" and after:
        return t("review.said.note_redone", case=case, note=after)
    if after:
        return t("review.said.note_back", case=case, note=after)
    return t("review.said.note_undone", case=case, note=before)


def _case(now: AtDesk, keys: Sequence[Key]) -> str:
    case = next((case for case in now.everything if case.key in keys), None)
    if len(keys) > 1 or case is None:
        return t("review.said.cases", n=len(keys))
    names = naming()
    a, b = names.short(case.a), names.short(case.b)
    return t("review.said.case", number=case.number, a=a, b=b)


def _who(key: Key) -> str:
    """Return who decided last, where it is known."""
    project = session.project()
    event = project.event_in_force(Subject.pair(*key), "verdict") if project else None
    return (event.reviewer if event else "") or t("review.said.other_window")


def _words(held: Sequence[Decision | None]) -> list[tuple[str, str]]:
    return [in_words(one) for one in held]


def _one(held: Sequence[Decision | None]) -> str:
    return _verdict(held[0])


def _verdict(decision: Decision | None) -> str:
    verdict, reason = in_words(decision)
    parts = [t(f"review.mark.{verdict or 'undecided'}")]
    return " · ".join([*parts, t(f"review.reason.{reason}")] if reason else parts)


def _note(decision: Decision | None) -> str:
    note = decision.note if decision else ""
    return f"{note[:LONGEST_NOTE]}…" if len(note) > LONGEST_NOTE else note
