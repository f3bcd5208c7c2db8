"""What was decided about cases that the current check does not list: no decision goes silently."""

from __future__ import annotations

from simhash_core.report import lost_text
from simhash_core.seen import LostCase, kept_cases

from . import session
from .formatting import esc
from .session import t
from .widgets import caution, write_html


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
