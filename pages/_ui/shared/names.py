"""Names of texts in small places: one line, shortened in the middle, the whole on hover."""

from __future__ import annotations

from simhash_core.report.names import Naming, named

from . import session


def naming() -> Naming:
    """Return the names of the current check; numbers while names are hidden."""
    result = session.result()
    rows = range(len(result.documents)) if result else range(0)
    key = ("naming", session.language(), session.hide_names())
    names: Naming = session.memo(key, lambda: named(session.doc_names(rows)))
    return names
